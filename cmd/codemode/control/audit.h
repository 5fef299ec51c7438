/* SPDX-License-Identifier: MIT */
/*
 * audit.h -- a log for the person: which script called which tool with which
 * arguments, what was decided about it, and what came back.
 *
 * One JSON object a line (doc/format/log.md). The file is made for its owner
 * alone; at AUDIT_FILE_MAX bytes it becomes FILE.1 and a new one begins. A line
 * that cannot be written is told once and stops nothing.
 */
#ifndef CMD_AUDIT_H
#define CMD_AUDIT_H

#include "common/cmd.h"
#include "secrets.h"

#include <codemode/codemode.h>

enum {
	AUDIT_FILE_MAX = 64 << 20, /* bytes */
	AUDIT_TEXT_MAX = 16 << 10  /* bytes of arguments, or of a message */
};

#define AUDIT_OPT(type, member)                                         \
	{                                                               \
		"log", 0, OPT_FILE, "FILE",                             \
		    "append what scripts call to this file",            \
		    "A JSON object a line: scripts, calls with their "  \
		    "arguments, what was decided about them, answers. " \
		    "Secrets "                                          \
		    "of the configuration are left out. See "           \
		    "codemode-stats(1).",                               \
		    offsetof(type, member)                              \
	}

typedef struct audit audit;

/* path NULL: *out is NULL, which all functions below take. False: the file
 * cannot be written, which was printed. secrets is borrowed and may be NULL. */
bool audit_open(const char *path, redactor *secrets, say *s, audit **out);
void audit_close(audit *a);

void audit_script(audit *a, uint32_t script, text code);
/* decision: "allowed", "asked" ... */
void audit_call(
    audit *a, uint32_t script, const cm_call *c, const char *decision);
/* how: "ok", "failed", "stopped", "refused"; bytes of the server's reply. */
void audit_answer(audit *a, uint32_t script, cm_call_id id, const char *how,
    size_t bytes, text message);
/* Of a person: "yes", "script", "always", "no", "unasked". */
void audit_decision(audit *a, uint32_t script, cm_call_id id, const char *said);
/* given: bytes that the script printed and returned. */
void audit_end(audit *a, uint32_t script, const char *how, uint64_t given);

#endif
