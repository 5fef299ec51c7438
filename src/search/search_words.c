/* SPDX-License-Identifier: MIT */
/* search_words.c -- see search_words.h. */
#include "search_words.h"

#include "base/letters.h"

/* ----------------------------------------------------------------- letters */

/* Of the scripts that have case and that tools are named in: Latin, Greek,
 * Cyrillic. */
static uint32_t
lower_letter(uint32_t c)
{
	if (c < 0x80)
		return c >= 'A' && c <= 'Z' ? c + 32 : c;
	if ((c >= 0xc0 && c <= 0xde && c != 0xd7) ||
	    (c >= 0x391 && c <= 0x3a9) || (c >= 0x410 && c <= 0x42f))
		return c + 32;
	if (c >= 0x400 && c <= 0x40f)
		return c + 80;
	if ((c >= 0x100 && c <= 0x137) || (c >= 0x14a && c <= 0x177))
		return c | 1;
	return c;
}

static bool
is_word_letter(uint32_t c)
{
	if (c < 0x80)
		return is_ascii_word(c) && c != '_';
	return continues_name(c);
}

/* Written without spaces between words. */
static bool
is_unspaced(uint32_t c)
{
	return (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) ||
	       (c >= 0xac00 && c <= 0xd7a3);
}

static bool
is_upper(uint32_t c)
{
	return lower_letter(c) != c;
}

static uint32_t
letter_at(text t, size_t at)
{
	return at < t.len ? utf8_next(t, &at) : 0;
}

static void
add_letter(word *w, uint32_t c)
{
	char bytes[4];
	size_t n = utf8_put(lower_letter(c), bytes);

	if (w->len + n > WORD_MAX)
		return;
	memcpy(w->bytes + w->len, bytes, n);
	w->len += n;
}

/* ------------------------------------------------------------------- words */

/* Two neighbours, or the one that stands alone. */
static void
read_unspaced(word_reader *r, word *out)
{
	bool first = r->at == r->run;
	uint32_t behind;

	add_letter(out, utf8_next(r->src, &r->at));
	behind = letter_at(r->src, r->at);
	if (is_unspaced(behind))
		add_letter(out, behind);
	else if (!first)
		out->len = 0; /* it is in the word before */
}

/* Does a new part of camelCase begin between before and c? */
static bool
begins_part(uint32_t before, uint32_t c, uint32_t behind)
{
	if (!is_upper(c))
		return false;
	return !is_upper(before) ||
	       (is_word_letter(behind) && !is_upper(behind) &&
		   !(behind >= '0' && behind <= '9'));
}

/* Takes the lower case letters and digits of ASCII that come next; returns the
 * last of them, or before. */
static uint32_t
read_plain(word_reader *r, word *out, uint32_t before)
{
	size_t at = r->at;

	for (; at < r->src.len; at++) {
		char c = r->src.ptr[at];

		if ((c < 'a' || c > 'z') && (c < '0' || c > '9'))
			break;
		if (out->len < WORD_MAX)
			out->bytes[out->len++] = c;
		before = (uint32_t)c;
	}
	r->at = at;
	return before;
}

static void
read_part(word_reader *r, word *out)
{
	uint32_t before = 0, c;

	while (r->at < r->src.len) {
		size_t next;

		before = read_plain(r, out, before);
		next = r->at;
		c = next < r->src.len ? utf8_next(r->src, &next) : 0;
		if (!is_word_letter(c) || is_unspaced(c))
			return;
		if (before != 0 &&
		    begins_part(before, c, letter_at(r->src, next))) {
			r->cut++;
			return;
		}
		add_letter(out, c);
		r->at = next;
		before = c;
	}
}

/* The run from r->run to r->at as one word. */
static void
join_run(word_reader *r, word *out)
{
	size_t at = r->run;

	while (at < r->at)
		add_letter(out, utf8_next(r->src, &at));
	r->cut = 0;
	r->joined = true;
}

static bool
is_too_short(const word *w)
{
	return w->len == 0 ||
	       (w->len == 1 && w->bytes[0] >= 'a' && w->bytes[0] <= 'z');
}

/* Skips what is no letter; most of it is single blanks. */
static void
skip_gap(word_reader *r)
{
	uint32_t c;

	r->cut = 0;
	do {
		utf8_next(r->src, &r->at);
		c = r->at < r->src.len ? (unsigned char)r->src.ptr[r->at] : 'a';
	} while (c < 'A' && (c < '0' || c > '9'));
}

bool
search_word_next(word_reader *r, word *out)
{
	do {
		uint32_t c = letter_at(r->src, r->at);
		unsigned cut = r->cut;

		out->len = 0;
		r->joined = false;
		if (is_word_letter(c) && is_unspaced(c)) {
			if (cut == 0)
				r->run = r->at;
			r->cut = 1;
			read_unspaced(r, out);
		} else if (is_word_letter(c)) {
			if (cut == 0)
				r->run = r->at;
			read_part(r, out);
		} else if (cut > 0 && r->whole) {
			join_run(r, out);
		} else if (r->at >= r->src.len) {
			return false;
		} else {
			skip_gap(r);
		}
	} while (is_too_short(out));
	return true;
}

/* ------------------------------------------------------------------- stems */

static bool
ends_in(const word *w, const char *suffix, size_t least)
{
	size_t n = strlen(suffix);

	return w->len >= n + least &&
	       memcmp(w->bytes + w->len - n, suffix, n) == 0;
}

static bool
is_vowel(char c)
{
	return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' ||
	       c == 'y';
}

static bool
has_vowel(const word *w, size_t n)
{
	while (n > 0 && !is_vowel(w->bytes[n - 1]))
		n--;
	return n > 0;
}

/* "stopp" of "stopping"; "fill", "pass" and "buzz" stay. */
static void
drop_double(word *w)
{
	char c = w->len < 2 ? 0 : w->bytes[w->len - 1];

	if (w->len >= 4 && c == w->bytes[w->len - 2] && c != 'l' && c != 's' &&
	    c != 'z' && !is_vowel(c))
		w->len--;
}

static void
drop_plural(word *w)
{
	if (ends_in(w, "ies", 2)) {
		w->len -= 2;
		w->bytes[w->len - 1] = 'y';
	} else if (ends_in(w, "s", 3) && !ends_in(w, "ss", 0) &&
		   !ends_in(w, "us", 0) && !ends_in(w, "is", 0)) {
		w->len--;
	}
}

static void
drop_ending(word *w)
{
	if (ends_in(w, "ing", 3) && has_vowel(w, w->len - 3)) {
		w->len -= 3;
		drop_double(w);
	} else if (ends_in(w, "ed", 3) && has_vowel(w, w->len - 2)) {
		w->len -= 2;
		drop_double(w);
	} else if (ends_in(w, "tion", 3) || ends_in(w, "sion", 3)) {
		w->len -= 3;
	}
}

void
word_stem(word *w)
{
	for (size_t i = 0; i < w->len; i++)
		if (w->bytes[i] < 'a' || w->bytes[i] > 'z')
			return;
	drop_plural(w);
	drop_ending(w);
	if (ends_in(w, "e", 3))
		w->len--;
	if (ends_in(w, "at", 5))
		w->len -= 2;
	if (ends_in(w, "y", 3))
		w->bytes[w->len - 1] = 'i';
}
