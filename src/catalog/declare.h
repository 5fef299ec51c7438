/* SPDX-License-Identifier: MIT */
/*
 * declare.h -- what a model is shown: the tools as TypeScript.
 */
#ifndef CATALOG_DECLARE_H
#define CATALOG_DECLARE_H

#include "catalog.h"

/*
 * Appends "declare const tools: { ... };" with all tools, or with those of one
 * space (its name or its identifier) when it is not empty; nothing when there
 * are none. What is a global, too, is declared as one. The catalog is sealed.
 */
void catalog_declare(const catalog *c, text space, buf *out);

/* The same with one tool. */
void catalog_declare_tool(const catalog *c, size_t i, buf *out);

/* Appends "(args: T): Promise<R>", on one line: what stands behind the path. */
void catalog_signature(const tool *t, buf *out);

#endif
