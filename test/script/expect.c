/* SPDX-License-Identifier: MIT */
/*
 * expect.c -- the marks of golden scripts: "// => 42" and its sisters.
 *
 * Each mark is a function from the rest of its line to failures; the table
 * `marks` lists them, README.md says what each means. Output and warnings are
 * consumed in order, one mark an item.
 */
#include "expect.h"

#include <inttypes.h>
#include <stdio.h>

#include "same.h"

#define SHOWN 1200 /* bytes of a result that a failure shows */

void
failed(script *s, const char *what, text wanted, text got)
{
	if (!s->failures++)
		printf("%.*s:%u: %.*s\n", TEXT_ARG(s->file), s->line,
		    TEXT_ARG(s->name));
	printf("\t%s\n\t  wanted: %.*s\n\t  got:    %.*s\n", what,
	    TEXT_ARG(text_sub(wanted, 0, SHOWN)),
	    TEXT_ARG(text_sub(got, 0, SHOWN)));
}

/* Does the JSON string v hold this text, or contain it? */
static bool
holds(json v, text wanted, bool whole)
{
	buf words = BUF_INIT(NULL, FILE_MAX * 8);
	bool yes = json_unescape(v, &words);

	if (whole)
		yes = yes && text_eq(buf_view(&words), wanted);
	else
		yes = yes && text_find(buf_view(&words), wanted, 0) != SIZE_MAX;
	buf_fini(&words);
	return yes;
}

static json
error_of(const script *s, const char *member)
{
	return json_path(s->end.result, "error", member, NULL);
}

static text
word_of(text *rest)
{
	size_t at = text_find(*rest, TEXT(" "), 0);
	text word = text_sub(*rest, 0, at);

	*rest = at == SIZE_MAX ? TEXT_NONE : text_sub(*rest, at + 1, SIZE_MAX);
	return word;
}

/* ---------------------------------------------------------------- marks */

static void
want_value(script *s, text wanted)
{
	json value = json_get(s->end.result, TEXT("value"));
	json expected = TEXT_NONE;

	s->judged = true;
	if (s->or_kind.len && json_is(error_of(s, "kind"), s->or_kind))
		return;
	if (!json_bool(json_get(s->end.result, TEXT("ok")), false))
		failed(s, "it should have returned", wanted, s->end.result);
	else if (text_eq(wanted, TEXT("undefined")) &&
		 json_kind_of(value) == JSON_MISSING)
		return;
	else if (!json_check(wanted, JSON_DEPTH, &expected, NULL) ||
		 !json_same(expected, value))
		failed(s, "value", wanted, value);
}

/* place: "line:column", each a number, "-" for none or "*" for any. */
static bool
at_number(json got, text wanted)
{
	int64_t n = 0;
	char digits[24];

	if (text_eq(wanted, TEXT("*")))
		return true;
	json_int(got, &n);
	snprintf(digits, sizeof(digits), "%" PRId64, n);
	return text_eq(wanted, n ? text_of(digits) : TEXT("-"));
}

static bool
at_place(const script *s, text place)
{
	size_t colon = text_find(place, TEXT(":"), 0);

	return at_number(error_of(s, "line"), text_sub(place, 0, colon)) &&
	       at_number(error_of(s, "column"),
		   colon == SIZE_MAX ? TEXT("*")
				     : text_sub(place, colon + 1, SIZE_MAX));
}

/* name: "-" for none, "*" for any. */
static bool
named(json got, text name)
{
	if (text_eq(name, TEXT("*")))
		return true;
	if (text_eq(name, TEXT("-")))
		return json_kind_of(got) != JSON_STRING;
	return holds(got, name, true);
}

static void
want_fault(script *s, text wanted, bool whole)
{
	text rest = wanted;
	text name = word_of(&rest);
	text place = word_of(&rest);
	json got = error_of(s, "name");

	s->judged = true;
	if (json_kind_of(json_get(s->end.result, TEXT("error"))) !=
	    JSON_OBJECT) {
		failed(s, "it should have failed", wanted, s->end.result);
		return;
	}
	if (!named(got, name))
		failed(s, "error.name", name, got);
	if (!at_place(s, place))
		failed(s, "place of the error", place,
		    json_get(s->end.result, TEXT("error")));
	if (!holds(error_of(s, "message"), rest, whole))
		failed(s, "error.message", rest, error_of(s, "message"));
}

static void
want_error(script *s, text wanted)
{
	want_fault(s, wanted, false);
}

static void
want_exact_error(script *s, text wanted)
{
	want_fault(s, wanted, true);
}

static json
next_item(script *s)
{
	return json_at(json_get(s->end.result, TEXT("output")), s->printed++);
}

static void
want_item(script *s, text wanted, bool console, bool whole)
{
	json item = next_item(s);
	bool marked = json_bool(json_get(item, TEXT("console")), false);

	if (marked != console ||
	    !holds(json_get(item, TEXT("text")), wanted, whole))
		failed(s, "printed item", wanted, item);
}

static void
want_text(script *s, text wanted)
{
	want_item(s, wanted, false, true);
}

static void
want_console(script *s, text wanted)
{
	want_item(s, wanted, true, true);
}

static void
want_console_has(script *s, text wanted)
{
	want_item(s, wanted, true, false);
}

static void
want_text_json(script *s, text wanted)
{
	buf words = BUF_INIT(NULL, FILE_MAX);

	if (json_unescape(wanted, &words))
		want_item(s, buf_view(&words), false, true);
	else
		failed(s, "text-json is no JSON string", wanted, TEXT_NONE);
	buf_fini(&words);
}

/* Has the block what is wanted under this name, or neither has any? */
static bool
same_member(json item, json wanted, text name)
{
	return text_eq(json_get(item, name), json_get(wanted, name));
}

/* "image/png iVBOR...", or audio: the data is compared as far as it is given.
 * What the block has besides may follow, a JSON object. */
static void
want_medium(script *s, text wanted)
{
	json item = next_item(s);
	text rest = wanted;
	text mime = word_of(&rest), data = word_of(&rest);

	if (!json_is(json_get(item, TEXT("mimeType")), mime) ||
	    !json_is(json_get(item, TEXT("type")),
		text_head(mime, strlen("image"))) ||
	    !holds(json_get(item, TEXT("data")), data, false) ||
	    !same_member(item, rest, TEXT("annotations")) ||
	    !same_member(item, rest, TEXT("_meta")))
		failed(s, "printed image or audio", wanted, item);
}

static void
want_resource(script *s, text wanted)
{
	json item = next_item(s);

	if (!text_eq(item, wanted))
		failed(s, "printed resource", wanted, item);
}

static void
want_output(script *s, text wanted)
{
	json all = json_get(s->end.result, TEXT("output"));
	int64_t n;

	s->any_output = true;
	if (text_eq(wanted, TEXT("any")))
		return;
	if (!json_int(wanted, &n) || json_len(all) != (size_t)n)
		failed(s, "number of printed items", wanted, all);
}

static void
want_warning(script *s, text wanted)
{
	json all = json_get(s->end.result, TEXT("warnings"));
	json one = json_at(all, s->warned++);

	if (json_kind_of(one) == JSON_OBJECT)
		one = json_get(one, TEXT("message"));
	if (!holds(one, wanted, false))
		failed(s, "warning", wanted, all);
}

/* "echo ok, fail error": tool and status of each call, in order. */
static void
want_calls(script *s, text wanted)
{
	buf got = BUF_INIT(NULL, FILE_MAX);
	json_iter it = json_each(json_get(s->end.result, TEXT("calls")));
	json call;

	while (json_next(&it, NULL, &call)) {
		buf_str(&got, got.len ? ", " : "");
		json_unescape(json_get(call, TEXT("tool")), &got);
		buf_byte(&got, ' ');
		json_unescape(json_get(call, TEXT("status")), &got);
	}
	if (!text_eq(buf_view(&got), wanted))
		failed(s, "calls", wanted, buf_view(&got));
	buf_fini(&got);
}

static void
want_writes(script *s, text wanted)
{
	json got = json_get(s->end.result, TEXT("storeWrites"));
	json expected = TEXT_NONE;

	if (!json_check(wanted, JSON_DEPTH, &expected, NULL) ||
	    !json_same(expected, got))
		failed(s, "storeWrites", wanted, got);
}

static bool
whole_number(text t, size_t *n)
{
	int64_t value;

	if (!t.len || t.ptr[0] < '0' || t.ptr[0] > '9' || !json_int(t, &value))
		return false;
	*n = (size_t)value;
	return true;
}

static json
dotted(json at, text path)
{
	while (path.len) {
		size_t dot = text_find(path, TEXT("."), 0);
		text key = text_sub(path, 0, dot);
		size_t i;

		at = json_kind_of(at) == JSON_ARRAY && whole_number(key, &i)
			 ? json_at(at, i)
			 : json_get(at, key);
		path = dot == SIZE_MAX ? TEXT_NONE
				       : text_sub(path, dot + 1, SIZE_MAX);
	}
	return at;
}

/* "calls.0.error "boom"": any part of the result. */
static void
want_result(script *s, text wanted)
{
	text rest = wanted;
	json got = dotted(s->end.result, word_of(&rest));
	json expected = TEXT_NONE;

	if (text_eq(rest, TEXT("undefined"))
		? got.len != 0
		: !json_check(rest, JSON_DEPTH, &expected, NULL) ||
		      !json_same(expected, got))
		failed(s, "part of the result", wanted, got);
}

static void
want_member(script *s, const char *member, text wanted, bool whole)
{
	if (!holds(error_of(s, member), wanted, whole))
		failed(s, member, wanted, error_of(s, member));
}

static void
want_kind(script *s, text wanted)
{
	want_member(s, "kind", wanted, true);
}

static void
want_code(script *s, text wanted)
{
	want_member(s, "code", wanted, true);
}

static void
want_tool(script *s, text wanted)
{
	want_member(s, "tool", wanted, true);
}

static void
want_excerpt(script *s, text wanted)
{
	want_member(s, "excerpt", wanted, false);
}

static void
want_stack(script *s, text wanted)
{
	want_member(s, "stack", wanted, false);
}

/* Only noted: see want_in_time. */
static void
want_within(script *s, text wanted)
{
	int64_t ms = 0;

	json_int(wanted, &ms);
	s->may_take = (uint64_t)ms;
}

static void
set_options(script *s, text given)
{
	if (!json_check(given, JSON_DEPTH, &s->options, NULL))
		failed(s, "options are no JSON", given, TEXT_NONE);
}

static void
set_or_kind(script *s, text given)
{
	s->or_kind = given;
}

static void
set_source(script *s, text given)
{
	if (json_unescape(given, &s->own_source))
		s->source = buf_view(&s->own_source);
	else
		failed(s, "source is no JSON string", given, TEXT_NONE);
}

static int
nibble(char c)
{
	const char *digits = "0123456789abcdef";
	const char *at = strchr(digits, c);

	return at ? (int)(at - digits) : 0;
}

static void
set_source_hex(script *s, text given)
{
	while (given.len) {
		text byte = word_of(&given);

		if (byte.len == 2)
			buf_byte(
			    &s->own_source, (char)(nibble(byte.ptr[0]) * 16 +
						   nibble(byte.ptr[1])));
	}
	s->source = buf_view(&s->own_source);
}

/* "5000 ( 1 )": so many of the first, the middle, as many of the last. */
static void
set_source_nest(script *s, text given)
{
	text rest = given;
	size_t n = 0;
	text open, middle, close;

	whole_number(word_of(&rest), &n);
	open = word_of(&rest);
	middle = word_of(&rest);
	close = word_of(&rest);
	for (size_t i = 0; i < n; i++)
		buf_text(&s->own_source, open);
	buf_text(&s->own_source, middle);
	for (size_t i = 0; i < n; i++)
		buf_text(&s->own_source, close);
	s->source = buf_view(&s->own_source);
}

/* before: what the run needs; after: what its end is compared with. */
static const struct mark {
	const char *begin;
	void (*before)(script *s, text rest);
	void (*after)(script *s, text rest);
} marks[] = {
    {"// => ", NULL, want_value},
    {"// !! ", NULL, want_error},
    {"// !!= ", NULL, want_exact_error},
    {"// text: ", NULL, want_text},
    {"// text-json: ", NULL, want_text_json},
    {"// console: ", NULL, want_console},
    {"// console-has: ", NULL, want_console_has},
    {"// image: ", NULL, want_medium},
    {"// audio: ", NULL, want_medium},
    {"// resource: ", NULL, want_resource},
    {"// output: ", NULL, want_output},
    {"// warning: ", NULL, want_warning},
    {"// calls: ", NULL, want_calls},
    {"// writes: ", NULL, want_writes},
    {"// result: ", NULL, want_result},
    {"// kind: ", NULL, want_kind},
    {"// code: ", NULL, want_code},
    {"// tool: ", NULL, want_tool},
    {"// excerpt: ", NULL, want_excerpt},
    {"// stack: ", NULL, want_stack},
    {"// within: ", NULL, want_within},
    {"// options: ", set_options, NULL},
    {"// or: ", set_or_kind, NULL},
    {"// source: ", set_source, NULL},
    {"// source-hex: ", set_source_hex, NULL},
    {"// source-nest: ", set_source_nest, NULL},
};

void
each_mark(script *s, text lines, bool after)
{
	text line;

	while (text_line(&lines, &line))
		for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
			text begin = text_of(marks[i].begin);
			void (*act)(script *, text) =
			    after ? marks[i].after : marks[i].before;

			if (act && text_starts(line, begin))
				act(s, text_sub(line, begin.len, SIZE_MAX));
		}
}

void
want_silence(script *s)
{
	json output = json_get(s->end.result, TEXT("output"));
	json warnings = json_get(s->end.result, TEXT("warnings"));

	if (!s->any_output && json_len(output) > s->printed)
		failed(s, "more output than expected", TEXT_NONE, output);
	if (json_len(warnings) > s->warned)
		failed(s, "more warnings than expected", TEXT_NONE, warnings);
	if (!s->judged)
		failed(s, "the case expects nothing: say // => or // !!",
		    TEXT_NONE, s->end.result);
	if (s->end.broken)
		failed(s, "a promise of the interface", text_of(s->end.broken),
		    s->end.result);
}

bool
left_out_here(text lines)
{
	text line;

	while (host_evaluates() && text_line(&lines, &line))
		if (text_starts(line, TEXT("// quickjs: ")))
			return true;
	return false;
}
