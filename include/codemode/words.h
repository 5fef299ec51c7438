/* SPDX-License-Identifier: MIT */
/*
 * words.h -- the few types that all other headers use.
 *
 * Included by <codemode/codemode.h>; there is no reason to include it alone.
 */
#ifndef CODEMODE_WORDS_H
#define CODEMODE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define CM_API __attribute__((visibility("default")))
#else
#define CM_API
#endif

#define CM_VERSION "0.1.0"

/* Borrowed UTF-8: length counted, not NUL-ended, never freed by its reader. */
typedef struct cm_text {
	const char *ptr;
	size_t len;
} cm_text;

/* One line per status; names, numbers, texts and the manual come from here. */
#define CM_STATUS_MAP(X)                                                       \
	X(CM_OK, 0, "ok")                                                      \
	X(CM_ENOMEM, -1, "out of memory")                                      \
	X(CM_EMISUSE, -2, "the caller broke a rule of this interface")         \
	X(CM_EINPUT, -3, "the input is not well formed")                       \
	X(CM_EEXISTS, -4, "that name is taken")                                \
	X(CM_ENOCALL, -5, "no call with that number waits for an answer")      \
	X(CM_ELIMIT, -6, "a limit does not allow it")                          \
	X(CM_EENGINE, -7, "the engine could not be set up")

typedef enum cm_status {
#define CM_STATUS_ENUM(name, number, text) name = number,
	CM_STATUS_MAP(CM_STATUS_ENUM)
#undef CM_STATUS_ENUM
	CM_STATUS_MIN_ = -32768 /* keeps the enum's width across versions */
} cm_status;

/* A member of cm_run_options.store whose name is this and an id is a result that
 * the owner has kept whole: the script reads it as codemode.result(id). It does
 * not count against the limits of the store, and no script can store it. */
#define CM_RESULT_KEY "codemode.result:"

/*
 * All memory goes through here. new_size 0 frees and returns NULL; otherwise
 * the block is grown or shrunk, or NULL is returned and the block is untouched.
 * old_size is always the size asked for last. It is called only from inside a
 * cm_ function, on that function's thread: runs in many threads need a resize
 * that many threads may enter.
 */
typedef struct cm_alloc {
	void *(*resize)(void *ctx, void *block, size_t old_size, size_t new_size);
	void *ctx;
} cm_alloc;

#endif
