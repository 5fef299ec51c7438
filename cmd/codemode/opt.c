/* SPDX-License-Identifier: MIT */
/*
 * opt.c -- reads a command line by a table of options.
 *
 * Long options take their value behind = or as the next word, letters take it
 * directly behind or as the next word. Options and other words may be mixed;
 * -- ends the options, and a lone - is an ordinary word.
 */
#include "opt.h"

#include "base/distance.h"
#include "base/mem.h"
#include "cmd.h"
#include "help.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A place in the command line, and where its values go. */
typedef struct reader {
	const cmd *cmd;
	int argc;
	char **argv;
	int at; /* the next word */
	void *into;
} reader;

static bool
bad(const reader *r, const char *name, const char *what)
{
	fprintf(stderr, "codemode %s: --%s %s\n", r->cmd->name, name, what);
	return false;
}

static bool
bad_value(const reader *r, const opt *o, const char *word, const char *wanted)
{
	fprintf(stderr, "codemode %s: --%s %s: must be %s\n", r->cmd->name,
	    o->name, word, wanted);
	return false;
}

/* A third of the letters may be wrong: "--tiemout" is --timeout. */
const char *
opt_nearest(const char *word, const char *const *candidates, size_t n)
{
	size_t best = strlen(word) / 3 + 1;
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		size_t d =
		    text_distance(text_of(word), text_of(candidates[i]), best);

		if (d <= best && d < strlen(candidates[i]) &&
		    (found == NULL || d < best)) {
			best = d;
			found = candidates[i];
		}
	}
	return found;
}

void
opt_values_fini(opt_values *v)
{
	mem_free(NULL, v->value, v->cap * sizeof(*v->value));
	*v = (opt_values){0};
}

static bool
keep(opt_values *v, const opt *o, const char *word)
{
	void *array = v->value;

	if (!mem_grow(NULL, &array, &v->cap, v->len, sizeof(*v->value)))
		return false;
	v->value = array;
	v->value[v->len++] = (opt_value){o, word};
	return true;
}

/* How often 1024 goes into the unit: K 1, M 2, G 3, none 0, other -1. */
static int
unit(const opt *o, const char *suffix)
{
	static const char letters[] = "KMGkmg";
	const char *found;

	if (*suffix == '\0')
		return 0;
	if (o->kind != OPT_BYTES)
		return -1;
	found = strchr(letters, suffix[0]);
	if (found == NULL)
		return -1;
	suffix++;
	if (*suffix == 'i')
		suffix++;
	if (*suffix == 'B')
		suffix++;
	return *suffix == '\0' ? (int)(found - letters) % 3 + 1 : -1;
}

/* A whole number from 1, or "none". */
static bool
number(const opt *o, const char *word, uint64_t *out)
{
	char *end;
	unsigned long long n;
	int power;

	if (strcmp(word, "none") == 0) {
		*out = UINT64_MAX;
		return true;
	}
	if (*word < '0' || *word > '9')
		return false;
	errno = 0;
	n = strtoull(word, &end, 10);
	power = unit(o, end);
	if (errno != 0 || n == 0 || power < 0 || n > (1ULL << 62) >> 10 * power)
		return false;
	*out = n << 10 * power;
	return true;
}

static bool
store(reader *r, const opt *o, const char *word)
{
	char *member = (char *)r->into + o->at;

	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)(void *)member = true;
		return true;
	case OPT_TEXT:
	case OPT_FILE:
		*(const char **)(void *)member = word;
		return true;
	case OPT_TEXTS:
	case OPT_FILES:
		return keep((opt_values *)(void *)member, o, word) ||
		       bad(r, o->name, "finds no memory");
	case OPT_COUNT:
		return number(o, word, (uint64_t *)(void *)member) ||
		       bad_value(r, o, word, "a whole number from 1, or none");
	case OPT_BYTES:
		return number(o, word, (uint64_t *)(void *)member) ||
		       bad_value(r, o, word,
			   "a number of bytes from 1, such as 65536 or 64M, or "
			   "none");
	}
	return false;
}

static const opt *
by_name(const cmd *c, const char *name, size_t len)
{
	for (const opt *o = c->opts; o->name != NULL; o++)
		if (strlen(o->name) == len && memcmp(o->name, name, len) == 0)
			return o;
	return NULL;
}

static const opt *
by_letter(const cmd *c, char letter)
{
	for (const opt *o = c->opts; o->name != NULL; o++)
		if (o->letter == letter)
			return o;
	return NULL;
}

static bool
unknown(const reader *r, const char *word, const char *name)
{
	const char *names[64], *near;
	size_t n = 0;

	for (const opt *o = r->cmd->opts; o->name != NULL && n < 63; o++)
		names[n++] = o->name;
	names[n++] = "help";
	near = opt_nearest(name, names, n);
	fprintf(
	    stderr, "codemode %s: there is no option %s", r->cmd->name, word);
	if (near != NULL)
		fprintf(stderr, "; did you mean --%s?", near);
	fprintf(stderr, "\nTry: codemode %s --help\n", r->cmd->name);
	return false;
}

/* The word at r->at, which begins with --. */
static bool
long_option(reader *r)
{
	char *word = r->argv[r->at++];
	char *name = word + 2, *value = strchr(name, '=');
	size_t len = value ? (size_t)(value - name) : strlen(name);
	const opt *o = by_name(r->cmd, name, len);

	if (o == NULL) {
		name[len] = '\0';
		return unknown(r, word, name);
	}
	if (o->kind == OPT_FLAG)
		return value ? bad(r, o->name, "takes no value")
			     : store(r, o, NULL);
	if (value != NULL)
		return store(r, o, value + 1);
	if (r->at == r->argc)
		return bad(r, o->name, "wants a value behind it");
	return store(r, o, r->argv[r->at++]);
}

/* The word at r->at, which begins with one -. */
static bool
letter_option(reader *r)
{
	char *word = r->argv[r->at++];
	const opt *o = by_letter(r->cmd, word[1]);

	if (o == NULL || (o->kind == OPT_FLAG && word[2] != '\0'))
		return unknown(r, word, word + 1);
	if (o->kind == OPT_FLAG)
		return store(r, o, NULL);
	if (word[2] != '\0')
		return store(r, o, word + 2);
	if (r->at == r->argc)
		return bad(r, o->name, "wants a value behind it");
	return store(r, o, r->argv[r->at++]);
}

static bool
asks_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

opt_outcome
opt_parse(const cmd *c, int *argc, char **argv, void *into)
{
	reader r = {c, *argc, argv, 0, into};
	bool options = true;

	*argc = 0;
	while (r.at < r.argc) {
		char *word = argv[r.at];

		if (!options || word[0] != '-' || word[1] == '\0') {
			argv[(*argc)++] = argv[r.at++];
		} else if (strcmp(word, "--") == 0) {
			options = false;
			r.at++;
		} else if (asks_help(word)) {
			help_command(c);
			return OPT_SHOWN;
		} else if (!(word[1] == '-' ? long_option(&r)
					    : letter_option(&r))) {
			return OPT_BAD;
		}
	}
	return OPT_GO;
}
