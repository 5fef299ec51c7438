/* SPDX-License-Identifier: MIT */
/*
 * upstream_calls.c -- the calls that scripts make, from the rules to a server.
 */
#include "upstream_parts.h"

#include "schema/schema_sample.h"

size_t
upstream_server(const upstream *u, text space)
{
	size_t i = 0;

	while (i < u->count &&
	       !text_eq(text_of(config_of_server(u, i)->name), space))
		i++;
	must(i < u->count || upstream_is_saved(u, space));
	return i;
}

/* The tool of that name, as its server defines it now. */
static cm_tool
tool_of_server(const upstream *u, size_t server, text name)
{
	size_t n = 0;
	const mcp_tool *t;
	text space;

	if (server == u->count)
		return saved_tool(saved_find(&u->saved, name));
	t = servers_tools(u->servers, server, &n);
	space = text_of(config_of_server(u, server)->name);
	for (size_t i = 0; i < n; i++)
		if (text_eq(t[i].name, name))
			return upstream_tool(space, &t[i]);
	return (cm_tool){.space = space, .name = name};
}

static cm_tool
tool_of_call(const upstream *u, const cm_call *call)
{
	return tool_of_server(u, upstream_server(u, call->space), call->name);
}

text
upstream_name(const upstream *u, size_t server)
{
	return text_of(config_of_server(u, server)->name);
}

void
upstream_about(const upstream *u, text space, buf *out)
{
	size_t server = upstream_server(u, space);
	buf plain;

	if (server == u->count) {
		buf_str(out, "Scripts that the person has saved.");
		return;
	}
	buf_text(out, without_secrets(u->secrets,
			  servers_instructions(u->servers, server), &plain));
	buf_fini(&plain);
}

bool
upstream_dry(const upstream *u, const cm_call *call, buf *value, buf *words)
{
	cm_tool tool;

	if (!upstream_is_dry(u, call))
		return false;
	tool = tool_of_call(u, call);
	schema_sample(tool.output_schema, value);
	buf_printf(words, "dry run: %.*s(%.*s) was not called",
	    TEXT_ARG(call->path), TEXT_ARG(call->args));
	return true;
}

bool
upstream_is_dry(const upstream *u, const cm_call *call)
{
	cm_tool tool;

	if (!u->permit.dry || upstream_is_saved(u, call->space))
		return false;
	tool = tool_of_call(u, call);
	return permit_dry(&u->permit, &tool);
}

policy_decision
upstream_permits(const upstream *u, const cm_call *call)
{
	cm_tool tool = tool_of_call(u, call);

	return permit_tool(&u->permit, &tool);
}

/* The number of the tool of that path; the length of the catalog: none has it. */
static size_t
tool_number(const upstream *u, text path)
{
	size_t from = 0, to = u->catalog ? cm_catalog_len(u->catalog) : 0;
	size_t none = to;

	while (from < to) {
		size_t mid = from + (to - from) / 2;
		text at = TEXT_NONE;
		int order;

		cm_catalog_get(u->catalog, mid, NULL, &at);
		order = text_cmp(at, path);
		if (order == 0)
			return mid;
		if (order < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return none;
}

bool
upstream_call_of(const upstream *u, text path, cm_call *out)
{
	cm_tool t;
	text at;

	if (u->catalog == NULL ||
	    cm_catalog_get(u->catalog, tool_number(u, path), &t, &at) != CM_OK)
		return false;
	*out = (cm_call){.space = t.space, .name = t.name, .path = at};
	return true;
}

void
upstream_changes(const upstream *u, const cm_call *call, buf *out)
{
	size_t from = out->len;
	cm_tool now = tool_of_call(u, call), t;

	permit_put_changes(&u->permit, u->permit.always, &now, out);
	if (out->len == from && u->catalog != NULL &&
	    cm_catalog_get(u->catalog, tool_number(u, call->path), &t, NULL) ==
		CM_OK)
		permit_put_changes(&u->permit, buf_view(&u->before), &t, out);
}

bool
upstream_asks(const upstream *u)
{
	return u->asks;
}

void
upstream_always(upstream *u, const cm_call *call)
{
	cm_tool tool = tool_of_call(u, call);
	const char *why = permit_always(&u->permit, &tool);

	if (why != NULL)
		say_line(u->say, "\"always\" is not kept: %s", why);
}

static cm_status
begin_saved_script(upstream *u, uint32_t number, const cm_call *call)
{
	const saved_script *script = saved_find(&u->saved, call->name);
	buf data = BUF_INIT(NULL, SIZE_MAX / 2);
	cm_status r;

	saved_data(script, call->args, &data);
	r = data.bad != CM_OK ? data.bad
			      : u->caller.begin(u->caller.ctx, number, script,
				    buf_view(&data));
	buf_fini(&data);
	return r;
}

static void
learn_call(upstream *u, size_t server, uint32_t number, text name)
{
	cm_tool tool = tool_of_server(u, server, name);
	buf plain[3];

	upstream_hide_secrets(u, &tool, plain);
	tool = upstream_learned(u, &tool);
	learning_called(&u->learning, number, &tool);
	for (int i = 0; i < 3; i++)
		buf_fini(&plain[i]);
}

cm_status
upstream_call(upstream *u, size_t server, uint32_t number, const cm_call *call)
{
	cm_status r;

	r = server == u->count ? begin_saved_script(u, number, call)
			       : servers_call(u->servers, server, number,
				     call->name, call->args, 0);
	if (r == CM_OK && learning_is_on(&u->learning))
		learn_call(u, server, number, call->name);
	return r;
}

uint32_t
upstream_used(const upstream *u, const cm_tool *t)
{
	const cm_tool tool = upstream_learned(u, t);

	return learning_used(&u->learning, &tool);
}

void
upstream_saved_over(upstream *u, uint32_t number, json value)
{
	buf plain;

	learning_answered(&u->learning, number,
	    json_without_secrets(u->secrets, value, &plain));
	buf_fini(&plain);
}

void
upstream_cancel(upstream *u, size_t server, uint32_t number)
{
	learning_cancelled(&u->learning, number);
	if (server == u->count)
		u->caller.end(u->caller.ctx, number);
	else
		servers_cancel(u->servers, server, number, TEXT_NONE);
}
