/* SPDX-License-Identifier: MIT */
/* otlp.c -- see otlp.h. */
#include "otlp.h"

#include "base/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------ traceparent */

/* Reads two hexadecimal digits in lower case. False: they are something
 * else. */
static bool
hex_byte(const char *at, unsigned char *out)
{
	static const char digits[] = "0123456789abcdef";
	const char *high = memchr(digits, at[0], 16);
	const char *low = memchr(digits, at[1], 16);

	if (high == NULL || low == NULL)
		return false;
	*out = (unsigned char)((high - digits) * 16 + (low - digits));
	return true;
}

/* False: not hexadecimal, or all zero. */
static bool
read_hex(const char *at, unsigned char *out, size_t len)
{
	unsigned any = 0;

	for (size_t i = 0; i < len; i++) {
		if (!hex_byte(at + 2 * i, &out[i]))
			return false;
		any |= out[i];
	}
	return any != 0;
}

static void
write_hex(char *out, const unsigned char *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		*out++ = digits[bytes[i] >> 4];
		*out++ = digits[bytes[i] & 15];
	}
}

/* "00-TRACE-SPAN-FLAGS"; further parts of later versions are ignored. */
bool
otlp_parent_read(text t, otlp_context *out)
{
	otlp_context c = {.sampled = false};
	unsigned char version = 0, flags = 0;

	if (t.len < OTLP_PARENT_LEN || t.ptr[2] != '-' || t.ptr[35] != '-' ||
	    t.ptr[52] != '-' || !hex_byte(t.ptr, &version) ||
	    !hex_byte(t.ptr + 53, &flags) || version == 0xff ||
	    (version == 0
		    ? t.len != OTLP_PARENT_LEN
		    : t.len > OTLP_PARENT_LEN && t.ptr[OTLP_PARENT_LEN] != '-'))
		return false;
	if (!read_hex(t.ptr + 3, c.trace, OTLP_TRACE_ID) ||
	    !read_hex(t.ptr + 36, c.span, OTLP_SPAN_ID))
		return false;
	c.sampled = (flags & 1) != 0;
	*out = c;
	return true;
}

void
otlp_parent_write(const otlp_context *c, char out[OTLP_PARENT_LEN + 1])
{
	memcpy(out, "00-", 3);
	write_hex(out + 3, c->trace, OTLP_TRACE_ID);
	out[35] = '-';
	write_hex(out + 36, c->span, OTLP_SPAN_ID);
	memcpy(out + 52, c->sampled ? "-01" : "-00", 4);
}

/* ------------------------------------------------------------------ spans */

static void
put_id(buf *out, const char *name, const unsigned char *id, size_t len)
{
	char hex[2 * OTLP_TRACE_ID];

	write_hex(hex, id, len);
	json_member_text(out, name, (text){hex, 2 * len});
}

/* OTLP writes numbers of 64 bits as strings. */
static void
put_long(buf *out, const char *name, uint64_t n)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, n);
	json_member_text(out, name, text_of(digits));
}

static void
put_attribute(buf *out, const otlp_attribute *a)
{
	json_element(out);
	buf_byte(out, '{');
	json_member_text(out, "key", text_of(a->key));
	json_member(out, "value");
	buf_byte(out, '{');
	if (a->words.len > 0)
		json_member_text(out, "stringValue", a->words);
	else
		put_long(out, "intValue", a->number);
	buf_str(out, "}}");
}

void
otlp_open(buf *out, text service, text version)
{
	const otlp_attribute about[] = {
	    {"service.name", service, 0},
	    {"service.version", version, 0},
	};

	buf_str(out, "{\"resourceSpans\":[{\"resource\":{\"attributes\":[");
	for (size_t i = 0; i < sizeof(about) / sizeof(*about); i++)
		put_attribute(out, &about[i]);
	buf_str(out, "]},\"scopeSpans\":[{\"scope\":{\"name\":\"codemode\"},"
		     "\"spans\":[");
}

void
otlp_put(buf *out, const otlp_span *s)
{
	json_element(out);
	buf_byte(out, '{');
	put_id(out, "traceId", s->id.trace, OTLP_TRACE_ID);
	put_id(out, "spanId", s->id.span, OTLP_SPAN_ID);
	if (s->parent != NULL)
		put_id(out, "parentSpanId", s->parent, OTLP_SPAN_ID);
	json_member_text(out, "name", s->name);
	json_member_uint(out, "kind", s->kind);
	put_long(out, "startTimeUnixNano", s->began_ns);
	put_long(out, "endTimeUnixNano", s->ended_ns);
	json_member(out, "attributes");
	buf_byte(out, '[');
	for (size_t i = 0; i < s->attributes; i++)
		put_attribute(out, &s->attribute[i]);
	buf_byte(out, ']');
	if (s->failed) {
		buf_str(out, ",\"status\":{\"code\":2");
		if (s->message.len > 0)
			json_member_text(out, "message", s->message);
		buf_byte(out, '}');
	}
	buf_byte(out, '}');
}

void
otlp_close(buf *out)
{
	buf_str(out, "]}]}]}");
}
