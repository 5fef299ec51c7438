/* SPDX-License-Identifier: MIT */
/*
 * rig.c -- real servers on a loop, for tests.
 */
#include "rig.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 20000 };

/* ------------------------------------------------------------------ marks */

static bool
has_mark(const char *pid, const char *mark)
{
	char path[300], env[16384];
	bool found;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/environ", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, env, sizeof(env));
	close(fd);
	found = n > 0 &&
		text_find((text){env, (size_t)n}, text_of(mark), 0) != SIZE_MAX;
	return found;
}

size_t
rig_marked(const char *mark)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	size_t n = 0;

	assert_non_null(proc);
	while ((entry = readdir(proc)) != NULL) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9' ||
		    atoi(entry->d_name) == getpid())
			continue;
		n += has_mark(entry->d_name, mark);
	}
	closedir(proc);
	return n;
}

/* Is it the supervisor of a server of ours? */
static bool
is_supervisor(const char *pid)
{
	char path[300], stat[200] = "", name[64];
	int parent = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (!fgets(stat, sizeof(stat), f))
		stat[0] = '\0';
	fclose(f);
	return sscanf(stat, "%*d (%63[^)]) %*c %d", name, &parent) == 2 &&
	       !strcmp(name, "codemode-keeper") && parent == getpid();
}

pid_t
rig_supervisor(void)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	pid_t found = 0;

	assert_non_null(proc);
	while (!found && (entry = readdir(proc)) != NULL) {
		if (is_supervisor(entry->d_name))
			found = atoi(entry->d_name);
	}
	closedir(proc);
	return found;
}

static size_t
count_open_files(pid_t pid)
{
	char path[64];
	const struct dirent *entry;
	size_t n = 0;
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	fds = opendir(path);
	assert_non_null(fds);
	while ((entry = readdir(fds)) != NULL)
		n += entry->d_name[0] != '.';
	closedir(fds);
	return n;
}

void
rig_until_open_files(pid_t pid, size_t n)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	uint64_t until = uv_hrtime() / 1000000 + PATIENCE_MS;

	while (count_open_files(pid) != n && uv_hrtime() / 1000000 < until)
		nanosleep(&pause, NULL);
	assert_int_equal(count_open_files(pid), n);
}

void
rig_until_marked(const char *mark, size_t n)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	uint64_t until = uv_hrtime() / 1000000 + PATIENCE_MS;

	while (rig_marked(mark) < n && uv_hrtime() / 1000000 < until)
		nanosleep(&pause, NULL);
	assert_true(rig_marked(mark) >= n);
}

static void turn_loop(rig *d);

void
rig_until_unmarked(const char *mark, rig *d)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	uint64_t until = uv_hrtime() / 1000000 + PATIENCE_MS;

	while (rig_marked(mark) > 0 && uv_hrtime() / 1000000 < until) {
		if (d != NULL)
			turn_loop(d);
		else
			nanosleep(&pause, NULL);
	}
	assert_int_equal(rig_marked(mark), 0);
}

/* ------------------------------------------------------------------ hooks */

static void
on_changed(void *ctx, size_t server)
{
	rig *d = ctx;
	text why = servers_why(d->s, server);

	switch (servers_state(d->s, server)) {
	case SERVER_STARTING:
		break;
	case SERVER_OFF:
		buf_printf(&d->log, "%zu off\n", server);
		break;
	case SERVER_UP:
		buf_printf(&d->log, "%zu up\n", server);
		break;
	case SERVER_LATE:
		buf_printf(&d->log, "%zu late: %.*s\n", server, TEXT_ARG(why));
		break;
	case SERVER_FAILED:
		buf_printf(
		    &d->log, "%zu failed: %.*s\n", server, TEXT_ARG(why));
		break;
	}
}

static void
on_answer(void *ctx, size_t server, uint32_t call, const mcp_answer *a)
{
	rig *d = ctx;

	(void)server;
	d->answers++;
	buf_printf(&d->log, "%u%s", call, a->ok ? "=" : "!");
	buf_text(&d->log, a->ok ? a->value : a->message);
	buf_byte(&d->log, '\n');
}

static void
on_warning(void *ctx, size_t server, text message)
{
	rig *d = ctx;

	buf_printf(&d->log, "%zu?%.*s\n", server, TEXT_ARG(message));
}

static void
on_stopped(void *ctx)
{
	rig *d = ctx;

	d->stopped = true;
}

/* ------------------------------------------------------------------ driving */

void
rig_init(rig *d)
{
	static int count;
	static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
	static char home[200];
	const char *where = getenv("HOME");

	*d = (rig){.log = BUF_INIT(NULL, SIZE_MAX / 2)};
	snprintf(home, sizeof(home), "HOME=%.190s", where ? where : "/");
	snprintf(d->mark, sizeof(d->mark), "RIG_MARK=%d.%d.%llu", getpid(),
	    ++count, (unsigned long long)uv_hrtime());
	d->env[0] = path;
	d->env[1] = home;
	d->env[2] = d->mark;
	uv_loop_init(&d->loop);
}

server_config *
rig_add(rig *d, const char *name, ...)
{
	server_config *c = &d->config[d->n];
	char **args = d->args[d->n];
	size_t i = 0;
	va_list list;

	assert_true(d->n < RIG_SERVERS);
	d->n++;
	va_start(list, name);
	while ((args[i] = va_arg(list, char *)) != NULL)
		assert_true(++i < RIG_ARGS);
	va_end(list);
	*c = (server_config){.name = name, .argv = args, .env = d->env};
	return c;
}

void
rig_open(rig *d)
{
	const servers_hooks hooks = {.ctx = d,
	    .changed = on_changed,
	    .answer = on_answer,
	    .warning = on_warning};

	d->s = servers_new(&d->loop, d->config, d->n, &hooks);
	assert_non_null(d->s);
}

void
rig_launch(rig *d)
{
	rig_open(d);
	for (size_t i = 0; i < d->n; i++)
		servers_want(d->s, i);
	uv_run(&d->loop, UV_RUN_NOWAIT);
}

static bool
any_starting(const rig *d)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		if (servers_state(d->s, i) == SERVER_STARTING)
			return true;
	}
	return false;
}

static void
on_bell(uv_timer_t *timer)
{
	(void)timer;
}

/* One turn of the loop, that is over after some ms in any case. */
static void
turn_loop(rig *d)
{
	uv_timer_t bell;

	uv_timer_init(&d->loop, &bell);
	uv_update_time(&d->loop);
	uv_timer_start(&bell, on_bell, 20, 0);
	uv_run(&d->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&bell, NULL);
	uv_run(&d->loop, UV_RUN_NOWAIT);
}

void
rig_start(rig *d)
{
	uint64_t until = uv_hrtime() / 1000000 + PATIENCE_MS;

	rig_launch(d);
	while (any_starting(d) && uv_hrtime() / 1000000 < until)
		turn_loop(d);
	assert_false(any_starting(d));
}

void
rig_answers(rig *d, size_t n)
{
	uint64_t until = uv_hrtime() / 1000000 + PATIENCE_MS;

	while (d->answers < n && uv_hrtime() / 1000000 < until)
		turn_loop(d);
	assert_int_equal(d->answers, n);
	d->answers = 0;
}

void
rig_ask(
    rig *d, size_t server, uint32_t call, const char *tool, const char *args)
{
	assert_int_equal(
	    servers_call(d->s, server, call, text_of(tool), text_of(args), 0),
	    CM_OK);
	rig_answers(d, 1);
}

void
rig_until(rig *d, const char *part)
{
	uint64_t until = uv_hrtime() / 1000000 + PATIENCE_MS;

	while (text_find(buf_view(&d->log), text_of(part), 0) == SIZE_MAX &&
	       uv_hrtime() / 1000000 < until)
		turn_loop(d);
	assert_true(text_find(buf_view(&d->log), text_of(part), 0) != SIZE_MAX);
}

void
rig_wait(rig *d, uint64_t ms)
{
	uint64_t until = uv_hrtime() / 1000000 + ms;

	while (uv_hrtime() / 1000000 < until)
		turn_loop(d);
}

void
rig_expect(rig *d, const char *log)
{
	buf_byte(&d->log, '\0');
	assert_string_equal(d->log.ptr, log);
	buf_clear(&d->log);
}

void
rig_expect_start(rig *d, const char *log)
{
	if (!text_starts(buf_view(&d->log), text_of(log)))
		fail_msg("%.*s\n does not start with %s",
		    TEXT_ARG(buf_view(&d->log)), log);
	buf_clear(&d->log);
}

uint64_t
rig_stop(rig *d, uint64_t grace_ms)
{
	uint64_t from = uv_hrtime() / 1000000;

	d->stopped = false;
	servers_stop(d->s, grace_ms, on_stopped);
	while (!d->stopped && uv_hrtime() / 1000000 < from + PATIENCE_MS)
		turn_loop(d);
	assert_true(d->stopped);
	assert_int_equal(rig_marked(d->mark), 0);
	return uv_hrtime() / 1000000 - from;
}

void
rig_fini(rig *d)
{
	servers_free(d->s);
	uv_run(&d->loop, UV_RUN_NOWAIT);
	assert_int_equal(uv_loop_close(&d->loop), 0);
	assert_int_equal(rig_marked(d->mark), 0);
	buf_fini(&d->log);
}
