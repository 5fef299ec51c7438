/* SPDX-License-Identifier: MIT */
/*
 * bake_library.c -- part of the bake: compiles the libraries.
 *
 * A library is a CommonJS module that the bundler made of one file of
 * engine/library and the npm packages behind it. It becomes one function, which
 * environment/library.js calls.
 */
#include "bake.h"

#include <string.h>

/* "out/library/url.js" is "url". */
static text
library_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	text name = text_of(slash == NULL ? path : slash + 1);

	name.len -= 3;
	return name;
}

static void
compile_library(engine *e, const char *path, baked_libraries *l)
{
	buf source = BUF_INIT(NULL, 16u << 20);
	size_t at = l->code.len;

	read_between("(require, module, exports) => {\n", path, "\n}", &source);
	append_bytecode(e, buf_view(&source), path, &l->code);
	l->hash = text_hash(buf_view(&source), l->hash);
	buf_printf(&l->def, "{\"%.*s\", %zu, %zu},\n",
	    TEXT_ARG(library_name(path)), at, l->code.len - at);
	buf_fini(&source);
}

void
compile_libraries(engine *e, baked_libraries *l)
{
	int i;

	for (i = 0; i < l->paths; i++)
		compile_library(e, l->path[i], l);
}
