/* SPDX-License-Identifier: MIT */
/* lib_image.h -- what lib/ and the libraries of engine/library are compiled to: when it
 * is first used (lib_text.c), or when this was built (lib_baked.c). */
#ifndef EVALUATOR_LIB_IMAGE_H
#define EVALUATOR_LIB_IMAGE_H

#include "engine/evaluator/vm.h"

/* The machine that has run lib/; NULL: no memory. */
const vm_image *vm_lib_image(void);
/* NULL: there are not so many libraries; of the unit: or no memory. */
const char *vm_library_name(unsigned i);
const unit *vm_library_unit(unsigned i);

#endif
