/* SPDX-License-Identifier: MIT */
/*
 * show.c -- prints a run for a person or for a program.
 *
 * Values are always JSON, so that the form of stdout does not depend on what
 * the script returned: compact in a pipe, with line breaks on a terminal. A
 * script's console and all errors are for people and go to stderr.
 */
#include "show.h"

#include "mcp/serve_tool.h"
#include "shrink/shrink.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

void
show_init(show *s, say *to, bool as_json)
{
	*s = (show){.say = to,
	    .json = as_json,
	    .terminal = isatty(STDOUT_FILENO) == 1,
	    .tokens = CM_NO_LIMIT};
}

void
show_limit(show *s, uint64_t tokens)
{
	s->tokens = tokens;
}

static void
put_stdout(show *s, text t)
{
	/* On a shared terminal the live line must not stand in the way. */
	if (s->terminal)
		say_clear(s->say);
	say_text(stdout, s->terminal, t);
	putchar('\n');
	s->written += t.len + 1;
	if (ferror(stdout) && s->failed == 0)
		s->failed = errno ? errno : EIO;
}

bool
show_flush(show *s)
{
	bool told = s->told;

	if (fflush(stdout) != 0 && s->failed == 0)
		s->failed = errno;
	s->told = s->failed != 0;
	if (s->failed != 0 && !told)
		say_line(s->say, "stdout cannot be written: %s",
		    strerror(s->failed));
	return s->told;
}

/* Base64 says how many bytes it stands for by its length. */
static size_t
decoded_size(text base64)
{
	size_t n = base64.len / 4 * 3;

	if (text_ends(base64, TEXT("==")))
		return n - 2;
	return text_ends(base64, TEXT("=")) ? n - 1 : n;
}

/* Bytes that may still be shown, of max in all. */
static size_t
room_left(const show *s)
{
	size_t max = serve_token_bytes(s->tokens);

	return s->spent < max ? max - (size_t)s->spent : 0;
}

/* As much of a printed text as there is room for. Printed text may take half
 * of the room at least, so that the value is seen in any case. */
static void
show_text(show *s, text t)
{
	size_t room = room_left(s), kept = serve_token_bytes(s->tokens) / 2;
	buf shown = BUF_INIT(NULL, SIZE_MAX / 2), where = BUF_INIT(NULL, 4096);
	size_t left_out;

	if (s->tokens == CM_NO_LIMIT) {
		put_stdout(s, t);
		return;
	}
	left_out =
	    text_shrink(&shown, t, room > kept ? room - kept : 0, &where);
	if (left_out > 0 && s->cut == 0)
		snprintf(s->where, sizeof(s->where), "%.*s",
		    TEXT_ARG(buf_view(&where)));
	s->cut += left_out;
	s->spent += shown.len + 1;
	if (shown.len > 0 || t.len == 0)
		put_stdout(s, buf_view(&shown));
	buf_fini(&shown);
	buf_fini(&where);
}

/* "[resource file:///a.csv]", with its size when it is there in full. */
static void
show_resource(show *s, json block)
{
	json inside = json_get(block, TEXT("resource"));
	json blob = json_get(inside, TEXT("blob"));
	buf line = BUF_INIT(NULL, SIZE_MAX / 2), words = line;

	buf_str(&line, "[resource ");
	json_unescape(
	    json_get(inside.len ? inside : block, TEXT("uri")), &line);
	if (json_unescape(json_get(inside, TEXT("text")), &words))
		buf_printf(&line, ", %zu bytes", words.len);
	else if (blob.len > 2)
		buf_printf(&line, ", %zu bytes",
		    decoded_size(text_sub(blob, 1, blob.len - 1)));
	buf_byte(&line, ']');
	say_lines(s->say, buf_view(&line));
	buf_fini(&line);
	buf_fini(&words);
}

void
show_print(show *s, const cm_print *p)
{
	char line[128];

	if (s->json)
		return;
	switch (p->kind) {
	case CM_PRINT_TEXT:
		show_text(s, p->text);
		break;
	case CM_PRINT_CONSOLE:
		say_lines(s->say, p->text.len > 0 ? p->text : TEXT("\n"));
		break;
	case CM_PRINT_IMAGE:
	case CM_PRINT_AUDIO:
		snprintf(line, sizeof(line), "[%s %.*s, %zu bytes]",
		    p->kind == CM_PRINT_IMAGE ? "image" : "audio",
		    (int)(p->mime_type.len < 64 ? p->mime_type.len : 64),
		    p->mime_type.ptr, decoded_size(p->text));
		say_lines(s->say, text_of(line));
		break;
	case CM_PRINT_RESOURCE:
		show_resource(s, p->text);
		break;
	}
}

/* The value within the limit, in *shown if it had to be cut. What was cut is
 * told on stderr, or as members of the object of JSON mode. */
static json
limit_value(show *s, json value, buf *shown, buf *where, size_t *left_out)
{
	*left_out = 0;
	if (s->tokens == CM_NO_LIMIT || value.len <= room_left(s))
		return value;
	*left_out = json_shrink(shown, value, room_left(s), where);
	s->value_cut = true;
	return buf_view(shown);
}

static void
tell_left_out(show *s, uint64_t bytes, const char *what, text where)
{
	if (bytes > 0)
		say_line(s->say,
		    "%llu bytes of %s left out%s%.*s%s: the limit is %llu "
		    "tokens",
		    (unsigned long long)bytes, what, where.len > 0 ? " (" : "",
		    TEXT_ARG(where), where.len > 0 ? ")" : "",
		    (unsigned long long)s->tokens);
}

static void
show_value(show *s, json whole)
{
	buf pretty = BUF_INIT(NULL, SIZE_MAX / 2);
	buf shown = BUF_INIT(NULL, SIZE_MAX / 2);
	buf where = BUF_INIT(NULL, 4096);
	size_t left_out;
	json value = limit_value(s, whole, &shown, &where, &left_out);

	tell_left_out(s, s->cut, "printed text", text_of(s->where));
	tell_left_out(s, left_out, "the value", buf_view(&where));
	if (value.len == 0)
		goto out;
	if (s->terminal)
		json_pretty(&pretty, value);
	put_stdout(s,
	    pretty.len > 0 && pretty.bad == CM_OK ? buf_view(&pretty) : value);
out:
	buf_fini(&pretty);
	buf_fini(&shown);
	buf_fini(&where);
}

/* "line 3, column 5: TypeError: ..." and below it the excerpt. */
static void
show_fault(show *s, const cm_done *done)
{
	const cm_fault *f = &done->fault;
	buf line = BUF_INIT(NULL, 1 << 20), plain;

	if (f->line > 0)
		buf_printf(&line, "line %u, column %u: ", f->line, f->column);
	serve_put_fault(&line, f);
	say_clear(s->say);
	fputs("codemode: ", s->say->to);
	say_lines(
	    s->say, lines_without_secrets(s->secrets, buf_view(&line), &plain));
	buf_fini(&plain);
	buf_fini(&line);
}

/* "warning: line 3: ...", and below it the excerpt, if it has one. */
static void
show_warning(show *s, json w)
{
	buf message = BUF_INIT(NULL, 1 << 20), plain;
	bool note = json_is(json_get(w, TEXT("level")), TEXT("note"));
	int64_t line;
	text shown;

	buf_str(&message, note ? "note: " : "warning: ");
	if (json_int(json_get(w, TEXT("line")), &line))
		buf_printf(&message, "line %lld: ", (long long)line);
	json_unescape(json_get(w, TEXT("message")), &message);
	shown = lines_without_secrets(s->secrets, buf_view(&message), &plain);
	say_line(s->say, "%.*s", TEXT_ARG(shown));
	buf_fini(&plain);
	buf_clear(&message);
	if (json_unescape(json_get(w, TEXT("excerpt")), &message)) {
		say_lines(s->say, lines_without_secrets(
				      s->secrets, buf_view(&message), &plain));
		buf_fini(&plain);
	}
	buf_fini(&message);
}

static void
count_unfinished(show *s, json calls)
{
	json_iter it = json_each(calls);
	json call;

	while (json_next(&it, NULL, &call)) {
		json status = json_get(call, TEXT("status"));

		s->unstarted += json_is(status, TEXT("unstarted"));
		s->stopped += json_is(status, TEXT("cancelled"));
	}
}

/* The printed texts in the room that there is. Media stay whole: they are no
 * text, and a part of one is nothing. Returns the room that is left. */
static size_t
limit_output(show *s, json output, size_t room, buf *out, buf *cut)
{
	json_iter it = json_each(output);
	buf t = BUF_INIT(NULL, SIZE_MAX / 2), shown = t, where = t;
	size_t left_out, notes = 0;
	json item;

	buf_byte(out, '[');
	for (size_t i = 0; json_next(&it, NULL, &item); i++) {
		buf_clear(&t);
		buf_clear(&shown);
		buf_clear(&where);
		json_unescape(json_get(item, TEXT("text")), &t);
		left_out = text_shrink(&shown, buf_view(&t), room, &where);
		s->cut += left_out;
		if (left_out > 0 && notes++ < SHRINK_NOTES)
			buf_printf(cut, "%soutput[%zu]: %.*s",
			    cut->len > 0 ? "; " : "", i,
			    TEXT_ARG(buf_view(&where)));
		else if (left_out > 0 && notes == SHRINK_NOTES + 1)
			buf_str(cut, "; and more of output");
		room = left_out > 0 ? 0 : room - shown.len;
		if (left_out > 0 && shown.len == 0)
			continue;
		buf_str(out, out->len > 1 ? "," : "");
		if (left_out == 0) {
			buf_text(out, item);
			continue;
		}
		buf_byte(out, '{');
		json_member_text(out, "type", TEXT("text"));
		json_member_text(out, "text", buf_view(&shown));
		if (json_bool(json_get(item, TEXT("console")), false))
			json_member_bool(out, "console", true);
		buf_byte(out, '}');
	}
	buf_byte(out, ']');
	buf_fini(&t);
	buf_fini(&shown);
	buf_fini(&where);
	return room;
}

/* The value in so many bytes: as a member, so that its place has a name. */
static void
limit_member(show *s, json value, size_t room, buf *out, buf *cut)
{
	buf object = BUF_INIT(NULL, SIZE_MAX / 2), small = object;
	size_t around = TEXT("{\"value\":}").len;

	if (cut->len > 0 && value.len > room)
		buf_str(cut, "; ");
	buf_printf(&object, "{\"value\":");
	buf_text(&object, value);
	buf_byte(&object, '}');
	s->value_cut =
	    json_shrink(&small, buf_view(&object), room + around, cut) > 0;
	buf_text(out, json_get(buf_view(&small), TEXT("value")));
	if (out->bad == CM_OK)
		out->bad = object.bad != CM_OK ? object.bad : small.bad;
	buf_fini(&object);
	buf_fini(&small);
}

/* Appends the result with its value and output in the room that there is; a
 * member "cut" tells what was left out. */
static void
limit_object(show *s, json result, buf *out)
{
	size_t room = serve_token_bytes(s->tokens);
	json output = json_get(result, TEXT("output"));
	json value = json_get(result, TEXT("value"));
	size_t kept = value.len < room / 2 ? value.len : room / 2;
	buf texts = BUF_INIT(NULL, SIZE_MAX / 2), small = texts, cut = texts;
	json_iter it = json_each(result);
	json key, member;

	room = kept + limit_output(s, output, room - kept, &texts, &cut);
	limit_member(s, value, room, &small, &cut);
	buf_byte(out, '{');
	while (json_next(&it, &key, &member)) {
		if (json_is(key, TEXT("value")))
			member = buf_view(&small);
		else if (json_is(key, TEXT("output")))
			member = buf_view(&texts);
		if (member.len == 0)
			continue;
		buf_str(out, out->len > 1 ? "," : "");
		buf_text(out, key);
		buf_byte(out, ':');
		buf_text(out, member);
	}
	if (cut.len > 0)
		json_member_text(out, "cut", buf_view(&cut));
	buf_byte(out, '}');
	if (texts.bad != CM_OK || small.bad != CM_OK)
		out->bad = CM_ENOMEM;
	buf_fini(&texts);
	buf_fini(&small);
	buf_fini(&cut);
}

/* For programs: the bytes of the library, but for the members that only this
 * program knows of. */
static void
show_object(show *s, json result, const char *lost)
{
	buf object = BUF_INIT(NULL, SIZE_MAX / 2);
	buf limited = BUF_INIT(NULL, SIZE_MAX / 2);

	if (s->tokens != CM_NO_LIMIT) {
		limit_object(s, result, &limited);
		if (limited.bad == CM_OK)
			result = buf_view(&limited);
	}
	if (lost != NULL) {
		buf_text(&object, text_sub(result, 0, result.len - 1));
		json_member_text(&object, "storeError", text_of(lost));
		buf_byte(&object, '}');
	}
	s->terminal = false;
	s->answered = true;
	put_stdout(s,
	    object.len > 0 && object.bad == CM_OK ? buf_view(&object) : result);
	buf_fini(&object);
	buf_fini(&limited);
}

void
show_done(show *s, const cm_done *done, json result, const char *lost)
{
	json_iter it = json_each(json_get(result, TEXT("warnings")));
	json warning;

	count_unfinished(s, json_get(result, TEXT("calls")));
	if (s->json) {
		show_object(s, result, lost);
		return;
	}
	if (done->end == CM_END_OK)
		show_value(s, done->value);
	show_flush(s);
	while (json_next(&it, NULL, &warning))
		show_warning(s, warning);
	/* Stopped because stdout cannot be written: that was printed. */
	if (done->end != CM_END_OK && !s->told)
		show_fault(s, done);
}

cli_exit
show_failure(show *s, cli_exit code)
{
	static const char *const codes[] = {
#define SHOW_CODE(name, number, code, meaning) [number] = code,
	    CLI_EXIT_MAP(SHOW_CODE)
#undef SHOW_CODE
	};
	buf object = BUF_INIT(NULL, SAY_KEPT_MAX * 8);

	if (!s->json || s->answered)
		return code;
	buf_byte(&object, '{');
	json_member_bool(&object, "ok", false);
	json_member(&object, "error");
	buf_byte(&object, '{');
	json_member_text(&object, "kind", TEXT("command"));
	json_member_text(&object, "code", text_of(codes[code]));
	json_member_text(&object, "message", say_kept(s->say));
	buf_str(&object, "}}");
	s->terminal = false;
	s->answered = true;
	put_stdout(s, buf_view(&object));
	buf_fini(&object);
	return show_flush(s) ? CLI_OUTPUT : code;
}

show_size
show_bytes(uint64_t n)
{
	static const char *const units[] = {"kB", "MB", "GB", "TB"};
	show_size size;
	double v = (double)n / 1000;
	size_t i = 0;

	if (n < 1000) {
		snprintf(size.text, sizeof(size.text), "%u bytes", (unsigned)n);
		return size;
	}
	while (v >= 999.95 && i < 3) {
		v /= 1000;
		i++;
	}
	snprintf(size.text, sizeof(size.text), "%.1f %s", v, units[i]);
	return size;
}
