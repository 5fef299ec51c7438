/* SPDX-License-Identifier: MIT */
/* file_key.c -- see file_key.h. */
#include "file_key.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/random.h>

enum { KEY_DIGITS = 64 };

bool
file_key_read(text content, uint64_t key[FILE_KEY_WORDS])
{
	char digits[17] = "";

	if (content.len < KEY_DIGITS + 1 || content.ptr[KEY_DIGITS] != '\n')
		return false;
	for (size_t i = 0; i < FILE_KEY_WORDS; i++) {
		char *end;

		memcpy(digits, content.ptr + 16 * i, 16);
		key[i] = strtoull(digits, &end, 16);
		if (*end != '\0')
			return false;
	}
	return true;
}

void
file_key_make(buf *out, uint64_t key[FILE_KEY_WORDS])
{
	must(getentropy(key, FILE_KEY_WORDS * sizeof(*key)) == 0);
	for (size_t i = 0; i < FILE_KEY_WORDS; i++)
		buf_printf(out, "%016" PRIx64, key[i]);
	buf_byte(out, '\n');
}
