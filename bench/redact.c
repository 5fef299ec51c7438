/* SPDX-License-Identifier: MIT */
/*
 * redact.c -- how fast a tool's result is read for secrets.
 *
 *	redact
 *
 * The result is 10 MB of JSON with one secret near its end; 20 secrets are
 * looked for, as tokens and passwords are long. Prints the megabytes that a
 * second of the processor's time is enough for: one line for each of 15 samples.
 */
#include "redact/redact.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SAMPLES = 15, SECRETS = 20, RESULT_BYTES = 10 * 1000 * 1000 };

static double
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void
add_secrets(redactor *r)
{
	char name[32], value[64];

	for (unsigned i = 0; i < SECRETS; i++) {
		snprintf(name, sizeof(name), "TOKEN_%u", i);
		snprintf(value, sizeof(value), "tok%02u_%x%x%x", i, i * 7919,
		    (i + 3) * 104729, (i + 5) * 1299709);
		if (redactor_add(r, text_of(name), text_of(value)) != CM_OK)
			exit(EXIT_FAILURE);
	}
}

/* Orders, as servers give them; the last has the first of the secrets. */
static void
make_result(buf *out)
{
	char order[256];
	unsigned i = 0;

	buf_byte(out, '[');
	for (; out->len < RESULT_BYTES; i++) {
		snprintf(order, sizeof(order),
		    "{\"id\":%u,\"customer\":\"Customer %u of Graz\","
		    "\"note\":\"deliver after %u, \\\"ring\\\" twice\","
		    "\"cents\":%u.25,\"paid\":%s},",
		    i, i * 31 % 977, i % 24, i * 7919 % 100000,
		    i % 3 ? "true" : "false");
		buf_str(out, order);
	}
	buf_str(out, "{\"note\":\"tok00_0");
	snprintf(order, sizeof(order), "%x%x\"}]", 3 * 104729u, 5 * 1299709u);
	buf_str(out, order);
}

int
main(void)
{
	redactor *r = redactor_new(NULL);
	buf result = BUF_INIT(NULL, 2 * RESULT_BYTES);
	buf out = BUF_INIT(NULL, 2 * RESULT_BYTES);

	if (r == NULL)
		return EXIT_FAILURE;
	add_secrets(r);
	make_result(&result);
	for (int i = 0; i <= SAMPLES; i++) {
		double began = now_us();

		buf_clear(&out);
		if (redact_json(r, buf_view(&result), &out) != 1)
			return EXIT_FAILURE;
		/* The first one makes the table. */
		if (i > 0)
			printf(
			    "%.1f\n", (double)result.len / (now_us() - began));
	}
	buf_fini(&out);
	buf_fini(&result);
	redactor_free(r);
	return EXIT_SUCCESS;
}
