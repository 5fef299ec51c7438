/* SPDX-License-Identifier: MIT */
/*
 * bracket.h -- which bracket is open at a place of a script that does not
 * parse: there is no tree to ask then.
 */
#ifndef SOURCE_BRACKET_H
#define SOURCE_BRACKET_H

#include "base/text.h"

/* The innermost ( [ { that is open at offset [at]; SIZE_MAX: none is. Strings,
 * templates, comments and regular expressions are stepped over; what is a
 * regular expression is guessed from what stands before it. */
size_t bracket_open(text t, size_t at);

#endif
