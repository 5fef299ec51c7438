/* SPDX-License-Identifier: MIT */
/*
 * value.c -- the reply to a call, as the script sees it.
 *
 *	isError                     throws; message: its texts
 *	structuredContent is there  that value, null and [] too
 *	toolResult                  what is in it
 *	only texts                  the text; JSON when it is an object or list
 *	no blocks                   null
 *	anything else               { text, content: [ the blocks as sent ] }
 *	no list of blocks           the result itself, and a warning
 *
 * Text becomes JSON only when it starts with { or [ and no output schema says
 * otherwise: "42" and ids stay the strings that they were. A payload is a span
 * of the reply wherever it can be; one that must be unescaped is copied once.
 */
#include "value.h"

#include "pick.h"

static const text no_words = {"Tool call failed", 16};

/* ------------------------------------------------------- blocks of text */

/* The text of a block, as the JSON string that it is; or missing. */
static json
words_of(json block)
{
	static const char *const names[] = {"type", "text"};
	json member[2];

	pick(block, names, member, 2);
	if (!json_is(member[0], TEXT("text")) ||
	    json_kind_of(member[1]) != JSON_STRING)
		return TEXT_NONE;
	return member[1];
}

/* What a list of blocks is made of. */
typedef struct census {
	size_t blocks;
	size_t texts;
	json first; /* the text of the first text block */
} census;

static census
count_blocks(json content)
{
	json_iter it = json_each(content);
	census n = {0};
	json block;

	while (json_next(&it, NULL, &block)) {
		json words = words_of(block);

		n.blocks++;
		if (words.len == 0)
			continue;
		if (n.texts++ == 0)
			n.first = words;
	}
	return n;
}

/* All texts joined by line breaks, as UTF-8. */
static void
plain_text(json content, buf *out)
{
	json_iter it = json_each(content);
	bool more = false;
	json block;

	while (json_next(&it, NULL, &block)) {
		json words = words_of(block);

		if (words.len == 0)
			continue;
		if (more)
			buf_byte(out, '\n');
		more = true;
		json_unescape(words, out);
	}
}

/* The same as one JSON string: the escapes stay as they were sent. */
static void
quoted_text(json content, buf *out)
{
	json_iter it = json_each(content);
	bool more = false;
	json block;

	buf_byte(out, '"');
	while (json_next(&it, NULL, &block)) {
		json words = words_of(block);

		if (words.len == 0)
			continue;
		if (more)
			buf_str(out, "\\n");
		more = true;
		buf_text(out, text_sub(words, 1, words.len - 1));
	}
	buf_byte(out, '"');
}

/* Can the string be the text of an object or a list? White space may stand
 * before it, escaped or not; anything else says no without a copy. */
static bool
looks_like_json(json string)
{
	size_t i;

	for (i = 1; i + 1 < string.len; i++) {
		char c = string.ptr[i];

		if (c == '{' || c == '[')
			return true;
		if (c == '\\')
			c = string.ptr[++i];
		else if (c != ' ')
			return false;
		if (!strchr(" nrt", c))
			return false;
	}
	return false;
}

static json
value_of_texts(json content, const census *n, bool may_be_json, buf *scratch)
{
	json value;

	if (may_be_json && looks_like_json(n->first)) {
		if (n->texts == 1)
			json_unescape(n->first, scratch);
		else
			plain_text(content, scratch);
		if (!scratch->bad &&
		    json_check(buf_view(scratch), JSON_DEPTH, &value, NULL))
			return value;
		if (scratch->bad)
			return TEXT_NONE;
		buf_clear(scratch);
	}
	if (n->texts == 1)
		return n->first;
	quoted_text(content, scratch);
	return buf_view(scratch);
}

/* { text, content }: the blocks that no string can stand for stay whole. */
static json
value_of_mixture(json content, const census *n, buf *scratch)
{
	buf_byte(scratch, '{');
	if (n->texts) {
		json_member(scratch, "text");
		quoted_text(content, scratch);
	}
	json_member_json(scratch, "content", content);
	buf_byte(scratch, '}');
	return buf_view(scratch);
}

static json
value_of_content(json content, bool may_be_json, buf *scratch)
{
	census n = count_blocks(content);

	if (n.blocks == 0)
		return TEXT("null");
	if (n.texts == n.blocks)
		return value_of_texts(content, &n, may_be_json, scratch);
	return value_of_mixture(content, &n, scratch);
}

/* ---------------------------------------------------------- odd results */

/* The object without _meta, which is not for the script. */
static json
without_meta(json object, buf *scratch)
{
	json_iter it = json_each(object);
	bool more = false;
	json key, value;

	if (json_kind_of(json_get(object, TEXT("_meta"))) == JSON_MISSING)
		return object;
	buf_byte(scratch, '{');
	while (json_next(&it, &key, &value)) {
		if (json_is(key, TEXT("_meta")))
			continue;
		if (more)
			buf_byte(scratch, ',');
		more = true;
		buf_text(scratch, key);
		buf_byte(scratch, ':');
		buf_text(scratch, value);
	}
	buf_byte(scratch, '}');
	return buf_view(scratch);
}

enum { CONTENT, STRUCTURED, IS_ERROR, TOOL_RESULT, MEMBERS };

static void
pick_result(json result, json *member)
{
	static const char *const names[MEMBERS] = {
	    [CONTENT] = "content",
	    [STRUCTURED] = "structuredContent",
	    [IS_ERROR] = "isError",
	    [TOOL_RESULT] = "toolResult",
	};

	pick(result, names, member, MEMBERS);
}

/* Is it shaped like a result, and not like data of the tool? */
static bool
is_shaped_as_result(const json *member)
{
	return json_kind_of(member[CONTENT]) == JSON_ARRAY ||
	       json_kind_of(member[STRUCTURED]) != JSON_MISSING;
}

/* --------------------------------------------------------------- failures */

/* scratch holds the message up to here and the members behind it. */
static cm_status
failure_in(buf *scratch, size_t message_len, mcp_answer *out)
{
	text all = buf_view(scratch);

	if (scratch->bad)
		return scratch->bad;
	*out = (mcp_answer){.ok = false,
	    .message = text_sub(all, 0, message_len),
	    .members = text_sub(all, message_len, all.len)};
	if (text_trim(out->message).len == 0)
		out->message = no_words;
	return CM_OK;
}

static cm_status
value_of_is_error(const json *member, buf *scratch, mcp_answer *out)
{
	json content = member[CONTENT];
	size_t len;

	if (json_kind_of(content) == JSON_STRING)
		json_unescape(content, scratch);
	else
		plain_text(content, scratch);
	len = scratch->len;
	buf_byte(scratch, '{');
	json_member_json(scratch, "structuredContent", member[STRUCTURED]);
	json_member_json(scratch, "content", content);
	buf_byte(scratch, '}');
	return failure_in(scratch, len, out);
}

cm_status
value_of_error(json error, buf *scratch, mcp_answer *out)
{
	json message = json_get(error, TEXT("message"));
	size_t len;

	buf_clear(scratch);
	if (json_kind_of(error) == JSON_STRING)
		message = error;
	json_unescape(message, scratch);
	len = scratch->len;
	buf_byte(scratch, '{');
	json_member_json(scratch, "code", json_get(error, TEXT("code")));
	json_member_json(scratch, "data", json_get(error, TEXT("data")));
	buf_byte(scratch, '}');
	return failure_in(scratch, len, out);
}

cm_status
value_of_failure(text message, int code, buf *scratch, mcp_answer *out)
{
	buf_clear(scratch);
	buf_text(scratch, message);
	buf_printf(scratch, "{\"code\":%d}", code);
	return failure_in(scratch, message.len, out);
}

/* ---------------------------------------------------------------- results */

static json
value_of_odd(json result, buf *scratch, value_verdict *out)
{
	if (json_kind_of(result) != JSON_OBJECT) {
		out->odd = "its result is no object";
		return result;
	}
	out->odd = "its result has no list of content blocks";
	return without_meta(result, scratch);
}

/* Takes the wrapping of old servers off. True: what was in it is no result
 * but the value itself. */
static bool
unwrap_result(json *result, json *member, value_verdict *out)
{
	json inner = member[TOOL_RESULT];

	if (inner.len == 0 || is_shaped_as_result(member))
		return false;
	out->odd = "its result is wrapped in toolResult";
	pick_result(inner, member);
	if (is_shaped_as_result(member)) {
		*result = inner;
		return false;
	}
	out->answer.value = inner;
	return true;
}

cm_status
value_of_result(
    json result, bool text_may_be_json, buf *scratch, value_verdict *out)
{
	json member[MEMBERS];

	buf_clear(scratch);
	*out = (value_verdict){.answer = {.ok = true}};
	pick_result(result, member);
	if (unwrap_result(&result, member, out))
		return CM_OK;
	if (json_bool(member[IS_ERROR], false))
		return value_of_is_error(member, scratch, &out->answer);
	if (json_kind_of(member[STRUCTURED]) != JSON_MISSING)
		out->answer.value = member[STRUCTURED];
	else if (json_kind_of(member[CONTENT]) == JSON_ARRAY)
		out->answer.value = value_of_content(
		    member[CONTENT], text_may_be_json, scratch);
	else
		out->answer.value = value_of_odd(result, scratch, out);
	return scratch->bad;
}

cm_status
value_of_contents(json result, buf *scratch, mcp_answer *out)
{
	json contents = json_get(result, TEXT("contents"));
	json words = json_get(json_at(contents, 0), TEXT("text"));

	buf_clear(scratch);
	*out = (mcp_answer){.ok = true};
	if (json_len(contents) == 1 && json_kind_of(words) == JSON_STRING) {
		out->value = words;
		return CM_OK;
	}
	buf_byte(scratch, '{');
	json_member_json(scratch, "contents",
	    json_kind_of(contents) == JSON_ARRAY ? contents : TEXT("[]"));
	buf_byte(scratch, '}');
	out->value = buf_view(scratch);
	return scratch->bad;
}
