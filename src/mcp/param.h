/* SPDX-License-Identifier: MIT */
/*
 * param.h -- arguments of a tool that are headers of HTTP too (2026-07-28).
 *
 * A property of an input schema may say "x-mcp-header": "Region"; its argument
 * is then sent as the header Mcp-Param-Region as well.
 */
#ifndef MCP_PARAM_H
#define MCP_PARAM_H

#include "base/json.h"

/* Is each x-mcp-header of the schema a token that is there once, on a string,
 * integer or boolean that a path of properties leads to? */
bool param_headers_valid(json schema);
/* Appends "Mcp-Param-NAME: VALUE\n" for each argument that is to be one. */
void param_headers(json schema, json args, buf *out);
/* Appends "NAME: VALUE\n"; a value that no header may hold is sent as
 * =?base64?...?=. */
void param_header(buf *out, text name, text value);

#endif
