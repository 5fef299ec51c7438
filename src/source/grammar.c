/* SPDX-License-Identifier: MIT */
/*
 * grammar.c -- the form of a script's text, for providers that let a model
 * write only what a grammar allows.
 *
 * It is what source_read takes, no more and no less: test/source/grammar makes
 * texts from it, and holds damaged ones against both. The syntax of JavaScript
 * is not in it. Its regular expressions are those of Python and of Rust, without
 * lookahead.
 */
#include "source.h"

#define SPACE                  \
	"\\t-\\r "             \
	"\\xa0\\u1680\\u2000-" \
	"\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
#define UP_TO_2_31                                                             \
	"[1-9][0-9]{0,8}|1[0-9]{9}|20[0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{"  \
	"6}|2147[0-3][0-9]{5}|21474[0-7][0-9]{4}|214748[0-2][0-9]{3}|2147483[" \
	"0-5][0-9]{2}|21474836[0-3][0-9]|214748364[0-7]"
#define UP_TO_2_53                                                             \
	"0|[1-9][0-9]{0,14}|[1-8][0-9]{15}|900[0-6][0-9]{12}|90070[0-9]{11}|"  \
	"90071[0-8][0-9]{10}|900719[0-8][0-9]{9}|9007199[01][0-9]{8}|"         \
	"90071992[0-4][0-9]{7}|900719925[0-3][0-9]{6}|9007199254[0-6][0-9]{5}" \
	"|90071992547[0-3][0-9]{4}|9007199254740[0-8][0-9]{2}|90071992547409[" \
	"0-8][0-9]|900719925474099[01]"

/* Text that begins with a part of "// @options:" and goes on otherwise, or
 * ends: one more character of the prefix in each step. */
#define OR_ELSE(c, class, more) c "(?:[^" class "\\x00][^\\x00]*" more ")?"
#define NO_PREFIX                                                 \
	OR_ELSE("\\/", "\\/",                                     \
	    "|" OR_ELSE("\\/", " ",                               \
		"|" OR_ELSE(" ", "@",                             \
		    "|" OR_ELSE("@", "o",                         \
			"|" OR_ELSE("o", "p",                     \
			    "|" OR_ELSE("p", "t",                 \
				"|" OR_ELSE("t", "i",             \
				    "|" OR_ELSE("i", "o",         \
					"|" OR_ELSE("o", "n",     \
					    "|" OR_ELSE("n", "s", \
						"|" OR_ELSE(      \
						    "s", ":", "")))))))))))

const char source_grammar[] =
    "// A script: the body of an async function. Its first line that is not\n"
    "// blank may be an options line.\n"
    "start: OPTIONS_LINE SCRIPT | PLAIN_SCRIPT\n"
    "\n"
    "OPTIONS_LINE: BLANK* \"// @options:\" EDGE* \"{\" GAP* (OPTION GAP* "
    "(\",\" GAP* OPTION GAP*)*)? \"}\" EDGE* \"\\n\"\n"
    "OPTION: \"\\\"timeout_ms\\\"\" GAP* \":\" GAP* TIMEOUT | "
    "\"\\\"max_output_tokens\\\"\" GAP* \":\" GAP* TOKENS\n"
    "TIMEOUT: /(?:" UP_TO_2_31
    ")(?:\\.0+)?|[1-9][eE]\\+?0*[0-8]|[12][eE]\\+?0*9/\n"
    "TOKENS: /(?:" UP_TO_2_53 ")(?:\\.0+)?|[1-9][eE]\\+?0*(?:[0-9]|1[0-5])/\n"
    "SCRIPT: BLANK* /[^" SPACE "\\x00][^\\x00]*/\n"
    "PLAIN_SCRIPT: BLANK* /[^" SPACE "\\/\\x00][^\\x00]*|" NO_PREFIX "/\n"
    "GAP: /[ \\t\\r]/\n"
    "EDGE: /[ \\t\\x0b\\x0c\\r]/\n"
    "BLANK: /[" SPACE "]/\n";
