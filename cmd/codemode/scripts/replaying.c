/* SPDX-License-Identifier: MIT */
/*
 * replaying.c -- see replaying.h.
 *
 * The owner's clock is that of the record: while the script waits it moves on
 * to the next thing that the owner said, or to the time that the run asks for,
 * whichever comes first. While the script computes it stands still.
 */
#include "replaying.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* When the run began, on the owner's clock. */
#define BEGIN_MS 1

/* cm_limits.result: bytes, when it is 0, and at most. */
#define RESULT_DEFAULT (64u << 20)
#define RESULT_MOST    (1u << 30)

/* What the owner said, by the member that its line has. */
static const char *const of_owner[] = {
    "answer", "stopped", "warn", "warnBytes", "cancel", "cancelBytes"};

static bool
has(json line, const char *member)
{
	return json_get(line, text_of(member)).len > 0;
}

static bool
is_of_owner(json line)
{
	for (size_t i = 0; i < sizeof(of_owner) / sizeof(*of_owner); i++)
		if (has(line, of_owner[i]))
			return true;
	return false;
}

static uint64_t
time_of(json line)
{
	int64_t ms;

	return json_int(json_get(line, TEXT("ms")), &ms) && ms >= 0
		   ? (uint64_t)ms + BEGIN_MS
		   : 0;
}

static bool
ended_as(json line, const char *kind)
{
	return json_is(
	    json_path(line, "result", "error", "kind", NULL), text_of(kind));
}

/* Where a script that computes is stopped depends on the machine: the new run
 * may get further than that of the record, or less far. The new one's clock
 * stands still meanwhile, so that its deadline lies ahead. */
static bool
is_where_one_was_stopped(const replaying *p, json got)
{
	const recording *r = p->record;
	json last = r->len > 0 ? r->line[r->len - 1] : TEXT_NONE;
	json want = p->heard < r->len ? r->line[p->heard] : TEXT_NONE;

	if (!ended_as(last, "timeout") && !ended_as(last, "aborted") &&
	    !ended_as(last, "sandbox"))
		return false;
	return has(want, "cancel") || has(want, "cancelBytes") ||
	       has(want, "result") ||
	       (ended_as(got, "timeout") && time_of(got) > p->now_ms);
}

/* --------------------------------------- scripts that were stopped by a signal */

/* How long a script computes on behind the last line before a cancel. One that
 * waited then is given the cancel as soon as it waits. */
enum { COMPUTES_ON_S = 2 };

static _Atomic(cm_run *) computing;

static void
on_computed_enough(int number)
{
	int before = errno;
	cm_run *run = atomic_load(&computing);

	(void)number;
	if (run != NULL)
		cm_run_interrupt(run);
	errno = before;
}

static void
start_watch(cm_run *run)
{
	struct sigaction act = {.sa_handler = on_computed_enough};

	sigemptyset(&act.sa_mask);
	sigaction(SIGALRM, &act, NULL);
	atomic_store(&computing, run);
}

static void
end_watch(void)
{
	alarm(0);
	atomic_store(&computing, NULL);
}

static void
watch_next_line(const replaying *p)
{
	const recording *r = p->record;
	json next = p->heard < r->len ? r->line[p->heard] : TEXT_NONE;

	if (has(next, "cancel") || has(next, "cancelBytes"))
		alarm(COMPUTES_ON_S);
}

/* --------------------------------------------------------------- the lines */

static void
on_line(void *ctx, text line)
{
	replaying *p = ctx;
	const recording *r = p->record;

	if (p->diverged || p->cut)
		return;
	if (p->heard < r->len && text_eq(r->line[p->heard], line)) {
		p->heard++;
		watch_next_line(p);
		return;
	}
	if (is_where_one_was_stopped(p, line)) {
		p->cut = true;
		return;
	}
	p->diverged = true;
	buf_text(&p->got, line);
}

const char *
replaying_init(replaying *p, const recording *record)
{
	*p = (replaying){.record = record,
	    .now_ms = BEGIN_MS,
	    .got = BUF_INIT(NULL, SIZE_MAX / 2)};
	return recorded_run_read(&p->given, record->head);
}

void
replaying_fini(replaying *p)
{
	cm_run_free(p->run);
	recorded_run_fini(&p->given);
	buf_fini(&p->got);
}

/* ------------------------------------------------------------- the answers */

/* A text of the record: a string, or one with a character for each byte. */
static void
read_bytes(json of, const char *name, const char *name_of_bytes, buf *out)
{
	buf wide = BUF_INIT(NULL, SIZE_MAX / 2);
	size_t at = 0;

	if (json_unescape(json_get(of, text_of(name)), out) ||
	    !json_unescape(json_get(of, text_of(name_of_bytes)), &wide))
		return;
	while (at < wide.len)
		buf_byte(out, (char)utf8_next(buf_view(&wide), &at));
	buf_fini(&wide);
}

/* An answer that was too long: the run looks at its length alone. Empty: the
 * run would take an answer of that length. */
static text
long_text(const replaying *p, json bytes)
{
	uint64_t most = p->given.options.limits.result;
	int64_t n = 0;

	if (most == 0)
		most = RESULT_DEFAULT;
	if (most > RESULT_MOST)
		most = RESULT_MOST;
	json_int(bytes, &n);
	return (text){"", n > (int64_t)most ? (size_t)n : 0};
}

static void
give_value(replaying *p, json line, cm_call_id id)
{
	json value = json_get(line, TEXT("value"));
	json too_long = json_get(line, TEXT("tooLong"));
	buf raw = BUF_INIT(NULL, SIZE_MAX / 2);

	read_bytes(line, "notJson", "notUtf8", &raw);
	if (too_long.len > 0)
		value = long_text(p, too_long);
	else if (raw.len > 0)
		value = buf_view(&raw);
	cm_run_resolve(p->run, id, value);
	buf_fini(&raw);
}

static void
give_failure(replaying *p, json failure, cm_call_id id)
{
	json too_long = json_get(failure, TEXT("tooLong"));
	buf name = BUF_INIT(NULL, SIZE_MAX / 2);
	buf message = BUF_INIT(NULL, SIZE_MAX / 2);
	cm_failure f;

	read_bytes(failure, "name", "nameBytes", &name);
	read_bytes(failure, "message", "messageBytes", &message);
	f = (cm_failure){buf_view(&name), buf_view(&message),
	    json_get(failure, TEXT("members"))};
	if (too_long.len > 0)
		f.message = long_text(p, too_long);
	cm_run_reject(p->run, id, &f);
	buf_fini(&name);
	buf_fini(&message);
}

static bool
number_in(json line, const char *name, cm_call_id *id)
{
	int64_t n;

	if (!json_int(json_get(line, text_of(name)), &n))
		return false;
	*id = n > 0 && n <= UINT32_MAX ? (cm_call_id)n : 0;
	return true;
}

/* Says to the run what its owner said in this line. */
static void
give_line(replaying *p, json line)
{
	json failure = json_get(line, TEXT("failure"));
	buf words = BUF_INIT(NULL, SIZE_MAX / 2);
	cm_call_id id;

	if (number_in(line, "answer", &id)) {
		p->answers++;
		if (failure.len > 0)
			give_failure(p, failure, id);
		else
			give_value(p, line, id);
	} else if (number_in(line, "stopped", &id)) {
		cm_run_stopped(p->run, id);
	} else if (has(line, "warn") || has(line, "warnBytes")) {
		read_bytes(line, "warn", "warnBytes", &words);
		cm_run_warn(p->run, buf_view(&words));
	} else {
		read_bytes(line, "cancel", "cancelBytes", &words);
		cm_run_cancel(p->run, buf_view(&words));
	}
	buf_fini(&words);
}

/* ---------------------------------------------------------------- the run */

/* The script computes in another process, which sends something by then. */
static void
wait_for_worker(const replaying *p, const cm_wait *w)
{
	uint64_t ms = w->until_ms > p->now_ms ? w->until_ms - p->now_ms : 0;
	struct pollfd fd = {w->handle, POLLIN, 0};

	if (w->writable)
		fd.events |= POLLOUT;
	poll(&fd, 1, ms > INT_MAX ? -1 : (int)ms);
}

/* The script waits: goes on to what comes next. False: nothing does, or the run
 * does not take what the record says that it took. */
static bool
go_on(replaying *p, const cm_wait *w)
{
	const recording *r = p->record;

	if (w->busy) {
		wait_for_worker(p, w);
		return true;
	}
	if (p->heard < r->len && is_of_owner(r->line[p->heard]) &&
	    time_of(r->line[p->heard]) <= w->until_ms) {
		json line = r->line[p->heard];

		/* Timers that are due by then come first. */
		if (time_of(line) > p->now_ms) {
			p->now_ms = time_of(line);
			return true;
		}
		if (p->told > p->heard)
			return false;
		p->told = p->heard + 1;
		give_line(p, line);
		return true;
	}
	p->now_ms = w->until_ms;
	return w->until_ms != UINT64_MAX;
}

/* False: the run is over, for us. */
static bool
do_replay_step(replaying *p, const cm_step *step)
{
	switch (step->kind) {
	case CM_STEP_CALL:
		p->calls++;
		return true;
	case CM_STEP_PRINT:
		if (p->print != NULL)
			p->print(p->ctx, &step->u.print);
		return true;
	case CM_STEP_WAIT:
		p->diverged = !go_on(p, &step->u.wait);
		return !p->diverged;
	case CM_STEP_ASK: /* only with CM_RUN_ASK */
	case CM_STEP_ABORT:
		return true;
	case CM_STEP_DONE:
		p->diverged = p->heard < p->record->len;
		return false;
	}
	return false;
}

cm_status
replaying_run(replaying *p, cm_place *place, cm_done *done)
{
	cm_run_options o = p->given.options;
	cm_start start = p->given.start;
	cm_step step = {.kind = CM_STEP_WAIT};
	cm_status r;

	start.log = on_line;
	start.ctx = p;
	o.start = &start;
	o.place = place;
	r = cm_run_new(
	    p->given.catalog, buf_view(&p->given.script), &o, &p->run);
	start_watch(p->run);
	watch_next_line(p);
	while (r == CM_OK) {
		r = cm_run_next(p->run, p->now_ms, &step);
		if (r != CM_OK || p->diverged || p->cut ||
		    !do_replay_step(p, &step))
			break;
	}
	end_watch();
	if (r == CM_OK && step.kind == CM_STEP_DONE)
		*done = step.u.done;
	return r;
}
