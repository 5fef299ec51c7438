/* SPDX-License-Identifier: MIT */
/*
 * api.c -- the functions of codemode.h, each a call of a room below.
 */
#include <codemode/codemode.h>

#include "catalog/declare.h"
#include "catalog/tool_ident.h"
#include "handle.h"
#include "options.h"
#include "run/run.h"
#include "source/known.h"
#include "source/prepare.h"

const char *
cm_status_name(cm_status s)
{
	switch (s) {
#define NAME(name, number, about) \
	case name:                \
		return #name;
		CM_STATUS_MAP(NAME)
#undef NAME
	default:
		return "CM_?";
	}
}

const char *
cm_status_text(cm_status s)
{
	switch (s) {
#define ABOUT(name, number, about) \
	case name:                 \
		return about;
		CM_STATUS_MAP(ABOUT)
#undef ABOUT
	default:
		return "no such status";
	}
}

const char *
cm_version(void)
{
	return CM_VERSION;
}

/* ------------------------------------------------------------- catalog */

cm_status
cm_catalog_new(const cm_alloc *alloc, cm_catalog **out)
{
	cm_catalog *cat = mem_new(alloc, sizeof(*cat));
	cm_status r;

	if (cat == NULL)
		return CM_ENOMEM;
	if ((r = catalog_new(alloc, &cat->inner)) != CM_OK) {
		mem_free(alloc, cat, sizeof(*cat));
		return r;
	}
	cat->why = "";
	must(pthread_mutex_init(&cat->lock, NULL) == 0);
	*out = cat;
	return CM_OK;
}

/* The tools have changed: frees the texts that describe them. */
static void
drop_declarations(cm_catalog *cat)
{
	const cm_alloc *alloc = &cat->inner->alloc;
	declaration *d;

	for (size_t i = 0; i < cat->signatures; i++)
		buf_fini(&cat->signature[i]);
	mem_free(
	    alloc, cat->signature, cat->signatures * sizeof(*cat->signature));
	cat->signature = NULL;
	cat->signatures = 0;

	while ((d = cat->declared) != NULL) {
		cat->declared = d->next;
		buf_fini(&d->text);
		mem_free(alloc, d, sizeof(*d));
	}
}

void
cm_catalog_free(cm_catalog *cat)
{
	cm_alloc alloc;

	if (cat == NULL)
		return;
	alloc = cat->inner->alloc;
	drop_declarations(cat);
	pthread_mutex_destroy(&cat->lock);
	catalog_drop(cat->inner);
	mem_free(&alloc, cat, sizeof(*cat));
}

/* Can no variable have this name, or none in strict code? */
static bool
is_reserved_word(const cm_alloc *alloc, text name, cm_status *status)
{
	static const char *const at_times[] = {"await", "let", "yield",
	    "static", "implements", "interface", "package", "private",
	    "protected", "public"};
	const source_options o = {.limit = UINT64_MAX, .raw = true};
	source_prepared p;
	buf b = BUF_INIT(alloc, 2 * CATALOG_NAME_MAX);
	bool reserved = false;

	for (size_t i = 0; i < sizeof(at_times) / sizeof(*at_times); i++)
		if (text_eq(name, text_of(at_times[i])))
			return true;
	buf_printf(&b, "const %.*s = 1", TEXT_ARG(name));
	*status = b.bad;
	if (*status == CM_OK &&
	    (*status = source_prepare(buf_view(&b), &o, alloc, &p)) == CM_OK) {
		reserved = p.fault.code != NULL;
		source_prepared_fini(&p);
	}
	buf_fini(&b);
	return reserved;
}

static cm_status
check_global(cm_catalog *cat, text name)
{
	cm_status r = CM_OK;

	if (name.len > CATALOG_NAME_MAX)
		return CM_ELIMIT;
	if (utf8_bad(name) != SIZE_MAX || !ident_ok(name))
		cat->why = "the name of a global must be an identifier, so "
			   "that a script can write it";
	else if (known_ours(name) || text_eq(name, TEXT("data")))
		cat->why = "the environment has a global of that name";
	else if (known_global(name) || text_eq(name, TEXT("arguments")))
		cat->why = "it is the name of a built-in of JavaScript, which "
			   "scripts rely on";
	else if (ident_is_reserved(name))
		cat->why = "a member of that name would make a promise of "
			   "`tools`";
	else if (is_reserved_word(&cat->inner->alloc, name, &r))
		cat->why = "it is a reserved word of JavaScript";
	return cat->why[0] != 0 ? CM_EINPUT : r;
}

cm_status
cm_catalog_add(cm_catalog *cat, const cm_tool *t)
{
	tool_given given = {.space = t->space,
	    .name = t->name,
	    .description = t->description,
	    .input_schema = t->input_schema,
	    .output_schema = t->output_schema,
	    .signature = t->signature,
	    .flags = t->flags,
	    .unchecked = (t->flags & CM_TOOL_UNCHECKED) != 0,
	    .global = (t->flags & CM_TOOL_GLOBAL) != 0,
	    .spread = (t->flags & CM_TOOL_SPREAD) != 0,
	    .observed = (t->flags & CM_TOOL_OBSERVED) != 0,
	    .reads = (t->flags & CM_TOOL_READS) != 0};
	cm_status r = CM_OK;

	cat->why = "";
	if (given.global)
		r = check_global(cat, t->space.len > 0 ? t->space : t->name);
	if (r == CM_OK && (r = catalog_add(cat->inner, &given)) == CM_EEXISTS)
		cat->why = "that name is there already, as a tool or as a "
			   "namespace";
	if (r == CM_OK)
		drop_declarations(cat);
	return r;
}

const char *
cm_catalog_why(const cm_catalog *cat)
{
	return cat->why;
}

size_t
cm_catalog_len(const cm_catalog *cat)
{
	return cat->inner->len;
}

cm_status
handle_seal(cm_catalog *cat)
{
	cm_status r;

	pthread_mutex_lock(&cat->lock);
	r = catalog_seal(cat->inner);
	pthread_mutex_unlock(&cat->lock);
	return r;
}

cm_status
cm_catalog_get(cm_catalog *cat, size_t i, cm_tool *out, cm_text *path)
{
	cm_status r = handle_seal(cat);
	const tool *t;

	if (r != CM_OK)
		return r;
	if (i >= cat->inner->len)
		return CM_EMISUSE;
	t = catalog_at(cat->inner, i);
	if (out != NULL)
		*out = (cm_tool){t->space, t->name, t->description, t->input,
		    t->output, t->flags, t->signature};
	if (path != NULL)
		*path = t->path;
	return CM_OK;
}

static cm_status
new_declaration(cm_catalog *cat, size_t first, text space)
{
	const cm_alloc *alloc = &cat->inner->alloc;
	declaration *d = mem_new(alloc, sizeof(*d));
	cm_status r;

	if (d == NULL)
		return CM_ENOMEM;
	*d = (declaration){cat->declared, first, BUF_INIT(alloc, 256u << 20)};
	catalog_declare(cat->inner, space, &d->text);
	if ((r = d->text.bad) == CM_OK) {
		cat->declared = d;
		return CM_OK;
	}
	buf_fini(&d->text);
	mem_free(alloc, d, sizeof(*d));
	return r;
}

/* The caller holds the lock. */
static cm_status
declare_space(cm_catalog *cat, text space, text *out)
{
	const declaration *d = cat->declared;
	size_t first = 0;
	cm_status r;

	if (space.len > 0) {
		if (catalog_space(cat->inner, space, &first) == 0) {
			*out = TEXT_NONE;
			return CM_OK;
		}
		first++;
	}
	while (d != NULL && d->first != first)
		d = d->next;
	if (d == NULL) {
		if ((r = new_declaration(cat, first, space)) != CM_OK)
			return r;
		d = cat->declared;
	}
	*out = buf_view(&d->text);
	return CM_OK;
}

cm_status
cm_catalog_declare(cm_catalog *cat, cm_text space, cm_text *out)
{
	cm_status r;

	pthread_mutex_lock(&cat->lock);
	if ((r = catalog_seal(cat->inner)) == CM_OK)
		r = declare_space(cat, space, out);
	pthread_mutex_unlock(&cat->lock);
	return r;
}

static cm_status
new_signatures(cm_catalog *cat)
{
	const cm_alloc *alloc = &cat->inner->alloc;
	size_t n = cat->inner->len;

	cat->signature = mem_new(alloc, n * sizeof(*cat->signature));
	if (cat->signature == NULL)
		return CM_ENOMEM;
	cat->signatures = n;
	for (size_t i = 0; i < n; i++)
		cat->signature[i] = BUF_INIT(alloc, 64u << 10);
	return CM_OK;
}

/* The caller holds the lock. */
static cm_status
write_signature(cm_catalog *cat, size_t i, text *out)
{
	cm_status r;
	buf *b;

	if (cat->signature == NULL && (r = new_signatures(cat)) != CM_OK)
		return r;
	b = &cat->signature[i];
	if (b->len == 0)
		catalog_signature(catalog_at(cat->inner, i), b);
	if ((r = b->bad) == CM_OK)
		*out = buf_view(b);
	else
		buf_clear(b);
	return r;
}

cm_status
cm_catalog_signature(cm_catalog *cat, size_t i, cm_text *out)
{
	cm_status r;

	if (i >= cat->inner->len)
		return CM_EMISUSE;
	pthread_mutex_lock(&cat->lock);
	if ((r = catalog_seal(cat->inner)) == CM_OK)
		r = write_signature(cat, i, out);
	pthread_mutex_unlock(&cat->lock);
	return r;
}

cm_status
cm_catalog_search(cm_catalog *cat, cm_text query, cm_text space, size_t limit,
    cm_hit *out, size_t *found)
{
	const cm_alloc *alloc = &cat->inner->alloc;
	size_t most = limit < cat->inner->len ? limit : cat->inner->len, n = 0;
	search_hit *hit;
	cm_status r;

	if (utf8_bad(query) != SIZE_MAX)
		return CM_EINPUT;
	if ((r = handle_seal(cat)) != CM_OK)
		return r;
	hit = mem_new(alloc, (most + 1) * sizeof(*hit));
	if (hit == NULL)
		return CM_ENOMEM;
	r = catalog_search(cat->inner, query, space, hit, most, &n);
	for (size_t i = 0; r == CM_OK && i < n; i++)
		out[i] = (cm_hit){hit[i].doc, hit[i].score};
	if (r == CM_OK)
		*found = n;
	mem_free(alloc, hit, (most + 1) * sizeof(*hit));
	return r;
}

cm_status
cm_catalog_nearest(cm_catalog *cat, cm_text query, char *out, size_t size)
{
	buf words = BUF_INIT(&cat->inner->alloc, 64u << 10);
	cm_status r = CM_EINPUT;
	text fits;

	if (utf8_bad(query) == SIZE_MAX && (r = handle_seal(cat)) == CM_OK)
		r = catalog_nearest_words(cat->inner, query, &words);
	if (r == CM_OK && (r = words.bad) == CM_OK && size > 0) {
		fits = text_head(buf_view(&words), size - 1);
		memcpy(out, fits.len > 0 ? fits.ptr : "", fits.len);
		out[fits.len] = 0;
	}
	buf_fini(&words);
	return r;
}

/* ---------------------------------------------------------------- runs */

cm_status
cm_run_new(
    cm_catalog *cat, cm_text script, const cm_run_options *opts, cm_run **out)
{
	cm_run_options own = {.size = 0};
	cm_status r;

	if (opts != NULL &&
	    !options_read(&own, sizeof(own), opts, opts->size,
		offsetof(cm_run_options, limits) + 12 * sizeof(uint64_t)))
		return CM_EMISUSE;
	if (cat == NULL)
		return run_new(NULL, NULL, script, &own, out);
	if ((r = handle_seal(cat)) != CM_OK)
		return r;
	return run_new(&cat->inner->alloc, cat->inner, script, &own, out);
}

void
cm_run_free(cm_run *run)
{
	if (run != NULL)
		run_free(run);
}

cm_status
cm_run_next(cm_run *run, uint64_t now_ms, cm_step *step)
{
	return run_next(run, now_ms, step);
}

cm_status
cm_run_resolve(cm_run *run, cm_call_id id, cm_text value)
{
	return run->given.fixed ? events_resolve(run, id, value)
				: run_resolve(run, id, value);
}

cm_status
cm_run_reject(cm_run *run, cm_call_id id, const cm_failure *failure)
{
	return run->given.fixed ? events_reject(run, id, failure)
				: run_reject(run, id, failure);
}

cm_status
cm_run_approve(cm_run *run, const cm_approval *approval)
{
	return run_approve(run, approval);
}

cm_status
cm_run_approve_call(cm_run *run, cm_call_id id)
{
	return run_approve_call(run, id);
}

cm_text
cm_run_sites(const cm_run *run)
{
	return block_text(run->sites);
}

cm_status
cm_run_stopped(cm_run *run, cm_call_id id)
{
	return run->given.fixed ? events_stopped(run, id)
				: run_stopped(run, id);
}

cm_status
cm_run_cancel(cm_run *run, cm_text reason)
{
	return run_cancel(run, reason);
}

cm_status
cm_run_warn(cm_run *run, cm_text message)
{
	return run->given.fixed ? events_warn(run, message)
				: run_warn(run, message);
}

void
cm_run_interrupt(cm_run *run)
{
	run_interrupt(run);
}

cm_status
cm_run_result(cm_run *run, cm_text *result)
{
	return run_result(run, result);
}

uint64_t
cm_run_output_tokens(const cm_run *run)
{
	return run->output_tokens;
}

cm_text
cm_run_fingerprint(cm_run *run)
{
	return text_of(run->given.fingerprint);
}
