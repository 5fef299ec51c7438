/* SPDX-License-Identifier: MIT */
/* native_regexp.h -- what the natives of regular expressions share. */
#ifndef EVALUATOR_NATIVE_REGEXP_H
#define EVALUATOR_NATIVE_REGEXP_H

#include "regexp_run.h"

#include <stdio.h>

unsigned regexp_flags(const vm *m, value rx); /* RX_* */
/* Of a RegExp. NULL: thrown. */
regexp *regexp_of(vm *m, value rx);
bool regexp_is_plain(const vm *m, value v);
/* The array of the match that e->found tells. V_THROWN. Uses m->temp from 28 on. */
value regexp_result(vm *m, const regexp *e, value *subject);
/* What a function that replaces it is called with, as an array. */
value regexp_arguments(vm *m, const regexp *e, value *subject);
/* Units of a flat string. V_THROWN. */
value regexp_part(vm *m, value *subject, uint32_t from, uint32_t to);
/* One step of a plain regexp's exec. 1: (*out)->found tells a match; 0: there is
 * none; -1: thrown. */
int regexp_step(vm *m, value *rx, value *subject, regexp **out);

#endif
