/* SPDX-License-Identifier: MIT */
/*
 * stream.h -- workers at the other end of byte streams: 'codemode-worker
 * --stdio' over ssh, in a container, in a virtual machine.
 */
#ifndef PLACE_STREAM_H
#define PLACE_STREAM_H

#include "place/place_port.h"

#include <codemode/place.h>

/* The options are complete: each member has its value or its default. The
 * command and what 'ctx' points to are borrowed until the place is freed. */
cm_status stream_place_new(
    const cm_alloc *alloc, const cm_stream_options *opts, place **out);

#endif
