/* SPDX-License-Identifier: MIT */
/*
 * secrets.h -- what a configuration keeps secret, taken out of what servers say.
 *
 * Secrets are tokens, the values of headers, and those of environment variables
 * whose names say so (..._TOKEN, API_KEY, PASSWORD); and tokens that are fetched
 * for servers while they run. They are replaced where a
 * server's words come in, so no script, result, error or log ever has them.
 */
#ifndef CMD_SECRETS_H
#define CMD_SECRETS_H

#include "config/config.h"

#include "redact/redact.h"

/* Those of all entries of c. NULL: no memory. */
redactor *secrets_of(const config *c);

/* Appends the names of the secrets of a server that are shorter than
 * REDACT_SHORTEST, separated by commas: such values are not replaced. */
void secrets_too_short(const server_config *c, buf *names);

/* The same as server_secrets.learn, of a redactor. */
void secrets_learn(void *r, text before, text value);

/* r NULL: there are none. t without secrets; b receives it where that is another
 * text. An empty text: no memory. */
text without_secrets(redactor *r, text t, buf *b);
json json_without_secrets(redactor *r, json v, buf *b);
/* Does the same for the content of an answer, also where a secret is divided
 * among its strings. */
json answer_without_secrets(redactor *r, json v, buf *b);
/* The same for a text. */
text lines_without_secrets(redactor *r, text t, buf *b);

#endif
