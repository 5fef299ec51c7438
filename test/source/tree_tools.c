/* SPDX-License-Identifier: MIT */
/* tree_tools.c -- see tree_tools.h. */
#include "tree_tools.h"

static const char *const codes[] = {
#define ERROR(code, message) #code,
#include "source/error.def"
#undef ERROR
};

static const char *const fields[] = {
#define NODE(kind, name, fields) fields,
#include "source/node.def"
#undef NODE
};

const char *
js_kind_fields(js_kind kind)
{
	return fields[kind];
}

const char *
js_code_name(js_code code)
{
	return codes[code];
}

/* Length of the line end at [at]; 0: there is none. */
static size_t
line_end(text t, size_t at)
{
	const char *p = t.ptr + at;

	if (*p == '\n')
		return 1;
	if (*p == '\r')
		return at + 1 < t.len && p[1] == '\n' ? 2 : 1;
	if (t.len - at >= 3 && p[0] == '\xe2' && p[1] == '\x80' &&
	    (p[2] == '\xa8' || p[2] == '\xa9'))
		return 3;
	return 0;
}

js_place
js_position(text source, size_t at)
{
	js_place where = {1, 1, 1};
	size_t i = 0;

	if (at > source.len)
		at = source.len;
	while (i < at) {
		size_t skip = line_end(source, i);
		unsigned char c = (unsigned char)source.ptr[i];

		if (skip && i + skip <= at) {
			where = (js_place){where.line + 1, 1, 1};
			i += skip;
			continue;
		}
		where.column += c < 0x80 || c >= 0xc0;
		where.column += c >= 0xf0;
		where.characters += c < 0x80 || c >= 0xc0;
		i++;
	}
	return where;
}
