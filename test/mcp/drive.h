/* SPDX-License-Identifier: MIT */
/*
 * drive.h -- real servers on a loop, for tests: start, call, wait, stop, and
 * look whether anything is left of them.
 *
 * Every process of a test carries a mark in its environment, so that what is
 * left can be found even when it has a new parent, group and session.
 */
#ifndef TEST_MCP_DRIVE_H
#define TEST_MCP_DRIVE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "servers.h"

#include "base/buf.h"

enum { DRIVE_SERVERS = 8, DRIVE_ARGS = 12 };

typedef struct drive {
	uv_loop_t loop;
	servers *s;
	server_config config[DRIVE_SERVERS];
	char *args[DRIVE_SERVERS][DRIVE_ARGS];
	char mark[64];
	char *env[5];
	size_t n;
	buf log; /* "0 up", "0 failed", "3=VALUE", "3!MESSAGE" ... */
	size_t answers;
	bool stopped;
} drive;

void drive_init(drive *d);
/* One more server: argv ends with NULL. Returns it, to be changed. */
server_config *drive_add(drive *d, const char *name, ...);
/* Starts them and waits until each is up or failed. */
void drive_start(drive *d);
/* Starts them and does not wait. */
void drive_launch(drive *d);
/* Turns the loop until `n` calls are answered, or 20 s are over. */
void drive_answers(drive *d, size_t n);
/* Calls and waits: what came stands in the log. */
void drive_ask(drive *d, size_t server, uint32_t call, const char *tool,
    const char *args);
/* Turns the loop for a time. */
void drive_wait(drive *d, uint64_t ms);
/* The log is exactly this; it is forgotten afterwards. */
void drive_expect(drive *d, const char *log);
/* The same, or begins with it. */
void drive_expect_start(drive *d, const char *log);
/* Stops in order; how many ms it took. */
uint64_t drive_stop(drive *d, uint64_t grace_ms);
/* Frees everything; nothing of the servers may be left. */
void drive_fini(drive *d);

/* The supervisor of our only server; 0: there is none. */
pid_t drive_supervisor(void);
/* How many descriptors a process has. */
size_t drive_open_files(pid_t pid);
/* How many processes carry the mark, ours not counted. */
size_t drive_marked(const char *mark);
/* Waits until none does, at most ms; how many are left. */
size_t drive_marked_after(const char *mark, uint64_t ms);

#endif
