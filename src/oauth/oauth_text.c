/* SPDX-License-Identifier: MIT */
/* oauth_text.c -- see oauth_text.h. */
#include "oauth_text.h"

#include "base/base64.h"

text
oauth_keep(arena *a, text t)
{
	char *p = t.len ? arena_take(a, t.len) : NULL;

	if (p == NULL)
		return TEXT_NONE;
	memcpy(p, t.ptr, t.len);
	return (text){p, t.len};
}

static char
lower_case(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool
oauth_same_caseless(text a, text b)
{
	size_t i;

	for (i = 0; i < a.len && i < b.len; i++)
		if (lower_case(a.ptr[i]) != lower_case(b.ptr[i]))
			return false;
	return a.len == b.len;
}

/* ---------------------------------------------------------------- forms */

void
oauth_percent(buf *out, text t)
{
	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.ptr[i];

		if (is_ascii_word(c) || c == '-' || c == '.' || c == '~')
			buf_byte(out, (char)c);
		else
			buf_printf(out, "%%%02X", c);
	}
}

void
oauth_basic_header(buf *out, text id, text secret)
{
	buf pair = BUF_INIT(out->alloc, out->max);

	oauth_percent(&pair, id);
	buf_byte(&pair, ':');
	oauth_percent(&pair, secret);
	buf_str(out, "Authorization: Basic ");
	base64_add(out, buf_view(&pair));
	buf_byte(out, '\n');
	if (pair.bad != CM_OK)
		out->bad = pair.bad;
	buf_fini(&pair);
}

void
oauth_form_add(buf *out, const char *name, text value)
{
	char last = '&';

	if (out->len > 0)
		last = out->ptr[out->len - 1];
	if (last != '?' && last != '&')
		buf_byte(out, '&');
	buf_str(out, name);
	buf_byte(out, '=');
	oauth_percent(out, value);
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Unescapes in place: the result is never longer. */
static text
form_unescape(char *p, size_t len)
{
	size_t from = 0, to = 0;

	while (from < len) {
		int high = -1, low = -1;

		if (p[from] == '%' && len - from > 2) {
			high = hex_digit(p[from + 1]);
			low = hex_digit(p[from + 2]);
		}
		if (high >= 0 && low >= 0) {
			p[to++] = (char)(high << 4 | low);
			from += 3;
		} else {
			p[to++] = p[from] == '+' ? ' ' : p[from];
			from++;
		}
	}
	return (text){p, to};
}

bool
oauth_form_get(text form, const char *name, arena *a, text *out)
{
	while (form.len > 0) {
		size_t end = text_find(form, TEXT("&"), 0);
		text part = text_sub(form, 0, end);
		size_t equals = text_find(part, TEXT("="), 0);

		if (text_eq(text_sub(part, 0, equals), text_of(name))) {
			*out = TEXT_NONE;
			if (equals != SIZE_MAX)
				*out = text_sub(part, equals + 1, part.len);
			*out = oauth_keep(a, *out);
			*out = form_unescape(
			    (char *)(uintptr_t)out->ptr, out->len);
			return true;
		}
		form = end == SIZE_MAX ? TEXT_NONE
				       : text_sub(form, end + 1, form.len);
	}
	return false;
}

/* --------------------------------------------------------------- scopes */

/* RFC 6749: printable ASCII without quotes and backslashes. */
static bool
is_scope(text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.ptr[i] <= ' ' || t.ptr[i] > '~' || t.ptr[i] == '"' ||
		    t.ptr[i] == '\\')
			return false;
	return true;
}

bool
oauth_next_scope(text *rest, text *scope)
{
	size_t end;

	do {
		*rest = text_trim(*rest);
		end = text_find(*rest, TEXT(" "), 0);
		*scope = text_sub(*rest, 0, end);
		*rest = text_sub(*rest, end, rest->len);
	} while (!is_scope(*scope));
	return scope->len > 0;
}

bool
oauth_has_scopes(text list, text these)
{
	text scope, rest, one;

	while (oauth_next_scope(&these, &scope)) {
		bool found = false;

		for (rest = list; !found && oauth_next_scope(&rest, &one);)
			found = text_eq(one, scope);
		if (!found)
			return false;
	}
	return true;
}

void
oauth_add_scopes(buf *out, text more)
{
	text scope;

	while (oauth_next_scope(&more, &scope)) {
		if (oauth_has_scopes(buf_view(out), scope))
			continue;
		if (out->len > 0)
			buf_byte(out, ' ');
		buf_text(out, scope);
	}
}

/* ------------------------------------------------------------ challenges */

static bool
is_token_char(char c)
{
	return is_ascii_word((unsigned char)c) ||
	       (c > ' ' && strchr("!#$%&'*+-.^`|~", c) != NULL);
}

static text
header_token(text t, size_t *at)
{
	size_t from = *at;

	while (*at < t.len && is_token_char(t.ptr[*at]))
		++*at;
	return text_sub(t, from, *at);
}

static void
skip_header_blanks(text t, size_t *at)
{
	while (*at < t.len && (t.ptr[*at] == ' ' || t.ptr[*at] == '\t'))
		++*at;
}

/* A token, or a quoted string without its quotes and escapes. */
static text
header_value(text t, size_t *at, arena *a)
{
	text value;
	size_t to = 0;
	char *p;

	if (*at == t.len || t.ptr[*at] != '"')
		return oauth_keep(a, header_token(t, at));
	value = oauth_keep(a, text_sub(t, ++*at, t.len));
	p = (char *)(uintptr_t)value.ptr;
	while (*at < t.len && t.ptr[*at] != '"') {
		if (t.ptr[*at] == '\\' && *at + 1 < t.len)
			++*at;
		if (p)
			p[to++] = t.ptr[*at];
		++*at;
	}
	if (*at < t.len)
		++*at;
	return (text){p, to};
}

/* The first of two with the same name counts. */
static void
note_parameter(oauth_challenge *c, text name, text value)
{
	const struct {
		text name;
		text *at;
	} known[] = {
	    {TEXT("resource_metadata"), &c->resource_metadata},
	    {TEXT("scope"), &c->scope},
	    {TEXT("error"), &c->error},
	    {TEXT("error_description"), &c->description},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (text_eq(name, known[i].name) && known[i].at->len == 0)
			*known[i].at = value;
}

oauth_challenge
oauth_read_challenge(text header, arena *a)
{
	oauth_challenge c = {.bearer = false};
	bool inside = false; /* of the parameters of one of them */
	size_t at = 0;

	while (at < header.len) {
		text word = header_token(header, &at);

		if (word.len == 0) {
			at++;
			continue;
		}
		skip_header_blanks(header, &at);
		if (at < header.len && header.ptr[at] == '=') {
			at++;
			skip_header_blanks(header, &at);
			if (inside)
				note_parameter(
				    &c, word, header_value(header, &at, a));
			else
				header_value(header, &at, a);
		} else {
			bool bearer = oauth_same_caseless(word, TEXT("bearer")),
			     dpop = oauth_same_caseless(word, TEXT("dpop"));

			inside = bearer || dpop;
			c.bearer |= bearer;
			c.dpop |= dpop;
		}
	}
	return c;
}
