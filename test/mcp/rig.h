/* SPDX-License-Identifier: MIT */
/*
 * rig.h -- real servers on a loop, for tests: start, call, wait, stop, and
 * look whether anything is left of them.
 *
 * Every process of a test carries a mark in its environment, so that what is
 * left can be found even when it has a new parent, group and session.
 */
#ifndef TEST_MCP_RIG_H
#define TEST_MCP_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "servers/servers.h"

#include "base/buf.h"

/* RIG_LONG_MS: a grace that no test waits for; a stop with it ends only when
 * the server ends by itself. */
enum { RIG_SERVERS = 8, RIG_ARGS = 12, RIG_LONG_MS = 600000 };

typedef struct rig {
	uv_loop_t loop;
	servers *s;
	server_config config[RIG_SERVERS];
	char *args[RIG_SERVERS][RIG_ARGS];
	char mark[64];
	char *env[5];
	size_t n;
	buf log; /* "0 up", "0 failed", "3=VALUE", "3!MESSAGE" ... */
	size_t answers;
	bool stopped;
} rig;

void rig_init(rig *d);
/* One more server: argv ends with NULL. Returns it, to be changed. */
server_config *rig_add(rig *d, const char *name, ...);
/* They are there, but none is started. */
void rig_open(rig *d);
/* Starts them and waits until each is up or failed. */
void rig_start(rig *d);
/* Starts them and does not wait for what they say. */
void rig_launch(rig *d);
/* Turns the loop until `n` calls are answered, or 20 s are over. */
void rig_answers(rig *d, size_t n);
/* Calls and waits: what came stands in the log. */
void rig_ask(rig *d, size_t server, uint32_t call, const char *tool,
    const char *args);
/* Turns the loop until the log has this in it, or 20 s are over. */
void rig_until(rig *d, const char *part);
/* Turns the loop for a time: where time itself is the point. */
void rig_wait(rig *d, uint64_t ms);
/* The log is exactly this; it is forgotten afterwards. */
void rig_expect(rig *d, const char *log);
/* The same, or begins with it. */
void rig_expect_start(rig *d, const char *log);
/* Stops in order, in at most 20 s; how many ms it took. */
uint64_t rig_stop(rig *d, uint64_t grace_ms);
/* Frees everything; nothing of the servers may be left. */
void rig_fini(rig *d);

/* The supervisor of our only server; 0: there is none. */
pid_t rig_supervisor(void);
/* Waits until a process has so many descriptors, at most 20 s. */
void rig_until_open_files(pid_t pid, size_t n);
/* How many processes carry the mark, ours not counted. */
size_t rig_marked(const char *mark);
/* Waits until at least n do. */
void rig_until_marked(const char *mark, size_t n);
/* Waits until none does; turns the loop of d meanwhile (NULL: none). */
void rig_until_unmarked(const char *mark, rig *d);

#endif
