/* SPDX-License-Identifier: MIT */
/*
 * remote.c -- an engine of the port that runs in a worker process.
 *
 * An attacker may have taken the worker over, so nothing that it sends is
 * believed. wire.c reads frames and checks each length; wire.def says how often
 * each message may come; this file says in which phase; then the run's gate
 * checks the message as it does for an engine inline. A message that fails a
 * check ends the worker.
 *
 *   NEW ── HELLO ──► READY ── START sent ──► BUSY ◄──► IDLE ──► OVER
 *
 * The worker computes while BUSY. It is IDLE when it has sent IDLE and taken
 * every answer that was sent. The memory of a busy worker is sampled.
 */
#define _GNU_SOURCE
#include "place/remote.h"

#include "place/process.h"
#include "place/remote_parts.h"
#include "place/spin.h"
#include "script/script.h"
#include "wire/fence_report.h"
#include "wire/wire.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* How often a turn polls after an answer, before the owner sleeps: about 30
 * µs. */
#define LOOKS     100
#define SAMPLE_MS 20          /* from one sample of memory to the next      */
#define HELLO_MAX (64u << 10) /* bytes of HELLO                             */
#define IN_SPARE  (1u << 20)  /* bytes read beyond the longest frame        */

static uint64_t
remote_now_ms(const engine *e)
{
	return e->start.host.now_ms(e->start.host.ctx);
}

/* Why it failed, with what the command that makes the stream said to people. */
static void
put_why(engine *e, const char *why)
{
	const channel *far = e->worker.far;
	text words = far != NULL ? text_of(far->said) : TEXT_NONE;

	words = text_trim(text_sub(words, 0, utf8_bad(words)));
	if (words.len > 0)
		snprintf(e->why, sizeof(e->why), "%.190s: %.*s", why,
		    TEXT_ARG(words));
	else
		snprintf(e->why, sizeof(e->why), "%.190s", why);
}

void
remote_fail(engine *e, const char *why)
{
	if (e->phase == OVER)
		return;
	e->phase = OVER;
	e->state = ENGINE_BROKEN;
	put_why(e, why);
	e->place->port->drop(e->place, &e->worker);
}

static void
end_engine(engine *e, engine_state state)
{
	e->phase = OVER;
	e->state = state;
	e->place->port->drop(e->place, &e->worker);
}

/* Reading failed, mostly because the process ended. */
static void
fail_by_socket(engine *e, int error)
{
	char why[192];

	if (error == 0 || error == ECONNRESET || error == EPROTO)
		e->place->port->describe_end(
		    e->place, &e->worker, why, sizeof(why));
	else
		snprintf(why, sizeof(why),
		    "the sandbox process cannot be read from: %s",
		    strerror(error));
	remote_fail(e, why);
}

/* ----------------------------------------------------------- what goes out */

void
remote_queue(engine *e, const wire_msg *m)
{
	wire_put(&e->out, m);
	if (e->out.bad != CM_OK)
		remote_fail(e, "out of memory");
}

/* n more bytes are sent. buf_sent may drop bytes from the front of out: owed
 * moves with them. */
static void
note_sent(engine *e, size_t n)
{
	size_t sent = e->sent + n;

	buf_sent(&e->out, &e->sent, n);
	sent -= e->sent; /* dropped */
	e->owed = e->owed > sent ? e->owed - sent : 0;
}

static void
send_queued(engine *e)
{
	ssize_t n;

	while (e->phase != OVER && e->sent < e->out.len) {
		n = worker_send(
		    &e->worker, e->out.ptr + e->sent, e->out.len - e->sent);
		if (n > 0) {
			note_sent(e, (size_t)n);
		} else if (errno == EAGAIN) {
			return;
		} else if (errno != EINTR) {
			e->write_errno = errno; /* reading may tell why */
			note_sent(e, e->out.len - e->sent);
		}
	}
}

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Bytes of the longest message that an honest worker sends under these
 * limits. */
static uint32_t
longest_frame(const gate_limits *g)
{
	uint64_t n = larger(g->args, g->value + GATE_WRITES_MAX);

	n = larger(n, larger(GATE_FAULT_MAX, gate_print_max(g)));
	return (uint32_t)n + 4096;
}

/* What the worker's clock is to show: all ones, the time. */
static uint64_t
clock_of(const engine *e)
{
	const engine_host *h = &e->start.host;

	return h->fixed ? (uint64_t)h->epoch_us(h->ctx) : UINT64_MAX;
}

static void
put_start(engine *e)
{
	const engine_start *s = &e->start;
	const gate_limits *g = e->limits;
	uint64_t left = UINT64_MAX, now = remote_now_ms(e);
	char seed[ENGINE_SEED];

	s->host.random(s->host.ctx, seed, sizeof(seed));
	if (s->deadline_ms != UINT64_MAX)
		left = s->deadline_ms > now ? s->deadline_ms - now : 0;
	remote_queue(
	    e, &(wire_msg){WIRE_START,
		   {s->heap, s->polls, left, s->source_max,
		       (s->raw ? READ_RAW : 0u) |
			   (s->plain_last ? READ_PLAIN_LAST : 0u) |
			   (s->globals ? READ_GLOBALS : 0u) |
			   (s->call_lines ? READ_CALL_LINES : 0u) |
			   (s->sites ? READ_SITES : 0u) |
			   (s->evaluator ? READ_EVALUATOR : 0u),
		       g->calls, g->output, g->items, g->value, g->args,
		       g->tools, clock_of(e)},
		   {s->code, s->store, {seed, sizeof(seed)}, s->data}});
	e->sent_ms = now;
	e->frame_max = longest_frame(g);
	e->phase = BUSY;
	e->started = true;
}

/* ------------------------------------------------------------ what comes in */

static void
pass_to_run(engine *e, const said *m)
{
	verdict v;

	/* An honest worker's gate refuses what is over a limit: a refusal here
	 * means that the worker was taken over. */
	e->start.sink.say(e->start.sink.ctx, m, &v);
	if (v.code != NULL)
		remote_fail(e, v.why);
}

/* Adds a warning to the result. Its text needs no escape in JSON. */
static void
warn_run(engine *e, const char *what, text which)
{
	buf b = BUF_INIT(e->start.alloc, 8192);

	buf_printf(&b, "{\"message\":\"%s%.*s\",\"code\":\"Sandbox\"}", what,
	    TEXT_ARG(which));
	pass_to_run(e, &(said){.kind = SAID_WARN, .u.warn.json = buf_view(&b)});
	buf_fini(&b);
}

/* The script runs without these parts of the sandbox, and the result says
 * so. */
static void
warn_of_what_is_missing(engine *e, text fences_down)
{
	const char *unseen;

	if (fences_down.len > 0)
		warn_run(
		    e, "the script ran without these fences: ", fences_down);
	unseen = e->worker.far == NULL
		     ? e->place->port->unseen(e->place, &e->worker)
		     : NULL;
	if (unseen != NULL)
		warn_run(e,
		    "the limit of the process's memory was not watched: ",
		    text_of(unseen));
}

static void
got_hello(engine *e, const wire_msg *m)
{
	fence_report report;
	buf down = BUF_INIT(e->start.alloc, 4096);

	if (m->n[0] != WIRE_VERSION) {
		remote_fail(e, "codemode-worker is of another version");
		return;
	}
	if (!fence_report_read(m->t[0], &report)) {
		remote_fail(e, "the sandbox process reported no fences");
		return;
	}
	fence_report_say(&report, &down);
	if (e->place->require_fences && fence_report_down(&report) > 0) {
		char why[200];

		snprintf(why, sizeof(why),
		    "fences are required and do not stand: %.*s",
		    TEXT_ARG(buf_view(&down)));
		remote_fail(e, why);
	} else {
		warn_of_what_is_missing(e, buf_view(&down));
		put_start(e);
	}
	buf_fini(&down);
}

/* The worker counts timeout_ms from the moment at which it has read the script,
 * which is later than sent_ms; the place's grace covers the difference. */
static void
lower_deadline(engine *e, uint64_t timeout_ms)
{
	if (timeout_ms < UINT64_MAX - e->sent_ms &&
	    e->sent_ms + timeout_ms < e->start.deadline_ms)
		e->start.deadline_ms = e->sent_ms + timeout_ms;
}

/* A message of said.def: the run's gate checks it. */
static void
got_said(engine *e, const wire_msg *m)
{
	said s;

	if (!wire_to_said(m, &s)) {
		remote_fail(e, "the sandbox sent a number that is too large");
		return;
	}
	pass_to_run(e, &s);
	if (s.kind == SAID_PREPARED)
		lower_deadline(e, s.u.prepared.timeout_ms);
	if ((s.kind == SAID_DONE || s.kind == SAID_FAIL) && e->phase != OVER)
		end_engine(e, ENGINE_ENDED);
}

static void
got_idle(engine *e, const wire_msg *m)
{
	e->memory = m->n[1];
	if (m->n[0] > e->answers)
		remote_fail(
		    e, "the sandbox counts messages that were never sent");
	else if (m->n[0] == e->answers)
		e->phase = IDLE;
}

/* May its deadline have come, or its polls be used up? Where the polls were
 * lowered on the way, this end does not know how many there were. */
static bool
may_time_out(const engine *e, bool by_polls)
{
	if (by_polls)
		return e->worker.far != NULL || e->start.polls != UINT64_MAX;
	return e->start.deadline_ms != UINT64_MAX &&
	       remote_now_ms(e) + e->place->port->grace_ms >=
		   e->start.deadline_ms;
}

static void
got_end(engine *e, const wire_msg *m)
{
	char why[151];

	snprintf(why, sizeof(why), "%.*s", TEXT_ARG(text_head(m->t[0], 150)));
	if (utf8_bad(text_of(why)) != SIZE_MAX)
		why[0] = 0;
	e->memory = m->n[1];
	if (m->n[0] != ENGINE_TIMEOUT) {
		remote_fail(
		    e, why[0] != 0 ? why : "the sandbox ended without a word");
	} else if (may_time_out(e, why[0] != 0)) {
		snprintf(e->why, sizeof(e->why), "%s", why);
		end_engine(e, ENGINE_TIMEOUT);
	} else {
		remote_fail(e, "the sandbox ended before its time was over");
	}
}

/* For each message: its function; whether it comes before START; whether it is
 * a question. */
static const struct {
	void (*got)(engine *, const wire_msg *);
	bool when_new;
	bool asks;
} table[WIRE_KINDS] = {
    [WIRE_HELLO] = {got_hello, true, false},
    [WIRE_FIND] = {remote_got_find, false, true},
    [WIRE_NAMES] = {remote_got_names, false, true},
    [WIRE_LIST] = {remote_got_list, false, true},
    [WIRE_UNKNOWN] = {remote_got_unknown, false, true},
    [WIRE_SCHEMA] = {remote_got_schema, false, true},
    [WIRE_SEARCH] = {remote_got_search, false, true},
    [WIRE_ABOUT] = {remote_got_about, false, true},
    [WIRE_ZONE] = {remote_got_zone, false, true},
    [WIRE_TZDATA] = {remote_got_tzdata, false, true},
    [WIRE_IDLE] = {got_idle, false, false},
    [WIRE_END] = {got_end, false, false},
#define SAID(KIND, member, most, about, fields) \
	[WIRE_##KIND] = {got_said, false, false},
#include "gate/said.def"
#undef SAID
};

static void
handle_message(engine *e, const wire_msg *m)
{
	uint32_t most = wire_shape_of(m->kind)->most;

	if (table[m->kind].when_new != (e->phase == NEW))
		remote_fail(e, "the sandbox spoke out of turn");
	else if (e->phase == IDLE)
		remote_fail(e, "the sandbox spoke while it had nothing to do");
	else if (most > 0 && ++e->count[m->kind] > most)
		remote_fail(e, "the sandbox repeated itself too often");
	else if (table[m->kind].asks && !remote_may_ask(e))
		return;
	else
		table[m->kind].got(e, m);
}

/* Handles the whole frames that are there. */
static void
read_frames(engine *e)
{
	const char *why = "";
	wire_msg m;
	size_t at = 0, used;
	wire_got g = WIRE_MORE;
	char words[120];

	while (e->phase != OVER &&
	       (g = wire_get(text_sub(buf_view(&e->in), at, e->in.len), WIRE_UP,
		    e->frame_max, &m, &used, &why)) == WIRE_READ) {
		handle_message(e, &m);
		at += used;
	}
	if (e->phase != OVER && g == WIRE_WRONG) {
		snprintf(words, sizeof(words), "the sandbox sent %s", why);
		remote_fail(e, words);
	}
	buf_drop(&e->in, at);
}

/* Reads what has arrived, CHUNKS at most, so that a worker that sends without
 * end cannot keep the owner in this turn. */
static void
read_some(engine *e)
{
	enum { CHUNK = 256 << 10, CHUNKS = 64 };
	ssize_t n;
	char *room;
	int i;

	for (i = 0; i < CHUNKS && e->phase != OVER; i++) {
		if ((room = buf_room(&e->in, CHUNK)) == NULL) {
			remote_fail(
			    e, "the sandbox sent more than can be taken");
			return;
		}
		n = worker_recv(&e->worker, room, CHUNK);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n <= 0) {
			fail_by_socket(e, n < 0 ? errno : 0);
			return;
		}
		e->in.len += (size_t)n;
		read_frames(e);
		send_queued(e);
	}
}

/* A script that got an answer mostly sends its next message at once: poll for
 * it. */
static void
look_for_more(engine *e)
{
	char byte;
	ssize_t n = -1;
	int i;

	if (!e->answered)
		return;
	e->answered = false;
	if (e->phase != BUSY || e->worker.far != NULL ||
	    !spin_is_worth(&e->spin))
		return;
	for (i = 0; i < LOOKS && n < 0; i++)
		n = recv(e->worker.fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK);
	spin_was(&e->spin, n > 0);
	if (n >= 0)
		read_some(e);
}

/* ---------------------------------------------------------------- watching */

static void
check_memory(engine *e, uint64_t now)
{
	uint64_t resident;
	char fault[200];

	if (e->phase != BUSY || e->worker.pid == 0 ||
	    now - e->sampled_ms < SAMPLE_MS)
		return;
	e->sampled_ms = now;
	resident = process_resident(e->worker.pid);
	if (resident > e->memory)
		e->memory = resident;
	if (resident <= e->place->resident)
		return;
	snprintf(fault, sizeof(fault),
	    "{\"code\":\"MemoryLimit\",\"message\":\"the script's process had "
	    "%llu bytes in memory, the limit is %llu\"}",
	    (unsigned long long)resident,
	    (unsigned long long)e->place->resident);
	pass_to_run(
	    e, &(said){.kind = SAID_FAIL, .u.fail.json = text_of(fault)});
	if (e->phase != OVER)
		end_engine(e, ENGINE_ENDED);
}

static void
check_write_error(engine *e)
{
	char fault[120];

	if (e->phase == OVER || e->write_errno == 0)
		return;
	snprintf(fault, sizeof(fault),
	    "the sandbox process cannot be written to: %s",
	    strerror(e->write_errno));
	remote_fail(e, fault);
}

static void
check_clock(engine *e, uint64_t now)
{
	const place_port *port = e->place->port;

	if (e->phase == NEW && now - e->born_ms >= port->hello_ms)
		remote_fail(e, "the sandbox process did not say hello");
	if (e->phase == BUSY && e->start.deadline_ms != UINT64_MAX &&
	    now >= e->start.deadline_ms + port->grace_ms)
		end_engine(e, ENGINE_TIMEOUT);
}

/* Keeps the stream alive, and notices when it is not. */
static void
check_stream(engine *e)
{
	char why[120];
	int error;

	if (e->worker.far == NULL)
		return;
	/* The channel waits for room in the stream only while it holds bytes
	 * itself: it must not run empty while more are queued here. */
	if (e->sent < e->out.len)
		send_queued(e);
	else if ((error = channel_flush(e->worker.far)) != 0)
		e->write_errno = error;
	if (e->phase != NEW && !channel_beat(e->worker.far)) {
		snprintf(why, sizeof(why),
		    "the connection to the sandbox is lost: nothing was heard "
		    "from it for %llu ms",
		    (unsigned long long)e->worker.far->silence_ms);
		remote_fail(e, why);
	}
}

static engine_state
remote_turn(engine *e)
{
	uint64_t now;

	if (e->phase == OVER)
		return e->state;
	if (atomic_load(&e->stopped)) {
		end_engine(e, ENGINE_STOPPED);
		return e->state;
	}
	send_queued(e);
	read_some(e);
	look_for_more(e);
	if (e->phase != OVER)
		check_stream(e);
	check_write_error(e);
	now = remote_now_ms(e);
	if (e->phase != OVER)
		check_memory(e, now);
	if (e->phase != OVER)
		check_clock(e, now);
	return e->phase == OVER ? e->state : ENGINE_WAITS;
}

static uint64_t
remote_wait(const engine *e, int *handle, int *writable)
{
	const channel *far = e->worker.far;

	*handle = e->phase == OVER ? -1 : e->worker.fd;
	*writable = far == NULL && e->sent < e->out.len;
	if (e->phase == NEW)
		return e->born_ms + e->place->port->hello_ms;
	if (far != NULL && e->phase != OVER)
		return remote_now_ms(e) + channel_rest_ms(far);
	return e->phase == BUSY ? e->sampled_ms + SAMPLE_MS : UINT64_MAX;
}

/* ---------------------------------------------------------------- the port */

static void
send_delivery(engine *e, const wire_msg *m)
{
	if (e->start.host.fixed)
		remote_queue(
		    e, &(wire_msg){WIRE_TIME, {clock_of(e)}, {TEXT_NONE}});
	remote_queue(e, m);
	e->answers++;
	e->answered = true;
	if (e->phase == IDLE) {
		e->phase = BUSY;
		e->sampled_ms = remote_now_ms(e);
	}
}

static cm_status
remote_resolve(engine *e, uint32_t id, text json)
{
	if (e->phase == OVER)
		return CM_ENOCALL;
	send_delivery(e, &(wire_msg){WIRE_RESOLVE, {id}, {json}});
	return CM_OK;
}

static cm_status
remote_reject(engine *e, uint32_t id, text name, text message, text members)
{
	if (e->phase == OVER)
		return CM_ENOCALL;
	send_delivery(
	    e, &(wire_msg){WIRE_REJECT, {id}, {name, message, members}});
	return CM_OK;
}

static cm_status
remote_fire(engine *e, uint32_t timer)
{
	if (e->phase == OVER)
		return CM_ENOCALL;
	send_delivery(e, &(wire_msg){WIRE_FIRE, {timer}, {TEXT_NONE}});
	return CM_OK;
}

static void
close_remote(engine *e)
{
	e->place->port->drop(e->place, &e->worker);
	e->place->port->refill(e->place);
	if (e->wake >= 0)
		close(e->wake);
	buf_fini(&e->in);
	buf_fini(&e->out);
	mem_free(e->start.alloc, e, sizeof(*e));
}

static bool
open_wake(engine *e)
{
	if (e->worker.far == NULL)
		return true;
	e->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (e->wake < 0)
		return false;
	errno = channel_watch_also(e->worker.far, e->wake);
	return errno == 0;
}

static cm_status
open_remote(const engine_start *start, engine **out)
{
	const remote_start *where = start->where;
	engine *e = mem_new(start->alloc, sizeof(*e));
	char why[192];

	if (e == NULL)
		return CM_ENOMEM;
	e->start = *start;
	e->place = where->place;
	e->limits = where->limits;
	e->frame_max = HELLO_MAX;
	e->in = BUF_INIT(start->alloc, longest_frame(e->limits) + IN_SPARE);
	e->out = BUF_INIT(start->alloc, SIZE_MAX / 2);
	e->worker = NO_WORKER;
	e->wake = -1;
	e->state = ENGINE_WAITS;
	e->born_ms = e->sampled_ms = remote_now_ms(e);
	if (!e->place->port->take(e->place, &e->worker) || !open_wake(e)) {
		snprintf(why, sizeof(why),
		    "no process could be made for the script: %.80s: %s",
		    e->place->starts, strerror(errno));
		remote_fail(e, why);
	}
	*out = e;
	return CM_OK;
}

static void
remote_stop(engine *e)
{
	const uint64_t one = 1;
	int saved = errno;

	atomic_store(&e->stopped, true);
	if (e->wake >= 0)
		(void)!write(e->wake, &one, sizeof(one));
	else if (e->place->port->kill != NULL)
		e->place->port->kill(e->place, &e->worker);
	errno = saved;
}

static bool
remote_is_busy(const engine *e)
{
	return e->phase == NEW || e->phase == BUSY;
}

/* A worker that is IDLE sends nothing at the deadline. */
static uint64_t
remote_grace(const engine *e)
{
	return e->phase == BUSY ? e->place->port->grace_ms : 0;
}

static uint64_t
remote_behind(const engine *e)
{
	return e->out.len - e->sent;
}

static const char *
remote_why(const engine *e)
{
	return e->why;
}

static uint64_t
remote_memory(const engine *e)
{
	return e->memory;
}

static const char *
remote_fingerprint(void)
{
	return engine_script.fingerprint(); /* the worker has the same engine */
}

const engine_port engine_remote = {
    .name = "quickjs",
    .open = open_remote,
    .resolve = remote_resolve,
    .reject = remote_reject,
    .fire = remote_fire,
    .turn = remote_turn,
    .stop = remote_stop,
    .wait = remote_wait,
    .busy = remote_is_busy,
    .behind = remote_behind,
    .grace = remote_grace,
    .why = remote_why,
    .memory = remote_memory,
    .close = close_remote,
    .fingerprint = remote_fingerprint,
};
