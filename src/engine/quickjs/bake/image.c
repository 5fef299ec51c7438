/* SPDX-License-Identifier: MIT */
/*
 * image.c -- the baked image and the libraries' bytecode as constants.
 *
 * IMAGE_BIN and LIBRARY_BIN (strings) are what the bake wrote; image.def and
 * library.def say where things are in them.
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
	".type vm_libraries_code, %object\n"
	".hidden vm_libraries_code\n"
	".global vm_libraries_code\n"
	"vm_libraries_code:\n"
	".incbin \"" LIBRARY_BIN "\"\n"
	".size vm_libraries_code, . - vm_libraries_code\n"
	".previous\n");

extern const uint8_t vm_image_bytes[] __attribute__((visibility("hidden")));
extern const uint8_t vm_libraries_code[] __attribute__((visibility("hidden")));

static const vm_library libraries[] = {
#include "library.def"
};

const vm_image vm_image_baked = {
#include "image.def"
    .libraries_code = vm_libraries_code,
    .libraries = libraries,
    .libraries_len = sizeof(libraries) / sizeof(*libraries),
};
