/* SPDX-License-Identifier: MIT */
/*
 * scripts_prints.c -- what scripts print, without secrets.
 *
 * A script may have joined the parts of a secret, and may divide it among
 * prints. So a print is held while the end of what was printed may be the
 * beginning of a secret. Prints to stdout, prints to stderr, and both in their
 * order are three texts that a person may read.
 */
#include "scripts_parts.h"

typedef struct held_print {
	cm_print print; /* texts are in .copy */
	buf copy;
} held_print;

enum {
	PRINTS_TEXT = 1 << CM_PRINT_TEXT,
	PRINTS_CONSOLE = 1 << CM_PRINT_CONSOLE
};

static const unsigned read_together[] = {
    PRINTS_TEXT, PRINTS_CONSOLE, PRINTS_TEXT | PRINTS_CONSOLE};

/* The secrets of all held prints are looked for at each print, so there is a
 * maximum. */
enum { HELD_PRINTS_MAX = 4096 };

enum { READINGS = sizeof(read_together) / sizeof(*read_together) };

static bool
is_read(const held_print *h, unsigned kinds)
{
	return (kinds >> h->print.kind & 1) != 0;
}

/* ----------------------------------------------------------------- holding */

static void
pass_print(script *s, const cm_print *print)
{
	const scripts_hooks *hooks = &s->all->hooks;

	script_tell(s, (watch_event){.kind = WATCH_PRINT, .print = print});
	if (hooks->print != NULL && s->depth == 0)
		hooks->print(hooks->ctx, s->number, print);
}

static void
pass_held(script *s)
{
	for (size_t i = 0; i < s->prints; i++)
		pass_print(s, &s->print[i].print);
	script_drop_prints(s);
}

void
script_drop_prints(script *s)
{
	while (s->prints > 0)
		buf_fini(&s->print[--s->prints].copy);
	mem_free(NULL, s->print, s->print_cap * sizeof(*s->print));
	s->print = NULL;
	s->print_cap = 0;
}

/* False: no memory. */
static bool
hold_print(script *s, const cm_print *print)
{
	size_t size =
	    print->text.len + print->mime_type.len + print->extra.len + 1;
	void *array = s->print;
	held_print *h;

	if (!mem_grow(NULL, &array, &s->print_cap, s->prints, sizeof(*h)))
		return false;
	s->print = array;
	h = &s->print[s->prints];
	*h = (held_print){.copy = BUF_INIT(NULL, SIZE_MAX / 2)};
	/* Reserve all the room first: the texts borrow from the buffer. */
	if (buf_room(&h->copy, size) == NULL)
		return false;
	h->print = (cm_print){.kind = print->kind,
	    .text = buf_copied(&h->copy, print->text),
	    .mime_type = buf_copied(&h->copy, print->mime_type),
	    .extra = buf_copied(&h->copy, print->extra)};
	s->prints++;
	return true;
}

/* ----------------------------------------------------------------- secrets */

/* Writes the held prints of those kinds as an array of strings. */
static json
put_held_texts(const script *s, unsigned kinds, buf *out)
{
	buf_byte(out, '[');
	for (size_t i = 0; i < s->prints; i++) {
		if (!is_read(&s->print[i], kinds))
			continue;
		json_element(out);
		json_string(out, s->print[i].print.text);
	}
	buf_byte(out, ']');
	return buf_view(out);
}

/* Gives the held prints of those kinds the texts of the array. */
static bool
replace_texts(script *s, unsigned kinds, json strings)
{
	json_iter it = json_each(strings);
	json one;

	for (size_t i = 0; i < s->prints; i++) {
		held_print *h = &s->print[i];

		if (!is_read(h, kinds))
			continue;
		if (!json_next(&it, NULL, &one))
			return false;
		buf_clear(&h->copy);
		json_unescape(one, &h->copy);
		h->print.text = buf_view(&h->copy);
		if (h->copy.bad != CM_OK)
			return false;
	}
	return true;
}

/* Replaces the secrets of the held prints of those kinds. */
static bool
hide_among(script *s, unsigned kinds, bool *open)
{
	redactor *secrets = s->all->upstream->secrets;
	buf strings = BUF_INIT(NULL, SIZE_MAX / 2), plain;
	json before = put_held_texts(s, kinds, &strings);
	json after = answer_without_secrets(secrets, before, &plain);
	bool ok = strings.bad == CM_OK && after.len > 0 &&
		  (after.ptr == before.ptr || replace_texts(s, kinds, after));

	*open |= ok && redact_is_open(secrets, after);
	buf_fini(&plain);
	buf_fini(&strings);
	return ok;
}

/* Replaces the secrets of the held prints; *open: more must be seen before they
 * are passed on. False: no memory. */
static bool
hide_secrets(script *s, bool *open)
{
	unsigned held = 0;
	bool ok = true;

	*open = false;
	for (size_t i = 0; i < s->prints; i++)
		held |= 1u << s->print[i].print.kind;
	for (size_t i = 0; i < READINGS && ok; i++)
		if ((read_together[i] & ~held) == 0)
			ok = hide_among(s, read_together[i], open);
	return ok;
}

/* Images, audio and resources. */
static bool
hold_media(script *s, const cm_print *print)
{
	cm_print shown = *print;
	buf plain;
	bool ok;

	shown.text =
	    without_secrets(s->all->upstream->secrets, print->text, &plain);
	ok = plain.bad == CM_OK && hold_print(s, &shown);
	buf_fini(&plain);
	return ok;
}

void
script_print(script *s, const cm_print *print)
{
	redactor *secrets = s->all->upstream->secrets;
	bool open = false, ok;

	s->given += print->text.len;
	if (secrets == NULL || redactor_empty(secrets)) {
		pass_print(s, print);
		return;
	}
	if (print->kind == CM_PRINT_TEXT || print->kind == CM_PRINT_CONSOLE)
		ok = hold_print(s, print) && hide_secrets(s, &open);
	else
		ok = hold_media(s, print), open = s->prints > 1;
	if (!ok) {
		script_drop_prints(s);
		cm_run_cancel(s->run, TEXT("out of memory"));
	} else if (!open || s->prints == HELD_PRINTS_MAX) {
		pass_held(s);
	}
}

/* A value that is shown as the last line of stdout. */
static bool
hide_in_value(script *s, json *value, buf *plain)
{
	buf t = BUF_INIT(NULL, SIZE_MAX / 2);
	const cm_print last = {.kind = CM_PRINT_TEXT,
	    .text = json_unescape(*value, &t) ? buf_view(&t) : TEXT_NONE};
	bool open, ok = t.bad == CM_OK && hold_print(s, &last) &&
			hide_secrets(s, &open);

	if (ok) {
		held_print *h = &s->print[--s->prints];

		if (!text_eq(h->print.text, last.text)) {
			json_string(plain, h->print.text);
			*value = buf_view(plain);
		}
		buf_fini(&h->copy);
	}
	buf_fini(&t);
	return ok && plain->bad == CM_OK;
}

void
script_end_prints(script *s, json *value, buf *plain)
{
	*plain = BUF_INIT(NULL, SIZE_MAX / 2);
	if (s->prints > 0 && s->all->value_is_printed &&
	    json_kind_of(*value) == JSON_STRING &&
	    !hide_in_value(s, value, plain))
		script_drop_prints(s);
	pass_held(s);
}
