/* SPDX-License-Identifier: MIT */
/*
 * scripts_parts.h -- a script of scripts.h, for scripts*.c alone:
 *
 *	scripts.c         the list of scripts, their turns, their ends
 *	scripts_calls.c   their calls on the way to servers, and answers
 *	scripts_asking.c  calls that the person must allow
 *	scripts_saved.c   saved scripts, which are calls of other scripts
 *	scripts_prints.c  what they print, without secrets
 *	scripts_tell.c    what is told to those who watch
 */
#ifndef CMD_SCRIPTS_PARTS_H
#define CMD_SCRIPTS_PARTS_H

#include "asking.h"
#include "scripts.h"

/* A call that waits for permission. */
typedef struct held_call {
	struct held_call *next;
	enum {
		HELD_WAITS,   /* for the answer about the script */
		HELD_ASKED,   /* for an answer about itself */
		HELD_APPROVED /* for the run's next step */
	} state;
	cm_call call; /* texts are in .copy */
	buf copy;
	unsigned redefined; /* HELD_ASKED: upstream_redefined by then */
} held_call;

typedef struct script {
	scripts *all;
	struct script *next;
	uint32_t number;
	cm_run *run;     /* owned */
	uv_timer_t wake; /* at wait.until_ms */
	uv_poll_t poll;  /* of the script's process */
	int handle;      /* the descriptor of .poll, owned; -1: none yet */
	unsigned open;   /* handles that the loop knows */
	bool due;        /* something happened since the last turn */
	char parent[WATCH_PARENT_MAX]; /* its client's traceparent, or empty */
	bool awake;            /* WATCH_TURN was told, and WATCH_REST not yet */
	uint32_t begun, ended; /* calls */
	enum {
		WHOLE_DUE,  /* ask before the first call */
		WHOLE_OPEN, /* the person is being asked */
		WHOLE_OVER  /* answered, or there was no question */
	} whole;
	permit_answer said;       /* the answer about the whole script */
	unsigned redefined;       /* WHOLE_OPEN: upstream_redefined by then */
	ask_list listed;          /* what the person was asked about */
	held_call *held;          /* in the order in which they came */
	cm_call_id logged;        /* the last call that a rule allowed */
	unsigned lists_version;   /* upstream_version when it began */
	uint64_t given;           /* bytes that it printed and returned */
	buf given_args;           /* JSON, of its one call; empty: its own */
	struct held_print *print; /* an array; not yet passed on */
	size_t prints, print_cap;
	/* Of a saved script: the script that called it (NULL: that one has
	 * ended or stopped it), the number of the call in .all->outgoing, and
	 * the number of saved scripts that called each other up to this one. */
	struct script *caller;
	uint32_t call;
	unsigned depth; /* 0: not a saved script */
} script;

/* The script of the owner on whose behalf s runs; NULL: that script no longer
 * waits for s. */
static inline script *
script_started(script *s)
{
	while (s != NULL && s->depth > 0)
		s = s->caller;
	return s;
}

/* --------------------------------------------------------- scripts_prints.c */

/* Passes a print on, at once or together with a later one. */
void script_print(script *s, const cm_print *print);
/* Passes on what is held. A value that is a string and is printed itself
 * becomes another one, in *plain, if it ends a secret. buf_fini(plain) is due. */
void script_end_prints(script *s, json *value, buf *plain);
void script_drop_prints(script *s);

/* ----------------------------------------------------------- scripts_tell.c */

/* Tells an event of a script to the writers of watch.h. */
void script_tell(const script *s, watch_event e);
void script_tell_made(
    const script *s, const cm_call *call, const char *decision, text why);
void script_tell_sent(void *owner, cm_call_id id);
/* The answer of a call that was sent to no server. */
void script_tell_over(
    const script *s, cm_call_id id, const char *how, text words);
void script_tell_answer(const script *s, cm_call_id id, const mcp_answer *a);
void script_tell_decision(const script *s, cm_call_id id, permit_answer answer);
void script_tell_awake(script *s, bool awake);
void script_tell_end(script *s, cm_end end, uint64_t value_bytes);

/* ---------------------------------------------------------- scripts_calls.c */

void script_reject_call(script *s, cm_call_id id, text words, text members);
/* Answers a call that is only noted (--dry-run); false: the call must be
 * made. */
bool script_note(script *s, const cm_call *call);
void script_refuse_call(script *s, const cm_call *call, permit_answer answer);
void script_begin_call(script *s, const cm_call *call);
void script_stop_call(script *s, cm_call_id id);
/* The hooks of the servers. */
void scripts_answered(void *ctx, uint32_t number, const mcp_answer *a);
void scripts_progressed(void *ctx, uint32_t number, const mcp_event *e);
bool scripts_asked(void *ctx, uint32_t number, const upstream_question *q);
bool scripts_parent_of(void *ctx, uint32_t number, char out[WATCH_PARENT_MAX]);

/* --------------------------------------------------------- scripts_asking.c */

/* The held call of that number; NULL: there is none. */
held_call *script_held(const script *s, cm_call_id id);
void script_drop_held(script *s, held_call *h);
/* The run asks whether a call may be made. */
void script_ask_about(script *s, const cm_call *call);
/* After the answer about the whole script: handles the held calls that the
 * answer does not cover. */
void script_decide_rest(script *s);
/* A server has redefined a tool: withdraws the approvals of running scripts. */
void scripts_withdraw_approvals(scripts *all);

/* ---------------------------------------------------------- scripts_saved.c */

/* NULL, or why the saved script cannot be called now. */
const char *script_refuses_saved(script *s, const cm_call *call);
/* Starts a saved script for a call; ends it when the call is cancelled. */
cm_status scripts_begin_saved(
    void *ctx, uint32_t number, const saved_script *what, json data);
void scripts_end_saved(void *ctx, uint32_t number);
/* Answers the call with the value or the error of the saved script. */
void script_answer_caller(script *s, const cm_done *done, cm_status status);

/* ---------------------------------------------------------------- scripts.c */

/* The call that a saved script is started for. */
typedef struct saved_call {
	script *caller;
	cm_call_id id;
	uint32_t number; /* in outgoing */
} saved_call;

/* A new script at the end of the list, saved ones with the call that they are
 * for, others with NULL. NULL: no memory. */
script *scripts_link(scripts *all, uint32_t number, cm_run *run, text code,
    text parent, const saved_call *of);

#endif
