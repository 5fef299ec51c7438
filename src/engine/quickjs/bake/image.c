/* SPDX-License-Identifier: MIT */
/*
 * image.c -- the baked image as data of the library.
 *
 * IMAGE_BIN (a string) is what bake.c wrote; image.def says where things are
 * in it.
 */
#include "engine/quickjs/vm.h"

__asm__(".section .rodata\n"
	".balign 4096\n"
	".type vm_image_bytes, %object\n"
	".hidden vm_image_bytes\n"
	".global vm_image_bytes\n"
	"vm_image_bytes:\n"
	".incbin \"" IMAGE_BIN "\"\n"
	".size vm_image_bytes, . - vm_image_bytes\n"
	".balign 4096\n"
	".previous\n");

extern const uint8_t vm_image_bytes[] __attribute__((visibility("hidden")));

const vm_image vm_image_baked = {
#include "image.def"
};
