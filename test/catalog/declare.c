/* SPDX-License-Identifier: MIT */
/*
 * declare.c -- declares the tools that it reads.
 *
 * One JSON object a line on standard input: {"space", "name", "description",
 * "input", "output"}. The declaration of all of them goes to standard output;
 * with -1, "path signature" of each, a line each.
 */
#include <codemode/codemode.h>

#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE_MAX_BYTES = 64 << 20 };

static bool
unescape_member(json object, const char *key, buf *out)
{
	return json_unescape(json_get(object, text_of(key)), out);
}

static bool
add_line(cm_catalog *cat, text line)
{
	buf space = BUF_INIT(NULL, LINE_MAX_BYTES), name = space, about = space;
	cm_status r = CM_EINPUT;
	json o;

	if (json_check(line, JSON_DEPTH, &o, NULL)) {
		cm_tool t;

		unescape_member(o, "space", &space);
		unescape_member(o, "name", &name);
		unescape_member(o, "description", &about);
		t = (cm_tool){.space = buf_view(&space),
		    .name = buf_view(&name),
		    .description = buf_view(&about),
		    .input_schema = json_get(o, TEXT("input")),
		    .output_schema = json_get(o, TEXT("output"))};
		r = cm_catalog_add(cat, &t);
	}
	if (r != CM_OK)
		fprintf(stderr, "%s: %.*s\n", cm_status_name(r),
		    TEXT_ARG(text_head(line, 200)));
	buf_fini(&space);
	buf_fini(&name);
	buf_fini(&about);
	return r == CM_OK;
}

static bool
read_lines(cm_catalog *cat)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	bool ok = true;

	while (ok && (len = getline(&line, &cap, stdin)) > 0)
		ok = add_line(cat, (text){line, (size_t)len});
	free(line);
	return ok;
}

static bool
print_signatures(cm_catalog *cat)
{
	for (size_t i = 0; i < cm_catalog_len(cat); i++) {
		cm_text path, call;

		if (cm_catalog_get(cat, i, NULL, &path) != CM_OK ||
		    cm_catalog_signature(cat, i, &call) != CM_OK)
			return false;
		printf("%.*s %.*s\n", TEXT_ARG(path), TEXT_ARG(call));
	}
	return true;
}

static bool
print_declaration(cm_catalog *cat)
{
	cm_text all;

	if (cm_catalog_declare(cat, TEXT_NONE, &all) != CM_OK)
		return false;
	return fwrite(all.ptr, 1, all.len, stdout) == all.len;
}

int
main(int argc, char **argv)
{
	bool lines = argc > 1 && !strcmp(argv[1], "-1"), ok;
	cm_catalog *cat = NULL;

	if (cm_catalog_new(NULL, &cat) != CM_OK)
		return EXIT_FAILURE;
	ok = read_lines(cat) &&
	     (lines ? print_signatures(cat) : print_declaration(cat));
	cm_catalog_free(cat);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
