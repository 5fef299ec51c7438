/* SPDX-License-Identifier: MIT */
/*
 * serve_tool.h -- the one tool that stands for all others: what a client is
 * told of it, what it takes and what it gives back.
 */
#ifndef MCP_SERVE_TOOL_H
#define MCP_SERVE_TOOL_H

#include "base/json.h"

#include <codemode/codemode.h>

#define SERVE_TOOL "codemode"

/* Appends the tool as tools/list shows it, on one line. menu: what a script
 * can call, the end of the description. max_ms: the most time that may be
 * asked for; CM_NO_LIMIT: any. The same arguments give the same bytes. */
void serve_tool(buf *out, text menu, uint64_t max_ms);

/* Reads the arguments of a call: code gets the script, *timeout_ms stays as it
 * is when none is asked for. False: why gets what is wrong with them, in words
 * that help to do it right. */
bool serve_arguments(
    json arguments, uint64_t max_ms, buf *code, uint64_t *timeout_ms, buf *why);

/* Bytes of text in one answer, about 6,000 tokens. */
enum { SERVE_TEXT_MAX = 24000 };

/* Appends the content blocks of a run that is over; result is what
 * cm_run_result said of it. */
void serve_content(buf *out, const cm_done *done, json result);

/* Appends v, or what is left of it in max bytes: JSON of the same kind, without
 * its last elements or members and with the last one that is there cut in the
 * same way. Nothing when not even that fits. Returns how many bytes of v are
 * left out; 0: none. */
size_t serve_cut_value(buf *out, json v, size_t max);

/* Appends the content of one block with this text. */
void serve_words(buf *out, text words);

#endif
