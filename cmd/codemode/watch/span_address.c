/* SPDX-License-Identifier: MIT */
/* span_address.c -- see span_address.h. */
#include "span_address.h"

#include <stdlib.h>
#include <string.h>

enum { ADDRESS_BYTES = 1 << 16 };

/* The value of a variable; an empty one counts as unset. */
static const char *
variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' ? value : NULL;
}

bool
span_address_named(const char *option)
{
	const char *disabled = variable("OTEL_SDK_DISABLED");

	if (option != NULL)
		return strcmp(option, "none") != 0;
	if (disabled != NULL && strcmp(disabled, "true") == 0)
		return false;
	return variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != NULL ||
	       variable("OTEL_EXPORTER_OTLP_ENDPOINT") != NULL;
}

/* Appends the path of traces to an endpoint for all signals. */
static void
put_traces_url(buf *out, text endpoint)
{
	const text path = TEXT("/v1/traces");

	while (endpoint.len > 0 && endpoint.ptr[endpoint.len - 1] == '/')
		endpoint.len--;
	buf_text(out, endpoint);
	if (endpoint.len < path.len ||
	    !text_eq(text_sub(endpoint, endpoint.len - path.len, endpoint.len),
		path))
		buf_text(out, path);
}

static int
digit_of_hex(char c)
{
	const char *digits = "0123456789abcdef0123456789ABCDEF";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? (int)((at - digits) % 16) : -1;
}

/* Decodes %XX. False: the byte would end the header. */
static bool
put_decoded(buf *out, text t)
{
	for (size_t i = 0; i < t.len; i++) {
		char c = t.ptr[i];
		int high = i + 2 < t.len ? digit_of_hex(t.ptr[i + 1]) : -1;
		int low = i + 2 < t.len ? digit_of_hex(t.ptr[i + 2]) : -1;

		if (c == '%' && high >= 0 && low >= 0) {
			c = (char)(high * 16 + low);
			i += 2;
		}
		if ((unsigned char)c < ' ' && c != '\t')
			return false;
		buf_byte(out, c);
	}
	return true;
}

/* "name=value,name=value" */
static bool
put_headers(buf *out, text list)
{
	while (list.len > 0) {
		size_t end = text_find(list, TEXT(","), 0), at;
		text one = text_sub(list, 0, end == SIZE_MAX ? list.len : end);

		list = end == SIZE_MAX ? TEXT_NONE
				       : text_sub(list, end + 1, list.len);
		if (text_trim(one).len == 0)
			continue;
		at = text_find(one, TEXT("="), 0);
		if (at == SIZE_MAX ||
		    !put_decoded(out, text_trim(text_sub(one, 0, at))))
			return false;
		buf_str(out, ": ");
		if (!put_decoded(
			out, text_trim(text_sub(one, at + 1, one.len))))
			return false;
		buf_byte(out, '\n');
	}
	return true;
}

const char *
span_address_read(span_address *a, const char *option)
{
	const char *traces = variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
	const char *all = variable("OTEL_EXPORTER_OTLP_ENDPOINT");
	const char *headers = variable("OTEL_EXPORTER_OTLP_HEADERS");
	const char *service = variable("OTEL_SERVICE_NAME");

	*a = (span_address){BUF_INIT(NULL, ADDRESS_BYTES),
	    BUF_INIT(NULL, ADDRESS_BYTES), BUF_INIT(NULL, ADDRESS_BYTES)};
	if (option == NULL && traces != NULL)
		buf_str(&a->url, traces);
	else
		put_traces_url(&a->url, text_of(option ? option : all));
	buf_byte(&a->url, '\0');
	buf_str(&a->service, service != NULL ? service : "codemode");
	if (headers != NULL && !put_headers(&a->headers, text_of(headers)))
		return "OTEL_EXPORTER_OTLP_HEADERS is no list of NAME=VALUE";
	if (utf8_bad(buf_view(&a->service)) != SIZE_MAX)
		return "OTEL_SERVICE_NAME is not UTF-8";
	return a->url.bad != CM_OK ? "the address is too long" : NULL;
}

void
span_address_fini(span_address *a)
{
	buf_fini(&a->url);
	buf_fini(&a->headers);
	buf_fini(&a->service);
}
