/* SPDX-License-Identifier: MIT */
/*
 * text.c -- comparing, searching and decoding borrowed text.
 *
 * UTF-8 is checked once, where text comes in (utf8_bad); behind that door
 * utf8_next decodes without looking twice. Lengths are counted, so a NUL is a
 * byte like any other, and a text without bytes may have no pointer either.
 */
#include "text.h"

#include "swar.h"

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

text
text_sub(text t, size_t from, size_t to)
{
	from = least(from, t.len);
	to = least(to, t.len);
	if (to <= from)
		return (text){t.len ? t.ptr + from : t.ptr, 0};
	return (text){t.ptr + from, to - from};
}

bool
text_eq(text a, text b)
{
	return a.len == b.len && (a.len == 0 || !memcmp(a.ptr, b.ptr, a.len));
}

int
text_cmp(text a, text b)
{
	size_t n = least(a.len, b.len);
	int order = n ? memcmp(a.ptr, b.ptr, n) : 0;

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

bool
text_starts(text t, text prefix)
{
	return text_eq(text_sub(t, 0, prefix.len), prefix);
}

bool
text_ends(text t, text suffix)
{
	return t.len >= suffix.len &&
	       text_eq(text_sub(t, t.len - suffix.len, t.len), suffix);
}

size_t
text_find(text t, text needle, size_t from)
{
	const char *hit;

	for (; from <= t.len && t.len - from >= needle.len; from++) {
		if (needle.len == 0)
			return from;
		hit = memchr(
		    t.ptr + from, needle.ptr[0], t.len - from - needle.len + 1);
		if (!hit)
			break;
		from = (size_t)(hit - t.ptr);
		if (!memcmp(hit, needle.ptr, needle.len))
			return from;
	}
	return SIZE_MAX;
}

static bool
is_ascii_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

text
text_trim(text t)
{
	size_t from = 0, to = t.len;

	while (from < to && is_ascii_space(t.ptr[from]))
		from++;
	while (from < to && is_ascii_space(t.ptr[to - 1]))
		to--;
	return text_sub(t, from, to);
}

bool
text_line(text *rest, text *line)
{
	size_t end = text_find(*rest, TEXT("\n"), 0);

	if (rest->len == 0)
		return false;
	*line = text_sub(*rest, 0, end);
	*rest =
	    end == SIZE_MAX ? TEXT_NONE : text_sub(*rest, end + 1, SIZE_MAX);
	if (text_ends(*line, TEXT("\r")))
		line->len--;
	return true;
}

text
text_head(text t, size_t max)
{
	if (t.len <= max)
		return t;
	while (max > 0 && ((unsigned char)t.ptr[max] & 0xc0) == 0x80)
		max--;
	return text_sub(t, 0, max);
}

uint64_t
text_decimal(text t, size_t *at)
{
	uint64_t n = 0, digit;

	for (; *at < t.len && t.ptr[*at] >= '0' && t.ptr[*at] <= '9'; ++*at) {
		digit = (uint64_t)(t.ptr[*at] - '0');
		n = n > (UINT64_MAX - digit) / 10 ? UINT64_MAX : n * 10 + digit;
	}
	return n;
}

/* How long the sequence is that this byte leads; 0: it leads none. */
static size_t
lead_length(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/* Overlong forms, surrogates and what lies beyond U+10FFFF all show in the
 * second byte. */
static bool
second_fits(unsigned char lead, unsigned char second)
{
	unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
	unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;

	return second >= low && second <= high;
}

size_t
utf8_one(text t, size_t at)
{
	const unsigned char *p = (const unsigned char *)t.ptr + at;
	size_t n = at < t.len ? lead_length(p[0]) : 0;

	if (n < 2)
		return n;
	if (n > t.len - at || !second_fits(p[0], p[1]))
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

size_t
utf8_bad(text t)
{
	size_t at = 0, n;

	while (at < t.len) {
		if (t.len - at >= 8 && !(swar_load(t.ptr + at) & SWAR_HIGHS)) {
			at += 8;
			continue;
		}
		n = utf8_one(t, at);
		if (n == 0)
			return at;
		at += n;
	}
	return SIZE_MAX;
}

uint32_t
utf8_next(text t, size_t *at)
{
	static const unsigned char lead_bits[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	const unsigned char *p = (const unsigned char *)t.ptr + *at;
	size_t n = lead_length(p[0]);
	uint32_t cp = p[0] & lead_bits[n];

	for (size_t i = 1; i < n; i++)
		cp = cp << 6 | (p[i] & 0x3f);
	*at += n;
	return cp;
}

static char
low_byte(uint32_t bits)
{
	return (char)(unsigned char)bits;
}

size_t
utf8_put(uint32_t cp, char out[4])
{
	static const uint32_t lead[5] = {0, 0, 0xc0, 0xe0, 0xf0};
	size_t n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;

	for (size_t i = n - 1; i > 0; i--) {
		out[i] = low_byte(0x80 | (cp & 0x3f));
		cp >>= 6;
	}
	out[0] = low_byte(lead[n] | cp);
	return n;
}

size_t
utf16_len(text t)
{
	size_t units = 0;

	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.ptr[i];

		while (t.len - i > 8 && !(swar_load(t.ptr + i) & SWAR_HIGHS)) {
			units += 8;
			i += 8;
			c = (unsigned char)t.ptr[i];
		}
		units += (c & 0xc0) != 0x80; /* not a continuation */
		units += c >= 0xf0;          /* a pair of surrogates */
	}
	return units;
}

/*
 * A * takes as little as it can; when what follows does not fit, only the latest
 * one takes more, so the time is at most the product of both lengths.
 */
bool
text_glob(text pattern, text t)
{
	size_t p = 0, i = 0, star = SIZE_MAX, taken = 0;

	while (i < t.len) {
		if (p < pattern.len && pattern.ptr[p] == '*') {
			star = p++;
			taken = i;
		} else if (p < pattern.len && pattern.ptr[p] == t.ptr[i]) {
			p++;
			i++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			i = ++taken;
		} else {
			return false;
		}
	}
	while (p < pattern.len && pattern.ptr[p] == '*')
		p++;
	return p == pattern.len;
}
