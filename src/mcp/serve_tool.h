/* SPDX-License-Identifier: MIT */
/*
 * serve_tool.h -- the one tool that stands for all others: what a client is
 * told of it, what it takes and what it gives back.
 */
#ifndef MCP_SERVE_TOOL_H
#define MCP_SERVE_TOOL_H

#include "mcp_serve.h"

#define SERVE_TOOL "codemode"

/* The parts of the description that a model reads. */
typedef struct serve_about {
	text instructions; /* empty: the built-in text; in it {{example}} is
			      the example, {{catalog}} the list of tools,
			      which otherwise follows it */
	text example;      /* tools.hub.get_issue({ number: 1 }) */
	text catalog;
	bool direct; /* some tools are offered beside this one */
} serve_about;

/* Appends the tool as tools/list shows it, on one line. max_ms: the most time
 * that may be asked for; CM_NO_LIMIT: any. The same arguments give the same
 * bytes. */
void serve_tool(buf *out, const serve_about *about, uint64_t max_ms);

/* Reads the arguments of a call: code gets the script, *timeout_ms stays as it
 * is when none is asked for. False: why gets what is wrong with them, in words
 * that help to do it right. */
bool serve_arguments(
    json arguments, uint64_t max_ms, buf *code, uint64_t *timeout_ms, buf *why);

/* Tokens of text in one answer unless another limit is set, and how many bytes
 * are taken for one. */
enum { SERVE_TOKENS = 6000, SERVE_TOKEN_BYTES = 4 };

/* The bytes that stand for this many tokens. */
size_t serve_token_bytes(uint64_t tokens);

/* Keeps a copy of what is cut, for a later script, and returns its id; 0: it
 * cannot be kept. */
typedef struct serve_keep {
	void *ctx;
	uint32_t (*add)(void *ctx, json whole);
} serve_keep;

/* The URI of a kept result, without its id. */
#define SERVE_RESULT_URI "codemode://result/"

/* Appends the members of the resource of a kept value of size bytes. */
void serve_resource(buf *out, uint32_t id, size_t size);

/* Appends the content blocks of a run that is over, in about so many tokens
 * (the error and warnings of a script have some of their own); result is what
 * cm_run_result said of it. What the client lacks is put as a file or as text.
 * keep NULL: nothing is kept. True: the blocks are the run's whole value and
 * nothing else. */
bool serve_content(buf *out, const cm_done *done, json result, uint64_t tokens,
    mcp_lacks lacks, const serve_keep *keep);

/* Appends the members of a server's result of tools/call, as mcp_server_reply
 * takes them. Blocks that the client does not support are sent as a file or as
 * text. False: the result has no list of blocks. */
bool serve_result(buf *out, json result, mcp_lacks lacks);

/* Appends a list of the texts that the script printed. */
void serve_printed(buf *out, json output);

/* Appends t, or its first max bytes and " ...". */
void serve_put_head(buf *out, text t, size_t max);

/* Appends an error for a reader, on lines: name, message and tool, the excerpt,
 * the frames when there are several, the error's own fields, its causes and the
 * errors that it collects. */
void serve_put_fault(buf *out, const cm_fault *f);

/* Appends the content of one block with this text. */
void serve_words(buf *out, text words);
/* Appends a block with this text to content. */
void serve_add_words(buf *content, text words);

#endif
