/* SPDX-License-Identifier: MIT */
/*
 * wall.h -- the runtime under the generated C: memory, traps, stacks, time.
 *
 * The script lives in a linear memory of its own. Each access of the generated
 * code is base + 32-bit address + 32-bit offset, so 8 GiB of address space,
 * reserved and without access rights, make every stray access a fault; the
 * fault handler ends that run and nothing else.
 *
 * Rules that hold here:
 *  W1  One thread executes a wall at a time; between two wall_enter calls
 *      nothing of the script stays on any native stack.
 *  W2  The timer stops generated code only: the handler looks at the address
 *      of the interrupted instruction. In code of the host, and while a handler
 *      of the host runs, it tries again a little later. A trap leaves
 *      'wall_enter' from any instruction of the module, so host code owns
 *      nothing on its stack while it calls into the module.
 *  W3  The SIGSEGV, SIGBUS and SIGURG handlers claim what belongs to the wall
 *      that this thread executes; everything else goes to the handler that
 *      was there before.
 *  W4  A trap may come between two writes of one change to the memory, so
 *      afterwards the wall may only be closed.
 *  W5  A thread without a signal stack has ours between a wall's turns, until
 *      the wall is closed there or the thread ends.
 */
#ifndef QUICKJS_WALL_H
#define QUICKJS_WALL_H

#include "engine/quickjs/module/module.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

typedef enum wall_trap {
	WALL_RETURNED, /* fn came back                                  */
	WALL_TIMEOUT,  /* the deadline passed                           */
	WALL_STOPPED,  /* wall_stop                                     */
	WALL_MEMORY,   /* access outside the linear memory              */
	WALL_STACK,    /* the module's stack or the native one ran out */
	WALL_ENGINE,   /* unreachable code, a bad indirect call ...     */
	WALL_NO_THREAD /* this thread could not be prepared; fn not run */
} wall_trap;

#define WALL_NEVER UINT64_MAX

/* Bytes of the module's stack, a guard of one page of the module included. */
#define WALL_SHADOW (3u << 20)

/* The image that new walls start from: the linear memory of a VM that has
 * booted. Borrowed for ever. The module's stack lies behind it; the stack below
 * it, where the module's compiler put one, serves the bake. */
typedef struct wall_image {
	const uint8_t *bytes; /* of [from, to) */
	uint32_t from, to;    /* multiples of 65,536 */
} wall_image;

/* Where the module's stack starts; it grows down. */
static inline uint32_t
wall_stack_top(const wall_image *image)
{
	return image->to + WALL_SHADOW;
}

typedef struct wall {
	wasm_instance wasm; /* first: host functions are handed its address */
	uint8_t *base;      /* the linear memory; == wasm.w2c_memory.data   */
	const wall_image *image;
	uint64_t deadline_ns;  /* CLOCK_MONOTONIC, or WALL_NEVER            */
	atomic_uint stop;      /* set by wall_stop                          */
	_Atomic(pid_t) thread; /* that executes it; 0: none                */
	uint64_t signals_on;   /* the thread that keeps our signal stack; 0 */
} wall;

/* Maps the image copy-on-write (NULL: the module's own first memory, zeros).
 * max_bytes caps the linear memory whatever the script does. False: the
 * system refused. w must not move afterwards. */
bool wall_open(wall *w, const wall_image *image, uint64_t max_bytes);

/* Maps a memory for the first wall_open to come. For a process that is forked
 * for scripts: each child finds it mapped and needs no file. One thread only. */
void wall_prepare(const wall_image *image);

void wall_close(wall *w);

/* Installs our signal handlers (W3). 'wall_open' calls it, so that it finds a
 * handler that the host has installed since. */
void wall_claim_signals(void);

/* Runs fn(arg), host code, on this thread's VM stack. */
wall_trap wall_enter(wall *w, void (*fn)(void *), void *arg);

/* From any thread and from signal handlers. */
void wall_stop(wall *w);

/* Ends the execution now. Under wall_enter only. */
_Noreturn void wall_leave(wall *w, wall_trap why);

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t wall_now_ns(void);

/* [at, at+len) of the linear memory, or NULL when it is not all inside. */
uint8_t *wall_bytes(wall *w, uint32_t at, uint32_t len);

/* Bytes of linear memory in use, without the stack behind the image: they never
 * get fewer. */
uint64_t wall_size(const wall *w);

#endif
