/* SPDX-License-Identifier: MIT */
/*
 * worker_serve.c -- see worker_serve.h.
 *
 *	HELLO ─►   ◄─ START   { turn; IDLE ─►   ◄─ RESOLVE … }   DONE ─►
 *
 * While the engine computes, its questions (what is tools.x?) go over the wire,
 * and the run answers each at once. Other messages that arrive meanwhile are
 * kept for the end of the turn.
 */
#define _GNU_SOURCE
#include "worker_serve.h"

#include "gate/gate.h"
#include "host/system.h"
#include "place/spin.h"
#include "script/script.h"
#include "wire/wire.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Output is sent when there are FLUSH_BYTES of it, or FLUSH_NS after the
 * last. */
#define FLUSH_BYTES (64u << 10)
#define FLUSH_NS    5000000u

/* How often the socket is polled before the worker sleeps: about 50 µs. */
#define LOOKS 200

enum { ZONES = 16 };

/* START's epoch of a run whose clock shows the time. */
#define CLOCK_RUNS (-1)

/* An offset in seconds, and the seconds since 1970 from and before which it
 * holds. */
typedef struct zone_span {
	int64_t from, before;
	int32_t offset;
} zone_span;

typedef struct server {
	int in_fd, out_fd;
	buf in;       /* what arrived; the engine may borrow of it       */
	size_t taken; /* bytes of in that are handled                    */
	buf later;    /* what arrived while a question was pending      */
	buf answer;   /* the answer to the last question                */
	buf out;
	uint64_t flushed_ns;        /* when out was sent last */
	uint64_t answers;           /* messages taken, for IDLE */
	uint32_t asked[WIRE_KINDS]; /* questions, by their kind */
	bool gone; /* the run closed the socket, or sent a malformed frame */
	spin spin;

	uint64_t deadline_ms; /* on worker_now_ms; UINT64_MAX: none */
	uint64_t polls;       /* the interrupt budget */
	uint64_t capped_ms;   /* a limit of this end of a stream; UINT64_MAX:
	                         none below the run's */
	gate gate;
	buf timers; /* a byte for each: 1 when it has fired or was cleared */
	buf args;   /* of each call, a uint64_t: bytes of its arguments    */
	engine *engine;
	uint8_t seed[ENGINE_SEED];
	int64_t
	    epoch_us; /* what the clock shows until TIME comes; CLOCK_RUNS */
	zone_span zone[ZONES];
	unsigned zones;
} server;

/* ----------------------------------------------------------------- bytes */

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The run is gone: end the script without output. */
static void
abandon_script(server *s)
{
	s->gone = true;
	if (s->engine != NULL)
		engine_script.stop(s->engine);
}

static void
send_output(server *s)
{
	size_t sent = 0;
	ssize_t n;

	while (sent < s->out.len && !s->gone) {
		n = write(s->out_fd, s->out.ptr + sent, s->out.len - sent);
		if (n > 0)
			sent += (size_t)n;
		else if (n == 0 || errno != EINTR)
			abandon_script(s);
	}
	buf_clear(&s->out);
	s->flushed_ns = now_ns();
}

/* Polls the socket LOOKS times. -1 with EAGAIN: nothing came. */
static ssize_t
try_reads(server *s, char *room, size_t size)
{
	ssize_t n = -1;
	int i;

	errno = EAGAIN;
	if (!spin_is_worth(&s->spin))
		return n;
	for (i = 0; i < LOOKS && n < 0 && errno == EAGAIN; i++)
		n = recv(s->in_fd, room, size, MSG_DONTWAIT);
	spin_was(&s->spin, n > 0);
	return n;
}

/* Blocks for more bytes at the end of b. */
static bool
receive_bytes(server *s, buf *b)
{
	enum { CHUNK = 64 << 10 };
	char *room = buf_room(b, CHUNK);
	ssize_t n;

	if (room == NULL || s->gone)
		return false;
	n = try_reads(s, room, CHUNK);
	while (n < 0 && (errno == EINTR || errno == EAGAIN))
		n = recv(s->in_fd, room, CHUNK, 0);
	if (n <= 0)
		return false;
	b->len += (size_t)n;
	return true;
}

static void
queue_message(server *s, const wire_msg *m)
{
	wire_put(&s->out, m);
	if (s->out.bad != CM_OK)
		abandon_script(s);
}

/* Moves the answer at 'at' from 'later' to 'answer', and reads it. */
static bool
take_reply(server *s, size_t at, size_t used, wire_msg *answer)
{
	const char *why;
	size_t whole;

	buf_clear(&s->answer);
	buf_add(&s->answer, s->later.ptr + at, used);
	memmove(s->later.ptr + at, s->later.ptr + at + used,
	    s->later.len - at - used);
	s->later.len -= used;
	return s->answer.bad == CM_OK &&
	       wire_get(buf_view(&s->answer), WIRE_DOWN, WIRE_MAX, answer,
		   &whole, &why) == WIRE_READ;
}

/* Sends a question and waits for its answer, which is borrowed until the next
 * question. Answers to calls that come in between are kept for later. False:
 * there is no answer. */
static bool
ask_run(server *s, const wire_msg *question, wire_kind wanted, wire_msg *answer)
{
	const char *why;
	size_t at = 0, used;

	/* The run ends a worker that asks more often than that. */
	if (s->asked[question->kind] >= wire_shape_of(question->kind)->most)
		return false;
	s->asked[question->kind]++;
	queue_message(s, question);
	send_output(s);
	/* The engine borrows of 'in' before 'taken', so that 'in' may not move:
	 * new bytes go to 'later'. */
	buf_text(&s->later, text_sub(buf_view(&s->in), s->taken, s->in.len));
	if (s->in.len > s->taken)
		s->in.len = s->taken;
	while (!s->gone) {
		text rest = text_sub(buf_view(&s->later), at, s->later.len);

		switch (
		    wire_get(rest, WIRE_DOWN, WIRE_MAX, answer, &used, &why)) {
		case WIRE_MORE:
			if (!receive_bytes(s, &s->later))
				abandon_script(s);
			continue;
		case WIRE_WRONG:
			abandon_script(s);
			continue;
		case WIRE_READ:
			break;
		}
		if (answer->kind == wanted)
			return take_reply(s, at, used, answer);
		at += used;
	}
	return false;
}

/* ----------------------------------------------------- the engine's tools */

static engine_found
ask_find(void *ctx, int32_t space, text name, uint32_t *index, buf *ident)
{
	server *s = ctx;
	wire_msg q = {
	    .kind = WIRE_FIND, .n = {(uint64_t)(int64_t)space}, .t = {name}};
	wire_msg a;

	if (!ask_run(s, &q, WIRE_FOUND, &a))
		return FOUND_NOTHING;
	*index = (uint32_t)a.n[1];
	buf_text(ident, a.t[0]);
	return a.n[0] <= FOUND_SPREAD ? (engine_found)a.n[0] : FOUND_NOTHING;
}

static void
ask_text(server *s, const wire_msg *q, buf *out)
{
	wire_msg a;

	if (ask_run(s, q, WIRE_TEXT, &a))
		buf_text(out, a.t[0]);
}

static void
ask_names(void *ctx, int32_t space, buf *out)
{
	wire_msg q = {.kind = WIRE_NAMES, .n = {(uint64_t)(int64_t)space}};

	ask_text(ctx, &q, out);
}

static void
ask_list(void *ctx, buf *out)
{
	wire_msg q = {.kind = WIRE_LIST};

	ask_text(ctx, &q, out);
}

static void
ask_unknown(void *ctx, int32_t space, text name, buf *out)
{
	wire_msg q = {
	    .kind = WIRE_UNKNOWN, .n = {(uint64_t)(int64_t)space}, .t = {name}};

	ask_text(ctx, &q, out);
}

static void
ask_schema(void *ctx, uint32_t tool, buf *out)
{
	wire_msg q = {.kind = WIRE_SCHEMA, .n = {tool}};

	ask_text(ctx, &q, out);
}

static void
ask_search(void *ctx, text question, text space, uint32_t limit, buf *out)
{
	wire_msg q = {
	    .kind = WIRE_SEARCH, .n = {limit}, .t = {question, space}};

	ask_text(ctx, &q, out);
}

static void
ask_about(void *ctx, text written, buf *out)
{
	wire_msg q = {.kind = WIRE_ABOUT, .t = {written}};

	ask_text(ctx, &q, out);
}

/* ------------------------------------------------------- the engine's host */

/* The engine reads the clock while it computes, so this sends what was printed
 * before a long loop. */
static uint64_t
worker_now_ms(void *ctx)
{
	server *s = ctx;
	uint64_t now = now_ns();

	if (s->out.len > 0 && now - s->flushed_ns > FLUSH_NS)
		send_output(s);
	return now / 1000000;
}

static int64_t
worker_epoch_us(void *ctx)
{
	const server *s = ctx;
	engine_host h = system_host();

	return s->epoch_us == CLOCK_RUNS ? h.epoch_us(h.ctx) : s->epoch_us;
}

/* The seed of all randomness comes from the run. */
static void
worker_random(void *ctx, void *bytes, size_t len)
{
	server *s = ctx;

	must(len == sizeof(s->seed));
	memcpy(bytes, s->seed, len);
}

/* Behind the fences no time zone file can be read: the run answers, and says
 * how long the offset holds. */
static int32_t
worker_zone(void *ctx, int64_t at)
{
	server *s = ctx;
	wire_msg q = {.kind = WIRE_ZONE, .n = {(uint64_t)at}}, a;
	zone_span *z;
	unsigned i;

	for (i = 0; i < s->zones; i++)
		if (at >= s->zone[i].from && at < s->zone[i].before)
			return s->zone[i].offset;
	if (!ask_run(s, &q, WIRE_OFFSET, &a))
		return 0;
	z = &s->zone[s->zones < ZONES ? s->zones++ : (unsigned)at % ZONES];
	*z = (zone_span){
	    (int64_t)a.n[1], (int64_t)a.n[2], (int32_t)(int64_t)a.n[0]};
	return z->offset;
}

static void
worker_zone_file(void *ctx, text name, buf *out)
{
	wire_msg q = {.kind = WIRE_TZDATA, .t = {name}};

	ask_text(ctx, &q, out);
}

/* ----------------------------------------------------- what the engine says */

/* The gate counts the timers that are pending. */
static void
timer_over(server *s, uint64_t id)
{
	if (id == 0 || id > s->timers.len || s->timers.ptr[id - 1] != 0)
		return;
	s->timers.ptr[id - 1] = 1;
	s->gate.timers_over++;
}

static void
call_over(server *s, uint64_t id)
{
	const size_t size = sizeof(uint64_t);
	uint64_t bytes = 0;
	char *at;

	if (id == 0 || id > s->args.len / size)
		return;
	at = s->args.ptr + (id - 1) * size;
	memcpy(&bytes, at, size);
	memset(at, 0, size);
	gate_call_over(&s->gate, bytes);
}

/* Keeps what the gate counts as pending. */
static void
count_pending(server *s, const said *m)
{
	uint64_t bytes = m->u.call.args.len;

	switch ((int)m->kind) {
	case SAID_CALL:
		buf_add(&s->args, &bytes, sizeof(bytes));
		break;
	case SAID_CANCEL:
		call_over(s, m->u.cancel.id);
		break;
	case SAID_TIMER:
		buf_byte(&s->timers, 0);
		break;
	case SAID_CLEAR:
		timer_over(s, m->u.clear.id);
		break;
	}
	if (s->args.bad != CM_OK || s->timers.bad != CM_OK)
		abandon_script(s);
}

/* The run has a gate, too; this one gives the script its verdict at once. */
static void
worker_say(void *ctx, const said *m, verdict *v)
{
	server *s = ctx;
	wire_msg w;

	if (gate_check(&s->gate, m, v) != GATE_PASS)
		return;
	count_pending(s, m);
	w = wire_of_said(m);
	if (m->kind == SAID_PREPARED && s->capped_ms < w.n[0])
		w.n[0] = s->capped_ms;
	queue_message(s, &w);
	if (s->out.len >= FLUSH_BYTES || now_ns() - s->flushed_ns > FLUSH_NS)
		send_output(s);
}

/* ------------------------------------------------------------------ the run */

static bool
next_message(server *s, wire_msg *m)
{
	const char *why;
	size_t used;

	for (;;) {
		text rest = text_sub(buf_view(&s->in), s->taken, s->in.len);

		switch (wire_get(rest, WIRE_DOWN, WIRE_MAX, m, &used, &why)) {
		case WIRE_READ:
			s->taken += used;
			return true;
		case WIRE_WRONG:
			return false;
		case WIRE_MORE:
			if (!receive_bytes(s, &s->in))
				return false;
		}
	}
}

/* Has another whole message arrived? */
static bool
has_message(const server *s)
{
	wire_msg m;
	size_t used;
	const char *why;

	return wire_get(text_sub(buf_view(&s->in), s->taken, s->in.len),
		   WIRE_DOWN, WIRE_MAX, &m, &used, &why) == WIRE_READ;
}

static bool
start_engine(server *s, const wire_msg *m)
{
	gate_limits limits = {.tools = (uint32_t)m->n[START_TOOLS],
	    .calls = m->n[START_CALLS],
	    .output = m->n[START_OUTPUT],
	    .items = m->n[START_ITEMS],
	    .value = m->n[START_VALUE],
	    .args = m->n[START_ARGS]};
	engine_start start = {
	    .code = m->t[0],
	    .tools = {s, ask_find, ask_names, ask_list, ask_unknown, ask_schema,
		ask_search, ask_about},
	    .host = {s, worker_now_ms, worker_epoch_us, worker_random,
		worker_zone, worker_zone_file, true,
		(int64_t)m->n[START_EPOCH_US] != CLOCK_RUNS},
	    .sink = {s, worker_say},
	    .store = m->t[1],
	    .data = m->t[3],
	    .heap = m->n[START_HEAP],
	    .polls = m->n[START_POLLS],
	    .deadline_ms = UINT64_MAX,
	    .source_max = m->n[START_SOURCE],
	    .raw = (m->n[START_READING] & READ_RAW) != 0,
	    .plain_last = (m->n[START_READING] & READ_PLAIN_LAST) != 0,
	    .globals = (m->n[START_READING] & READ_GLOBALS) != 0,
	    .call_lines = (m->n[START_READING] & READ_CALL_LINES) != 0,
	    .sites = (m->n[START_READING] & READ_SITES) != 0,
	    .evaluator = (m->n[START_READING] & READ_EVALUATOR) != 0,
	};

	if (m->kind != WIRE_START || m->t[2].len != sizeof(s->seed))
		return false;
	gate_init(&s->gate, &limits);
	memcpy(s->seed, m->t[2].ptr, sizeof(s->seed));
	s->polls = m->n[START_POLLS];
	s->capped_ms = (m->n[START_READING] & READ_CAPPED_MS) != 0
			   ? m->n[START_LEFT_MS]
			   : UINT64_MAX;
	s->epoch_us = (int64_t)m->n[START_EPOCH_US];
	if (m->n[START_LEFT_MS] != UINT64_MAX)
		start.deadline_ms = worker_now_ms(s) + m->n[START_LEFT_MS];
	s->deadline_ms = start.deadline_ms;
	return engine_script.open(&start, &s->engine) == CM_OK;
}

/* Memory is refused when this process may have no more of it, so the script is
 * over its limit. */
static void
say_no_memory(server *s)
{
	verdict v;

	worker_say(s,
	    &(said){.kind = SAID_FAIL,
		.u.fail.json =
		    TEXT("{\"code\":\"MemoryLimit\",\"name\":"
			 "\"InternalError\",\"message\":\"out of memory\"}")},
	    &v);
}

/* A timeout before the deadline: the interrupt budget is used up. It may have
 * been lowered on the way, so the run does not know it. */
static void
put_end(server *s, engine_state state, const char *why)
{
	char polls[80];

	if (state == ENGINE_TIMEOUT && s->polls != UINT64_MAX &&
	    worker_now_ms(s) < s->deadline_ms) {
		snprintf(polls, sizeof(polls),
		    "Execution exceeded its interrupt budget of %llu",
		    (unsigned long long)s->polls);
		why = polls;
	}
	queue_message(
	    s, &(wire_msg){WIRE_END, {state, engine_script.memory(s->engine)},
		   {text_of(why ? why : "")}});
	send_output(s);
}

/* Ends the run when an answer found no memory: the script would wait for it for
 * ever. An answer for a call that is over is ignored. */
static void
check_delivery(server *s, cm_status r)
{
	if (r != CM_ENOMEM)
		return;
	put_end(s, ENGINE_BROKEN, "out of memory");
	abandon_script(s);
}

static void
accept_delivery(server *s, const wire_msg *m)
{
	const engine_port *port = &engine_script;
	uint32_t id = (uint32_t)m->n[0];

	switch ((int)m->kind) {
	case WIRE_RESOLVE:
		call_over(s, m->n[0]);
		check_delivery(s, port->resolve(s->engine, id, m->t[0]));
		break;
	case WIRE_REJECT:
		call_over(s, m->n[0]);
		check_delivery(
		    s, port->reject(s->engine, id, m->t[0], m->t[1], m->t[2]));
		break;
	case WIRE_FIRE:
		timer_over(s, m->n[0]);
		check_delivery(s, port->fire(s->engine, id));
		break;
	default:
		abandon_script(s);
	}
}

/* After a turn the engine borrows nothing of 'in': drop what is handled, append
 * what arrived meanwhile. */
static void
forget_taken(server *s)
{
	buf_drop(&s->in, s->taken);
	s->taken = 0;
	buf_text(&s->in, buf_view(&s->later));
	buf_clear(&s->later);
}

/* Waits for an answer and hands over all that have arrived. False: the run is
 * over. */
static bool
wait_for_answers(server *s)
{
	wire_msg m;

	queue_message(
	    s, &(wire_msg){WIRE_IDLE,
		   {s->answers, engine_script.memory(s->engine)}, {TEXT_NONE}});
	send_output(s);
	do {
		if (!next_message(s, &m))
			return false;
		if (m.kind == WIRE_TIME) {
			s->epoch_us = (int64_t)m.n[0];
		} else {
			accept_delivery(s, &m);
			s->answers++;
		}
	} while (!s->gone && (m.kind == WIRE_TIME || has_message(s)));
	return !s->gone;
}

static void
run_to_end(server *s)
{
	engine_state state;

	for (;;) {
		state = engine_script.turn(s->engine);
		forget_taken(s);
		if (state != ENGINE_WAITS)
			break;
		if (!wait_for_answers(s))
			return;
	}
	if (state == ENGINE_NO_MEMORY)
		say_no_memory(s);
	else if (state != ENGINE_ENDED)
		put_end(s, state, engine_script.why(s->engine));
	send_output(s);
}

void
serve_prepare(void)
{
	engine_script.prepare();
}

int
serve(int in, int out, text fences)
{
	server s = {.in_fd = in, .out_fd = out};
	wire_msg m = {WIRE_HELLO, {WIRE_VERSION},
	    {fences, text_of(engine_script.fingerprint())}};
	buf start = BUF_INIT(NULL, SIZE_MAX / 2);
	int result = 1;

	s.spin.skip = 1; /* a spare waits long for START: sleep at once */
	s.in = BUF_INIT(NULL, SIZE_MAX / 2);
	s.later = BUF_INIT(NULL, SIZE_MAX / 2);
	s.answer = BUF_INIT(NULL, SIZE_MAX / 2);
	s.timers = BUF_INIT(NULL, 1u << 30);
	s.args = BUF_INIT(NULL, 1u << 30);
	s.out = BUF_INIT(NULL, SIZE_MAX / 2);
	queue_message(&s, &m);
	send_output(&s);
	if (next_message(&s, &m)) {
		/* The engine borrows the script until it is closed. */
		start = s.in;
		s.in = BUF_INIT(NULL, SIZE_MAX / 2);
		buf_add(&s.in, start.ptr + s.taken, start.len - s.taken);
		s.taken = 0;
		if (start_engine(&s, &m)) {
			run_to_end(&s);
			result = s.gone;
		}
	}
	if (s.engine != NULL)
		engine_script.close(s.engine);
	buf_fini(&start);
	buf_fini(&s.in);
	buf_fini(&s.later);
	buf_fini(&s.answer);
	buf_fini(&s.timers);
	buf_fini(&s.args);
	buf_fini(&s.out);
	return result;
}
