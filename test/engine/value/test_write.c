/* SPDX-License-Identifier: MIT */
/*
 * test_write.c -- plain values as we write them are what JSON.stringify makes.
 *
 * Scripts make values, picked ones and ones at random; each is written by us
 * and by the module, which is told to write the digits of a BigInt. What we
 * write must be the same, byte for byte; but U+2028 and U+2029, which the module
 * writes as they are, are escaped. Which of the
 * picked values are plain is listed here; of the random ones both kinds must
 * occur. Nothing may be left behind, and where memory runs out nothing is wrong.
 */
#include "unit.h"

#include "maker.h"
#include "still.h"

#include "engine/quickjs/value/value_layout.h"

#include <codemode/codemode.h>

typedef struct bed {
	engine *e;
	text code; /* an expression, or a function to call */
	js maker, replacer;
	uint64_t seed;
	uint32_t made; /* values of one seed */
	unsigned ours, theirs;
	bool plain;
	char said[500];
} bed;

static bed
bed_new(void)
{
	return (bed){.e = engine_new(NULL)};
}

static void
note(bed *b, const char *what, text t)
{
	snprintf(b->said, sizeof(b->said), "%s: %.*s: %.*s", what,
	    (int)(b->code.len < 200 ? b->code.len : 200), b->code.ptr,
	    (int)(t.len < 200 ? t.len : 200), t.ptr);
}

static const char digits[] =
    "(k, v) => typeof v === 'bigint' ? JSON.rawJSON(String(v)) : v";

/* Is ours the same as theirs, but for the escapes of U+2028 and U+2029? */
static bool
same_json(text ours, text theirs)
{
	size_t i = 0, j = 0, n;

	while (i < ours.len && j < theirs.len) {
		n = ours.ptr[i] == '\\' ? 2 : 1;
		if (text_starts(text_sub(ours, i, i + 5), TEXT("\\u202")) &&
		    theirs.ptr[j] == '\xe2') {
			if (theirs.ptr[j + 2] - ours.ptr[i + 5] != '\xa8' - '8')
				return false;
			i += 6;
			j += 3;
			continue;
		}
		if (!text_eq(
			text_sub(ours, i, i + n), text_sub(theirs, j, j + n)))
			return false;
		i += n;
		j += n;
	}
	return i == ours.len && j == theirs.len;
}

static void
compare(bed *b, text ours, js v)
{
	engine *e = b->e;
	js string =
	    CALL(e, JS_JSONStringify, e->ctx, v, b->replacer, JS_UNDEFINED);
	text theirs;

	if (string == JS_EXCEPTION || string == JS_UNDEFINED) {
		note(b, "the module does not write it", ours);
		return;
	}
	theirs = qjs_text(e, string);
	if (!same_json(ours, theirs))
		note(b, "not the same", ours);
	qjs_text_free(e, theirs);
	qjs_free(e, string);
}

static void
write_both(bed *b, js v)
{
	engine *e = b->e;
	text ours;

	b->plain = qjs_write(e, v, &ours);
	b->ours += b->plain;
	b->theirs += !b->plain;
	if (b->plain)
		compare(b, ours, v);
	if (CALL(e, JS_HasException, e->ctx))
		note(b, "something is thrown", TEXT(""));
}

static void
enter(bed *b, void (*fn)(void *))
{
	b->e->wall.wasm.w2c___stack_pointer =
	    wall_stack_top(&qjs_image_baked.memory);
	assert_int_equal(wall_enter(&b->e->wall, fn, b), WALL_RETURNED);
	if (b->said[0] != 0)
		fail_msg("%s", b->said);
}

static uint32_t
blocks(engine *e)
{
	CALL(e, JS_RunGC, e->rt);
	return get32(e, e->rt + RT_MALLOC_COUNT);
}

/* Twice: to write a rope makes a flat string of it. */
static void
try_one(void *p)
{
	bed *b = p;
	uint32_t before = 0, i;
	js v;

	b->replacer = evaluate(b->e, text_of(digits));
	v = evaluate(b->e, b->code);
	if (v == JS_EXCEPTION)
		note(b, "no value", TEXT(""));
	for (i = 0; i < 2 && b->said[0] == 0; i++) {
		before = blocks(b->e);
		write_both(b, v);
	}
	if (blocks(b->e) != before)
		note(b, "blocks are left over", TEXT(""));
	qjs_free(b->e, b->replacer);
	qjs_free(b->e, v);
}

/* -------------------------------------------------------- picked values */

static const char *const plain[] = {"({})", "[]", "({a: 1})", "0", "-0", "1.5",
    "2 ** 31", "-(2 ** 31)", "2 ** 53", "2 ** 53 - 1", "-(2 ** 53) - 1", "1e21",
    "1e-7", "123456789012345680000", "5e-324", "1.7976931348623157e308", "10n",
    "-(2n ** 200n)", "({a: [2n ** 64n, 0n]})", "0.1 + 0.2", "true", "false",
    "null", "''", "'a\"b\\\\c\\n\\t\\r\\b\\f\\x00\\x1f\\x7f'",
    "[undefined, null, 1]", "({a: undefined, b: 1})", "({a: undefined})",
    "({b: 1, a: 2, '': 3, 'x y': 4, '\\n': 5, __proto__x: 6})",
    "Object.create(null)", "({__proto__: null, a: 1})",
    "(() => { const o = {a: 1, b: 2, c: 3}; delete o.b; return o })()",
    "(() => { const o = {a: 1}; delete o.a; o.b = 2; o.a = 3; return o })()",
    "({a: [{b: [[[{c: 'deep'}]]]}]})", "[...'some words'].map((x) => x)",
    "JSON.parse('{\"a\":[1,2,{\"b\":null}],\"toString\":\"x\"}')",
    "({['k'.repeat(300)]: 'v'.repeat(3000)})",
    "Object.fromEntries(Array.from({length: 300}, (_, i) => ['k' + i, i]))",
    "Array.from({length: 1000}, (_, i) => i * 1.25)", "[1e3, 1e6, 4294967296]",
    "('x'.repeat(3000)).slice(1, 1500)", "({a: ('y'.repeat(3000)).slice(7)})",
    "(() => { let s = ''; for (let i = 0; i < 999; i++) s += 'some'; "
    "return s + s + s + s + 'x' })()",
    "'\\u00e9'", "'\\u20ac\\u2028\\\\\\u2029'", "({'\\u00e9': 1})",
    "'\\ud83d\\ude00'", "'x'.repeat(70000)",
    "Array.from({length: 5000}, () => 1)",
    "(() => { let o = 1; for (let i = 0; i < 1024; i++) o = [o]; return o })()",
    "(() => { const o = {}; return [o, o, {o}] })()",
    "({a: 1, ['__proto__']: 2})"};

static const char *const special[] = {"undefined", "() => 1", "Symbol()", "NaN",
    "[1 / 0]", "({a: () => 1})", "({toJSON() { return 5 }})",
    "({get a() { return 1 }})", "({set a(x) {}})", "({2: 1, 1: 2})",
    "({999999999: 1})", "({[Symbol('x')]: 1})", "new Date(0)",
    "new (class A { x = 1 })()",
    "(() => { const o = {a: 1}; Object.defineProperty(o, 'h', {value: 2}); "
    "return o })()",
    "(() => { const o = {a: 1}; Object.defineProperty(o, 'toJSON', "
    "{value: () => 5}); return o })()",
    "({a: 1, 2147483648: 2, 2147483647: 3})", "({a: 1, 4294967294: 2})",
    "new Map([[1, 2]])", "/x/", "new Proxy({}, {})", "new Proxy([], {})",
    "[, 1]", "new Array(3)",
    "(() => { const a = [1]; a.length = 3; return a })()",
    "(() => { const a = [1]; a.toJSON = () => 7; return a })()",
    "(() => { const a = [1]; a[5] = 1; return a })()",
    "(() => { const o = {}; o.self = o; return o })()",
    "(() => { const a = []; a.push(a); return a })()", "'\\ud800'",
    "({'\\udc00': 1})", "'\\ud83d\\ude00'.repeat(900).slice(1)",
    "new Uint8Array(3)", "new String('x')", "new Number(5)", "Object(1n)",
    "(function () {})", "Object.create({a: 1})", "Object.freeze({a: 1})",
    "new Error('x')", "(function () { return arguments })(1, 2)", "globalThis",
    "(() => { let o = 1; for (let i = 0; i < 1025; i++) o = [o]; return o "
    "})()"};

static void
each_is(const char *const *list, size_t len, bool is_plain)
{
	bed b = bed_new();
	size_t i;

	for (i = 0; i < len; i++) {
		b.code = text_of(list[i]);
		enter(&b, try_one);
		if (b.plain != is_plain)
			fail_msg(
			    "%s is%s plain", list[i], is_plain ? " not" : "");
	}
	engine_quickjs.close(b.e);
}

static void
plain_values(void **state)
{
	(void)state;
	each_is(plain, sizeof(plain) / sizeof(*plain), true);
}

static void
special_values(void **state)
{
	(void)state;
	each_is(special, sizeof(special) / sizeof(*special), false);
}

/* ------------------------------------------------------------ at random */

static void
load_maker(void *p)
{
	bed *b = p;

	b->replacer = evaluate(b->e, text_of(digits));
	b->maker = maker_load(b->e);
	if (js_tag(b->maker) != TAG_OBJECT)
		note(b, "values.js cannot be read", TEXT(""));
}

/* Each of the values that one seed makes, by itself. */
static void
write_each(bed *b, js values)
{
	engine *e = b->e;
	js v = CALL(e, JS_GetPropertyUint32, e->ctx, values, 0);
	uint32_t i;

	for (i = 1; i <= b->made && b->said[0] == 0; i++) {
		write_both(b, v);
		qjs_free(e, v);
		v = CALL(e, JS_GetPropertyUint32, e->ctx, values, i);
	}
	qjs_free(e, v);
}

static void
try_many(void *p)
{
	bed *b = p;
	engine *e = b->e;
	char seed[40];
	js values;
	unsigned i;

	for (i = 0; i < MAKE_BATCH && b->said[0] == 0; i++) {
		b->code = (text){
		    seed, (size_t)snprintf(seed, sizeof(seed), "seed %llu",
			      (unsigned long long)b->seed + i)};
		values = maker_values(e, b->maker, b->seed + i, &b->made);
		if (values == JS_EXCEPTION)
			note(b, "no value", TEXT(""));
		else
			write_each(b, values);
		qjs_free(e, values);
	}
}

static void
values_at_random(void **state)
{
	bed b = bed_new();
	uint64_t wanted = random_values(100000);

	(void)state;
	enter(&b, load_maker);
	for (b.seed = 0; b.ours + b.theirs < wanted; b.seed += MAKE_BATCH)
		enter(&b, try_many);
	print_message("%llu values: %u written by us, %u by the module\n",
	    (unsigned long long)b.ours + b.theirs, b.ours, b.theirs);
	assert_true(b.ours > wanted / 2);
	assert_true(b.theirs > wanted / 10);
	engine_quickjs.close(b.e);
}

/* ------------------------------------------------- memory that is wrong */

/* Should the script have broken its own memory, whatever is read there is
 * written or refused; it ends, and nothing outside is touched. */
static void
write_torn(void *p)
{
	bed *b = p;
	engine *e = b->e;
	js v = evaluate(e, TEXT("({a: [1, 'x'], b: {c: 2.5}})"));
	uint32_t shape = get32(e, (uint32_t)v + OBJECT_SHAPE);
	uint32_t at[] = {(uint32_t)v + OBJECT_SHAPE, (uint32_t)v + OBJECT_PROPS,
	    shape + SHAPE_COUNT, shape + SHAPE_MASK,
	    shape + SHAPE_PROPS + 16 + PROP_ATOM,
	    get32(e, (uint32_t)v + OBJECT_PROPS),
	    get32(e, (uint32_t)v + OBJECT_PROPS) + 4};
	uint32_t values[] = {0, 1, 7, 0xffffffff, 0xfffffff8, 0x80000000,
	    0x7fffffff, (uint32_t)v, shape, e->rt};
	size_t which = (size_t)b->seed / (sizeof(values) / sizeof(*values));
	text ours;

	set32(e, at[which % (sizeof(at) / sizeof(*at))],
	    values[b->seed % (sizeof(values) / sizeof(*values))]);
	b->ours += qjs_write(e, v, &ours);
}

static void
torn_memory_stays_inside(void **state)
{
	uint32_t seed;

	(void)state;
	for (seed = 0; seed < 70; seed++) {
		bed b = bed_new();
		wall_trap trap;

		b.seed = seed;
		b.e->wall.wasm.w2c___stack_pointer =
		    wall_stack_top(&qjs_image_baked.memory);
		trap = wall_enter(&b.e->wall, write_torn, &b);
		assert_true(trap == WALL_RETURNED || trap == WALL_MEMORY);
		engine_quickjs.close(b.e);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plain_values),
	    cmocka_unit_test(special_values),
	    cmocka_unit_test(values_at_random),
	    cmocka_unit_test(torn_memory_stays_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
