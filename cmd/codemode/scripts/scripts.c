/* SPDX-License-Identifier: MIT */
/*
 * scripts.c -- any number of runs on one loop.
 *
 * What the loop brings (a server's answer, a message of the script's process,
 * a timer) only marks the script as due. 'scripts_turn' asks each script that
 * is due for its next step until it has to wait. So no step is done from
 * inside a callback of the loop.
 */
#include "scripts.h"

#include "asking.h"

#include "common/monotonic.h"

#include <fcntl.h>
#include <unistd.h>

enum { DRY_MAX = 64 << 20, WORDS_MAX = 1 << 20 };

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

static const char *const decisions[] = {
    [POLICY_ALLOW] = "allowed",
    [POLICY_ASK] = "asked",
    [POLICY_DENY] = "denied",
};

static const char *const answer_words[] = {
    [PERMIT_NO] = "no",
    [PERMIT_UNASKED] = "unasked",
    [PERMIT_YES] = "yes",
    [PERMIT_YES_SCRIPT] = "script",
    [PERMIT_YES_ALWAYS] = "always",
};

/* ------------------------------------------------------------ for .watch */

static void
tell_watch(const script *s, watch_event e)
{
	e.script = s->number;
	watch_tell(s->all->watch, e);
}

static void
tell_made(const script *s, const cm_call *call, const char *decision)
{
	tell_watch(s, (watch_event){.kind = WATCH_CALL,
			  .call = call->id,
			  .made = call,
			  .how = decision});
}

static void
tell_sent(void *owner, cm_call_id id)
{
	tell_watch(owner, (watch_event){.kind = WATCH_SENT, .call = id});
}

/* Of a call that no server answered. */
static void
tell_over(const script *s, cm_call_id id, const char *how, text words)
{
	tell_watch(s,
	    (watch_event){
		.kind = WATCH_ANSWER, .call = id, .how = how, .words = words});
}

static void
tell_answer(const script *s, cm_call_id id, const mcp_answer *a)
{
	tell_watch(s, (watch_event){.kind = WATCH_ANSWER,
			  .call = id,
			  .how = a->ok ? "ok" : "failed",
			  .bytes = a->bytes,
			  .value = a->ok ? a->value : TEXT_NONE,
			  .words = a->message});
}

static void
tell_decision(const script *s, cm_call_id id, permit_answer answer)
{
	tell_watch(s, (watch_event){.kind = WATCH_DECISION,
			  .call = id,
			  .how = answer_words[answer]});
}

static void
tell_awake(script *s, bool awake)
{
	if (s->awake != awake)
		tell_watch(
		    s, (watch_event){.kind = awake ? WATCH_TURN : WATCH_REST});
	s->awake = awake;
}

/* ----------------------------------------------------------- saved scripts */

/* The script that the owner started, on whose behalf s runs; NULL: it is not
 * wanted any more. */
static script *
started_script(script *s)
{
	while (s != NULL && s->depth > 0)
		s = s->caller;
	return s;
}

/* ------------------------------------------------------------------- calls */

static void
count_script_call(script *s, bool begun)
{
	const scripts_hooks *hooks = &s->all->hooks;

	s = started_script(s);
	if (s == NULL)
		return;
	s->begun += begun;
	s->ended += !begun;
	if (hooks->calls != NULL)
		hooks->calls(hooks->ctx, s->number, s->begun, s->ended);
}

static void
reject_call(script *s, cm_call_id id, text words, text members)
{
	cm_failure failure = {.message = words, .members = members};

	if (cm_run_reject(s->run, id, &failure) == CM_ENOMEM)
		cm_run_cancel(s->run, TEXT("out of memory"));
}

/* Answers a call that is only noted. */
static bool
note_call(script *s, const cm_call *call)
{
	buf value = BUF_INIT(NULL, DRY_MAX), words = BUF_INIT(NULL, DRY_MAX);
	bool dry = upstream_dry(s->all->upstream, call, &value, &words);

	if (dry) {
		tell_made(s, call, "dry run");
		tell_over(s, call->id, "ok", TEXT_NONE);
		cm_run_warn(s->run, buf_view(&words));
		if (cm_run_resolve(s->run, call->id, buf_view(&value)) ==
		    CM_ENOMEM)
			cm_run_cancel(s->run, TEXT("out of memory"));
	}
	buf_fini(&words);
	buf_fini(&value);
	return dry;
}

static void
refuse_call_of(script *s, const cm_call *call, permit_answer answer)
{
	const policy_decision d = upstream_permits(s->all->upstream, call);
	buf words = BUF_INIT(NULL, 8192);

	permit_refusal(&d, call, answer, &words);
	tell_over(s, call->id, "refused", buf_view(&words));
	reject_call(
	    s, call->id, buf_view(&words), TEXT("{\"code\":\"NotAllowed\"}"));
	buf_fini(&words);
}

/* -------------------------------------------------------------- permission */

static held_call *
held_numbered(const script *s, cm_call_id id)
{
	held_call *h = s->held;

	while (h != NULL && h->call.id != id)
		h = h->next;
	return h;
}

static void
drop_held_call(script *s, held_call *h)
{
	held_call **at = &s->held;

	while (*at != h)
		at = &(*at)->next;
	*at = h->next;
	buf_fini(&h->copy);
	mem_free(NULL, h, sizeof(*h));
}

/* NULL: no memory, and the script has got that as an error. */
static held_call *
keep_asked_call(script *s, const cm_call *call)
{
	held_call *h = mem_new(NULL, sizeof(*h)), **at = &s->held;
	size_t size = call->space.len + call->name.len + call->path.len +
		      call->args.len + 1;

	if (h != NULL)
		h->copy = BUF_INIT(NULL, SIZE_MAX / 2);
	/* All the room at once: the texts borrow from it. */
	if (h == NULL || buf_room(&h->copy, size) == NULL) {
		mem_free(NULL, h, sizeof(*h));
		reject_call(s, call->id, TEXT("out of memory"), TEXT_NONE);
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

	if (hooks->ask != NULL && started_script(s) != NULL)
		hooks->ask(hooks->ctx, started_script(s)->number, s->number,
		    call, words);
	else
		scripts_decide(s->all, s->number, call, PERMIT_UNASKED);
}

/* What the rules say about a call that is held, or that nothing is known of. One
 * that was asked about is asked about again. */
static void
decide_call(script *s, const cm_call *call, held_call *h)
{
	policy_verdict v = upstream_permits(s->all->upstream, call).verdict;
	buf words = BUF_INIT(NULL, WORDS_MAX);

	if (h == NULL || h->state == HELD_WAITS)
		tell_made(s, call, decisions[v]);
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
		refuse_call_of(s, call, v == POLICY_DENY ? PERMIT_NO : s->said);
		if (h != NULL)
			drop_held_call(s, h);
	}
	buf_fini(&words);
}

/* Before its first call: asks about everything that the script's list has. */
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
static void
begin_asked(script *s, const cm_call *call)
{
	if (note_call(s, call))
		return;
	if (s->whole == WHOLE_DUE)
		ask_about_script(s, call);
	else if (s->whole == WHOLE_OPEN)
		keep_asked_call(s, call);
	else
		decide_call(s, call, NULL);
}

/* Once the person has answered about the script: calls that the answer does not
 * cover. */
static void
decide_rest(script *s)
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

/* Saved scripts that run on behalf of the same script. */
static size_t
count_saved_beside(script *s)
{
	const script *start = started_script(s);
	size_t n = 0;

	for (script *one = s->all->first; one != NULL; one = one->next)
		n += one->depth > 0 && started_script(one) == start;
	return n;
}

/* Why a saved script is not called; NULL: it may be, or is none. */
static const char *
check_saved_call(script *s, const cm_call *call)
{
	if (!upstream_is_saved(s->all->upstream, call->space))
		return NULL;
	if (s->depth == SAVED_DEPTH)
		return "saved scripts call each other more than 8 deep";
	if (count_saved_beside(s) >= SAVED_RUNS)
		return "more than 64 saved scripts of one script run at once";
	return NULL;
}

static void
begin_call(script *s, const cm_call *call)
{
	held_call *h = held_numbered(s, call->id);
	const char *why = check_saved_call(s, call);

	/* Approved, and still not to be made. */
	if (note_call(s, call)) {
		if (h != NULL)
			drop_held_call(s, h);
		return;
	}
	if (s->logged != call->id && (h == NULL || h->state == HELD_WAITS))
		tell_made(s, call, "approved");
	if (h != NULL)
		drop_held_call(s, h);
	if (why != NULL) {
		tell_over(s, call->id, "refused", text_of(why));
		reject_call(s, call->id, text_of(why), TEXT_NONE);
		return;
	}
	s->all->counts.calls++;
	if (outgoing_add(&s->all->outgoing, s, call) != CM_OK) {
		reject_call(s, call->id, TEXT("out of memory"), TEXT_NONE);
		return;
	}
	s->all->counts.running++;
	count_script_call(s, true);
}

static void
stop_one_call(script *s, cm_call_id id)
{
	held_call *h = held_numbered(s, id);

	tell_over(s, id, "stopped", TEXT_NONE);
	if (h != NULL)
		drop_held_call(s, h);
	/* An MCP server does not reply to a cancellation, so nothing tells
	 * when the tool ends. */
	cm_run_stopped(s->run, id);
	if (!outgoing_remove(&s->all->outgoing, s, id))
		return;
	s->all->counts.running--;
	count_script_call(s, false);
}

/* What was approved is not what would be called: a server has redefined a tool
 * of which scripts that run have approvals. */
static void
withdraw_approvals(scripts *all)
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

/* CM_EINPUT and CM_ELIMIT need no care: the script gets them as an error. */
static void
call_answered(void *ctx, uint32_t number, const mcp_answer *a)
{
	scripts *all = ctx;
	cm_failure failure = {TEXT_NONE, a->message, a->members};
	cm_call_id id;
	script *s = outgoing_owner(&all->outgoing, number, &id);
	cm_status r;

	tell_answer(s, id, a);
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

static void
call_progressed(void *ctx, uint32_t number, const mcp_event *e)
{
	scripts *all = ctx;
	cm_call_id id;
	script *s = outgoing_owner(&all->outgoing, number, &id);

	s = started_script(s);
	if (s != NULL && all->hooks.progress != NULL)
		all->hooks.progress(all->hooks.ctx, s->number, id, e->progress,
		    e->total, e->message);
}

static bool
call_asked(void *ctx, uint32_t number, const upstream_question *q)
{
	scripts *all = ctx;
	cm_call_id id;
	script *s = outgoing_owner(&all->outgoing, number, &id);

	s = started_script(s);
	return s != NULL && all->hooks.asked != NULL &&
	       all->hooks.asked(all->hooks.ctx, s->number, q);
}

/* That of the call's span, or else what the client sent. */
static bool
call_parent(void *ctx, uint32_t number, char out[WATCH_PARENT_MAX])
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

/* ----------------------------------------------------------------- waiting */

static void
on_script_timer(uv_timer_t *wake)
{
	script *s = wake->data;

	s->due = true;
	main_loop_due(wake->loop);
}

static void
on_script_readable(uv_poll_t *poll, int status, int events)
{
	script *s = poll->data;

	(void)status, (void)events;
	s->due = true;
	uv_poll_stop(poll);
	main_loop_due(poll->loop);
}

/* The run closes its descriptor whenever it likes, so the loop gets a copy. */
static bool
copy_handle(script *s, int handle)
{
	if (s->handle >= 0)
		return true;
	s->handle = fcntl(handle, F_DUPFD_CLOEXEC, 3);
	if (s->handle < 0)
		return false;
	uv_poll_init(&s->all->upstream->loop->uv, &s->poll, s->handle);
	s->poll.data = s;
	s->open++;
	return true;
}

static void
watch_process(script *s, const cm_wait *w)
{
	int events = UV_READABLE | (w->writable ? UV_WRITABLE : 0);

	if (w->handle < 0)
		return;
	if (copy_handle(s, w->handle)) {
		uv_poll_start(&s->poll, events, on_script_readable);
		return;
	}
	cm_run_cancel(s->run, TEXT("too many open files: the script's process "
				   "cannot be watched"));
	s->due = true;
}

static void
wait_for_events(script *s, const cm_wait *w)
{
	uint64_t now = monotonic_ms();

	watch_process(s, w);
	if (w->until_ms == UINT64_MAX) {
		uv_timer_stop(&s->wake);
		return;
	}
	uv_update_time(&s->all->upstream->loop->uv);
	uv_timer_start(&s->wake, on_script_timer,
	    w->until_ms > now ? w->until_ms - now : 0, 0);
}

/* ------------------------------------------------------------------ ending */

static void
on_script_closed(uv_handle_t *handle)
{
	script *s = handle->data;

	s->all->closing--;
	if (--s->open == 0)
		mem_free(NULL, s, sizeof(*s));
}

static void
unlink_script(script *s)
{
	scripts *all = s->all;
	script *before = NULL, **at = &all->first;

	while (*at != s) {
		before = *at;
		at = &before->next;
	}
	*at = s->next;
	if (all->last == s)
		all->last = before;
	all->len--;
}

static void
free_script(script *s)
{
	unlink_script(s);
	while (s->held != NULL)
		drop_held_call(s, s->held);
	outgoing_remove(&s->all->outgoing, s, 0);
	cm_run_free(s->run);
	s->all->closing += s->open;
	if (s->handle >= 0) {
		uv_close((uv_handle_t *)&s->poll, on_script_closed);
		close(s->handle);
	}
	uv_close((uv_handle_t *)&s->wake, on_script_closed);
}

/* ----------------------------------------------------------- saved scripts */

static script *
link_script(scripts *all, uint32_t number, cm_run *run, text code, text parent)
{
	script *s = mem_new(NULL, sizeof(*s));

	if (s == NULL)
		return NULL;
	*s = (script){.all = all,
	    .number = number,
	    .run = run,
	    .handle = -1,
	    .lists_version = upstream_version(all->upstream),
	    .whole = all->upstream->permit.each ? WHOLE_OVER : WHOLE_DUE,
	    .said = PERMIT_YES,
	    .open = 1,
	    .due = true};
	uv_timer_init(&all->upstream->loop->uv, &s->wake);
	s->wake.data = s;
	if (all->last != NULL)
		all->last->next = s;
	else
		all->first = s;
	all->last = s;
	all->len++;
	watch_parent_read(parent, s->parent);
	tell_watch(s, (watch_event){.kind = WATCH_SCRIPT,
			  .code = code,
			  .parent = text_of(s->parent)});
	return s;
}

static cm_status
begin_saved(void *ctx, uint32_t number, const saved_script *what, json data)
{
	scripts *all = ctx;
	cm_call_id id;
	char parent[WATCH_PARENT_MAX];
	script *caller = outgoing_owner(&all->outgoing, number, &id), *s;
	cm_run *run = NULL;
	cm_status r = CM_EMISUSE;

	if (all->hooks.new_run != NULL && started_script(caller) != NULL)
		r = all->hooks.new_run(all->hooks.ctx,
		    started_script(caller)->number, what->code, data, &run);
	if (r != CM_OK)
		return r;
	s = link_script(all, SCRIPTS_SAVED + all->saved++, run, what->code,
	    call_parent(all, number, parent) ? text_of(parent) : TEXT_NONE);
	if (s == NULL) {
		cm_run_free(run);
		return CM_ENOMEM;
	}
	s->caller = caller;
	s->call = number;
	s->depth = caller->depth + 1;
	main_loop_due(&all->upstream->loop->uv);
	return CM_OK;
}

/* It ends at its next turn; its calls end with it. */
static void
end_saved(void *ctx, uint32_t number)
{
	scripts *all = ctx;

	for (script *s = all->first; s != NULL; s = s->next) {
		if (s->caller == NULL || s->call != number)
			continue;
		s->caller = NULL;
		s->due = true;
		cm_run_cancel(s->run, TEXT_NONE);
		main_loop_due(&all->upstream->loop->uv);
	}
}

/* The value of a saved script is that of the call, its error the call's. */
static void
answer_caller(script *s, const cm_done *done, cm_status status)
{
	mcp_answer a = {.message = text_of(cm_status_text(status))};

	if (s->caller == NULL)
		return;
	if (done != NULL) {
		a.ok = done->end == CM_END_OK;
		a.value = done->value.len > 0 ? done->value : TEXT("null");
		a.message = done->fault.message;
	}
	call_answered(s->all, s->call, &a);
}

/* ------------------------------------------------------------------- turns */

/* A script may have put a secret together from parts of what servers said. */
static void
pass_print(script *s, const cm_print *print)
{
	const scripts_hooks *hooks = &s->all->hooks;
	cm_print shown = *print;
	buf plain;

	shown.text =
	    without_secrets(s->all->upstream->secrets, print->text, &plain);
	hooks->print(hooks->ctx, s->number, &shown);
	buf_fini(&plain);
}

/* False: the run is over. */
static bool
do_step(script *s, const cm_step *step)
{
	const scripts_hooks *hooks = &s->all->hooks;

	switch (step->kind) {
	case CM_STEP_CALL:
		begin_call(s, &step->u.call);
		return true;
	case CM_STEP_ASK:
		begin_asked(s, &step->u.call);
		return true;
	case CM_STEP_ABORT:
		stop_one_call(s, step->u.abort);
		return true;
	case CM_STEP_PRINT:
		s->given += step->u.print.text.len;
		tell_watch(s, (watch_event){.kind = WATCH_PRINT,
				  .print = &step->u.print});
		if (hooks->print != NULL && s->depth == 0)
			pass_print(s, &step->u.print);
		return true;
	case CM_STEP_WAIT:
		decide_rest(s);
		if (!step->u.wait.busy)
			tell_awake(s, false);
		wait_for_events(s, &step->u.wait);
		return true;
	case CM_STEP_DONE:
		break;
	}
	return false;
}

/* After hooks.over, which tells what it cut; the run lives until then. */
static void
tell_script_end(script *s, cm_end end, uint64_t value_bytes)
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
	tell_watch(s, (watch_event){.kind = WATCH_END,
			  .how = ends[end],
			  .bytes = s->given + value_bytes,
			  .value = result});
}

/* done NULL: the run could not go on, status says why. */
static void
end_script(script *s, const cm_done *done, cm_status status)
{
	const scripts_hooks *hooks = &s->all->hooks;
	const cm_end end = done != NULL ? done->end : CM_END_SANDBOX;
	const size_t value_bytes = done != NULL ? done->value.len : 0;

	tell_awake(s, false);
	if (s->depth > 0)
		answer_caller(s, done, status);
	else
		hooks->over(hooks->ctx, s->number, s->run, done, status);
	tell_script_end(s, end, value_bytes);
	free_script(s);
}

/* Does steps until the script waits. False: it has ended and is freed. */
static bool
turn_script(script *s)
{
	cm_step step;
	cm_status r;
	bool on;

	s->due = false;
	tell_awake(s, true);
	do {
		r = cm_run_next(s->run, monotonic_ms(), &step);
		on = r == CM_OK && do_step(s, &step);
	} while (on && step.kind != CM_STEP_WAIT);
	if (on)
		return true;
	end_script(s, r == CM_OK ? &step.u.done : NULL, r);
	return false;
}

void
scripts_turn(scripts *all)
{
	script *s = all->first;

	withdraw_approvals(all);
	while (s != NULL) {
		script *next = s->next;

		while (s->due && turn_script(s))
			;
		s = next;
	}
}

bool
scripts_due(const scripts *all)
{
	for (const script *s = all->first; s != NULL; s = s->next)
		if (s->due)
			return true;
	return false;
}

/* ----------------------------------------------------------- for the owner */

void
scripts_init(
    scripts *all, upstream *u, const cm_limits *limits, scripts_hooks hooks)
{
	*all = (scripts){.upstream = u, .hooks = hooks};
	outgoing_init(&all->outgoing, u, limits->space_calls_at_once,
	    limits->tool_calls_at_once, tell_sent);
	u->caller = (upstream_caller){all, call_answered, call_progressed,
	    call_asked, begin_saved, end_saved, call_parent};
}

void
scripts_fini(scripts *all)
{
	/* All calls first: otherwise those that wait would still be sent. */
	outgoing_remove(&all->outgoing, NULL, 0);
	while (all->first != NULL)
		free_script(all->first);
	while (all->closing > 0)
		uv_run(&all->upstream->loop->uv, UV_RUN_NOWAIT);
	all->upstream->caller = (upstream_caller){0};
	outgoing_fini(&all->outgoing);
}

bool
scripts_start(
    scripts *all, uint32_t number, cm_run *run, text code, text parent)
{
	return link_script(all, number, run, code, parent) != NULL;
}

void
scripts_cancel(scripts *all, uint32_t number, text reason)
{
	for (script *s = all->first; s != NULL; s = s->next) {
		if (s->number != number)
			continue;
		cm_run_cancel(s->run, reason);
		s->due = true;
	}
}

/* All calls of that path, or those with these arguments. */
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
	/* A yes is to the tools as they were: each call is asked about. */
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
	tell_decision(s, 0, answer);
	/* In the order of the script: the rest is not approved so far. */
	for (held_call *h = s->held; h != NULL; h = h->next)
		if (upstream_permits(s->all->upstream, &h->call).verdict ==
		    POLICY_ALLOW)
			decide_call(s, &h->call, h);
}

static void
decide_held(script *s, held_call *h, permit_answer answer)
{
	tell_decision(s, h->call.id, answer);
	/* A yes is to the tool as it was. */
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
		refuse_call_of(s, &h->call, answer);
		drop_held_call(s, h);
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
	h = held_numbered(s, call);
	if (call == 0)
		decide_script(s, answer);
	else if (h != NULL && h->state == HELD_ASKED)
		decide_held(s, h, answer);
}

unsigned
scripts_flags(const scripts *all)
{
	return CM_RUN_ASK |
	       (upstream_asks(all->upstream) ? (unsigned)CM_RUN_SITES : 0);
}
