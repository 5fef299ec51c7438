/* SPDX-License-Identifier: MIT */
/* dialect.c -- see dialect.h. */
#include "dialect.h"

/* A script layer counts questions about tools: few are asked here. */
enum { ASKED_MAX = 5, SPACES_MAX = 50, ARGUMENTS_SHOWN = 100 };

/* Words that stand in front of a name; the longer of two first. */
static const char *const fronts[] = {"mcp__", "mcp_", "external_", "tools_",
    "tool_", "functions_", "default_api_", NULL};

/* The path of the tool that is written so behind "tools."; empty: none. */
static text
tool_path(analysis *a, text written)
{
	buf path = BUF_INIT(a->arena->alloc, 4096);
	text found = TEXT_NONE;

	if (written.len > 0 &&
	    a->tools->find(a->tools->ctx, written, &path) == SOURCE_TOOL)
		found = analysis_keep(a, buf_view(&path));
	buf_fini(&path);
	return found;
}

/* srv__name, srv_name, srv.name, or the name alone, in this space. */
static text
in_space(analysis *a, text space, text written)
{
	text rest = written;

	if (text_starts(written, space) && written.len > space.len &&
	    strchr("_./:-", written.ptr[space.len])) {
		rest = text_sub(written, space.len + 1, written.len);
		if (text_starts(rest, TEXT("_")))
			rest = text_sub(rest, 1, rest.len);
	}
	return tool_path(a,
	    analysis_printf(a, "%.*s.%.*s", TEXT_ARG(space), TEXT_ARG(rest)));
}

/* The one tool that a name means, in whatever space; empty: none, or many. */
static text
in_any_space(analysis *a, text written)
{
	buf members = BUF_INIT(a->arena->alloc, 1 << 20);
	buf space = BUF_INIT(a->arena->alloc, 4096);
	text found = tool_path(a, written), one;
	json_iter it;
	json member;
	size_t n = 0;

	if (found.len > 0)
		return found;
	a->tools->members(a->tools->ctx, &members);
	it = json_each(buf_view(&members));
	while (members.bad == CM_OK && n++ < SPACES_MAX &&
	       json_next(&it, NULL, &member)) {
		buf_clear(&space);
		json_unescape(member, &space);
		one = in_space(a, buf_view(&space), written);
		if (one.len > 0 && found.len > 0) {
			found = TEXT_NONE;
			break;
		}
		found = one.len > 0 ? one : found;
	}
	buf_fini(&members);
	buf_fini(&space);
	return found;
}

static text
meant_tool(analysis *a, text written)
{
	text found = in_any_space(a, written);

	for (const char *const *w = fronts; *w && found.len == 0; w++)
		if (text_starts(written, text_of(*w)))
			found = in_any_space(
			    a, text_sub(written, strlen(*w), written.len));
	return found;
}

/* The text of a string literal; empty: it is none. */
static text
string_of(analysis *a, const js_node *n)
{
	return n && n->kind == JS_STRING ? calls_string(a, n) : TEXT_NONE;
}

bool
dialect_tell(analysis *a, const js_node *n, buf *out)
{
	const js_node *top = n, *call, *arguments = NULL;
	text written, found;

	if (!a->tools || !a->tools->find || !a->tools->members ||
	    a->dialects++ >= ASKED_MAX)
		return false;
	while (top->parent->kind == JS_MEMBER && top->parent->child == top)
		top = top->parent;
	call = top->parent->kind == JS_CALL && top->parent->child == top
		   ? top->parent
		   : NULL;
	written = js_text(&a->tree, top);
	found = meant_tool(a,
	    top == n ? written
		     : text_sub(written, n->end - n->start + 1, written.len));
	if (found.len > 0) {
		arguments = call ? call_argument(call, 0) : NULL;
	} else if (call && call_argument(call, 0)) {
		found = meant_tool(a, string_of(a, call_argument(call, 0)));
		arguments = call_argument(call, 1);
	}
	if (found.len == 0)
		return false;
	written = arguments ? js_text(&a->tree, arguments) : TEXT_NONE;
	if (!arguments || written.len > ARGUMENTS_SHOWN ||
	    memchr(written.ptr, '\n', written.len))
		written = TEXT("{ ... }");
	buf_printf(out,
	    "%.*s does not exist here: write await tools.%.*s(%.*s)",
	    TEXT_ARG(js_text(&a->tree, top)), TEXT_ARG(found),
	    TEXT_ARG(written));
	return true;
}
