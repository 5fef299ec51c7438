/* SPDX-License-Identifier: MIT */
/*
 * schema_keywords.c -- each keyword of a schema has one function, which writes
 * its rule into the node; one table lists them.
 */
#include "schema_parts.h"

#include "base/sort.h"

enum { FEW = 8 /* names or values: these are searched one by one */ };

/* The node of a schema that is not in this text. */
static const schema_node elsewhere = {.kinds = KIND_ANY, .opaque = true};

/* The rules for one kind of value, made when the first keyword asks. */
#define RULES(type, member, initial)                                         \
	static type *rules_##member(compiler *c, schema_node *n)             \
	{                                                                    \
		type *r = (type *)n->member;                                 \
		if (r == NULL && (r = schema_take(c, sizeof(*r))) != NULL) { \
			*r = (type)initial;                                  \
			n->member = r;                                       \
		}                                                            \
		return r;                                                    \
	}

#define BOUNDS                     \
	{                          \
		.most = UINT64_MAX \
	}
#define ARRAY_BOUNDS                                     \
	{                                                \
		.most = UINT64_MAX, .contains_least = 1, \
		.contains_most = UINT64_MAX              \
	}
#define NOTHING      \
	{            \
		NULL \
	}
#define NO_LOGIC            \
	{                   \
		.ref = NULL \
	}

RULES(schema_number, number, NOTHING)
RULES(schema_string, string, BOUNDS)
RULES(schema_array, array, ARRAY_BOUNDS)
RULES(schema_object, object, BOUNDS)
RULES(schema_logic, logic, NO_LOGIC)

typedef void keyword_does(const keyword_use *u);

/* ------------------------------------------------------------- any value */

static const struct {
	text name;
	uint8_t kinds;
} type_names[] = {
    {TEXT_INIT("null"), KIND_NULL},
    {TEXT_INIT("boolean"), KIND_BOOLEAN},
    {TEXT_INIT("integer"), KIND_INTEGER},
    {TEXT_INIT("number"), KIND_INTEGER | KIND_FRACTION},
    {TEXT_INIT("string"), KIND_STRING},
    {TEXT_INIT("array"), KIND_ARRAY},
    {TEXT_INIT("object"), KIND_OBJECT},
};

static uint8_t
kinds_of_type(compiler *c, uint32_t at)
{
	for (size_t i = 0; i < sizeof(type_names) / sizeof(*type_names); i++)
		if (json_is(c->tree[at].value, type_names[i].name))
			return type_names[i].kinds;
	schema_refuse(c, at, "is no type");
	return 0;
}

static void
use_type(const keyword_use *u)
{
	uint8_t kinds = 0;
	uint32_t i;

	if (tree_kind(u->c, u->at) != JSON_ARRAY) {
		u->n->kinds &= kinds_of_type(u->c, u->at);
		return;
	}
	for (i = u->c->tree[u->at].first; i != SCHEMA_NONE;
	     i = u->c->tree[i].next)
		kinds |= kinds_of_type(u->c, i);
	u->n->kinds &= kinds;
}

typedef struct hashed {
	uint64_t hash;
	json value;
} hashed;

static int
by_hash(const void *a, const void *b)
{
	const hashed *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->value.ptr > y->value.ptr) - (x->value.ptr < y->value.ptr);
}

enum { HASH_DEPTH = 16 };

/* Sorts the values by their hashes. */
static void
hash_choice(compiler *c, schema_choice *choice, json *value)
{
	hashed *list = arena_take(&c->scratch, choice->len * sizeof(*list));
	uint64_t *hash = schema_take(c, choice->len * sizeof(*hash));

	if (list == NULL || hash == NULL) {
		c->failed = true;
		return;
	}
	for (size_t i = 0; i < choice->len; i++)
		list[i] = (hashed){value_hash(value[i], HASH_DEPTH), value[i]};
	sort(list, choice->len, sizeof(*list), by_hash);
	for (size_t i = 0; i < choice->len; i++) {
		hash[i] = list[i].hash;
		value[i] = list[i].value;
	}
	choice->hash = hash;
}

static void
add_choice(const keyword_use *u, size_t n, uint32_t first)
{
	schema_choice *choice = schema_take(u->c, sizeof(*choice));
	json *value = schema_take(u->c, (n + 1) * sizeof(*value));

	if (choice == NULL || value == NULL)
		return;
	for (size_t i = 0; i < n; i++) {
		value[i] = u->c->tree[first].value;
		first = u->c->tree[first].next;
	}
	choice->value = value;
	choice->len = n;
	choice->next = (schema_choice *)u->n->choice;
	u->n->choice = choice;
	if (n > FEW)
		hash_choice(u->c, choice, value);
}

static void
use_const(const keyword_use *u)
{
	add_choice(u, 1, u->at);
}

static void
use_enum(const keyword_use *u)
{
	if (tree_kind(u->c, u->at) != JSON_ARRAY)
		schema_refuse(u->c, u->at, "is no array");
	else
		add_choice(u, tree_count(u->c, u->at), u->c->tree[u->at].first);
}

/* ---------------------------------------------------------------- numbers */

static const decimal *
keep_decimal(const keyword_use *u)
{
	decimal *d = schema_take(u->c, sizeof(*d));

	if (tree_kind(u->c, u->at) != JSON_NUMBER)
		schema_refuse(u->c, u->at, "is no number");
	else if (d != NULL)
		*d = decimal_read(u->value);
	return d;
}

#define USE_NUMBER(name, member)                             \
	static void name(const keyword_use *u)               \
	{                                                    \
		schema_number *r = rules_number(u->c, u->n); \
		const decimal *d = keep_decimal(u);          \
		if (r != NULL && d != NULL)                  \
			r->member = d;                       \
	}

USE_NUMBER(use_minimum, least)
USE_NUMBER(use_maximum, most)
USE_NUMBER(use_above, above)
USE_NUMBER(use_below, below)
USE_NUMBER(use_multiple, multiple)

static bool
is_true_or_false(const keyword_use *u)
{
	json_kind kind = json_kind_of(u->value);

	return kind == JSON_TRUE || kind == JSON_FALSE;
}

/* In draft-04 it says whether the bound beside it belongs to the range. */
static void
use_exclusive(const keyword_use *u, const char *beside, keyword_does *does)
{
	keyword_use bound = *u;

	if (!is_true_or_false(u)) {
		does(u);
		return;
	}
	bound.at = tree_get(u->c, u->schema, beside);
	if (bound.at == SCHEMA_NONE || !json_bool(u->value, false))
		return;
	bound.value = u->c->tree[bound.at].value;
	does(&bound);
}

static void
use_exclusive_minimum(const keyword_use *u)
{
	use_exclusive(u, "minimum", use_above);
}

static void
use_exclusive_maximum(const keyword_use *u)
{
	use_exclusive(u, "maximum", use_below);
}

static void
use_multiple_of(const keyword_use *u)
{
	use_multiple(u);
	if (!u->c->failed && (u->n->number->multiple->digits == 0 ||
				 u->n->number->multiple->negative))
		schema_refuse(u->c, u->at, "is not above 0");
}

/* ----------------------------------------------------------------- counts */

static uint64_t
schema_count_of(const keyword_use *u)
{
	decimal d;

	if (tree_kind(u->c, u->at) != JSON_NUMBER) {
		schema_refuse(u->c, u->at, "is no number");
		return 0;
	}
	d = decimal_read(u->value);
	if (d.negative || !decimal_is_whole(d))
		schema_refuse(u->c, u->at, "is no count");
	for (; d.exponent > 0; d.exponent--) {
		if (d.digits > UINT64_MAX / 10)
			return UINT64_MAX;
		d.digits *= 10;
	}
	return d.digits;
}

#define USE_COUNT(name, rules, member)                 \
	static void name(const keyword_use *u)         \
	{                                              \
		uint64_t n = schema_count_of(u);       \
		if (rules(u->c, u->n) != NULL)         \
			rules(u->c, u->n)->member = n; \
	}

USE_COUNT(use_min_length, rules_string, least)
USE_COUNT(use_max_length, rules_string, most)
USE_COUNT(use_min_items, rules_array, least)
USE_COUNT(use_max_items, rules_array, most)
USE_COUNT(use_min_contains, rules_array, contains_least)
USE_COUNT(use_max_contains, rules_array, contains_most)
USE_COUNT(use_min_properties, rules_object, least)
USE_COUNT(use_max_properties, rules_object, most)

/* ---------------------------------------------------------------- strings */

static schema_pattern
make_schema_pattern(compiler *c, uint32_t at, json source)
{
	schema_pattern p = {.source = tree_text(c, source)};
	const char *why = NULL;

	if (c->failed)
		return p;
	p.program = pattern_compile(&c->made->arena, p.source, &why);
	if (p.program == NULL && why != NULL)
		schema_note_gap(c, at, why, p.source);
	else if (p.program == NULL)
		c->failed = true;
	return p;
}

static void
use_pattern(const keyword_use *u)
{
	schema_string *r = rules_string(u->c, u->n);
	schema_pattern *p = schema_take(u->c, sizeof(*p));

	if (r == NULL || p == NULL)
		return;
	if (tree_kind(u->c, u->at) != JSON_STRING) {
		schema_refuse(u->c, u->at, "is no text");
		return;
	}
	*p = make_schema_pattern(u->c, u->at, u->value);
	r->pattern = p;
}

/* ------------------------------------------------------- lists of schemas */

/* The children of `at`, which is an array or an object. */
static schema_nodes
want_children(compiler *c, uint32_t at)
{
	schema_nodes list = {NULL, tree_count(c, at)};
	size_t n = 0;

	list.node = schema_take(c, (list.len + 1) * sizeof(*list.node));
	for (uint32_t i = c->tree[at].first;
	     i != SCHEMA_NONE && list.node != NULL && !c->failed;
	     i = c->tree[i].next)
		list.node[n++] = schema_want_node(c, i);
	list.len = n;
	return list;
}

static schema_nodes
want_list(const keyword_use *u)
{
	if (tree_kind(u->c, u->at) == JSON_ARRAY)
		return want_children(u->c, u->at);
	schema_refuse(u->c, u->at, "is no array of schemas");
	return (schema_nodes){NULL, 0};
}

#define USE_SCHEMA(name, rules, member)                    \
	static void name(const keyword_use *u)             \
	{                                                  \
		if (rules(u->c, u->n) != NULL)             \
			rules(u->c, u->n)->member =        \
			    schema_want_node(u->c, u->at); \
	}

#define USE_LIST(name, rules, member)                             \
	static void name(const keyword_use *u)                    \
	{                                                         \
		if (rules(u->c, u->n) != NULL)                    \
			rules(u->c, u->n)->member = want_list(u); \
	}

USE_LIST(use_all_of, rules_logic, all)
USE_LIST(use_any_of, rules_logic, any)
USE_LIST(use_one_of, rules_logic, one)
USE_SCHEMA(use_not, rules_logic, no)
USE_SCHEMA(use_if, rules_logic, when)
USE_SCHEMA(use_then, rules_logic, then)
USE_SCHEMA(use_else, rules_logic, otherwise)

/* ----------------------------------------------------------------- arrays */

USE_LIST(use_prefix_items, rules_array, prefix)
USE_SCHEMA(use_rest, rules_array, rest)
USE_SCHEMA(use_contains, rules_array, contains)
USE_SCHEMA(use_unevaluated_items_rule, rules_array, unevaluated)

/* In older drafts an array of schemas is what prefixItems is now. */
static void
use_items(const keyword_use *u)
{
	if (tree_kind(u->c, u->at) == JSON_ARRAY)
		use_prefix_items(u);
	else
		use_rest(u);
}

static void
use_additional_items(const keyword_use *u)
{
	uint32_t items = tree_get(u->c, u->schema, "items");

	if (tree_kind(u->c, items) == JSON_ARRAY)
		use_rest(u);
}

static void
use_unevaluated_items(const keyword_use *u)
{
	use_unevaluated_items_rule(u);
	u->n->watches = true;
}

static void
use_unique_items(const keyword_use *u)
{
	if (!is_true_or_false(u))
		schema_refuse(u->c, u->at, "is neither true nor false");
	else if (rules_array(u->c, u->n) != NULL)
		rules_array(u->c, u->n)->unique = json_bool(u->value, false);
}

/* ---------------------------------------------------------------- objects */

USE_SCHEMA(use_additional_properties, rules_object, additional)
USE_SCHEMA(use_property_names, rules_object, property_names)
USE_SCHEMA(use_unevaluated_properties_rule, rules_object, unevaluated)

static void
use_unevaluated_properties(const keyword_use *u)
{
	use_unevaluated_properties_rule(u);
	u->n->watches = true;
}

static bool
is_map_of_schemas(const keyword_use *u)
{
	if (tree_kind(u->c, u->at) == JSON_OBJECT)
		return true;
	schema_refuse(u->c, u->at, "is no object of schemas");
	return false;
}

static int
by_schema_name(const void *a, const void *b)
{
	const schema_name *x = a, *y = b;

	return schema_name_order(x->name, y->name);
}

/* Adds the names of the children of `at`; those of an object with their
 * schemas. */
static void
add_schema_names(compiler *c, schema_object *o, uint32_t at)
{
	bool needs = tree_kind(c, at) == JSON_ARRAY;
	uint32_t i;

	for (i = at == SCHEMA_NONE ? at : c->tree[at].first;
	     i != SCHEMA_NONE && !c->failed; i = c->tree[i].next) {
		schema_name *to = &o->name[o->names];

		if (needs && tree_kind(c, i) != JSON_STRING) {
			schema_refuse(c, i, "is no name");
			return;
		}
		to->name =
		    tree_text(c, needs ? c->tree[i].value : c->tree[i].key);
		to->node = needs ? NULL : schema_want_node(c, i);
		to->required = needs ? 0 : SCHEMA_NONE;
		o->names++;
	}
}

/* Sorts the names, makes one of equal ones, and numbers the required ones. */
static void
settle_names(schema_object *o)
{
	size_t n = 0;

	sort(o->name, o->names, sizeof(*o->name), by_schema_name);
	for (size_t i = 0; i < o->names; i++) {
		schema_name *last = &o->name[n > 0 ? n - 1 : 0];

		if (n == 0 || !text_eq(last->name, o->name[i].name)) {
			o->name[n++] = o->name[i];
			continue;
		}
		if (last->node == NULL)
			last->node = o->name[i].node;
		if (last->required == SCHEMA_NONE)
			last->required = o->name[i].required;
	}
	o->names = n;
	for (size_t i = 0; i < n; i++)
		if (o->name[i].required != SCHEMA_NONE)
			o->name[i].required = (uint32_t)o->required++;
}

/* properties and required make one table of names, when the first of the two
 * comes. */
static void
use_names(const keyword_use *u)
{
	compiler *c = u->c;
	uint32_t props = tree_get(c, u->schema, "properties");
	uint32_t needs = tree_get(c, u->schema, "required");
	schema_object *o = rules_object(c, u->n);
	size_t most = 0;

	if (o == NULL || o->name != NULL)
		return;
	if (props != SCHEMA_NONE && tree_kind(c, props) != JSON_OBJECT)
		schema_refuse(c, props, "is no object of schemas");
	if (needs != SCHEMA_NONE && tree_kind(c, needs) != JSON_ARRAY)
		schema_refuse(c, needs, "is no array of names");
	if (c->failed)
		return;
	most += props == SCHEMA_NONE ? 0 : tree_count(c, props);
	most += needs == SCHEMA_NONE ? 0 : tree_count(c, needs);
	if ((o->name = schema_take(c, (most + 1) * sizeof(*o->name))) == NULL)
		return;
	add_schema_names(c, o, props);
	add_schema_names(c, o, needs);
	settle_names(o);
}

static void
use_pattern_properties(const keyword_use *u)
{
	compiler *c = u->c;
	schema_object *o = rules_object(c, u->n);
	schema_pattern *list;
	size_t n = 0;

	if (o == NULL || !is_map_of_schemas(u))
		return;
	list = schema_take(c, (tree_count(c, u->at) + 1) * sizeof(*list));
	for (uint32_t i = c->tree[u->at].first; i != SCHEMA_NONE && !c->failed;
	     i = c->tree[i].next) {
		list[n] = make_schema_pattern(c, i, c->tree[i].key);
		list[n++].node = schema_want_node(c, i);
	}
	o->pattern = list;
	o->patterns = n;
}

/* One member of dependencies and its like: names, or a schema. */
static schema_depends
make_depends(compiler *c, uint32_t at)
{
	schema_depends d = {.name = tree_text(c, c->tree[at].key)};
	text *names;

	if (tree_kind(c, at) != JSON_ARRAY) {
		d.node = schema_want_node(c, at);
		return d;
	}
	names = schema_take(c, (tree_count(c, at) + 1) * sizeof(*names));
	for (uint32_t i = c->tree[at].first; i != SCHEMA_NONE && !c->failed;
	     i = c->tree[i].next) {
		if (tree_kind(c, i) != JSON_STRING)
			schema_refuse(c, i, "is no name");
		else
			names[d.len++] = tree_text(c, c->tree[i].value);
	}
	d.required = names;
	return d;
}

/* The rules of several keywords are joined. */
static void
use_depends(const keyword_use *u)
{
	compiler *c = u->c;
	schema_object *o = rules_object(c, u->n);
	schema_depends *list;

	if (o == NULL || !is_map_of_schemas(u))
		return;
	list = schema_take(
	    c, (o->dependents + tree_count(c, u->at) + 1) * sizeof(*list));
	if (list == NULL)
		return;
	if (o->dependents > 0)
		memcpy(list, o->depends, o->dependents * sizeof(*list));
	for (uint32_t i = c->tree[u->at].first; i != SCHEMA_NONE && !c->failed;
	     i = c->tree[i].next)
		list[o->dependents++] = make_depends(c, i);
	o->depends = list;
}

/* ------------------------------------------------------------- references */

/* The node that the reference leads to; dynamic_name is set when it is the
 * name of a $dynamicAnchor there. */
static const schema_node *
want_target(const keyword_use *u, text *dynamic_name)
{
	text fragment = TEXT_NONE;
	uint32_t at;

	if (tree_kind(u->c, u->at) != JSON_STRING) {
		schema_refuse(u->c, u->at, "is no text");
		return &elsewhere;
	}
	at = ids_find(u->c, u->schema, tree_text(u->c, u->value), &fragment);
	if (at == SCHEMA_NONE)
		return &elsewhere;
	if (ids_is_dynamic(u->c, at, fragment)) {
		char *copy = schema_take(u->c, fragment.len + 1);

		if (copy != NULL && fragment.len > 0)
			memcpy(copy, fragment.ptr, fragment.len);
		*dynamic_name = (text){copy, fragment.len};
	}
	return schema_want_node(u->c, at);
}

static void
use_ref(const keyword_use *u)
{
	schema_logic *l = rules_logic(u->c, u->n);
	text ignored;

	if (l != NULL)
		l->ref = want_target(u, &ignored);
}

static void
use_dynamic_ref(const keyword_use *u)
{
	schema_logic *l = rules_logic(u->c, u->n);

	if (l != NULL)
		l->dynamic = want_target(u, &l->dynamic_name);
}

/* ------------------------------------------------------------ the keywords */

/* Which drafts know it. */
enum { DRAFT_7 = 1, DRAFT_2020 = 2, DRAFTS = 3 };

static const struct {
	text name;
	int drafts;
	keyword_does *does;
} uses[] = {
    {TEXT_INIT("$dynamicRef"), DRAFT_2020, use_dynamic_ref},
    {TEXT_INIT("$recursiveRef"), DRAFT_2020, use_ref}, /* 2019-09 */
    {TEXT_INIT("$ref"), DRAFTS, use_ref},
    {TEXT_INIT("additionalItems"), DRAFTS, use_additional_items},
    {TEXT_INIT("additionalProperties"), DRAFTS, use_additional_properties},
    {TEXT_INIT("allOf"), DRAFTS, use_all_of},
    {TEXT_INIT("anyOf"), DRAFTS, use_any_of},
    {TEXT_INIT("const"), DRAFTS, use_const},
    {TEXT_INIT("contains"), DRAFTS, use_contains},
    {TEXT_INIT("dependencies"), DRAFT_7, use_depends},
    {TEXT_INIT("dependentRequired"), DRAFT_2020, use_depends},
    {TEXT_INIT("dependentSchemas"), DRAFT_2020, use_depends},
    {TEXT_INIT("else"), DRAFTS, use_else},
    {TEXT_INIT("enum"), DRAFTS, use_enum},
    {TEXT_INIT("exclusiveMaximum"), DRAFTS, use_exclusive_maximum},
    {TEXT_INIT("exclusiveMinimum"), DRAFTS, use_exclusive_minimum},
    {TEXT_INIT("if"), DRAFTS, use_if},
    {TEXT_INIT("items"), DRAFTS, use_items},
    {TEXT_INIT("maxContains"), DRAFT_2020, use_max_contains},
    {TEXT_INIT("maxItems"), DRAFTS, use_max_items},
    {TEXT_INIT("maxLength"), DRAFTS, use_max_length},
    {TEXT_INIT("maxProperties"), DRAFTS, use_max_properties},
    {TEXT_INIT("maximum"), DRAFTS, use_maximum},
    {TEXT_INIT("minContains"), DRAFT_2020, use_min_contains},
    {TEXT_INIT("minItems"), DRAFTS, use_min_items},
    {TEXT_INIT("minLength"), DRAFTS, use_min_length},
    {TEXT_INIT("minProperties"), DRAFTS, use_min_properties},
    {TEXT_INIT("minimum"), DRAFTS, use_minimum},
    {TEXT_INIT("multipleOf"), DRAFTS, use_multiple_of},
    {TEXT_INIT("not"), DRAFTS, use_not},
    {TEXT_INIT("oneOf"), DRAFTS, use_one_of},
    {TEXT_INIT("pattern"), DRAFTS, use_pattern},
    {TEXT_INIT("patternProperties"), DRAFTS, use_pattern_properties},
    {TEXT_INIT("prefixItems"), DRAFT_2020, use_prefix_items},
    {TEXT_INIT("properties"), DRAFTS, use_names},
    {TEXT_INIT("propertyNames"), DRAFTS, use_property_names},
    {TEXT_INIT("required"), DRAFTS, use_names},
    {TEXT_INIT("then"), DRAFTS, use_then},
    {TEXT_INIT("type"), DRAFTS, use_type},
    {TEXT_INIT("unevaluatedItems"), DRAFT_2020, use_unevaluated_items},
    {TEXT_INIT("unevaluatedProperties"), DRAFT_2020,
	use_unevaluated_properties},
    {TEXT_INIT("uniqueItems"), DRAFTS, use_unique_items},
};

void
schema_use_keyword(const keyword_use *u)
{
	int draft = u->c->draft7 ? DRAFT_7 : DRAFT_2020;
	json key = u->c->tree[u->at].key;

	for (size_t i = 0; i < sizeof(uses) / sizeof(*uses); i++)
		if (json_is(key, uses[i].name)) {
			if ((uses[i].drafts & draft) != 0)
				uses[i].does(u);
			return;
		}
}
