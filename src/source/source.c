/* SPDX-License-Identifier: MIT */
/* source.c -- see source.h. */
#include "source.h"

#include <stdio.h>

#define PREFIX      TEXT("// @options:")
#define TIMEOUT_MAX 2147483647
#define TOKENS_MAX  9007199254740991 /* 2^53 - 1 */

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
	if (text_trim(given).len == 0) {
		fail_source(f, "EmptySource", given, SIZE_MAX,
		    "the script is empty: write the body of an async function, "
		    "e.g. return await tools.name({})");
		return false;
	}
	if ((bad = utf8_bad(given)) != SIZE_MAX) {
		fail_source(f, "NotText", text_sub(given, 0, bad), bad,
		    "the script is not valid UTF-8 here: save it as UTF-8");
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

static bool
is_whole_number(json v, int64_t least, int64_t most, uint64_t *out)
{
	int64_t n;

	if (!json_int(v, &n) || n < least || n > most)
		return false;
	*out = (uint64_t)n;
	return true;
}

static bool
read_option(
    json key, json value, source *out, source_fault *f, text given, size_t at)
{
	if (json_is(key, TEXT("timeout_ms"))) {
		if (is_whole_number(value, 1, TIMEOUT_MAX, &out->timeout_ms))
			return true;
		fail_source(f, "BadOptions", given, at,
		    "timeout_ms must be a whole number from 1 to 2147483647");
	} else if (json_is(key, TEXT("max_output_tokens"))) {
		if (is_whole_number(value, 0, TOKENS_MAX, &out->output_tokens))
			return true;
		fail_source(f, "BadOptions", given, at,
		    "max_output_tokens must be a whole number from 0");
	} else {
		fail_source(f, "BadOptions", given, at, "");
		snprintf(f->message, sizeof(f->message),
		    "the options line has no option %.*s: it knows timeout_ms "
		    "and max_output_tokens",
		    (int)(key.len < 80 ? key.len : 80), key.ptr);
	}
	return false;
}

static bool
read_options_line(text line, text given, source *out, source_fault *f)
{
	text body = text_trim(text_sub(line, PREFIX.len, line.len));
	size_t at = (size_t)(line.ptr - given.ptr);
	json options, key, value;
	json_fault why;
	json_iter it;

	if (!json_check(body, JSON_DEPTH, &options, &why)) {
		fail_source(f, "BadOptions", given, at, "");
		snprintf(f->message, sizeof(f->message),
		    "what follows \"// @options:\" must be a JSON object, "
		    "e.g. {\"timeout_ms\": 30000}: %s",
		    why.why);
		return false;
	}
	if (json_kind_of(options) != JSON_OBJECT) {
		fail_source(f, "BadOptions", given, at,
		    "what follows \"// @options:\" must be a JSON object, "
		    "e.g. {\"timeout_ms\": 30000}");
		return false;
	}
	it = json_each(options);
	while (json_next(&it, &key, &value))
		if (!read_option(key, value, out, f, given, at))
			return false;
	return true;
}

/* A comment that was to be an options line: on another line than the first, or
 * spelled in another way. t begins with line number [first]. */
static void
warn_of_comments(text t, uint32_t first, source *out)
{
	uint32_t number = first;
	text line;

	for (; text_line(&t, &line) && !out->warning; number++) {
		line = text_trim(line);
		if (!text_starts(line, PREFIX))
			continue;
		out->warning = "this options line is a comment: it counts on "
			       "the first line only";
		out->warning_line = number;
	}
}

/* // @options {...}, //@options: ... */
static bool
is_misspelled(text line)
{
	if (!text_starts(line, TEXT("//")))
		return false;
	line = text_trim(text_sub(line, 2, line.len));
	return text_starts(line, TEXT("@options"));
}

/* A byte order mark is not white space to text_trim. */
static text
without_bom(text t)
{
	return text_starts(t, TEXT("\xef\xbb\xbf")) ? text_sub(t, 3, t.len) : t;
}

void
source_read(text given, uint64_t limit, source *out, source_fault *fault)
{
	source s = {.timeout_ms = SOURCE_NONE, .output_tokens = SOURCE_NONE};
	text rest = without_bom(given), line = TEXT_NONE, next;
	uint32_t blank = 0;

	memset(fault, 0, sizeof(*fault));
	if (!is_text(given, limit, fault))
		return;
	s.code = rest;
	while (next = rest, text_line(&rest, &line)) {
		line = text_trim(line);
		if (line.len > 0)
			break;
		blank++;
	}
	if (text_starts(line, PREFIX)) {
		if (!read_options_line(line, given, &s, fault))
			return;
		/* The engine's text begins with the LF that ended the line. */
		s.code = rest.len > 0
			     ? text_sub(next, next.len - rest.len - 1, next.len)
			     : TEXT_NONE;
		if (text_trim(s.code).len == 0) {
			fail_source(fault, "EmptySource", given, SIZE_MAX,
			    "the options line has no script behind it");
			return;
		}
		s.line = blank;
	}
	if (s.warning)
		s.warning_line = blank + 1;
	if (!text_starts(line, PREFIX) && is_misspelled(line)) {
		s.warning =
		    "this comment is no options line: write // @options: "
		    "{\"timeout_ms\": 30000}";
		s.warning_line = blank + 1;
	}
	warn_of_comments(rest, blank + 2, &s);
	*out = s;
}
