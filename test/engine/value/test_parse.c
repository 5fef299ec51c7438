/* SPDX-License-Identifier: MIT */
/*
 * test_parse.c -- JSON as we read it is what the module's JSON.parse makes.
 *
 * Each text is read both ways inside one VM. A script then looks at the two in
 * every way there is, changes both alike, and looks again. When all has been
 * freed, the module must count as many blocks as before. Cycles are collected
 * in between, and memory runs out at every place where it can.
 *
 * Of many more small texts, the words of the values are compared (see maker.h).
 */
#include "unit.h"

#include "maker.h"
#include "still.h"

#include "engine/quickjs/value/value_layout.h"
#include "engine/quickjs/value/value_make.h"

#include "base/json.h"

#include <codemode/codemode.h>

static const char checker[] =
    "(() => {\n"
    "const fail = (why, path) => { throw new Error(why + ' at ' + path) };\n"
    "const same = (a, b, path) => {\n"
    "	if (typeof a !== 'object' || a === null || b === null) {\n"
    "		if (!Object.is(a, b)) fail(a + ' is not ' + b, path);\n"
    "		return;\n"
    "	}\n"
    "	if (typeof b !== 'object' || Array.isArray(a) !== Array.isArray(b) ||\n"
    "	    Object.getPrototypeOf(a) !== Object.getPrototypeOf(b) ||\n"
    "	    Object.isExtensible(a) !== Object.isExtensible(b))\n"
    "		fail('another kind', path);\n"
    "	const keys = Reflect.ownKeys(a), others = Reflect.ownKeys(b);\n"
    "	if (keys.length !== others.length) fail('other keys', path);\n"
    "	for (let i = 0; i < keys.length; i++) {\n"
    "		const k = keys[i];\n"
    "		if (k !== others[i]) fail(k + ' is not ' + others[i], path);\n"
    "		const d = Object.getOwnPropertyDescriptor(a, k);\n"
    "		const e = Object.getOwnPropertyDescriptor(b, k);\n"
    "		if (d.writable !== e.writable ||\n"
    "		    d.enumerable !== e.enumerable ||\n"
    "		    d.configurable !== e.configurable)\n"
    "			fail('other flags of ' + k, path);\n"
    "		same(d.value, e.value, path + '.' + k);\n"
    "	}\n"
    "};\n"
    "const change = (v, n) => {\n"
    "	if (typeof v !== 'object' || v === null) return v;\n"
    "	if (!Object.isExtensible(v)) return v;\n"
    "	for (const k of Object.keys(v)) {\n"
    "		const inner = v[k];\n"
    "		change(inner, n + 1);\n"
    "		if (k.length % 3 === n % 3) v[k] = [inner, k];\n"
    "	}\n"
    "	if (Array.isArray(v)) {\n"
    "		v.push(n, 'new');\n"
    "		if (n % 2) v.reverse();\n"
    "		if (n % 3 === 1) v.splice(1, 2);\n"
    "		if (n % 5 === 2) v.length = 1;\n"
    "		if (n % 7 === 3) v.extra = v.concat(1);\n"
    "		return v;\n"
    "	}\n"
    "	if (n % 2) delete v[Object.keys(v)[0]];\n"
    "	v['added' + n % 3] = n;\n"
    "	if (n % 4 === 1) Object.defineProperty(v, 'h', { value: n });\n"
    "	if (n % 6 === 1) Object.setPrototypeOf(v, null);\n"
    "	if (n % 5 === 1) Object.freeze(v);\n"
    "	return v;\n"
    "};\n"
    "const cycle = (v) => {\n"
    "	if (typeof v !== 'object' || v === null || 'self' in v) return;\n"
    "	for (const k of Object.keys(v)) cycle(v[k]);\n"
    "	if (Object.isExtensible(v)) v.self = v;\n"
    "};\n"
    "const attempt = (f, v, n) => {\n"
    "	try { return f(v, n) } catch (e) { return [String(e), v] }\n"
    "};\n"
    "const look = (a, b) => {\n"
    "	same(a, b, '$');\n"
    "	if (JSON.stringify(a) !== JSON.stringify(b)) fail('JSON', '$');\n"
    "};\n"
    /* Built-ins take their memory when they are first touched: all at once
     * here, so that blocks can be counted afterwards. */
    "const seen = new Set([tools]);\n"
    "const touch = (v) => {\n"
    "	if (Object(v) !== v || seen.has(v)) return;\n"
    "	seen.add(v);\n"
    "	touch(Object.getPrototypeOf(v));\n"
    "	for (const k of Reflect.ownKeys(v))\n"
    "		for (const part of ['value', 'get', 'set'])\n"
    "			touch(Object.getOwnPropertyDescriptor(v, k)[part]);\n"
    "};\n"
    "touch(globalThis);\n"
    "seen.clear();\n"
    "return (a, b, once) => {\n"
    "	if (once) return look(a, b);\n"
    "	same(a, b, '$');\n"
    "	if (JSON.stringify(a) !== JSON.stringify(b)) fail('JSON', '$');\n"
    "	if (typeof a === 'object' && a !== null) same({ ...a }, { ...b }, "
    "'$');\n"
    "	for (let n = 0; n < 3; n++) {\n"
    "		a = attempt(change, a, n);\n"
    "		b = attempt(change, b, n);\n"
    "		same(a, b, '$' + n);\n"
    "	}\n"
    "	if (JSON.stringify(a) !== JSON.stringify(b)) fail('JSON', '$');\n"
    "	cycle(a);\n"
    "	return true;\n"
    "};\n"
    "})()";

/* ------------------------------------------------------------ the engine */

typedef struct bed {
	engine *e;
	js check;
	text doc;
	uint32_t spare;     /* bytes of heap beyond what is used; 0: enough */
	bool keep;          /* kinds of objects from one text to the next */
	uint32_t threshold; /* bytes until cycles are collected; 0: as it is */
	bool built;
	uint32_t blocks;
	bool once; /* the values are looked at, not changed */
	js maker;
	uint64_t seed, tried;
	char said[500]; /* what is wrong */
} bed;

static uint32_t
blocks(engine *e)
{
	qjs_parse_forget(e);
	CALL(e, JS_RunGC, e->rt);
	return get32(e, e->rt + RT_MALLOC_COUNT);
}

static void
note(bed *b, const char *what)
{
	snprintf(b->said, sizeof(b->said), "%s: %.*s", what,
	    (int)(b->doc.len < 300 ? b->doc.len : 300), b->doc.ptr);
}

static void
note_thrown(bed *b)
{
	engine *e = b->e;
	js error = CALL(e, JS_GetException, e->ctx);
	text t = qjs_text(e, error);
	char what[200];

	snprintf(what, sizeof(what), "%.*s", TEXT_ARG(t));
	note(b, what);
	qjs_text_free(e, t);
	qjs_free(e, error);
}

static void
prepare(void *p)
{
	bed *b = p;
	engine *e = b->e;
	uint32_t name = qjs_copy(e, TEXT("check"));

	e->wall.wasm.w2c___stack_pointer =
	    wall_stack_top(&qjs_image_baked.memory);
	CALL(e, JS_SetMemoryLimit, e->rt, 0xffffffff);
	b->check = CALL(e, JS_Eval, e->ctx, qjs_copy(e, text_of(checker)),
	    (uint32_t)sizeof(checker) - 1, name, 0);
	if (b->check == JS_EXCEPTION)
		note_thrown(b);
}

static void
compare(bed *b, js ours, js theirs)
{
	engine *e = b->e;
	js r;

	qjs_write64(e, e->scratch + 16, ours);
	qjs_write64(e, e->scratch + 24, theirs);
	qjs_write64(e, e->scratch + 32, b->once ? JS_TRUE : JS_FALSE);
	r = CALL(
	    e, JS_Call, e->ctx, b->check, JS_UNDEFINED, 3, e->scratch + 16);
	if (r == JS_EXCEPTION)
		note_thrown(b);
}

static void
read_both(void *p)
{
	bed *b = p;
	engine *e = b->e;
	uint32_t before = b->keep ? 0 : blocks(e);
	uint32_t size = get32(e, e->rt + RT_MALLOC_SIZE);
	js ours, theirs;

	if (b->threshold != 0)
		set32(e, e->rt + RT_GC_THRESHOLD,
		    size + (uint32_t)b->doc.len * 2 + b->threshold);
	ours = qjs_parse(e, b->doc, QJS_ROUND);
	theirs = qjs_module_parse(e, b->doc);
	if (ours == JS_EXCEPTION || theirs == JS_EXCEPTION)
		note(b, "refused");
	else
		compare(b, ours, theirs);
	qjs_free(e, ours);
	qjs_free(e, theirs);
	if (b->said[0] == 0 && !b->keep && blocks(e) != before)
		note(b, "blocks are left over");
}

static void
count_blocks(void *p)
{
	bed *b = p;

	b->blocks = blocks(b->e);
}

static void
enter(bed *b, void (*fn)(void *))
{
	assert_int_equal(wall_enter(&b->e->wall, fn, b), WALL_RETURNED);
	if (b->said[0] != 0)
		fail_msg("%s", b->said);
}

static bed
bed_new(const cm_alloc *alloc)
{
	bed b = {.e = engine_new(alloc)};

	enter(&b, prepare);
	return b;
}

static void
bed_end(bed *b)
{
	engine_quickjs.close(b->e);
}

static void
try_text(bed *b, text t)
{
	char *copy = exact_copy(t);

	assert_true(json_check((text){copy, t.len}, 65536, &b->doc, NULL));
	enter(b, read_both);
	free(copy);
}

/* --------------------------------------------------------- picked texts */

static const char *const picked[] = {
    "0",
    "-0",
    "-1",
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "1.0",
    "-0.0",
    "0.1",
    "1e22",
    "1e23",
    "123456789012345678",
    "9007199254740993",
    "18446744073709551616",
    "1e-22",
    "5e-324",
    "1e-400",
    "1e400",
    "-1e400",
    "1.7976931348623157e308",
    "0.000001e-300",
    "99999999999999999999999999999999",
    "1E5",
    "1e+5",
    "1e000000000000001",
    "0.30000000000000004",
    "8.5e-7",
    "true",
    "false",
    "null",
    "\"\"",
    "\"a\"",
    "\" \"",
    "[]",
    "{}",
    "[[]]",
    "[ ]",
    "{ }",
    " [ 1 , 2 ] ",
    "[{}]",
    "{\"a\":{}}",
    "\"\\u0000\"",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    "\"\\u00e9\"",
    "\"\\u20ac\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\ude00\\ud83d\"",
    "\"\xc3\xa9\"",
    "\"\xc3\xbf\xc4\x80\"",
    "\"\xf0\x9f\x98\x80\"",
    "\"\\uABCD\\uabcd\"",
    "\"12345678\"",
    "\"1234567\\n\"",
    "\"12345678\xe2\x82\xac\"",
    "{\"a\":1,\"a\":2}",
    "{\"a\":1,\"b\":2,\"a\":3}",
    "[{\"a\":1,\"a\":2},{\"a\":1,\"a\":2}]",
    "{\"a\":{\"x\":1},\"a\":{\"x\":2},\"b\":{\"x\":3}}",
    "[{\"q\":[{\"x\":1}],\"q\":1},{\"x\":2}]",
    "{\"\\u0061\":1,\"a\":2}",
    "[{\"a\":1},{\"\\u0061\":2}]",
    "{\"__proto__\":{\"a\":1}}",
    "[{\"__proto__\":1},{\"__proto__\":null}]",
    "{\"constructor\":1,\"toString\":2,\"hasOwnProperty\":3}",
    "{\"2\":1,\"1\":2,\"x\":3,\"0\":4}",
    "[{\"1\":1,\"0\":2},{\"1\":3,\"0\":4}]",
    "{\"4294967295\":1,\"4294967294\":2,\"01\":3,\"-1\":4}",
    "{\"\":1}",
    "{\"length\":1,\"\":2,\" \":3}",
    "{\"\\ud800\":1,\"\\u20ac\":2}",
    "[{\"a\":1,\"b\":2},{\"b\":1,\"a\":2},{\"a\":1},{\"a\":1,\"b\":2,\"c\":3}]",
};

static void
test_picked_texts(void **state)
{
	bed b = bed_new(NULL);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(picked) / sizeof(picked[0]); i++)
		try_text(&b, text_of(picked[i]));
	bed_end(&b);
}

/* ---------------------------------------------------------- random texts */

static uint32_t
chance(uint64_t *seed, uint32_t below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (uint32_t)(*seed >> 20) % below;
}

static void
write_space(buf *b, uint64_t *seed)
{
	static const char *const space[] = {
	    " ", "\n", "\t", "\r\n  ", "                   "};

	if (chance(seed, 12) == 0)
		buf_str(b, space[chance(seed, 5)]);
}

static void
write_string(buf *b, uint64_t *seed)
{
	static const char *const piece[] = {"a", "Zz", "\\n", "\\\"", "\\u0041",
	    "\\ud83d\\ude00", "\\udc00", "\xc3\xa9", "\xe2\x82\xac",
	    "\xf0\x9f\x98\x80", "0123456789abcdef", "\\\\", "/"};
	uint32_t kinds = chance(seed, 3) ? 2 : 13;
	uint32_t n = chance(seed, 40);

	if (chance(seed, 8) == 0) /* around the limits of size classes */
		n = 220 + chance(seed, 300);
	buf_byte(b, '"');
	while (n-- > 0)
		buf_str(b, piece[chance(seed, kinds)]);
	buf_byte(b, '"');
}

static void
write_number(buf *b, uint64_t *seed)
{
	uint32_t i, n = 1 + chance(seed, 20);

	if (chance(seed, 3) == 0)
		buf_byte(b, '-');
	buf_byte(b, (char)('1' + chance(seed, 9)));
	for (i = 1; i < n; i++)
		buf_byte(b, (char)('0' + chance(seed, 10)));
	if (chance(seed, 2) == 0)
		buf_printf(b, ".%u", chance(seed, 100000));
	if (chance(seed, 4) == 0)
		buf_printf(b, "e%d", (int)chance(seed, 700) - 350);
}

static void
write_key(buf *b, uint64_t *seed)
{
	static const char *const key[] = {"id", "name", "a", "b", "value",
	    "__proto__", "0", "1", "17", "constructor", "\\u0061", "\xc3\xa9",
	    "length", "", "a longer name that is not so short", "tags"};

	if (chance(seed, 10) == 0)
		buf_printf(b, "\"k%u\":", chance(seed, 100000));
	else
		buf_printf(b, "\"%s\":", key[chance(seed, 16)]);
}

static void write_value(buf *b, uint64_t *seed, unsigned depth);

static void
write_object(buf *b, uint64_t *seed, unsigned depth)
{
	uint32_t i, n = chance(seed, 8);

	if (chance(seed, 40) == 0)
		n = 120 + chance(seed, 40);
	buf_byte(b, '{');
	for (i = 0; i < n; i++) {
		if (i > 0)
			buf_byte(b, ',');
		write_space(b, seed);
		write_key(b, seed);
		write_space(b, seed);
		write_value(b, seed, depth + 1);
		write_space(b, seed);
	}
	buf_byte(b, '}');
}

/* Objects of one kind, as tools give them. */
static void
write_rows(buf *b, uint64_t *seed)
{
	uint32_t kinds = 1 + chance(seed, 3), n = chance(seed, 60), i;

	buf_byte(b, '[');
	for (i = 0; i < n; i++) {
		if (i > 0)
			buf_byte(b, ',');
		buf_printf(b, "{\"id\":%u,\"name\":", i);
		write_string(b, seed);
		if (i % kinds == 1)
			buf_str(b, ",\"tags\":[\"a\",\"b\"]");
		buf_printf(b, ",\"in\":{\"x\":%u,\"y\":null}}", i % 7);
	}
	buf_byte(b, ']');
}

static void
write_array(buf *b, uint64_t *seed, unsigned depth)
{
	uint32_t i, n = chance(seed, 8);

	if (chance(seed, 100) == 0)
		n = 1000 + chance(seed, 1200);
	buf_byte(b, '[');
	for (i = 0; i < n; i++) {
		if (i > 0)
			buf_byte(b, ',');
		write_space(b, seed);
		write_value(b, seed, n > 20 ? 9 : depth + 1);
	}
	buf_byte(b, ']');
}

static void
write_value(buf *b, uint64_t *seed, unsigned depth)
{
	static const char *const word[] = {"true", "false", "null", "0", "-0"};

	switch (chance(seed, depth > 5 ? 4 : 8)) {
	case 0:
		buf_str(b, word[chance(seed, 5)]);
		break;
	case 1:
		write_number(b, seed);
		break;
	case 2:
	case 3:
		write_string(b, seed);
		break;
	case 4:
		write_array(b, seed, depth);
		break;
	case 5:
		write_rows(b, seed);
		break;
	default:
		write_object(b, seed, depth);
	}
}

static void
random_texts(bed *b, int n, uint64_t seed)
{
	buf t = BUF_INIT(NULL, 16u << 20);

	while (n-- > 0) {
		buf_clear(&t);
		write_value(&t, &seed, 0);
		try_text(b, buf_view(&t));
	}
	buf_fini(&t);
}

static void
test_random_texts(void **state)
{
	bed b = bed_new(NULL);

	(void)state;
	random_texts(&b, 200, 88172645463325252ull);
	bed_end(&b);
}

/* -------------------------------------------------- very many small texts */

static bool same_values(engine *e, js a, js b);

static bool
same_strings(engine *e, uint32_t a, uint32_t b)
{
	uint32_t len = get32(e, a) & ~STRING_WIDE;
	bool wide = (get32(e, a) & STRING_WIDE) != 0;

	return get32(e, a) == get32(e, b) &&
	       (get32(e, a + STRING_HASH) >> STRING_KIND & 3) == 0 &&
	       (get32(e, b + STRING_HASH) >> STRING_KIND & 3) == 0 &&
	       memcmp(e->wall.base + a + STRING_UNITS,
		   e->wall.base + b + STRING_UNITS, wide ? len * 2 : len) == 0;
}

static bool
same_elements(engine *e, uint32_t a, uint32_t b, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (!same_values(
			e, qjs_read64(e, a + i * 8), qjs_read64(e, b + i * 8)))
			return false;
	return true;
}

static uint32_t
properties(engine *e, uint32_t shape)
{
	return shape + SHAPE_PROPS + (get32(e, shape + SHAPE_MASK) + 1) * 4;
}

/* The same names with the same flags, in the same order. */
static bool
same_shapes(engine *e, uint32_t a, uint32_t b)
{
	uint32_t i, count = get32(e, a + SHAPE_COUNT);
	uint32_t left = properties(e, a), right = properties(e, b);

	if (a == b)
		return true;
	if (count != get32(e, b + SHAPE_COUNT) ||
	    get32(e, a + SHAPE_PROTOTYPE) != get32(e, b + SHAPE_PROTOTYPE))
		return false;
	for (i = 0; i < count; i++, left += 8, right += 8)
		if (get32(e, left) >> PROP_FLAGS !=
			get32(e, right) >> PROP_FLAGS ||
		    get32(e, left + PROP_ATOM) != get32(e, right + PROP_ATOM))
			return false;
	return true;
}

static bool
same_objects(engine *e, uint32_t a, uint32_t b)
{
	uint32_t head = get32(e, a + OBJECT_HEAD) & HEAD_BITS;
	uint32_t shape = get32(e, a + OBJECT_SHAPE);

	if ((get32(e, b + OBJECT_HEAD) & HEAD_BITS) != head ||
	    !same_shapes(e, shape, get32(e, b + OBJECT_SHAPE)))
		return false;
	if (head == HEAD_ARRAY &&
	    (get32(e, a + ARRAY_COUNT) != get32(e, b + ARRAY_COUNT) ||
		!same_elements(e, get32(e, a + ARRAY_VALUES),
		    get32(e, b + ARRAY_VALUES), get32(e, a + ARRAY_COUNT))))
		return false;
	return same_elements(e, get32(e, a + OBJECT_PROPS),
	    get32(e, b + OBJECT_PROPS), get32(e, shape + SHAPE_COUNT));
}

/* A whole number may be an int or a double. */
static js
as_double(js v)
{
	double d = (int32_t)(uint32_t)v;
	uint64_t bits;

	if (js_tag(v) != TAG_INT)
		return v;
	memcpy(&bits, &d, sizeof(bits));
	return bits - ((uint64_t)DOUBLE_ADDEND << 32);
}

/* Are they made alike, word by word? */
static bool
same_values(engine *e, js a, js b)
{
	a = as_double(a);
	b = as_double(b);
	if (js_tag(a) == TAG_STRING && js_tag(b) == TAG_STRING)
		return same_strings(e, (uint32_t)a, (uint32_t)b);
	if (js_tag(a) == TAG_OBJECT && js_tag(b) == TAG_OBJECT)
		return same_objects(e, (uint32_t)a, (uint32_t)b);
	return a == b;
}

/* Looks at the words of every text's value, and at one in 1024 as a script. */
static void
compare_words(bed *b)
{
	engine *e = b->e;
	js ours = qjs_parse(e, b->doc, QJS_ROUND),
	   theirs = qjs_module_parse(e, b->doc);

	if (ours == JS_EXCEPTION || theirs == JS_EXCEPTION ||
	    !same_values(e, ours, theirs))
		note(b, "not made alike");
	qjs_free(e, ours);
	qjs_free(e, theirs);
}

static void
read_once(bed *b, text t)
{
	if (!json_check(t, 65536, &b->doc, NULL)) {
		b->doc = t;
		note(b, "not JSON");
		return;
	}
	if (b->tried++ % 1024 == 0)
		read_both(b);
	else
		compare_words(b);
}

/* What the module writes of the values of one seed. */
static void
read_written(bed *b, js values, uint32_t len)
{
	engine *e = b->e;
	uint32_t i;
	js v, string;
	text t;

	for (i = 0; i < len && b->said[0] == 0; i++) {
		v = CALL(e, JS_GetPropertyUint32, e->ctx, values, i);
		string = CALL(
		    e, JS_JSONStringify, e->ctx, v, JS_UNDEFINED, JS_UNDEFINED);
		if (string == JS_EXCEPTION) {
			qjs_free(e, CALL(e, JS_GetException, e->ctx));
		} else if (string != JS_UNDEFINED) {
			t = qjs_text(e, string);
			read_once(b, t);
			qjs_text_free(e, t);
			qjs_free(e, string);
		}
		qjs_free(e, v);
	}
}

static void
read_batch(void *p)
{
	bed *b = p;
	engine *e = b->e;
	buf t = BUF_INIT(NULL, 1u << 20);
	uint32_t len;
	unsigned i;
	uint64_t seed = ~b->seed;
	js values;

	for (i = 0; i < MAKE_BATCH && b->said[0] == 0; i++) {
		values = maker_values(e, b->maker, ++b->seed, &len);
		read_written(b, values, len);
		qjs_free(e, values);
		if (b->seed % 16 == 0) {
			buf_clear(&t);
			write_value(&t, &seed, 4);
			read_once(b, buf_view(&t));
		}
	}
	buf_fini(&t);
	qjs_parse_forget(e);
}

static void
load_maker(void *p)
{
	bed *b = p;

	b->maker = maker_load(b->e);
	if (js_tag(b->maker) != TAG_OBJECT)
		note(b, "values.js cannot be read");
}

static void
test_many_small_texts(void **state)
{
	bed b = bed_new(NULL);
	uint64_t wanted = random_values(40000);
	uint32_t before;

	(void)state;
	b.keep = b.once = true;
	enter(&b, load_maker);
	enter(&b, read_batch);
	enter(&b, count_blocks);
	before = b.blocks;
	while (b.tried < wanted)
		enter(&b, read_batch);
	b.seed = 0; /* values.js still holds the values of the last seed */
	enter(&b, read_batch);
	enter(&b, count_blocks);
	assert_int_equal(b.blocks, before);
	print_message("%llu texts\n", (unsigned long long)b.tried);
	bed_end(&b);
}

/* What is kept of one text serves the next ones, and can be given back. */
static void
test_kinds_are_kept(void **state)
{
	bed b = bed_new(NULL);
	uint32_t before;

	(void)state;
	enter(&b, count_blocks);
	before = b.blocks;
	b.keep = true;
	random_texts(&b, 150, 362436069521288629ull);
	enter(&b, count_blocks);
	assert_int_equal(b.blocks, before);
	bed_end(&b);
}

/* The module collects in the middle of it. */
static void
test_collections_in_between(void **state)
{
	bed b = bed_new(NULL);

	(void)state;
	for (b.threshold = 1; b.threshold < 4000; b.threshold += 371)
		random_texts(&b, 10, 2463534242u * (uint64_t)b.threshold);
	bed_end(&b);
}

/* ---------------------------------------------------------- large, deep */

static void
test_long_arrays_and_strings(void **state)
{
	buf t = BUF_INIT(NULL, 64u << 20);
	bed b = bed_new(NULL);
	int i;

	(void)state;
	buf_byte(&t, '[');
	for (i = 0; i < 22000; i++)
		buf_printf(&t, "%d,{\"n\":%d},\"%d\",", i, i, i);
	buf_byte(&t, '"');
	for (i = 0; i < 300000; i++)
		buf_str(&t, "0123456\xc3\xa9");
	buf_str(&t, "\"]");
	try_text(&b, buf_view(&t));
	bed_end(&b);
	buf_fini(&t);
}

static void
read_deep(void *p)
{
	bed *b = p;
	uint32_t before = blocks(b->e);
	js v = qjs_parse(b->e, b->doc, QJS_ROUND);

	if (js_tag(v) != -1)
		note(b, "no object");
	qjs_free(b->e, v);
	if (blocks(b->e) != before)
		note(b, "blocks are left over");
}

static void
test_deep_nesting(void **state)
{
	buf t = BUF_INIT(NULL, 64u << 20);
	bed b = bed_new(NULL);
	int i;

	(void)state;
	for (i = 0; i < 10000; i++)
		buf_str(&t, "[{\"a\":");
	buf_str(&t, "1");
	for (i = 0; i < 10000; i++)
		buf_str(&t, "}]");
	b.doc = buf_view(&t);
	enter(&b, read_deep);
	bed_end(&b);
	buf_fini(&t);
}

/* -------------------------------------------------- memory that runs out */

static const char sample[] =
    "[{\"id\":1,\"name\":\"one\",\"tags\":[\"a\",\"b\"],\"x\":{}},"
    "{\"id\":2,\"name\":\"two \\u20ac\",\"tags\":[\"a\",\"b\"],\"x\":{}},"
    "{\"k1\":1.5e300,\"k1\":[[[]]],\"__proto__\":{\"deep\":[1,2,3]}},"
    "{\"id\":3,\"name\":\"three\",\"tags\":[],\"x\":{\"y\":\"z\"}}]";

/* Reads it with so much to spare; nothing is left over, whatever happens. */
static void
read_in_little(void *p)
{
	bed *b = p;
	engine *e = b->e;
	uint32_t before = blocks(e);
	bool full;
	js v;

	if (b->spare != 0)
		CALL(e, JS_SetMemoryLimit, e->rt,
		    get32(e, e->rt + RT_MALLOC_SIZE) + b->spare);
	v = qjs_parse(e, b->doc, QJS_ROUND);
	CALL(e, JS_SetMemoryLimit, e->rt, 0xffffffff);
	b->built = v != JS_EXCEPTION;
	if (!b->built)
		v = CALL(e, JS_GetException, e->ctx);
	/* The module loses a block when not even the error fits: null. */
	full = v == JS_NULL;
	qjs_free(e, v);
	if (!full && blocks(e) != before)
		note(b, "blocks are left over");
}

/* The sample and an array that is long enough to leave the stack. */
static void
write_long_sample(buf *t)
{
	int i;

	buf_str(t, sample);
	t->len--;
	for (i = 0; i < 2100; i++)
		buf_printf(t, ",%d", i);
	buf_byte(t, ']');
}

static void
test_little_heap(void **state)
{
	buf t = BUF_INIT(NULL, 1u << 20);
	bed b = bed_new(NULL);
	uint32_t refused = 0;

	(void)state;
	write_long_sample(&t);
	b.doc = buf_view(&t);
	for (b.spare = 16; !b.built; b.spare += b.spare < 4000 ? 8 : 1000) {
		enter(&b, read_in_little);
		refused += !b.built;
	}
	assert_true(refused > 100);
	bed_end(&b);
	buf_fini(&t);
}

static void
test_host_memory_runs_out(void **state)
{
	struct hoard hoard = {.left = SIZE_MAX};
	cm_alloc alloc = {hoard_resize, &hoard};
	buf t = BUF_INIT(NULL, 1u << 20);
	bed b = {0};
	size_t left;

	(void)state;
	write_long_sample(&t);
	for (left = 0; !b.built; left++) {
		hoard.left = SIZE_MAX;
		b = bed_new(&alloc);
		b.doc = buf_view(&t);
		hoard.left = left;
		enter(&b, read_in_little);
		bed_end(&b);
		assert_int_equal(hoard.bytes, 0);
	}
	assert_true(left > 5);
	buf_fini(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_picked_texts),
	    cmocka_unit_test(test_random_texts),
	    cmocka_unit_test(test_many_small_texts),
	    cmocka_unit_test(test_kinds_are_kept),
	    cmocka_unit_test(test_collections_in_between),
	    cmocka_unit_test(test_long_arrays_and_strings),
	    cmocka_unit_test(test_deep_nesting),
	    cmocka_unit_test(test_little_heap),
	    cmocka_unit_test(test_host_memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
