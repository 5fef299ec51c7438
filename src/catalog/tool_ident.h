/* SPDX-License-Identifier: MIT */
/*
 * tool_ident.h -- names as JavaScript identifiers, without silent collisions.
 *
 * Which name gets which identifier depends on the set of names alone, never on
 * the order they came in.
 */
#ifndef CATALOG_IDENT_H
#define CATALOG_IDENT_H

#include "base/buf.h"
#include "base/map.h"

/* Is it one already, as tools.NAME takes it? Reserved words are. name is valid
 * UTF-8 here and below. */
bool ident_ok(text name);

/* 'await tools.x' reads the member "then" of tools.x and calls it when it is a
 * function. So no tool and no space gets that identifier. */
bool ident_is_reserved(text name);

/* Each code point that no identifier has becomes one _; one that cannot be the
 * first, as a digit, gets a _ before it; nothing becomes _. Writes at most
 * name.len + 1 bytes to out; returns how many. */
size_t ident_from(text name, char *out);

/* One name of a scope. Set .name; ident_settle sets the rest. */
typedef struct ident_claim {
	text name;   /* borrowed; no two in a scope are equal */
	text ident;  /* in .block */
	char *block; /* owned; ident_release frees it */
	size_t size;
} ident_claim;

/*
 * Gives every claim its identifier. A name that is an identifier keeps it; so
 * does one that no other name comes out as. Each other name, and one that is
 * reserved, gets _ and a hash of itself. `taken` holds further identifiers
 * that no claim may get (NULL: none). Claims are sorted by name on return.
 * CM_ENOMEM: no claim has an identifier.
 */
cm_status ident_settle(
    const cm_alloc *alloc, ident_claim *claim, size_t n, const map *taken);
void ident_release(const cm_alloc *alloc, ident_claim *claim, size_t n);

#endif
