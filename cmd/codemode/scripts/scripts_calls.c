/* SPDX-License-Identifier: MIT */
/* scripts_calls.c -- the calls of scripts and their answers. */
#include "scripts_parts.h"

enum { DRY_MAX = 64 << 20 };

static void
count_script_call(script *s, bool begun)
{
	const scripts_hooks *hooks = &s->all->hooks;

	s = script_started(s);
	if (s == NULL)
		return;
	s->begun += begun;
	s->ended += !begun;
	if (hooks->calls != NULL)
		hooks->calls(hooks->ctx, s->number, s->begun, s->ended);
}

void
script_reject_call(script *s, cm_call_id id, text words, text members)
{
	cm_failure failure = {.message = words, .members = members};

	if (cm_run_reject(s->run, id, &failure) == CM_ENOMEM)
		cm_run_cancel(s->run, TEXT("out of memory"));
}

/* Answers a call of --dry-run, which is only noted. */
bool
script_note(script *s, const cm_call *call)
{
	buf value = BUF_INIT(NULL, DRY_MAX), words = BUF_INIT(NULL, DRY_MAX);
	bool dry = upstream_dry(s->all->upstream, call, &value, &words);

	if (dry) {
		script_tell_made(s, call, "dry run", TEXT("--dry-run"));
		script_tell_over(s, call->id, "ok", TEXT_NONE);
		cm_run_warn(s->run, buf_view(&words));
		if (cm_run_resolve(s->run, call->id, buf_view(&value)) ==
		    CM_ENOMEM)
			cm_run_cancel(s->run, TEXT("out of memory"));
	}
	buf_fini(&words);
	buf_fini(&value);
	return dry;
}

void
script_refuse_call(script *s, const cm_call *call, permit_answer answer)
{
	const policy_decision d = upstream_permits(s->all->upstream, call);
	buf words = BUF_INIT(NULL, 8192);

	permit_refusal(&d, call, answer, &words);
	script_tell_over(s, call->id, "refused", buf_view(&words));
	script_reject_call(
	    s, call->id, buf_view(&words), TEXT("{\"code\":\"NotAllowed\"}"));
	buf_fini(&words);
}

void
script_begin_call(script *s, const cm_call *call)
{
	held_call *h = script_held(s, call->id);
	const char *why = script_refuses_saved(s, call);

	/* The call was approved, but it is only noted. */
	if (script_note(s, call)) {
		if (h != NULL)
			script_drop_held(s, h);
		return;
	}
	if (s->logged != call->id && (h == NULL || h->state == HELD_WAITS))
		script_tell_made(
		    s, call, "approved", TEXT("answered: this script"));
	if (h != NULL)
		script_drop_held(s, h);
	if (why != NULL) {
		script_tell_over(s, call->id, "refused", text_of(why));
		script_reject_call(s, call->id, text_of(why), TEXT_NONE);
		return;
	}
	s->all->counts.calls++;
	if (outgoing_add(&s->all->outgoing, s, call) != CM_OK) {
		script_reject_call(
		    s, call->id, TEXT("out of memory"), TEXT_NONE);
		return;
	}
	s->all->counts.running++;
	count_script_call(s, true);
}

void
script_stop_call(script *s, cm_call_id id)
{
	held_call *h = script_held(s, id);

	script_tell_over(s, id, "stopped", TEXT_NONE);
	if (h != NULL)
		script_drop_held(s, h);
	/* An MCP server does not reply to a cancellation, so nothing tells
	 * when the tool ends. */
	cm_run_stopped(s->run, id);
	if (!outgoing_remove(&s->all->outgoing, s, id))
		return;
	s->all->counts.running--;
	count_script_call(s, false);
}

/* CM_EINPUT and CM_ELIMIT need no handling: the script gets them as an
 * error. */
void
scripts_answered(void *ctx, uint32_t number, const mcp_answer *a)
{
	scripts *all = ctx;
	cm_failure failure = {TEXT_NONE, a->message, a->members};
	cm_call_id id;
	script *s = outgoing_owner(&all->outgoing, number, &id);
	cm_status r;

	script_tell_answer(s, id, a);
	if (s->depth == 0 && all->hooks.answered != NULL)
		all->hooks.answered(all->hooks.ctx, s->number, a);
	outgoing_answered(&all->outgoing, number, &id);
	s->due = true;
	all->counts.running--;
	all->counts.received += a->bytes;
	count_script_call(s, false);
	r = a->ok ? cm_run_resolve(s->run, id, a->value)
		  : cm_run_reject(s->run, id, &failure);
	if (r == CM_ENOMEM)
		cm_run_cancel(s->run, TEXT("out of memory"));
}

void
scripts_progressed(void *ctx, uint32_t number, const mcp_event *e)
{
	scripts *all = ctx;
	cm_call_id id;
	script *s = outgoing_owner(&all->outgoing, number, &id);

	s = script_started(s);
	if (s != NULL && all->hooks.progress != NULL)
		all->hooks.progress(all->hooks.ctx, s->number, id, e->progress,
		    e->total, e->message);
}

bool
scripts_asked(void *ctx, uint32_t number, const upstream_question *q)
{
	scripts *all = ctx;
	cm_call_id id;
	script *s = outgoing_owner(&all->outgoing, number, &id);

	s = script_started(s);
	return s != NULL && all->hooks.asked != NULL &&
	       all->hooks.asked(all->hooks.ctx, s->number, q);
}

/* The traceparent of the call's span, or else that of the client. */
bool
scripts_parent_of(void *ctx, uint32_t number, char out[WATCH_PARENT_MAX])
{
	scripts *all = ctx;
	cm_call_id id;
	const script *s = outgoing_owner(&all->outgoing, number, &id);

	if (s == NULL)
		return false;
	if (watch_parent(all->watch, s->number, id, out))
		return true;
	memcpy(out, s->parent, WATCH_PARENT_MAX);
	return out[0] != '\0';
}
