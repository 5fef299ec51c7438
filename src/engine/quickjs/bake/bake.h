/* SPDX-License-Identifier: MIT */
/*
 * bake.h -- the parts of the program that bakes the image.
 */
#ifndef QUICKJS_BAKE_H
#define QUICKJS_BAKE_H

#include "engine/quickjs/vm.h"

_Noreturn void die(const char *what, const char *detail);

/* Dies when value_layout.h is wrong about the module. e: it has just booted and
 * is not used any further. Under wall_enter. */
void try_layout(engine *e);

#endif
