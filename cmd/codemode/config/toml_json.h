/* SPDX-License-Identifier: MIT */
/*
 * toml_json.h -- TOML as JSON, by the library toml++. This header is read by
 * C and by C++.
 */
#ifndef CMD_TOML_JSON_H
#define CMD_TOML_JSON_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Receives the JSON piece by piece. */
typedef struct toml_out {
	void *ctx;
	void (*bytes)(void *ctx, const char *bytes, size_t len);
	/* One string, which has no quotes and escapes yet. */
	void (*string)(void *ctx, const char *bytes, size_t len);
	/* What follows stood in that line, counted from 1. */
	void (*line)(void *ctx, unsigned line);
} toml_out;

/* Dates and times become strings. False: not TOML; *line, *column (from 1) and
 * why (of size bytes) say where and what is wrong. */
bool toml_to_json(const char *toml, size_t len, const toml_out *out,
    unsigned *line, unsigned *column, char *why, size_t size);

#ifdef __cplusplus
}
#endif

#endif
