/* SPDX-License-Identifier: MIT */
/*
 * child.h -- one supervised process and the pipes to it, on a libuv loop.
 *
 * Knows nothing of MCP: bytes go in, bytes come out, it ends with a status.
 */
#ifndef CODEMODE_CHILD_H
#define CODEMODE_CHILD_H

#include "supervise.h"

#include "base/text.h"

#include <uv.h>

enum {
	CHILD_TAIL = 8 << 10,  /* bytes of stderr that are kept */
	CHILD_CHUNK = 64 << 10 /* bytes queued when the pipe is full */
};

typedef struct child_hooks {
	/* Place for *len bytes of output; NULL: no memory. */
	char *(*room)(void *ctx, size_t *len);
	/* n bytes were put there. */
	void (*output)(void *ctx, size_t n);
	/* It closed its stdout, but may still run. */
	void (*silent)(void *ctx);
	/* child_write takes bytes again, or never will: see .input_closed. */
	void (*writable)(void *ctx);
	/* No process of it is left, and all its output was delivered. */
	void (*ended)(void *ctx);
	/* After child_close: the memory of the child is free for other use. */
	void (*closed)(void *ctx);
} child_hooks;

typedef struct child {
	const child_hooks *hooks;
	void *ctx;
	uv_loop_t *loop;
	uv_process_t keeper;
	uv_pipe_t in, out, err, line;
	unsigned handles; /* open or closing */

	pid_t pid;    /* of the process itself; 0: it did not start */
	int refused;  /* errno of its start */
	int status;   /* as waitpid gives it; -1: unknown */
	bool input_closed; /* it closed its stdin */
	bool silent;  /* hooks->silent was called */
	bool line_over;
	bool keeper_over;
	bool ended;

	uv_write_t write;
	char *chunk; /* of a write that the pipe did not take at once */
	bool writing;
	bool hang_up; /* close stdin once nothing is being written */

	supervise_report report;
	size_t report_len;
	char tail[CHILD_TAIL]; /* ring of its stderr */
	size_t tail_total;
	char err_chunk[4096];
} child;

typedef struct child_spec {
	char **argv;
	char **env;
	const char *cwd;
} child_spec;

/* Opens the handles: child_close is due from here on. */
void child_init(child *c, uv_loop_t *loop, const child_hooks *hooks, void *ctx);
/* Once. 0, or a uv error: then it has .ended, without a hook. */
int child_start(child *c, const child_spec *spec);
/* How many of the bytes are on their way; fewer: wait for hooks->writable. */
size_t child_write(child *c, text bytes);
/* No more input, once what was written is through. */
void child_hang_up(child *c);
/* SIGTERM and SIGKILL to it and everything that it started. */
void child_term(child *c);
void child_kill(child *c);
/* Closes the handles; hooks->closed follows from the loop. */
void child_close(child *c);

/* The end of what it wrote to stderr, made printable, from the start of a line
 * on if possible; at most n bytes go to out. Returns how many. */
size_t child_stderr(const child *c, char *out, size_t n);

#endif
