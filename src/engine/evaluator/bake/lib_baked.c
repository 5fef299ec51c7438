/* SPDX-License-Identifier: MIT */
/*
 * lib_baked.c -- what the bake made: units and the image, as constants.
 * LIB_BYTES is a string, the path of its bytes; lib_tables.def is the rest.
 */
#include "engine/evaluator/lib_image.h"

#include <math.h>

__asm__(".section .rodata\n"
	".balign 4096\n"
	".hidden evaluator_bytes\n"
	".global evaluator_bytes\n"
	"evaluator_bytes:\n"
	".incbin \"" LIB_BYTES "\"\n"
	".previous\n");

extern const char evaluator_bytes[] __attribute__((visibility("hidden")));

#define BYTES evaluator_bytes
#include "lib_tables.def"

enum { LIBRARIES = sizeof(libraries) / sizeof(*libraries) - 1 };

const vm_image *
vm_lib_image(void)
{
	return &image;
}

const char *
vm_library_name(unsigned i)
{
	return i < LIBRARIES ? libraries[i].name : NULL;
}

const unit *
vm_library_unit(unsigned i)
{
	return i < LIBRARIES ? libraries[i].unit : NULL;
}
