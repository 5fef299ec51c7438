/* SPDX-License-Identifier: MIT */
/*
 * show.c -- prints a run for a person or for a program.
 *
 * Values are always JSON, so that the form of stdout does not depend on what
 * the script returned: compact in a pipe, with line breaks on a terminal. A
 * script's console and all errors are for people and go to stderr.
 */
#include "show.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

void
show_init(show *s, say *to, bool as_json)
{
	*s = (show){
	    .say = to, .json = as_json, .terminal = isatty(STDOUT_FILENO) == 1};
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

void
show_print(show *s, const cm_print *p)
{
	char line[128];

	if (s->json)
		return;
	switch (p->kind) {
	case CM_PRINT_TEXT:
		put_stdout(s, p->text);
		break;
	case CM_PRINT_CONSOLE:
		say_lines(s->say, p->text.len > 0 ? p->text : TEXT("\n"));
		break;
	case CM_PRINT_IMAGE:
		snprintf(line, sizeof(line), "[image %.*s, %zu bytes]",
		    (int)(p->mime_type.len < 64 ? p->mime_type.len : 64),
		    p->mime_type.ptr, decoded_size(p->text));
		say_lines(s->say, text_of(line));
		break;
	}
}

static void
show_value(show *s, json value)
{
	buf pretty = BUF_INIT(NULL, SIZE_MAX / 2);

	if (value.len == 0)
		return;
	if (s->terminal)
		json_pretty(&pretty, value);
	put_stdout(s,
	    pretty.len > 0 && pretty.bad == CM_OK ? buf_view(&pretty) : value);
	buf_fini(&pretty);
}

/* "line 3, column 5: TypeError: ..." and below it the excerpt. */
static void
show_fault(show *s, const cm_done *done)
{
	const cm_fault *f = &done->fault;
	buf line = BUF_INIT(NULL, 1 << 20);

	if (f->line > 0)
		buf_printf(&line, "line %u, column %u: ", f->line, f->column);
	buf_text(&line, f->name);
	if (f->name.len > 0 && f->message.len > 0)
		buf_str(&line, ": ");
	buf_text(&line, f->message);
	if (f->tool.len > 0)
		buf_printf(&line, " (tools.%.*s)", TEXT_ARG(f->tool));
	buf_byte(&line, '\n');
	buf_text(&line, f->excerpt);
	say_clear(s->say);
	fputs("codemode: ", s->say->to);
	say_lines(s->say, buf_view(&line));
	buf_fini(&line);
}

/* A warning is a text, or an object with a message and perhaps a line. */
static void
show_warning(show *s, json w)
{
	buf message = BUF_INIT(NULL, 1 << 20);
	int64_t line;

	if (!json_unescape(w, &message) &&
	    !json_unescape(json_get(w, TEXT("message")), &message))
		buf_text(&message, w);
	if (json_int(json_get(w, TEXT("line")), &line))
		say_line(s->say, "warning: line %lld: %.*s", (long long)line,
		    TEXT_ARG(buf_view(&message)));
	else
		say_line(s->say, "warning: %.*s", TEXT_ARG(buf_view(&message)));
	buf_fini(&message);
}

/* For programs: the bytes of the library, but for the member that only this
 * program knows of. */
static void
show_object(show *s, json result, const char *lost)
{
	buf object = BUF_INIT(NULL, SIZE_MAX / 2);

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
}

void
show_done(show *s, const cm_done *done, json result, const char *lost)
{
	json_iter it = json_each(json_get(result, TEXT("warnings")));
	json warning;

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
