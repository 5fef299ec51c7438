/* SPDX-License-Identifier: MIT */
/*
 * remote.h -- an engine that runs in a worker of a place.
 */
#ifndef PLACE_REMOTE_H
#define PLACE_REMOTE_H

#include "engine/engine.h"
#include "gate/gate.h"
#include "place/place_port.h"

/* engine_start.where of engine_remote. The struct is read by open; the place
 * and the limits are borrowed until close. */
typedef struct remote_start {
	place *place;
	const gate_limits *limits; /* for the gate of the worker */
} remote_start;

extern const engine_port engine_remote;

#endif
