/* SPDX-License-Identifier: MIT */
/*
 * catalog_tools.h -- the catalog's answers to what the checks of a script ask.
 */
#ifndef API_CATALOG_TOOLS_H
#define API_CATALOG_TOOLS_H

#include "catalog/catalog.h"
#include "source/check.h"

/* c is sealed and borrowed; NULL: there are no tools. */
source_tools catalog_tools(catalog *c);

#endif
