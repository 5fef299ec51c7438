/* SPDX-License-Identifier: MIT */
/*
 * scripts_parts.h -- a script of scripts.h, for scripts*.c alone:
 *
 *	scripts.c         the list of scripts, their turns, their ends
 *	scripts_calls.c   their calls on the way to servers, and answers
 *	scripts_asking.c  calls that the person must allow
 *	scripts_saved.c   saved scripts, which are calls of other scripts
 *	scripts_tell.c    what is told to those who watch
 */
#ifndef CMD_SCRIPTS_PARTS_H
#define CMD_SCRIPTS_PARTS_H

#include "asking.h"
#include "scripts.h"

/* A call that is not to be made so far. */
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
	bool awake;            /* WATCH_TURN was told, and WATCH_REST was not */
	uint32_t begun, ended; /* calls */
	enum {
		WHOLE_DUE,  /* the person is asked before the first call */
		WHOLE_OPEN, /* is asked */
		WHOLE_OVER  /* has answered, or there was nothing to ask */
	} whole;
	permit_answer said;     /* about the whole script */
	unsigned redefined;     /* WHOLE_OPEN: upstream_redefined by then */
	ask_list listed;        /* what the person was asked about */
	held_call *held;        /* in the order in which they came */
	cm_call_id logged;      /* the last call that a rule allowed */
	unsigned lists_version; /* upstream_version when it began */
	uint64_t given;         /* bytes that it printed and returned */
	/* Of a saved script: the script that called it, NULL when that does
	 * not want it any more; the number of the call in .all->outgoing; how
	 * many saved scripts called each other until this one. */
	struct script *caller;
	uint32_t call;
	unsigned depth; /* 0: it is no saved script */
} script;

/* The script that the owner started, on whose behalf s runs; NULL: it is not
 * wanted any more. */
static inline script *
script_started(script *s)
{
	while (s != NULL && s->depth > 0)
		s = s->caller;
	return s;
}

/* ----------------------------------------------------------- scripts_tell.c */

/* What happens to a script, to those who watch. */
void script_tell(const script *s, watch_event e);
void script_tell_made(
    const script *s, const cm_call *call, const char *decision);
void script_tell_sent(void *owner, cm_call_id id);
/* Of a call that no server answered. */
void script_tell_over(
    const script *s, cm_call_id id, const char *how, text words);
void script_tell_answer(const script *s, cm_call_id id, const mcp_answer *a);
void script_tell_decision(const script *s, cm_call_id id, permit_answer answer);
void script_tell_awake(script *s, bool awake);
void script_tell_end(script *s, cm_end end, uint64_t value_bytes);

/* ---------------------------------------------------------- scripts_calls.c */

void script_reject_call(script *s, cm_call_id id, text words, text members);
/* Answers a call that is only noted (--dry-run); false: it is to be made. */
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

/* The call of that number which is held; NULL: there is none. */
held_call *script_held(const script *s, cm_call_id id);
void script_drop_held(script *s, held_call *h);
/* The run asks whether a call may be made. */
void script_ask_about(script *s, const cm_call *call);
/* Once the person has answered about the script: calls that the answer does
 * not cover. */
void script_decide_rest(script *s);
/* A server redefined a tool: what was approved is not what would be called. */
void scripts_withdraw_approvals(scripts *all);

/* ---------------------------------------------------------- scripts_saved.c */

/* Why a saved script is not called; NULL: it may be, or is none. */
const char *script_refuses_saved(script *s, const cm_call *call);
/* A saved script begins, or is not wanted any more. */
cm_status scripts_begin_saved(
    void *ctx, uint32_t number, const saved_script *what, json data);
void scripts_end_saved(void *ctx, uint32_t number);
/* The value of a saved script is that of the call, its error the call's. */
void script_answer_caller(script *s, const cm_done *done, cm_status status);

/* ---------------------------------------------------------------- scripts.c */

/* A new script at the end of the list; NULL: no memory. */
script *scripts_link(
    scripts *all, uint32_t number, cm_run *run, text code, text parent);

#endif
