/* SPDX-License-Identifier: MIT */
/*
 * config_text.h -- a configuration file as one JSON text, whatever it is
 * written in: JSON with comments, TOML or YAML.
 */
#ifndef CMD_CONFIG_TEXT_H
#define CMD_CONFIG_TEXT_H

#include "base/json.h"
#include "common/pool.h"

/* From this byte of the JSON on, what stands there stood in that line. */
typedef struct line_mark {
	size_t at;
	unsigned line; /* from 1 */
} line_mark;

typedef enum config_format {
	CONFIG_JSON,
	CONFIG_TOML,
	CONFIG_YAML
} config_format;

typedef struct config_text {
	const char *path;
	config_format format;
	text raw;         /* the bytes of the file */
	json document;    /* all of it; spans of it are values of entries */
	const char *base; /* where the offsets of .mark begin */
	const line_mark *mark; /* NULL: JSON, which has its own lines */
	size_t marks;
} config_text;

/* Reads path; all of *t lives in p. False: *why says what is wrong, with line
 * and column where there are some. */
bool config_text_read(
    config_text *t, const char *path, pool *p, const char **why);

/* The same for a text in memory: .path, .format and .raw are set. */
bool config_text_parse(config_text *t, pool *p, const char **why);

/* The line of the file that holds what stands at that byte of .document. */
unsigned config_text_line(const config_text *t, const char *at);

/* Does the end of this name say what the file is written in? */
bool config_text_named(const char *path);
/* "JSON", "TOML", "YAML". */
const char *config_format_name(config_format format);

/* ------------------------------------------ for the readers of formats */

/* JSON that is being written, with its lines. */
typedef struct marked_json {
	buf json;
	buf marks; /* of line_mark, in the order of .at */
} marked_json;

/* What is written from here on stood in that line. */
void mark_line(marked_json *out, unsigned line);

/* Where and why a text is not TOML or YAML. */
typedef struct format_fault {
	unsigned line, column; /* from 1 */
	char why[200];
} format_fault;

bool yaml_to_json(text yaml, marked_json *out, format_fault *fault);

#endif
