/* SPDX-License-Identifier: MIT */
/* schema_value.c -- see schema_value.h. Numbers are compared as decimals, in
 * integers: no double rounds them. */
#include "schema_value.h"

enum { DIGITS_MAX = 19 }; /* that fit 64 bits */

static const uint64_t powers[DIGITS_MAX + 1] = {1, 10, 100, 1000, 10000, 100000,
    1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
    1000000000000, 10000000000000, 100000000000000, 1000000000000000,
    10000000000000000, 100000000000000000, 1000000000000000000,
    10000000000000000000u};

static bool
is_decimal_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Behind the e; beyond 10^15 it is out of every range. */
static int64_t
decimal_exponent(text t, size_t at)
{
	bool negative = at < t.len && t.ptr[at] == '-';
	int64_t e = 0;

	for (; at < t.len; at++)
		if (is_decimal_digit(t.ptr[at]) &&
		    e < INT64_C(1000000000000000))
			e = e * 10 + (t.ptr[at] - '0');
	return negative ? -e : e;
}

decimal
decimal_read(json number)
{
	decimal d = {number.len > 0 && number.ptr[0] == '-', 0, 0};
	bool fraction = false;
	size_t at = d.negative;

	for (; at < number.len; at++) {
		char c = number.ptr[at];

		if (c == '.') {
			fraction = true;
			continue;
		}
		if (!is_decimal_digit(c))
			break;
		if (d.digits >= powers[DIGITS_MAX - 1]) {
			d.exponent += !fraction;
			continue;
		}
		d.digits = d.digits * 10 + (uint64_t)(c - '0');
		d.exponent -= fraction;
	}
	if (at < number.len)
		d.exponent += decimal_exponent(number, at + 1);
	if (d.digits == 0)
		return (decimal){false, 0, 0};
	for (; d.digits % 10 == 0; d.digits /= 10)
		d.exponent++;
	return d;
}

static int
count_digits(uint64_t digits)
{
	int n = 1;

	while (n < DIGITS_MAX && digits >= powers[n])
		n++;
	return n;
}

static int
decimal_sizes(decimal a, decimal b)
{
	int na = count_digits(a.digits), nb = count_digits(b.digits);
	int64_t ea = a.exponent + na, eb = b.exponent + nb;

	if (a.digits == 0 || b.digits == 0)
		return (a.digits != 0) - (b.digits != 0);
	if (ea != eb)
		return ea < eb ? -1 : 1;
	a.digits *= powers[DIGITS_MAX - na];
	b.digits *= powers[DIGITS_MAX - nb];
	return (a.digits > b.digits) - (a.digits < b.digits);
}

int
decimal_compare(decimal a, decimal b)
{
	if (a.negative != b.negative)
		return a.negative ? -1 : 1;
	return a.negative ? decimal_sizes(b, a) : decimal_sizes(a, b);
}

bool
decimal_is_whole(decimal d)
{
	return d.exponent >= 0;
}

static uint64_t
multiply_modulo(uint64_t a, uint64_t b, uint64_t m)
{
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t)((wide)a * b % m);
}

bool
decimal_divides(decimal b, decimal a)
{
	int64_t e = a.exponent - b.exponent;
	uint64_t rest = a.digits % b.digits, factor = 10 % b.digits;

	if (a.digits == 0)
		return true;
	/* The digits of a end with no zero: a tenth of it is no whole one. */
	if (e < 0)
		return false;
	for (; e > 0; e >>= 1) {
		if (e & 1)
			rest = multiply_modulo(rest, factor, b.digits);
		factor = multiply_modulo(factor, factor, b.digits);
	}
	return rest == 0;
}

/* -------------------------------------------------------------- strings */

static text
inside_quotes(json string)
{
	return text_sub(string, 1, string.len - 1);
}

static bool
has_escape(text raw)
{
	return raw.len > 0 && memchr(raw.ptr, '\\', raw.len) != NULL;
}

uint64_t
value_length(json string)
{
	text raw = inside_quotes(string);
	uint64_t n = 0;
	size_t at = 0;

	if (has_escape(raw)) {
		for (; at < raw.len; n++)
			json_code_point(raw, &at);
		return n;
	}
	for (; at < raw.len; at++)
		n += ((unsigned char)raw.ptr[at] & 0xc0) != 0x80;
	return n;
}

static bool
equal_strings(text a, text b)
{
	size_t i = 0, k = 0;

	if (!has_escape(a) && !has_escape(b))
		return text_eq(a, b);
	while (i < a.len && k < b.len)
		if (json_code_point(a, &i) != json_code_point(b, &k))
			return false;
	return i == a.len && k == b.len;
}

/* ------------------------------------------------------------ containers */

/* The member whose key equals the raw key; the last one, as in json_get. */
static json
member_like(json object, json key)
{
	json_iter it = json_each(object);
	json k, v, found = TEXT_NONE;

	while (json_next(&it, &k, &v))
		if (equal_strings(inside_quotes(k), inside_quotes(key)))
			found = v;
	return found;
}

static bool
equal_arrays(json a, json b, int64_t *left)
{
	json_iter i = json_each(a), k = json_each(b);
	json x, y;

	while (json_next(&i, NULL, &x))
		if (!json_next(&k, NULL, &y) || !value_equal(x, y, left))
			return false;
	return !json_next(&k, NULL, &y);
}

/* Has b each member of a, with an equal value? */
static bool
has_members_of(json b, json a, int64_t *left)
{
	json_iter i = json_each(a);
	json key, x, y;

	while (json_next(&i, &key, &x)) {
		*left -= (int64_t)b.len;
		if (*left < 0)
			return false;
		y = member_like(b, key);
		if (y.len == 0 || !value_equal(x, y, left))
			return false;
	}
	return true;
}

/* Has a each key of b? Of as many members, one may have a key twice. */
static bool
has_keys_of(json a, json b, int64_t *left)
{
	json_iter i = json_each(b);
	json key, value;

	while (json_next(&i, &key, &value)) {
		*left -= (int64_t)a.len;
		if (*left < 0 || member_like(a, key).len == 0)
			return false;
	}
	return true;
}

static bool
equal_objects(json a, json b, int64_t *left)
{
	return json_len(a) == json_len(b) && has_members_of(b, a, left) &&
	       has_keys_of(a, b, left);
}

bool
value_equal(json a, json b, int64_t *left)
{
	json_kind kind = json_kind_of(a);

	*left -= (int64_t)(a.len + b.len);
	if (*left < 0 || kind != json_kind_of(b))
		return false;
	switch (kind) {
	case JSON_NUMBER:
		return decimal_compare(decimal_read(a), decimal_read(b)) == 0;
	case JSON_STRING:
		return equal_strings(inside_quotes(a), inside_quotes(b));
	case JSON_ARRAY:
		return equal_arrays(a, b, left);
	case JSON_OBJECT:
		return equal_objects(a, b, left);
	default:
		return true;
	}
}

/* ---------------------------------------------------------------- hashes */

/* FNV-1a. Values chosen to have equal hashes make comparisons expensive;
 * these are counted. */
static uint64_t
hash_add(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x100000001b3);
	return h ^ h >> 29;
}

static uint64_t
hash_string(json string)
{
	text raw = inside_quotes(string);
	uint64_t h = JSON_STRING;
	size_t at = 0;

	while (at < raw.len)
		h = hash_add(h, json_code_point(raw, &at));
	return h;
}

static uint64_t
hash_number(json number)
{
	decimal d = decimal_read(number);

	return hash_add(hash_add(d.digits, (uint64_t)d.exponent), d.negative);
}

uint64_t
value_hash(json v, unsigned depth)
{
	json_kind kind = json_kind_of(v);
	json_iter it = json_each(v);
	uint64_t h = hash_add(UINT64_C(0xcbf29ce484222325), kind);
	json key, member;

	if (kind == JSON_STRING)
		return hash_string(v);
	if (kind == JSON_NUMBER)
		return hash_number(v);
	while (depth > 0 && json_next(&it, &key, &member))
		if (it.object) /* in any order */
			h += hash_add(
			    hash_string(key), value_hash(member, depth - 1));
		else
			h = hash_add(h, value_hash(member, depth - 1));
	return h;
}
