/* SPDX-License-Identifier: MIT */
/*
 * cmd_doctor.c -- `codemode doctor`: checks the sandbox on this machine, and
 * the servers, rules and files (doctor_reach.h).
 *
 * Nothing here knows what a fence is. The worker is asked to fence itself as
 * for a script and to try what is forbidden (codemode-worker --try); its answer
 * is one JSON object, shown here for people or passed on.
 */
#define _GNU_SOURCE
#include "common/beside.h"
#include "common/cmd.h"
#include "doctor_reach.h"
#include "scripts/show.h"

#include "base/json.h"

#include <codemode/codemode.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct options {
	upstream_options upstream;
	bool json;
} options;

static const opt opts[] = {UPSTREAM_OPTS(options, upstream),
    {"json", 0, OPT_FLAG, NULL, "print what was found as one JSON object", NULL,
	offsetof(options, json)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

enum {
	ANSWER_MAX_BYTES = 1 << 20, /* of the worker */
	REACH_MAX_BYTES = 64 << 20,
	NAME_WIDTH = 14
};

/* What was found out; texts are inside .answer. */
typedef struct findings {
	struct utsname machine;
	const char *worker;
	const char *network; /* codemode-net; NULL: it is not there */
	cm_run *run;         /* owns the fingerprint */
	buf answer;
	json fences, attempts;
	size_t up, refused;
	buf reach; /* the findings of doctor_reach: a JSON object */
	bool well; /* .reach has nothing that is wrong */
} findings;

/* ------------------------------------------------------ asking the worker */

static bool
read_pipe(int fd, buf *out)
{
	ssize_t n;

	for (;;) {
		char *room = buf_room(out, 4096);

		if (room == NULL)
			return false;
		n = read(fd, room, 4096);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0;
		out->len += (size_t)n;
	}
}

/* 0 or an errno: its stdout goes to fd. */
static int
start_worker(const char *file, int fd, pid_t *pid)
{
	char name[] = "codemode-worker", verb[] = "--try";
	char *argv[] = {name, verb, NULL};
	posix_spawn_file_actions_t actions;
	int r = posix_spawn_file_actions_init(&actions);

	if (r != 0)
		return r;
	r = posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
	if (r == 0)
		r = posix_spawn(pid, file, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return r;
}

static int
ask_worker(const char *file, buf *answer)
{
	int line[2], r;
	pid_t pid;
	bool whole;

	if (pipe2(line, O_CLOEXEC) != 0)
		return errno;
	r = start_worker(file, line[1], &pid);
	close(line[1]);
	if (r == 0) {
		whole = read_pipe(line[0], answer);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		r = whole ? 0 : EIO;
	}
	close(line[0]);
	return r;
}

static size_t
count_where(json list, const char *key, bool (*good)(json value))
{
	json_iter it = json_each(list);
	json one;
	size_t n = 0;

	while (json_next(&it, NULL, &one))
		n += good(json_get(one, text_of(key)));
	return n;
}

static bool
is_true(json v)
{
	return json_bool(v, false);
}

static bool
is_refused(json v)
{
	return json_is(v, TEXT("refused"));
}

static bool
read_findings(findings *f)
{
	json answer;

	if (!json_check(buf_view(&f->answer), JSON_DEPTH, &answer, NULL))
		return false;
	f->fences = json_get(answer, TEXT("fences"));
	f->attempts = json_get(answer, TEXT("attempts"));
	f->up = count_where(f->fences, "up", is_true);
	f->refused = count_where(f->attempts, "outcome", is_refused);
	return json_len(f->fences) > 0 && json_len(f->attempts) > 0;
}

static bool
is_healthy(const findings *f)
{
	return f->well && f->up == json_len(f->fences) &&
	       f->refused == json_len(f->attempts);
}

/* ------------------------------------------------------------ for people */

static void
put_cell(buf *out, json v, int width)
{
	size_t before = out->len;

	json_unescape(v, out);
	while (out->len - before < (size_t)width && out->bad == CM_OK)
		buf_byte(out, ' ');
}

static void
put_fence(buf *out, json fence)
{
	bool up = is_true(json_get(fence, TEXT("up")));

	buf_str(out, up ? "  up       " : "  DOWN     ");
	put_cell(out, json_get(fence, TEXT("name")), NAME_WIDTH);
	buf_byte(out, ' ');
	put_cell(out, json_get(fence, TEXT("about")), 0);
	if (!up) {
		buf_str(out, ": ");
		put_cell(out, json_get(fence, TEXT("why")), 0);
	}
	buf_byte(out, '\n');
}

static void
put_attempt(buf *out, json attempt)
{
	json outcome = json_get(attempt, TEXT("outcome"));
	json how = json_get(attempt, TEXT("how"));

	buf_str(out, is_refused(outcome)                 ? "  refused  "
		     : json_is(outcome, TEXT("allowed")) ? "  ALLOWED  "
							 : "  UNCLEAR  ");
	put_cell(out, json_get(attempt, TEXT("name")), NAME_WIDTH);
	buf_byte(out, ' ');
	put_cell(out, json_get(attempt, TEXT("what")), 0);
	if (is_refused(outcome)) {
		buf_str(out, ": ");
		put_cell(out, how, 0);
	}
	buf_byte(out, '\n');
}

static void
put_reach(buf *out, json finding)
{
	json todo = json_get(finding, TEXT("todo"));

	buf_str(out, json_present(todo) ? "  WRONG    " : "  well     ");
	put_cell(out, json_get(finding, TEXT("name")), NAME_WIDTH);
	buf_byte(out, ' ');
	put_cell(out, json_get(finding, TEXT("about")), 0);
	if (json_present(todo)) {
		buf_str(out, "\n           to do: ");
		put_cell(out, todo, 0);
	}
	buf_byte(out, '\n');
}

static void
put_each(buf *out, json list, void (*write)(buf *out, json one))
{
	json_iter it = json_each(list);
	json one;

	while (json_next(&it, NULL, &one))
		write(out, one);
}

static void
put_reach_lists(const findings *f, buf *out)
{
	static const struct {
		const char *member, *title;
	} lists[] = {
	    {"servers", "Servers"},
	    {"policy", "Rules"},
	    {"secrets", "Secrets that are too short"},
	    {"files", "Files"},
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		json list =
		    json_get(buf_view(&f->reach), text_of(lists[i].member));

		if (json_len(list) == 0)
			continue;
		buf_printf(out, "\n%s:\n", lists[i].title);
		put_each(out, list, put_reach);
	}
}

static void
put_doctor_text(const findings *f, buf *out)
{
	buf_printf(out, "kernel  %s %s, %s\n", f->machine.sysname,
	    f->machine.release, f->machine.machine);
	buf_printf(out, "engine  %.*s\n", TEXT_ARG(cm_run_fingerprint(f->run)));
	buf_printf(out, "worker  %s\n", f->worker);
	buf_printf(out, "network %s\n\nFences around a script:\n",
	    f->network ? f->network
		       : "none: servers at a URL need codemode-net");
	put_each(out, f->fences, put_fence);
	buf_str(out, "\nWhat a process inside them tried:\n");
	put_each(out, f->attempts, put_attempt);
	buf_printf(out,
	    "\n%zu of %zu fences stand, %zu of %zu attempts were refused.\n",
	    f->up, json_len(f->fences), f->refused, json_len(f->attempts));
	put_reach_lists(f, out);
}

/* ---------------------------------------------------------- for programs */

static void
put_doctor_json(const findings *f, buf *out)
{
	buf_byte(out, '{');
	json_member_bool(out, "ok", is_healthy(f));
	json_member_text(out, "kernel", text_of(f->machine.release));
	json_member_text(out, "machine", text_of(f->machine.machine));
	json_member_text(out, "engine", cm_run_fingerprint(f->run));
	json_member_text(out, "worker", text_of(f->worker));
	if (f->network)
		json_member_text(out, "network", text_of(f->network));
	json_member_json(out, "fences", f->fences);
	json_member_json(out, "attempts", f->attempts);
	buf_byte(out, ',');
	buf_text(out, text_sub(buf_view(&f->reach), 1, f->reach.len - 1));
	buf_str(out, "}\n");
}

/* --------------------------------------------------------------- command */

static cli_exit
print_findings(findings *f, const options *o, show *w)
{
	buf out = BUF_INIT(NULL, 2 * REACH_MAX_BYTES);
	cli_exit code = is_healthy(f) ? CLI_OK : CLI_SCRIPT;

	(o->json ? put_doctor_json : put_doctor_text)(f, &out);
	say_text(stdout, false, buf_view(&out));
	w->answered = true;
	if (out.bad != CM_OK) {
		say_line(w->say, "%s", cm_status_text(out.bad));
		code = CLI_SANDBOX;
	}
	buf_fini(&out);
	return code;
}

static cli_exit
reach_out(findings *f, const options *o, say *s)
{
	cli_exit code;

	buf_byte(&f->reach, '{');
	code = doctor_reach(&o->upstream, s, &f->reach, &f->well);
	buf_byte(&f->reach, '}');
	if (code == CLI_OK && f->reach.bad != CM_OK) {
		say_line(s, "%s", cm_status_text(f->reach.bad));
		code = CLI_SANDBOX;
	}
	return code;
}

static cli_exit
examine_worker(const options *o, show *w)
{
	char path[BESIDE_MAX], net[BESIDE_MAX];
	findings f = {.answer = BUF_INIT(NULL, ANSWER_MAX_BYTES),
	    .reach = BUF_INIT(NULL, REACH_MAX_BYTES),
	    .well = true};
	cli_exit code = CLI_SANDBOX, reached;
	int refused;

	f.worker = beside(path, sizeof(path), "codemode-worker");
	f.network = beside(net, sizeof(net), "codemode-net");
	if (access(f.network, X_OK) != 0)
		f.network = NULL;
	uname(&f.machine);
	refused = ask_worker(f.worker, &f.answer);
	if (refused != 0)
		say_line(w->say, "%s could not be started: %s", f.worker,
		    strerror(refused));
	else if (!read_findings(&f))
		say_line(w->say, "%s gave no answer", f.worker);
	else if (cm_run_new(NULL, TEXT(""), NULL, &f.run) != CM_OK)
		say_line(w->say, "the engine could not be set up");
	else if ((reached = reach_out(&f, o, w->say)) != CLI_OK)
		code = reached;
	else
		code = print_findings(&f, o, w);
	cm_run_free(f.run);
	buf_fini(&f.answer);
	buf_fini(&f.reach);
	return code;
}

static int
doctor_main(const cmd *self, int argc, char **argv)
{
	options o = {.json = false};
	cli_exit code = CLI_USAGE;
	opt_outcome parsed;
	show w;
	say s;

	say_init(&s);
	parsed = opt_parse(self, &argc, argv, &o, &s);
	s.quiet = o.upstream.quiet;
	show_init(&w, &s, o.json);
	if (parsed == OPT_SHOWN)
		w.answered = true;
	if (parsed == OPT_SHOWN)
		code = CLI_OK;
	else if (parsed == OPT_GO && argc == 0)
		code = examine_worker(&o, &w);
	else if (parsed == OPT_GO)
		say_line(&s,
		    "doctor: what is \"%s\"? There are only options here",
		    argv[0]);
	upstream_options_fini(&o.upstream);
	return show_failure(&w, code);
}

const cmd cmd_doctor = {
    .name = "doctor",
    .args = "",
    .does = "try whether the sandbox holds and the servers come up",
    .opts = opts,
    .main = doctor_main,
};
