/* SPDX-License-Identifier: MIT */
/* date.h -- days, times and texts of Date: ECMA-262 §21.4.1. */
#ifndef EVALUATOR_DATE_H
#define EVALUATOR_DATE_H

#include "vm.h"

enum {
	FIELD_YEAR,
	FIELD_MONTH,
	FIELD_DAY,
	FIELD_HOUR,
	FIELD_MINUTE,
	FIELD_SECOND,
	FIELD_MS,
	FIELD_WEEKDAY,
	FIELDS
};

/* Milliseconds of these fields, or NaN; they need not be in their ranges. */
double date_of_fields(const double f[FIELD_MS + 1]);
/* Local time to UTC. */
double date_to_utc(const vm *m, double local);
double date_clip(double t);
/* The time that a text tells; NaN. */
double date_parse_text(const vm *m, const cell_string *s);

extern const char date_months[12][4], date_weekdays[7][4];

#endif
