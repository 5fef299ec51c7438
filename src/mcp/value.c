/* SPDX-License-Identifier: MIT */
/*
 * value.c -- the reply to a call, as the script sees it. doc/guide/values.md
 * has the same table for people.
 *
 *	isError                     throws; message: its texts
 *	structuredContent is there  that value, null and [] too; blocks that are
 *	                            no text stand in a member `content` of it
 *	toolResult                  what is in it
 *	one text                    the text; its value when it is a JSON object
 *	                            or list
 *	several texts               a list of their values when each is a JSON
 *	                            object or list; else the texts joined by line
 *	                            breaks, as one text
 *	no blocks                   null
 *	anything else               { text, content: [ the blocks as sent ] }
 *	no list of blocks           the result itself, and a warning
 *
 * Text becomes JSON only when it starts with { or [: "42" and ids stay the
 * strings that they were. A payload is a span of the reply wherever it can be;
 * one that must be unescaped is copied once.
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

/* The same of a block in an error, where a resource may hold the message. */
static json
error_words_of(json block)
{
	json words = words_of(block);

	return words.len ? words : json_path(block, "resource", "text", NULL);
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
plain_text(json content, json (*words_in)(json block), buf *out)
{
	json_iter it = json_each(content);
	bool more = false;
	json block;

	while (json_next(&it, NULL, &block)) {
		json words = words_in(block);

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

/* The JSON object or list that a text holds, in scratch behind what is there
 * already; false: it holds none, and scratch is as it was. */
static bool
parse_text(json string, buf *scratch, json *value)
{
	size_t had = scratch->len;

	if (!looks_like_json(string))
		return false;
	json_unescape(string, scratch);
	if (!scratch->bad &&
	    json_check(text_sub(buf_view(scratch), had, scratch->len),
		JSON_DEPTH, value, NULL))
		return true;
	scratch->len = had;
	return false;
}

/* A list of what all texts hold, when each holds JSON; else missing. */
static json
list_of_texts(json content, buf *scratch)
{
	json_iter it = json_each(content);
	json block, value;

	buf_byte(scratch, '[');
	while (json_next(&it, NULL, &block)) {
		json_element(scratch);
		if (!parse_text(words_of(block), scratch, &value)) {
			buf_clear(scratch);
			return TEXT_NONE;
		}
	}
	buf_byte(scratch, ']');
	return buf_view(scratch);
}

/* *parsed: it is not the text itself. */
static json
value_of_texts(json content, const census *n, buf *scratch, bool *parsed)
{
	json value;

	*parsed = true;
	if (n->texts == 1 && parse_text(n->first, scratch, &value))
		return value;
	if (n->texts > 1 && looks_like_json(n->first)) {
		value = list_of_texts(content, scratch);
		if (value.len)
			return value;
		plain_text(content, words_of, scratch);
		if (json_check(buf_view(scratch), JSON_DEPTH, &value, NULL))
			return value;
		buf_clear(scratch);
	}
	*parsed = false;
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

/* declared: an output schema promises more than text. */
static json
value_of_content(json content, bool declared, buf *scratch, const char **odd)
{
	census n = count_blocks(content);
	bool parsed = false;
	json value;

	if (n.blocks == 0)
		value = TEXT("null");
	else if (n.texts == n.blocks)
		value = value_of_texts(content, &n, scratch, &parsed);
	else
		value = value_of_mixture(content, &n, scratch);
	if (declared && !parsed)
		*odd = "it declares an outputSchema, but its result has no "
		       "structuredContent";
	return value;
}

/*
 * Structured content, and the blocks beside it that no text can stand for: they
 * are a member `content` of an object that has none of its own. Any other value
 * is wrapped: { structuredContent, content }.
 */
static json
value_of_structured(json value, json content, buf *scratch)
{
	census n = count_blocks(content);

	if (n.texts == n.blocks)
		return value;
	buf_byte(scratch, '{');
	if (json_kind_of(value) != JSON_OBJECT ||
	    json_get(value, TEXT("content")).len)
		json_member_json(scratch, "structuredContent", value);
	else if (json_len(value))
		buf_text(scratch, text_sub(value, 1, value.len - 1));
	json_member_json(scratch, "content", content);
	buf_byte(scratch, '}');
	return buf_view(scratch);
}

/* ---------------------------------------------------------- odd results */

/* Members that are not for the script. */
static bool
is_of_protocol(json key)
{
	return json_is(key, TEXT("_meta")) || json_is(key, TEXT("resultType"));
}

static json
without_meta(json object, buf *scratch)
{
	json_iter it = json_each(object);
	bool more = false;
	json key, value;

	if (json_get(object, TEXT("_meta")).len == 0 &&
	    json_get(object, TEXT("resultType")).len == 0)
		return object;
	buf_byte(scratch, '{');
	while (json_next(&it, &key, &value)) {
		if (is_of_protocol(key))
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
		plain_text(content, error_words_of, scratch);
	if (scratch->len == 0)
		json_unescape(
		    json_get(member[STRUCTURED], TEXT("message")), scratch);
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
value_of_result(json result, bool declared, buf *scratch, value_verdict *out)
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
		out->answer.value = value_of_structured(
		    member[STRUCTURED], member[CONTENT], scratch);
	else if (json_kind_of(member[CONTENT]) == JSON_ARRAY)
		out->answer.value = value_of_content(
		    member[CONTENT], declared, scratch, &out->odd);
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
