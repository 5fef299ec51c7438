/* SPDX-License-Identifier: MIT */
/*
 * serve_media.h -- images and audio inside of a value that a script returns.
 */
#ifndef MCP_SERVE_MEDIA_H
#define MCP_SERVE_MEDIA_H

#include "base/json.h"

enum { SERVE_MEDIA_MAX = 100 }; /* blocks that are taken out of one value */

typedef struct serve_media {
	json block[SERVE_MEDIA_MAX]; /* spans of the value */
	size_t len;
} serve_media;

/* Appends value to out, where the data of each content block of an image or of
 * audio is replaced by a word that says so; found gets the blocks. Without any,
 * out gets the value as it is. */
void serve_take_media(buf *out, json value, serve_media *found);

#endif
