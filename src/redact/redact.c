/* SPDX-License-Identifier: MIT */
/* redact.c -- see redact.h. */
#include "redact.h"

#include "base/base64.h"
#include "base/map.h"

#include <stdlib.h>

enum {
	BLOCKS = 1 << 16, /* of two bytes */
	STEP_MAX = 255,   /* of .step */
	NO_FORM = UINT32_MAX
};

/* One way in which a secret may be written. */
typedef struct form {
	text bytes;
	uint32_t secret;
	uint32_t next; /* whose window ends in the same block; NO_FORM: none */
} form;

typedef struct window_table {
	uint8_t step[BLOCKS];   /* how far a window that ends in it may move */
	uint32_t first[BLOCKS]; /* of the forms whose window ends in it */
} window_table;

struct redactor {
	const cm_alloc *alloc;
	buf *name; /* one a secret */
	size_t names, name_cap;
	form *form;
	size_t forms, form_cap;
	map known;           /* bytes of a form -> 1 */
	size_t window;       /* bytes of the shortest form, or less */
	window_table *table; /* NULL: a secret was added since */
};

/* -------------------------------------------------------------- collecting */

redactor *
redactor_new(const cm_alloc *alloc)
{
	redactor *r = mem_new(alloc, sizeof(*r));

	if (r) {
		r->alloc = alloc;
		r->known = MAP_INIT(alloc);
	}
	return r;
}

static void
drop_table(redactor *r)
{
	mem_free(r->alloc, r->table, sizeof(*r->table));
	r->table = NULL;
}

void
redactor_free(redactor *r)
{
	if (!r)
		return;
	drop_table(r);
	for (size_t i = 0; i < r->forms; i++)
		mem_free(r->alloc, (char *)(uintptr_t)r->form[i].bytes.ptr,
		    r->form[i].bytes.len);
	for (size_t i = 0; i < r->names; i++)
		buf_fini(&r->name[i]);
	map_fini(&r->known);
	mem_free(r->alloc, r->form, r->form_cap * sizeof(*r->form));
	mem_free(r->alloc, r->name, r->name_cap * sizeof(*r->name));
	mem_free(r->alloc, r, sizeof(*r));
}

bool
redactor_empty(const redactor *r)
{
	return r->forms == 0;
}

/* A form that is there already, or is too short, is none. */
static cm_status
add_form(redactor *r, text bytes, size_t secret)
{
	void *array = r->form;
	char *copy;
	cm_status s;

	if (bytes.len < REDACT_SHORTEST ||
	    map_get(&r->known, bytes) != MAP_NONE)
		return CM_OK;
	if (!mem_grow(
		r->alloc, &array, &r->form_cap, r->forms, sizeof(*r->form)))
		return CM_ENOMEM;
	r->form = array;
	copy = mem_new(r->alloc, bytes.len);
	if (!copy)
		return CM_ENOMEM;
	memcpy(copy, bytes.ptr, bytes.len);
	s = map_set(&r->known, (text){copy, bytes.len}, 1);
	if (s != CM_OK) {
		mem_free(r->alloc, copy, bytes.len);
		return s;
	}
	r->form[r->forms++] =
	    (form){{copy, bytes.len}, (uint32_t)secret, NO_FORM};
	return CM_OK;
}

/* ------------------------------------------------------------------- forms */

static void
put_hex(buf *out, text t, const char *digits)
{
	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.ptr[i];

		buf_byte(out, digits[c >> 4]);
		buf_byte(out, digits[c & 15]);
	}
}

/* As encodeURIComponent and form fields write it. */
static void
put_percent(buf *out, text t, const char *digits)
{
	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.ptr[i];

		if (is_ascii_word(c) || c == '-' || c == '.' || c == '~') {
			buf_byte(out, (char)c);
			continue;
		}
		buf_byte(out, '%');
		put_hex(out, (text){t.ptr + i, 1}, digits);
	}
}

/* Base64 of t where `before` other bytes stand in front of it in a group of
 * three: only the characters that t alone decides. */
static void
put_base64(
    buf *out, text t, size_t before, void (*encode)(buf *out, text bytes))
{
	buf group = BUF_INIT(out->alloc, out->max), all = group;

	buf_add(&group, "\0\0", before);
	buf_text(&group, t);
	encode(&all, buf_view(&group));
	if (group.bad != CM_OK || all.bad != CM_OK)
		out->bad = CM_ENOMEM;
	else
		buf_text(out, text_sub(buf_view(&all), (before * 8 + 5) / 6,
				  group.len * 8 / 6));
	buf_fini(&group);
	buf_fini(&all);
}

static void
put_in_json(buf *out, text t)
{
	buf quoted = BUF_INIT(out->alloc, out->max);

	json_string(&quoted, t);
	if (quoted.bad != CM_OK)
		out->bad = quoted.bad;
	else
		buf_text(out, (text){quoted.ptr + 1, quoted.len - 2});
	buf_fini(&quoted);
}

/* Without the blanks and line breaks that a reader does not need: dividers. */
static void
put_undivided(buf *out, text t)
{
	buf parts = BUF_INIT(out->alloc, out->max);

	for (size_t i = 0; i < t.len; i++)
		if (!json_is_space(t.ptr[i]))
			buf_byte(&parts, t.ptr[i]);
	if (parts.bad != CM_OK)
		out->bad = parts.bad;
	else
		put_in_json(out, buf_view(&parts));
	buf_fini(&parts);
}

/* Form number `which` of t; false: there are no more. */
static bool
put_form(buf *out, text t, int which)
{
	static const char lower[] = "0123456789abcdef";
	static const char upper[] = "0123456789ABCDEF";

	switch (which) {
	case 0:
		buf_text(out, t);
		return true;
	case 1:
		if (utf8_bad(t) == SIZE_MAX)
			put_in_json(out, t);
		return true;
	case 2:
		put_percent(out, t, upper);
		return true;
	case 3:
		put_percent(out, t, lower);
		return true;
	case 4:
		put_hex(out, t, lower);
		return true;
	case 5:
		put_hex(out, t, upper);
		return true;
	default:
		break;
	}
	if (which > 12)
		return false;
	if (which == 12 && utf8_bad(t) == SIZE_MAX)
		put_undivided(out, t);
	if (which < 12)
		put_base64(out, t, (size_t)which % 3,
		    which < 9 ? base64_add : base64_add_url);
	return true;
}

/* A name may stand in any text, JSON among them. */
static void
put_plain_name(buf *out, text name)
{
	for (size_t i = 0; i < name.len; i++) {
		bool plain = is_ascii_word((unsigned char)name.ptr[i]) ||
			     memchr(" .:-", name.ptr[i], 4) != NULL;

		buf_byte(out, plain ? name.ptr[i] : '_');
	}
}

/* Finds a free place in .name. */
static cm_status
place_for_name(redactor *r, size_t *place)
{
	void *array = r->name;
	size_t i = 0;

	while (i < r->names && r->name[i].len > 0)
		i++;
	*place = i;
	if (i < r->names)
		return CM_OK;
	if (r->names >= REDACT_SECRETS_MAX)
		return CM_ELIMIT;
	if (!mem_grow(
		r->alloc, &array, &r->name_cap, r->names, sizeof(*r->name)))
		return CM_ENOMEM;
	r->name = array;
	r->name[r->names++] = BUF_INIT(r->alloc, SIZE_MAX / 2);
	return CM_OK;
}

cm_status
redactor_add(redactor *r, text name, text value)
{
	buf bytes = BUF_INIT(r->alloc, (size_t)REDACT_LONGEST * 6 + 2);
	size_t place, before = r->forms;
	cm_status s;

	value = text_sub(value, 0, REDACT_LONGEST);
	if (value.len < REDACT_SHORTEST)
		return CM_OK;
	s = place_for_name(r, &place);
	if (s != CM_OK)
		return s;
	put_plain_name(&r->name[place], name);
	s = r->name[place].bad;
	drop_table(r);
	for (int i = 0; s == CM_OK && put_form(&bytes, value, i); i++) {
		s = bytes.bad == CM_OK ? add_form(r, buf_view(&bytes), place)
				       : bytes.bad;
		buf_clear(&bytes);
	}
	buf_fini(&bytes);
	if (r->forms == before)
		buf_clear(&r->name[place]); /* free again */
	return s;
}

/* Removes the forms of the secret, and its name. */
static void
drop_secret(redactor *r, uint32_t secret)
{
	size_t kept = 0;

	map_fini(&r->known);
	r->known = MAP_INIT(r->alloc);
	for (size_t i = 0; i < r->forms; i++) {
		text b = r->form[i].bytes;

		if (r->form[i].secret == secret) {
			mem_free(r->alloc, (char *)(uintptr_t)b.ptr, b.len);
			continue;
		}
		/* Without memory for the map, a form may be added twice. */
		map_set(&r->known, b, 1);
		r->form[kept++] = r->form[i];
	}
	r->forms = kept;
	buf_fini(&r->name[secret]);
	r->name[secret] = BUF_INIT(r->alloc, SIZE_MAX / 2);
}

void
redactor_forget(redactor *r, text name, text value)
{
	value = text_sub(value, 0, REDACT_LONGEST);
	for (size_t i = 0; i < r->forms; i++) {
		uint32_t secret = r->form[i].secret;

		if (!text_eq(r->form[i].bytes, value) ||
		    !text_eq(buf_view(&r->name[secret]), name))
			continue;
		drop_table(r);
		drop_secret(r, secret);
		return;
	}
}

/* --------------------------------------------------------------- the table */

static unsigned
block_at(const char *p)
{
	return (unsigned char)p[0] * 256u + (unsigned char)p[1];
}

static void
enter_form(redactor *r, uint32_t i)
{
	window_table *w = r->table;
	form *f = &r->form[i];
	size_t last =
	    r->window - 2; /* where the last block of a window begins */
	unsigned end = block_at(f->bytes.ptr + last);

	for (size_t at = 0; at <= last; at++) {
		uint8_t *step = &w->step[block_at(f->bytes.ptr + at)];

		if (*step > last - at)
			*step = (uint8_t)(last - at);
	}
	f->next = w->first[end];
	w->first[end] = i;
}

static bool
make_table(redactor *r)
{
	r->table = mem_new(r->alloc, sizeof(*r->table));
	if (!r->table)
		return false;
	r->window = STEP_MAX + 1;
	for (size_t i = 0; i < r->forms; i++)
		if (r->form[i].bytes.len < r->window)
			r->window = r->form[i].bytes.len;
	memset(r->table->step, (int)r->window - 1, sizeof(r->table->step));
	memset(r->table->first, 0xff, sizeof(r->table->first));
	for (uint32_t i = 0; i < r->forms; i++)
		enter_form(r, i);
	return true;
}

/* ----------------------------------------------------------------- finding */

typedef struct secret_found {
	size_t from, to;
	uint32_t secret;
} secret_found;

/* The longest form that begins at t.ptr[at]; false: none does. */
static bool
form_at(const redactor *r, text t, size_t at, secret_found *found)
{
	uint32_t i = r->table->first[block_at(t.ptr + at + r->window - 2)];

	found->to = 0;
	for (; i != NO_FORM; i = r->form[i].next) {
		text b = r->form[i].bytes;

		if (b.len > t.len - at || at + b.len <= found->to ||
		    memcmp(b.ptr, t.ptr + at, b.len) != 0)
			continue;
		*found = (secret_found){at, at + b.len, r->form[i].secret};
	}
	return found->to > 0;
}

/* The first secret at or after from. */
static bool
find_secret(const redactor *r, text t, size_t from, secret_found *found)
{
	const uint8_t *steps = r->table->step;
	size_t last = r->window - 2;

	while (from + r->window <= t.len) {
		unsigned step = steps[block_at(t.ptr + from + last)];

		if (step == 0 && form_at(r, t, from, found))
			return true;
		from += step ? step : 1;
	}
	return false;
}

static void
put_name(const redactor *r, uint32_t secret, buf *out)
{
	buf_str(out, "[secret ");
	buf_text(out, buf_view(&r->name[secret]));
	buf_byte(out, ']');
}

/* Without memory for the table nothing can be shown to be free of secrets. */
static bool
can_search(redactor *r, buf *out)
{
	if (r->forms == 0)
		return false;
	if (!r->table && !make_table(r)) {
		out->bad = CM_ENOMEM;
		return false;
	}
	return true;
}

size_t
redact(redactor *r, text t, buf *out)
{
	size_t n = 0, done = 0;
	secret_found f;

	if (!can_search(r, out))
		return 0;
	while (find_secret(r, t, done, &f)) {
		buf_text(out, text_sub(t, done, f.from));
		put_name(r, f.secret, out);
		done = f.to;
		n++;
	}
	if (n)
		buf_text(out, text_sub(t, done, t.len));
	return n;
}

/* -------------------------------------------------------------------- JSON */

/* How far JSON was read, and whether that is inside a string. */
typedef struct json_place {
	size_t at;
	bool inside;
} json_place;

/* Is the number of quotes in t odd? Eight bytes at a time. */
static bool
odd_quotes(text t)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7f, quotes = 0x2222222222222222;
	uint64_t odd = 0, bytes;
	size_t i = 0;

	for (; i + sizeof(bytes) <= t.len; i += sizeof(bytes)) {
		memcpy(&bytes, t.ptr + i, sizeof(bytes));
		bytes ^= quotes;
		/* The highest bit of each byte that is 0. */
		odd ^= ~(((bytes & low) + low) | bytes | low);
	}
	for (; i < t.len; i++)
		odd ^= t.ptr[i] == '"';
	return __builtin_parityll(odd);
}

/* Reads on, at least to `to`: an escape is read whole. */
static void
read_json_to(text v, json_place *p, size_t to)
{
	while (p->at < to) {
		text rest = text_sub(v, p->at, to);
		const char *escape = memchr(rest.ptr, '\\', rest.len);

		if (escape)
			rest.len = (size_t)(escape - rest.ptr);
		p->inside ^= odd_quotes(rest);
		p->at += rest.len;
		if (escape)
			p->at += p->at + 1 < v.len && escape[1] == 'u' ? 6 : 2;
	}
}

static bool
is_number_byte(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' ||
	       c == 'e' || c == 'E';
}

/*
 * May what was found be replaced in the JSON v? Inside a string it must begin
 * and end with whole characters of it; a text that does not is another one
 * once it is read. Outside of strings it is widened to the whole number.
 */
static bool
fits_json(text v, json_place *p, secret_found *f)
{
	json_place end;

	read_json_to(v, p, f->from);
	if (!p->inside) {
		for (; f->from > 0 && is_number_byte(v.ptr[f->from - 1]);)
			f->from--;
		for (; f->to < v.len && is_number_byte(v.ptr[f->to]);)
			f->to++;
		p->at = f->to;
		return true;
	}
	end = *p;
	read_json_to(v, &end, f->to);
	if (p->at != f->from || end.at != f->to || !end.inside)
		return false;
	p->at = f->to;
	return true;
}

size_t
redact_json(redactor *r, json v, buf *out)
{
	json_place place = {0, false};
	size_t n = 0, done = 0, from = 0;
	secret_found f;

	if (!can_search(r, out))
		return 0;
	while (find_secret(r, v, from, &f)) {
		from = f.from + 1;
		if (!fits_json(v, &place, &f))
			continue;
		buf_text(out, text_sub(v, done, f.from));
		buf_str(out, place.inside ? "" : "\"");
		put_name(r, f.secret, out);
		buf_str(out, place.inside ? "" : "\"");
		done = from = f.to;
		n++;
	}
	if (n)
		buf_text(out, text_sub(v, done, v.len));
	return n;
}

/* ------------------------------------------------------------------- joined */

/* A divider: bytes of v that the joined text does not have. */
typedef struct seam {
	size_t at;       /* offset in the joined text of the byte behind it */
	size_t from, to; /* in v */
} seam;

typedef struct joint {
	buf text; /* v without dividers */
	seam *seam;
	size_t len, cap;
	const cm_alloc *alloc;
} joint;

/* Texts that divide a secret inside of a JSON string. */
static const text dividers[] = {
    TEXT_INIT("\"},{\"type\":\"text\",\"text\":\""),
    TEXT_INIT("\",\"console\":true},{\"type\":\"text\",\"text\":\""),
    TEXT_INIT("\",\""),
    TEXT_INIT("\\\",\\\""),
    TEXT_INIT("\\n"),
    TEXT_INIT("\\r"),
    TEXT_INIT("\\t"),
    TEXT_INIT(" "),
};

/* The bytes of the divider at v.ptr[at]; 0: there is none. */
static size_t
divider_at(text v, size_t at)
{
	text rest = text_sub(v, at, v.len);

	for (size_t i = 0; i < sizeof(dividers) / sizeof(*dividers); i++)
		if (rest.ptr[0] == dividers[i].ptr[0] &&
		    text_starts(rest, dividers[i]))
			return dividers[i].len;
	return 0;
}

static bool
add_seam(joint *j, size_t from, size_t to)
{
	void *array = j->seam;

	if (j->len > 0 && j->seam[j->len - 1].to == from) {
		j->seam[j->len - 1].to = to;
		return true;
	}
	if (!mem_grow(j->alloc, &array, &j->cap, j->len, sizeof(*j->seam)))
		return false;
	j->seam = array;
	j->seam[j->len++] = (seam){j->text.len, from, to};
	return true;
}

/* The offset of the next byte that is escaped or may begin a divider. */
static size_t
next_odd(text v, size_t at)
{
	while (at < v.len && v.ptr[at] != '"' && v.ptr[at] != '\\' &&
	       v.ptr[at] != ' ')
		at++;
	return at;
}

static bool
join_strings(joint *j, text v)
{
	bool inside = false;
	size_t done = 0, at = 0;

	while ((at = next_odd(v, at)) < v.len) {
		size_t n = inside ? divider_at(v, at) : 0;

		if (n == 0) {
			inside ^= v.ptr[at] == '"';
			at += v.ptr[at] == '\\' ? 2 : 1;
			continue;
		}
		buf_text(&j->text, text_sub(v, done, at));
		if (!add_seam(j, at, at + n))
			return false;
		done = at += n;
	}
	buf_text(&j->text, text_sub(v, done, v.len));
	return j->text.bad == CM_OK;
}

static void
free_joint(joint *j)
{
	mem_free(j->alloc, j->seam, j->cap * sizeof(*j->seam));
	buf_fini(&j->text);
}

/* A position in a joint. */
typedef struct joint_place {
	size_t next;     /* the first seam behind the position */
	size_t left_out; /* bytes of the seams before the position */
} joint_place;

/* Passes the seams in front of byte `at` of the joined text; returns the offset
 * of that byte in v. */
static size_t
place_in_whole(const joint *j, joint_place *p, size_t at)
{
	for (; p->next < j->len && j->seam[p->next].at <= at; p->next++)
		p->left_out += j->seam[p->next].to - j->seam[p->next].from;
	return at + p->left_out;
}

/* Appends the name instead of the secret, and then the dividers inside of the
 * secret. Returns the offset in v behind them. */
static size_t
put_divided(const redactor *r, const joint *j, joint_place *p, text v,
    const secret_found *f, buf *out)
{
	size_t inner = p->next;

	put_name(r, f->secret, out);
	for (; inner < j->len && j->seam[inner].at < f->to; inner++)
		buf_text(
		    out, text_sub(v, j->seam[inner].from, j->seam[inner].to));
	return place_in_whole(j, p, f->to - 1) + 1;
}

static size_t
redact_joint(redactor *r, const joint *j, json v, buf *out)
{
	json_place place = {0, false};
	joint_place whole = {0, 0};
	text joined = buf_view(&j->text);
	size_t n = 0, done = 0, from = 0;
	secret_found f;

	while (find_secret(r, joined, from, &f)) {
		from = f.from + 1;
		if (!fits_json(joined, &place, &f) || !place.inside)
			continue;
		buf_text(
		    out, text_sub(v, done, place_in_whole(j, &whole, f.from)));
		done = put_divided(r, j, &whole, v, &f, out);
		from = f.to;
		n++;
	}
	if (n)
		buf_text(out, text_sub(v, done, v.len));
	return n;
}

size_t
redact_joined(redactor *r, json v, buf *out)
{
	joint j = {.text = BUF_INIT(r->alloc, SIZE_MAX / 2), .alloc = r->alloc};
	size_t n = 0;

	if (!can_search(r, out))
		return 0;
	if (join_strings(&j, v))
		n = redact_joint(r, &j, v, out);
	else
		out->bad = CM_ENOMEM;
	free_joint(&j);
	return n;
}

/* Is an end of t a beginning of those bytes, and not the whole of them? */
static bool
begins_at_end(text bytes, text t)
{
	size_t n = bytes.len - 1 < t.len ? bytes.len - 1 : t.len;

	while (n > 0 && !text_starts(bytes, text_sub(t, t.len - n, t.len)))
		n--;
	return n > 0;
}

bool
redact_is_open(redactor *r, json strings)
{
	joint j = {.text = BUF_INIT(r->alloc, SIZE_MAX / 2), .alloc = r->alloc};
	bool open = !join_strings(&j, strings);
	text t = text_sub(buf_view(&j.text), 0, j.text.len - TEXT("\"]").len);

	for (size_t i = 0; i < r->forms && !open; i++)
		open = begins_at_end(r->form[i].bytes, t);
	free_joint(&j);
	return open;
}
