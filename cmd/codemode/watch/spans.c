/* SPDX-License-Identifier: MIT */
/*
 * spans.c -- see spans.h.
 *
 *	          timer                    taken, refused
 *	waiting ---------> on its way ------------------> counted, forgotten
 *	                     ^     | may be taken later
 *	                     '-----' by the timer, SPANS_TRIES times in all
 */
#include "spans.h"

#include "common/monotonic.h"
#include "common/net.h"
#include "span_address.h"
#include "span_sender.h"

#include <inttypes.h>
#include <sys/random.h>
#include <time.h>

enum { BATCH_BYTES = 8 << 20, NAME_BYTES = 4096, MESSAGE_BYTES = 1024 };

#define TOOL_CALL "tools/call"

/* A script (.call 0) or a call that is not over. */
typedef struct open_span {
	uint32_t script;
	cm_call_id call;
	otlp_context id;
	unsigned char parent[OTLP_SPAN_ID];
	bool child; /* it has a parent */
	otlp_kind kind;
	uint64_t began_ns, calls, received;
	uint32_t line;
	buf server, tool;
} open_span;

/* A request; .bytes begins with otlp_open when .spans is not 0. */
typedef struct batch {
	buf bytes;
	size_t spans;
} batch;

struct spans {
	say *say;
	redactor *secrets;
	bool serving;
	uv_loop_t *loop;
	uv_timer_t timer;
	bool timer_runs, timer_open;
	const span_sender_parts *parts;
	span_sender *sender;
	span_address address;
	open_span *span;
	size_t len, cap;
	batch waiting, sent; /* sent.spans 0: none is on its way */
	bool under_way;      /* .sent is on its way; false: it waits */
	unsigned tries;      /* of .sent */
	uint64_t dropped;
	buf why; /* the last error of the collector or the network */
};

static uint64_t
epoch_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* ---------------------------------------------------------------- sending */

static void
drop_batch(spans *all, batch *b)
{
	all->dropped += b->spans;
	b->spans = 0;
	buf_clear(&b->bytes);
}

static void on_span_timer(uv_timer_t *timer);

static void
send_after(spans *all, uint64_t ms)
{
	if (all->timer_runs)
		return;
	all->timer_runs = true;
	uv_update_time(all->loop);
	uv_timer_start(&all->timer, on_span_timer, ms, 0);
}

static void
on_spans_done(void *ctx, span_fate fate, text why)
{
	spans *all = ctx;

	all->under_way = false;
	if (fate != SPAN_TAKEN) {
		buf_clear(&all->why);
		buf_text(&all->why, text_head(why, MESSAGE_BYTES));
	}
	if (fate == SPAN_LATER && all->tries < SPANS_TRIES) {
		send_after(all, (uint64_t)SPANS_EVERY_MS << (all->tries - 1));
		return;
	}
	if (fate == SPAN_TAKEN)
		all->sent.spans = 0;
	drop_batch(all, &all->sent);
	if (all->waiting.spans > 0)
		send_after(all, SPANS_EVERY_MS);
}

/* Sends .sent again, or else the waiting batch. */
static void
send_spans(spans *all)
{
	if (all->under_way)
		return;
	if (all->sent.spans == 0) {
		batch empty = all->sent;

		if (all->waiting.spans == 0)
			return;
		all->sent = all->waiting;
		all->waiting = empty;
		all->tries = 0;
		otlp_close(&all->sent.bytes);
	}
	all->tries++;
	all->under_way = all->sent.bytes.bad == CM_OK &&
			 all->parts->send(all->sender,
			     buf_view(&all->sent.bytes), on_spans_done, all);
	if (!all->under_way)
		drop_batch(all, &all->sent);
}

static void
on_span_timer(uv_timer_t *timer)
{
	spans *all = timer->data;

	all->timer_runs = false;
	send_spans(all);
}

static void
queue_span(spans *all, const otlp_span *s)
{
	batch *b = &all->waiting;
	size_t before = b->bytes.len;

	if (b->spans >= SPANS_MAX) {
		all->dropped++;
		return;
	}
	if (b->spans == 0)
		otlp_open(&b->bytes, buf_view(&all->address.service),
		    TEXT(CM_VERSION));
	otlp_put(&b->bytes, s);
	if (b->bytes.bad != CM_OK) {
		b->bytes.len = before;
		b->bytes.bad = CM_OK;
		all->dropped++;
		return;
	}
	b->spans++;
	send_after(all, SPANS_EVERY_MS);
}

/* -------------------------------------------------------------- open spans */

static open_span *
find_span(const spans *all, uint32_t script, cm_call_id call)
{
	for (size_t i = all->len; i-- > 0;)
		if (all->span[i].script == script && all->span[i].call == call)
			return &all->span[i];
	return NULL;
}

static open_span *
add_span(spans *all, const watch_event *e)
{
	void *array = all->span;
	open_span *s;

	if (!mem_grow(NULL, &array, &all->cap, all->len, sizeof(*s)))
		return NULL;
	all->span = array;
	s = &all->span[all->len++];
	*s = (open_span){.script = e->script,
	    .call = e->call,
	    .began_ns = epoch_ns(),
	    .server = BUF_INIT(NULL, NAME_BYTES),
	    .tool = BUF_INIT(NULL, NAME_BYTES)};
	must(getentropy(s->id.span, OTLP_SPAN_ID) == 0);
	s->id.sampled = true;
	return s;
}

static void
drop_span(spans *all, open_span *s)
{
	buf_fini(&s->server);
	buf_fini(&s->tool);
	*s = all->span[--all->len];
}

/* The name of a script as a tool: that by which a saved one was called. */
static void
name_script_span(const spans *all, open_span *s, const watch_event *e)
{
	const open_span *call = find_span(all, e->caller, e->caller_call);

	if (e->caller != 0 && call != NULL)
		buf_text(&s->tool, buf_view(&call->tool));
	else
		buf_str(&s->tool, "codemode");
}

/* Opens a span as a child of the client's traceparent, or as a root. */
static void
begin_script_span(spans *all, const watch_event *e)
{
	open_span *s = add_span(all, e);
	otlp_context parent;

	if (s == NULL)
		return;
	s->kind = all->serving && e->caller == 0 ? OTLP_SERVER : OTLP_INTERNAL;
	name_script_span(all, s, e);
	s->child = otlp_parent_read(e->parent, &parent);
	if (s->child) {
		memcpy(s->id.trace, parent.trace, OTLP_TRACE_ID);
		memcpy(s->parent, parent.span, OTLP_SPAN_ID);
		s->id.sampled = parent.sampled;
	} else {
		must(getentropy(s->id.trace, OTLP_TRACE_ID) == 0);
	}
}

static void
begin_call_span(spans *all, const watch_event *e)
{
	open_span *s = add_span(all, e);
	open_span *of = find_span(all, e->script, 0);

	if (s == NULL)
		return;
	if (of == NULL) {
		drop_span(all, s);
		return;
	}
	of->calls++;
	s->child = true;
	s->kind = OTLP_CLIENT;
	s->line = e->made->line;
	memcpy(s->id.trace, of->id.trace, OTLP_TRACE_ID);
	memcpy(s->parent, of->id.span, OTLP_SPAN_ID);
	s->id.sampled = of->id.sampled;
	buf_text(&s->server, e->made->space);
	buf_text(&s->tool, e->made->name);
}

/* ------------------------------------------------------------- what is said */

/* The kinds of spans that have an attribute. */
static size_t
put_attributes(const open_span *s, const watch_event *e, otlp_attribute *out)
{
	const bool protocol = s->kind != OTLP_INTERNAL;
	const bool ok = strcmp(e->how, "ok") == 0;
	const otlp_attribute list[] = {
	    {"gen_ai.operation.name", TEXT("execute_tool"), 0},
	    {"gen_ai.tool.name", buf_view(&s->tool), 0},
	    {"gen_ai.tool.type", TEXT("function"), 0},
	    {"mcp.method.name", protocol ? TEXT(TOOL_CALL) : TEXT_NONE, 0},
	    {"error.type", ok ? TEXT_NONE : text_of(e->how), 0},
	    {"codemode.server", buf_view(&s->server), 0},
	    {"codemode.call", TEXT_NONE, s->call},
	    {"code.line.number", TEXT_NONE, s->line},
	    {"codemode.received.bytes", TEXT_NONE,
		s->call != 0 ? e->bytes : s->received},
	    {"codemode.given.bytes", TEXT_NONE, s->call != 0 ? 0 : e->bytes},
	    {"codemode.calls", TEXT_NONE, s->calls},
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (list[i].words.len > 0 || list[i].number > 0)
			out[n++] = list[i];
	return n;
}

enum { ATTRIBUTES_MAX = 16 };

static void
end_span(spans *all, open_span *s, const watch_event *e)
{
	otlp_attribute about[ATTRIBUTES_MAX];
	buf name = BUF_INIT(NULL, 2 * NAME_BYTES), plain;
	buf words = BUF_INIT(NULL, MESSAGE_BYTES);
	otlp_span o = {.id = s->id,
	    .parent = s->child ? s->parent : NULL,
	    .kind = s->kind,
	    .began_ns = s->began_ns,
	    .ended_ns = epoch_ns(),
	    .attribute = about,
	    .attributes = put_attributes(s, e, about),
	    .failed = strcmp(e->how, "ok") != 0};

	buf_str(
	    &name, s->kind != OTLP_INTERNAL ? TOOL_CALL " " : "execute_tool ");
	buf_text(&name, buf_view(&s->tool));
	buf_utf8(&words, without_secrets(all->secrets, e->words, &plain),
	    MESSAGE_BYTES);
	o.name = buf_view(&name);
	o.message = buf_view(&words);
	if (s->id.sampled)
		queue_span(all, &o);
	buf_fini(&plain);
	buf_fini(&words);
	buf_fini(&name);
	drop_span(all, s);
}

/* A call that was dropped with its script has no answer. */
static void
end_script_spans(spans *all, open_span *s, const watch_event *e)
{
	const watch_event dropped = {.how = "dropped"};

	end_span(all, s, e);
	for (size_t i = all->len; i-- > 0;)
		if (all->span[i].script == e->script)
			end_span(all, &all->span[i], &dropped);
}

static void
end_call_span(spans *all, open_span *s, const watch_event *e)
{
	open_span *of = find_span(all, e->script, 0);

	if (of != NULL)
		of->received += e->bytes;
	end_span(all, s, e);
}

void
spans_write(spans *all, const watch_event *e)
{
	open_span *s = find_span(all, e->script, e->call);

	if (e->kind == WATCH_SCRIPT)
		begin_script_span(all, e);
	else if (e->kind == WATCH_CALL)
		begin_call_span(all, e);
	else if (e->kind == WATCH_ANSWER && s != NULL)
		end_call_span(all, s, e);
	else if (e->kind == WATCH_END && s != NULL)
		end_script_spans(all, s, e);
}

bool
spans_parent(const spans *all, uint32_t script, cm_call_id call,
    char out[WATCH_PARENT_MAX])
{
	const open_span *s = find_span(all, script, call);

	if (s != NULL)
		otlp_parent_write(&s->id, out);
	return s != NULL;
}

/* ------------------------------------------------------- making and freeing */

bool
spans_wanted(const char *url)
{
	return span_address_named(url);
}

bool
spans_open(const char *url, bool serving, main_loop *loop, redactor *secrets,
    say *s, spans **out)
{
	const char *why;
	spans *all;

	*out = NULL;
	if (!spans_wanted(url) || net_parts() == NULL)
		return true;
	all = mem_new(NULL, sizeof(*all));
	if (all == NULL)
		return false;
	*all = (spans){.say = s,
	    .secrets = secrets,
	    .serving = serving,
	    .loop = &loop->uv,
	    .parts = net_parts()->spans,
	    .waiting = {BUF_INIT(NULL, BATCH_BYTES), 0},
	    .sent = {BUF_INIT(NULL, BATCH_BYTES), 0},
	    .why = BUF_INIT(NULL, MESSAGE_BYTES)};
	*out = all;
	uv_timer_init(all->loop, &all->timer);
	all->timer.data = all;
	all->timer_open = true;
	why = span_address_read(&all->address, url);
	if (why == NULL) {
		all->sender = all->parts->open(all->loop, all->address.url.ptr,
		    buf_view(&all->address.headers));
		why = all->sender == NULL ? "out of memory" : NULL;
	}
	if (why != NULL)
		say_line(s, "--otlp: %s", why);
	return why == NULL;
}

/* Waits until all is sent or the time is over. */
static void
flush_spans(spans *all)
{
	uint64_t until = monotonic_ms() + SPANS_FLUSH_MS;

	while (monotonic_ms() < until &&
	       all->waiting.spans + all->sent.spans > 0) {
		send_spans(all);
		send_after(all, SPANS_FLUSH_MS / 20);
		uv_run(all->loop, UV_RUN_ONCE);
	}
	drop_batch(all, &all->sent);
	drop_batch(all, &all->waiting);
}

static void
on_span_timer_closed(uv_handle_t *timer)
{
	((spans *)timer->data)->timer_open = false;
}

void
spans_close(spans *all)
{
	if (all == NULL)
		return;
	if (all->sender != NULL) {
		flush_spans(all);
		all->parts->close(all->sender);
	}
	if (all->dropped > 0)
		say_line(all->say, "--otlp %s: %" PRIu64 " %s not sent%s%.*s",
		    all->address.url.ptr, all->dropped,
		    all->dropped == 1 ? "span was" : "spans were",
		    all->why.len > 0 ? ": " : "",
		    TEXT_ARG(buf_view(&all->why)));
	uv_close((uv_handle_t *)&all->timer, on_span_timer_closed);
	while (all->timer_open)
		uv_run(all->loop, UV_RUN_ONCE);
	while (all->len > 0)
		drop_span(all, &all->span[0]);
	mem_free(NULL, all->span, all->cap * sizeof(*all->span));
	span_address_fini(&all->address);
	buf_fini(&all->waiting.bytes);
	buf_fini(&all->sent.bytes);
	buf_fini(&all->why);
	mem_free(NULL, all, sizeof(*all));
}
