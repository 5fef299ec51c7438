/* SPDX-License-Identifier: MIT */
/*
 * same.h -- do two JSON texts mean the same value?
 */
#ifndef TEST_SCRIPT_SAME_H
#define TEST_SCRIPT_SAME_H

#include "base/json.h"

/* The same kinds, numbers by value, strings without their escapes, members in
 * the same order: scripts can see the order of keys, so it counts. Both are
 * checked JSON or missing. */
bool json_same(json a, json b);

#endif
