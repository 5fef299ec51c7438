/* SPDX-License-Identifier: MIT */
/*
 * pick.c -- several members of an object in one pass.
 */
#include "pick.h"

void
pick(json object, const char *const *key, json *value, size_t n)
{
	json_iter it = json_each(object);
	json name, v;
	size_t i;

	for (i = 0; i < n; i++)
		value[i] = TEXT_NONE;
	if (json_kind_of(object) != JSON_OBJECT)
		return;
	while (json_next(&it, &name, &v)) {
		for (i = 0; i < n; i++) {
			if (json_is(name, text_of(key[i])))
				value[i] = v;
		}
	}
}
