/* SPDX-License-Identifier: MIT */
/*
 * ours.c -- runs the cases of the parity test through this library.
 *
 * Reads one JSON object a line from standard input, {"source", "options"},
 * and writes the result of each run (cm_run_result) as one line. A case that
 * cannot be run at all answers {"refused": status}.
 */
#include <stdio.h>
#include <stdlib.h>

#include "host.h"

#define LINE_MAX_BYTES ((size_t)64 << 20)

static void
answer(text line)
{
	buf source = BUF_INIT(NULL, LINE_MAX_BYTES);
	buf out = BUF_INIT(NULL, LINE_MAX_BYTES);
	host_end end = {0};
	cm_status r = CM_EINPUT;
	json c;

	if (json_check(line, JSON_DEPTH, &c, NULL) &&
	    json_unescape(json_get(c, TEXT("source")), &source))
		r = host_run(
		    buf_view(&source), json_get(c, TEXT("options")), &end);
	if (r == CM_OK && !end.broken)
		json_compact(&out, end.result);
	else
		buf_printf(&out, "{\"refused\":\"%s\"}",
		    end.broken ? end.broken : cm_status_name(r));
	printf("%.*s\n", TEXT_ARG(buf_view(&out)));
	host_end_fini(&end);
	buf_fini(&out);
	buf_fini(&source);
}

int
main(void)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	while ((len = getline(&line, &cap, stdin)) > 0) {
		answer((text){line, (size_t)len});
		fflush(stdout);
	}
	free(line);
	return EXIT_SUCCESS;
}
