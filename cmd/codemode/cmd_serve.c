/* SPDX-License-Identifier: MIT */
/*
 * cmd_serve.c -- `codemode serve`: an MCP server with one tool, behind which
 * the tools of all other servers are.
 *
 * One loop has everything: the client on stdin and stdout, the servers, and
 * the scripts, each in a process of its own. The client is greeted at once;
 * what needs the servers waits until each of them is up or has failed.
 */
#include "cmd.h"
#include "ends.h"
#include "kept.h"
#include "menu.h"
#include "place_option.h"
#include "scripts.h"
#include "signals.h"
#include "store_file.h"

#include "mcp/mcp_serve.h"
#include "mcp/serve_tool.h"

#include <errno.h>
#include <time.h>

enum {
	SCRIPTS_MAX = 64,     /* at once; further ones wait            */
	WALL_MS = 300 * 1000, /* what a script gets without --timeout  */
	GRACE_MS = 1500,      /* to end what was asked before the end  */
	UNREAD_MAX = 8 << 20, /* bytes the client may leave unread     */
	CONTENT_MAX_BYTES = 128 << 20,
	TOOL_MAX_BYTES = 1 << 20
};

typedef struct options {
	upstream_options upstream;
	place_options place;
	uint64_t output_tokens; /* of one answer; 0: SERVE_TOKENS */
	cm_limits limits;
} options;

static const opt opts[] = {UPSTREAM_OPTS(options, upstream),
    PLACE_OPTS(options, place),
    {"timeout", 0, OPT_COUNT, "MS", "time for a script (300000)",
	"A call may ask for less, with timeoutMs.",
	offsetof(options, limits.wall_ms)},
    {"memory", 0, OPT_BYTES, "BYTES", "memory for its values (256M)", NULL,
	offsetof(options, limits.heap)},
    {"max-calls", 0, OPT_COUNT, "N", "tool calls of a script in all (10000)",
	NULL, offsetof(options, limits.calls)},
    {"concurrency", 0, OPT_COUNT, "N", "tool calls of a script at a time (16)",
	NULL, offsetof(options, limits.calls_at_once)},
    {"server-concurrency", 0, OPT_COUNT, "N",
	"tool calls at a time on one server, of all scripts (none)", NULL,
	offsetof(options, limits.space_calls_at_once)},
    {"tool-concurrency", 0, OPT_COUNT, "N",
	"calls of one tool at a time, of all scripts (none)", NULL,
	offsetof(options, limits.tool_calls_at_once)},
    {"max-output-tokens", 0, OPT_COUNT, "N",
	"text of one answer, at 4 bytes a token (6000)",
	"What is longer is cut so that JSON stays JSON, the largest parts "
	"first. A script may ask for less, with max_output_tokens in its "
	"options line.",
	offsetof(options, output_tokens)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

/* A script that has not begun. */
typedef struct order {
	struct order *next;
	uint32_t number;  /* of the client's request, as mcp_asked.request */
	buf code, data;   /* data: JSON, or empty */
	uint64_t wall_ms; /* its time limit */
} order;

typedef struct serve {
	options options;
	say say;
	main_loop loop;
	upstream upstream;
	ends io;
	mcp_server *client;
	cm_place *place;
	pool words; /* of the place's command */
	cm_catalog
	    *catalog; /* of .upstream; NULL: servers are still starting */
	scripts scripts;
	order *orders; /* in the order in which they came */
	buf store; /* what scripts keep: a checked and trimmed JSON object */
	kept kept; /* whole results of answers that were cut */
	uv_timer_t grace; /* runs from the end of stdin on */
	bool over;        /* the loop ends, with .code */
	cli_exit code;
} serve;

/* ---------------------------------------------------------------- answers */

static void
answer_text(serve *s, uint32_t number, text words)
{
	buf content = BUF_INIT(NULL, CONTENT_MAX_BYTES);

	serve_words(&content, words);
	mcp_server_answer(s->client, number, buf_view(&content), true);
	buf_fini(&content);
}

static void
answer_status(serve *s, uint32_t number, cm_status status)
{
	buf words = BUF_INIT(NULL, 4096);

	buf_printf(
	    &words, "The script could not be run: %s.", cm_status_text(status));
	answer_text(s, number, buf_view(&words));
	buf_fini(&words);
}

/* What a script stored is there for scripts that begin from now on. NULL, or
 * why it is lost: scripts that ran beside it can have filled the store. */
static const char *
keep_writes(serve *s, json writes)
{
	buf merged = BUF_INIT(NULL, STORE_FILE_MAX);
	const char *why = store_merge(buf_view(&s->store), writes, &merged);

	if (why == NULL) {
		buf_fini(&s->store);
		s->store = merged;
	} else {
		buf_fini(&merged);
	}
	return why;
}

/* Puts a block behind those of content. */
static void
add_warning(buf *content, const char *what, const char *why)
{
	buf words = BUF_INIT(NULL, 4096);

	buf_printf(&words, "Warning: %s: %s", what, why);
	content->len--; /* the bracket */
	buf_str(content, ",{\"type\":\"text\",\"text\":");
	json_string(content, buf_view(&words));
	buf_str(content, "}]");
	buf_fini(&words);
}

/* What the script asks for, capped by what this program allows. */
static uint64_t
tokens_of_answer(const serve *s, const cm_run *run)
{
	uint64_t most = s->options.output_tokens != 0 ? s->options.output_tokens
						      : SERVE_TOKENS;
	uint64_t asked = cm_run_output_tokens(run);

	return asked < most ? asked : most;
}

/* What an answer has no room for waits for a later script. */
static uint32_t
keep_for_later(void *ctx, json whole)
{
	serve *s = ctx;

	return kept_add(&s->kept, whole, time(NULL));
}

static cm_status
write_content(serve *s, cm_run *run, const cm_done *done, buf *content)
{
	json result = TEXT_NONE;
	cm_status r = cm_run_result(run, &result);
	const char *lost = NULL;
	const serve_keep keep = {s, keep_for_later};

	if (r != CM_OK)
		return r;
	if (done->end == CM_END_OK)
		lost = keep_writes(s, json_get(result, TEXT("storeWrites")));
	serve_content(content, done, result, tokens_of_answer(s, run),
	    mcp_server_lacks(s->client), &keep);
	if (lost != NULL && content->bad == CM_OK)
		add_warning(content, "what the script stored is lost", lost);
	return content->bad;
}

static void
on_script_over(void *ctx, uint32_t number, cm_run *run, const cm_done *done,
    cm_status status)
{
	serve *s = ctx;
	buf content = BUF_INIT(NULL, CONTENT_MAX_BYTES);

	if (status == CM_OK)
		status = write_content(s, run, done, &content);
	if (status == CM_OK)
		mcp_server_answer(s->client, number, buf_view(&content),
		    done->end != CM_END_OK);
	else
		answer_status(s, number, status);
	buf_fini(&content);
}

/* ----------------------------------------------------------------- orders */

static void
order_free(order *o)
{
	buf_fini(&o->code);
	buf_fini(&o->data);
	mem_free(NULL, o, sizeof(*o));
}

static void
append_order(serve *s, order *o)
{
	order **at = &s->orders;

	while (*at != NULL)
		at = &(*at)->next;
	*at = o;
}

static uint64_t
wall_ms(const serve *s)
{
	return s->options.limits.wall_ms != 0 ? s->options.limits.wall_ms
					      : WALL_MS;
}

static void
queue_order(serve *s, const mcp_asked *asked)
{
	order *o = mem_new(NULL, sizeof(*o));
	buf why = BUF_INIT(NULL, 4096);

	if (o == NULL) {
		answer_status(s, asked->request, CM_ENOMEM);
		return;
	}
	*o = (order){.number = asked->request,
	    .code = BUF_INIT(NULL, MCP_ASKED_MAX),
	    .data = BUF_INIT(NULL, MCP_ASKED_MAX),
	    .wall_ms = wall_ms(s)};
	buf_text(&o->data, json_get(asked->arguments, TEXT("data")));
	if (serve_arguments(
		asked->arguments, wall_ms(s), &o->code, &o->wall_ms, &why)) {
		append_order(s, o);
	} else {
		answer_text(s, asked->request, buf_view(&why));
		order_free(o);
	}
	buf_fini(&why);
}

static void
drop_order(serve *s, uint32_t number)
{
	order **at = &s->orders, *found;

	while (*at != NULL && (*at)->number != number)
		at = &(*at)->next;
	if ((found = *at) == NULL)
		return;
	*at = found->next;
	order_free(found);
}

static void
stop_script(serve *s, const mcp_asked *asked)
{
	buf reason = BUF_INIT(NULL, MCP_ASKED_MAX);

	drop_order(s, asked->request);
	json_unescape(asked->reason, &reason);
	scripts_cancel(&s->scripts, asked->request, buf_view(&reason));
	buf_fini(&reason);
}

static cm_status
begin_order(serve *s, const order *o)
{
	cm_run_options run_options = CM_RUN_OPTIONS_INIT;
	text code = buf_view(&o->code);
	buf store = BUF_INIT(NULL, STORE_FILE_MAX);
	cm_run *run = NULL;
	cm_status r;

	kept_write_store(&s->kept, buf_view(&s->store), time(NULL), &store);
	run_options.limits = s->options.limits;
	run_options.limits.wall_ms = o->wall_ms;
	run_options.place = s->place;
	run_options.data = buf_view(&o->data);
	run_options.store =
	    store.bad == CM_OK ? buf_view(&store) : buf_view(&s->store);
	r = cm_run_new(s->catalog, code, &run_options, &run);
	buf_fini(&store);
	if (r != CM_OK)
		return r;
	upstream_absent(
	    &s->upstream, &code, (upstream_sink){upstream_warn_run, run});
	if (scripts_start(&s->scripts, o->number, run))
		return CM_OK;
	cm_run_free(run);
	return CM_ENOMEM;
}

static bool
may_begin(const serve *s)
{
	return s->catalog != NULL && s->orders != NULL &&
	       s->scripts.len < SCRIPTS_MAX;
}

static void
begin_orders(serve *s)
{
	while (may_begin(s)) {
		order *o = s->orders;
		cm_status r = begin_order(s, o);

		if (r != CM_OK)
			answer_status(s, o->number, r);
		s->orders = o->next;
		order_free(o);
	}
}

/* ------------------------------------------------------------------ client */

/* A client that does not read its answers is not listened to: they would pile
 * up. */
static bool
may_listen(const serve *s)
{
	return mcp_server_out(s->client).len < UNREAD_MAX;
}

static void
obey_client(serve *s)
{
	mcp_asked asked;

	while (mcp_server_next(s->client, &asked)) {
		if (asked.kind == MCP_ASKED_CALL)
			queue_order(s, &asked);
		else
			stop_script(s, &asked);
	}
}

static void
on_grace_over(uv_timer_t *grace)
{
	serve *s = grace->data;

	s->over = true;
	main_loop_due(grace->loop);
}

/* The client has closed stdin. What it asked for is still answered if that
 * takes less than GRACE_MS. */
static void
begin_grace(serve *s)
{
	mcp_server_end(s->client);
	obey_client(s);
	uv_update_time(&s->loop.uv);
	uv_timer_start(&s->grace, on_grace_over, GRACE_MS, 0);
}

static void
read_client(serve *s)
{
	size_t len, n;
	char *room;

	if (s->io.ended || !may_listen(s))
		return;
	room = mcp_server_room(s->client, &len);
	if (room == NULL) {
		say_line(&s->say, "out of memory");
		s->over = true;
		return;
	}
	n = ends_read(&s->io, room, len);
	mcp_server_fed(s->client, n);
	obey_client(s);
	if (s->io.ended)
		begin_grace(s);
}

static void
write_client(serve *s)
{
	text out = mcp_server_out(s->client);

	mcp_server_sent(s->client, ends_write(&s->io, out));
}

/* --------------------------------------------------------------- the tools */

static cm_status
offer_tool(serve *s)
{
	buf words = BUF_INIT(NULL, TOOL_MAX_BYTES);
	buf tool = BUF_INIT(NULL, TOOL_MAX_BYTES);
	cm_status r = CM_ENOMEM;

	s->catalog = upstream_catalog(&s->upstream);
	if (s->catalog != NULL)
		r = menu(s->catalog, &words);
	if (r == CM_OK) {
		serve_tool(&tool, buf_view(&words), wall_ms(s));
		r = tool.bad;
	}
	if (r == CM_OK)
		r = mcp_server_offer(s->client, buf_view(&tool));
	buf_fini(&tool);
	buf_fini(&words);
	return r;
}

static void
offer_tool_when_ready(serve *s)
{
	cm_status r;

	if (s->catalog != NULL || !upstream_ready(&s->upstream, NULL))
		return;
	r = offer_tool(s);
	if (r == CM_OK)
		return;
	say_line(&s->say, "serve: %s", cm_status_text(r));
	s->code = CLI_SANDBOX;
	s->over = true;
}

/* -------------------------------------------------------------------- loop */

static bool
is_over(serve *s)
{
	if (signals_count() > 0) {
		say_line(&s->say, "stopped by a signal");
		s->code = CLI_ABORTED;
		return true;
	}
	if (s->over || s->io.broken)
		return true;
	return s->io.ended && mcp_server_pending(s->client) == 0 &&
	       mcp_server_out(s->client).len == 0;
}

/* Is there something to do that the loop would not return for? */
static bool
has_work_now(const serve *s)
{
	return may_begin(s) || scripts_due(&s->scripts) ||
	       (s->io.in.ready && !s->io.ended && may_listen(s));
}

static void
serve_until_over(serve *s)
{
	for (;;) {
		read_client(s);
		write_client(s); /* a ping does not wait for the scripts */
		offer_tool_when_ready(s);
		begin_orders(s);
		scripts_turn(&s->scripts);
		write_client(s);
		ends_listen(&s->io, may_listen(s));
		if (is_over(s))
			return;
		if (has_work_now(s))
			main_loop_due(&s->loop.uv);
		main_loop_turn(&s->loop);
	}
}

/* ------------------------------------------------------------ birth and end */

static cli_exit
open_client(serve *s)
{
	mcp_server_options o = {.tool = TEXT_INIT(SERVE_TOOL)};

	s->client = mcp_server_new(&o);
	if (s->client == NULL) {
		say_line(&s->say, "out of memory");
		return CLI_SANDBOX;
	}
	if (ends_open(&s->io, &s->loop.uv))
		return CLI_OK;
	say_line(
	    &s->say, "stdin and stdout cannot be used: %s", strerror(errno));
	return CLI_USAGE;
}

static void
serve_client(serve *s)
{
	const scripts_hooks hooks = {s, NULL, on_script_over, NULL};

	scripts_init(&s->scripts, &s->upstream, &s->options.limits, hooks);
	uv_timer_init(&s->loop.uv, &s->grace);
	s->grace.data = s;
	serve_until_over(s);
	uv_close((uv_handle_t *)&s->grace, NULL);
	scripts_fini(&s->scripts);
	while (s->orders != NULL)
		drop_order(s, s->orders->number);
}

static void
serve_all(serve *s)
{
	s->code = place_options_open(
	    &s->options.place, false, &s->words, &s->say, &s->place);
	if (s->code != CLI_OK)
		return;
	s->code = CLI_SANDBOX;
	if (!main_loop_open(&s->loop, &s->say))
		return;
	s->code = upstream_start(
	    &s->upstream, &s->loop, &s->options.upstream, &s->say);
	if (s->code == CLI_OK)
		s->code = open_client(s);
	if (s->code == CLI_OK)
		serve_client(s);
	if (s->client != NULL)
		ends_close(&s->io);
	upstream_stop(&s->upstream, true);
	upstream_fini(&s->upstream);
	main_loop_close(&s->loop);
}

static int
serve_main(const cmd *self, int argc, char **argv)
{
	serve s = {.store = BUF_INIT(NULL, STORE_FILE_MAX), .code = CLI_USAGE};
	opt_outcome parsed;

	say_init(&s.say);
	parsed = opt_parse(self, &argc, argv, &s.options, &s.say);
	s.say.quiet = s.options.upstream.quiet;
	buf_str(&s.store, "{}");
	if (parsed == OPT_SHOWN)
		s.code = CLI_OK;
	else if (parsed == OPT_GO && argc > 0)
		say_line(&s.say,
		    "serve: what is \"%s\"? There are only "
		    "options here",
		    argv[0]);
	else if (parsed == OPT_GO)
		serve_all(&s);
	cm_place_free(s.place);
	pool_fini(&s.words);
	mcp_server_free(s.client);
	buf_fini(&s.store);
	kept_fini(&s.kept);
	opt_values_fini(&s.options.upstream.servers);
	return s.code;
}

const cmd cmd_serve = {
    .name = "serve",
    .args = "",
    .does = "be an MCP server whose one tool runs scripts",
    .opts = opts,
    .main = serve_main,
};
