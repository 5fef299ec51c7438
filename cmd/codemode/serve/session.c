/* SPDX-License-Identifier: MIT */
/* session.c -- see session.h. */
#include "session.h"

#include "menu.h"
#include "permit_form.h"

#include "mcp/serve_tool.h"

#include <sys/random.h>
#include <time.h>

enum {
	CONTENT_MAX_BYTES = 128 << 20,
	QUESTION_MAX_BYTES = 1 << 20,
	UNREAD_LOG_BYTES = 1 << 20,
	INSTRUCTIONS_MAX = 4000 /* bytes of what one server says */
};

/* Error codes of JSON-RPC and MCP. */
enum {
	RPC_NO_METHOD = -32601,
	RPC_BAD_PARAMS = -32602,
	RPC_BROKEN = -32603,
	RPC_NO_RESOURCE = -32002
};

#define CAPABILITIES                                                        \
	"{\"tools\":{\"listChanged\":true},\"resources\":{\"listChanged\":" \
	"true},\"logging\":{}}"

/* A question about a call that the client was sent. */
typedef struct question {
	struct question *next;
	uint32_t asked;   /* as mcp_server_ask returned it */
	uint32_t request; /* of the script */
	uint32_t caller;  /* the script that asks */
	bool passed_on;   /* asked by a server: .server, .upstream_asked */
	size_t server;
	uint64_t upstream_asked;
	cm_call_id call; /* 0: about the whole script */
} question;

/* -------------------------------------------------------------- questions */

static void
drop_question(session *c, question *q)
{
	question **at = &c->questions;

	while (*at != q)
		at = &(*at)->next;
	*at = q->next;
	mem_free(NULL, q, sizeof(*q));
}

/* Drops the questions of a script that is over: later replies have no
 * effect. */
static void
drop_questions_of(session *c, uint32_t request)
{
	question *next;

	for (question *q = c->questions; q != NULL; q = next) {
		next = q->next;
		if (q->request == request)
			drop_question(c, q);
	}
}

/* ---------------------------------------------------------------- answers */

static void
answer_text(session *c, uint32_t request, text words)
{
	buf content = BUF_INIT(NULL, CONTENT_MAX_BYTES);

	serve_words(&content, words);
	mcp_server_answer(c->machine, request, buf_view(&content), true);
	buf_fini(&content);
}

static void
answer_status(session *c, uint32_t request, cm_status status)
{
	buf words = BUF_INIT(NULL, 4096);

	buf_printf(
	    &words, "The script could not be run: %s.", cm_status_text(status));
	answer_text(c, request, buf_view(&words));
	buf_fini(&words);
}

static const char *
merge_writes(session *c, json writes)
{
	buf merged = BUF_INIT(NULL, STORE_FILE_MAX);
	const char *why = store_merge(buf_view(&c->store), writes, &merged);

	if (why == NULL) {
		buf_fini(&c->store);
		c->store = merged;
	} else {
		buf_fini(&merged);
	}
	return why;
}

/* Adds what the script stored to the store. NULL, or why it is lost: scripts
 * that ran at the same time may have filled the store. */
static const char *
keep_writes(session *c, json writes)
{
	const char *file = c->service->options->store;

	return file != NULL ? store_file_merge(file, writes, c->service->say)
			    : merge_writes(c, writes);
}

/* Appends a block to content. */
static void
add_warning(buf *content, const char *what, const char *why)
{
	buf words = BUF_INIT(NULL, 4096);

	buf_printf(&words, "Warning: %s: %s", what, why);
	serve_add_words(content, buf_view(&words));
	buf_fini(&words);
}

/* ----------------------------------------------------------- instructions */

static bool
called_server(json calls, text name)
{
	json_iter it = json_each(calls);
	bool found = false;
	json call;

	while (!found && json_next(&it, NULL, &call)) {
		json tool = json_get(call, TEXT("tool"));

		found = tool.len > name.len + 2 &&
			text_eq(text_sub(tool, 1, name.len + 1), name) &&
			tool.ptr[name.len + 1] == '.';
	}
	return found;
}

/* True if the first line, which the description shows, is all of the
 * instructions. */
static bool
is_told_by_menu(text about)
{
	return about.len <= MENU_ABOUT_MAX &&
	       text_find(about, TEXT("\n"), 0) == SIZE_MAX;
}

static void
add_instructions(buf *content, text name, text about)
{
	buf words = BUF_INIT(NULL, INSTRUCTIONS_MAX + 1024);

	buf_printf(&words, "What the server %.*s says about its use:\n",
	    TEXT_ARG(name));
	serve_put_head(&words, about, INSTRUCTIONS_MAX);
	for (size_t i = 0; i < words.len; i++)
		if ((unsigned char)words.ptr[i] < ' ' && words.ptr[i] != '\n' &&
		    words.ptr[i] != '\t')
			words.ptr[i] = ' ';
	serve_add_words(content, buf_view(&words));
	buf_fini(&words);
}

/* Appends the instructions of the servers that the script called, of each
 * server once in a session. True: something was added. */
static bool
add_news_of_servers(session *c, json calls, buf *content)
{
	const upstream *u = c->service->upstream;
	bool added = false;

	for (size_t i = 0; i < u->count; i++) {
		text name = upstream_name(u, i);
		buf about = BUF_INIT(NULL, SIZE_MAX / 2);
		text told;

		upstream_about(u, name, &about);
		told = text_trim(buf_view(&about));
		if (told.len > 0 && !is_told_by_menu(told) &&
		    map_get(&c->told, name) == MAP_NONE &&
		    called_server(calls, name) &&
		    (c->shared || map_set(&c->told, name, 1) == CM_OK)) {
			add_instructions(content, name, told);
			added = true;
		}
		buf_fini(&about);
	}
	return added;
}

/* ------------------------------------------------------------- the answer */

/* The tokens that the script asks for, at most those that the options allow. */
static uint64_t
tokens_of_answer(const session *c, const cm_run *run)
{
	uint64_t most = c->service->options->output_tokens;
	uint64_t asked = cm_run_output_tokens(run);

	if (most == 0)
		most = SERVE_TOKENS;
	return asked < most ? asked : most;
}

/* Keeps the value that was cut for a later script. */
static uint32_t
keep_for_later(void *ctx, json whole)
{
	session *c = ctx;

	const char *file = c->service->options->store, *why = NULL;
	buf plain;
	uint32_t id = kept_add(c->kept,
	    answer_without_secrets(
		c->service->upstream->secrets, whole, &plain),
	    time(NULL));

	buf_fini(&plain);
	service_tell_cut(c->service, whole.len);
	if (id > 0 && file != NULL)
		why = kept_save(c->kept, file);
	if (why != NULL)
		say_line(
		    c->service->say, "a result is not kept in a file: %s", why);
	c->has_news |= id > 0;
	return id;
}

/* *bare: content has the value and nothing else. */
static cm_status
write_content(
    session *c, cm_run *run, const cm_done *done, buf *content, bool *bare)
{
	json result = TEXT_NONE;
	cm_status r = cm_run_result(run, &result);
	const char *lost = NULL;
	const serve_keep keep = {c, keep_for_later};

	if (r != CM_OK)
		return r;
	if (done->end == CM_END_OK)
		lost = keep_writes(c, json_get(result, TEXT("storeWrites")));
	*bare = serve_content(content, done, result, tokens_of_answer(c, run),
	    mcp_server_lacks(c->machine), &keep);
	if (lost != NULL && content->bad == CM_OK)
		add_warning(content, "what the script stored is lost", lost);
	if (content->bad == CM_OK &&
	    add_news_of_servers(c, json_get(result, TEXT("calls")), content))
		*bare = false;
	*bare &= lost == NULL;
	return content->bad;
}

/* Replaces secrets that the script has joined from parts of what servers said. */
static cm_status
hide_joined_secrets(session *c, buf *content)
{
	buf plain;
	json shown = answer_without_secrets(
	    c->service->upstream->secrets, buf_view(content), &plain);

	if (shown.len == 0)
		return CM_ENOMEM;
	if (shown.ptr == content->ptr)
		return CM_OK;
	buf_fini(content);
	*content = plain;
	return CM_OK;
}

static void
answer_object(session *c, uint32_t request, const buf *content, json object)
{
	buf plain;
	json shown = answer_without_secrets(
	    c->service->upstream->secrets, object, &plain);

	mcp_server_answer_object(c->machine, request, buf_view(content),
	    shown.len > 0 ? shown : TEXT("{}"));
	buf_fini(&plain);
}

void
session_script_over(session *c, uint32_t request, cm_run *run,
    const cm_done *done, cm_status status)
{
	buf content = BUF_INIT(NULL, CONTENT_MAX_BYTES);
	bool bare = false;

	drop_questions_of(c, request);
	if (status == CM_OK)
		status = write_content(c, run, done, &content, &bare);
	if (status == CM_OK)
		status = hide_joined_secrets(c, &content);
	if (status != CM_OK)
		answer_status(c, request, status);
	else if (bare && json_kind_of(done->value) == JSON_OBJECT &&
		 !mcp_server_lacks(c->machine).links)
		answer_object(c, request, &content, done->value);
	else
		mcp_server_answer(c->machine, request, buf_view(&content),
		    done->end != CM_END_OK);
	buf_fini(&content);
	if (c->has_news)
		mcp_server_changed(c->machine, MCP_RESOURCES);
	c->has_news = false;
}

/* -------------------------------------------------------------- resources */

/* Answers with the current list. */
static void
reply_members(session *c, const mcp_asked *asked, buf *members)
{
	if (asked->modern)
		buf_str(members, ",\"ttlMs\":0,\"cacheScope\":\"private\"");
	if (members->bad == CM_OK)
		mcp_server_reply(c->machine, asked->request, buf_view(members));
	else
		mcp_server_refuse(c->machine, asked->request, RPC_BROKEN,
		    TEXT("Out of memory"), TEXT_NONE);
}

static void
list_results(session *c, const mcp_asked *asked)
{
	buf members = BUF_INIT(NULL, CONTENT_MAX_BYTES);

	kept_drop_old(c->kept, time(NULL));
	buf_str(&members, "\"resources\":[");
	for (size_t i = c->kept->len; i-- > 0;) {
		const kept_result *k = &c->kept->result[i];

		json_element(&members);
		buf_byte(&members, '{');
		serve_resource(&members, k->id, k->value.len);
		buf_byte(&members, '}');
	}
	buf_byte(&members, ']');
	reply_members(c, asked, &members);
	buf_fini(&members);
}

static void
list_templates(session *c, const mcp_asked *asked)
{
	buf members = BUF_INIT(NULL, CONTENT_MAX_BYTES);

	buf_str(&members, "\"resourceTemplates\":[]");
	reply_members(c, asked, &members);
	buf_fini(&members);
}

/* Finds the kept value of that URI; NULL: there is none. */
static const kept_result *
result_at(session *c, json uri)
{
	const kept_result *found = NULL;

	kept_drop_old(c->kept, time(NULL));
	for (size_t i = 0; i < c->kept->len; i++) {
		char own[sizeof(SERVE_RESULT_URI) + 16];

		snprintf(own, sizeof(own), SERVE_RESULT_URI "%u",
		    c->kept->result[i].id);
		if (json_is(uri, text_of(own)))
			found = &c->kept->result[i];
	}
	return found;
}

static void
put_kept_value(const kept_result *k, json uri, buf *members)
{
	buf_str(members, "\"contents\":[{\"uri\":");
	buf_text(members, uri);
	json_member_text(members, "mimeType", TEXT("application/json"));
	json_member_text(members, "text", buf_view(&k->value));
	buf_str(members, "}]");
}

static void
read_kept_result(session *c, const mcp_asked *asked)
{
	json uri = json_get(asked->params, TEXT("uri"));
	const kept_result *k = result_at(c, uri);
	buf out = BUF_INIT(NULL, CONTENT_MAX_BYTES);

	if (k != NULL) {
		put_kept_value(k, uri, &out);
		reply_members(c, asked, &out);
	} else {
		buf_str(&out, "{\"uri\":");
		buf_text(&out,
		    json_kind_of(uri) == JSON_STRING ? uri : TEXT("null"));
		buf_byte(&out, '}');
		mcp_server_refuse(c->machine, asked->request,
		    asked->modern ? RPC_BAD_PARAMS : RPC_NO_RESOURCE,
		    TEXT("Resource not found"), buf_view(&out));
	}
	buf_fini(&out);
}

static void
refuse_other(session *c, const mcp_asked *asked)
{
	buf message = BUF_INIT(NULL, MCP_ASKED_MAX);

	buf_str(&message, "Method not found: ");
	json_unescape(asked->method, &message);
	mcp_server_refuse(c->machine, asked->request, RPC_NO_METHOD,
	    buf_view(&message), TEXT_NONE);
	buf_fini(&message);
}

static void
answer_other(session *c, const mcp_asked *asked)
{
	static const struct {
		const char *method;
		void (*answer)(session *c, const mcp_asked *asked);
	} others[] = {
	    {"resources/list", list_results},
	    {"resources/templates/list", list_templates},
	    {"resources/read", read_kept_result},
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (!json_is(asked->method, text_of(others[i].method)))
			continue;
		others[i].answer(c, asked);
		return;
	}
	refuse_other(c, asked);
}

/* Answers a direct call whose script has no result of the server. */
static void
answer_direct(session *c, uint32_t request, const cm_done *done)
{
	buf content = BUF_INIT(NULL, CONTENT_MAX_BYTES);
	buf words = BUF_INIT(NULL, CONTENT_MAX_BYTES);

	if (done->end != CM_END_OK)
		buf_text(&words, done->fault.message);
	else if (!json_unescape(done->value, &words))
		buf_text(&words, done->value);
	serve_words(&content, buf_view(&words));
	if (hide_joined_secrets(c, &content) != CM_OK)
		answer_status(c, request, CM_ENOMEM);
	else if (done->end == CM_END_OK &&
		 json_kind_of(done->value) == JSON_OBJECT &&
		 !mcp_server_lacks(c->machine).links)
		answer_object(c, request, &content, done->value);
	else
		mcp_server_answer(c->machine, request, buf_view(&content),
		    done->end != CM_END_OK);
	buf_fini(&words);
	buf_fini(&content);
}

void
session_direct_over(session *c, uint32_t request, json result,
    const cm_done *done, cm_status status)
{
	buf members = BUF_INIT(NULL, CONTENT_MAX_BYTES);

	drop_questions_of(c, request);
	if (serve_result(&members, result, mcp_server_lacks(c->machine)) &&
	    members.bad == CM_OK)
		mcp_server_reply(c->machine, request, buf_view(&members));
	else if (status == CM_OK && members.bad == CM_OK)
		answer_direct(c, request, done);
	else
		answer_status(
		    c, request, status != CM_OK ? status : members.bad);
	buf_fini(&members);
}

/* --------------------------------------------------------------- requests */

/* The kinds of questions of servers that a client with these capabilities
 * answers. */
static unsigned
offers_of_client(json can)
{
	json elicits = json_get(can, TEXT("elicitation"));
	bool url = json_present(json_get(elicits, TEXT("url")));
	bool form = json_present(json_get(elicits, TEXT("form"))) || !url;
	unsigned offers = 0;

	if (json_present(elicits) && form)
		offers |= MCP_OFFERS_ELICITATION;
	if (url)
		offers |= MCP_OFFERS_ELICIT_URL;
	if (json_present(json_get(can, TEXT("sampling"))))
		offers |= MCP_OFFERS_SAMPLING;
	return offers;
}

/* Copies the traceparent of the request. */
static void
read_parent(json params, char out[WATCH_PARENT_MAX])
{
	buf parent = BUF_INIT(NULL, 2 * WATCH_PARENT_MAX);

	json_unescape(json_path(params, "_meta", "traceparent", NULL), &parent);
	watch_parent_read(buf_view(&parent), out);
	buf_fini(&parent);
}

void
session_unknown_tool(session *c, uint32_t request, text name)
{
	buf message = BUF_INIT(NULL, MCP_ASKED_MAX);

	buf_str(&message, "Unknown tool: ");
	buf_text(&message, name);
	mcp_server_refuse(
	    c->machine, request, RPC_BAD_PARAMS, buf_view(&message), TEXT_NONE);
	buf_fini(&message);
}

/* Sets the script of a call of a direct tool. False: there is no tool of that
 * name. */
static bool
read_direct_call(
    const session *c, const mcp_asked *asked, text name, service_script *script)
{
	text path;

	script->direct = true;
	script->named = !service_direct(c->service, name, &path);
	if (script->named)
		buf_text(&script->code, name);
	else
		direct_script(path, &script->code);
	buf_text(&script->data,
	    asked->arguments.len > 0 ? asked->arguments : TEXT("{}"));
	return !script->named || c->service->tool.len == 0;
}

/* Reads the call into script. False: it was refused, and the client was told
 * why. */
static bool
read_order(session *c, const mcp_asked *asked, service_script *script)
{
	uint64_t most = script->wall_ms;
	buf words = BUF_INIT(NULL, MCP_ASKED_MAX);
	bool read = false;

	json_unescape(asked->name, &words);
	if (!text_eq(buf_view(&words), TEXT(SERVE_TOOL))) {
		read = read_direct_call(c, asked, buf_view(&words), script);
		if (!read)
			session_unknown_tool(
			    c, asked->request, buf_view(&words));
	} else {
		buf_clear(&words);
		buf_text(
		    &script->data, json_get(asked->arguments, TEXT("data")));
		read = serve_arguments(asked->arguments, most, &script->code,
		    &script->wall_ms, &words);
		if (!read)
			answer_text(c, asked->request, buf_view(&words));
	}
	buf_fini(&words);
	return read;
}

static void
order_script(session *c, const mcp_asked *asked)
{
	service_script script = {.code = BUF_INIT(NULL, MCP_ASKED_MAX),
	    .data = BUF_INIT(NULL, MCP_ASKED_MAX),
	    .wall_ms = service_wall_ms(c->service),
	    .progress = asked->progress,
	    .can_ask = json_present(json_get(asked->can, TEXT("elicitation"))),
	    .takes = offers_of_client(asked->can)};

	read_parent(asked->params, script.parent);
	upstream_offer(c->service->upstream, script.takes);
	if (read_order(c, asked, &script)) {
		if (service_order(c->service, c, asked->request, &script))
			return;
		answer_status(c, asked->request, CM_ENOMEM);
	}
	buf_fini(&script.code);
	buf_fini(&script.data);
}

static void
stop_script(session *c, const mcp_asked *asked)
{
	buf reason = BUF_INIT(NULL, MCP_ASKED_MAX);

	json_unescape(asked->reason, &reason);
	service_cancel(c->service, c, asked->request, buf_view(&reason));
	drop_questions_of(c, asked->request);
	buf_fini(&reason);
}

/* ----------------------------------------------------------------- asking */

/* NULL: no memory. */
static question *
new_question(session *c, uint32_t request)
{
	question *q = mem_new(NULL, sizeof(*q));

	if (q == NULL)
		return NULL;
	*q = (question){.next = c->questions, .request = request};
	return c->questions = q;
}

bool
session_ask(
    session *c, uint32_t request, uint32_t caller, cm_call_id call, text words)
{
	question *q = new_question(c, request);
	buf params = BUF_INIT(NULL, QUESTION_MAX_BYTES);

	if (q == NULL)
		return false;
	q->caller = caller;
	q->call = call;
	permit_form(words, call == 0, c->service->options->persons, &params);
	if (params.bad == CM_OK)
		q->asked = mcp_server_ask(c->machine, request,
		    "elicitation/create", buf_view(&params));
	buf_fini(&params);
	if (q->asked != 0)
		return true;
	drop_question(c, q);
	return false;
}

bool
session_pass_on(session *c, uint32_t request, const upstream_question *asked)
{
	question *q = new_question(c, request);
	buf method = BUF_INIT(NULL, QUESTION_MAX_BYTES);

	if (q == NULL)
		return false;
	q->passed_on = true;
	q->server = asked->server;
	q->upstream_asked = asked->asked;
	buf_text(&method, asked->method);
	buf_byte(&method, '\0');
	if (method.bad == CM_OK)
		q->asked = mcp_server_ask(
		    c->machine, request, method.ptr, asked->params);
	buf_fini(&method);
	if (q->asked != 0)
		return true;
	drop_question(c, q);
	return false;
}

static void
take_decision(session *c, const mcp_asked *asked)
{
	question *q = c->questions;

	while (q != NULL && q->asked != asked->request)
		q = q->next;
	if (q == NULL)
		return;
	if (q->passed_on)
		upstream_reply(c->service->upstream, q->server,
		    q->upstream_asked, asked->result);
	else
		scripts_decide(&c->service->scripts, q->caller, q->call,
		    permit_form_answer(asked->result, q->call == 0,
			c->service->options->persons));
	drop_question(c, q);
}

void
session_obey(session *c)
{
	mcp_asked asked;

	while (mcp_server_next(c->machine, &asked)) {
		if (asked.kind == MCP_ASKED_CALL)
			order_script(c, &asked);
		else if (asked.kind == MCP_ASKED_OTHER)
			answer_other(c, &asked);
		else if (asked.kind == MCP_ASKED_REPLY)
			take_decision(c, &asked);
		else
			stop_script(c, &asked);
	}
}

/* ----------------------------------------------------------- for the service */

cm_status
session_offer(session *c)
{
	return mcp_server_offer(c->machine, buf_view(&c->service->tool));
}

void
session_progress(
    session *c, uint32_t request, double progress, double total, text message)
{
	mcp_server_progress(c->machine, request, progress, total, message);
}

void
session_log(session *c, uint32_t request, text line)
{
	mcp_server_log(c->machine, request, MCP_LOG_INFO, TEXT("script"), line);
}

void
session_server_log(session *c, text server, const mcp_event *event)
{
	mcp_level level = mcp_level_named(event->level);

	if (level == MCP_LOG_SILENT)
		level = MCP_LOG_INFO;
	if (mcp_server_out(c->machine).len < UNREAD_LOG_BYTES)
		mcp_server_log(c->machine, 0, level, server, event->message);
}

text
session_store(session *c, buf *out)
{
	const char *file = c->service->options->store;
	buf bytes = BUF_INIT(NULL, STORE_FILE_MAX);
	json values = buf_view(&c->store);

	if (file != NULL &&
	    !store_file_read(file, &bytes, &values, c->service->say))
		values = TEXT("{}");
	kept_write_store(c->kept, values, time(NULL), out);
	buf_fini(&bytes);
	return buf_view(out);
}

/* ----------------------------------------------------- making and freeing */

static void
session_random(void *bytes, size_t len)
{
	must(getentropy(bytes, len) == 0);
}

session *
session_new(service *s, bool shared)
{
	const mcp_server_options o = {.capabilities = TEXT_INIT(CAPABILITIES),
	    .topics = MCP_TOOLS | MCP_RESOURCES,
	    .level = MCP_LOG_SILENT,
	    .random = session_random,
	    .others = true,
	    .shared = shared};
	session *c = mem_new(NULL, sizeof(*c));

	if (c == NULL)
		return NULL;
	*c = (session){.next = s->sessions,
	    .service = s,
	    .machine = mcp_server_new(&o),
	    .store = BUF_INIT(NULL, STORE_FILE_MAX),
	    .shared = shared,
	    .told = MAP_INIT(NULL)};
	c->kept = s->options->store != NULL ? &s->kept : &c->own;
	s->sessions = c;
	s->session_count++;
	buf_str(&c->store, "{}");
	if (c->machine != NULL && c->store.bad == CM_OK &&
	    (s->tool.len == 0 || session_offer(c) == CM_OK))
		return c;
	session_free(c);
	return NULL;
}

static void
leave_service(session *c)
{
	session **at = &c->service->sessions;

	service_cancel(c->service, c, 0, TEXT("the client is gone"));
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	c->service->session_count--;
}

void
session_free(session *c)
{
	if (c == NULL)
		return;
	leave_service(c);
	while (c->questions != NULL)
		drop_question(c, c->questions);
	mcp_server_free(c->machine);
	buf_fini(&c->store);
	kept_fini(&c->own);
	map_fini(&c->told);
	mem_free(NULL, c, sizeof(*c));
}
