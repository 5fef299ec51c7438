/* SPDX-License-Identifier: MIT */
/*
 * yaml_json.c -- YAML as JSON, by the events of libyaml.
 *
 * Plain scalars mean what the core schema of YAML 1.2 says: true, false, null,
 * numbers as JSON writes them, and strings. An alias becomes a copy of what its
 * anchor named. Only the first document is read.
 */
#include "config_text.h"

#include <stdio.h>
#include <yaml.h>

enum { YAML_DEPTH = 200, YAML_ANCHORS = 200 };

typedef struct anchored {
	char name[64];
	size_t from, to; /* bytes of the JSON; to 0: not complete */
} anchored;

typedef struct yaml_level {
	bool map;
	size_t parts;  /* keys and values so far; elements of a sequence */
	size_t anchor; /* number of its own, from 1; 0: none */
} yaml_level;

typedef struct yaml_walk {
	marked_json *out;
	format_fault *fault;
	yaml_level level[YAML_DEPTH];
	size_t depth;
	anchored anchor[YAML_ANCHORS];
	size_t anchors;
} yaml_walk;

static bool
refuse_yaml(yaml_walk *w, yaml_mark_t at, const char *why)
{
	w->fault->line = (unsigned)at.line + 1;
	w->fault->column = (unsigned)at.column + 1;
	snprintf(w->fault->why, sizeof(w->fault->why), "%s", why);
	return false;
}

static bool
is_yaml_key(const yaml_walk *w)
{
	const yaml_level *l;

	if (w->depth == 0)
		return false;
	l = &w->level[w->depth - 1];
	return l->map && l->parts % 2 == 0;
}

/* The comma or colon before a node. */
static void
separate_yaml(yaml_walk *w, yaml_mark_t at)
{
	if (w->depth > 0) {
		yaml_level *l = &w->level[w->depth - 1];

		if (l->map && l->parts % 2 == 1)
			buf_byte(&w->out->json, ':');
		else if (l->parts > 0)
			buf_byte(&w->out->json, ',');
		l->parts++;
	}
	mark_line(w->out, (unsigned)at.line + 1);
}

/* The number of the new anchor; 0: there is none, or no room for it. */
static size_t
open_anchor(yaml_walk *w, const yaml_char_t *name)
{
	anchored *a = &w->anchor[w->anchors];

	if (name == NULL || w->anchors == YAML_ANCHORS ||
	    strlen((const char *)name) >= sizeof(a->name))
		return 0;
	strcpy(a->name, (const char *)name);
	a->from = w->out->json.len;
	return ++w->anchors;
}

static void
close_anchor(yaml_walk *w, size_t number)
{
	if (number > 0)
		w->anchor[number - 1].to = w->out->json.len;
}

static bool
copy_alias(yaml_walk *w, const yaml_event_t *e)
{
	const char *name = (const char *)e->data.alias.anchor;
	buf *out = &w->out->json;

	for (size_t i = w->anchors; i-- > 0;) {
		const anchored *a = &w->anchor[i];

		if (strcmp(a->name, name) != 0)
			continue;
		if (a->to == 0)
			break;
		/* The bytes may move when the buffer grows: reserve first. */
		if (buf_room(out, a->to - a->from) != NULL)
			buf_add(out, out->ptr + a->from, a->to - a->from);
		return true;
	}
	return refuse_yaml(
	    w, e->start_mark, "this alias names no anchor before it");
}

static void
write_plain(yaml_walk *w, text t)
{
	static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
	static const char *const bools[][2] = {
	    {"true", "false"}, {"True", "False"}, {"TRUE", "FALSE"}};
	buf *out = &w->out->json;
	json number;

	for (size_t i = 0; i < sizeof(nulls) / sizeof(*nulls); i++)
		if (text_eq(t, text_of(nulls[i]))) {
			buf_str(out, "null");
			return;
		}
	for (size_t i = 0; i < sizeof(bools) / sizeof(*bools); i++)
		for (size_t k = 0; k < 2; k++)
			if (text_eq(t, text_of(bools[i][k]))) {
				buf_str(out, bools[0][k]);
				return;
			}
	if (json_check(t, 1, &number, NULL) &&
	    json_kind_of(number) == JSON_NUMBER)
		buf_text(out, number);
	else
		json_string(out, t);
}

static void
write_yaml_scalar(yaml_walk *w, const yaml_event_t *e, bool key)
{
	text t = {(const char *)e->data.scalar.value, e->data.scalar.length};

	if (key || e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
		json_string(&w->out->json, t);
	else
		write_plain(w, t);
}

static bool
open_level(yaml_walk *w, const yaml_event_t *e, bool map, size_t anchor)
{
	if (w->depth == YAML_DEPTH)
		return refuse_yaml(w, e->start_mark, "nested too deeply");
	buf_byte(&w->out->json, map ? '{' : '[');
	w->level[w->depth++] = (yaml_level){map, 0, anchor};
	return true;
}

static void
close_level(yaml_walk *w)
{
	yaml_level *l = &w->level[--w->depth];

	buf_byte(&w->out->json, l->map ? '}' : ']');
	close_anchor(w, l->anchor);
}

static bool
write_yaml_node(yaml_walk *w, const yaml_event_t *e)
{
	bool key = is_yaml_key(w);
	size_t anchor;

	if (key && e->type != YAML_SCALAR_EVENT)
		return refuse_yaml(
		    w, e->start_mark, "a name must be a plain text");
	separate_yaml(w, e->start_mark);
	switch (e->type) {
	case YAML_ALIAS_EVENT:
		return copy_alias(w, e);
	case YAML_SCALAR_EVENT:
		anchor = open_anchor(w, e->data.scalar.anchor);
		write_yaml_scalar(w, e, key);
		close_anchor(w, anchor);
		return true;
	case YAML_MAPPING_START_EVENT:
		anchor = open_anchor(w, e->data.mapping_start.anchor);
		return open_level(w, e, true, anchor);
	default:
		anchor = open_anchor(w, e->data.sequence_start.anchor);
		return open_level(w, e, false, anchor);
	}
}

static bool
walk_yaml_event(yaml_walk *w, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_ALIAS_EVENT:
	case YAML_SCALAR_EVENT:
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT:
		return write_yaml_node(w, e);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		close_level(w);
		return true;
	default:
		return true;
	}
}

bool
yaml_to_json(text yaml, marked_json *out, format_fault *fault)
{
	yaml_walk w = {.out = out, .fault = fault};
	yaml_parser_t parser;
	yaml_event_t event;
	bool ok = true, over = false;

	if (!yaml_parser_initialize(&parser)) {
		out->json.bad = CM_ENOMEM;
		return true;
	}
	yaml_parser_set_input_string(
	    &parser, (const unsigned char *)yaml.ptr, yaml.len);
	while (ok && !over) {
		if (!yaml_parser_parse(&parser, &event)) {
			ok = refuse_yaml(&w, parser.problem_mark,
			    parser.problem ? parser.problem : "out of memory");
			break;
		}
		over = event.type == YAML_DOCUMENT_END_EVENT ||
		       event.type == YAML_STREAM_END_EVENT;
		ok = walk_yaml_event(&w, &event);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	if (ok && out->json.len == 0)
		ok = refuse_yaml(&w, (yaml_mark_t){0}, "the file is empty");
	return ok;
}
