/* SPDX-License-Identifier: MIT */
/*
 * letters.h -- which characters an identifier of JavaScript may have, in all
 * scripts that Unicode knows.
 */
#ifndef BASE_LETTERS_H
#define BASE_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Can code point c be the first one of an identifier? A later one? */
bool starts_name(uint32_t c);
bool continues_name(uint32_t c);

#endif
