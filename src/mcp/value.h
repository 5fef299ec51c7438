/* SPDX-License-Identifier: MIT */
/*
 * value.h -- the reply to a call, as the script sees it.
 */
#ifndef MCP_VALUE_H
#define MCP_VALUE_H

#include "client.h"

/* Why a result is not as the protocol wants it; NULL: it is. */
typedef struct value_verdict {
	mcp_answer answer;
	const char *odd; /* static, for a warning; NULL: nothing odd */
} value_verdict;

/*
 * The answer that a result stands for. Its texts are spans of result, or stand
 * in scratch, which is cleared first. declared: the tool has an output schema.
 * CM_ENOMEM: scratch ran out.
 */
cm_status value_of_result(
    json result, bool declared, buf *scratch, value_verdict *out);
/* The same for the result of resources/read: the text of its one content, or
 * else { contents: [ as sent ] }. */
cm_status value_of_contents(json result, buf *scratch, mcp_answer *out);
/* The same for the error of a reply. */
cm_status value_of_error(json error, buf *scratch, mcp_answer *out);
/* A failure in our own words: message and {"code":code}, in scratch. */
cm_status value_of_failure(
    text message, int code, buf *scratch, mcp_answer *out);

#endif
