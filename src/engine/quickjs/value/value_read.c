/* SPDX-License-Identifier: MIT */
/*
 * value_read.c -- JSON into the engine.
 *
 * The text is read in the owner's memory and becomes values at once; it is not
 * copied as a whole. It was checked (json_check), so a reader only finds where
 * each value ends. The result is that of JSON.parse: own properties only, the
 * last of equal names at the place of the first.
 *
 * Most objects have the same members as others, in one text or in one answer
 * after the other. Objects with the same members in the same order are a kind.
 * For each kind the module makes a pattern, member by member; the objects share
 * its shape (value_make.c). The kinds form a tree of names. The next name is
 * mostly that of the latest child, so one comparison of bytes finds it.
 *
 * Values wait on a stack until their array or object is complete. json_check
 * bounded the nesting; a level takes some 300 bytes of the VM stack, and the
 * guard page of that stack ends a run that needs more.
 */
#include "value_same.h"

#include "base/swar.h"

#define NODES_MAX    2048u  /* kinds of objects; further ones are made slowly */
#define NODES_KEPT   256u   /* from one text to the next */
#define NAMES_MAX    65536u /* bytes of all names of kinds */
#define SIBLINGS_MAX 16u
#define MEMBERS_MAX  128u  /* of an object whose kind is remembered */
#define LARGE        4096u /* bytes of a large text */
#define SPILL        1024u /* elements of an array that wait on the stack */

/* A node of the tree of names: an object with the members on the path from the
 * root to here, in that order. Node 0 is the root: {}. */
typedef struct node {
	uint32_t name, name_len; /* in names, raw as in the text */
	uint32_t parent;
	uint32_t child;   /* the latest one; 0: none */
	uint32_t sibling; /* the child of parent before it; 0: none */
	uint32_t members;
	bool tried;       /* the pattern was made, or could not be */
	make_shape shape; /* .at 0: no pattern */
	js pattern;       /* keeps the shape alive; no script has it */
} node;

#define NO_NODE UINT32_MAX

/* The engine owns it, because a trap may leave any function at a call into the
 * module (W2). */
typedef struct parser {
	const char *p, *end; /* the rest of the text */
	js *value;           /* complete values of incomplete arrays, objects */
	size_t values, values_cap;
	node *node;
	size_t nodes, nodes_cap;
	buf names;
	qjs_integers integers;
	bool large; /* look for equal strings in this text */
	same_slot same[SAME_SLOTS];
} parser;

static bool read_value(engine *e, parser *s);

/* ------------------------------------------------------- the value stack */

static bool
out_of_memory(engine *e)
{
	CALL(e, JS_ThrowOutOfMemory, e->ctx);
	return false;
}

/* False when v is an exception; otherwise v belongs to the stack. */
static bool
push_value(engine *e, parser *s, js v)
{
	if (v == JS_EXCEPTION)
		return false;
	if (s->values == s->values_cap &&
	    !mem_grow(e->start.alloc, (void **)&s->value, &s->values_cap,
		s->values, sizeof(*s->value))) {
		qjs_free(e, v);
		return out_of_memory(e);
	}
	s->value[s->values++] = v;
	return true;
}

static void
drop_to(engine *e, parser *s, size_t values)
{
	while (s->values > values)
		qjs_free(e, s->value[--s->values]);
}

/* Puts v in the place of the values above base, unless v is an exception. */
static bool
replace_values(engine *e, parser *s, size_t base, js v)
{
	if (v == JS_EXCEPTION)
		return false;
	s->values = base;
	return push_value(e, s, v);
}

/* --------------------------------------------------------------- tokens */

static inline void
skip_json_space(parser *s)
{
	while (s->p < s->end && (unsigned char)*s->p <= ' ')
		s->p++;
}

/* Reads one character of punctuation and the space around it. */
static inline char
take_punctuation(parser *s)
{
	char c;

	skip_json_space(s);
	c = *s->p++;
	skip_json_space(s);
	return c;
}

/* The string that begins at s->p, without its quotes. *plain: it is ASCII and
 * has no escapes. */
static text
take_string(parser *s, bool *plain)
{
	const char *begin = ++s->p, *p = begin;
	uint64_t stops = 0;

	*plain = true;
	for (;;) {
		while (s->end - p >= 8 &&
		       (stops = swar_string_stops(swar_load(p))) == 0)
			p += 8;
		if (s->end - p >= 8)
			p += swar_first(stops);
		if (*p == '"')
			break;
		if (*p == '\\' || (unsigned char)*p >= 0x80)
			*plain = false;
		p += *p == '\\' ? 2 : 1;
	}
	s->p = p + 1;
	return (text){begin, (size_t)(p - begin)};
}

static js
read_string(engine *e, parser *s)
{
	bool plain;
	text raw = take_string(s, &plain);

	if (!plain)
		return make_string(e, raw);
	return s->large && raw.len <= SAME_LEN
		   ? same_ascii(e, s->same, raw)
		   : make_ascii(e, raw.ptr, raw.len);
}

/* --------------------------------------------------------------- numbers */

/* A decimal: digits × 10^exponent. */
typedef struct decimal {
	uint64_t digits;
	int exponent;
	bool exact; /* no digit was lost */
} decimal;

static const char *
take_digits(const char *p, const char *end, decimal *d, int step)
{
	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		if (d->digits > UINT64_MAX / 10 - 1)
			d->exact = false;
		d->digits = d->digits * 10 + (uint64_t)(*p - '0');
		d->exponent -= step;
	}
	return p;
}

static const char *
take_exponent(const char *p, const char *end, decimal *d)
{
	bool minus = *p == '-';
	int n = 0;

	if (*p == '-' || *p == '+')
		p++;
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		n = n < 10000 ? n * 10 + (*p - '0') : n;
	d->exponent += minus ? -n : n;
	return p;
}

/* An integer of more digits than a double holds. The module rounds it. */
static js
read_long_integer(engine *e, parser *s, text digits)
{
	js v = qjs_module_parse(e, digits), string;
	text t;
	bool same;

	if (v == JS_EXCEPTION ||
	    (s->integers == QJS_ROUND && e->rounded.len > 0))
		return v;
	string = CALL(e, JS_ToString, e->ctx, v);
	t = string == JS_EXCEPTION ? TEXT_NONE : qjs_text(e, string);
	same = text_eq(t, digits);
	qjs_text_free(e, t);
	qjs_free(e, string);
	if (t.ptr == NULL || (same && s->integers != QJS_EXACT))
		return v;
	if (s->integers == QJS_ROUND) {
		e->rounded = digits;
		return v;
	}
	qjs_free(e, v);
	string = make_ascii(e, digits.ptr, digits.len);
	v = string == JS_EXCEPTION ? string
				   : qjs_env(e, ENV_big_int, 1, &string);
	qjs_free(e, string);
	return v;
}

/* Both factors are exact doubles, so the result is rounded once. */
static bool
to_double(const decimal *d, double *out)
{
	static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
	    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
	    1e19, 1e20, 1e21, 1e22};
	double whole = (double)d->digits;

	if (!d->exact || d->digits > (uint64_t)1 << 53 || d->exponent > 22 ||
	    d->exponent < -22)
		return false;
	*out = d->exponent < 0 ? whole / power[-d->exponent]
			       : whole * power[d->exponent];
	return true;
}

static js
read_number(engine *e, parser *s)
{
	decimal d = {0, 0, true};
	const char *begin = s->p, *p = begin + (*begin == '-'), *whole;
	double value;

	p = whole = take_digits(p, s->end, &d, 0);
	if (p < s->end && *p == '.')
		p = take_digits(p + 1, s->end, &d, 1);
	if (p < s->end && (*p | 0x20) == 'e')
		p = take_exponent(p + 1, s->end, &d);
	s->p = p;
	if (!to_double(&d, &value)) {
		text t = {begin, (size_t)(p - begin)};

		return p == whole ? read_long_integer(e, s, t)
				  : qjs_module_parse(e, t);
	}
	return make_double(*begin == '-' ? -value : value);
}

/* ---------------------------------------------------------------- arrays */

/* Elements that left the stack, in a block of js_malloc. */
typedef struct spilled {
	uint32_t at, len, cap;
} spilled;

static bool
resize_spilled(engine *e, spilled *a, uint32_t cap)
{
	uint32_t at = cap > UINT32_MAX / 8
			  ? 0
			  : CALL(e, js_realloc, e->ctx, a->at, cap * 8);

	if (at == 0)
		return cap > UINT32_MAX / 8 ? out_of_memory(e) : false;
	a->at = at;
	a->cap = cap;
	return true;
}

static bool
spill_values(engine *e, parser *s, size_t base, spilled *a)
{
	uint32_t n = (uint32_t)(s->values - base);

	if (n > a->cap - a->len &&
	    !resize_spilled(e, a, a->cap + a->cap / 2 + n))
		return false;
	memcpy(e->wall.base + a->at + (size_t)a->len * 8, s->value + base,
	    n * sizeof(js));
	a->len += n;
	s->values = base;
	return true;
}

static void
drop_spilled(engine *e, spilled *a)
{
	while (a->len > 0)
		qjs_free(e, qjs_read64(e, a->at + --a->len * 8));
	if (a->at != 0)
		CALL(e, js_free, e->ctx, a->at);
}

static bool
read_elements(engine *e, parser *s, spilled *a)
{
	size_t base = s->values;

	do {
		if (!read_value(e, s))
			return false;
		if (s->values - base == SPILL && !spill_values(e, s, base, a))
			return false;
	} while (take_punctuation(s) == ',');
	return a->at == 0 ||
	       (spill_values(e, s, base, a) && resize_spilled(e, a, a->len));
}

static bool
read_array(engine *e, parser *s)
{
	size_t base = s->values;
	spilled a = {0, 0, 0};
	js array;

	take_punctuation(s);
	if (*s->p == ']') {
		s->p++;
		return push_value(e, s, make_array_from(e, NULL, 0));
	}
	if (!read_elements(e, s, &a)) {
		drop_spilled(e, &a);
		return false;
	}
	if (a.at == 0)
		return replace_values(e, s, base,
		    make_array_from(
			e, s->value + base, (uint32_t)(s->values - base)));
	array = make_array_of(e, a.at, a.len, a.cap);
	if (array == JS_EXCEPTION)
		drop_spilled(e, &a);
	return push_value(e, s, array);
}

/* --------------------------------------------------------------- objects */

static text
kind_name(const parser *s, uint32_t n)
{
	return (text){s->names.ptr + s->node[n].name, s->node[n].name_len};
}

static bool
has_kind_room(engine *e, parser *s, uint32_t parent, size_t name)
{
	return s->nodes < NODES_MAX && s->names.len + name <= NAMES_MAX &&
	       s->node[parent].members < MEMBERS_MAX &&
	       mem_grow(e->start.alloc, (void **)&s->node, &s->nodes_cap,
		   s->nodes, sizeof(*s->node));
}

/* The child of that name, or a new one; NO_NODE: there are too many. */
static uint32_t
step_to_kind(engine *e, parser *s, uint32_t parent, text name)
{
	uint32_t n, siblings = 0, at = (uint32_t)s->names.len;

	for (n = s->node[parent].child; n != 0; n = s->node[n].sibling) {
		if (text_eq(kind_name(s, n), name))
			return n;
		siblings++;
	}
	if (siblings >= SIBLINGS_MAX || !has_kind_room(e, s, parent, name.len))
		return NO_NODE;
	buf_text(&s->names, name);
	if (s->names.bad != CM_OK)
		return NO_NODE;
	n = (uint32_t)s->nodes++;
	s->node[n] = (node){.name = at,
	    .name_len = (uint32_t)name.len,
	    .parent = parent,
	    .sibling = s->node[parent].child,
	    .members = s->node[parent].members + 1};
	s->node[parent].child = n;
	return n;
}

/* Gives object the member; value becomes the object's, also on failure. */
static bool
define_member(engine *e, js object, text key, js value)
{
	js name = make_string(e, key);
	uint32_t atom =
	    name == JS_EXCEPTION ? 0 : CALL(e, JS_ValueToAtom, e->ctx, name);
	int32_t r;

	qjs_free(e, name);
	if (atom == 0) {
		qjs_free(e, value);
		return false;
	}
	r = (int32_t)CALL(e, JS_DefinePropertyValue, e->ctx, object, atom,
	    value, JS_CONFIGURABLE | JS_WRITABLE | JS_ENUMERABLE);
	CALL(e, JS_FreeAtom, e->ctx, atom);
	return r >= 0;
}

/* Gives object the members on the path to n: those of value, or null. */
static bool
define_path(engine *e, parser *s, js object, uint32_t n, js *value)
{
	uint32_t way[MEMBERS_MAX], i, members = s->node[n].members;
	js v = JS_NULL;

	for (i = members; i > 0; n = s->node[n].parent)
		way[--i] = n;
	for (i = 0; i < members; i++) {
		if (value != NULL) {
			v = value[i];
			value[i] = JS_NULL; /* it belongs to object now */
		}
		if (!define_member(e, object, kind_name(s, way[i]), v))
			return false;
	}
	return true;
}

/* The module makes an object of the values above base. */
static bool
make_slowly(engine *e, parser *s, uint32_t n, size_t base)
{
	js object = CALL(e, JS_NewObject, e->ctx);

	if (!push_value(e, s, object) ||
	    !define_path(e, s, object, n, s->value + base))
		return false;
	s->values = base;
	return push_value(e, s, object);
}

static bool
make_pattern(engine *e, parser *s, uint32_t n)
{
	js object = CALL(e, JS_NewObject, e->ctx);
	node *kind = &s->node[n];

	if (object == JS_EXCEPTION)
		return false;
	if (!define_path(e, s, object, n, NULL)) {
		qjs_free(e, object);
		return false;
	}
	kind->tried = true;
	kind->shape = make_shape_of(e, object, kind->members);
	if (kind->shape.at != 0)
		kind->pattern = object;
	else
		qjs_free(e, object);
	return true;
}

/* Makes the object of kind n from the values above base. */
static bool
finish_object(engine *e, parser *s, uint32_t n, size_t base)
{
	const node *kind = &s->node[n];

	if (!kind->tried && !make_pattern(e, s, n))
		return false;
	if (kind->shape.at == 0)
		return make_slowly(e, s, n, base);
	return replace_values(e, s, base,
	    make_object(e, kind->shape, s->value + base, kind->members));
}

static text
take_key(parser *s)
{
	bool plain;
	text key = take_string(s, &plain);

	take_punctuation(s); /* the colon */
	return key;
}

/* The object has no kind. The members before key are on the stack, in the order
 * of n; the module adds each further member as it is read. */
static bool
read_the_rest(engine *e, parser *s, uint32_t n, size_t base, text key)
{
	if (!make_slowly(e, s, n, base))
		return false;
	for (;;) {
		if (!read_value(e, s))
			return false;
		s->values--;
		if (!define_member(e, s->value[base], key, s->value[s->values]))
			return false;
		if (take_punctuation(s) != ',')
			return true;
		key = take_key(s);
	}
}

static bool
read_object(engine *e, parser *s)
{
	size_t base = s->values;
	uint32_t n = 0, next;
	text key;

	take_punctuation(s);
	if (*s->p == '}') {
		s->p++;
		return finish_object(e, s, n, base);
	}
	do {
		key = take_key(s);
		next = step_to_kind(e, s, n, key);
		if (next == NO_NODE)
			return read_the_rest(e, s, n, base, key);
		n = next;
		if (!read_value(e, s))
			return false;
	} while (take_punctuation(s) == ',');
	return finish_object(e, s, n, base);
}

/* ---------------------------------------------------------------- values */

static js
read_literal(parser *s, size_t len, js v)
{
	s->p += len;
	return v;
}

/* Pushes the value at s->p; false: something was thrown. */
static bool
read_value(engine *e, parser *s)
{
	switch (*s->p) {
	case '{':
		return read_object(e, s);
	case '[':
		return read_array(e, s);
	case '"':
		return push_value(e, s, read_string(e, s));
	case 't':
		return push_value(e, s, read_literal(s, 4, JS_TRUE));
	case 'f':
		return push_value(e, s, read_literal(s, 5, JS_FALSE));
	case 'n':
		return push_value(e, s, read_literal(s, 4, JS_NULL));
	default:
		return push_value(e, s, read_number(e, s));
	}
}

void
qjs_parse_forget(engine *e)
{
	parser *s = e->parser;

	while (s != NULL && s->nodes > 0)
		qjs_free(e, s->node[--s->nodes].pattern);
	qjs_parse_fini(e);
}

/* Keeps what is small for the next text. */
static void
end_parse(engine *e, parser *s)
{
	drop_to(e, s, 0);
	if (s->large)
		same_clear(e, s->same);
	if (s->nodes > NODES_KEPT || s->values_cap > 4096)
		qjs_parse_forget(e);
}

/* The parser at the beginning of t; NULL: out of memory. */
static parser *
begin_parse(engine *e, json t)
{
	parser *s = e->parser;

	if (s == NULL) {
		s = e->parser = mem_new(e->start.alloc, sizeof(*s));
		if (s == NULL)
			return NULL;
		s->names = BUF_INIT(e->start.alloc, NAMES_MAX);
	}
	if (!mem_grow(e->start.alloc, (void **)&s->node, &s->nodes_cap, 0,
		sizeof(*s->node)))
		return NULL;
	if (s->nodes == 0)
		s->node[s->nodes++] = (node){0};
	s->p = t.ptr;
	s->end = t.ptr + t.len;
	s->large = t.len >= LARGE;
	return s;
}

js
qjs_parse(engine *e, json t, qjs_integers integers)
{
	js v = JS_EXCEPTION;
	parser *s;

	e->rounded = TEXT_NONE;
	if (t.len == 0)
		return JS_UNDEFINED;
	if ((s = begin_parse(e, t)) == NULL)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx);
	s->integers = integers;
	make_collect(e, t.len);
	if (read_value(e, s))
		v = s->value[--s->values];
	end_parse(e, s);
	make_collected(e);
	return v;
}

void
qjs_parse_fini(engine *e)
{
	const cm_alloc *a = e->start.alloc;
	parser *s = e->parser;

	if (s == NULL)
		return;
	mem_free(a, s->value, s->values_cap * sizeof(*s->value));
	mem_free(a, s->node, s->nodes_cap * sizeof(*s->node));
	buf_fini(&s->names);
	mem_free(a, s, sizeof(*s));
	e->parser = NULL;
}
