/* SPDX-License-Identifier: MIT */
/*
 * calls_write.c -- the list of calls as JSON.
 */
#include "source/check.h"

#include "base/json.h"

static const struct {
	unsigned flag;
	const char *name;
} flags_in_json[] = {
    {SOURCE_CALL_LOOP, "inLoop"},
    {SOURCE_CALL_MAP, "inCallback"},
    {SOURCE_CALL_COMPUTED, "computed"},
    {SOURCE_CALL_AWAITED, "awaited"},
    {SOURCE_CALL_NAMED, "named"},
    {SOURCE_CALL_KNOWN, "known"},
};

enum { FLAGS_IN_JSON = sizeof(flags_in_json) / sizeof(*flags_in_json) };

static void
put_call_site(const source_call *c, buf *b)
{
	json_element(b);
	buf_byte(b, '{');
	json_member_uint(b, "line", c->line);
	json_member_uint(b, "column", c->column);
	json_member_text(b, "tool", c->path);
	if (c->flags & SOURCE_CALL_LITERAL)
		json_member_json(b, "args", c->args);
	else if (c->args.len > 0)
		json_member_text(b, "argsText", c->args);
	for (size_t f = 0; f < FLAGS_IN_JSON; f++)
		json_member_bool(
		    b, flags_in_json[f].name, c->flags & flags_in_json[f].flag);
	buf_byte(b, '}');
}

void
source_put_calls(const source_report *r, buf *out)
{
	buf_byte(out, '[');
	for (size_t i = 0; i < r->calls; i++)
		put_call_site(&r->call[i], out);
	buf_byte(out, ']');
}
