/* SPDX-License-Identifier: MIT */
/*
 * js_fixture.h -- what the unit tests of the parser share.
 */
#ifndef TEST_JS_FIXTURE_H
#define TEST_JS_FIXTURE_H

#include "unit.h"

#include "tree_tools.h"

static const js_options body_goal = {.goal = JS_ASYNC_BODY};
static const js_options script_goal = {.goal = JS_SCRIPT};
static const js_options types_goal = {
    .goal = JS_ASYNC_BODY, .typescript = true};

/* One parse after another; parse_end() when done. */
static arena parse_memory;
static js_tree parse_tree;

static inline js_tree *
parse(const char *source, const js_options *o)
{
	arena_fini(&parse_memory);
	parse_memory = ARENA_INIT(NULL, 64 << 20);
	assert_int_equal(
	    js_parse(text_of(source), o, &parse_memory, &parse_tree), CM_OK);
	return &parse_tree;
}

static inline void
parse_end(void)
{
	arena_fini(&parse_memory);
}

/* The tree as text. */
static inline void
tree_is_at(const char *source, const js_options *o, const char *want,
    const char *file, int line)
{
	buf out = BUF_INIT(NULL, 1 << 20);
	js_tree *t = parse(source, o);

	if (t->error_count) {
		print_error("%s\n%.*s\n", source,
		    TEXT_ARG(t->errors[0].message));
		_fail(file, line);
	}
	js_print(t, &out);
	text_is_at(buf_view(&out), text_of(want), file, line);
	buf_fini(&out);
}

#define assert_tree(source, want)                                              \
	tree_is_at((source), &body_goal, (want), __FILE__, __LINE__)

/* The first error: its code, its place, its message. */
static inline void
error_is_at(const char *source, const js_options *o, const char *code,
    unsigned line, unsigned column, const char *part, const char *file,
    int at)
{
	js_tree *t = parse(source, o);
	js_place place;

	if (t->error_count == 0) {
		print_error("%s\nis accepted, not %s\n", source, code);
		_fail(file, at);
	}
	place = js_position(t->text, t->errors[0].start);
	text_is_at(text_of(js_code_name(t->errors[0].code)), text_of(code),
	    file, at);
	if (place.line != line || place.column != column) {
		print_error("%s\nat %u:%u, not %u:%u\n", source, place.line,
		    place.column, line, column);
		_fail(file, at);
	}
	if (text_find(t->errors[0].message, text_of(part), 0) == SIZE_MAX)
		text_is_at(t->errors[0].message, text_of(part), file, at);
}

#define assert_error(source, code, line, column, part)                         \
	error_is_at((source), &body_goal, (code), (line), (column), (part),    \
	    __FILE__, __LINE__)
#define assert_type_error(source, code, line, column, part)                    \
	error_is_at((source), &types_goal, (code), (line), (column), (part),   \
	    __FILE__, __LINE__)

#endif
