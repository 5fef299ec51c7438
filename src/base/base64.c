/* SPDX-License-Identifier: MIT */
/* base64.c -- see base64.h. */
#include "base64.h"

static void
base64_with(buf *out, text bytes, const char *digits, bool pad)
{
	const unsigned char *p = (const unsigned char *)bytes.ptr;

	for (size_t i = 0; i < bytes.len; i += 3) {
		size_t n = bytes.len - i < 3 ? bytes.len - i : 3;
		unsigned v = (unsigned)p[i] << 16;

		if (n > 1)
			v |= (unsigned)p[i + 1] << 8;
		if (n > 2)
			v |= p[i + 2];
		for (size_t k = 0; k < 4; k++) {
			if (k <= n)
				buf_byte(out, digits[v >> (18 - 6 * k) & 63]);
			else if (pad)
				buf_byte(out, '=');
		}
	}
}

#define ALPHANUMERIC \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

void
base64_add(buf *out, text bytes)
{
	base64_with(out, bytes, ALPHANUMERIC "+/", true);
}

void
base64_add_url(buf *out, text bytes)
{
	base64_with(out, bytes, ALPHANUMERIC "-_", false);
}

bool
base64_read_url(text t, buf *out)
{
	static const char digits[] = ALPHANUMERIC "-_";
	size_t before = out->len;
	unsigned v = 0, bits = 0;

	for (size_t i = 0; i < t.len; i++) {
		const char *at = memchr(digits, t.ptr[i], 64);

		if (at == NULL) {
			out->len = before;
			return false;
		}
		v = (v << 6 | (unsigned)(at - digits)) & 0xffff;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			buf_byte(out, (char)(v >> bits & 0xff));
		}
	}
	if (bits < 6 && (v & ((1u << bits) - 1)) == 0 && out->bad == CM_OK)
		return true;
	out->len = before;
	return false;
}
