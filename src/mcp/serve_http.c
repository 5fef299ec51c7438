/* SPDX-License-Identifier: MIT */
/*
 * serve_http.c -- see serve_http.h.
 *
 * In the era without greeting, proxies read the headers and the server reads
 * the message: a request whose headers say something else than its message is
 * refused, so that the two cannot be made to disagree.
 */
#include "serve_http.h"

#include "pick.h"

#include "base/base64.h"

enum {
	BAD_REQUEST = 400,
	NOT_FOUND = 404,
	HEADER_MISMATCH = -32020,
	BAD_PARAMS = -32602,
	NAME_MAX_BYTES = 64 << 10
};

void
serve_http_error(buf *out, json id, int code, text message)
{
	buf_str(out, "{\"jsonrpc\":\"2.0\",\"id\":");
	buf_text(out, id.len > 0 ? id : TEXT("null"));
	buf_printf(out, ",\"error\":{\"code\":%d,\"message\":", code);
	json_string(out, message);
	buf_str(out, "}}");
}

/* --------------------------------------------------------------- headers */

/* A header holds a text as it is, or as =?base64?...?= when it would not stay
 * what it is. */
static bool
header_is(const char *header, json value)
{
	static const text open = TEXT_INIT("=?base64?"), end = TEXT_INIT("?=");
	buf plain = BUF_INIT(NULL, NAME_MAX_BYTES), coded = plain;
	text t = header != NULL ? text_trim(text_of(header)) : TEXT_NONE;
	bool same = false;

	if (header != NULL && json_unescape(value, &plain) &&
	    plain.bad == CM_OK) {
		buf_text(&coded, open);
		base64_add(&coded, buf_view(&plain));
		buf_text(&coded, end);
		/* What looks coded is coded. */
		same = text_eq(t, buf_view(&coded)) ||
		       (text_eq(t, buf_view(&plain)) && !text_starts(t, open));
	}
	buf_fini(&plain);
	buf_fini(&coded);
	return same;
}

/* ------------------------------------------------------- the modern era */

static unsigned
refuse_message(buf *refusal, json id, int code, const char *message)
{
	serve_http_error(refusal, id, code, text_of(message));
	return BAD_REQUEST;
}

/* What Mcp-Name must be; missing: the method has none. */
static json
name_of_request(json method, json params)
{
	if (json_is(method, TEXT("resources/read")))
		return json_get(params, TEXT("uri"));
	if (json_is(method, TEXT("tools/call")) ||
	    json_is(method, TEXT("prompts/get")))
		return json_get(params, TEXT("name"));
	return TEXT_NONE;
}

static unsigned
check_modern(
    const serve_headers *h, json id, json method, json params, buf *refusal)
{
	json meta = json_get(params, TEXT("_meta"));
	json version =
	    json_get(meta, TEXT("io.modelcontextprotocol/protocolVersion"));
	json can =
	    json_get(meta, TEXT("io.modelcontextprotocol/clientCapabilities"));
	json name = name_of_request(method, params);

	if (json_kind_of(version) != JSON_STRING)
		return refuse_message(refusal, id, BAD_PARAMS,
		    "Invalid params: _meta has no "
		    "io.modelcontextprotocol/protocolVersion");
	if (!header_is(h->version, version))
		return refuse_message(refusal, id, HEADER_MISMATCH,
		    "The header MCP-Protocol-Version is not what _meta says");
	if (json_is(version, TEXT(MCP_MODERN)) &&
	    json_kind_of(can) != JSON_OBJECT)
		return refuse_message(refusal, id, BAD_PARAMS,
		    "Invalid params: _meta has no "
		    "io.modelcontextprotocol/clientCapabilities");
	if (!header_is(h->method, method))
		return refuse_message(refusal, id, HEADER_MISMATCH,
		    "The header Mcp-Method is not the method");
	if (name.len > 0 && !header_is(h->name, name))
		return refuse_message(refusal, id, HEADER_MISMATCH,
		    "The header Mcp-Name is not the name or URI of params");
	return 0;
}

unsigned
serve_http_check(
    const serve_headers *h, text message, serve_post *out, buf *refusal)
{
	enum { ID, METHOD, PARAMS, MEMBERS };
	static const char *const names[MEMBERS] = {"id", "method", "params"};
	text version =
	    h->version != NULL ? text_trim(text_of(h->version)) : TEXT_NONE;
	json m[MEMBERS], v;

	*out = (serve_post){.modern = text_eq(version, TEXT(MCP_MODERN))};
	if (!json_check(message, JSON_DEPTH, &v, NULL))
		return 0;
	pick(v, names, m, MEMBERS);
	if (json_path(m[PARAMS], "_meta",
		"io.modelcontextprotocol/protocolVersion", NULL)
		.len > 0)
		out->modern = true;
	if (out->modern && m[METHOD].len > 0 && m[ID].len > 0)
		return check_modern(h, m[ID], m[METHOD], m[PARAMS], refusal);
	if (!out->modern && version.len > 0 && !mcp_server_speaks(version))
		return refuse_message(refusal, m[ID], -32000,
		    "Bad request: the version in MCP-Protocol-Version is not "
		    "supported");
	out->initialize = !out->modern && m[ID].len > 0 &&
			  json_is(m[METHOD], TEXT("initialize"));
	return 0;
}

unsigned
serve_http_status(int error, bool modern)
{
	if (error == -32700 || error == -32600)
		return BAD_REQUEST;
	if (!modern)
		return 0;
	if (error == -32601)
		return NOT_FOUND;
	return error <= HEADER_MISMATCH && error >= -32099 ? BAD_REQUEST : 0;
}

/* ----------------------------------------------------- hosts and types */

static bool
is_port(text t)
{
	for (size_t i = 1; i < t.len; i++)
		if (t.ptr[i] < '0' || t.ptr[i] > '9')
			return false;
	return t.len == 0 || (t.len > 1 && t.ptr[0] == ':');
}

static bool
is_same_ascii(text a, text b)
{
	for (size_t i = 0; i < a.len && a.len == b.len; i++) {
		char c = a.ptr[i], d = b.ptr[i];

		c = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
		d = (char)(d >= 'A' && d <= 'Z' ? d | 0x20 : d);
		if (c != d)
			return false;
	}
	return a.len == b.len;
}

static bool
is_host_named(text host, text name)
{
	return host.len >= name.len &&
	       is_same_ascii(text_sub(host, 0, name.len), name) &&
	       is_port(text_sub(host, name.len, host.len));
}

bool
serve_http_is_host(text host, const text *names, size_t n)
{
	static const text own[] = {
	    TEXT_INIT("localhost"), TEXT_INIT("127.0.0.1"), TEXT_INIT("[::1]")};
	bool found = false;

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		found = found || is_host_named(host, own[i]);
	for (size_t i = 0; i < n; i++)
		found = found || is_host_named(host, names[i]);
	return found;
}

/* One element of an Accept header, with what stands behind a semicolon. */
static bool
accept_takes(text element, text type)
{
	size_t semicolon = text_find(element, TEXT(";"), 0);
	size_t slash = text_find(type, TEXT("/"), 0);
	text range = text_trim(text_sub(element, 0, semicolon));

	return text_eq(range, TEXT("*/*")) || is_same_ascii(range, type) ||
	       (text_ends(range, TEXT("/*")) && range.len == slash + 2 &&
		   is_same_ascii(
		       text_sub(range, 0, slash), text_sub(type, 0, slash)));
}

bool
serve_http_accepts(const char *accept, text type)
{
	text rest = accept != NULL ? text_of(accept) : TEXT_NONE;

	if (text_trim(rest).len == 0)
		return true;
	while (rest.len > 0) {
		size_t comma = text_find(rest, TEXT(","), 0);

		if (accept_takes(text_sub(rest, 0, comma), type))
			return true;
		rest = comma == SIZE_MAX ? TEXT_NONE
					 : text_sub(rest, comma + 1, rest.len);
	}
	return false;
}
