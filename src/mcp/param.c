/* SPDX-License-Identifier: MIT */
/* param.c -- see param.h. */
#include "param.h"

#include "base/base64.h"

enum {
	PARAM_DEPTH = 16, /* of properties in properties */
	PARAM_MAX = 100   /* headers of one tool */
};

#define KEY "x-mcp-header"

/* --------------------------------------------------------------- values */

/* May a header hold it as it is? */
static bool
is_plain(text value)
{
	size_t i;

	if (text_trim(value).len != value.len ||
	    (text_starts(value, TEXT("=?")) && text_ends(value, TEXT("?="))))
		return false;
	for (i = 0; i < value.len; i++) {
		if (value.ptr[i] < ' ' || value.ptr[i] > '~')
			return false;
	}
	return true;
}

void
param_header(buf *out, text name, text value)
{
	buf_text(out, name);
	buf_str(out, ": ");
	if (is_plain(value)) {
		buf_text(out, value);
	} else {
		buf_str(out, "=?base64?");
		base64_add(out, value);
		buf_str(out, "?=");
	}
	buf_byte(out, '\n');
}

/* ---------------------------------------------------------- the schema */

/* The headers that a schema names. */
typedef struct param_walk {
	size_t found;
	bool valid;
	text name[PARAM_MAX]; /* inside of its quotes */
	buf *out;             /* NULL: only counted */
} param_walk;

static bool
is_token(text name)
{
	size_t i;

	for (i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		if (!is_ascii_word((unsigned char)c) &&
		    !memchr("!#$%&'*+-.^`|~", c, 14))
			return false;
	}
	return name.len > 0;
}

static bool
is_same_name(text a, text b)
{
	size_t i;

	if (a.len != b.len)
		return false;
	for (i = 0; i < a.len; i++) {
		char x = a.ptr[i], y = b.ptr[i];

		x = x >= 'A' && x <= 'Z' ? (char)(x | 0x20) : x;
		y = y >= 'A' && y <= 'Z' ? (char)(y | 0x20) : y;
		if (x != y)
			return false;
	}
	return true;
}

static bool
is_name_taken(const param_walk *w, text name)
{
	size_t i;

	for (i = 0; i < w->found; i++) {
		if (is_same_name(w->name[i], name))
			return true;
	}
	return false;
}

static void
put_param(param_walk *w, text name, json arg)
{
	char header[200] = "Mcp-Param-";
	buf value = BUF_INIT(NULL, 64 << 10);
	size_t len = strlen(header);
	int64_t whole;

	if (!json_present(arg) || name.len > sizeof(header) - len)
		return;
	memcpy(header + len, name.ptr, name.len);
	if (json_int(arg, &whole))
		buf_printf(&value, "%lld", (long long)whole);
	else if (!json_unescape(arg, &value))
		buf_text(&value, arg);
	if (value.bad == CM_OK)
		param_header(
		    w->out, (text){header, len + name.len}, buf_view(&value));
	buf_fini(&value);
}

static void
take_param(param_walk *w, json property, json header, json arg)
{
	json type = json_get(property, TEXT("type"));
	text name = text_sub(header, 1, header.len - 1);

	if (json_kind_of(header) != JSON_STRING || !is_token(name) ||
	    is_name_taken(w, name) || w->found == PARAM_MAX ||
	    (!json_is(type, TEXT("string")) &&
		!json_is(type, TEXT("integer")) &&
		!json_is(type, TEXT("boolean")))) {
		w->valid = false;
		return;
	}
	w->name[w->found++] = name;
	if (w->out)
		put_param(w, name, arg);
}

/* The argument that a property stands for. */
static json
argument_of(json args, json key)
{
	buf name = BUF_INIT(NULL, 64 << 10);
	json arg = TEXT_NONE;

	if (args.len && json_unescape(key, &name))
		arg = json_get(args, buf_view(&name));
	buf_fini(&name);
	return arg;
}

static void
walk_properties(param_walk *w, json schema, json args, unsigned depth)
{
	json_iter it = json_each(json_get(schema, TEXT("properties")));
	json key, property;

	while (depth < PARAM_DEPTH && json_next(&it, &key, &property)) {
		json header = json_get(property, TEXT(KEY));
		json arg = argument_of(args, key);

		if (header.len)
			take_param(w, property, header, arg);
		walk_properties(w, property, arg, depth + 1);
	}
}

/* How often the schema speaks of a header at all. */
static size_t
mentions(json schema)
{
	size_t n = 0, at;

	for (at = text_find(schema, TEXT("\"" KEY "\""), 0); at != SIZE_MAX;
	     at = text_find(schema, TEXT("\"" KEY "\""), at + 1))
		n++;
	return n;
}

bool
param_headers_valid(json schema)
{
	size_t n = mentions(schema);
	param_walk w = {.valid = true};

	if (n == 0)
		return true;
	walk_properties(&w, schema, TEXT_NONE, 0);
	return w.valid && w.found == n;
}

void
param_headers(json schema, json args, buf *out)
{
	param_walk w = {.valid = true, .out = out};

	if (mentions(schema))
		walk_properties(&w, schema, args, 0);
}
