/* SPDX-License-Identifier: MIT */
/* scripts_tell.c -- tells the writers of watch.h about events of scripts. */
#include "scripts_parts.h"

static const char *const answer_words[] = {
    [PERMIT_NO] = "no",
    [PERMIT_UNASKED] = "unasked",
    [PERMIT_YES] = "yes",
    [PERMIT_YES_SCRIPT] = "script",
    [PERMIT_YES_ALWAYS] = "always",
};

void
script_tell(const script *s, watch_event e)
{
	e.script = s->number;
	watch_tell(s->all->watch, e);
}

void
script_tell_made(
    const script *s, const cm_call *call, const char *decision, text why)
{
	script_tell(s, (watch_event){.kind = WATCH_CALL,
			   .call = call->id,
			   .made = call,
			   .how = decision,
			   .words = why});
}

void
script_tell_sent(void *owner, cm_call_id id)
{
	script_tell(owner, (watch_event){.kind = WATCH_SENT, .call = id});
}

/* Tells the answer of a call that was sent to no server. */
void
script_tell_over(const script *s, cm_call_id id, const char *how, text words)
{
	script_tell(s,
	    (watch_event){
		.kind = WATCH_ANSWER, .call = id, .how = how, .words = words});
}

void
script_tell_answer(const script *s, cm_call_id id, const mcp_answer *a)
{
	script_tell(s, (watch_event){.kind = WATCH_ANSWER,
			   .call = id,
			   .how = a->ok ? "ok" : "failed",
			   .bytes = a->bytes,
			   .value = a->ok ? a->value : TEXT_NONE,
			   .words = a->message});
}

void
script_tell_decision(const script *s, cm_call_id id, permit_answer answer)
{
	script_tell(s, (watch_event){.kind = WATCH_DECISION,
			   .call = id,
			   .how = answer_words[answer]});
}

void
script_tell_awake(script *s, bool awake)
{
	if (s->awake != awake)
		script_tell(
		    s, (watch_event){.kind = awake ? WATCH_TURN : WATCH_REST});
	s->awake = awake;
}

/* Tells the end, after hooks.over has told what it cut; the run still lives. */
void
script_tell_end(script *s, cm_end end, uint64_t value_bytes)
{
	static const char *const ends[] = {
	    [CM_END_OK] = "ok",
	    [CM_END_SCRIPT] = "failed",
	    [CM_END_TIMEOUT] = "timeout",
	    [CM_END_ABORTED] = "aborted",
	    [CM_END_SANDBOX] = "sandbox",
	};
	json result = TEXT_NONE;

	if (watch_on(s->all->watch))
		(void)cm_run_result(s->run, &result);
	script_tell(s, (watch_event){.kind = WATCH_END,
			   .how = ends[end],
			   .bytes = s->given + value_bytes,
			   .value = result});
}
