/* SPDX-License-Identifier: MIT */
/*
 * upstream_catalog.c -- the tools of all servers as catalogs: what scripts can
 * call, and what is offered beside them.
 */
#include "upstream_parts.h"

enum { SCHEMA_MAX_BYTES = 1 << 20 };

bool
upstream_is_saved(const upstream *u, text space)
{
	return u->saved.len > 0 && text_eq(space, TEXT(SAVED_SPACE));
}

cm_tool
upstream_tool(text space, const mcp_tool *t)
{
	return (cm_tool){.space = space,
	    .name = t->name,
	    .description = t->description,
	    .input_schema = t->input_schema,
	    .output_schema = t->output_schema,
	    .flags = t->flags};
}

/* Replaces secrets in the texts; plain gets the changed ones. */
void
upstream_hide_secrets(const upstream *u, cm_tool *t, buf plain[3])
{
	t->description = without_secrets(u->secrets, t->description, &plain[0]);
	t->input_schema =
	    json_without_secrets(u->secrets, t->input_schema, &plain[1]);
	t->output_schema =
	    json_without_secrets(u->secrets, t->output_schema, &plain[2]);
}

/* Of a saved script, other code may give other results. */
cm_tool
upstream_learned(const upstream *u, const cm_tool *t)
{
	cm_tool tool = *t;

	if (upstream_is_saved(u, t->space))
		tool.description = saved_find(&u->saved, t->name)->code;
	return tool;
}

/* Adds a saved script, if the rules allow it. */
static cm_status
add_saved_tool(upstream *u, cm_catalog *cat, const saved_script *s)
{
	cm_tool t = saved_tool(s), known = upstream_learned(u, &t);
	buf observed = BUF_INIT(NULL, SCHEMA_MAX_BYTES);
	policy_verdict v = permit_tool(&u->permit, &t).verdict;
	cm_status r = CM_OK;

	u->asks = u->asks || v == POLICY_ASK;
	learning_show(&u->learning, &known, &observed);
	known.description = t.description;
	if (v != POLICY_DENY)
		r = cm_catalog_add(cat, &known);
	buf_fini(&observed);
	return r;
}

static cm_status
add_saved_tools(upstream *u, cm_catalog *cat, unsigned exposed)
{
	cm_status r = CM_OK;

	for (size_t i = 0; i < u->saved.len && r == CM_OK; i++)
		if (!u->exposes || (u->saved.list[i].expose & exposed) != 0)
			r = add_saved_tool(u, cat, &u->saved.list[i]);
	return r;
}

static cm_status
add_server_tool(upstream *u, cm_catalog *cat, size_t server, const mcp_tool *t,
    unsigned exposed)
{
	const char *space = config_of_server(u, server)->name;
	cm_tool tool = upstream_tool(text_of(space), t);
	const config_entry *e = &u->config.entry[u->entry[server]];
	buf plain[3], observed = BUF_INIT(NULL, SCHEMA_MAX_BYTES);
	policy_verdict verdict = permit_tool(&u->permit, &tool).verdict;
	cm_status r;

	if (u->exposes &&
	    ((e->expose ? e->expose : EXPOSE_SCRIPT) & exposed) == 0)
		return CM_OK;
	if (!config_tool(e, t->name) || verdict == POLICY_DENY)
		return CM_OK;
	u->asks = u->asks || verdict == POLICY_ASK;
	if (u->unchecked || !config_checks(e, t->name))
		tool.flags |= CM_TOOL_UNCHECKED;
	upstream_hide_secrets(u, &tool, plain);
	learning_show(&u->learning, &tool, &observed);
	r = cm_catalog_add(cat, &tool);
	for (int i = 0; i < 3; i++)
		buf_fini(&plain[i]);
	buf_fini(&observed);
	if (r == CM_OK || r == CM_ENOMEM)
		return r;
	say_line(u->say, "server %s: the tool \"%.*s\" is left out: %s", space,
	    TEXT_ARG(t->name), cm_status_text(r));
	return CM_OK;
}

void
upstream_each_tool(upstream *u,
    void (*each)(void *ctx, const cm_tool *t, policy_decision d), void *ctx)
{
	/* Making it finds out what saved scripts can do. */
	upstream_catalog(u);
	for (size_t i = 0; i < u->count; i++) {
		text space = text_of(config_of_server(u, i)->name);
		const config_entry *e = &u->config.entry[u->entry[i]];
		size_t n = 0;
		const mcp_tool *t = servers_tools(u->servers, i, &n);

		for (size_t k = 0; k < n; k++) {
			cm_tool tool = upstream_tool(space, &t[k]);

			if (config_tool(e, t[k].name))
				each(
				    ctx, &tool, permit_tool(&u->permit, &tool));
		}
	}
	for (size_t i = 0; i < u->saved.len; i++) {
		cm_tool tool = saved_tool(&u->saved.list[i]);

		each(ctx, &tool, permit_tool(&u->permit, &tool));
	}
}

/* exposed: EXPOSE_*, one of which each server must have. */
static cm_status
catalog_of_servers(upstream *u, unsigned exposed, cm_catalog **out)
{
	cm_status r = cm_catalog_new(NULL, out);

	u->made++;
	for (size_t i = 0; i < u->count && r == CM_OK; i++) {
		size_t n = 0;
		const mcp_tool *t = servers_tools(u->servers, i, &n);

		for (size_t k = 0; k < n && r == CM_OK; k++)
			r = add_server_tool(u, *out, i, &t[k], exposed);
		if (n > 0 && !servers_recalled(u->servers, i))
			config_unused_names(
			    &u->config, &u->config.entry[u->entry[i]]);
	}
	return r;
}

/* Sets what each saved script can do, which depends on the tools of the servers. */
static cm_status
look_at_saved(upstream *u)
{
	cm_catalog *others = NULL;
	cm_status r = catalog_of_servers(u, EXPOSE_SCRIPT, &others);

	if (r == CM_OK)
		saved_look(&u->saved, others);
	cm_catalog_free(others);
	return r;
}

static cm_status
make_catalog(upstream *u, cm_catalog **out)
{
	cm_status r = u->saved.len > 0 ? look_at_saved(u) : CM_OK;

	if (r == CM_OK)
		r = catalog_of_servers(u, EXPOSE_SCRIPT, out);
	return r == CM_OK ? add_saved_tools(u, *out, EXPOSE_SCRIPT) : r;
}

static bool
is_same_definition(const cm_tool *a, const cm_tool *b)
{
	return a->flags == b->flags &&
	       text_eq(a->description, b->description) &&
	       text_eq(a->input_schema, b->input_schema) &&
	       text_eq(a->output_schema, b->output_schema);
}

/* Notes tools that are redefined or removed (a later tool of that name may
 * differ). Both catalogs are in the order of paths. */
static void
note_redefined(upstream *u, cm_catalog *old, cm_catalog *new)
{
	size_t i = 0, k = 0;
	cm_tool a, b;
	text pa, pb;
	bool any = false;

	while (cm_catalog_get(old, i, &a, &pa) == CM_OK) {
		bool more = cm_catalog_get(new, k, &b, &pb) == CM_OK;
		int order = more ? text_cmp(pa, pb) : -1;

		if (order < 0 || (order == 0 && !is_same_definition(&a, &b))) {
			permit_put_definition(&u->permit, &a, &u->before);
			any = true;
		}
		i += order <= 0;
		k += order >= 0;
	}
	u->redefined += any;
}

static bool
exposes_directly(const upstream *u)
{
	for (size_t i = 0; u->exposes && i < u->count; i++)
		if (u->config.entry[u->entry[i]].expose & EXPOSE_DIRECT)
			return true;
	for (size_t i = 0; u->exposes && i < u->saved.len; i++)
		if (u->saved.list[i].expose & EXPOSE_DIRECT)
			return true;
	return false;
}

cm_catalog *
upstream_catalog(upstream *u)
{
	cm_catalog *made = NULL, *direct = NULL;
	cm_status r;

	if (!u->stale)
		return u->catalog;
	u->asks = false;
	r = make_catalog(u, &made);
	if (r == CM_OK && exposes_directly(u)) {
		r = catalog_of_servers(u, EXPOSE_DIRECT, &direct);
		if (r == CM_OK)
			r = add_saved_tools(u, direct, EXPOSE_DIRECT);
	}
	if (r != CM_OK) {
		cm_catalog_free(made);
		cm_catalog_free(direct);
		return NULL;
	}
	if (u->catalog != NULL)
		note_redefined(u, u->catalog, made);
	if (u->direct != NULL && direct != NULL)
		note_redefined(u, u->direct, direct);
	cm_catalog_free(u->catalog);
	cm_catalog_free(u->direct);
	u->catalog = made;
	u->direct = direct;
	u->stale = false;
	return made;
}

void
upstream_expose(upstream *u)
{
	u->exposes = true;
}

cm_catalog *
upstream_direct(upstream *u)
{
	return upstream_catalog(u) != NULL ? u->direct : NULL;
}

unsigned
upstream_version(upstream *u)
{
	upstream_catalog(u);
	return u->made;
}

unsigned
upstream_redefined(upstream *u)
{
	upstream_catalog(u);
	return u->redefined;
}
