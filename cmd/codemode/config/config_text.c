/* SPDX-License-Identifier: MIT */
/*
 * config_text.c -- finds out what a file is written in and makes JSON of it.
 *
 * The end of the file's name says the format; without a known one, the first
 * characters do.
 */
#include "config_text.h"

#include "common/file.h"
#include "toml_json.h"

#include <codemode/codemode.h>

enum { FILE_MAX_BYTES = 16 << 20 };

static const struct {
	const char *end;
	config_format format;
} name_ends[] = {
    {".toml", CONFIG_TOML},
    {".yaml", CONFIG_YAML},
    {".yml", CONFIG_YAML},
    {".json", CONFIG_JSON},
    {".jsonc", CONFIG_JSON},
    {".json5", CONFIG_JSON},
};

const char *
config_format_name(config_format format)
{
	static const char *const names[] = {"JSON", "TOML", "YAML"};

	return names[format];
}

/* By the first line that says something: a brace or a comment with slashes is
 * JSON, a table or name = value TOML, anything else with a colon YAML. */
static config_format
guess_format(text t)
{
	text line;

	while (text_line(&t, &line)) {
		line = text_trim(line);
		if (line.len == 0 || line.ptr[0] == '#')
			continue;
		if (line.ptr[0] == '{' || line.ptr[0] == '/')
			return CONFIG_JSON;
		if (line.ptr[0] == '[' || text_find(line, TEXT("="), 0) <
					      text_find(line, TEXT(":"), 0))
			return CONFIG_TOML;
		if (text_find(line, TEXT(":"), 0) != SIZE_MAX)
			return CONFIG_YAML;
		break;
	}
	return CONFIG_JSON;
}

/* NULL: the name has none of these ends. */
static const config_format *
format_of_name(const char *path)
{
	for (size_t i = 0; i < sizeof(name_ends) / sizeof(*name_ends); i++)
		if (text_ends(text_of(path), text_of(name_ends[i].end)))
			return &name_ends[i].format;
	return NULL;
}

bool
config_text_named(const char *path)
{
	return format_of_name(path) != NULL;
}

/* ------------------------------------------------------------------- lines */

void
mark_line(marked_json *out, unsigned line)
{
	line_mark m = {out->json.len, line};

	buf_add(&out->marks, &m, sizeof(m));
}

unsigned
config_text_line(const config_text *t, const char *at)
{
	size_t offset = (size_t)(at - t->base);
	size_t low = 0, high = t->marks;
	unsigned line = 1, column;

	if (t->mark == NULL) {
		text_position((text){t->base, offset}, offset, &line, &column);
		return line;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->mark[middle].at <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? t->mark[low - 1].line : 1;
}

/* ----------------------------------------------------------------- formats */

static void
write_toml_bytes(void *out, const char *bytes, size_t len)
{
	buf_add(&((marked_json *)out)->json, bytes, len);
}

static void
write_toml_string(void *out, const char *bytes, size_t len)
{
	json_string(&((marked_json *)out)->json, (text){bytes, len});
}

static void
mark_toml_line(void *out, unsigned line)
{
	mark_line(out, line);
}

static bool
toml_to_marked_json(text raw, marked_json *out, format_fault *fault)
{
	toml_out hooks = {
	    out, write_toml_bytes, write_toml_string, mark_toml_line};

	return toml_to_json(raw.ptr, raw.len, &hooks, &fault->line,
	    &fault->column, fault->why, sizeof(fault->why));
}

static const char *
convert_text(config_text *t, pool *p)
{
	marked_json out = {
	    BUF_INIT(NULL, FILE_MAX_BYTES), BUF_INIT(NULL, FILE_MAX_BYTES)};
	format_fault fault = {1, 1, ""};
	const char *why = NULL;
	bool ok = t->format == CONFIG_TOML
		      ? toml_to_marked_json(t->raw, &out, &fault)
		      : yaml_to_json(t->raw, &out, &fault);

	if (!ok)
		why =
		    pool_printf(p, "%s:%u:%u: not %s: %s", t->path, fault.line,
			fault.column, config_format_name(t->format), fault.why);
	else if (out.json.bad != CM_OK || out.marks.bad != CM_OK)
		why = pool_printf(
		    p, "%s: cannot be read: it is too large", t->path);
	if (why == NULL) {
		line_mark *mark = pool_new(p, out.marks.len + 1);

		if (out.marks.len > 0)
			memcpy(mark, out.marks.ptr, out.marks.len);
		t->marks = out.marks.len / sizeof(*mark);
		t->mark = mark;
		t->base = pool_copy(p, buf_view(&out.json));
		t->document = json_trim((text){t->base, out.json.len});
	}
	buf_fini(&out.json);
	buf_fini(&out.marks);
	return why;
}

static const char *
check_json_text(config_text *t, pool *p)
{
	buf blanked = BUF_INIT(NULL, FILE_MAX_BYTES);
	json_fault fault;
	unsigned line, column;
	text all;

	json_blank_comments(t->raw, &blanked);
	if (blanked.bad != CM_OK)
		return pool_printf(p, "%s: cannot be read: %s", t->path,
		    cm_status_text(blanked.bad));
	t->base = pool_copy(p, buf_view(&blanked));
	all = (text){t->base, blanked.len};
	buf_fini(&blanked);
	if (text_trim(all).len == 0)
		return pool_printf(
		    p, "%s:1:1: not JSON: the file is empty", t->path);
	if (json_check(all, JSON_DEPTH, &t->document, &fault))
		return NULL;
	text_position(all, fault.at, &line, &column);
	return pool_printf(
	    p, "%s:%u:%u: not JSON: %s", t->path, line, column, fault.why);
}

bool
config_text_parse(config_text *t, pool *p, const char **why)
{
	*why = t->format == CONFIG_JSON ? check_json_text(t, p)
					: convert_text(t, p);
	return *why == NULL;
}

bool
config_text_read(config_text *t, const char *path, pool *p, const char **why)
{
	buf raw = BUF_INIT(NULL, FILE_MAX_BYTES);
	const char *failed = file_read(path, &raw);
	const config_format *named = format_of_name(path);

	*t = (config_text){.path = path};
	t->raw = (text){pool_copy(p, buf_view(&raw)), raw.len};
	if (text_starts(t->raw, TEXT("\xEF\xBB\xBF")))
		t->raw = text_sub(t->raw, 3, t->raw.len);
	t->format = named ? *named : guess_format(t->raw);
	buf_fini(&raw);
	if (failed == NULL)
		return config_text_parse(t, p, why);
	*why = pool_printf(p, "%s: cannot be read: %s", path, failed);
	return false;
}
