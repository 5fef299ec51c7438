/* SPDX-License-Identifier: MIT */
/*
 * opt.c -- reads a command line by a table of options.
 *
 * Long options take their value behind = or as the next word, letters take it
 * directly behind or as the next word. Options and other words may be mixed;
 * -- ends the options, and a lone - is an ordinary word.
 */
#include "opt.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "cmd.h"
#include "help.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 64 };

/* A place in the command line, and where its values go. */
typedef struct opt_reader {
	const cmd *cmd;
	say *say;
	int argc;
	char **argv;
	int at; /* the next word */
	void *into;
} opt_reader;

static bool
refuse_option(const opt_reader *r, const char *name, const char *what)
{
	say_line(r->say, "%s: --%s %s", r->cmd->name, name, what);
	return false;
}

static bool
refuse_value(
    const opt_reader *r, const opt *o, const char *word, const char *wanted)
{
	say_line(r->say, "%s: --%s %s: must be %s", r->cmd->name, o->name, word,
	    wanted);
	return false;
}

static text
option_name_at(const void *names, size_t i)
{
	return text_of(((const char *const *)names)[i]);
}

void
opt_unknown(say *s, const char *what, const char *word,
    const char *const *names, size_t n, const char *help)
{
	const char *dashes = strncmp(word, "--", 2) == 0 ? "--" : "";
	size_t near[NEAREST_MAX];

	if (nearest(text_of(word), option_name_at, names, n, near) > 0)
		say_line(s, "there is no %s %s; did you mean %s%s?", what, word,
		    dashes, names[near[0]]);
	else
		say_line(s, "there is no %s %s", what, word);
	say_line(s, "try: codemode %s--help", help);
}

void
opt_values_fini(opt_values *v)
{
	mem_free(NULL, v->value, v->cap * sizeof(*v->value));
	*v = (opt_values){0};
}

static bool
append_value(opt_values *v, const opt *o, const char *word)
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
unit_power(const opt *o, const char *suffix)
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
read_count(const opt *o, const char *word, uint64_t *out)
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
	power = unit_power(o, end);
	if (errno != 0 || n == 0 || power < 0 || n > (1ULL << 62) >> 10 * power)
		return false;
	*out = n << 10 * power;
	return true;
}

static bool
store_once(
    const opt_reader *r, const opt *o, const char **member, const char *word)
{
	if (*member != NULL)
		return refuse_option(r, o->name, "is given twice");
	*member = word;
	return true;
}

static bool
store_value(opt_reader *r, const opt *o, const char *word)
{
	void *member = (char *)r->into + o->at;

	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)member = true;
		return true;
	case OPT_TEXT:
	case OPT_FILE:
		return store_once(r, o, member, word);
	case OPT_TEXTS:
	case OPT_FILES:
		return append_value(member, o, word) ||
		       refuse_option(r, o->name, "finds no memory");
	case OPT_COUNT:
		return read_count(o, word, member) ||
		       refuse_value(
			   r, o, word, "a whole number from 1, or none");
	case OPT_BYTES:
		return read_count(o, word, member) ||
		       refuse_value(r, o, word,
			   "a number of bytes from 1, such as 65536 or 64M, or "
			   "none");
	}
	return false;
}

static const opt *
option_named(const cmd *c, const char *name, size_t len)
{
	for (const opt *o = c->opts; o->name != NULL; o++)
		if (strlen(o->name) == len && memcmp(o->name, name, len) == 0)
			return o;
	return NULL;
}

static const opt *
option_of_letter(const cmd *c, char letter)
{
	for (const opt *o = c->opts; o->name != NULL; o++)
		if (o->letter == letter)
			return o;
	return NULL;
}

static bool
refuse_unknown(const opt_reader *r, const char *word)
{
	const char *names[NAMES_MAX];
	char help[64];
	size_t n = 0;

	for (const opt *o = r->cmd->opts; o->name && n < NAMES_MAX - 1; o++)
		names[n++] = o->name;
	names[n++] = "help";
	snprintf(help, sizeof(help), "%s ", r->cmd->name);
	opt_unknown(r->say, "option", word, names, n, help);
	return false;
}

/* The word at r->at, which begins with --. */
static bool
long_option(opt_reader *r)
{
	char *word = r->argv[r->at++];
	char *name = word + 2, *value = strchr(name, '=');
	size_t len = value ? (size_t)(value - name) : strlen(name);
	const opt *o = option_named(r->cmd, name, len);

	if (o == NULL) {
		name[len] = '\0';
		return refuse_unknown(r, word);
	}
	if (o->kind == OPT_FLAG)
		return value ? refuse_option(r, o->name, "takes no value")
			     : store_value(r, o, NULL);
	if (value != NULL)
		return store_value(r, o, value + 1);
	if (r->at == r->argc)
		return refuse_option(r, o->name, "wants a value behind it");
	return store_value(r, o, r->argv[r->at++]);
}

/* The word at r->at, which begins with one -. */
static bool
letter_option(opt_reader *r)
{
	char *word = r->argv[r->at++];
	const opt *o = option_of_letter(r->cmd, word[1]);

	if (o == NULL || (o->kind == OPT_FLAG && word[2] != '\0'))
		return refuse_unknown(r, word);
	if (o->kind == OPT_FLAG)
		return store_value(r, o, NULL);
	if (word[2] != '\0')
		return store_value(r, o, word + 2);
	if (r->at == r->argc)
		return refuse_option(r, o->name, "wants a value behind it");
	return store_value(r, o, r->argv[r->at++]);
}

static bool
asks_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

opt_outcome
opt_parse(const cmd *c, int *argc, char **argv, void *into, say *s)
{
	opt_reader r = {c, s, *argc, argv, 0, into};
	opt_outcome outcome = OPT_GO;
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
			outcome = OPT_BAD;
		}
	}
	return outcome;
}
