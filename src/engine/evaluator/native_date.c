/* SPDX-License-Identifier: MIT */
/* native_date.c -- Date: see natives_date.def. */
#include "date.h"

#include <math.h>
#include <stdio.h>

#define DAY 86400000.0

const char date_months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
const char date_weekdays[7][4] = {
    "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

/* --------------------------------------------------------------------- days */

/* Days since 1970 of the first of March of a year, in the calendar that repeats
 * each 400 years; years begin in March, so that a leap day is their last. */
static int64_t
days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month < 2 ? year - 1 : year;
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t of_era = y - era * 400;
	int64_t of_year = (153 * ((month + 10) % 12) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 +
	       of_year - 719468;
}

static void
split_days(int64_t days, double f[FIELDS])
{
	int64_t z = days + 719468;
	int64_t era = (z >= 0 ? z : z - 146096) / 146097;
	int64_t of_era = z - era * 146097;
	int64_t y =
	    (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * y + y / 4 - y / 100);
	int64_t month = (5 * of_year + 2) / 153;

	f[FIELD_DAY] = (double)(of_year - (153 * month + 2) / 5 + 1);
	month = month < 10 ? month + 2 : month - 10;
	f[FIELD_MONTH] = (double)month;
	f[FIELD_YEAR] = (double)(y + era * 400 + (month < 2));
	f[FIELD_WEEKDAY] = (double)(((days % 7) + 11) % 7);
}

/* Of a finite time. */
static void
split_time(double t, double f[FIELDS])
{
	double day = floor(t / DAY), ms = t - day * DAY;

	split_days((int64_t)day, f);
	f[FIELD_HOUR] = floor(ms / 3600000);
	f[FIELD_MINUTE] = fmod(floor(ms / 60000), 60);
	f[FIELD_SECOND] = fmod(floor(ms / 1000), 60);
	f[FIELD_MS] = fmod(ms, 1000);
}

double
date_of_fields(const double f[FIELD_MS + 1])
{
	double year, month, time;

	for (int i = 0; i <= FIELD_MS; i++)
		if (!isfinite(f[i]))
			return NAN;
	year = trunc(f[FIELD_YEAR]) + floor(trunc(f[FIELD_MONTH]) / 12);
	month = fmod(trunc(f[FIELD_MONTH]), 12);
	if (month < 0)
		month += 12;
	if (fabs(year) > 400000)
		return NAN;
	time = trunc(f[FIELD_HOUR]) * 3600000 + trunc(f[FIELD_MINUTE]) * 60000 +
	       trunc(f[FIELD_SECOND]) * 1000 + trunc(f[FIELD_MS]);
	return ((double)days_of((int64_t)year, (int64_t)month, 1) +
		   trunc(f[FIELD_DAY]) - 1) *
		   DAY +
	       time;
}

double
date_clip(double t)
{
	return isfinite(t) && fabs(t) <= 8.64e15 ? trunc(t) + 0.0 : NAN;
}

/* --------------------------------------------------------------- local time */

static double
zone_ms(const vm *m, double t)
{
	return m->zone ? m->zone(m->ctx, (int64_t)floor(t / 1000)) * 1000.0 : 0;
}

static double
to_local(const vm *m, double t)
{
	return t + zone_ms(m, t);
}

/* A local time that there are two of is the first; one that there is none of is
 * taken by what was so before. */
double
date_to_utc(const vm *m, double local)
{
	double before, after;

	if (!isfinite(local) || fabs(local) > 8.64e15 + DAY)
		return NAN;
	before = zone_ms(m, local - DAY);
	after = zone_ms(m, local + DAY);
	if (zone_ms(m, local - before) == before)
		return local - before;
	if (zone_ms(m, local - after) == after)
		return local - after;
	return local - before;
}

/* ------------------------------------------------------------------ natives */

value
native_date_now(vm *m, value *a, uint32_t argc)
{
	(void)a;
	(void)argc;
	return v_of_number(
	    m->epoch_us ? floor((double)m->epoch_us(m->ctx) / 1000) : 0);
}

/* Numbers that lib/ gives: undefined is NaN. */
static double
given(value v)
{
	return v_is_number(v) ? v_number(v) : NAN;
}

value
native_date_get(vm *m, value *a, uint32_t argc)
{
	double t = given(a[0]), f[FIELDS];

	(void)argc;
	if (t != t)
		return V_NAN;
	split_time(a[2] == V_TRUE ? to_local(m, t) : t, f);
	return v_of_number(f[v_int(a[1])]);
}

value
native_date_zone(vm *m, value *a, uint32_t argc)
{
	double t = given(a[0]);

	(void)argc;
	return t != t ? V_NAN : v_of_number(0.0 - zone_ms(m, t) / 60000);
}

value
native_date_make(vm *m, value *a, uint32_t argc)
{
	double f[FIELD_MS + 1] = {0, 0, 1, 0, 0, 0, 0}, t;

	for (uint32_t i = 0; i <= FIELD_MS && i + 1 < argc; i++)
		f[i] = given(a[i + 1]);
	if (trunc(f[0]) >= 0 && trunc(f[0]) <= 99)
		f[0] = 1900 + trunc(f[0]);
	t = date_of_fields(f);
	if (a[0] == V_TRUE)
		t = date_to_utc(m, t);
	return v_of_number(date_clip(t));
}

value
native_date_set(vm *m, value *a, uint32_t argc)
{
	double t = given(a[0]), f[FIELDS];
	int first = v_int(a[2]);
	bool local = a[1] == V_TRUE;

	if (t != t && first != FIELD_YEAR)
		return V_NAN;
	if (t != t)
		t = 0;
	else if (local)
		t = to_local(m, t);
	split_time(t, f);
	for (int i = 0; i + 3 < (int)argc && first + i <= FIELD_MS; i++)
		f[first + i] = given(a[3 + i]);
	t = date_of_fields(f);
	if (local)
		t = date_to_utc(m, t);
	return v_of_number(date_clip(t));
}

value
native_date_clip(vm *m, value *a, uint32_t argc)
{
	(void)m;
	(void)argc;
	return v_of_number(date_clip(given(a[0])));
}

/* -------------------------------------------------------------------- texts */

typedef enum text_kind {
	TEXT_ALL,
	TEXT_DATE,
	TEXT_TIME,
	TEXT_UTC,
	TEXT_ISO
} text_kind;

static void
put_year(buf *b, double year, bool iso)
{
	if (iso && (year < 0 || year > 9999))
		buf_printf(b, "%c%06d", year < 0 ? '-' : '+', (int)fabs(year));
	else
		buf_printf(b, "%s%04d", year < 0 ? "-" : "", (int)fabs(year));
}

static void
put_clock(buf *b, const double f[FIELDS])
{
	buf_printf(b, "%02d:%02d:%02d", (int)f[FIELD_HOUR],
	    (int)f[FIELD_MINUTE], (int)f[FIELD_SECOND]);
}

static void
put_zone(buf *b, double offset)
{
	int minutes = (int)(fabs(offset) / 60000);

	buf_printf(b, " GMT%c%02d%02d", offset < 0 ? '-' : '+', minutes / 60,
	    minutes % 60);
}

static void
put_date(buf *b, text_kind kind, double t, double offset)
{
	double f[FIELDS];
	const char *month, *weekday;

	split_time(kind < TEXT_UTC ? t + offset : t, f);
	month = date_months[(int)f[FIELD_MONTH]];
	weekday = date_weekdays[(int)f[FIELD_WEEKDAY]];
	if (kind == TEXT_ISO) {
		put_year(b, f[FIELD_YEAR], true);
		buf_printf(b, "-%02d-%02dT", (int)f[FIELD_MONTH] + 1,
		    (int)f[FIELD_DAY]);
		put_clock(b, f);
		buf_printf(b, ".%03dZ", (int)f[FIELD_MS]);
		return;
	}
	if (kind == TEXT_UTC) {
		buf_printf(
		    b, "%s, %02d %s ", weekday, (int)f[FIELD_DAY], month);
		put_year(b, f[FIELD_YEAR], false);
		buf_byte(b, ' ');
		put_clock(b, f);
		buf_str(b, " GMT");
		return;
	}
	if (kind != TEXT_TIME) {
		buf_printf(b, "%s %s %02d ", weekday, month, (int)f[FIELD_DAY]);
		put_year(b, f[FIELD_YEAR], false);
	}
	if (kind == TEXT_ALL)
		buf_byte(b, ' ');
	if (kind != TEXT_DATE) {
		put_clock(b, f);
		put_zone(b, offset);
	}
}

value
native_date_text(vm *m, value *a, uint32_t argc)
{
	double t = given(a[0]);
	buf b = BUF_INIT(m->alloc, 256);
	value v;

	(void)argc;
	if (t != t)
		buf_str(&b, "Invalid Date");
	else
		put_date(&b, (text_kind)v_int(a[1]), t, zone_ms(m, t));
	v = b.bad == CM_OK ? vm_string(m, buf_view(&b)) : vm_throw_memory(m);
	buf_fini(&b);
	return v;
}

value
native_date_parse(vm *m, value *a, uint32_t argc)
{
	value end;

	(void)argc;
	if (!arg_string(m, a, 0, &end))
		return end;
	return v_of_number(date_parse_text(m, STR(m, a[0])));
}
