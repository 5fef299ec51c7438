/* SPDX-License-Identifier: MIT */
/*
 * dialect.h -- a tool that is called as another system calls its tools.
 *
 *	fetch_weather({...})            the name alone
 *	mcp__srv__fetch_weather({...})  server and name in one word
 *	external_fetch_weather({...})   with a word in front
 *	codemode.fetch_weather({...})   as a method of something else
 *	tools.call("fetch_weather", {...}), callTool("srv.fetch_weather", {...})
 *
 * Asked only about a name that does not exist.
 */
#ifndef SOURCE_DIALECT_H
#define SOURCE_DIALECT_H

#include "check_parts.h"

/* n: the name that a chain of members begins with. If a tool is meant, appends
 * "x does not exist here: write await tools.srv.x({ ... })". */
bool dialect_tell(analysis *a, const js_node *n, buf *out);

#endif
