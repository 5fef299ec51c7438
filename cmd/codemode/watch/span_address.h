/* SPDX-License-Identifier: MIT */
/*
 * span_address.h -- the URL and headers of the collector, from --otlp or the
 * variables of OpenTelemetry: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
 * OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME
 * and OTEL_SDK_DISABLED.
 */
#ifndef CMD_SPAN_ADDRESS_H
#define CMD_SPAN_ADDRESS_H

#include "base/buf.h"

typedef struct span_address {
	buf url;     /* ends with a zero byte */
	buf headers; /* "Name: value\n" each */
	buf service;
} span_address;

/* option: what --otlp says, or NULL. "none" stands for no collector. */
bool span_address_named(const char *option);
/* NULL, or what is wrong (static). span_address_fini is due in any case. */
const char *span_address_read(span_address *a, const char *option);
void span_address_fini(span_address *a);

#endif
