/* SPDX-License-Identifier: MIT */
/*
 * json.c -- reading in text that json_check let through.
 *
 * A value is the span of its bytes; finding a member means skipping the members
 * before it, for which only strings and brackets matter. An empty span is a
 * missing value, and every reader takes one, so that lookups can be chained.
 *
 * Each loop makes its text shorter or ends, and stops at the end of the text,
 * also where the text is not JSON.
 */
#include "json.h"

#include "swar.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ----------------------------------------------------------- skipping */

/* p is at the opening quote; returns the place behind the closing one. */
static const char *
skip_json_string(const char *p, const char *end)
{
	for (p++; p < end;) {
		uint64_t found =
		    end - p >= 8 ? swar_quotes(swar_load(p)) : SWAR_HIGHS;

		if (!found) {
			p += 8;
			continue;
		}
		if (end - p >= 8)
			p += swar_first(found);
		if (*p == '"')
			return p + 1;
		p += *p == '\\' ? 2 : 1;
	}
	return end;
}

/* The next quote or bracket at or after p. */
static const char *
next_bracket(const char *p, const char *end)
{
	uint64_t found;

	for (; end - p >= 8; p += 8) {
		found = swar_brackets(swar_load(p));
		if (found)
			return p + swar_first(found);
	}
	while (p < end && !memchr("\"[]{}", *p, 5))
		p++;
	return p;
}

static const char *
skip_nested(const char *p, const char *end)
{
	size_t depth = 0;

	while ((p = next_bracket(p, end)) < end) {
		if (*p == '"') {
			p = skip_json_string(p, end);
			continue;
		}
		depth += *p == '[' || *p == '{' ? (size_t)1 : (size_t)-1;
		p++;
		if (depth == 0)
			break;
	}
	return p;
}

static const char *
skip_word(const char *p, const char *end)
{
	while (p < end && *p != ',' && *p != '}' && *p != ']' &&
	       !json_is_space(*p))
		p++;
	return p;
}

static const char *
skip_value(const char *p, const char *end)
{
	if (*p == '"')
		return skip_json_string(p, end);
	if (*p == '{' || *p == '[')
		return skip_nested(p, end);
	return skip_word(p, end);
}

/* White space, and the commas and colons between values: where they stand is
 * settled already. */
static const char *
skip_between(const char *p, const char *end)
{
	while (p < end && (json_is_space(*p) || *p == ',' || *p == ':'))
		p++;
	return p;
}

/* ------------------------------------------------------------ walking */

json
json_trim(text checked)
{
	return text_trim(checked);
}

json_kind
json_kind_of(json v)
{
	switch (v.len ? v.ptr[0] : 0) {
	case 0:
		return JSON_MISSING;
	case 'n':
		return JSON_NULL;
	case 'f':
		return JSON_FALSE;
	case 't':
		return JSON_TRUE;
	case '"':
		return JSON_STRING;
	case '[':
		return JSON_ARRAY;
	case '{':
		return JSON_OBJECT;
	default:
		return JSON_NUMBER;
	}
}

bool
json_present(json v)
{
	return v.len > 0 && v.ptr[0] != 'n';
}

json_iter
json_each(json v)
{
	json_kind kind = json_kind_of(v);

	if (kind != JSON_ARRAY && kind != JSON_OBJECT)
		return (json_iter){TEXT_NONE, false};
	return (json_iter){text_sub(v, 1, v.len), kind == JSON_OBJECT};
}

/* Moves *rest behind its next value. False at the closing bracket, at the end
 * and where no value is: each step that returns true makes *rest shorter. */
static bool
next_value(text *rest, json *v)
{
	const char *end = rest->ptr + rest->len;
	const char *from = rest->len ? skip_between(rest->ptr, end) : end;
	const char *to;

	if (from == end)
		return false;
	to = skip_value(from, end);
	if (to == from)
		return false;
	*v = (json){from, (size_t)(to - from)};
	*rest = (text){to, (size_t)(end - to)};
	return true;
}

bool
json_next(json_iter *it, json *key, json *value)
{
	json k = TEXT_NONE;

	if (it->object && !next_value(&it->rest, &k))
		return false;
	if (!next_value(&it->rest, value))
		return false;
	if (key)
		*key = k;
	return true;
}

json
json_get(json v, text key)
{
	json_iter it = json_each(v);
	json k, member, found = TEXT_NONE;

	while (it.object && json_next(&it, &k, &member))
		if (json_is(k, key))
			found = member;
	return found;
}

json
json_path(json v, ...)
{
	va_list keys;
	const char *key;

	va_start(keys, v);
	while ((key = va_arg(keys, const char *)))
		v = json_get(v, text_of(key));
	va_end(keys);
	return v;
}

static bool
is_plain_key(text key)
{
	size_t i;

	for (i = 0; i < key.len; i++)
		if (!is_ascii_word((unsigned char)key.ptr[i]))
			return false;
	return key.len > 0 && (key.ptr[0] < '0' || key.ptr[0] > '9');
}

/* key is raw, with its quotes; missing: element i of an array. */
static void
write_step(buf *out, json key, size_t i)
{
	text inside = text_sub(key, 1, key.len - 1);

	if (key.len == 0)
		buf_printf(out, "[%zu]", i);
	else if (is_plain_key(inside))
		buf_printf(out, ".%.*s", TEXT_ARG(inside));
	else
		buf_printf(out, "[%.*s]", TEXT_ARG(key));
}

void
json_path_to(json v, const char *at, buf *out)
{
	json key, value;
	json_iter it;
	size_t i;

	buf_byte(out, '$');
	for (it = json_each(v), i = 0; json_next(&it, &key, &value); i++) {
		if (at < value.ptr || at >= value.ptr + value.len)
			continue;
		write_step(out, key, i);
		it = json_each(value);
		i = SIZE_MAX;
	}
}

json
json_at(json v, size_t i)
{
	json_iter it = json_each(v);
	json element;

	while (!it.object && json_next(&it, NULL, &element))
		if (i-- == 0)
			return element;
	return TEXT_NONE;
}

size_t
json_len(json v)
{
	json_iter it = json_each(v);
	size_t n = 0;

	while (json_next(&it, NULL, &v))
		n++;
	return n;
}

/* ------------------------------------------------------------ strings */

static text
between_quotes(json v)
{
	return text_sub(v, 1, v.len - 1);
}

/* Four hex digits; anything else gives some number below 0x10000. */
static uint32_t
hex4(const char *p)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++)
		v = v << 4 | ((uint32_t)(p[i] <= '9' ? p[i] : p[i] + 9) & 15);
	return v;
}

/* Behind the backslash at raw.ptr[*at - 1]. */
static uint32_t
escaped_char(text raw, size_t *at)
{
	static const char letter[] = "bfnrt", meaning[] = "\b\f\n\r\t";
	const char *known;
	char c;

	if (*at == raw.len)
		return '\\';
	c = raw.ptr[(*at)++];
	if (c == 'u' && raw.len - *at >= 4) {
		*at += 4;
		return hex4(raw.ptr + *at - 4);
	}
	known = memchr(letter, c, sizeof(letter) - 1);
	return (unsigned char)(known ? meaning[known - letter] : c);
}

uint32_t
json_char(text raw, size_t *at)
{
	unsigned char c = (unsigned char)raw.ptr[*at];

	if (c >= 0x80 && utf8_one(raw, *at) > 0)
		return utf8_next(raw, at);
	++*at;
	return c == '\\' ? escaped_char(raw, at) : c;
}

/* Is it half of a pair of surrogates: a first one (0xd800), a second one
 * (0xdc00)? */
static bool
is_half(uint32_t c, uint32_t which)
{
	return (c & ~UINT32_C(0x3ff)) == which;
}

uint32_t
json_code_point(text raw, size_t *at)
{
	uint32_t c = json_char(raw, at), low;
	size_t behind = *at;

	if (is_half(c, 0xd800) && behind < raw.len) {
		low = json_char(raw, &behind);
		if (is_half(low, 0xdc00)) {
			*at = behind;
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	return c;
}

/* The next code point as UTF-8; a lone surrogate becomes U+FFFD. */
static size_t
char_as_utf8(text raw, size_t *at, char out[4])
{
	uint32_t c = json_code_point(raw, at);

	if (is_half(c, 0xd800) || is_half(c, 0xdc00))
		c = 0xfffd;
	return utf8_put(c, out);
}

static bool
escaped_is(text raw, text s)
{
	char piece[4];
	size_t at = 0, n;

	while (at < raw.len) {
		n = char_as_utf8(raw, &at, piece);
		if (!text_starts(s, (text){piece, n}))
			return false;
		s = text_sub(s, n, s.len);
	}
	return s.len == 0;
}

bool
json_is(json v, text s)
{
	text raw = between_quotes(v);

	if (json_kind_of(v) != JSON_STRING || raw.len < s.len)
		return false; /* an escape is never shorter than its meaning */
	if (text_eq(raw, s))
		return !memchr(raw.ptr, '\\', raw.len);
	return memchr(raw.ptr, '\\', raw.len) && escaped_is(raw, s);
}

bool
json_unescape(json v, buf *out)
{
	text raw = between_quotes(v);
	char piece[4];
	size_t at = 0, stop;

	if (json_kind_of(v) != JSON_STRING)
		return false;
	while (at < raw.len) {
		stop = text_find(raw, TEXT("\\"), at);
		buf_text(out, text_sub(raw, at, stop));
		at = stop;
		if (at < raw.len)
			buf_add(out, piece, char_as_utf8(raw, &at, piece));
	}
	return true;
}

/* ------------------------------------------------------------ numbers */

/* whole.fraction * 10^exponent: the number as it is written. */
struct decimal {
	bool negative;
	text whole;
	text fraction;
	int64_t exponent;
};

/* Anything beyond is out of every range, whatever the digits are. */
#define EXPONENT_MAX INT64_C(1000000000000000)

static int64_t
read_exponent(text t)
{
	bool negative = text_starts(t, TEXT("-"));
	int64_t e = 0;

	for (size_t i = 0; i < t.len; i++)
		if (t.ptr[i] >= '0' && e < EXPONENT_MAX)
			e = e * 10 + (t.ptr[i] - '0');
	return negative ? -e : e;
}

static size_t
digits_from(text t, size_t at)
{
	size_t n = at;

	while (n < t.len && t.ptr[n] >= '0' && t.ptr[n] <= '9')
		n++;
	return n;
}

static bool
decimal_of(json v, struct decimal *d)
{
	size_t at, end;

	if (json_kind_of(v) != JSON_NUMBER)
		return false;
	*d = (struct decimal){.negative = v.ptr[0] == '-'};
	at = d->negative;
	end = digits_from(v, at);
	d->whole = text_sub(v, at, end);
	if (end < v.len && v.ptr[end] == '.') {
		at = end + 1;
		end = digits_from(v, at);
		d->fraction = text_sub(v, at, end);
	}
	if (end < v.len)
		d->exponent = read_exponent(text_sub(v, end + 1, v.len));
	return true;
}

static size_t
digit_count(const struct decimal *d)
{
	return d->whole.len + d->fraction.len;
}

static unsigned
digit(const struct decimal *d, size_t i)
{
	char c = i < d->whole.len ? d->whole.ptr[i]
				  : d->fraction.ptr[i - d->whole.len];

	return (unsigned)(c - '0');
}

/* The number without its sign, when it is whole and fits 64 bits. */
static bool
magnitude(const struct decimal *d, uint64_t *out)
{
	int64_t point = (int64_t)d->whole.len + d->exponent;
	int64_t count = (int64_t)digit_count(d);
	uint64_t n = 0;

	for (int64_t i = 0; i < count || (i < point && n > 0); i++) {
		unsigned next = i < count ? digit(d, (size_t)i) : 0;

		if (i >= point && next != 0)
			return false;
		if (i >= point)
			continue;
		if (n > (UINT64_MAX - next) / 10)
			return false;
		n = n * 10 + next;
	}
	*out = n;
	return true;
}

bool
json_int(json v, int64_t *out)
{
	struct decimal d;
	uint64_t n;

	if (!decimal_of(v, &d) || !magnitude(&d, &n))
		return false;
	if (n > (uint64_t)INT64_MAX + d.negative)
		return false;
	if (d.negative)
		*out = n ? -(int64_t)(n - 1) - 1 : 0;
	else
		*out = (int64_t)n;
	return true;
}

/*
 * The number goes to strtod without a point, as digits and an exponent, so
 * that no locale can read it otherwise. More than 767 significant digits
 * cannot change the double next to it, except by not being zero: that is what
 * a last 1 stands for.
 */
bool
json_double(json v, double *out)
{
	enum { SIGNIFICANT = 800 };
	char digits[SIGNIFICANT + 32];
	struct decimal d;
	size_t count, from = 0, n = 0;
	bool more = false;

	if (!decimal_of(v, &d))
		return false;
	count = digit_count(&d);
	while (from + 1 < count && digit(&d, from) == 0)
		from++;
	for (; n < SIGNIFICANT && from + n < count; n++)
		digits[n] = (char)('0' + digit(&d, from + n));
	for (size_t i = from + n; i < count && !more; i++)
		more = digit(&d, i) != 0;
	d.exponent += (int64_t)d.whole.len - (int64_t)(from + n) - more;
	if (more)
		digits[n++] = '1';
	snprintf(
	    digits + n, sizeof(digits) - n, "e%lld", (long long)d.exponent);
	*out = strtod(digits, NULL);
	if (d.negative)
		*out = -*out;
	return true;
}

bool
json_bool(json v, bool otherwise)
{
	json_kind kind = json_kind_of(v);

	if (kind == JSON_TRUE || kind == JSON_FALSE)
		return kind == JSON_TRUE;
	return otherwise;
}
