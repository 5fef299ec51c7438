/* SPDX-License-Identifier: MIT */
/*
 * shop.c -- the tools and the scripts behind all clients of `serve`.
 *
 * A script waits until each server that it can name is up or has failed, and
 * while SCRIPTS_MAX others run. The list of tools waits for all servers once,
 * so that a client's first look shows them. From then on it is offered again
 * whenever its text has changed.
 */
#include "shop.h"

#include "menu.h"
#include "session.h"

#include "mcp/serve_tool.h"

enum {
	SCRIPTS_MAX = 64,     /* at once; further ones wait            */
	WALL_MS = 300 * 1000, /* what a script gets without --timeout  */
	TOOL_MAX_BYTES = 1 << 20
};

/* A script that was ordered and is not over. */
typedef struct order {
	struct order *next;
	struct session *client; /* NULL: it went away */
	uint32_t number;        /* no two orders of a shop share it */
	uint32_t request;       /* of the client, as mcp_asked.request */
	bool begun;
	shop_script script; /* its buffers are empty once it has begun */
} order;

uint64_t
shop_wall_ms(const shop *s)
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

static void
remove_order(shop *s, order *o)
{
	order **at = &s->orders;

	while (*at != o)
		at = &(*at)->next;
	*at = o->next;
	free_texts(o);
	mem_free(NULL, o, sizeof(*o));
}

bool
shop_order(
    shop *s, struct session *client, uint32_t request, shop_script *script)
{
	order *o = mem_new(NULL, sizeof(*o)), **at = &s->orders;
	text code;

	if (o == NULL)
		return false;
	*o = (order){.client = client,
	    .number = ++s->last_order,
	    .request = request,
	    .script = *script};
	while (*at != NULL)
		at = &(*at)->next;
	*at = o;
	code = buf_view(&o->script.code);
	upstream_want(s->upstream, &code);
	return true;
}

void
shop_cancel(shop *s, struct session *client, uint32_t request, text reason)
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
	shop *s = ctx;
	order *o = s->orders;

	while (o->number != number)
		o = o->next;
	if (o->client != NULL)
		session_script_over(o->client, o->request, run, done, status);
	remove_order(s, o);
}

/* ---------------------------------------------------------------- scripts */

static cm_status
begin_order(shop *s, order *o)
{
	cm_run_options run_options = CM_RUN_OPTIONS_INIT;
	cm_catalog *catalog = upstream_catalog(s->upstream);
	text code = buf_view(&o->script.code);
	buf store = BUF_INIT(NULL, STORE_FILE_MAX);
	cm_run *run = NULL;
	cm_status r;

	run_options.limits = s->options->limits;
	run_options.limits.wall_ms = o->script.wall_ms;
	run_options.place = s->place;
	run_options.data = buf_view(&o->script.data);
	run_options.store = session_store(o->client, &store);
	r = catalog != NULL ? cm_run_new(catalog, code, &run_options, &run)
			    : CM_ENOMEM;
	buf_fini(&store);
	if (r != CM_OK)
		return r;
	upstream_absent(
	    s->upstream, &code, (upstream_sink){upstream_warn_run, run});
	o->begun = scripts_start(&s->scripts, o->number, run);
	if (!o->begun)
		cm_run_free(run);
	free_texts(o);
	return o->begun ? CM_OK : CM_ENOMEM;
}

/* A long script is searched for names only while some server starts. */
static bool
has_its_servers(const shop *s, const order *o)
{
	text code = buf_view(&o->script.code);

	return upstream_ready(s->upstream, NULL) ||
	       upstream_ready(s->upstream, &code);
}

static order *
next_to_begin(const shop *s)
{
	if (s->scripts.len >= SCRIPTS_MAX)
		return NULL;
	for (order *o = s->orders; o != NULL; o = o->next)
		if (!o->begun && has_its_servers(s, o))
			return o;
	return NULL;
}

static void
begin_orders(shop *s)
{
	order *o;

	while ((o = next_to_begin(s)) != NULL) {
		cm_status r = begin_order(s, o);

		if (r == CM_OK)
			continue;
		session_script_over(o->client, o->request, NULL, NULL, r);
		remove_order(s, o);
	}
}

/* --------------------------------------------------------------- the tools */

static cm_status
write_outer_tool(const shop *s, buf *tool)
{
	buf words = BUF_INIT(NULL, TOOL_MAX_BYTES);
	cm_catalog *catalog = upstream_catalog(s->upstream);
	cm_status r = catalog != NULL ? menu(catalog, &words) : CM_ENOMEM;

	if (r == CM_OK) {
		serve_tool(tool, buf_view(&words), shop_wall_ms(s));
		r = tool->bad;
	}
	buf_fini(&words);
	return r;
}

static cm_status
offer_tool(shop *s)
{
	buf tool = BUF_INIT(NULL, TOOL_MAX_BYTES);
	cm_status r = write_outer_tool(s, &tool);

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
offer_tool_when_ready(shop *s)
{
	cm_status r;

	if (!s->stale ||
	    (s->tool.len == 0 && !upstream_ready(s->upstream, NULL)))
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
	shop *s = ctx;

	s->stale = true;
	main_loop_due(&s->upstream->loop->uv);
}

/* ---------------------------------------------------------- for the owner */

void
shop_turn(shop *s)
{
	offer_tool_when_ready(s);
	begin_orders(s);
	scripts_turn(&s->scripts);
}

bool
shop_has_work(const shop *s)
{
	return next_to_begin(s) != NULL || scripts_due(&s->scripts);
}

void
shop_init(shop *s, const shop_options *o, upstream *u, cm_place *place)
{
	const scripts_hooks hooks = {s, NULL, on_order_over, NULL};

	*s = (shop){.options = o,
	    .say = u->say,
	    .upstream = u,
	    .place = place,
	    .tool = BUF_INIT(NULL, TOOL_MAX_BYTES),
	    .stale = true};
	scripts_init(&s->scripts, u, &o->limits, hooks);
	u->hooks = (upstream_hooks){s, on_catalog_changed};
	upstream_want(u, NULL);
}

void
shop_fini(shop *s)
{
	must(s->sessions == NULL);
	s->upstream->hooks = (upstream_hooks){NULL, NULL};
	scripts_fini(&s->scripts);
	while (s->orders != NULL)
		remove_order(s, s->orders);
	buf_fini(&s->tool);
}
