/* SPDX-License-Identifier: MIT */
/*
 * base64.h -- bytes as base64 (RFC 4648).
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "buf.h"

void base64_add(buf *out, text bytes);
/* With - and _ for + and /, and without padding. */
void base64_add_url(buf *out, text bytes);
/* Appends the bytes that base64_add_url made t of. False: it made no such text. */
bool base64_read_url(text t, buf *out);

#endif
