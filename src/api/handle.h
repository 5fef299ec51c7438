/* SPDX-License-Identifier: MIT */
/*
 * handle.h -- what stands behind a cm_catalog.
 */
#ifndef API_HANDLE_H
#define API_HANDLE_H

#include "catalog/catalog.h"

struct cm_catalog {
	catalog *inner;
	buf declared;
};

#endif
