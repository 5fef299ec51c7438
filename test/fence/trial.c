/* SPDX-License-Identifier: MIT */
/* trial.c -- see trial.h. */
#define _GNU_SOURCE
#include "trial.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MASKS_MAX = 16, TRIAL_MAX = 1 << 20 };

/* A filter that looks at numbers alone: compare, answer, compare, answer ... */
static void
put_on(const mask *masks)
{
	struct sock_filter code[2 * MASKS_MAX + 2];
	struct sock_fprog program = {0, code};
	unsigned short n = 0;

	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
	for (; masks->number >= 0; masks++) {
		code[n++] = (struct sock_filter)BPF_JUMP(
		    BPF_JMP | BPF_JEQ | BPF_K, (unsigned)masks->number, 0, 1);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
		    SECCOMP_RET_ERRNO | (unsigned)masks->error);
	}
	code[n++] =
	    (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		_exit(126);
}

static void
read_all(int fd, buf *out)
{
	char *room;
	ssize_t n = 1;

	while (n > 0) {
		room = buf_room(out, 4096);
		assert_non_null(room);
		n = read(fd, room, 4096);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			out->len += (size_t)n;
	}
}

void
trial_run(trial *t, const mask *masks, const char *const *argv)
{
	int line[2], status;
	pid_t pid;

	t->out = BUF_INIT(NULL, TRIAL_MAX);
	assert_int_equal(pipe(line), 0);
	pid = fork();
	if (pid == 0) {
		dup2(line[1], STDOUT_FILENO);
		dup2(line[1], STDERR_FILENO);
		close(line[0]);
		close(line[1]);
		if (masks != NULL)
			put_on(masks);
		execv(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	assert_true(pid > 0);
	close(line[1]);
	read_all(line[0], &t->out);
	close(line[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	t->status =
	    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void
trial_fini(trial *t)
{
	buf_fini(&t->out);
}

json
trial_json(const trial *t)
{
	json v = TEXT_NONE;

	if (!json_check(buf_view(&t->out), JSON_DEPTH, &v, NULL))
		fail_msg("no JSON: %.*s", TEXT_ARG(buf_view(&t->out)));
	return v;
}

json
trial_named(json list, const char *name)
{
	json_iter it = json_each(list);
	json one;

	while (json_next(&it, NULL, &one))
		if (json_is(json_get(one, TEXT("name")), text_of(name)))
			return one;
	return TEXT_NONE;
}
