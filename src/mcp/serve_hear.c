/* SPDX-License-Identifier: MIT */
/*
 * serve_hear.c -- what a message is, and what it leads to.
 *
 * A request says which era it belongs to: one that names a protocol version in
 * its _meta is on its own, any other one belongs to a connection that began,
 * or should have begun, with initialize. Clients that forget to greet are
 * served all the same. Whatever is wrong with a message is answered with the
 * id that it came with, byte for byte, as far as it has one.
 */
#include "pick.h"
#include "serve_machine.h"

enum { LEGACY = 1, MODERN = 2 };

/* True: it became *out. */
typedef bool handler(mcp_server *s, const asking *a, mcp_asked *out);

static text
string_inside(json string)
{
	return text_sub(string, 1, string.len - 1);
}

/* ----------------------------------------------------------- the requests */

/* Newest first: an unknown one is answered with the first. */
static const text legacy_versions[] = {
    TEXT_INIT("2025-11-25"),
    TEXT_INIT("2025-06-18"),
    TEXT_INIT("2025-03-26"),
    TEXT_INIT("2024-11-05"),
};

enum { VERSIONS = sizeof(legacy_versions) / sizeof(*legacy_versions) };

bool
mcp_server_speaks(text revision)
{
	size_t i = 0;

	while (i < VERSIONS && !text_eq(revision, legacy_versions[i]))
		i++;
	return i < VERSIONS || text_eq(revision, TEXT(MCP_MODERN));
}

static bool
handle_initialize(mcp_server *s, const asking *a, mcp_asked *out)
{
	json wanted = json_get(a->params, TEXT("protocolVersion"));
	size_t i = 0;

	(void)out;
	if (json_kind_of(wanted) != JSON_STRING) {
		serve_say_error(s, a->id, SERVE_BAD_PARAMS,
		    TEXT("Invalid params: protocolVersion is missing"));
		return false;
	}
	while (i < VERSIONS && !json_is(wanted, legacy_versions[i]))
		i++;
	i %= VERSIONS;
	s->batches = text_eq(legacy_versions[i], TEXT("2025-03-26"));
	s->no_audio = text_cmp(legacy_versions[i], TEXT("2025-03-26")) < 0;
	s->no_links = text_cmp(legacy_versions[i], TEXT("2025-06-18")) < 0;
	s->greeted = true;
	buf_clear(&s->can);
	buf_text(&s->can, json_get(a->params, TEXT("capabilities")));
	serve_say_greeting(s, a->id, legacy_versions[i]);
	return false;
}

static bool
handle_ping(mcp_server *s, const asking *a, mcp_asked *out)
{
	(void)out;
	serve_say_nothing(s, a->id);
	return false;
}

static bool
handle_discover(mcp_server *s, const asking *a, mcp_asked *out)
{
	(void)out;
	serve_say_discovery(s, a->id);
	return false;
}

static bool
handle_list(mcp_server *s, const asking *a, mcp_asked *out)
{
	(void)out;
	if (json_present(json_get(a->params, TEXT("cursor"))))
		serve_say_error(s, a->id, SERVE_BAD_PARAMS,
		    TEXT("Invalid params: there is only one page"));
	else if (s->offer.len > 0)
		serve_say_tools(s, a->id, a->modern);
	else
		serve_open(s, a, REQUEST_LIST);
	return false;
}

/* The request waits for the owner, and becomes *out. False: there is no room,
 * and the client was told. */
static bool
pass_to_owner(mcp_server *s, const asking *a, request_kind kind, mcp_asked *out)
{
	request *r = serve_open(s, a, kind);

	if (r == NULL)
		return false;
	*out = (mcp_asked){.kind = MCP_ASKED_OTHER,
	    .request = r->number,
	    .modern = a->modern,
	    .progress = r->token_len > 0,
	    .method = a->method,
	    .params = a->params,
	    .can = buf_view(&s->can)};
	if (a->modern)
		out->can = json_get(a->meta,
		    TEXT("io.modelcontextprotocol/clientCapabilities"));
	return true;
}

static void
refuse_tool(mcp_server *s, const asking *a, json name)
{
	buf message = BUF_INIT(s->alloc, MCP_ASKED_MAX);

	buf_str(&message, "Unknown tool: ");
	if (!json_unescape(name, &message))
		buf_str(&message, "the name is missing");
	serve_say_error(s, a->id, SERVE_BAD_PARAMS, buf_view(&message));
	buf_fini(&message);
}

static bool
handle_call(mcp_server *s, const asking *a, mcp_asked *out)
{
	json name = json_get(a->params, TEXT("name"));
	json arguments = json_get(a->params, TEXT("arguments"));

	if (json_kind_of(name) != JSON_STRING ||
	    (s->tool.len > 0 && !json_is(name, s->tool))) {
		refuse_tool(s, a, name);
		return false;
	}
	if (json_present(arguments) && json_kind_of(arguments) != JSON_OBJECT) {
		serve_say_error(s, a->id, SERVE_BAD_PARAMS,
		    TEXT("Invalid params: arguments must be an object"));
		return false;
	}
	if (serve_round_again(s, a) == SERVE_AGAIN)
		return serve_round_next(s, out);
	if (!pass_to_owner(s, a, REQUEST_CALL, out))
		return false;
	if (a->modern)
		serve_numbered(s, out->request)->round =
		    serve_round_new(s, a->params);
	out->kind = MCP_ASKED_CALL;
	out->name = name;
	if (json_present(arguments))
		out->arguments = arguments;
	return true;
}

static bool
handle_level(mcp_server *s, const asking *a, mcp_asked *out)
{
	mcp_level level = serve_level(json_get(a->params, TEXT("level")));

	(void)out;
	if (level == MCP_LOG_SILENT) {
		serve_say_error(s, a->id, SERVE_BAD_PARAMS,
		    TEXT("Invalid params: level must be one of debug, info, "
			 "notice, warning, error, critical, alert and "
			 "emergency"));
		return false;
	}
	s->level = level;
	serve_say_nothing(s, a->id);
	return false;
}

static bool
handle_listen(mcp_server *s, const asking *a, mcp_asked *out)
{
	request *r = serve_open(s, a, REQUEST_LISTEN);

	(void)out;
	if (r == NULL)
		return false;
	r->topics = serve_topics(s, a->params);
	serve_acknowledge(s, r);
	return false;
}

static const struct {
	text method;
	unsigned eras;
	handler *handle;
} methods[] = {
    {TEXT_INIT("initialize"), LEGACY, handle_initialize},
    {TEXT_INIT("ping"), LEGACY, handle_ping},
    {TEXT_INIT("server/discover"), MODERN, handle_discover},
    {TEXT_INIT("tools/list"), LEGACY | MODERN, handle_list},
    {TEXT_INIT("tools/call"), LEGACY | MODERN, handle_call},
    {TEXT_INIT("logging/setLevel"), LEGACY, handle_level},
    {TEXT_INIT("subscriptions/listen"), MODERN, handle_listen},
};

/* ------------------------------------------------------------ which it is */

static void
refuse_method(mcp_server *s, const asking *a)
{
	buf message = BUF_INIT(s->alloc, MCP_ASKED_MAX);

	buf_str(&message, "Method not found: ");
	json_unescape(a->method, &message);
	serve_say_error(s, a->id, SERVE_NO_METHOD, buf_view(&message));
	buf_fini(&message);
}

/* Finds out the era; false: it is wrong in a way that was answered. */
static bool
read_era(mcp_server *s, asking *a)
{
	json version =
	    json_get(a->meta, TEXT("io.modelcontextprotocol/protocolVersion"));
	json can = json_get(
	    a->meta, TEXT("io.modelcontextprotocol/clientCapabilities"));

	a->modern = version.len > 0;
	if (!a->modern)
		return true;
	if (json_kind_of(version) != JSON_STRING) {
		serve_say_error(s, a->id, SERVE_BAD_PARAMS,
		    TEXT("Invalid params: the protocol version is no string"));
		return false;
	}
	if (!text_eq(string_inside(version), TEXT(MCP_MODERN))) {
		serve_say_versions(s, a->id, version);
		return false;
	}
	if (json_kind_of(can) == JSON_OBJECT)
		return true;
	serve_say_error(s, a->id, SERVE_BAD_PARAMS,
	    TEXT("Invalid params: _meta has no "
		 "io.modelcontextprotocol/clientCapabilities"));
	return false;
}

static bool
hear_request(mcp_server *s, asking *a, mcp_asked *out)
{
	unsigned wanted;

	if (json_present(a->params) && json_kind_of(a->params) != JSON_OBJECT) {
		serve_say_error(s, a->id, SERVE_BAD_PARAMS,
		    TEXT("Invalid params: they must be an object"));
		return false;
	}
	a->meta = json_get(a->params, TEXT("_meta"));
	if (!read_era(s, a))
		return false;
	wanted = a->modern ? MODERN : LEGACY;
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
		if (json_is(a->method, methods[i].method) &&
		    (methods[i].eras & wanted) != 0)
			return methods[i].handle(s, a, out);
	if (s->others)
		return pass_to_owner(s, a, REQUEST_OTHER, out);
	refuse_method(s, a);
	return false;
}

/* Of all that a client may notify us of, one thing matters. */
static bool
hear_notification(mcp_server *s, const asking *a, mcp_asked *out)
{
	json id = json_get(a->params, TEXT("requestId"));
	json reason = json_get(a->params, TEXT("reason"));
	request *r;
	bool called;

	if (s->shared || !json_is(a->method, TEXT("notifications/cancelled")))
		return false;
	r = json_present(id) ? serve_called(s, id) : NULL;
	if (!r || r->gone)
		return false;
	*out = (mcp_asked){.kind = MCP_ASKED_STOP,
	    .request = r->number,
	    .reason = json_kind_of(reason) == JSON_STRING ? reason : TEXT_NONE};
	called = r->kind == REQUEST_CALL || r->kind == REQUEST_OTHER;
	serve_drop(s, r);
	return called;
}

/* The answer to what we asked; anything else answers nothing. */
static bool
hear_reply(mcp_server *s, json id, json result, mcp_asked *out)
{
	int64_t number;

	if (!json_int(id, &number) || number < 1 || number > s->last_asked)
		return false;
	*out = (mcp_asked){.kind = MCP_ASKED_REPLY,
	    .request = (uint32_t)number,
	    .result = result};
	return true;
}

static bool
is_id(json v)
{
	json_kind kind = json_kind_of(v);

	return kind == JSON_STRING || kind == JSON_NUMBER;
}

bool
serve_hear(mcp_server *s, json message, mcp_asked *out)
{
	enum { ID, METHOD, PARAMS, JSONRPC, RESULT, ERROR, MEMBERS };
	static const char *const names[MEMBERS] = {
	    "id", "method", "params", "jsonrpc", "result", "error"};
	json m[MEMBERS];
	asking a;

	pick(message, names, m, MEMBERS);
	a = (asking){m[ID], m[METHOD], m[PARAMS], TEXT_NONE, false};
	if (a.method.len == 0 && (m[RESULT].len > 0 || m[ERROR].len > 0))
		return hear_reply(s, a.id, m[RESULT], out);
	if (json_kind_of(a.method) != JSON_STRING ||
	    !json_is(m[JSONRPC], TEXT("2.0")) ||
	    (a.id.len > 0 && !is_id(a.id))) {
		serve_say_error(s, is_id(a.id) ? a.id : TEXT_NONE,
		    SERVE_NO_REQUEST, TEXT("Invalid request"));
		return false;
	}
	return a.id.len > 0 ? hear_request(s, &a, out)
			    : hear_notification(s, &a, out);
}

void
serve_hear_noise(mcp_server *s, json id, const char *why)
{
	serve_say_error(s, id, SERVE_NOT_JSON, text_of(why));
}
