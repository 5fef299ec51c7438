/* SPDX-License-Identifier: MIT */
/*
 * bake.h -- the parts of the program that bakes the image.
 */
#ifndef QUICKJS_BAKE_H
#define QUICKJS_BAKE_H

#include "engine/quickjs/qjs.h"

_Noreturn void die(const char *what, const char *detail);
/* Dies with what the engine has thrown. file: where it did. */
_Noreturn void die_thrown(engine *e, const char *file);

/* Appends a file between two texts. */
void read_between(
    const char *before, const char *path, const char *after, buf *out);

/* Appends a source as bytecode without the source, whose frames in a stack are
 * of "environment". path: for messages. Under wall_enter. */
void append_bytecode(engine *e, text source, const char *path, buf *out);

/* The libraries: compiled into code, and a line of library.def for each. */
typedef struct baked_libraries {
	char **path;
	int paths;
	buf code, def;
	uint64_t hash; /* of their texts */
} baked_libraries;

/* Under wall_enter. */
void compile_libraries(engine *e, baked_libraries *l);

/* Dies when value_layout.h is wrong about the module. e: it has just booted and
 * is not used any further. Under wall_enter. */
void try_layout(engine *e);

#endif
