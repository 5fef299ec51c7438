/* SPDX-License-Identifier: MIT */
/*
 * view.c -- see view.h.
 *
 * The page is embedded when the program is built (tool/embed.cmake). The trace
 * is put into it as checked JSON, in which characters that could end its
 * element are escaped.
 */
#include "view.h"

#include "base/json.h"

#include <stdio.h>
#include <sys/random.h>

enum { NESTING = 1 << 15, MARK_LEN = 7 };

static const unsigned char page[] = {
#include "page.def"
};

/* ------------------------------------------------------------- reading */

/* Appends the text and tail to out. Is out a trace now? */
static bool
is_trace_with(text file, const char *tail, buf *out)
{
	json v;

	buf_clear(out);
	buf_text(out, file);
	buf_str(out, tail);
	return out->bad == CM_OK &&
	       json_check(buf_view(out), NESTING, &v, NULL) &&
	       json_kind_of(json_get(v, TEXT("traceEvents"))) == JSON_ARRAY;
}

/* Returns the offset behind the last whole line; its comma is on the next
 * line. */
static text
whole_events(text file)
{
	size_t n = file.len;

	while (n > 0 &&
	       !(file.ptr[n - 1] == ',' && n < file.len && file.ptr[n] == '\n'))
		n--;
	return text_sub(file, 0, n > 0 ? n - 1 : 0);
}

static const char *
read_trace(text file, buf *out)
{
	if (is_trace_with(file, "", out) || is_trace_with(file, "]}", out) ||
	    is_trace_with(whole_events(file), "]}", out))
		return NULL;
	return "it is no file of --trace or --record";
}

static bool
is_record(text file)
{
	text line;
	json v;

	return text_line(&file, &line) && json_check(line, NESTING, &v, NULL) &&
	       json_present(json_get(v, TEXT("codemodeRecord")));
}

/* The lines of a record as one object; a last one that was cut is left out. */
static void
read_record(text file, buf *out)
{
	text line;
	json v;

	buf_str(out, "{\"record\":[");
	while (text_line(&file, &line))
		if (json_check(line, NESTING, &v, NULL)) {
			json_element(out);
			buf_text(out, v);
		}
	buf_str(out, "]}");
}

/* ------------------------------------------------------------- writing */

/* In JSON these three characters are in strings only, where an escape means the
 * same. */
static void
put_inert(buf *out, json v)
{
	for (size_t i = 0, from = 0; i <= v.len; i++) {
		char c = i < v.len ? v.ptr[i] : '<';

		if (c != '<' && c != '>' && c != '&')
			continue;
		buf_text(out, text_sub(v, from, i));
		if (i < v.len)
			buf_printf(out, "\\u%04x", (unsigned)c);
		from = i + 1;
	}
}

/* The Content-Security-Policy allows script and style by a random number, which
 * a text in the trace cannot know. */
static void
make_nonce(char hex[33])
{
	unsigned char random[16];

	must(getentropy(random, sizeof(random)) == 0);
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(hex + 2 * i, 3, "%02x", random[i]);
}

/* Appends the page with the nonce and the trace in the place of their marks. */
static void
put_page(json trace, buf *out)
{
	text rest = {(const char *)page, sizeof(page)};
	char nonce[33];
	size_t at;

	make_nonce(nonce);
	while ((at = text_find(rest, TEXT("@"), 0)) != SIZE_MAX) {
		text mark = text_sub(rest, at, at + MARK_LEN);

		buf_text(out, text_sub(rest, 0, at));
		if (text_eq(mark, TEXT("@NONCE@")))
			buf_str(out, nonce);
		else if (text_eq(mark, TEXT("@TRACE@")))
			put_inert(out, trace);
		else
			mark = TEXT("@");
		if (mark.len == 1)
			buf_byte(out, '@');
		rest = text_sub(rest, at + mark.len, rest.len);
	}
	buf_text(out, rest);
}

const char *
view_page(text file, buf *out)
{
	buf trace = BUF_INIT(NULL, SIZE_MAX / 2);
	const char *why = NULL;

	if (is_record(file))
		read_record(file, &trace);
	else
		why = read_trace(file, &trace);
	if (why == NULL)
		put_page(buf_view(&trace), out);
	if (why == NULL && (trace.bad != CM_OK || out->bad != CM_OK))
		why = "out of memory";
	buf_fini(&trace);
	return why;
}
