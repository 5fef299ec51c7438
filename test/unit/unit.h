/* SPDX-License-Identifier: MIT */
/*
 * unit.h -- what the unit tests share: cmocka with the headers it asks for,
 * texts compared as texts, and memory that runs out on demand.
 */
#ifndef TEST_UNIT_H
#define TEST_UNIT_H

/* cmocka.h wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"

#include <stdio.h>
#include <string.h>

/* A failure shows both texts. */
static inline void
text_is_at(text got, text want, const char *file, int line)
{
	if (text_eq(got, want))
		return;
	print_error("got  \"%.*s\"\nwant \"%.*s\"\n", TEXT_ARG(got),
	    TEXT_ARG(want));
	_fail(file, line);
}

#define assert_text(got, want) text_is_at((got), (want), __FILE__, __LINE__)
#define assert_str(got, want)  assert_text((got), text_of(want))

/*
 * An allocator that counts what is out and checks the sizes it is told; after
 * `left` calls that ask for memory it has none. Every block carries its size.
 */
struct hoard {
	size_t bytes; /* out at the moment */
	size_t left;  /* requests that will still be met */
};

static inline void *
hoard_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
	struct hoard *h = ctx;
	size_t *head = block ? (size_t *)block - 2 : NULL;

	assert_int_equal(head ? *head : 0, old_size);
	if (new_size > old_size && h->left-- == 0) {
		h->left = 0;
		return NULL;
	}
	h->bytes += new_size - old_size;
	if (new_size == 0) {
		free(head);
		return NULL;
	}
	head = realloc(head, new_size + 2 * sizeof(*head));
	assert_non_null(head);
	*head = new_size;
	return head + 2;
}

#define HOARD_ALLOC(h) ((cm_alloc){hoard_resize, (h)})

/* A copy that ends where its memory ends, so that a read too far is seen by
 * the address sanitizer. Freed by the caller. */
static inline char *
exact_copy(text t)
{
	char *p = malloc(t.len ? t.len : 1);

	assert_non_null(p);
	if (t.len)
		memcpy(p, t.ptr, t.len);
	return p;
}

#endif
