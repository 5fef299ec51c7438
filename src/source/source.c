/* SPDX-License-Identifier: MIT */
/* source.c -- see source.h. grammar.c describes what is read here. */
#include "source.h"

#include "lex.h"

#include <stdio.h>

#define PREFIX      TEXT("// @options:")
#define TIMEOUT_MAX 2147483647
#define TOKENS_MAX  9007199254740991 /* 2^53 - 1 */

/* Bytes of the white space that t begins with: what JavaScript takes for white
 * space or a line end. t is valid UTF-8. */
static size_t
leading_blank(text t)
{
	size_t at = 0, next = 0;

	while (at < t.len) {
		uint32_t c = utf8_next(t, &next);

		if (c != ' ' && (c < '\t' || c > '\r') && !js_is_high_space(c))
			break;
		at = next;
	}
	return at;
}

static void
fail_source(source_fault *f, const char *code, text given, size_t at,
    const char *message)
{
	f->code = code;
	snprintf(f->message, sizeof(f->message), "%s", message);
	if (at != SIZE_MAX)
		text_position(given, at, &f->line, &f->column);
}

/* Text that an engine can take: some, not too much, UTF-8, no NUL. */
static bool
is_text(text given, uint64_t limit, source_fault *f)
{
	size_t bad;
	const char *nul;

	if (given.len > limit) {
		f->code = "SourceLimit";
		snprintf(f->message, sizeof(f->message),
		    "the script has %zu bytes, the limit is %llu: pass data "
		    "through tools or the store, not inside the script",
		    given.len, (unsigned long long)limit);
		return false;
	}
	if ((bad = utf8_bad(given)) != SIZE_MAX) {
		fail_source(f, "NotText", text_sub(given, 0, bad), bad,
		    "the script is not valid UTF-8 here: save it as UTF-8");
		return false;
	}
	if (leading_blank(given) == given.len) {
		fail_source(f, "EmptySource", given, SIZE_MAX,
		    "the script is empty: write the body of an async function, "
		    "e.g. return await tools.name({})");
		return false;
	}
	if ((nul = memchr(given.ptr, 0, given.len)) != NULL) {
		fail_source(f, "NotText", given, (size_t)(nul - given.ptr),
		    "the script has a NUL byte here: write \\0 in a string "
		    "instead, or check that the file is text");
		return false;
	}
	return true;
}

/* 30000, 30000.0 or 3e4: other ways to write a whole number, which no grammar
 * can tell from fractions, are refused. */
static bool
is_plain_number(json v)
{
	size_t at = 0;
	uint64_t digits = text_decimal(v, &at);

	if (at == 1 && digits > 0 && v.len > 1 && (v.ptr[1] | 0x20) == 'e') {
		at = v.ptr[2] == '+' ? 3 : 2;
		text_decimal(v, &at);
	} else if (at > 0 && at < v.len && v.ptr[at] == '.')
		for (at++; at < v.len && v.ptr[at] == '0';)
			at++;
	return at == v.len;
}

static bool
is_whole_number(json v, int64_t least, int64_t most, uint64_t *out)
{
	int64_t n;

	if (json_kind_of(v) != JSON_NUMBER || !is_plain_number(v) ||
	    !json_int(v, &n) || n < least || n > most)
		return false;
	*out = (uint64_t)n;
	return true;
}

static bool
read_option(
    json key, json value, source *out, source_fault *f, text given, size_t at)
{
	if (text_eq(key, TEXT("\"timeout_ms\""))) {
		if (is_whole_number(value, 1, TIMEOUT_MAX, &out->timeout_ms))
			return true;
		fail_source(f, "BadOptions", given, at,
		    "timeout_ms must be a whole number from 1 to 2147483647, "
		    "e.g. 30000");
	} else if (text_eq(key, TEXT("\"max_output_tokens\""))) {
		if (is_whole_number(value, 0, TOKENS_MAX, &out->output_tokens))
			return true;
		fail_source(f, "BadOptions", given, at,
		    "max_output_tokens must be a whole number from 0 to "
		    "9007199254740991, e.g. 2000");
	} else {
		fail_source(f, "BadOptions", given, at, "");
		snprintf(f->message, sizeof(f->message),
		    "the options line has no option %.*s: it knows timeout_ms "
		    "and max_output_tokens",
		    TEXT_ARG(text_head(key, 80)));
	}
	return false;
}

static bool
read_options_line(text line, text given, source *out, source_fault *f)
{
	static const char form[] =
	    "what follows \"// @options:\" must be a JSON object with "
	    "timeout_ms or max_output_tokens, e.g. {\"timeout_ms\": 30000}";
	text body = text_trim(text_sub(line, PREFIX.len, line.len));
	size_t at = (size_t)(line.ptr - given.ptr);
	json options, key, value;
	json_fault why = {0, NULL};
	json_iter it;

	if (body.len == 0 || !json_check(body, JSON_DEPTH, &options, &why) ||
	    json_kind_of(options) != JSON_OBJECT) {
		fail_source(f, "BadOptions", given, at, "");
		snprintf(f->message, sizeof(f->message), "%s%s%s", form,
		    why.why ? ": " : "", why.why ? why.why : "");
		return false;
	}
	it = json_each(options);
	while (json_next(&it, &key, &value))
		if (!read_option(key, value, out, f, given, at))
			return false;
	return true;
}

/* Without the white space before it, and ASCII white space behind it. */
static text
trimmed_line(text line)
{
	return text_trim(text_sub(line, leading_blank(line), line.len));
}

/* An options line that is not the first line, or stands inside of a text. t
 * begins with line number [first]. */
static void
warn_of_later_lines(text t, uint32_t first, source *out)
{
	uint32_t number = first;
	text line;

	for (; text_line(&t, &line) && !out->warning; number++) {
		if (!text_starts(trimmed_line(line), PREFIX))
			continue;
		out->warning = "this options line does not count: only the "
			       "first line of a script does";
		out->warning_line = number;
	}
}

/* // @options {...}, //@options: ..., // @Options: ... */
static bool
is_misspelled(text line)
{
	const text word = TEXT("options");
	size_t i = 0;

	if (!text_starts(line, TEXT("//")))
		return false;
	line = text_trim(text_sub(line, 2, line.len));
	if (!text_starts(line, TEXT("@")))
		return false;
	line = text_sub(line, 1, line.len);
	while (
	    i < word.len && i < line.len && (line.ptr[i] | 0x20) == word.ptr[i])
		i++;
	return i == word.len;
}

/* Takes blank lines and the first that is not blank off *rest; returns how many
 * were blank. *from gets what began with that line. */
static uint32_t
first_line(text *rest, text *from, text *line)
{
	uint32_t blank = 0;

	while (*from = *rest, text_line(rest, line)) {
		*line = trimmed_line(*line);
		if (line->len > 0)
			break;
		blank++;
	}
	return blank;
}

static text
without_bom(text t)
{
	return text_starts(t, TEXT("\xef\xbb\xbf")) ? text_sub(t, 3, t.len) : t;
}

void
source_read(text given, uint64_t limit, source *out, source_fault *fault)
{
	source s = {.timeout_ms = SOURCE_NONE, .output_tokens = SOURCE_NONE};
	text rest = without_bom(given), line = TEXT_NONE, from;
	uint32_t blank;

	memset(fault, 0, sizeof(*fault));
	if (!is_text(given, limit, fault))
		return;
	s.code = rest;
	blank = first_line(&rest, &from, &line);
	if (text_starts(line, PREFIX)) {
		if (!read_options_line(line, given, &s, fault))
			return;
		/* The engine's text begins with the LF that ended the line. */
		s.code = rest.len > 0
			     ? text_sub(from, from.len - rest.len - 1, from.len)
			     : TEXT_NONE;
		if (leading_blank(s.code) == s.code.len) {
			fail_source(fault, "EmptySource", given, SIZE_MAX,
			    "the options line has no script behind it: write "
			    "it on the next lines");
			return;
		}
		s.line = blank;
	} else if (is_misspelled(line)) {
		s.warning =
		    "this comment is no options line: write // @options: "
		    "{\"timeout_ms\": 30000}";
		s.warning_line = blank + 1;
	}
	warn_of_later_lines(rest, blank + 2, &s);
	*out = s;
}
