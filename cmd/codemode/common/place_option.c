/* SPDX-License-Identifier: MIT */
/* place_option.c -- see place_option.h. */
#include "place_option.h"
#include "beside.h"

#include "split.h"

#include <errno.h>
#include <string.h>

static const char command_prefix[] = "cmd:";

/* The command of "cmd:COMMAND"; NULL: another place. */
static const char *
command_of(const place_options *o)
{
	size_t n = sizeof(command_prefix) - 1;

	return o->where != NULL && strncmp(o->where, command_prefix, n) == 0
		   ? o->where + n
		   : NULL;
}

static bool
is_inline(const place_options *o)
{
	return o->where != NULL && strcmp(o->where, "inline") == 0;
}

static bool
is_engine(const place_options *o, const char *name)
{
	return o->engine != NULL && strcmp(o->engine, name) == 0;
}

unsigned
place_options_flags(const place_options *o)
{
	return is_engine(o, "evaluator") ? CM_RUN_EVALUATOR : 0;
}

cli_exit
place_options_check(const place_options *o, const char *verb, say *out)
{
	if (o->engine != NULL && !is_engine(o, "evaluator") &&
	    !is_engine(o, "quickjs") && !is_engine(o, "auto")) {
		say_line(out,
		    "%s: --engine takes quickjs, evaluator or auto, not "
		    "\"%s\"",
		    verb, o->engine);
		return CLI_USAGE;
	}
	if (o->session && command_of(o) == NULL) {
		say_line(out,
		    "%s: --session is for --place cmd:COMMAND: each script "
		    "takes its command in turn",
		    verb);
		return CLI_USAGE;
	}
	if (o->where == NULL || strcmp(o->where, "process") == 0 ||
	    command_of(o) != NULL)
		return CLI_OK;
	if (!is_inline(o)) {
		say_line(out,
		    "%s: --place takes process, inline or cmd:COMMAND, not "
		    "\"%s\"",
		    verb, o->where);
		return CLI_USAGE;
	}
	if (!o->require_fences)
		return CLI_OK;
	say_line(out,
	    "%s: --require-fences asks for --place process: inline has none",
	    verb);
	return CLI_USAGE;
}

static cli_exit
open_process(
    const place_options *o, bool single, pool *words, say *out, cm_place **p)
{
	cm_process_options with = CM_PROCESS_OPTIONS_INIT;
	char path[BESIDE_MAX];

	with.worker = pool_copy(
	    words, text_of(beside(path, sizeof(path), "codemode-worker")));
	with.single = single;
	if (single)
		with.spares = CM_NO_SPARES;
	with.require_fences = o->require_fences;
	if (cm_place_process(NULL, &with, p) == CM_OK)
		return CLI_OK;
	say_line(out,
	    "%s cannot be started: %s; --place inline does without it",
	    with.worker, strerror(errno));
	return CLI_SANDBOX;
}

static cli_exit
open_command(const place_options *o, pool *words, say *out, cm_place **p)
{
	cm_stream_options with = CM_STREAM_OPTIONS_INIT;
	const char *why;
	size_t n;
	char **argv = split_words(text_of(command_of(o)), words, &n, &why);

	if (argv == NULL || n == 0) {
		say_line(out, "--place %s: %s", o->where,
		    argv == NULL ? why : "the command is empty");
		return CLI_USAGE;
	}
	with.command = (const char *const *)argv;
	with.session = o->session;
	with.require_fences = o->require_fences;
	if (cm_place_stream(NULL, &with, p) == CM_OK)
		return CLI_OK;
	say_line(out, "out of memory");
	return CLI_SANDBOX;
}

cli_exit
place_options_open(
    const place_options *o, bool single, pool *words, say *out, cm_place **p)
{
	if (is_inline(o))
		return CLI_OK;
	return command_of(o) != NULL ? open_command(o, words, out, p)
				     : open_process(o, single, words, out, p);
}
