/* SPDX-License-Identifier: MIT */
/*
 * view.h -- makes a page that shows a script: one HTML file that loads nothing
 * else (its Content-Security-Policy names no host).
 */
#ifndef CMD_VIEW_H
#define CMD_VIEW_H

#include "base/buf.h"

enum { VIEW_FILE_BYTES = 256 << 20 };

/* Appends the page of a file that --trace or --record wrote; the end of the
 * file may be missing. NULL, or why the file is not one of these (static). */
const char *view_page(text file, buf *out);

#endif
