/* SPDX-License-Identifier: MIT */
/*
 * host.c -- turns a run until it is done, answering calls as tools.c decides.
 *
 * Besides running the script it watches the promises of the interface that
 * hold for every run: calls start in the order of their numbers, an aborted
 * call is one that was started, what was printed step by step is what the
 * result lists, the end is the same in the step and in the result, and DONE
 * stays DONE. The first promise that does not hold is named in host_end.broken.
 */
#include "host.h"

#include <codemode/place.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "same.h"
#include "tools.h"

#define LATE_MAX  256 /* calls that may wait for their answer at once */
#define PRINT_MAX ((size_t)256 << 20)

/* A call whose answer is not due yet. */
typedef struct late {
	cm_call_id id;
	uint64_t due;
	answer answer;
} late;

typedef struct host {
	cm_run *run;
	host_end *end;
	buf printed; /* JSON: what result.output must be */
	buf reason;  /* of the cancellation */
	bool cancel; /* still to be done */
	cm_call_id calls;
	cm_end how;
	bool done;
	size_t late_len;
	late late[LATE_MAX];
} host;

static uint64_t
ms_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static uint64_t
now_ms(void)
{
	return ms_of(CLOCK_MONOTONIC);
}

static void
expect(host *h, bool holds, const char *promise)
{
	if (!holds && !h->end->broken)
		h->end->broken = promise;
}

const char *
host_end_word(cm_end end)
{
	static const char *const words[] = {
	    "ok", "script", "timeout", "aborted", "sandbox"};

	return (unsigned)end < 5 ? words[end] : "?";
}

/* ------------------------------------------------------------ answering */

static void
give(host *h, cm_call_id id, answer *a)
{
	cm_failure failure;

	if (!a->fails) {
		cm_run_resolve(h->run, id, buf_view(&a->body));
		return;
	}
	failure =
	    (cm_failure){buf_view(&a->name), buf_view(&a->body), a->members};
	cm_run_reject(h->run, id, &failure);
}

static void
late_drop(host *h, size_t i)
{
	answer_fini(&h->late[i].answer);
	h->late[i] = h->late[--h->late_len];
}

static void
on_call(host *h, const cm_call *call)
{
	answer a;

	/* Those in between were given up before their turn came. */
	expect(h, call->id > h->calls, "calls start in the order of numbers");
	h->calls = call->id;
	tools_answer(call, (unsigned)h->late_len + 1, &a);
	if ((!a.after_ms && !a.never) || h->late_len == LATE_MAX) {
		give(h, call->id, &a);
		answer_fini(&a);
		return;
	}
	h->late[h->late_len++] =
	    (late){call->id, a.never ? UINT64_MAX : now_ms() + a.after_ms, a};
}

static void
on_abort(host *h, cm_call_id id)
{
	cm_run_stopped(h->run, id);
	for (size_t i = 0; i < h->late_len; i++)
		if (h->late[i].id == id) {
			late_drop(h, i);
			return;
		}
	expect(h, false, "only a call in flight is aborted");
}

/* Sleeps until then, or until the script's process has news: true. */
static bool
news_before(const cm_wait *w, uint64_t until)
{
	struct pollfd fd = {w->handle, POLLIN, 0};
	uint64_t now = now_ms();

	if (w->writable)
		fd.events |= POLLOUT;
	return poll(&fd, 1, until > now ? (int)(until - now) : 0) > 0;
}

/* Sleeps until an answer is due or the run wants to be turned. A script in
 * another process may still compute while we are asked to wait. */
static void
on_wait(host *h, const cm_wait *w)
{
	uint64_t until = w->until_ms;
	size_t first = SIZE_MAX;

	if (h->cancel && (w->handle < 0 || w->calls > 0)) {
		h->cancel = false;
		cm_run_cancel(h->run, buf_view(&h->reason));
		return;
	}
	for (size_t i = 0; i < h->late_len; i++)
		if (first == SIZE_MAX || h->late[i].due < h->late[first].due)
			first = i;
	if (first == SIZE_MAX || h->late[first].due > until) {
		expect(h, until != UINT64_MAX || w->handle >= 0,
		    "a run never waits for nothing");
		news_before(w, until);
		return;
	}
	if (h->late[first].due == UINT64_MAX) {
		expect(h, false, "a deadline is told while a call hangs");
		cm_run_cancel(h->run, TEXT("it would hang"));
		return;
	}
	if (news_before(w, h->late[first].due))
		return;
	give(h, h->late[first].id, &h->late[first].answer);
	late_drop(h, first);
}

static void
on_print(host *h, const cm_print *p)
{
	static const char *const types[] = {"text", "text", "image", "audio"};
	bool medium = p->kind == CM_PRINT_IMAGE || p->kind == CM_PRINT_AUDIO;
	buf *out = &h->printed;

	buf_str(out, out->len > 1 ? "," : "");
	if (p->kind == CM_PRINT_RESOURCE) {
		buf_text(out, p->text);
		return;
	}
	buf_printf(out, "{\"type\":\"%s\",\"%s\":", types[p->kind],
	    medium ? "data" : "text");
	json_string(out, p->text);
	if (medium) {
		buf_str(out, ",\"mimeType\":");
		json_string(out, p->mime_type);
		json_member_json(out, "annotations",
		    json_get(p->extra, TEXT("annotations")));
		json_member_json(
		    out, "_meta", json_get(p->extra, TEXT("_meta")));
	}
	if (p->kind == CM_PRINT_CONSOLE)
		buf_str(out, ",\"console\":true");
	buf_byte(out, '}');
}

/* -------------------------------------------------------------- turning */

static cm_status
turn(host *h)
{
	cm_step step;
	cm_status r = cm_run_next(h->run, now_ms(), &step);

	if (r != CM_OK)
		return r;
	switch (step.kind) {
	case CM_STEP_CALL:
		on_call(h, &step.u.call);
		break;
	case CM_STEP_ABORT:
		on_abort(h, step.u.abort);
		break;
	case CM_STEP_ASK: /* only with CM_RUN_ASK */
		break;
	case CM_STEP_PRINT:
		on_print(h, &step.u.print);
		break;
	case CM_STEP_WAIT:
		on_wait(h, &step.u.wait);
		break;
	case CM_STEP_DONE:
		h->done = true;
		h->how = step.u.done.end;
		break;
	}
	return CM_OK;
}

static cm_status
read_result(host *h)
{
	host_end *end = h->end;
	json error, whole;
	cm_text all;
	cm_status r = cm_run_result(h->run, &all);

	if (r != CM_OK)
		return r;
	end->result = all;
	expect(h, json_check(all, 100000, &whole, NULL), "a result is JSON");
	if (end->broken)
		return CM_OK;
	end->result = whole;
	error = json_get(whole, TEXT("error"));
	expect(h,
	    json_bool(json_get(whole, TEXT("ok")), false) ==
		(h->how == CM_END_OK),
	    "result.ok says how the run ended");
	expect(h,
	    h->how == CM_END_OK || json_is(json_get(error, TEXT("kind")),
				       text_of(host_end_word(h->how))),
	    "error.kind says how the run ended");
	buf_byte(&h->printed, ']');
	expect(h,
	    json_same(json_get(whole, TEXT("output")), buf_view(&h->printed)),
	    "result.output is what was printed");
	expect(h, turn(h) == CM_OK && h->done, "done stays done");
	return CM_OK;
}

/* -------------------------------------------------------------- options */

#define LIMITS(X)              \
	X(wall_ms)             \
	X(heap)                \
	X(calls)               \
	X(calls_at_once)       \
	X(space_calls_at_once) \
	X(tool_calls_at_once)  \
	X(output)              \
	X(items)               \
	X(value)               \
	X(source)              \
	X(result)              \
	X(polls)

static const struct limit {
	const char *name;
	size_t at;
} limits[] = {
#define LIMIT_LINE(name) {#name, offsetof(cm_limits, name)},
    LIMITS(LIMIT_LINE)
#undef LIMIT_LINE
};

static uint64_t *
limit_find(cm_limits *all, json key)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (json_is(key, text_of(limits[i].name)))
			return (uint64_t *)(void *)((char *)all + limits[i].at);
	return NULL;
}

static bool
limits_read(json from, cm_limits *all)
{
	json_iter it = json_each(from);
	json key, value;

	while (json_next(&it, &key, &value)) {
		uint64_t *limit = limit_find(all, key);
		int64_t n;

		if (!limit)
			return false;
		if (json_kind_of(value) == JSON_NULL)
			*limit = CM_NO_LIMIT;
		else if (json_int(value, &n) && n >= 0)
			*limit = (uint64_t)n;
		else
			return false;
	}
	return true;
}

/* CODEMODE_WORKER in the environment: each script in a process of its own. */
/* CODEMODE_ENGINE=evaluator: that engine runs all scripts. */
bool
host_evaluates(void)
{
	const char *engine = getenv("CODEMODE_ENGINE");

	return engine != NULL && strcmp(engine, "evaluator") == 0;
}

static cm_place *
host_place(void)
{
	static cm_place *place;
	cm_process_options o = CM_PROCESS_OPTIONS_INIT;

	o.worker = getenv("CODEMODE_WORKER");
	if (place == NULL && o.worker != NULL &&
	    cm_place_process(NULL, &o, &place) != CM_OK) {
		fprintf(stderr, "%s cannot be started\n", o.worker);
		exit(1);
	}
	return place;
}

cm_status
host_run(text script, json options, host_end *end)
{
	host h = {0};
	cm_run_options opts = CM_RUN_OPTIONS_INIT;
	uint64_t began = now_ms();
	uint64_t computed = ms_of(CLOCK_PROCESS_CPUTIME_ID);
	cm_status r = CM_EINPUT;

	*end = (host_end){0};
	h.end = end;
	h.printed = BUF_INIT(NULL, PRINT_MAX);
	h.reason = BUF_INIT(NULL, PRINT_MAX);
	buf_byte(&h.printed, '[');
	h.cancel = json_unescape(json_get(options, TEXT("cancel")), &h.reason);
	opts.store = json_get(options, TEXT("store"));
	opts.data = json_get(options, TEXT("data"));
	opts.place = host_place();
	opts.limits.wall_ms = HOST_WALL_MS;
	if (json_bool(json_get(options, TEXT("raw")), false))
		opts.flags = CM_RUN_RAW;
	if (host_evaluates())
		opts.flags |= CM_RUN_EVALUATOR;
	if (!limits_read(json_get(options, TEXT("limits")), &opts.limits))
		goto out;
	if ((r = cm_catalog_new(NULL, &end->catalog)) != CM_OK)
		goto out;
	r = tools_declare(end->catalog, json_get(options, TEXT("with")));
	if (r != CM_OK)
		goto out;
	if ((r = cm_run_new(end->catalog, script, &opts, &end->run)) != CM_OK)
		goto out;
	h.run = end->run;
	while (r == CM_OK && !h.done)
		r = turn(&h);
	end->ms = now_ms() - began;
	end->cpu_ms = ms_of(CLOCK_PROCESS_CPUTIME_ID) - computed;
	if (r == CM_OK)
		r = read_result(&h);
out:
	while (h.late_len)
		late_drop(&h, 0);
	buf_fini(&h.reason);
	buf_fini(&h.printed);
	return r;
}

void
host_end_fini(host_end *end)
{
	cm_run_free(end->run);
	cm_catalog_free(end->catalog);
	*end = (host_end){0};
}
