/* SPDX-License-Identifier: MIT */
/* date_parse.c -- the texts that Date.parse takes: that of ECMA-262 §21.4.1.32,
 * those that Date itself writes, and what other engines accept besides. */
#include "date.h"

#include <math.h>

typedef struct date_reader {
	const cell_string *s;
	uint32_t at;
	double field[FIELDS];
	double zone; /* minutes ahead of UTC; NaN: local time */
	/* Of other texts: */
	int number[3]; /* of the date, in their order */
	uint32_t digits[3];
	unsigned numbers;
	int month; /* from 0; -1: no name */
	bool has_time;
	int half; /* 1: AM, 2: PM */
} date_reader;

static unsigned
date_peek(const date_reader *r, uint32_t ahead)
{
	return r->at + ahead < r->s->len ? str_unit(r->s, r->at + ahead) : 0;
}

static bool
eat_unit(date_reader *r, char c)
{
	if (date_peek(r, 0) != (unsigned char)c)
		return false;
	r->at++;
	return true;
}

static bool
is_date_digit(unsigned c)
{
	return c >= '0' && c <= '9';
}

/* At most `most` digits; how many there were. */
static uint32_t
date_digits(date_reader *r, uint32_t most, int *n)
{
	uint32_t from = r->at;

	for (*n = 0; r->at - from < most && is_date_digit(date_peek(r, 0));
	     r->at++)
		*n = *n * 10 + (int)(date_peek(r, 0) - '0');
	return r->at - from;
}

/* ------------------------------------------------------------ the ISO format */

static bool
eat_two(date_reader *r, int low, int high, double *out)
{
	int n;

	if (date_digits(r, 2, &n) != 2 || n < low || n > high)
		return false;
	*out = n;
	return true;
}

/* Digits behind a point: milliseconds. */
static void
eat_fraction(date_reader *r)
{
	double code_unit = 100, ms = 0;

	for (; is_date_digit(date_peek(r, 0)); r->at++, code_unit /= 10)
		if (code_unit >= 1)
			ms += code_unit * (double)(date_peek(r, 0) - '0');
	r->field[FIELD_MS] = floor(ms);
}

static bool
eat_iso_year(date_reader *r)
{
	bool minus = date_peek(r, 0) == '-', sign = minus;
	int n;

	sign |= date_peek(r, 0) == '+';
	r->at += sign;
	if (date_digits(r, sign ? 6 : 4, &n) != (sign ? 6u : 4u) ||
	    (minus && n == 0))
		return false;
	r->field[FIELD_YEAR] = minus ? -n : n;
	return true;
}

static bool
eat_iso_zone(date_reader *r)
{
	bool minus = date_peek(r, 0) == '-';
	double hours, minutes;

	if (eat_unit(r, 'Z')) {
		r->zone = 0;
		return true;
	}
	if (!minus && date_peek(r, 0) != '+')
		return true;
	r->at++;
	if (!eat_two(r, 0, 23, &hours) || !eat_unit(r, ':') ||
	    !eat_two(r, 0, 59, &minutes))
		return false;
	r->zone = (minus ? -1 : 1) * (hours * 60 + minutes);
	return true;
}

static bool
eat_iso_time(date_reader *r)
{
	double *f = r->field;

	r->zone = NAN;
	if (!eat_two(r, 0, 24, &f[FIELD_HOUR]) || !eat_unit(r, ':') ||
	    !eat_two(r, 0, 59, &f[FIELD_MINUTE]))
		return false;
	if (eat_unit(r, ':')) {
		if (!eat_two(r, 0, 59, &f[FIELD_SECOND]))
			return false;
		if ((date_peek(r, 0) == '.' || date_peek(r, 0) == ',') &&
		    is_date_digit(date_peek(r, 1))) {
			r->at++;
			eat_fraction(r);
		}
	}
	if (f[FIELD_HOUR] == 24 &&
	    (f[FIELD_MINUTE] != 0 || f[FIELD_SECOND] != 0 || f[FIELD_MS] != 0))
		return false;
	return eat_iso_zone(r);
}

static bool
read_iso(date_reader *r)
{
	double n;

	if (!eat_iso_year(r))
		return false;
	r->zone = 0;
	if (eat_unit(r, '-')) {
		if (!eat_two(r, 1, 12, &n))
			return false;
		r->field[FIELD_MONTH] = n - 1;
		if (eat_unit(r, '-') &&
		    !eat_two(r, 1, 31, &r->field[FIELD_DAY]))
			return false;
	}
	if (eat_unit(r, 'T') || eat_unit(r, 't') || eat_unit(r, ' '))
		if (!eat_iso_time(r))
			return false;
	return r->at == r->s->len;
}

/* --------------------------------------------------------------- other texts */

static bool
is_letter_unit(unsigned c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

/* The word at .at; at most 7 letters of it, in lower case. */
static void
eat_word(date_reader *r, char out[8])
{
	size_t n = 0;

	for (; is_letter_unit(date_peek(r, 0)); r->at++)
		if (n < 7)
			out[n++] = (char)(date_peek(r, 0) | 32);
	out[n] = '\0';
}

static bool
is_word_of(const char *word, const char name[4])
{
	for (int i = 0; i < 3; i++)
		if (word[i] != (name[i] | 32))
			return false;
	return true;
}

static bool
known_zone(const char *word, double *minutes)
{
	static const struct {
		char name[4];
		int hours;
	} zones[] = {{"utc", 0}, {"gmt", 0}, {"ut", 0}, {"z", 0}, {"est", -5},
	    {"edt", -4}, {"cst", -6}, {"cdt", -5}, {"mst", -7}, {"mdt", -6},
	    {"pst", -8}, {"pdt", -7}};

	for (size_t i = 0; i < sizeof(zones) / sizeof(*zones); i++)
		if (strcmp(word, zones[i].name) == 0) {
			*minutes = zones[i].hours * 60;
			return true;
		}
	return false;
}

/* A word before the first number says nothing, if it is no other. */
static bool
take_date_word(date_reader *r)
{
	char word[8];

	eat_word(r, word);
	if (known_zone(word, &r->zone))
		return true;
	if (strcmp(word, "am") == 0 || strcmp(word, "pm") == 0) {
		r->half = word[0] == 'a' ? 1 : 2;
		return r->has_time;
	}
	for (int i = 0; i < 12; i++)
		if (is_word_of(word, date_months[i])) {
			r->month = i;
			return true;
		}
	for (int i = 0; i < 7; i++)
		if (is_word_of(word, date_weekdays[i]))
			return true;
	return (strcmp(word, "t") == 0 && r->numbers == 3) || r->numbers == 0;
}

static bool
take_clock(date_reader *r, int hour)
{
	int n;

	r->has_time = true;
	r->field[FIELD_HOUR] = hour;
	r->at++;
	if (hour > 24 || date_digits(r, 2, &n) == 0 || n > 59)
		return false;
	r->field[FIELD_MINUTE] = n;
	if (!eat_unit(r, ':'))
		return true;
	if (date_digits(r, 2, &n) == 0 || n > 59)
		return false;
	r->field[FIELD_SECOND] = n;
	if (date_peek(r, 0) == '.' || date_peek(r, 0) == ':') {
		r->at++;
		eat_fraction(r);
	}
	return true;
}

/* +hh, +hhmm, +hh:mm behind a time or a zone. */
static bool
take_offset(date_reader *r, bool minus)
{
	int n, m = 0;
	uint32_t digits = date_digits(r, 4, &n);

	if (digits == 0)
		return false;
	if (digits > 2) {
		m = n % 100;
		n /= 100;
	} else if (eat_unit(r, ':') && date_digits(r, 2, &m) == 0) {
		return false;
	}
	r->zone = (minus ? -1 : 1) * (n * 60 + m);
	return n < 24 && m < 60;
}

static bool
take_date_number(date_reader *r)
{
	int n;
	uint32_t digits = date_digits(r, 9, &n);

	if (date_peek(r, 0) == ':' && !r->has_time)
		return take_clock(r, n);
	if (r->numbers == 3 || is_date_digit(date_peek(r, 0)))
		return false;
	r->digits[r->numbers] = digits;
	r->number[r->numbers++] = n;
	/* 3pm */
	if (r->numbers > 1 && (date_peek(r, 1) | 32) == 'm' &&
	    strchr("apAP", (int)(date_peek(r, 0) & 127)) != NULL &&
	    date_peek(r, 0) != 0) {
		r->numbers--;
		r->has_time = true;
		r->field[FIELD_HOUR] = n;
	}
	return true;
}

static void
skip_parentheses(date_reader *r)
{
	int depth = 0;

	for (; r->at < r->s->len; r->at++) {
		depth += date_peek(r, 0) == '(';
		depth -= date_peek(r, 0) == ')';
		if (depth == 0)
			break;
	}
	r->at += r->at < r->s->len;
}

static bool
take_item(date_reader *r)
{
	unsigned c = date_peek(r, 0);
	bool sign = c == '+' || c == '-';

	if (is_letter_unit(c))
		return take_date_word(r);
	if (is_date_digit(c))
		return take_date_number(r);
	if (c == '(') {
		skip_parentheses(r);
		return true;
	}
	r->at++;
	if (sign && is_date_digit(date_peek(r, 0)) &&
	    (r->has_time || r->zone == r->zone))
		return take_offset(r, c == '-');
	return c == ' ' || c == ',' || c == '.' || c == '/' || c == '-' ||
	       c == '\t' || c == '\n' || c == '\r' || c == 0xa0 || c == 0x202f;
}

static double
full_year(int n, uint32_t digits)
{
	if (digits > 2)
		return n;
	return n < 50 ? 2000 + n : n < 100 ? 1900 + n : n;
}

/* Which numbers are the day, the month and the year. */
static bool
order_date(date_reader *r)
{
	int *n = r->number;
	unsigned y = r->numbers - 1, d = 0;
	bool first = n[0] > 31 || r->digits[0] > 2;

	if (r->month >= 0) {
		if (r->numbers == 0 || r->numbers > 2)
			return false;
		if (r->numbers == 2 && first) {
			y = 0;
			d = 1;
		}
		r->field[FIELD_YEAR] =
		    r->numbers == 2 ? full_year(n[y], r->digits[y]) : 2001;
		if (r->numbers == 1 && first) {
			r->field[FIELD_YEAR] = n[0];
			n[d] = 1;
		}
		r->field[FIELD_MONTH] = r->month;
		r->field[FIELD_DAY] = n[d];
		return n[d] >= 1 && n[d] <= 31;
	}
	if (r->numbers < 2)
		return r->numbers == 1 && !r->has_time && first &&
		       (r->field[FIELD_YEAR] = n[0], true);
	if (first) {
		r->field[FIELD_YEAR] = full_year(n[0], r->digits[0]);
		r->field[FIELD_MONTH] = n[1] - 1;
		r->field[FIELD_DAY] = r->numbers == 3 ? n[2] : 1;
	} else {
		r->field[FIELD_YEAR] =
		    r->numbers == 3 ? full_year(n[2], r->digits[2]) : 2001;
		r->field[FIELD_MONTH] = n[0] - 1;
		r->field[FIELD_DAY] = n[1];
	}
	return r->field[FIELD_MONTH] >= 0 && r->field[FIELD_MONTH] < 12 &&
	       r->field[FIELD_DAY] >= 1 && r->field[FIELD_DAY] <= 31;
}

static bool
read_other(date_reader *r)
{
	double *hour = &r->field[FIELD_HOUR];

	while (r->at < r->s->len)
		if (!take_item(r))
			return false;
	if (!order_date(r))
		return false;
	if (r->half != 0) {
		if (*hour < 1 || *hour > 12)
			return false;
		*hour = (*hour == 12 ? 0 : *hour) + (r->half == 2 ? 12 : 0);
	}
	return true;
}

double
date_parse_text(const vm *m, const cell_string *s)
{
	const date_reader fresh = {.s = s,
	    .field = {0, 0, 1, 0, 0, 0, 0, 0},
	    .zone = NAN,
	    .month = -1};
	date_reader r = fresh;
	double t;

	if (!read_iso(&r)) {
		r = fresh;
		if (date_peek(&r, 0) == '-' || date_peek(&r, 0) == '+' ||
		    !read_other(&r))
			return NAN;
	}
	t = date_of_fields(r.field);
	if (r.zone == r.zone)
		t -= r.zone * 60000;
	else
		t = date_to_utc(m, t);
	return date_clip(t);
}
