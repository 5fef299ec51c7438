/* SPDX-License-Identifier: MIT */
/*
 * view.h -- a page that shows a script: one HTML file that needs nothing else
 * and is allowed nothing else (its Content-Security-Policy names no host).
 */
#ifndef CMD_VIEW_H
#define CMD_VIEW_H

#include "base/buf.h"

enum { VIEW_FILE_BYTES = 256 << 20 };

/* Appends the page of a file that --trace or --record wrote, also of one that
 * was cut. NULL, or why that file is none (static). */
const char *view_page(text file, buf *out);

#endif
