/* SPDX-License-Identifier: MIT */
/* scripts_asking.c -- calls that a person must allow, and the answers. */
#include "scripts_parts.h"

enum { WORDS_MAX = 1 << 20 };

static const char *const decisions[] = {
    [POLICY_ALLOW] = "allowed",
    [POLICY_ASK] = "asked",
    [POLICY_DENY] = "denied",
};

held_call *
script_held(const script *s, cm_call_id id)
{
	held_call *h = s->held;

	while (h != NULL && h->call.id != id)
		h = h->next;
	return h;
}

void
script_drop_held(script *s, held_call *h)
{
	held_call **at = &s->held;

	while (*at != h)
		at = &(*at)->next;
	*at = h->next;
	buf_fini(&h->copy);
	mem_free(NULL, h, sizeof(*h));
}

/* NULL: no memory, which the script got as an error. */
static held_call *
keep_asked_call(script *s, const cm_call *call)
{
	held_call *h = mem_new(NULL, sizeof(*h)), **at = &s->held;
	size_t size = call->space.len + call->name.len + call->path.len +
		      call->args.len + 1;

	if (h != NULL)
		h->copy = BUF_INIT(NULL, SIZE_MAX / 2);
	/* Reserve all the room first: the texts borrow from the buffer. */
	if (h == NULL || buf_room(&h->copy, size) == NULL) {
		mem_free(NULL, h, sizeof(*h));
		script_reject_call(
		    s, call->id, TEXT("out of memory"), TEXT_NONE);
		return NULL;
	}
	h->call = (cm_call){.id = call->id,
	    .space = buf_copied(&h->copy, call->space),
	    .name = buf_copied(&h->copy, call->name),
	    .path = buf_copied(&h->copy, call->path),
	    .args = buf_copied(&h->copy, call->args)};
	while (*at != NULL)
		at = &(*at)->next;
	return *at = h;
}

static void
ask_person(script *s, cm_call_id call, text words)
{
	const scripts_hooks *hooks = &s->all->hooks;
	buf plain;

	words = lines_without_secrets(s->all->upstream->secrets, words, &plain);
	/* Without memory for the words there is no question. */
	if (hooks->ask != NULL && script_started(s) != NULL && words.len > 0)
		hooks->ask(hooks->ctx, script_started(s)->number, s->number,
		    call, words);
	else
		scripts_decide(s->all, s->number, call, PERMIT_UNASKED);
	buf_fini(&plain);
}

/* Applies the rules to a call that is held or new. A call that was asked about
 * is asked about again. */
static void
decide_call(script *s, const cm_call *call, held_call *h)
{
	const policy_decision d = upstream_permits(s->all->upstream, call);
	const policy_verdict v = d.verdict;
	buf words = BUF_INIT(NULL, WORDS_MAX);

	if (watch_on(s->all->watch) && (h == NULL || h->state == HELD_WAITS)) {
		permit_reason(&d, &words);
		script_tell_made(s, call, decisions[v], buf_view(&words));
		buf_clear(&words);
	}
	if (v == POLICY_ASK && s->said >= PERMIT_YES &&
	    (h != NULL || (h = keep_asked_call(s, call)) != NULL)) {
		h->state = HELD_ASKED;
		h->redefined = upstream_redefined(s->all->upstream);
		ask_about_call(s->all->upstream, call, &words);
		ask_person(s, call->id, buf_view(&words));
	} else if (v == POLICY_ALLOW) {
		s->logged = call->id;
		if (h != NULL)
			h->state = HELD_APPROVED;
		cm_run_approve_call(s->run, call->id);
	} else {
		script_refuse_call(
		    s, call, v == POLICY_DENY ? PERMIT_NO : s->said);
		if (h != NULL)
			script_drop_held(s, h);
	}
	buf_fini(&words);
}

/* Before the first call of a script: asks about the calls of its list. */
static void
ask_about_script(script *s, const cm_call *first)
{
	buf words = BUF_INIT(NULL, WORDS_MAX);

	s->whole = WHOLE_OVER;
	if (ask_list_read(&s->listed, s->all->upstream, s->lists_version,
		cm_run_sites(s->run), &words) &&
	    keep_asked_call(s, first) != NULL) {
		s->whole = WHOLE_OPEN;
		s->redefined = upstream_redefined(s->all->upstream);
		ask_person(s, 0, buf_view(&words));
	} else {
		decide_call(s, first, NULL);
	}
	buf_fini(&words);
}

/* The run asks about a call. */
void
script_ask_about(script *s, const cm_call *call)
{
	if (script_note(s, call))
		return;
	if (s->whole == WHOLE_DUE)
		ask_about_script(s, call);
	else if (s->whole == WHOLE_OPEN)
		keep_asked_call(s, call);
	else
		decide_call(s, call, NULL);
}

/* After the answer about the whole script: handles the held calls that the
 * answer does not cover. */
void
script_decide_rest(script *s)
{
	held_call *next;

	for (held_call *h = s->held; h != NULL && s->whole == WHOLE_OVER;
	     h = next) {
		next = h->next;
		if (h->state != HELD_WAITS)
			continue;
		s->due = true;
		decide_call(s, &h->call, h);
	}
}

/* A server has redefined a tool: withdraws the approvals of running scripts. */
void
scripts_withdraw_approvals(scripts *all)
{
	unsigned redefined;

	if (!all->approves)
		return;
	redefined = upstream_redefined(all->upstream);
	if (redefined == all->redefined)
		return;
	all->redefined = redefined;
	for (script *s = all->first; s != NULL; s = s->next)
		cm_run_approve(s->run, NULL);
}

/* Approves all calls of that path, or those with these arguments. */
static void
approve_path(script *s, text path, json args)
{
	const cm_approval a = {path, args};

	if (!s->all->approves)
		s->all->redefined = upstream_redefined(s->all->upstream);
	s->all->approves = true;
	if (cm_run_approve(s->run, &a) == CM_ENOMEM)
		cm_run_cancel(s->run, TEXT("out of memory"));
}

static void
decide_script(script *s, permit_answer answer)
{
	if (s->whole != WHOLE_OPEN)
		return;
	/* The tools have changed since the question: ask about each call. */
	if (answer > PERMIT_YES &&
	    s->redefined != upstream_redefined(s->all->upstream))
		answer = PERMIT_YES;
	s->whole = WHOLE_OVER;
	s->said = answer;
	for (size_t i = 0; answer >= PERMIT_YES && i < s->listed.len; i++) {
		const listed_call *c = &s->listed.call[i];
		cm_call call;

		if (answer == PERMIT_YES_ALWAYS &&
		    upstream_call_of(s->all->upstream, c->path, &call))
			upstream_always(s->all->upstream, &call);
		if (answer >= PERMIT_YES_SCRIPT)
			approve_path(s, c->path, c->args);
	}
	script_tell_decision(s, 0, answer);
	/* In the order of the script: later calls are not yet approved. */
	for (held_call *h = s->held; h != NULL; h = h->next)
		if (upstream_permits(s->all->upstream, &h->call).verdict ==
		    POLICY_ALLOW)
			decide_call(s, &h->call, h);
}

static void
decide_held(script *s, held_call *h, permit_answer answer)
{
	script_tell_decision(s, h->call.id, answer);
	/* The tool has changed since the question. */
	if (answer >= PERMIT_YES &&
	    h->redefined != upstream_redefined(s->all->upstream)) {
		decide_call(s, &h->call, h);
		return;
	}
	if (answer == PERMIT_YES_ALWAYS)
		upstream_always(s->all->upstream, &h->call);
	if (answer == PERMIT_YES_SCRIPT)
		approve_path(s, h->call.path, TEXT_NONE);
	else if (answer >= PERMIT_YES)
		cm_run_approve_call(s->run, h->call.id);
	if (answer < PERMIT_YES) {
		script_refuse_call(s, &h->call, answer);
		script_drop_held(s, h);
	}
}

void
scripts_decide(
    scripts *all, uint32_t caller, cm_call_id call, permit_answer answer)
{
	script *s = all->first;
	held_call *h;

	while (s != NULL && s->number != caller)
		s = s->next;
	if (s == NULL)
		return;
	s->due = true;
	h = script_held(s, call);
	if (call == 0)
		decide_script(s, answer);
	else if (h != NULL && h->state == HELD_ASKED)
		decide_held(s, h, answer);
}
