/* SPDX-License-Identifier: MIT */
/* script_text.c -- see script_text.h. */
#include "script_text.h"

#include "file.h"

#include <unistd.h>

cli_exit
script_text_read(
    const cmd *c, const char *code, int argc, char **argv, buf *out, say *s)
{
	const char *path = argc > 0 ? argv[0] : "-", *why;

	if (argc > 1 || (argc > 0 && code != NULL)) {
		say_line(s,
		    "%s: one script at a time, please: \"%s\" is one too many",
		    c->name, argv[argc - 1]);
		return CLI_USAGE;
	}
	if (code != NULL) {
		buf_str(out, code);
		return CLI_OK;
	}
	if (argc == 0 && isatty(STDIN_FILENO)) {
		say_line(s,
		    "%s: no script: name a file, or give code with -e, or on "
		    "stdin",
		    c->name);
		return CLI_USAGE;
	}
	why = file_read(path, out);
	if (why == NULL)
		return CLI_OK;
	say_line(s, "%s: the script cannot be read: %s",
	    strcmp(path, "-") == 0 ? "stdin" : path, why);
	return CLI_USAGE;
}
