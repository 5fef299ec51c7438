/* SPDX-License-Identifier: MIT */
/*
 * handle.h -- what stands behind a cm_catalog.
 *
 * Threads that share a catalog may all be the first to read it, and each may
 * ask for declarations: the lock is held while a catalog is sealed and while
 * such a text is made. Everything else that reads it writes nothing.
 */
#ifndef API_HANDLE_H
#define API_HANDLE_H

#include "catalog/catalog.h"

#include <pthread.h>

/* One text of cm_catalog_declare. It stays until the catalog is changed. */
typedef struct declaration {
	struct declaration *next;
	size_t first; /* the space's first tool, from 1; 0: all tools */
	buf text;
} declaration;

struct cm_catalog {
	catalog *inner;
	pthread_mutex_t lock;
	/* Made when they are asked for, under the lock. */
	declaration *declared;
	buf *signature; /* NULL, or one for each tool, empty until asked for */
	size_t signatures;
};

/* Seals the catalog unless it is sealed; from any thread. */
cm_status handle_seal(cm_catalog *cat);

#endif
