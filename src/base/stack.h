/* SPDX-License-Identifier: MIT */
/*
 * stack.h -- how much of the calling thread's stack is left.
 *
 * A function that calls itself as deep as its input is nested compares its
 * own address with stack_floor(), so that no input can overflow the stack,
 * however small the thread's stack is.
 */
#ifndef BASE_STACK_H
#define BASE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Assumed of a stack whose size the system does not tell: this much is left
 * below the caller. */
#define STACK_UNKNOWN ((size_t)32 << 10)

/* The lowest address of the calling thread's stack. Asked of the system once
 * a thread. On a stack that is not the thread's own (a signal stack, a fiber)
 * and where the system does not tell: STACK_UNKNOWN below the caller. */
uintptr_t stack_floor(void);
/* From now on, the calling thread's stack ends that many bytes below the
 * caller: for a program that cannot ask, or need not. */
void stack_declare(size_t bytes);

/* The address of the calling function's frame. */
#define stack_here() ((uintptr_t)__builtin_frame_address(0))

#endif
