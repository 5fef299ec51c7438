/* SPDX-License-Identifier: MIT */
/*
 * child.c -- one supervised process and the pipes to it, on a libuv loop.
 *
 * The pipes are real ones, not sockets, so that a server may open /dev/stdin.
 * Our ends are closed on exec; the supervisor's are given to it by number.
 * Nothing here blocks: what the pipe does not take is queued one chunk at a
 * time, and until that is written 'link_write' takes nothing. stderr is always
 * read.
 *
 * The child has ended when its supervisor is gone (the process and the line)
 * and what was left in the pipes has been read. Its exit status comes over the
 * line; a supervisor that was itself killed leaves it unknown.
 */
#include "child.h"

#include "common/beside.h"
#include "common/net.h"
#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	CHILD_HEAD = 2 << 10,  /* first bytes of stderr that are kept */
	CHILD_TAIL = 8 << 10,  /* and latest bytes behind those */
	CHILD_CHUNK = 64 << 10 /* bytes queued when the pipe is full */
};

typedef struct child {
	server_link link; /* first: a link is a child */
	uv_loop_t *loop;
	uv_process_t keeper;
	uv_pipe_t in, out, err, line;
	unsigned handles; /* open or closing */

	pid_t pid;   /* of the process itself; 0: it did not start */
	int refused; /* errno of its start */
	int status;  /* as waitpid gives it; -1: unknown */
	bool line_over;
	bool keeper_over;

	uv_write_t write;
	char *chunk; /* of a write that the pipe did not take at once */
	bool writing;
	bool hang_up; /* close stdin once nothing is being written */

	supervise_report report;
	size_t report_len;
	char head[CHILD_HEAD];
	size_t head_len;
	char tail[CHILD_TAIL]; /* ring of its stderr behind .head */
	size_t tail_total;
	char err_chunk[4096];
} child;

/* ------------------------------------------------------------------- tail */

static void
append_stderr(child *c, const char *bytes, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (c->head_len < CHILD_HEAD)
			c->head[c->head_len++] = bytes[i];
		else
			c->tail[c->tail_total++ % CHILD_TAIL] = bytes[i];
	}
}

static bool
is_printable(unsigned char b)
{
	return (b >= ' ' && b != 0x7f) || b == '\n' || b == '\t';
}

/* Drops colours and other control sequences; returns the new length. */
static size_t
strip_controls(char *s, size_t n)
{
	size_t i = 0, to = 0, bad;

	while (i < n) {
		if (s[i] == '\x1b' && i + 1 < n && s[i + 1] == '[') {
			for (i += 2; i < n && (s[i] < '@' || s[i] > '~');)
				i++;
			i++;
		} else if (is_printable((unsigned char)s[i])) {
			s[to++] = s[i++];
		} else {
			i++;
		}
	}
	while ((bad = utf8_bad((text){s, to})) != SIZE_MAX)
		s[bad] = '?';
	return to;
}

/* What is kept of stderr; a line break stands for what is not. */
static size_t
kept_stderr(const child *c, char *out)
{
	bool gap = c->tail_total > CHILD_TAIL;
	size_t from = gap ? c->tail_total - CHILD_TAIL : 0, n = c->head_len, i;

	memcpy(out, c->head, n);
	if (gap)
		out[n++] = '\n';
	for (i = from; i < c->tail_total; i++)
		out[n++] = c->tail[i % CHILD_TAIL];
	return n;
}

static size_t
child_last_words(const server_link *l, char *out, size_t n)
{
	char kept[CHILD_HEAD + 1 + CHILD_TAIL];
	size_t len = kept_stderr((const child *)l, kept);
	text all = text_trim((text){kept, strip_controls(kept, len)});
	text end = all, rest;
	size_t at;

	if (all.len > n) {
		end = text_sub(all, all.len - n, all.len);
		at = text_find(end, TEXT("\n"), 0);
		rest = at < end.len ? text_trim(text_sub(end, at, end.len))
				    : TEXT_NONE;
		end = rest.len > 0 ? rest : text_trim(end);
	}
	memcpy(out, end.ptr, end.len);
	return end.len;
}

static text
child_cause(const server_link *l, char *out, size_t size)
{
	const child *c = (const child *)l;
	int n;

	if (c->refused)
		n = snprintf(out, size, "it cannot be started: %s",
		    strerror(c->refused));
	else if (c->status == -1)
		n = snprintf(out, size, "it ended");
	else if (WIFSIGNALED(c->status))
		n = snprintf(out, size, "it was killed by signal %d (%s)",
		    WTERMSIG(c->status), strsignal(WTERMSIG(c->status)));
	else
		n = snprintf(out, size, "it exited with code %d",
		    WEXITSTATUS(c->status));
	return (text){out, n > 0 && (size_t)n < size ? (size_t)n : 0};
}

/* -------------------------------------------------------------------- end */

static void end_when_over(child *c);

/* Reads what is left in a pipe without waiting. */
static void
drain_pipe(uv_pipe_t *pipe, void (*take)(child *c, const char *, size_t))
{
	child *c = pipe->data;
	char bytes[4096];
	uv_os_fd_t fd;
	ssize_t n;

	if (uv_is_closing((uv_handle_t *)pipe) ||
	    uv_fileno((uv_handle_t *)pipe, &fd))
		return;
	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		take(c, bytes, (size_t)n);
}

static void
deliver_output(child *c, const char *bytes, size_t n)
{
	while (n) {
		size_t len;
		char *room = c->link.hooks->room(c->link.ctx, &len);

		if (!room)
			return;
		len = len < n ? len : n;
		memcpy(room, bytes, len);
		c->link.hooks->output(c->link.ctx, len);
		bytes += len;
		n -= len;
	}
}

static void
report_silence(child *c)
{
	if (c->link.silent)
		return;
	c->link.silent = true;
	c->link.hooks->silent(c->link.ctx);
}

static void
end_when_over(child *c)
{
	if (c->link.ended || !c->line_over || !c->keeper_over)
		return;
	uv_read_stop((uv_stream_t *)&c->out);
	uv_read_stop((uv_stream_t *)&c->err);
	if (!c->link.silent)
		drain_pipe(&c->out, deliver_output);
	drain_pipe(&c->err, append_stderr);
	c->link.ended = true;
	c->link.hooks->ended(c->link.ctx);
}

static void
on_keeper_exit(uv_process_t *keeper, int64_t status, int sig)
{
	child *c = keeper->data;

	(void)status;
	/* The supervisor was killed: kill the server's group from here. */
	if (sig && c->pid && c->status == -1)
		kill(-c->pid, SIGKILL);
	c->keeper_over = true;
	end_when_over(c);
}

/* ---------------------------------------------------------------- the line */

static void
apply_report(child *c)
{
	switch (c->report.kind) {
	case SUPERVISE_STARTED:
		c->pid = c->report.number;
		break;
	case SUPERVISE_REFUSED:
		c->refused = c->report.number;
		break;
	case SUPERVISE_EXITED:
		c->status = c->report.number;
		break;
	default:
		break;
	}
}

static void
alloc_report(uv_handle_t *handle, size_t hint, uv_buf_t *to)
{
	child *c = handle->data;

	(void)hint;
	to->base = (char *)&c->report + c->report_len;
	to->len = sizeof(c->report) - c->report_len;
}

static void
on_report_read(uv_stream_t *line, ssize_t n, const uv_buf_t *to)
{
	child *c = line->data;

	(void)to;
	if (n < 0) {
		uv_read_stop(line);
		c->line_over = true;
		end_when_over(c);
		return;
	}
	c->report_len += (size_t)n;
	if (c->report_len < sizeof(c->report))
		return;
	c->report_len = 0;
	apply_report(c);
}

static void
send_order(child *c, char what)
{
	const uv_buf_t piece = {.base = &what, .len = 1};

	if (c->handles && !uv_is_closing((uv_handle_t *)&c->line))
		uv_try_write((uv_stream_t *)&c->line, &piece, 1);
}

static void
child_term(server_link *l)
{
	send_order((child *)l, SUPERVISE_TERM);
}

static void
child_kill(server_link *l)
{
	send_order((child *)l, SUPERVISE_KILL);
}

/* ------------------------------------------------------------------ output */

static void
alloc_output(uv_handle_t *handle, size_t hint, uv_buf_t *to)
{
	child *c = handle->data;
	size_t len = 0;

	(void)hint;
	to->base = c->link.hooks->room(c->link.ctx, &len);
	to->len = to->base ? len : 0;
}

static void
on_output_read(uv_stream_t *out, ssize_t n, const uv_buf_t *to)
{
	child *c = out->data;

	(void)to;
	if (n > 0)
		c->link.hooks->output(c->link.ctx, (size_t)n);
	if (n >= 0)
		return;
	uv_read_stop(out);
	report_silence(c);
}

static void
alloc_stderr(uv_handle_t *handle, size_t hint, uv_buf_t *to)
{
	child *c = handle->data;

	(void)hint;
	*to = uv_buf_init(c->err_chunk, sizeof(c->err_chunk));
}

static void
on_stderr_read(uv_stream_t *err, ssize_t n, const uv_buf_t *to)
{
	if (n > 0)
		append_stderr(err->data, to->base, (size_t)n);
	else if (n < 0)
		uv_read_stop(err);
}

/* ------------------------------------------------------------------- input */

static void
on_child_handle_closed(uv_handle_t *handle)
{
	child *c = handle->data;

	if (--c->handles)
		return;
	free(c->chunk);
	c->chunk = NULL;
	c->link.hooks->closed(c->link.ctx);
}

static void
close_child_handle(uv_handle_t *handle)
{
	if (!uv_is_closing(handle))
		uv_close(handle, on_child_handle_closed);
}

static void
on_input_written(uv_write_t *req, int status)
{
	child *c = req->data;

	c->writing = false;
	if (status == UV_ECANCELED)
		return;
	if (status < 0)
		c->link.input_closed = true;
	if (c->hang_up)
		close_child_handle((uv_handle_t *)&c->in);
	else
		c->link.hooks->writable(c->link.ctx);
}

/* The pipe is full: one chunk waits in our memory until there is room. */
static size_t
queue_chunk(child *c, text bytes)
{
	size_t n = bytes.len < CHILD_CHUNK ? bytes.len : CHILD_CHUNK;
	uv_buf_t piece;

	if (!c->chunk)
		c->chunk = malloc(CHILD_CHUNK);
	if (!c->chunk)
		return 0;
	memcpy(c->chunk, bytes.ptr, n);
	piece = uv_buf_init(c->chunk, (unsigned)n);
	c->write.data = c;
	if (uv_write(
		&c->write, (uv_stream_t *)&c->in, &piece, 1, on_input_written))
		return 0;
	c->writing = true;
	return n;
}

static bool
can_write_input(const child *c)
{
	return !c->writing && !c->link.input_closed && !c->hang_up &&
	       !c->link.ended;
}

static size_t
child_write(server_link *l, text bytes)
{
	child *c = (child *)l;
	size_t done = 0;

	while (done < bytes.len && can_write_input(c)) {
		text rest = text_sub(bytes, done, bytes.len);
		uv_buf_t piece = {.base = (char *)rest.ptr, .len = rest.len};
		int n;

		n = uv_try_write((uv_stream_t *)&c->in, &piece, 1);
		if (n == UV_EAGAIN)
			return done + queue_chunk(c, rest);
		if (n < 0)
			c->link.input_closed = true;
		else
			done += (size_t)n;
	}
	return done;
}

static void
child_hang_up(server_link *l)
{
	child *c = (child *)l;

	if (c->hang_up || !c->handles)
		return;
	c->hang_up = true;
	if (!c->writing)
		close_child_handle((uv_handle_t *)&c->in);
}

/* ------------------------------------------------------------------- start */

/* Both ends of all four connections; -1: none. */
typedef struct pipe_ends {
	int ours[4];
	int theirs[4];
} pipe_ends;

static void
close_pipe_ends(int *fd)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (fd[i] >= 0)
			close(fd[i]);
		fd[i] = -1;
	}
}

static int
open_pipe_ends(pipe_ends *e)
{
	int pair[2], i;

	for (i = 0; i < 4; i++)
		e->ours[i] = e->theirs[i] = -1;
	for (i = 0; i < 3; i++) {
		if (pipe2(pair, O_CLOEXEC))
			return uv_translate_sys_error(errno);
		e->ours[i] = pair[i == 0];
		e->theirs[i] = pair[i != 0];
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return uv_translate_sys_error(errno);
	e->ours[SUPERVISE_LINE] = pair[0];
	e->theirs[SUPERVISE_LINE] = pair[1];
	return 0;
}

/* The handles own our ends from here on. */
static int
adopt_our_ends(child *c, int *ours)
{
	uv_pipe_t *pipe[4] = {&c->in, &c->out, &c->err, &c->line};
	int i, r;

	for (i = 0; i < 4; i++) {
		if ((r = uv_pipe_open(pipe[i], ours[i])) != 0)
			return r;
		ours[i] = -1;
	}
	return 0;
}

/* This program; codemode in place of codemode-net, because that one loads many
 * libraries. */
static const char *
keeper_program(char *path, size_t size)
{
	const char *small = beside(path, size, "codemode");

	if (net_parts() && access(small, X_OK) == 0)
		return small;
	return "/proc/self/exe";
}

static int
spawn_keeper(child *c, const child_spec *spec, char **argv, const int *theirs)
{
	uv_stdio_container_t stdio[4];
	char path[BESIDE_MAX];
	uv_process_options_t options = {
	    .exit_cb = on_keeper_exit,
	    .file = keeper_program(path, sizeof(path)),
	    .args = argv,
	    .env = spec->env,
	    .cwd = spec->cwd,
	    .flags = UV_PROCESS_DETACHED,
	    .stdio_count = 4,
	    .stdio = stdio,
	};
	int i;

	for (i = 0; i < 4; i++) {
		stdio[i].flags = UV_INHERIT_FD;
		stdio[i].data.fd = theirs[i];
	}
	return uv_spawn(c->loop, &c->keeper, &options);
}

/* Our own program, the hidden word, and what it shall start. */
static char **
keeper_argv(char **argv)
{
	static char self[] = "codemode", word[] = SUPERVISE_WORD;
	size_t n = 0;
	char **all;

	while (argv[n])
		n++;
	all = calloc(n + 3, sizeof(*all));
	if (!all)
		return NULL;
	all[0] = self;
	all[1] = word;
	memcpy(all + 2, argv, n * sizeof(*all));
	return all;
}

static void
init_child(child *c)
{
	uv_pipe_t *pipe[4] = {&c->in, &c->out, &c->err, &c->line};
	int i;

	for (i = 0; i < 4; i++) {
		uv_pipe_init(c->loop, pipe[i], 0);
		pipe[i]->data = c;
	}
	c->keeper.data = c;
	c->handles = 4;
}

static void
start_reading_pipes(child *c)
{
	uv_read_start((uv_stream_t *)&c->out, alloc_output, on_output_read);
	uv_read_start((uv_stream_t *)&c->err, alloc_stderr, on_stderr_read);
	uv_read_start((uv_stream_t *)&c->line, alloc_report, on_report_read);
}

static int
start_child(child *c, const child_spec *spec)
{
	char **argv = keeper_argv(spec->argv);
	pipe_ends e;
	int r;

	r = open_pipe_ends(&e);
	if (!r && !argv)
		r = UV_ENOMEM;
	if (!r)
		r = adopt_our_ends(c, e.ours);
	if (!r) {
		r = spawn_keeper(c, spec, argv, e.theirs);
		c->handles++; /* uv_spawn makes a handle even when it fails */
	}
	close_pipe_ends(e.ours);
	close_pipe_ends(e.theirs);
	free(argv);
	if (r)
		c->line_over = c->keeper_over = c->link.ended = true;
	else
		start_reading_pipes(c);
	return r;
}

static void
child_close(server_link *l)
{
	child *c = (child *)l;

	close_child_handle((uv_handle_t *)&c->in);
	close_child_handle((uv_handle_t *)&c->out);
	close_child_handle((uv_handle_t *)&c->err);
	close_child_handle((uv_handle_t *)&c->line);
	if (c->keeper.type == UV_PROCESS)
		close_child_handle((uv_handle_t *)&c->keeper);
}

static void
child_free(server_link *l)
{
	free(l);
}

static const link_ops child_ops = {
    .write = child_write,
    .hang_up = child_hang_up,
    .term = child_term,
    .kill = child_kill,
    .close = child_close,
    .free = child_free,
    .last_words = child_last_words,
    .cause = child_cause,
};

server_link *
child_link(uv_loop_t *loop, const link_hooks *hooks, void *ctx,
    const child_spec *spec, int *error)
{
	child *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->link = (server_link){&child_ops, hooks, ctx, false, false, false};
	c->loop = loop;
	c->status = -1;
	init_child(c);
	*error = start_child(c, spec);
	return &c->link;
}
