/* SPDX-License-Identifier: MIT */
/*
 * redact.h -- secrets in a text, replaced by their names.
 *
 * A secret is looked for as it stands and in the forms that texts give it: in
 * a JSON string, percent-encoded, in hexadecimal, and in base64 and base64url
 * at each of the three places that it can begin at in what is encoded. Where a
 * form begins, the longest one is replaced, by "[secret NAME]".
 *
 * Searching is that of Wu and Manber ("A fast algorithm for multi-pattern
 * searching", 1994) with blocks of two bytes: most of a text is skipped in
 * steps of nearly the shortest form's length.
 */
#ifndef REDACT_REDACT_H
#define REDACT_REDACT_H

#include "base/buf.h"
#include "base/json.h"

enum {
	/* Bytes of the shortest secret. Shorter texts ("true", a port) occur by
	 * chance; hiding them would damage more than it hides. */
	REDACT_SHORTEST = 8,
	REDACT_LONGEST = 64 << 10, /* of which the first are looked for */
	REDACT_SECRETS_MAX = 4096
};

typedef struct redactor redactor;

/* alloc may be NULL. NULL: no memory. */
redactor *redactor_new(const cm_alloc *alloc);
void redactor_free(redactor *r);

/* Copies both. A value shorter than REDACT_SHORTEST is not looked for. Of one
 * value under two names, the first name is written. CM_ELIMIT: it is
 * not looked for. CM_ENOMEM: nor are some of its forms; call it again. */
cm_status redactor_add(redactor *r, text name, text value);

/* Removes the value, if it was added under that name. */
void redactor_forget(redactor *r, text name, text value);

/* Is there none to look for? */
bool redactor_empty(const redactor *r);

/* Appends t to out without its secrets. Returns how many were replaced; 0:
 * nothing was appended, t is as good. */
size_t redact(redactor *r, text t, buf *out);

/* The same of JSON, which stays JSON: where a secret is (part of) a number, the
 * number becomes a string. */
size_t redact_json(redactor *r, json v, buf *out);

/* Does the same for JSON strings that a reader may join: it also replaces a
 * secret that is divided by line breaks, blanks, tabs, ends of strings
 * ("a","b", also inside of a string) or ends of blocks
 * {"type":"text","text":"..."}, printed by console too. The dividing text
 * stays, behind the name. */
size_t redact_joined(redactor *r, json v, buf *out);

/* May what follows the last string of this JSON array of strings end a secret
 * that begins in it, when a reader joins the strings? */
bool redact_is_open(redactor *r, json strings);

#endif
