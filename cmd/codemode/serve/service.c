/* SPDX-License-Identifier: MIT */
/*
 * service.c -- the tools and the scripts behind all clients of `serve`.
 *
 * A script waits until each server that it can name is up or has failed, and
 * while SCRIPTS_MAX others run. The list of tools waits once for all servers
 * whose tools are not known from the last time, so that a client's first look
 * shows them. From then on it is offered again whenever its text has changed.
 */
#include "service.h"

#include "common/monotonic.h"
#include "menu.h"
#include "session.h"

#include "mcp/serve_tool.h"

enum {
	SCRIPTS_MAX = 64,     /* at once; further ones wait            */
	WALL_MS = 300 * 1000, /* what a script gets without --timeout  */
	PROGRESS_MS = 100,    /* no more often is a client told        */
	BEAT_MS = 2000,       /* ms between notifications of progress at most */
	REST_MS = 200,        /* ms until servers start whose tools are known */
	NOTE_MAX = 1024,      /* bytes of a tool's message             */
	TOOL_MAX_BYTES = 16 << 20,
	RESULT_MAX_BYTES = 128 << 20
};

/* A script that was ordered and is not over. */
typedef struct order {
	struct order *next;
	struct session *client; /* NULL: it went away */
	uint32_t number;        /* no two orders of a service share it */
	uint32_t request;       /* of the client, as mcp_asked.request */
	bool begun;
	bool passes_progress;  /* what the one tool of the order says; else the
	                         calls of the script are counted */
	service_script script; /* its buffers are empty once it has begun */
	uint32_t calls_begun, calls_ended;
	uint32_t notes; /* what happened since one of these two changed */
	bool news;      /* the client was not told of the latest */
	uint64_t told_ms;
	buf note;   /* the last progress message of a tool; may be empty */
	buf result; /* of a direct call, as its server sent it; may be empty */
} order;

uint64_t
service_wall_ms(const service *s)
{
	return s->options->limits.wall_ms != 0 ? s->options->limits.wall_ms
					       : WALL_MS;
}

/* ----------------------------------------------------------------- orders */

static void
free_texts(order *o)
{
	buf_fini(&o->script.code);
	buf_fini(&o->script.data);
}

static order *
order_numbered(const service *s, uint32_t number)
{
	order *o = s->orders;

	while (o->number != number)
		o = o->next;
	return o;
}

static void
remove_order(service *s, order *o)
{
	order **at = &s->orders;

	while (*at != o)
		at = &(*at)->next;
	*at = o->next;
	free_texts(o);
	buf_fini(&o->note);
	buf_fini(&o->result);
	mem_free(NULL, o, sizeof(*o));
}

bool
service_order(service *s, struct session *client, uint32_t request,
    service_script *script)
{
	order *o = mem_new(NULL, sizeof(*o)), **at = &s->orders;
	text code;

	if (o == NULL)
		return false;
	*o = (order){.client = client,
	    .number = ++s->last_order,
	    .request = request,
	    .passes_progress = script->direct,
	    .script = *script,
	    .told_ms = monotonic_ms(),
	    .note = BUF_INIT(NULL, NOTE_MAX),
	    .result = BUF_INIT(NULL, RESULT_MAX_BYTES)};
	while (*at != NULL)
		at = &(*at)->next;
	*at = o;
	code = buf_view(&o->script.code);
	if (!o->script.named)
		upstream_want(s->upstream, &code);
	return true;
}

void
service_cancel(
    service *s, struct session *client, uint32_t request, text reason)
{
	order *next;

	for (order *o = s->orders; o != NULL; o = next) {
		next = o->next;
		if (o->client != client ||
		    (request != 0 && o->request != request))
			continue;
		if (o->begun) {
			o->client = NULL;
			scripts_cancel(&s->scripts, o->number, reason);
		} else {
			remove_order(s, o);
		}
	}
}

static void
on_order_over(void *ctx, uint32_t number, cm_run *run, const cm_done *done,
    cm_status status)
{
	service *s = ctx;
	order *o = order_numbered(s, number);

	s->ending = number;
	if (o->client != NULL && o->script.direct)
		session_direct_over(
		    o->client, o->request, buf_view(&o->result), done, status);
	else if (o->client != NULL)
		session_script_over(o->client, o->request, run, done, status);
	remove_order(s, o);
}

bool
service_direct(const service *s, text name, text *path)
{
	return direct_find(&s->direct, name, path);
}

static void
on_order_answered(void *ctx, uint32_t number, const mcp_answer *answer)
{
	order *o = order_numbered(ctx, number);

	if (o->script.direct)
		buf_text(&o->result, answer->result);
}

void
service_tell_cut(const service *s, uint64_t bytes)
{
	watch_tell(s->scripts.watch, (watch_event){.kind = WATCH_CUT,
					 .script = s->ending,
					 .how = "the answer",
					 .bytes = bytes});
}

/* --------------------------------------------------------------- progress */

/*
 * A client that gives up after a silence is told how many calls have begun and
 * ended, and what tools say of themselves; when nothing happens, that time
 * passes. The number only grows: the calls, and a little for each note between
 * two of them.
 */
static void
tell_progress(order *o, uint64_t now)
{
	buf message = BUF_INIT(NULL, NOTE_MAX + 100);
	uint32_t notes = o->notes < 999 ? o->notes : 999;

	if (o->begun)
		buf_printf(&message, "%u of %u calls done", o->calls_ended,
		    o->calls_begun);
	else
		buf_str(&message, "it has not begun yet");
	if (o->note.len > 0)
		buf_printf(&message, "; %.*s", TEXT_ARG(buf_view(&o->note)));
	session_progress(o->client, o->request,
	    (double)(o->calls_begun + o->calls_ended) + notes / 1000.0, 0,
	    buf_view(&message));
	buf_fini(&message);
	o->news = false;
	o->told_ms = now;
}

static bool
wants_progress(const order *o)
{
	return o->script.progress && o->client != NULL && !o->passes_progress;
}

static void
on_progress_beat(uv_timer_t *beat)
{
	main_loop_due(beat->loop);
}

/* Tells the scripts that are due, and sets the time of the next ones. */
static void
tell_all_progress(service *s)
{
	uint64_t now = monotonic_ms(), next = s->rest_at;

	for (order *o = s->orders; o != NULL; o = o->next) {
		uint64_t due;

		if (!wants_progress(o))
			continue;
		due = o->told_ms + (o->news ? PROGRESS_MS : BEAT_MS);
		if (now >= due) {
			o->notes += !o->news;
			tell_progress(o, now);
			due = now + BEAT_MS;
		}
		next = due < next ? due : next;
	}
	if (next == UINT64_MAX) {
		uv_timer_stop(&s->beat);
		return;
	}
	uv_update_time(&s->upstream->loop->uv);
	uv_timer_start(
	    &s->beat, on_progress_beat, next > now ? next - now : 0, 0);
}

static void
on_order_calls(void *ctx, uint32_t number, uint32_t begun, uint32_t ended)
{
	order *o = order_numbered(ctx, number);

	o->calls_begun = begun;
	o->calls_ended = ended;
	o->notes = 0;
	o->news = true;
	buf_clear(&o->note);
}

static void
on_order_progress(void *ctx, uint32_t number, cm_call_id call, double progress,
    double total, text message)
{
	order *o = order_numbered(ctx, number);

	(void)call;
	if (o->passes_progress && o->client != NULL)
		session_progress(
		    o->client, o->request, progress, total, message);
	buf_clear(&o->note);
	buf_printf(&o->note, "%.15g", progress);
	if (total > 0)
		buf_printf(&o->note, " of %.15g", total);
	if (message.len > 0)
		buf_printf(&o->note, ": %.*s",
		    TEXT_ARG(text_head(message, NOTE_MAX / 2)));
	o->notes++;
	o->news = true;
}

/* A server asks the client of the script whose call it is. */
static bool
on_order_asked(void *ctx, uint32_t number, const upstream_question *q)
{
	order *o = order_numbered(ctx, number);

	return o->client != NULL &&
	       (mcp_offer_of(q->method, q->params) & o->script.takes) != 0 &&
	       session_pass_on(o->client, o->request, q);
}

/* What a script prints is in its answer; a client may follow it in its log. */
static void
on_order_print(void *ctx, uint32_t number, const cm_print *print)
{
	const order *o = order_numbered(ctx, number);

	if (o->client != NULL &&
	    (print->kind == CM_PRINT_TEXT || print->kind == CM_PRINT_CONSOLE))
		session_log(o->client, o->request, print->text);
}

/* ------------------------------------------------------------- permission */

static void
on_order_ask(
    void *ctx, uint32_t number, uint32_t caller, cm_call_id call, text words)
{
	service *s = ctx;
	const order *o = order_numbered(s, number);

	if (o->client == NULL || !o->script.can_ask ||
	    !session_ask(o->client, o->request, caller, call, words))
		scripts_decide(&s->scripts, caller, call, PERMIT_UNASKED);
}

/* ---------------------------------------------------------------- scripts */

static cm_status
begin_order(service *s, order *o)
{
	cm_run_options run_options = scripts_run_options(&s->scripts);
	cm_catalog *catalog = o->script.direct ? upstream_direct(s->upstream)
					       : upstream_catalog(s->upstream);
	text code = buf_view(&o->script.code);
	buf store = BUF_INIT(NULL, STORE_FILE_MAX);
	cm_run *run = NULL;
	cm_status r;

	run_options.limits.wall_ms = o->script.wall_ms;
	run_options.data = buf_view(&o->script.data);
	run_options.store = session_store(o->client, &store);
	r = catalog != NULL ? cm_run_new(catalog, code, &run_options, &run)
			    : CM_ENOMEM;
	buf_fini(&store);
	if (r != CM_OK)
		return r;
	upstream_absent(
	    s->upstream, &code, (upstream_sink){upstream_warn_run, run});
	if (upstream_is_saved(s->upstream, TEXT(SAVED_SPACE)) &&
	    direct_is_within(code, TEXT(SAVED_SPACE)))
		o->passes_progress = false;
	o->begun = scripts_start(
	    &s->scripts, o->number, run, code, text_of(o->script.parent));
	o->told_ms = monotonic_ms() - PROGRESS_MS;
	if (!o->begun)
		cm_run_free(run);
	else if (o->script.direct)
		scripts_give_args(&s->scripts, o->number, &o->script.data);
	free_texts(o);
	return o->begun ? CM_OK : CM_ENOMEM;
}

/* A long script is searched for names only while some server starts. */
static bool
has_its_servers(const service *s, const order *o)
{
	text code = buf_view(&o->script.code);

	return upstream_ready(s->upstream, NULL) ||
	       upstream_ready(s->upstream, &code);
}

static bool
may_begin(const service *s, const order *o)
{
	return o->script.named ? s->tool.len > 0 : has_its_servers(s, o);
}

/* Sets the script of a call by name, when the tool is known by now. False:
 * there is no such tool. */
static bool
find_named(service *s, order *o)
{
	buf code = BUF_INIT(NULL, TOOL_MAX_BYTES);
	text path;

	if (!direct_find(&s->direct, buf_view(&o->script.code), &path))
		return false;
	direct_script(path, &code);
	buf_fini(&o->script.code);
	o->script.code = code;
	o->script.named = false;
	path = buf_view(&code);
	upstream_want(s->upstream, &path);
	return true;
}

static order *
next_to_begin(const service *s)
{
	size_t begun = 0;

	for (order *o = s->orders; o != NULL; o = o->next)
		begun += o->begun;
	for (order *o = s->orders; o != NULL && begun < SCRIPTS_MAX;
	     o = o->next)
		if (!o->begun && may_begin(s, o))
			return o;
	return NULL;
}

static void
begin_orders(service *s)
{
	order *o;

	while ((o = next_to_begin(s)) != NULL) {
		cm_status r = CM_OK;

		if (!o->script.named)
			r = begin_order(s, o);
		else if (find_named(s, o))
			continue;
		else
			session_unknown_tool(
			    o->client, o->request, buf_view(&o->script.code));
		if (o->begun)
			continue;
		if (r != CM_OK)
			session_script_over(
			    o->client, o->request, NULL, NULL, r);
		remove_order(s, o);
	}
}

/* --------------------------------------------------------------- the tools */

static void
about_server(void *ctx, text space, buf *out)
{
	upstream_about(ctx, space, out);
}

static uint32_t
uses_of_tool(void *ctx, const cm_tool *t)
{
	return upstream_used(ctx, t);
}

static cm_status
write_outer_tools(service *s, buf *tool)
{
	const service_options *o = s->options;
	const menu_facts facts = {s->upstream, about_server, uses_of_tool};
	buf catalog = BUF_INIT(NULL, TOOL_MAX_BYTES), example = catalog;
	cm_catalog *tools = upstream_catalog(s->upstream);
	cm_status r = tools != NULL ? CM_OK : CM_ENOMEM;

	if (r == CM_OK)
		r = menu(tools,
		    o->catalog_tokens ? o->catalog_tokens : MENU_TOKENS, &facts,
		    &catalog);
	if (r == CM_OK)
		r = menu_example(tools, &example);
	if (r == CM_OK) {
		const serve_about about = {o->instructions, buf_view(&example),
		    buf_view(&catalog), upstream_direct(s->upstream) != NULL};

		serve_tool(tool, &about, service_wall_ms(s));
		r = tool->bad;
	}
	s->own = tool->len;
	if (r == CM_OK && upstream_direct(s->upstream) != NULL)
		r = direct_make(&s->direct, upstream_direct(s->upstream), tool);
	if (r == CM_OK)
		r = tool->bad;
	buf_fini(&catalog);
	buf_fini(&example);
	return r;
}

static cm_status
offer_tool(service *s)
{
	buf tool = BUF_INIT(NULL, TOOL_MAX_BYTES);
	cm_status r = write_outer_tools(s, &tool);

	if (r != CM_OK || text_eq(buf_view(&tool), buf_view(&s->tool))) {
		buf_fini(&tool);
		return r;
	}
	buf_fini(&s->tool);
	s->tool = tool;
	for (session *c = s->sessions; c != NULL && r == CM_OK; c = c->next)
		r = session_offer(c);
	return r;
}

static void
offer_tool_when_ready(service *s)
{
	cm_status r;

	if (!s->stale || (s->tool.len == 0 && !upstream_listed(s->upstream)))
		return;
	s->stale = false;
	r = offer_tool(s);
	if (r == CM_OK)
		return;
	say_line(s->say, "serve: %s", cm_status_text(r));
	s->broken = true;
}

static void
on_catalog_changed(void *ctx)
{
	service *s = ctx;

	s->stale = true;
	main_loop_due(&s->upstream->loop->uv);
}

static void
on_server_log(void *ctx, text server, const mcp_event *event)
{
	const service *s = ctx;

	for (session *c = s->sessions; c != NULL; c = c->next)
		session_server_log(c, server, event);
}

/* ---------------------------------------------------------- for the owner */

void
service_turn(service *s)
{
	if (s->rest_at <= monotonic_ms()) {
		s->rest_at = UINT64_MAX;
		upstream_want(s->upstream, NULL);
	}
	offer_tool_when_ready(s);
	begin_orders(s);
	scripts_turn(&s->scripts);
	tell_all_progress(s);
}

bool
service_has_work(const service *s)
{
	return next_to_begin(s) != NULL || scripts_due(&s->scripts);
}

void
service_init(service *s, const service_options *o, upstream *u, cm_place *place)
{
	const scripts_hooks hooks = {.ctx = s,
	    .print = on_order_print,
	    .answered = on_order_answered,
	    .over = on_order_over,
	    .progress = on_order_progress,
	    .asked = on_order_asked,
	    .ask = on_order_ask,
	    .calls = on_order_calls};

	*s = (service){.options = o,
	    .say = u->say,
	    .upstream = u,
	    .place = place,
	    .tool = BUF_INIT(NULL, TOOL_MAX_BYTES),
	    .direct = DIRECT_INIT,
	    .stale = true};
	if (o->store != NULL)
		kept_load(&s->kept, o->store, s->say);
	upstream_expose(u);
	scripts_init(&s->scripts, u, &o->limits, place, hooks);
	u->hooks = (upstream_hooks){.ctx = s,
	    .catalog_changed = on_catalog_changed,
	    .log = on_server_log};
	upstream_offer(u, MCP_OFFERS_ELICITATION | MCP_OFFERS_ELICIT_URL);
	upstream_want_unlisted(u);
	s->rest_at = monotonic_ms() + REST_MS;
	uv_timer_init(&u->loop->uv, &s->beat);
	s->beat.data = s;
	s->beats = true;
}

static void
on_beat_over(uv_handle_t *beat)
{
	((service *)beat->data)->beats = false;
}

void
service_fini(service *s)
{
	must(s->sessions == NULL);
	s->upstream->hooks = (upstream_hooks){0};
	uv_close((uv_handle_t *)&s->beat, on_beat_over);
	while (s->beats)
		uv_run(&s->upstream->loop->uv, UV_RUN_ONCE);
	scripts_fini(&s->scripts);
	while (s->orders != NULL)
		remove_order(s, s->orders);
	kept_fini(&s->kept);
	buf_fini(&s->tool);
	direct_fini(&s->direct);
}
