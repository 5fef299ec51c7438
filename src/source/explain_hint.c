/* SPDX-License-Identifier: MIT */
/*
 * explain_hint.c -- methods that models take from other languages or from
 * values of another kind, and what to write instead. @ stands for the value.
 */
#include "explain_parts.h"

static const struct {
	thing_kind of; /* THING_UNKNOWN: of anything */
	const char *method, *write;
} methods[] = {
    {THING_OBJECT, "map", "Object.entries(@).map(([key, value]) => ...)"},
    {THING_OBJECT, "filter", "Object.entries(@).filter(([key, value]) => ...)"},
    {THING_OBJECT, "forEach", "for (const [key, value] of Object.entries(@))"},
    {THING_OBJECT, "keys", "Object.keys(@)"},
    {THING_OBJECT, "values", "Object.values(@)"},
    {THING_OBJECT, "entries", "Object.entries(@)"},
    {THING_ARRAY, "add", "@.push(value)"},
    {THING_ARRAY, "size", "@.length"},
    {THING_STRING, "map",
	"@.split(\"\\n\").map(...), or JSON.parse(@) if it "
	"is JSON"},
    {THING_STRING, "filter",
	"@.split(\"\\n\").filter(...), or JSON.parse(@) "
	"if it is JSON"},
    {THING_STRING, "forEach",
	"@.split(\"\\n\").forEach(...), or "
	"JSON.parse(@) if it is JSON"},
    {THING_STRING, "toFixed", "Number(@).toFixed(2)"},
    {THING_STRING, "toISOString", "new Date(@).toISOString()"},
    {THING_NUMBER, "toUpperCase", "String(@).toUpperCase()"},
    {THING_NUMBER, "split", "String(@).split(...)"},
    {THING_MAP, "map", "[...@].map(([key, value]) => ...)"},
    {THING_MAP, "filter", "[...@].filter(([key, value]) => ...)"},
    {THING_SET, "map", "[...@].map(...)"},
    {THING_SET, "filter", "[...@].filter(...)"},
    {THING_SET, "push", "@.add(value)"},
    {THING_SET, "includes", "@.has(value)"},
    {THING_UNKNOWN, "contains", "@.includes(value)"},
    {THING_UNKNOWN, "startswith", "@.startsWith(value)"},
    {THING_UNKNOWN, "endswith", "@.endsWith(value)"},
    {THING_UNKNOWN, "strip", "@.trim()"},
    {THING_UNKNOWN, "append", "@.push(value)"},
    {THING_UNKNOWN, "len", "@.length"},
    {THING_UNKNOWN, "length", "@.length"},
    {THING_UNKNOWN, "json", "@ itself: what a tool gives is a value already"},
    {THING_UNKNOWN, "groupBy", "Object.groupBy(@, (y) => ...)"},
    {THING_UNKNOWN, "items", "Object.entries(@)"},
};

const char *
hint_for_method(thing_kind of, text method)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
		if ((methods[i].of == of || methods[i].of == THING_UNKNOWN) &&
		    text_eq(method, text_of(methods[i].method)))
			return methods[i].write;
	return NULL;
}

static const struct {
	const char *method, *says;
	bool of_object; /* it is said of the object, not of the call */
} nothing[] = {
    {"find", "found nothing", false},
    {"findLast", "found nothing", false},
    {"match", "matched nothing", false},
    {"exec", "matched nothing", false},
    {"get", "found nothing under that key", false},
    {"pop", "is empty", true},
    {"shift", "is empty", true},
    {"at", "found no such element", false},
    {"forEach", "never gives anything: use map", false},
};

const char *
hint_for_nothing(const js_node *call, const js_node **of)
{
	text method;

	*of = call;
	if (call->kind != JS_CALL)
		return NULL;
	if (call->child->kind == JS_NAME && node_is(call->child, "load"))
		return "found nothing in the store";
	method = call_method(call);
	for (size_t i = 0; i < sizeof(nothing) / sizeof(*nothing); i++) {
		if (!text_eq(method, text_of(nothing[i].method)))
			continue;
		if (nothing[i].of_object)
			*of = call->child->child;
		return nothing[i].says;
	}
	return NULL;
}
