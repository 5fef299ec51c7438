/* SPDX-License-Identifier: MIT */
/*
 * call_args.h -- the arguments of a call from words of a command line.
 */
#ifndef CMD_CALL_ARGS_H
#define CMD_CALL_ARGS_H

#include "base/json.h"
#include "pool.h"

/*
 * Appends a JSON object to out: the one word that is one, or a member for each
 * word key=value. schema (may be missing) says what a value is: a string where
 * the property may be one, otherwise JSON; the values of a key that is given
 * more than once, or whose property is an array, are its elements. NULL, or
 * what is wrong with the words.
 */
const char *call_args(
    json schema, int n, char *const *words, buf *out, pool *p);

#endif
