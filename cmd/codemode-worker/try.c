/* SPDX-License-Identifier: MIT */
/*
 * try.c -- see try.h. Three processes, as for a script:
 *
 *	try_main      listens on the loopback, prints the answer
 *	  exec, with an empty environment and a socket
 *	try_inside    the template: fences_template, then for each attempt
 *	  fork
 *	run_attempt   fences_child, the attempt, its outcome
 *
 * The attempt of a child that is killed was refused. A child that ends
 * otherwise without an outcome has become another program.
 */
#define _GNU_SOURCE
#include "try.h"

#include "attempt.h"

#include "fence/fences.h"

#include "base/json.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	LINE = 3, /* the socket's descriptor, in the template and the child */
	PATIENCE_S = 5,
	OUTPUT_MAX = 1 << 20,
	BACKLOG = 8,
	FAILED = 2 /* exit status: nothing was tried */
};

typedef enum outcome { REFUSED, KILLED, ALLOWED, UNCLEAR } outcome;

static const char *const outcome_words[] = {
    [REFUSED] = "refused",
    [KILLED] = "refused",
    [ALLOWED] = "allowed",
    [UNCLEAR] = "unclear",
};

typedef enum mode { FENCED, BARE, BEHIND, MODES } mode;

static const char *const modes[MODES] = {
    [FENCED] = "--fenced", [BARE] = "--bare", [BEHIND] = "--behind"};

/* The template's own. */
typedef struct trial {
	mode mode;
	fences fences;
	fence_report report; /* of the last child */
	int port;
	buf out;
	unsigned allowed;
} trial;

typedef struct result {
	outcome outcome;
	int why; /* errno or signal */
} result;

/* ------------------------------------------------------------- the child */

static _Noreturn void
run_attempt(const trial *t, pid_t template_pid, int line, const attempt *a)
{
	fence_report report = t->report;
	scene s = {.parent = template_pid, .line = LINE, .port = t->port};
	int said = 0;

	s.page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	dup2(line, LINE);
	if (t->mode != BARE)
		fences_child(&t->fences, template_pid, LINE, &report);
	(void)!write(LINE, &report, sizeof(report));
	if (a != NULL)
		said = a->make(&s);
	(void)!write(LINE, &said, sizeof(said));
	_exit(0);
}

/* ---------------------------------------------------------- the template */

/* One byte with a descriptor, for the attempt to receive one. */
static void
offer_descriptor(int line)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {0};
	char byte = 'd';
	struct iovec part = {&byte, 1};
	struct msghdr m = {.msg_iov = &part,
	    .msg_iovlen = 1,
	    .msg_control = control.bytes,
	    .msg_controllen = sizeof(control.bytes)};
	int null = STDIN_FILENO;

	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.head), &null, sizeof(null));
	sendmsg(line, &m, MSG_NOSIGNAL);
}

static result
judge(ssize_t report, ssize_t word, int said, int status)
{
	if (report != sizeof(fence_report) || word < 0)
		return (result){UNCLEAR, 0};
	if (word == sizeof(said))
		return (result){said == 0 ? ALLOWED : REFUSED, said};
	if (WIFSIGNALED(status))
		return (result){KILLED, WTERMSIG(status)};
	return (result){ALLOWED, 0};
}

/* A child that ended with our byte unread causes one ECONNRESET; what it wrote
 * before that can still be read. */
static ssize_t
receive_word(int line, void *to, size_t len)
{
	ssize_t n = recv(line, to, len, 0);

	return n < 0 && errno == ECONNRESET ? recv(line, to, len, 0) : n;
}

/* Reads the child's report and outcome. A child that hangs is killed:
 * UNCLEAR. */
static result
judge_child(trial *t, pid_t pid, int line)
{
	const struct timeval patience = {PATIENCE_S, 0};
	ssize_t report, word;
	int said = 0, status = 0;

	setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	offer_descriptor(line);
	report = receive_word(line, &t->report, sizeof(t->report));
	word = receive_word(line, &said, sizeof(said));
	if (word < 0)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return judge(report, word, said, status);
}

/* a NULL: only the report. */
static result
try_one(trial *t, const attempt *a)
{
	result r = {UNCLEAR, 0};
	pid_t me = getpid(), pid;
	int line[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, line) != 0)
		return r;
	pid = fork();
	if (pid == 0)
		run_attempt(t, me, line[1], a);
	close(line[1]);
	if (pid > 0)
		r = judge_child(t, pid, line[0]);
	close(line[0]);
	return r;
}

/* ----------------------------------------------------------- as JSON text */

static void
write_text_member(buf *out, const char *name, const char *value)
{
	buf_printf(out, "\"%s\":", name);
	json_string(out, text_of(value));
	buf_byte(out, ',');
}

static void
write_fences(buf *out, const fence_report *report)
{
	for (unsigned i = 0; i < FENCE_COUNT; i++) {
		buf_str(out, i > 0 ? ",\n{" : "{");
		write_text_member(out, "name", fence_name((fence)i));
		write_text_member(out, "about", fence_about((fence)i));
		write_text_member(out, "why", fence_why(report->state[i]));
		buf_printf(out, "\"up\":%s}",
		    report->state[i] == FENCE_UP ? "true" : "false");
	}
}

/* What an attempt may meet; not every libc knows the names. */
typedef struct named {
	int number;
	const char *name;
} named;
#define NAMED(x)      \
	{             \
		x, #x \
	}
static const named errors[] = {NAMED(EPERM), NAMED(ENOENT), NAMED(ESRCH),
    NAMED(EINTR), NAMED(EIO), NAMED(EBADF), NAMED(ECHILD), NAMED(EAGAIN),
    NAMED(ENOMEM), NAMED(EACCES), NAMED(EFAULT), NAMED(EBUSY), NAMED(EEXIST),
    NAMED(ENODEV), NAMED(EINVAL), NAMED(ENFILE), NAMED(EMFILE), NAMED(ENOTTY),
    NAMED(ENOSPC), NAMED(EROFS), NAMED(EPIPE), NAMED(ENOSYS), NAMED(EOPNOTSUPP),
    NAMED(ENETUNREACH), NAMED(ECONNREFUSED), {0, NULL}};
static const named deaths[] = {NAMED(SIGSYS), NAMED(SIGKILL), NAMED(SIGSEGV),
    NAMED(SIGBUS), NAMED(SIGILL), NAMED(SIGTRAP), NAMED(SIGABRT), {0, NULL}};

static void
write_name(buf *out, const named *list, const char *kind, int number)
{
	for (; list->name != NULL; list++) {
		if (list->number == number) {
			buf_str(out, list->name);
			return;
		}
	}
	buf_printf(out, "%s %d", kind, number);
}

static void
write_how(buf *out, result r)
{
	buf_str(out, "\"how\":\"");
	if (r.outcome == KILLED) {
		buf_str(out, "killed by ");
		write_name(out, deaths, "signal", r.why);
	} else if (r.outcome == REFUSED) {
		write_name(out, errors, "error", r.why);
	}
	buf_str(out, "\"}");
}

static void
write_attempt(buf *out, const attempt *a, result r)
{
	buf_byte(out, '{');
	write_text_member(out, "name", a->name);
	write_text_member(out, "what", a->what);
	write_text_member(out, "control", a->anybody ? "anybody" : "somewhere");
	write_text_member(out, "outcome", outcome_words[r.outcome]);
	write_how(out, r);
}

/* --------------------------------------------------------- all of them */

static void
try_each(trial *t, const char *name)
{
	const char *between = "";

	for (size_t i = 0; i < attempts_len; i++) {
		const attempt *a = &attempts[i];
		result r;

		if (*name != '\0' && strcmp(name, a->name) != 0)
			continue;
		r = try_one(t, a);
		t->allowed += r.outcome == ALLOWED || r.outcome == UNCLEAR;
		buf_str(&t->out, between);
		write_attempt(&t->out, a, r);
		between = ",\n";
	}
}

/* In a fresh process, as the template of scripts is. */
static int
try_inside(mode m, const char *name, const char *port)
{
	const fence_nets nets = {0, 0};
	trial t = {.mode = m, .port = atoi(port)};

	t.out = BUF_INIT(NULL, OUTPUT_MAX);
	fence_report_init(&t.report);
	if (m != BARE)
		fences_template(&t.fences, &nets);
	if (m == BEHIND)
		t.fences.no_filter = true;
	try_one(&t, NULL);
	buf_str(&t.out, "{\"fences\":[");
	write_fences(&t.out, &t.report);
	buf_str(&t.out, "],\n\"attempts\":[");
	try_each(&t, name);
	buf_str(&t.out, "]}\n");
	if (t.out.bad != CM_OK ||
	    write(LINE, t.out.ptr, t.out.len) != (ssize_t)t.out.len)
		return FAILED;
	return t.allowed > 0;
}

/* ---------------------------------------------------------- the outermost */

/* Opens the port that the attempts connect to. It is closed when this process
 * ends. */
static int
listen_loopback(void)
{
	struct sockaddr_in a = {
	    .sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || bind(fd, (const struct sockaddr *)&a, len) != 0 ||
	    listen(fd, BACKLOG) != 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &len) != 0)
		return 0;
	return ntohs(a.sin_port);
}

/* This program anew: nothing in its environment, a socket, /dev/null. */
static _Noreturn void
become_inside(int line, char **words)
{
	char *none[] = {NULL};
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd <= 2; fd++)
		dup2(null, fd);
	dup2(line, LINE);
	syscall(SYS_close_range, LINE + 1, ~0u, 0);
	execve("/proc/self/exe", words, none);
	_exit(FAILED);
}

static bool
relay(int line)
{
	char bytes[4096];
	ssize_t n;

	while ((n = read(line, bytes, sizeof(bytes))) > 0)
		fwrite(bytes, 1, (size_t)n, stdout);
	return n == 0 && fflush(stdout) == 0;
}

static int
outside(char *mode_word, char *name)
{
	char program[] = "codemode-worker", verb[] = "--try-inside", port[16];
	char *words[] = {program, verb, mode_word, name, port, NULL};
	int line[2], status = -1;
	pid_t pid;

	snprintf(port, sizeof(port), "%d", listen_loopback());
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, line) != 0)
		return FAILED;
	pid = fork();
	if (pid == 0)
		become_inside(line[1], words);
	close(line[1]);
	if (pid < 0 || !relay(line[0]) || waitpid(pid, &status, 0) != pid ||
	    !WIFEXITED(status))
		return FAILED;
	return WEXITSTATUS(status);
}

/* ------------------------------------------------------------- arguments */

static bool
is_attempt(const char *name)
{
	for (size_t i = 0; i < attempts_len; i++)
		if (strcmp(name, attempts[i].name) == 0)
			return true;
	return *name == '\0';
}

static mode
mode_named(const char *word)
{
	mode m = FENCED;

	while (m < MODES && strcmp(word, modes[m]) != 0)
		m++;
	return m;
}

int
try_main(int argc, char **argv)
{
	char fenced[] = "--fenced", all[] = "";
	char *mode_word = fenced, *name = all;

	if (argc == 5 && strcmp(argv[1], "--try-inside") == 0)
		return try_inside(mode_named(argv[2]), argv[3], argv[4]);
	if (argc < 2 || strcmp(argv[1], "--try") != 0)
		return -1;
	for (int i = 2; i < argc; i++) {
		if (mode_named(argv[i]) < MODES)
			mode_word = argv[i];
		else
			name = argv[i];
	}
	if (is_attempt(name))
		return outside(mode_word, name);
	fprintf(stderr, "codemode-worker: there is no attempt %s\n", name);
	return FAILED;
}
