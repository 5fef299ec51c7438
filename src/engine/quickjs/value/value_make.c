/* SPDX-License-Identifier: MIT */
/*
 * value_make.c -- new values, written into the linear memory.
 *
 * The module's own functions make a value in 50 to 200 ns, which was most of
 * the time of a large tool result. Here a value is a block from the free list
 * of the module's allocator, and a few words written into it (value_layout.h).
 * The module's own records stay true: its counts, its limit, its lists, its
 * references. The module itself serves the other cases: a free list that is
 * empty or would become so, a large block, the memory limit.
 *
 * There is no call into the module between the first word of a value and its
 * last, so a trap or a collection never finds half a value.
 */
#include "value_make.h"

#include "value_layout.h"

/* -------------------------------------------------------------- blocks */

/* Sizes of blocks with their header: steps of 8 up to 128, of 16 up to 256,
 * of 32 above (arena_block_sizes). */
static uint32_t
rounded_block(uint32_t size)
{
	uint32_t step = size <= 128 ? 8 : size <= 256 ? 16 : 32;

	return (size + step - 1) & ~(step - 1);
}

static uint32_t
block_class(uint32_t size)
{
	return size <= 128   ? size / 8 - 2
	       : size <= 256 ? size / 16 + 6
			     : size / 32 + 14;
}

/* The first free block of an arena that has another one. 0: there is none; the
 * module must serve it, which moves arenas between its lists. */
static uint32_t
block_from_arena(engine *e, uint32_t size)
{
	uint32_t list = e->rt + RT_FREE_ARENAS + block_class(size) * 8;
	uint32_t arena = get32(e, list + LIST_NEXT);
	uint32_t bytes = get32(e, e->rt + RT_MALLOC_SIZE);
	uint32_t used, number, block;

	if (arena == list || bytes + size > get32(e, e->rt + RT_MALLOC_LIMIT))
		return 0;
	used = get16(e, arena + ARENA_USED) + 1u;
	if (used == get16(e, arena + ARENA_LEN))
		return 0;
	number = get16(e, arena + ARENA_FREE);
	block = arena + ARENA_BLOCKS + number * size;
	set16(e, arena + ARENA_FREE, get16(e, block + BLOCK_NUMBER));
	set16(e, arena + ARENA_USED, used);
	set16(e, block + BLOCK_NUMBER, number);
	/* The module counts what can be used plus 8 (MALLOC_OVERHEAD). */
	set32(e, e->rt + RT_MALLOC_SIZE, bytes + size);
	set32(
	    e, e->rt + RT_MALLOC_COUNT, get32(e, e->rt + RT_MALLOC_COUNT) + 1);
	return block + BLOCK_HEADER;
}

/* A block of js_malloc with one reference. */
static uint32_t
block_new(engine *e, uint32_t len)
{
	uint32_t size = len + BLOCK_HEADER, at = 0;

	if (size <= BLOCK_MOST)
		at = block_from_arena(e, rounded_block(size));
	if (at == 0)
		at = CALL(e, js_malloc, e->ctx, len);
	if (at == 0)
		return 0;
	e->wall.base[at - BLOCK_HEADER + BLOCK_KIND] = 0;
	set_refs(e, at, 1);
	return at;
}

static void
block_free(engine *e, uint32_t at)
{
	if (at != 0)
		CALL(e, js_free, e->ctx, at);
}

/* Puts the link at the end of the list (list_add_tail). */
static void
enlist(engine *e, uint32_t list, uint32_t link)
{
	uint32_t last = get32(e, list + LIST_PREV);

	set32(e, link + LIST_PREV, last);
	set32(e, link + LIST_NEXT, list);
	set32(e, last + LIST_NEXT, link);
	set32(e, list + LIST_PREV, link);
}

/* ------------------------------------------------------------- strings */

#define JS_STRING(at) JS_TAGGED(-7, at)

static uint32_t
string_block(engine *e, uint32_t units, bool wide)
{
	uint32_t len = wide ? units * 2 : units + 1;
	uint32_t at = block_new(e, STRING_UNITS + len);

	if (at == 0)
		return 0;
	memset(e->wall.base + at, 0, STRING_LINK);
	set32(e, at, units | (wide ? STRING_WIDE : 0));
	enlist(e, e->rt + RT_STRINGS, at + STRING_LINK);
	return at;
}

js
make_ascii(engine *e, const char *p, size_t len)
{
	uint32_t at = string_block(e, (uint32_t)len, false);

	if (at == 0)
		return JS_EXCEPTION;
	if (len > 0)
		memcpy(e->wall.base + at + STRING_UNITS, p, len);
	e->wall.base[at + STRING_UNITS + len] = 0;
	return JS_STRING(at);
}

static uint32_t
four_hex_digits(const char *p)
{
	uint32_t v = 0;
	int i;

	for (i = 0; i < 4; i++)
		v = v << 4 |
		    (uint32_t)(p[i] <= '9' ? p[i] - '0' : (p[i] & 7) + 9);
	return v;
}

/* The meaning of the escape at raw.ptr[*at], behind its backslash. */
static uint32_t
escaped(text raw, size_t *at)
{
	char c = raw.ptr[(*at)++];

	switch (c) {
	case 'b':
		return '\b';
	case 'f':
		return '\f';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	case 't':
		return '\t';
	case 'u':
		*at += 4;
		return four_hex_digits(raw.ptr + *at - 4);
	default:
		return (uint32_t)c;
	}
}

/* The next_character character; surrogates that are escaped come one by one. */
static uint32_t
next_character(text raw, size_t *at)
{
	unsigned char c = (unsigned char)raw.ptr[*at];

	if (c >= 0x80)
		return utf8_next(raw, at);
	++*at;
	return c == '\\' ? escaped(raw, at) : c;
}

static void
put16(uint8_t **p, uint32_t unit)
{
	uint16_t low = (uint16_t)unit;

	memcpy(*p, &low, sizeof(low));
	*p += sizeof(low);
}

static void
write_wide(uint8_t *p, text raw)
{
	size_t at = 0;
	uint32_t c;

	while (at < raw.len) {
		c = next_character(raw, &at);
		if (c > 0xffff) {
			put16(&p, 0xd7c0 + (c >> 10));
			c = 0xdc00 | (c & 0x3ff);
		}
		put16(&p, c);
	}
}

static void
write_narrow(uint8_t *p, text raw)
{
	size_t at = 0;

	while (at < raw.len)
		*p++ = (uint8_t)next_character(raw, &at);
	*p = 0;
}

js
make_string(engine *e, text raw)
{
	uint32_t units = 0, all = 0, c, at;
	size_t i = 0;

	while (i < raw.len) {
		c = next_character(raw, &i);
		all |= c;
		units += c > 0xffff ? 2 : 1;
	}
	at = string_block(e, units, all > 0xff);
	if (at == 0)
		return JS_EXCEPTION;
	if (all > 0xff)
		write_wide(e->wall.base + at + STRING_UNITS, raw);
	else
		write_narrow(e->wall.base + at + STRING_UNITS, raw);
	return JS_STRING(at);
}

/* ------------------------------------------------------------- numbers */

js
make_double(double d)
{
	uint64_t bits;

	/* -0 stays a double; the caller never passes NaN. */
	if (d >= -2147483648.0 && d <= 2147483647.0 &&
	    d == (double)(int32_t)d && (d != 0 || !__builtin_signbit(d)))
		return JS_INT((int32_t)d);
	memcpy(&bits, &d, sizeof(bits));
	return bits - ((uint64_t)DOUBLE_ADDEND << 32);
}

/* ------------------------------------------------------ objects, arrays */

#define JS_OBJECT(at) JS_TAGGED(-1, at)

static void
fill_object(
    engine *e, uint32_t at, uint32_t head, uint32_t shape, uint32_t props)
{
	memset(e->wall.base + at, 0, OBJECT_SIZE);
	set32(e, at + OBJECT_HEAD, head);
	set32(e, at + OBJECT_SHAPE, shape);
	set32(e, at + OBJECT_PROPS, props);
	set_refs(e, shape, get_refs(e, shape) + 1);
	enlist(e, e->rt + RT_GC_OBJECTS, at);
}

make_shape
make_shape_of(engine *e, js object, uint32_t members)
{
	uint32_t at = (uint32_t)object;
	uint32_t shape = get32(e, at + OBJECT_SHAPE);
	uint32_t room = get32(e, shape + SHAPE_SIZE);

	/* Fewer members than were given: a name was there twice. */
	if ((get32(e, at + OBJECT_HEAD) & HEAD_BITS) != HEAD_OBJECT ||
	    e->wall.base[shape + SHAPE_HASHED] != 1 ||
	    get32(e, shape + SHAPE_COUNT) != members || room < members ||
	    room > 2 * members + 2)
		return (make_shape){0, 0};
	return (make_shape){shape, room};
}

js
make_object(engine *e, make_shape shape, const js *value, uint32_t len)
{
	uint32_t at = block_new(e, OBJECT_SIZE);
	uint32_t props = at ? block_new(e, shape.room * 8) : 0;

	if (props == 0) {
		block_free(e, at);
		return JS_EXCEPTION;
	}
	if (len > 0)
		memcpy(e->wall.base + props, value, len * sizeof(*value));
	fill_object(e, at, HEAD_OBJECT, shape.at, props);
	return JS_OBJECT(at);
}

js
make_array_of(engine *e, uint32_t values, uint32_t len, uint32_t cap)
{
	uint32_t shape = e->array_shape;
	uint32_t at = block_new(e, OBJECT_SIZE);
	uint32_t props =
	    at ? block_new(e, get32(e, shape + SHAPE_SIZE) * 8) : 0;

	if (props == 0) {
		block_free(e, at);
		return JS_EXCEPTION;
	}
	qjs_write64(e, props, JS_INT(len)); /* the property `length` */
	fill_object(e, at, HEAD_ARRAY, shape, props);
	set32(e, at + ARRAY_SIZE, cap);
	set32(e, at + ARRAY_VALUES, values);
	set32(e, at + ARRAY_COUNT, len);
	return JS_OBJECT(at);
}

js
make_array_from(engine *e, const js *value, uint32_t len)
{
	uint32_t values = 0;
	js array;

	if (len > 0) {
		values = block_new(e, len * 8);
		if (values == 0)
			return JS_EXCEPTION;
		memcpy(e->wall.base + values, value, len * sizeof(*value));
	}
	array = make_array_of(e, values, len, len);
	if (array == JS_EXCEPTION)
		block_free(e, values);
	return array;
}

static js
eval_boot(engine *e, const char *code)
{
	return CALL(e, JS_Eval, e->ctx, qjs_copy(e, text_of(code)),
	    (uint32_t)strlen(code), qjs_copy(e, TEXT("boot")), 0);
}

void
qjs_value_boot(engine *e)
{
	js array = CALL(e, JS_NewArray, e->ctx);
	js object = CALL(e, JS_NewObject, e->ctx);
	js species = eval_boot(e, "Symbol.species");

	e->array_class = eval_boot(e, "Array");
	e->species_atom = CALL(e, JS_ValueToAtom, e->ctx, species);
	e->constructor_atom =
	    CALL(e, JS_NewAtom, e->ctx, qjs_copy(e, TEXT("constructor")));
	e->array_shape = get32(e, (uint32_t)array + OBJECT_SHAPE);
	e->object_prototype = get32(
	    e, get32(e, (uint32_t)object + OBJECT_SHAPE) + SHAPE_PROTOTYPE);
	qjs_free(e, array);
	qjs_free(e, object);
}

/* ---------------------------------------------------------- collections */

/* The module collects cycles when its memory reaches a threshold, and then sets
 * the threshold to one and a half times the rest (js_trigger_gc). */
static void
raise_threshold(engine *e)
{
	uint64_t size = get32(e, e->rt + RT_MALLOC_SIZE);
	uint64_t at =
	    size + size / 2 < UINT32_MAX ? size + size / 2 : UINT32_MAX;

	if (at > get32(e, e->rt + RT_GC_THRESHOLD))
		set32(e, e->rt + RT_GC_THRESHOLD, (uint32_t)at);
}

void
make_collect(engine *e, size_t bytes)
{
	uint64_t soon = get32(e, e->rt + RT_MALLOC_SIZE) + 2 * (uint64_t)bytes;

	if (soon <= get32(e, e->rt + RT_GC_THRESHOLD))
		return;
	CALL(e, JS_RunGC, e->rt);
	raise_threshold(e);
}

void
make_collected(engine *e)
{
	if (get32(e, e->rt + RT_MALLOC_SIZE) >
	    get32(e, e->rt + RT_GC_THRESHOLD))
		raise_threshold(e);
}
