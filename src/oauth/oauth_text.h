/* SPDX-License-Identifier: MIT */
/*
 * oauth_text.h -- the forms of text that OAuth has beside JSON and URLs: forms,
 * lists of scopes, and the header of a challenge.
 */
#ifndef OAUTH_TEXT_H
#define OAUTH_TEXT_H

#include "base/arena.h"
#include "base/buf.h"

/* A copy in a; empty when there is no memory (a->bad says it). */
text oauth_keep(arena *a, text t);

/* The same but for the case of ASCII letters? */
bool oauth_same_caseless(text a, text b);

/* "name=value", escaped, with & before it unless out is empty or ends with ?
 * or &. */
void oauth_form_add(buf *out, const char *name, text value);
/* Appends the line of headers by which a client shows its secret. */
void oauth_basic_header(buf *out, text id, text secret);
/* Appends t with all but letters, digits and -._~ escaped. */
void oauth_percent(buf *out, text t);
/* The value of name in a query or form, as a copy in a; false: it has none. */
bool oauth_form_get(text form, const char *name, arena *a, text *out);

/* Takes the next scope off *rest, behind those that are none; false at the
 * end. */
bool oauth_next_scope(text *rest, text *scope);
/* Does the list have each scope of these? */
bool oauth_has_scopes(text list, text these);
/* Appends those scopes of more that out does not have yet. */
void oauth_add_scopes(buf *out, text more);

/* What a WWW-Authenticate header says of the schemes Bearer and DPoP; copies in a. */
typedef struct oauth_challenge {
	bool bearer;
	bool dpop; /* the scheme DPoP is there, whose parameters are the same */
	text resource_metadata;
	text scope;
	text error;
	text description;
} oauth_challenge;

oauth_challenge oauth_read_challenge(text header, arena *a);

#endif
