/* SPDX-License-Identifier: MIT */
/*
 * image.c -- the baked image and the libraries' bytecode as constants.
 *
 * IMAGE_BIN and LIBRARY_BIN (strings) are what the bake wrote; image.def and
 * library.def say where things are in them.
 */
#include "engine/quickjs/qjs.h"

__asm__(".section .rodata\n"
	".balign 4096\n"
	".type qjs_image_bytes, %object\n"
	".hidden qjs_image_bytes\n"
	".global qjs_image_bytes\n"
	"qjs_image_bytes:\n"
	".incbin \"" IMAGE_BIN "\"\n"
	".size qjs_image_bytes, . - qjs_image_bytes\n"
	".balign 4096\n"
	".type qjs_libraries_code, %object\n"
	".hidden qjs_libraries_code\n"
	".global qjs_libraries_code\n"
	"qjs_libraries_code:\n"
	".incbin \"" LIBRARY_BIN "\"\n"
	".size qjs_libraries_code, . - qjs_libraries_code\n"
	".previous\n");

extern const uint8_t qjs_image_bytes[] __attribute__((visibility("hidden")));
extern const uint8_t qjs_libraries_code[] __attribute__((visibility("hidden")));

static const qjs_library libraries[] = {
#include "library.def"
};

const qjs_image qjs_image_baked = {
#include "image.def"
    .libraries_code = qjs_libraries_code,
    .libraries = libraries,
    .libraries_len = sizeof(libraries) / sizeof(*libraries),
};
