/* SPDX-License-Identifier: MIT */
/*
 * seal.h -- the half of catalog.c that makes what a sealed catalog has: paths,
 * their order, the lookups and the hash. On failure the catalog is as it was.
 */
#ifndef CATALOG_SEAL_H
#define CATALOG_SEAL_H

#include "catalog.h"

cm_status seal(catalog *c);

#endif
