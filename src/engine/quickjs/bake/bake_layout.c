/* SPDX-License-Identifier: MIT */
/*
 * bake_layout.c -- checks value_layout.h against the module.
 *
 * Part of the bake. In a VM of its own, it compares values that the module made
 * with value_layout.h, word by word. Then we and the module read a text with
 * every kind of value; both results must be the same to a script, and must
 * leave nothing behind when they are freed. A module that fails a check here
 * stops the build.
 */
#include "bake.h"

#include "engine/quickjs/value/value_layout.h"
#include "engine/quickjs/value/value_make.h"

#include "base/json.h"

#define FACT(is) fact(is, #is)

static void
fact(bool is, const char *what)
{
	if (!is)
		die("value_layout.h does not describe this module", what);
}

static js
eval_sample(engine *e, const char *code)
{
	js v = CALL(e, JS_Eval, e->ctx, qjs_copy(e, text_of(code)),
	    (uint32_t)strlen(code), qjs_copy(e, TEXT("sample")), 0);

	fact(v != JS_EXCEPTION, code);
	return v;
}

static void
look_at_blocks(engine *e)
{
	uint32_t count = get32(e, e->rt + RT_MALLOC_COUNT);
	uint32_t size = get32(e, e->rt + RT_MALLOC_SIZE);
	uint32_t at = CALL(e, js_malloc, e->ctx, 41);
	uint32_t number = get16(e, at - BLOCK_HEADER + BLOCK_NUMBER);
	uint32_t arena = at - BLOCK_HEADER - number * 56 - ARENA_BLOCKS;

	FACT(get32(e, e->rt + RT_MALLOC_COUNT) == count + 1);
	FACT(get32(e, e->rt + RT_MALLOC_SIZE) == size + 56);
	/* Class 5 has blocks of 56 bytes; its first arena heads the list. */
	FACT(get32(e, e->rt + RT_FREE_ARENAS + 5 * 8 + LIST_NEXT) == arena);
	FACT(get16(e, arena + ARENA_LEN) == (4096 - ARENA_BLOCKS) / 56);
	FACT(get16(e, arena + ARENA_USED) <= get16(e, arena + ARENA_LEN));
	number = get16(e, arena + ARENA_USED);
	CALL(e, js_free, e->ctx, at);
	FACT(get16(e, arena + ARENA_USED) == number - 1);
	FACT(arena + ARENA_BLOCKS + get16(e, arena + ARENA_FREE) * 56u +
		 BLOCK_HEADER ==
	     at);
	CALL(e, JS_SetMemoryLimit, e->rt, 123456789);
	FACT(get32(e, e->rt + RT_MALLOC_LIMIT) == 123456789);
	CALL(e, JS_SetMemoryLimit, e->rt, 0xffffffff);
	CALL(e, JS_SetGCThreshold, e->rt, 87654321);
	FACT(get32(e, e->rt + RT_GC_THRESHOLD) == 87654321);
}

static void
look_at_strings(engine *e)
{
	js v = CALL(
	    e, JS_NewStringLen, e->ctx, qjs_copy(e, TEXT("z\xc3\xa9z")), 4);
	uint32_t at = (uint32_t)v, list = e->rt + RT_STRINGS;

	FACT(js_tag(v) == -7 && get_refs(e, at) == 1);
	FACT(get32(e, at) == 3);
	FACT(get32(e, at + 4) == 0 && get32(e, at + 8) == 0);
	FACT(get32(e, at + 12) == 0);
	FACT(get32(e, at + STRING_LINK + LIST_NEXT) == list);
	FACT(get32(e, list + LIST_PREV) == at + STRING_LINK);
	FACT(memcmp(e->wall.base + at + STRING_UNITS, "z\xe9z", 4) == 0);
	v = CALL(
	    e, JS_NewStringLen, e->ctx, qjs_copy(e, TEXT("\xe2\x82\xac")), 3);
	at = (uint32_t)v;
	FACT(get32(e, at) == (1 | STRING_WIDE));
	FACT(get16(e, at + STRING_UNITS) == 0x20ac);
}

/* The kind of a string, and the type of the atom that it is. */
static uint32_t
string_bits(engine *e, const char *code)
{
	js v = eval_sample(e, code);

	fact(js_tag(v) == TAG_STRING, code);
	return get32(e, (uint32_t)v + STRING_HASH) >> STRING_KIND;
}

/* Slices are strings with another kind; ropes and symbols have other tags. */
static void
look_at_kinds(engine *e)
{
	enum { NORMAL = 0, SLICE = 1, ATOM = 1 << 2, SYMBOL = 3 << 2 };

	FACT(string_bits(e, "'x' + 1") == NORMAL);
	FACT(string_bits(e, "'x'.repeat(9999)") == NORMAL);
	FACT(string_bits(e, "'x'.repeat(3000).slice(1, 1500)") == SLICE);
	FACT(string_bits(e, "'\u20ac'.repeat(3000).slice(1, 1500)") == SLICE);
	FACT(string_bits(e, "Object.keys({zz: 1})[0]") == (NORMAL | ATOM));
	FACT(string_bits(e, "Symbol('z').description") == (NORMAL | SYMBOL));
	FACT(js_tag(eval_sample(e, "'x'.repeat(9999) + 'y'.repeat(9999)")) ==
	     TAG_ROPE);
	FACT(js_tag(eval_sample(e, "1n")) == TAG_SHORT_BIG_INT);
	FACT(js_tag(eval_sample(e, "1n << 99n")) == TAG_BIG_INT);
	FACT(js_tag(eval_sample(e, "Symbol('z')")) == TAG_STRING - 1);
}

/* The shape of an object with one member, zz. */
static void
look_at_names(engine *e, uint32_t shape)
{
	uint32_t mask = get32(e, shape + SHAPE_MASK);
	uint32_t prop = shape + SHAPE_PROPS + (mask + 1) * 4;
	uint32_t atom = get32(e, prop + PROP_ATOM);
	uint32_t string = get32(e, get32(e, e->rt + RT_ATOMS) + atom * 4);

	FACT((mask & (mask + 1)) == 0);
	FACT(get32(e, prop) >> PROP_FLAGS ==
	     (JS_CONFIGURABLE | JS_WRITABLE | JS_ENUMERABLE));
	FACT(atom < ATOM_INDEX && get32(e, string) == 2);
	FACT(memcmp(e->wall.base + string + STRING_UNITS, "zz", 3) == 0);
	FACT(get32(e, string + STRING_HASH) >> STRING_ATOM == ATOM_STRING);
	FACT(get32(e, shape + SHAPE_PROTOTYPE) == e->object_prototype);
	FACT(CALL(e, JS_GetPrototype, e->ctx,
		 JS_TAGGED(TAG_OBJECT, e->object_prototype)) == JS_NULL);
}

static void
look_at_objects(engine *e)
{
	js v = CALL(e, JS_NewObject, e->ctx);
	uint32_t at = (uint32_t)v, shape = get32(e, at + OBJECT_SHAPE);
	uint32_t list = e->rt + RT_GC_OBJECTS, was = get_refs(e, shape);

	FACT(js_tag(v) == -1 && get_refs(e, at) == 1);
	FACT(e->wall.base[at - BLOCK_HEADER + BLOCK_KIND] == 0);
	FACT(get32(e, at + LIST_NEXT) == list);
	FACT(get32(e, list + LIST_PREV) == at);
	FACT((get32(e, at + OBJECT_HEAD) & HEAD_BITS) == HEAD_OBJECT);
	FACT(CALL(e, js_malloc_usable_size, e->ctx, at) == OBJECT_SIZE);
	FACT(e->wall.base[shape + SHAPE_HASHED] == 1);
	FACT(get32(e, shape + SHAPE_COUNT) == 0);
	v = CALL(e, JS_NewObject, e->ctx);
	FACT(get32(e, (uint32_t)v + OBJECT_SHAPE) == shape);
	FACT(get_refs(e, shape) == was + 1);
	CALL(e, JS_DefinePropertyValueStr, e->ctx, v, qjs_copy(e, TEXT("zz")),
	    JS_INT(77), JS_CONFIGURABLE | JS_WRITABLE | JS_ENUMERABLE);
	FACT(qjs_read64(e, get32(e, (uint32_t)v + OBJECT_PROPS)) == JS_INT(77));
	shape = get32(e, (uint32_t)v + OBJECT_SHAPE);
	look_at_names(e, shape);
	FACT(get32(e, shape + SHAPE_COUNT) == 1);
	FACT(CALL(e, js_malloc_usable_size, e->ctx,
		 get32(e, (uint32_t)v + OBJECT_PROPS)) ==
	     get32(e, shape + SHAPE_SIZE) * 8);
}

/* The first JSShapeProperty of an object. */
static uint32_t
first_property(engine *e, const char *code)
{
	js v = eval_sample(e, code);
	uint32_t shape = get32(e, (uint32_t)v + OBJECT_SHAPE);

	return shape + SHAPE_PROPS + (get32(e, shape + SHAPE_MASK) + 1) * 4;
}

static uint32_t
property_flags(engine *e, const char *code)
{
	return get32(e, first_property(e, code)) >> PROP_FLAGS;
}

/* Indices up to INT32_MAX are no strings, larger ones are. */
static bool
is_index_atom(engine *e, const char *code)
{
	return get32(e, first_property(e, code) + PROP_ATOM) >= ATOM_INDEX;
}

static void
look_at_properties(engine *e)
{
	enum {
		OWN = JS_CONFIGURABLE | JS_WRITABLE,
		LENGTH = 1 << 3,
		ACCESSOR = 1 << 4
	};

	FACT(property_flags(e, "({a: 1})") == (OWN | JS_ENUMERABLE));
	FACT(property_flags(e, "Object.defineProperty({}, 'a', {value: 1})") ==
	     0);
	FACT(property_flags(e, "({get a() { return 1 }})") ==
	     (JS_CONFIGURABLE | JS_ENUMERABLE | ACCESSOR));
	FACT(property_flags(e, "({set a(x) {}})") ==
	     (JS_CONFIGURABLE | JS_ENUMERABLE | ACCESSOR));
	FACT(property_flags(e, "[]") == (JS_WRITABLE | LENGTH));
	FACT(is_index_atom(e, "({0: 1})"));
	FACT(is_index_atom(e, "({2147483647: 1})"));
	FACT(!is_index_atom(e, "({2147483648: 1})"));
}

/* These have a head, a shape or a prototype of their own. */
static const char *const not_plain[] = {"new Proxy({}, {})",
    "new Proxy([], {})", "new Uint8Array(3)",
    "(function () { return arguments })(1)",
    "(function () { 'use strict'; return arguments })(1)", "() => 1",
    "new Date(0)", "new Map()", "/x/", "Object(1)", "Object('x')",
    "new Error()", "Promise.resolve()", "new (class { x = 1 })()",
    "Object.create({})", "Object.freeze({a: 1})", "Object.seal({a: 1})",
    "JSON.rawJSON('1')", "Object.preventExtensions({})", "[, 1]",
    "Object.freeze([1])", "Object.assign([1], {a: 1})",
    "new (class extends Array {})()",
    "Object.defineProperty([], 'length', {writable: false})",
    "(() => { const a = [1, 2, 3]; delete a[1]; return a })()",
    "(() => { const a = [1]; a[9] = 1; return a })()", "Array.prototype"};

static void
look_at_others(engine *e)
{
	size_t i;

	for (i = 0; i < sizeof(not_plain) / sizeof(*not_plain); i++) {
		uint32_t at = (uint32_t)eval_sample(e, not_plain[i]);
		uint32_t shape = get32(e, at + OBJECT_SHAPE);
		uint32_t head = get32(e, at + OBJECT_HEAD) & HEAD_BITS;

		fact(
		    (head != HEAD_OBJECT || get32(e, shape + SHAPE_PROTOTYPE) !=
						e->object_prototype) &&
			(head != HEAD_ARRAY || shape != e->array_shape),
		    not_plain[i]);
	}
}

static void
look_at_arrays(engine *e)
{
	uint32_t values = qjs_copy(e, (text){(char[24]){0}, 24}), at;
	js v;

	qjs_write64(e, values, JS_INT(5));
	qjs_write64(e, values + 8, JS_TRUE);
	qjs_write64(e, values + 16, make_double(2.5));
	v = CALL(e, JS_NewArrayFrom, e->ctx, 3, values);
	at = (uint32_t)v;
	FACT((get32(e, at + OBJECT_HEAD) & HEAD_BITS) == HEAD_ARRAY);
	FACT(get32(e, at + OBJECT_SHAPE) == e->array_shape);
	FACT(get32(e, at + ARRAY_SIZE) == 3 && get32(e, at + ARRAY_COUNT) == 3);
	FACT(qjs_read64(e, get32(e, at + OBJECT_PROPS)) == JS_INT(3));
	at = get32(e, at + ARRAY_VALUES);
	FACT(qjs_read64(e, at) == JS_INT(5));
	FACT(qjs_read64(e, at + 16) == CALL(e, JS_NewNumber, e->ctx, 2.5));
	FACT(make_double(-0.0) == CALL(e, JS_NewNumber, e->ctx, -0.0));
	FACT(make_double(-7) == CALL(e, JS_NewNumber, e->ctx, -7));
	FACT(make_double(1e300) == CALL(e, JS_NewNumber, e->ctx, 1e300));
}

/* ------------------------------------------------------- frames of calls */

/* The two innermost frames of each call of probe(). */
typedef struct seen {
	js own, caller;
	uint32_t pc;
} seen;
static struct {
	seen call[3];
	unsigned len;
} probed;

static uint64_t
probe(void *instance, uint32_t ctx, uint64_t this, uint32_t argc, uint32_t argv,
    uint32_t magic, uint32_t data)
{
	engine *e = instance;
	uint32_t frame = get32(e, e->rt + RT_FRAME);
	uint32_t caller = get32(e, frame + FRAME_PREVIOUS);
	seen now = {qjs_read64(e, frame + FRAME_FUNCTION),
	    qjs_read64(e, caller + FRAME_FUNCTION),
	    get32(e, caller + FRAME_PC)};

	(void)ctx, (void)this, (void)argc, (void)argv, (void)magic, (void)data;
	if (probed.len < 3)
		probed.call[probed.len++] = now;
	return JS_UNDEFINED;
}

static void
look_at_frames(engine *e)
{
	text code = TEXT("(f) => { for (let i = 0; i < 2; i++) f(); f(); }");
	uint32_t slot = module_host_function(&e->wall.wasm, 0, probe);
	js f = CALL(e, JS_NewCFunctionData, e->ctx, slot, 0, 0, 0, 0);
	js caller = CALL(e, JS_Eval, e->ctx, qjs_copy(e, code),
	    (uint32_t)code.len, qjs_copy(e, TEXT("probe")), 0);
	const seen *s = probed.call;

	qjs_write64(e, e->scratch + 16, f);
	CALL(e, JS_Call, e->ctx, caller, JS_UNDEFINED, 1, e->scratch + 16);
	FACT(probed.len == 3);
	FACT(s[0].own == f && s[2].own == f);
	FACT(s[0].caller == caller && s[2].caller == caller);
	FACT(s[0].pc == s[1].pc && s[0].pc < s[2].pc);
	FACT(s[2].pc - s[0].pc < 64);
	FACT(get32(e, e->rt + RT_FRAME) == 0);
}

/* ----------------------------------------------------- both ways to read */

/* Objects of many kinds, arrays and strings of every size class. */
static void
write_sample(buf *b)
{
	int i;

	buf_str(b, "[{},[],\"\",null,true,false,-0,1e300,0.1,"
		   "12345678901234567890,{\"a\":1,\"a\":2,\"b\":{}},"
		   "{\"\\u0061\":\"\\ud83d\\ude00\\ud800\",\"__proto__\":[],"
		   "\"7\":\"\xe2\x82\xac\",\"3\":\"\xc3\xa9\"}");
	for (i = 0; i < 600; i++)
		buf_printf(b, ",{\"id\":%d,\"name\":\"%0*d\",\"some\":[%d,%d]}",
		    i, i + 1, i, i, -i);
	for (i = 0; i < 3000; i++)
		buf_printf(b, ",%d.5", i);
	for (i = 0; i < 200; i++)
		buf_printf(b, "%s\"k%d\":%d", i ? "," : ",{", i, i);
	buf_str(b, "}]");
}

static text
written(engine *e, js v)
{
	js s = CALL(e, JS_JSONStringify, e->ctx, v, JS_UNDEFINED, JS_UNDEFINED);

	fact(s != JS_EXCEPTION, "the sample can be written");
	return qjs_text(e, s);
}

static void
read_both_ways(engine *e, text sample)
{
	uint32_t count, name = qjs_copy(e, TEXT("json"));
	uint32_t at = qjs_copy(e, sample);
	js ours, theirs;

	count = get32(e, e->rt + RT_MALLOC_COUNT);
	ours = qjs_parse(e, sample, QJS_ROUND);
	fact(ours != JS_EXCEPTION, "the sample can be read");
	CALL(e, JS_RunGC, e->rt);
	qjs_free(e, ours);
	qjs_parse_forget(e);
	CALL(e, JS_RunGC, e->rt);
	FACT(get32(e, e->rt + RT_MALLOC_COUNT) == count);
	ours = qjs_parse(e, sample, QJS_ROUND);
	theirs = CALL(e, JS_ParseJSON, e->ctx, at, (uint32_t)sample.len, name);
	FACT(text_eq(written(e, ours), written(e, theirs)));
}

void
try_layout(engine *e)
{
	buf sample = BUF_INIT(NULL, 1u << 20);

	look_at_blocks(e);
	look_at_strings(e);
	look_at_kinds(e);
	look_at_objects(e);
	look_at_properties(e);
	look_at_others(e);
	look_at_arrays(e);
	look_at_frames(e);
	write_sample(&sample);
	fact(sample.bad == CM_OK, "the sample can be made");
	read_both_ways(e, buf_view(&sample));
	buf_fini(&sample);
}
