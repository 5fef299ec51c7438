/* SPDX-License-Identifier: MIT */
/* wire.c -- see wire.h. */
#include "wire.h"

#include <stddef.h>

#define UP   WIRE_UP
#define DOWN WIRE_DOWN

static const wire_shape shape[WIRE_KINDS] = {
#define WIRE(name, direction, fields, most, about) \
	{#name, direction, fields, most, about},
#include "wire/wire.def"
#undef WIRE
};

const wire_shape *
wire_shape_of(wire_kind kind)
{
	return &shape[kind];
}

/* --------------------------------------------------------------- writing */

static void
put_number(buf *out, uint64_t n, unsigned bytes)
{
	char b[8];
	unsigned i;

	for (i = 0; i < bytes; i++)
		b[i] = (char)(n >> (8 * i) & 0xff);
	buf_add(out, b, bytes);
}

static size_t
body_length(const wire_msg *m)
{
	const char *f;
	size_t len = 1, t = 0;

	for (f = shape[m->kind].fields; *f != 0; f++)
		len += *f == 'n' ? 8 : 4 + m->t[t++].len;
	return len;
}

void
wire_put(buf *out, const wire_msg *m)
{
	size_t len = body_length(m), n = 0, t = 0;
	const char *f;

	if (len > WIRE_MAX) {
		out->bad = CM_ELIMIT;
		return;
	}
	put_number(out, len, 4);
	put_number(out, m->kind, 1);
	for (f = shape[m->kind].fields; *f != 0; f++) {
		if (*f == 'n') {
			put_number(out, m->n[n++], 8);
		} else {
			put_number(out, m->t[t].len, 4);
			buf_text(out, m->t[t++]);
		}
	}
}

/* --------------------------------------------------------------- reading */

/* Takes a number off *rest, which has that many bytes. */
static uint64_t
take_number(text *rest, unsigned bytes)
{
	uint64_t n = 0;
	unsigned i;

	for (i = 0; i < bytes; i++)
		n |= (uint64_t)(unsigned char)rest->ptr[i] << (8 * i);
	*rest = text_sub(*rest, bytes, rest->len);
	return n;
}

static bool
take_text(text *rest, text *out)
{
	uint64_t len;

	if (rest->len < 4)
		return false;
	len = take_number(rest, 4);
	if (len > rest->len)
		return false;
	*out = text_sub(*rest, 0, (size_t)len);
	*rest = text_sub(*rest, (size_t)len, rest->len);
	return true;
}

static bool
take_fields(text *rest, wire_msg *m)
{
	const char *f;
	size_t n = 0, t = 0;

	for (f = shape[m->kind].fields; *f != 0; f++) {
		if (*f == 't') {
			if (!take_text(rest, &m->t[t++]))
				return false;
		} else {
			if (rest->len < 8)
				return false;
			m->n[n++] = take_number(rest, 8);
		}
	}
	return rest->len == 0;
}

static wire_got
report_wrong(const char **why, const char *what)
{
	*why = what;
	return WIRE_WRONG;
}

wire_got
wire_get(text in, wire_direction direction, uint32_t max, wire_msg *m,
    size_t *used, const char **why)
{
	text rest = in;
	uint64_t len, kind;

	memset(m, 0, sizeof(*m));
	if (in.len < 4)
		return WIRE_MORE;
	len = take_number(&rest, 4);
	if (len < 1 || len > max)
		return report_wrong(why, "a frame of an impossible length");
	if (rest.len < 1)
		return WIRE_MORE;
	kind = (unsigned char)rest.ptr[0];
	if (kind >= WIRE_KINDS || shape[kind].direction != direction)
		return report_wrong(why, "a message that does not exist");
	if (rest.len < len)
		return WIRE_MORE;
	rest = text_sub(rest, 1, (size_t)len);
	m->kind = (wire_kind)kind;
	if (!take_fields(&rest, m))
		return report_wrong(why, "a message of the wrong shape");
	*used = 4 + (size_t)len;
	return WIRE_READ;
}

/* -------------------------------------------------- messages of an engine */

/* The field of a message, where it lies in a 'said'. */
typedef struct said_field {
	enum { END, NUMBER32, NUMBER64, TEXT_FIELD } type;
	size_t at;
} said_field;

#define FIRST_SAID (WIRE_KINDS - SAID_KINDS)
#define FIELDS_MAX 7 /* the last one END */

static const said_field said_fields[SAID_KINDS][FIELDS_MAX] = {
#define N32(member, field)                      {NUMBER32, offsetof(said, u.member.field)},
#define N64(member, field)                      {NUMBER64, offsetof(said, u.member.field)},
#define TXT(member, field)                      {TEXT_FIELD, offsetof(said, u.member.field)},
#define SAID(KIND, member, most, about, fields) [SAID_##KIND] = {fields},
#include "gate/said.def"
#undef SAID
#undef N32
#undef N64
#undef TXT
};

wire_msg
wire_of_said(const said *s)
{
	wire_msg m = {.kind = (wire_kind)(FIRST_SAID + s->kind)};
	const said_field *f;
	size_t n = 0, t = 0;

	for (f = said_fields[s->kind]; f->type != END; f++) {
		const char *at = (const char *)s + f->at;

		if (f->type == TEXT_FIELD)
			memcpy(&m.t[t++], at, sizeof(text));
		else if (f->type == NUMBER64)
			memcpy(&m.n[n++], at, sizeof(uint64_t));
		else
			m.n[n++] = *(const uint32_t *)(const void *)at;
	}
	return m;
}

bool
wire_to_said(const wire_msg *m, said *s)
{
	const said_field *f;
	size_t n = 0, t = 0;

	if ((unsigned)m->kind < FIRST_SAID)
		return false;
	memset(s, 0, sizeof(*s));
	s->kind = (said_kind)((unsigned)m->kind - FIRST_SAID);
	for (f = said_fields[s->kind]; f->type != END; f++) {
		char *at = (char *)s + f->at;

		if (f->type == TEXT_FIELD)
			memcpy(at, &m->t[t++], sizeof(text));
		else if (f->type == NUMBER64)
			memcpy(at, &m->n[n++], sizeof(uint64_t));
		else if (m->n[n] > UINT32_MAX)
			return false;
		else
			*(uint32_t *)(void *)at = (uint32_t)m->n[n++];
	}
	return true;
}
