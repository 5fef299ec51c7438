/* SPDX-License-Identifier: MIT */
/*
 * schema_value.h -- JSON values as a schema sees them: 1.0 is 1, "\u0061" is
 * "a", and the order of members means nothing.
 */
#ifndef SCHEMA_VALUE_H
#define SCHEMA_VALUE_H

#include "base/json.h"

/* digits * 10^exponent; digits ends with no zero. A number of more than 19
 * digits is cut to these: no double tells it from its neighbours either. */
typedef struct decimal {
	bool negative; /* false for 0 */
	uint64_t digits;
	int64_t exponent;
} decimal;

decimal decimal_read(json number);
/* <0, 0, >0 */
int decimal_compare(decimal a, decimal b);
bool decimal_is_whole(decimal d);
/* Is a a multiple of b, which is not 0? */
bool decimal_divides(decimal b, decimal a);

/* Code points of a string value. */
uint64_t value_length(json string);
/* *left is taken down by the bytes looked at; below 0: the answer is false. */
bool value_equal(json a, json b, int64_t *left);
/* Equal values have equal hashes. At most `depth` levels count. */
uint64_t value_hash(json v, unsigned depth);

#endif
