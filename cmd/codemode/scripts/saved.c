/* SPDX-License-Identifier: MIT */
/* saved.c -- see saved.h. */
#include "saved.h"

#include "common/file.h"
#include "common/own_file.h"

#include <codemode/check.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

/* The name of the script in a file of that name; empty: the file is not a
 * script. */
static text
name_of_file(const char *file)
{
	text t = text_of(file);

	if (file[0] == '.' ||
	    (!text_ends(t, TEXT(".js")) && !text_ends(t, TEXT(".ts"))) ||
	    text_ends(t, TEXT(".d.ts")))
		return TEXT_NONE;
	return text_sub(t, 0, t.len - 3);
}

static text
keep_in_pool(saved *s, const buf *b)
{
	return text_of(pool_copy(&s->pool, buf_view(b)));
}

/* Adds the script, or prints why its comment cannot be used. */
static void
add_saved(saved *s, saved_script *one, const buf *code, say *to)
{
	saved_doc doc;
	buf why = BUF_INIT(NULL, 4096);
	unsigned line;

	if (saved_doc_read(buf_view(code), &doc, &line, &why)) {
		one->code = keep_in_pool(s, code);
		one->description = keep_in_pool(s, &doc.description);
		one->input = keep_in_pool(s, &doc.input);
		one->output = keep_in_pool(s, &doc.output);
		one->expose = doc.expose;
		one->defaults = keep_in_pool(s, &doc.defaults);
		s->len++;
	} else {
		say_line(to, "%s:%u: %.*s", one->path, line,
		    TEXT_ARG(buf_view(&why)));
	}
	buf_fini(&why);
	saved_doc_fini(&doc);
}

static void
read_script(saved *s, const char *folder, const char *file, say *to)
{
	saved_script *one = &s->list[s->len];
	buf code = BUF_INIT(NULL, SAVED_CODE_MAX);
	const char *why;

	one->path = pool_printf(&s->pool, "%s/%s", folder, file);
	one->name = text_of(pool_copy(&s->pool, name_of_file(file)));
	why = file_read(one->path, &code);
	if (why == NULL && utf8_bad(buf_view(&code)) != SIZE_MAX)
		why = "it is not UTF-8";
	if (why == NULL && saved_find(s, one->name) != NULL)
		why = "there is a script of that name already";
	if (why != NULL)
		say_line(to, "the script %s is left out: %s", one->path, why);
	else
		add_saved(s, one, &code, to);
	buf_fini(&code);
}

static int
is_script_file(const struct dirent *d)
{
	return name_of_file(d->d_name).len > 0;
}

bool
saved_open(saved *s, const char *folder, say *to)
{
	struct dirent **file = NULL;
	const char *given = folder;
	int n;

	*s = (saved){.len = 0};
	if (given == NULL)
		folder = own_file(&s->pool, OWN_CONFIG, SAVED_SPACE);
	if (folder == NULL || (given && strcmp(given, "none") == 0))
		return true;
	n = scandir(folder, &file, is_script_file, alphasort);
	if (n < 0 && given != NULL)
		say_line(to, "--scripts %s: %s", given, strerror(errno));
	if (n < 0)
		return given == NULL;
	s->list = pool_new(&s->pool, ((size_t)n + 1) * sizeof(*s->list));
	for (int i = 0; i < n; i++) {
		if (s->len < SAVED_MAX)
			read_script(s, folder, file[i]->d_name, to);
		free(file[i]);
	}
	free(file);
	if (n > SAVED_MAX)
		say_line(to, "%s: scripts after the first %d are left out",
		    folder, SAVED_MAX);
	return true;
}

void
saved_fini(saved *s)
{
	pool_fini(&s->pool);
}

const saved_script *
saved_find(const saved *s, text name)
{
	for (size_t i = 0; i < s->len; i++)
		if (text_eq(s->list[i].name, name))
			return &s->list[i];
	return NULL;
}

static bool
reads_only(cm_catalog *cat, text path)
{
	cm_tool tool;
	text have;

	for (size_t i = 0; cm_catalog_get(cat, i, &tool, &have) == CM_OK; i++)
		if (text_eq(have, path))
			return (tool.flags & CM_TOOL_READS) != 0;
	return false;
}

/* Do all tools that it can call only read? */
static bool
script_reads_only(const saved_script *s, cm_catalog *cat)
{
	cm_check *check = NULL;
	cm_site site;
	bool reads =
	    cm_source_check(cat, s->code, CM_CHECK_QUICK, &check) == CM_OK;

	for (size_t i = 0; reads && cm_check_site(check, i, &site) == CM_OK;
	     i++)
		reads = (site.flags & CM_SITE_KNOWN) != 0 &&
			reads_only(cat, site.path);
	cm_check_free(check);
	return reads;
}

void
saved_look(saved *s, cm_catalog *cat)
{
	for (size_t i = 0; i < s->len; i++)
		s->list[i].reads = script_reads_only(&s->list[i], cat);
}

cm_tool
saved_tool(const saved_script *s)
{
	return (cm_tool){.space = TEXT(SAVED_SPACE),
	    .name = s->name,
	    .description = s->description,
	    .input_schema = s->input,
	    .output_schema = s->output,
	    .flags = s->reads ? CM_TOOL_READS : 0};
}

void
saved_data(const saved_script *s, json args, buf *out)
{
	json_iter it = json_each(s->defaults);
	buf name = BUF_INIT(NULL, SAVED_DOC_MAX);
	json key, value;

	if (args.len == 0)
		args = TEXT("{}");
	buf_text(out, text_sub(json_trim(args), 0, json_trim(args).len - 1));
	while (json_next(&it, &key, &value)) {
		buf_clear(&name);
		if (!json_unescape(key, &name) ||
		    json_present(json_get(args, buf_view(&name))))
			continue;
		if (out->ptr[out->len - 1] != '{')
			buf_byte(out, ',');
		buf_printf(out, "%.*s:%.*s", TEXT_ARG(key), TEXT_ARG(value));
	}
	buf_byte(out, '}');
	buf_fini(&name);
}
