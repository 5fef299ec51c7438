/* SPDX-License-Identifier: MIT */
/*
 * options.h -- structs of options that grow at their ends.
 *
 * A program that was built with an older header gives a shorter struct: the
 * missing members are 0, which means the default. A program that was built with
 * a newer header gives a longer struct: it is taken if the members that this
 * library does not know are 0.
 */
#ifndef API_OPTIONS_H
#define API_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Copies the struct at given, of given_size bytes, to the zeroed struct at own.
 * False: it is shorter than the first version, or sets a member that this
 * library does not know. */
static inline bool
options_read(void *own, size_t own_size, const void *given, size_t given_size,
    size_t first_size)
{
	const char *bytes = given;

	if (given_size < first_size || given_size > 4096)
		return false;
	for (size_t i = own_size; i < given_size; i++)
		if (bytes[i] != 0)
			return false;
	memcpy(own, given, given_size < own_size ? given_size : own_size);
	return true;
}

#endif
