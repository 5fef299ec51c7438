/* SPDX-License-Identifier: MIT */
/*
 * help.c -- the tables of options as help, manual and completion.
 *
 * An option is described in its row and nowhere else, so all three match what
 * the program accepts. The build calls `codemode __manual [COMMAND]` and
 * `codemode __completion` for the last two.
 */
#include "help.h"

#include <ctype.h>
#include <string.h>

enum { OPTION_WIDTH = 24 };

/* --help is answered by the parser, for every command. */
static const opt help_row = {
    "help", 'h', OPT_FLAG, NULL, "show this help", NULL, 0};

/* Lines of tables begin small and have no full stop; sentences do. */
static void
print_sentence(const char *s)
{
	printf("%c%s.", toupper((unsigned char)*s), s + 1);
}

static void
print_option(const opt *o)
{
	char left[64];

	snprintf(left, sizeof(left), "%c%c%s--%s%s%s", o->letter ? '-' : ' ',
	    o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
	    o->value ? " " : "", o->value ? o->value : "");
	if (strlen(left) < OPTION_WIDTH)
		printf("  %-*s %s\n", OPTION_WIDTH, left, o->does);
	else
		printf("  %s\n  %*s %s\n", left, OPTION_WIDTH, "", o->does);
}

void
help_command(const cmd *c)
{
	printf("usage: codemode %s [options]%s%s\n\n", c->name,
	    *c->args ? " " : "", c->args);
	print_sentence(c->does);
	printf("\n\noptions:\n");
	for (const opt *o = c->opts; o->name != NULL; o++)
		print_option(o);
	print_option(&help_row);
}

void
help_program(FILE *to)
{
	fputs("usage: codemode COMMAND [options] ...\n"
	      "       codemode --version\n\n"
	      "Runs a model's JavaScript; tools are its only reach.\n\n"
	      "commands:\n",
	    to);
	for (const cmd *const *c = cmd_list; *c != NULL; c++)
		fprintf(to, "  %-8s %s\n", (*c)->name, (*c)->does);
	fputs("\nTry: codemode COMMAND --help\n", to);
}

/* ---------------------------------------------------------------- manual */

/* scdoc reads these as markup. */
static void
print_scdoc(const char *s)
{
	for (; *s != '\0'; s++) {
		if (strchr("_*\\<>#", *s) != NULL)
			putchar('\\');
		putchar(*s);
	}
}

static void
print_manual_option(const opt *o)
{
	if (o->letter)
		printf("*-%c*", o->letter);
	if (o->letter && o->value)
		printf(" _%s_", o->value);
	printf("%s*--%s*", o->letter ? ", " : "", o->name);
	if (o->value)
		printf(" _%s_", o->value);
	printf("\n\t%c", toupper((unsigned char)o->does[0]));
	print_scdoc(o->does + 1);
	printf(".%s", o->more ? " " : "");
	print_scdoc(o->more ? o->more : "");
	printf("\n\n");
}

void
help_manual(const cmd *c)
{
	printf("# OPTIONS\n\n");
	for (const opt *o = c->opts; o->name != NULL; o++)
		print_manual_option(o);
	print_manual_option(&help_row);
}

void
help_manual_program(void)
{
	printf("# COMMANDS\n\n");
	for (const cmd *const *c = cmd_list; *c != NULL; c++) {
		printf("*codemode %s*\n\t", (*c)->name);
		print_sentence((*c)->does);
		printf("\n\n");
	}
	printf("# EXIT STATUS\n\n");
#define MANUAL_EXIT(name, number, code, meaning) \
	printf("*%d*\n\t%s\n\n", number, meaning);
	CLI_EXIT_MAP(MANUAL_EXIT)
#undef MANUAL_EXIT
}

/* ------------------------------------------------------------ completion */

/* A branch of case for the options of c that want (or do not want) the name of
 * a file; none when there is no such option. */
static void
print_completion_branch(const cmd *c, bool files, const char *action)
{
	const char *before = "\t\t";

	for (const opt *o = c->opts; o->name != NULL; o++) {
		bool file = o->kind == OPT_FILE || o->kind == OPT_FILES;

		if (o->value == NULL || file != files)
			continue;
		printf("%s--%s", before, o->name);
		before = "|";
		if (o->letter)
			printf("|-%c", o->letter);
	}
	if (*before == '|')
		printf(")\n\t\t\t%s ;;\n", action);
}

static void
print_completion_command(const cmd *c)
{
	printf("\t%s)\n\t\tcase $before in\n", c->name);
	print_completion_branch(
	    c, true, "COMPREPLY=($(compgen -f -- \"$word\")); return");
	print_completion_branch(c, false, "return");
	printf("\t\tesac\n\t\toptions='");
	for (const opt *o = c->opts; o->name != NULL; o++)
		printf("--%s ", o->name);
	printf("--%s' ;;\n", help_row.name);
}

void
help_completion(void)
{
	printf("# bash completion for codemode; made by the build\n"
	       "_codemode() {\n"
	       "\tlocal word=${COMP_WORDS[COMP_CWORD]} "
	       "before=${COMP_WORDS[COMP_CWORD-1]} options=\n"
	       "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W '");
	for (const cmd *const *c = cmd_list; *c != NULL; c++)
		printf("%s ", (*c)->name);
	printf("--help --version' -- \"$word\")); return\n"
	       "\tfi\n"
	       "\tcase ${COMP_WORDS[1]} in\n");
	for (const cmd *const *c = cmd_list; *c != NULL; c++)
		print_completion_command(*c);
	printf("\tesac\n"
	       "\tcase $word in\n"
	       "\t-*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
	       "\t*) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
	       "\tesac\n"
	       "}\n"
	       "complete -o filenames -F _codemode codemode\n");
}
