/* SPDX-License-Identifier: MIT */
/*
 * grow.c -- see grow.h.
 *
 * A script is a list of statements that bind names to tools (level 0), to a
 * namespace (1) or to a tool (2), and call. Each rule is a pattern; in it stand
 *
 *	@  a value of the level that the rule has
 *	^  a value one level further out: its member is taken
 *	$  a new name, which has the value from there on
 *	$1 that name again; # its number
 *	%  statements in which the names are known that the rule made
 *
 * A pattern with a ! in front makes a value that the list of calls does not
 * follow, so that it says "*", and then all is covered. A third of the scripts
 * has none of them, and a third at most one.
 */
#include "grow.h"

enum { NAMES_MAX = 64, DEEP = 4 };

typedef struct known_name {
	unsigned number, level;
} known_name;

typedef struct grower {
	uint64_t state;
	buf *out;
	known_name name[NAMES_MAX];
	size_t names;
	unsigned made;
	unsigned depth; /* of the statements */
	unsigned wild;  /* patterns with ! that may still be used */
} grower;

/* Values of any level. */
static const char *const values[] = {"(@)", "(@ ?? {})", "(@ || 0)", "(1 && @)",
    "(1 ? @ : 0)", "(0 ? {} : @)", "(0, @)", "(await @)", "![@][0]",
    "!({k: @}).k", "!({k: @})['k']", "!({get k() { return @ }}).k",
    "!(() => @)()", "!(await (async () => @)())", "!((p) => p)(@)",
    "!((p = @) => p)()", "!((p) => { let q = p; return q })(@)",
    "!(function () { return arguments[0] })(@)", "!(({k}) => k)({k: @})",
    "!(({k = @}) => k)({})", "!((...p) => p[0])(@)",
    "!Object.values({k: @})[0]", "!new Map([[1, @]]).get(1)",
    "![...new Set([@])][0]", "!Reflect.get({k: @}, 'k')",
    "!new (class { k = @ })().k", "!(class { static k = @ }).k",
    "![[@]].flat().at(0)", "!(await Promise.resolve([@]))[0]",
    "!(await Promise.all([[@]]))[0][0]",
    "!(function* () { yield @ })().next().value",
    "!Object.assign({}, {k: @}).k",
    "!Object.getOwnPropertyDescriptor({k: @}, 'k').value",
    "!JSON.parse('1', () => [@])[0]", "!({k: @, ...{}}).k", "(@ as any)",
    "(@!)", "!structured(@)", NULL};

/* tools itself. */
static const char *const roots[] = {"tools", "tools", "tools", "tools",
    "globalThis.tools", "globalThis['tools']", "t\\u006fols",
    "!globalThis['to' + 'ols']", "!(function () { return this })().tools",
    "(function () { return this.tools })()", "!Function('return tools')()",
    "!(() => 1).constructor('return tools')()", "!eval('tools')",
    "!(() => 1)['constr' + 'uctor']('return tools')()",
    "!Reflect.get(globalThis, 'tools')", "!((e) => e('tools'))(eval)",
    "!globalThis.globalThis.tools", "this.tools", NULL};

/* A namespace of tools. */
static const char *const spaces[] = {"^.s", "^.s", "^['s']", "^[`s`]", "^?.s",
    "^[kS]", "!^['' + 's']", "!^[['s'][0]]", "^.z", "!(({s}) => s)(^)",
    "!(({...r}) => r.s)(^)", "!Object.entries(^).find(([k]) => k === 's')[1]",
    "!Object.values(^)[0]", "!^[Object.keys(^)[0]]", "!({...^}).s", NULL};

/* A tool of a namespace. */
static const char *const members[] = {"^.a", "^.a", "^['a']", "^[`a`]", "^?.a",
    "^[kA]", "!^[answer.k]", "!(({a}) => a)(^)", "!Object.values(^)[0]",
    "!^[Object.keys(^)[0]]", "!({...^}).a", "!^.a.bind(null)",
    "!Reflect.get(^, 'a')", NULL};

static const char *const calls[] = {"await @({});", "await @({});",
    "await @.call(null, {});", "await @.apply(null, [{}]);", "await @`x`;",
    "await @?.({});", "await Promise.all([{}].map(@));",
    "await Promise.all([1].map(() => @({})));",
    "await Promise.resolve({}).then(@);", "await codemode.map([{}], @);",
    "!await Reflect.apply(@, null, [{}]);", "const f1 = @; await f1({});",
    "for (const i of [1]) await @({ i });", "await codemode.race([@]);",
    "await (async (f) => f({}))(@);", "!await new (class { f = @ })().f({});",
    "switch (await @({})) { default: let $0 }", NULL};

/* Of any level, like values. */
static const char *const statements[] = {"const $ = @; %", "const $ = @; %",
    "let $ = @; %", "!let $; $1 = @; %", "var $ = @; %", "!const [$] = [@]; %",
    "!const {k: $} = {k: @}; %", "const {k: $ = @} = {}; %",
    "!const $ = {k: @}.k; %", "!for (const $ of [@]) { % }",
    "for (let $ = @, i = 0; i < 1; i++) { % }",
    "!try { throw @ } catch ($) { % }", "if (@) { const $ = @; % }",
    "!with ({$: @}) { % }", "switch (1) { case 1: let $ = @; % }",
    "!try { throw 1 } catch ($) { var $1 = @; % }",
    "await (async ($) => { % })(@);", "await (async ($ = @) => { % })();",
    "!await (async function ($) { var $1; % })(@);",
    "await (async ({k: $}) => { % })({k: @});",
    "!await (async (...$) => { $1 = $1[0]; % })(@);",
    "async function f#($) { % } await f#(@);",
    "!await ({async m($) { % }}).m(@);",
    "!await new (class { async m($) { % } })().m(@);",
    "await (async () => { const $ = @; % })();",
    "{ const $ = @; const C = class $1 {}; % }",
    "{ const $ = @; const C = function $1() {}; % }",
    "!let $; (() => { $1 = @ })(); %",
    "const $ = @; await (async () => { 'use strict'; { function $1() {} } % "
    "})();",
    "const $ = @; await (async (d = await 1) => { { async function $1() {} } % "
    "})();",
    NULL};

/* Of a tool or a namespace. */
static const char *const taken[] = {"const {s: $} = ^; %",
    "!const {s: $, ...r} = ^; %", "!let $; ({s: $1} = ^); %",
    "await (async ({s: $}) => { % })(^);", "const {['s']: $} = ^; %",
    "const {[kS]: $} = ^; %", NULL};

static uint64_t
next_random(grower *g)
{
	uint64_t z = g->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static unsigned
below(grower *g, unsigned n)
{
	return (unsigned)(next_random(g) % n);
}

static const char *
one_of(grower *g, const char *const *list)
{
	unsigned n = 0;
	const char *pattern;

	while (list[n])
		n++;
	do
		pattern = list[below(g, n)];
	while (*pattern == '!' && g->wild == 0);
	g->wild -= *pattern == '!';
	return *pattern == '!' ? pattern + 1 : pattern;
}

static void grow_statements(grower *g);
static void put_value(grower *g, unsigned level, unsigned left);

/* A pattern; what it binds has its level. */
static void
put_pattern(grower *g, const char *pattern, unsigned level, unsigned left)
{
	unsigned number = 0;

	for (; *pattern; pattern++) {
		switch (*pattern) {
		case '@':
			put_value(g, level, left);
			break;
		case '^':
			put_value(g, level - 1, left);
			break;
		case '$':
			if (pattern[1] == '1' || pattern[1] == '0')
				pattern++;
			else
				number = ++g->made;
			buf_printf(g->out, "x%u", number);
			break;
		case '#':
			buf_printf(g->out, "%u", number);
			break;
		case '%':
			if (g->names < NAMES_MAX)
				g->name[g->names++] =
				    (known_name){number, level};
			grow_statements(g);
			break;
		default:
			buf_byte(g->out, *pattern);
		}
	}
}

/* A name of that level; false: there is none. */
static bool
put_name(grower *g, unsigned level)
{
	size_t from = g->names ? below(g, (unsigned)g->names) : 0;

	for (size_t i = 0; i < g->names; i++) {
		const known_name *n = &g->name[(from + i) % g->names];

		if (n->level != level)
			continue;
		buf_printf(g->out, "x%u", n->number);
		return true;
	}
	return false;
}

static void
put_value(grower *g, unsigned level, unsigned left)
{
	if (below(g, 3) > 0 && put_name(g, level))
		return;
	if (left > 0 && below(g, 4) == 0)
		put_pattern(g, one_of(g, values), level, left - 1);
	else if (level == 0)
		buf_str(g->out, left > 0 ? one_of(g, roots) : "tools");
	else
		put_pattern(g, one_of(g, level == 1 ? spaces : members), level,
		    left > 0 ? left - 1 : 0);
}

static void
put_call(grower *g)
{
	buf_str(g->out, "try { ");
	if (below(g, 12) == 0)
		buf_str(g->out, "await tools.solo({}); ");
	put_pattern(g, one_of(g, calls), 2, 2);
	buf_str(g->out, " } catch {}\n");
}

static void
grow_statements(grower *g)
{
	size_t before = g->names;
	unsigned level = below(g, 3);

	buf_byte(g->out, '\n');
	if (++g->depth < DEEP && below(g, 5) > 0) {
		if (level == 1 && below(g, 3) == 0)
			put_pattern(g, one_of(g, taken), 1, 2);
		else
			put_pattern(g, one_of(g, statements), level, 2);
		buf_byte(g->out, '\n');
	}
	put_call(g);
	g->depth--;
	g->names = before;
}

void
grow_script(uint64_t seed, buf *out)
{
	grower g = {.state = seed, .out = out};

	g.wild = (unsigned[]){0, 1, 1000}[below(&g, 3)];
	buf_str(out, "const kS = 's', kA = 'a', answer = {k: 'a'}; "
		     "const structured = (x) => x;");
	grow_statements(&g);
	if (below(&g, 2) == 0)
		grow_statements(&g);
}
