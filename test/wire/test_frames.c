/* SPDX-License-Identifier: MIT */
/*
 * test_frames.c -- wire.c: every message there and back, and everything that is
 * no message: cut anywhere, changed in any byte, of impossible lengths.
 *
 * Besides an answer of its own each case asks one thing of whatever is read:
 * written again, it is the bytes that it was read from. So no two frames mean
 * the same, and nothing in a frame goes unread.
 */
#include "unit/unit.h"

#include "wire/wire.h"

#include <stdio.h>

enum { FRAME_MAX = 4096, LONGEST = 1 << 20, FIRST_SAID = WIRE_PREPARED };

static const uint64_t numbers[] = {0, 1, 255, 256, INT32_MAX, UINT32_MAX,
    (uint64_t)UINT32_MAX + 1, UINT64_MAX};
static const text texts[] = {
    {"", 0}, {"x", 1}, {"\0\xff", 2}, {"{\"a\":[1,2,3]}", 13}};

/* A message with fields that all differ, so that none can take another's
 * place unseen. */
static wire_msg
message(wire_kind kind, unsigned seed)
{
	wire_msg m = {.kind = kind};
	size_t i, n = 0, t = 0;
	const char *f = wire_shape_of(kind)->fields;

	for (i = 0; f[i] != 0; i++) {
		if (f[i] == 'n')
			m.n[n++] = numbers[(seed + i) % 8];
		else
			m.t[t++] = texts[(seed + i) % 4];
	}
	return m;
}

static wire_got
get(const char *bytes, size_t len, wire_direction d, wire_msg *m, size_t *used)
{
	const char *why = NULL;
	char *exact = exact_copy((text){bytes, len});
	wire_got g = wire_get((text){exact, len}, d, LONGEST, m, used, &why);

	if (g == WIRE_WRONG)
		assert_non_null(why);
	free(exact); /* m's texts dangle from here on */
	return g;
}

static bool
same(const wire_msg *a, const wire_msg *b)
{
	const char *f;
	size_t n = 0, t = 0;

	if (a->kind != b->kind)
		return false;
	for (f = wire_shape_of(a->kind)->fields; *f != 0; f++) {
		if (*f == 'n' && a->n[n] != b->n[n])
			return false;
		if (*f == 't' && !text_eq(a->t[t], b->t[t]))
			return false;
		n += *f == 'n';
		t += *f == 't';
	}
	return true;
}

/* Whatever was read means exactly these bytes. */
static void
assert_exact(text in, wire_direction d)
{
	buf again = BUF_INIT(NULL, FRAME_MAX);
	const char *why;
	size_t used = 0;
	wire_msg m;

	if (wire_get(in, d, LONGEST, &m, &used, &why) != WIRE_READ)
		return;
	assert_true(used <= in.len);
	wire_put(&again, &m);
	assert_int_equal(again.bad, CM_OK);
	assert_text(buf_view(&again), text_sub(in, 0, used));
	buf_fini(&again);
}

/* ------------------------------------------------------------- the tests */

static void
there_and_back(void **state)
{
	buf b = BUF_INIT(NULL, FRAME_MAX);
	const char *why;
	wire_msg m, back;
	unsigned kind, seed;
	size_t used;

	(void)state;
	for (kind = 0; kind < WIRE_KINDS; kind++) {
		for (seed = 0; seed < 8; seed++) {
			wire_direction d =
			    wire_shape_of((wire_kind)kind)->direction;

			m = message((wire_kind)kind, seed);
			buf_clear(&b);
			wire_put(&b, &m);
			buf_str(&b, "the next one");
			assert_int_equal(wire_get(buf_view(&b), d, LONGEST,
					     &back, &used, &why),
			    WIRE_READ);
			assert_int_equal(used, b.len - 12);
			assert_true(same(&m, &back));
			assert_int_equal(get(b.ptr, b.len,
					     d == WIRE_UP ? WIRE_DOWN : WIRE_UP,
					     &back, &used),
			    WIRE_WRONG);
		}
	}
	buf_fini(&b);
}

static void
cut_anywhere(void **state)
{
	buf b = BUF_INIT(NULL, FRAME_MAX);
	wire_msg m;
	unsigned kind;
	size_t used, len;

	(void)state;
	for (kind = 0; kind < WIRE_KINDS; kind++) {
		m = message((wire_kind)kind, kind);
		buf_clear(&b);
		wire_put(&b, &m);
		for (len = 0; len < b.len; len++)
			assert_int_equal(
			    get(b.ptr, len,
				wire_shape_of((wire_kind)kind)->direction, &m,
				&used),
			    WIRE_MORE);
	}
	buf_fini(&b);
}

static void
any_byte_changed(void **state)
{
	buf b = BUF_INIT(NULL, FRAME_MAX);
	wire_msg m;
	unsigned kind, value;
	size_t at;

	(void)state;
	for (kind = 0; kind < WIRE_KINDS; kind++) {
		m = message((wire_kind)kind, kind + 3);
		buf_clear(&b);
		wire_put(&b, &m);
		for (at = 0; at < b.len; at++) {
			char was = b.ptr[at];

			for (value = 0; value < 256; value++) {
				char *exact;

				b.ptr[at] = (char)value;
				exact = exact_copy(buf_view(&b));
				assert_exact((text){exact, b.len}, WIRE_UP);
				assert_exact((text){exact, b.len}, WIRE_DOWN);
				free(exact);
			}
			b.ptr[at] = was;
		}
	}
	buf_fini(&b);
}

static void
put_length(char *at, uint32_t n)
{
	int i;

	for (i = 0; i < 4; i++)
		at[i] = (char)(n >> (8 * i) & 0xff);
}

/* Four bytes are enough to refuse them; nothing waits for gigabytes. */
static void
impossible_lengths(void **state)
{
	static const uint32_t wrong[] = {0, LONGEST + 1, 1u << 30, INT32_MAX,
	    1u << 31, (1u << 31) + 5, UINT32_MAX};
	char bytes[4];
	wire_msg m;
	size_t used, i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		put_length(bytes, wrong[i]);
		assert_int_equal(get(bytes, 4, WIRE_UP, &m, &used), WIRE_WRONG);
		assert_int_equal(
		    get(bytes, 4, WIRE_DOWN, &m, &used), WIRE_WRONG);
	}
	put_length(bytes, LONGEST);
	assert_int_equal(get(bytes, 4, WIRE_UP, &m, &used), WIRE_MORE);
}

/* A text that claims more than its frame has, and a frame with more in it than
 * its fields. */
static void
lengths_that_lie(void **state)
{
	static const uint32_t wrong[] = {2, 6, 1u << 31, UINT32_MAX};
	buf b = BUF_INIT(NULL, FRAME_MAX);
	wire_msg m = {.kind = WIRE_WARN, .t = {{"abcde", 5}}};
	size_t used, i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		buf_clear(&b);
		wire_put(&b, &m);
		put_length(b.ptr + 5, wrong[i]);
		assert_int_equal(
		    get(b.ptr, b.len, WIRE_UP, &m, &used), WIRE_WRONG);
		m = (wire_msg){.kind = WIRE_WARN, .t = {{"abcde", 5}}};
	}
	buf_fini(&b);
}

static void
kinds_that_are_not(void **state)
{
	char bytes[64] = {0};
	unsigned kind;
	wire_msg m;
	size_t used;

	(void)state;
	put_length(bytes, 60);
	for (kind = WIRE_KINDS; kind < 256; kind++) {
		bytes[4] = (char)kind;
		assert_int_equal(get(bytes, 5, WIRE_UP, &m, &used), WIRE_WRONG);
		assert_int_equal(
		    get(bytes, 64, WIRE_DOWN, &m, &used), WIRE_WRONG);
	}
}

static void
too_long_to_write(void **state)
{
	buf b = BUF_INIT(NULL, FRAME_MAX);
	char x = 'x';
	/* Its length alone is looked at. */
	wire_msg m = {.kind = WIRE_WARN, .t = {{&x, WIRE_MAX}}};

	(void)state;
	wire_put(&b, &m);
	assert_int_equal(b.bad, CM_ELIMIT);
	assert_int_equal(b.len, 0);
	buf_fini(&b);
}

/* What an engine says goes over the wire and is the same afterwards; a number
 * that its field cannot hold is refused. */
static void
said_there_and_back(void **state)
{
	unsigned kind, seed, i;

	(void)state;
	for (kind = 0; kind < WIRE_KINDS; kind++) {
		for (seed = 0; seed < 8; seed++) {
			wire_msg m = message((wire_kind)kind, seed), back;
			bool large = false;
			said s;

			for (i = 0; i < WIRE_NUMBERS; i++)
				large = large || m.n[i] > UINT32_MAX;
			if (!wire_to_said(&m, &s)) {
				assert_true(large || kind < FIRST_SAID);
				continue;
			}
			assert_true(kind >= FIRST_SAID);
			back = wire_of_said(&s);
			assert_true(same(&m, &back));
		}
	}
}

static void
said_numbers(void **state)
{
	wire_msg m = {WIRE_CALL, {1, 2, UINT64_MAX}, {{"{}", 2}}};
	said s;

	(void)state;
	assert_true(wire_to_said(&m, &s));
	assert_int_equal(s.kind, SAID_CALL);
	assert_int_equal(s.u.call.id, 1);
	assert_int_equal(s.u.call.tool, 2);
	assert_int_equal(s.u.call.timeout_ms, UINT64_MAX);
	assert_text(s.u.call.args, TEXT("{}"));
	m.n[0] = (uint64_t)UINT32_MAX + 2;
	assert_false(wire_to_said(&m, &s));
}

/* doc/format/wire.md has a line for each message, in order, and no other. */
static void
page(void **state)
{
	FILE *f = fopen(PAGE, "r");
	char line[600], want[600];
	unsigned kind = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		const wire_shape *s = wire_shape_of((wire_kind)kind);

		if (line[0] != '|' || line[2] < '0' || line[2] > '9')
			continue;
		assert_true(kind < WIRE_KINDS);
		snprintf(want, sizeof(want), "| %u | %s | %s | %s | %s |\n",
		    kind++, s->name, s->direction == WIRE_UP ? "up" : "down",
		    s->fields, s->about);
		assert_string_equal(line, want);
	}
	assert_int_equal(kind, WIRE_KINDS);
	fclose(f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(there_and_back),
	    cmocka_unit_test(cut_anywhere),
	    cmocka_unit_test(any_byte_changed),
	    cmocka_unit_test(impossible_lengths),
	    cmocka_unit_test(lengths_that_lie),
	    cmocka_unit_test(kinds_that_are_not),
	    cmocka_unit_test(too_long_to_write),
	    cmocka_unit_test(said_there_and_back),
	    cmocka_unit_test(said_numbers),
	    cmocka_unit_test(page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
