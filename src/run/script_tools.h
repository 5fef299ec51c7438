/* SPDX-License-Identifier: MIT */
/*
 * script_tools.h -- the catalog as the front end asks for it.
 */
#ifndef RUN_SCRIPT_TOOLS_H
#define RUN_SCRIPT_TOOLS_H

#include "catalog/catalog.h"
#include "source/check.h"

/* c is sealed and borrowed; NULL: there are no tools. */
source_tools script_tools(catalog *c);

#endif
