/* SPDX-License-Identifier: MIT */
/*
 * handle.h -- a cm_catalog: the catalog and the texts made of it.
 *
 * Several threads may read a shared catalog for the first time, or ask for
 * declarations, at once. The lock is held while the catalog is sealed and while
 * such a text is made. No other function that reads the catalog writes to it.
 */
#ifndef API_HANDLE_H
#define API_HANDLE_H

#include "catalog/catalog.h"

#include <pthread.h>

/* One text of cm_catalog_declare, kept until the catalog is changed. */
typedef struct declaration {
	struct declaration *next;
	size_t first; /* the space's first tool, from 1; 0: all tools */
	buf text;
} declaration;

struct cm_catalog {
	catalog *inner;
	const char *why; /* see cm_catalog_why */
	pthread_mutex_t lock;
	/* Both are made under the lock when first asked for. */
	declaration *declared;
	buf *signature; /* one for each tool, empty until asked for; or NULL */
	size_t signatures;
};

/* Seals the catalog unless it is sealed; from any thread. */
cm_status handle_seal(cm_catalog *cat);

#endif
