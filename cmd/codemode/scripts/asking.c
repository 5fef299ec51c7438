/* SPDX-License-Identifier: MIT */
/* asking.c -- see asking.h. */
#include "asking.h"

enum {
	ARGS_SHOWN = 2000, /* bytes of one call's arguments */
	PATH_SHOWN = 300,  /* bytes */
	OTHERS_SHOWN = 20  /* tools that are called without asking */
};

/* ---------------------------------------------------------- harmless texts */

/* Is it a control character, or one that reverses or hides text around it? */
static bool
hides_text(uint32_t cp)
{
	static const struct {
		uint32_t from, to;
	} hidden[] = {{0, 0x1f}, {0x7f, 0x9f}, {0xad, 0xad}, {0x61c, 0x61c},
	    {0x115f, 0x1160}, {0x180e, 0x180e}, {0x200b, 0x200f},
	    {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},
	    {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff9, 0xfffb},
	    {0xe0000, 0xe0fff}};

	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++)
		if (cp >= hidden[i].from && cp <= hidden[i].to)
			return true;
	return false;
}

/* Can Markdown or HTML read it as markup? In JSON its escape means the same
 * character. */
static bool
is_markup(uint32_t cp, char next)
{
	return cp == '`' || cp == '<' || (cp == '!' && next == '[') ||
	       (cp == ']' && next == '(');
}

void
ask_plain(text t, size_t max, buf *words)
{
	text head = text_head(t, max);

	for (size_t i = 0; i < head.len;) {
		size_t from = i;
		uint32_t cp = utf8_next(head, &i);

		if (hides_text(cp) ||
		    is_markup(cp, i < head.len ? head.ptr[i] : 0))
			buf_printf(words, cp > 0xffff ? "\\u{%x}" : "\\u%04x",
			    (unsigned)cp);
		else
			buf_text(words, text_sub(head, from, i));
	}
	if (head.len < t.len)
		buf_printf(words, " ... and %zu more bytes", t.len - head.len);
}

/* ---------------------------------------------------------- about one call */

static void
put_reason(const upstream *u, const cm_call *call, buf *words)
{
	const policy_decision d = upstream_permits(u, call);

	buf_str(words, ": ");
	permit_reason(&d, words);
	upstream_changes(u, call, words);
}

void
ask_about_call(const upstream *u, const cm_call *call, buf *words)
{
	buf_str(words, "A script wants to call ");
	ask_plain(call->path, PATH_SHOWN, words);
	buf_byte(words, '(');
	ask_plain(call->args, ARGS_SHOWN, words);
	buf_byte(words, ')');
	put_reason(u, call, words);
	buf_str(words, ". Allow it?");
}

/* ---------------------------------------------------------- about a script */

/* The path of a site that names one tool; otherwise empty. */
static text
path_of_site(json site)
{
	json tool = json_get(site, TEXT("tool"));
	text path = text_sub(tool, 1, tool.len - 1);

	return json_kind_of(tool) != JSON_STRING ||
		       text_find(path, TEXT("\\"), 0) != SIZE_MAX ||
		       text_find(path, TEXT("*"), 0) != SIZE_MAX
		   ? TEXT_NONE
		   : path;
}

/* The constant arguments of a site; empty: they are computed. */
static json
args_of_site(json site)
{
	json args = json_get(site, TEXT("args"));

	if (args.len > 0 || json_bool(json_get(site, TEXT("named")), false) ||
	    json_present(json_get(site, TEXT("argsText"))))
		return args;
	return TEXT("{}");
}

static bool
is_on_list(const ask_list *list, const listed_call *c)
{
	for (size_t i = 0; i < list->len; i++)
		if (text_eq(list->call[i].path, c->path) &&
		    text_eq(list->call[i].args, c->args) &&
		    text_eq(list->call[i].written, c->written))
			return true;
	return false;
}

/* What is computed is shown as it is written, and may become anything. */
static void
put_site(const upstream *u, const cm_call *call, json site,
    const listed_call *c, buf *words)
{
	buf plain = BUF_INIT(NULL, 64u << 10);
	int64_t line = 0;

	buf_str(words, "\n- ");
	ask_plain(call->path, PATH_SHOWN, words);
	json_unescape(c->written, &plain);
	buf_byte(words, '(');
	if (!text_eq(c->args, TEXT("{}")))
		ask_plain(c->args.len > 0 ? c->args : buf_view(&plain),
		    ARGS_SHOWN, words);
	buf_byte(words, ')');
	if (json_int(json_get(site, TEXT("line")), &line) && line > 0)
		buf_printf(words, " in line %lld", (long long)line);
	if (c->args.len == 0)
		buf_str(words, ", with any arguments");
	put_reason(u, call, words);
	buf_fini(&plain);
}

/* True: the call must also be asked about when it happens. */
static bool
read_site(ask_list *list, const upstream *u, json site, buf *words, buf *others)
{
	const listed_call c = {path_of_site(site), args_of_site(site),
	    json_get(site, TEXT("argsText"))};
	cm_call call;

	if (c.path.len == 0)
		return true;
	if (!upstream_call_of(u, c.path, &call) || is_on_list(list, &c) ||
	    upstream_is_dry(u, &call))
		return false;
	if (upstream_permits(u, &call).verdict != POLICY_ASK) {
		buf_text(others, c.path);
		buf_byte(others, '\n');
		return false;
	}
	/* What is not shown whole is not covered. */
	if (list->len == LISTED_MAX || c.args.len > ARGS_SHOWN)
		return true;
	list->call[list->len++] = c;
	put_site(u, &call, site, &c, words);
	return false;
}

/* Appends each path once. */
static void
put_unasked(text others, buf *words)
{
	text rest = others, path;
	unsigned n = 0;

	while (text_line(&rest, &path)) {
		size_t at = (size_t)(path.ptr - others.ptr);
		text before = text_sub(others, 0, at), one;
		bool again = false;

		while (!again && text_line(&before, &one))
			again = text_eq(one, path);
		if (again || n++ >= OTHERS_SHOWN)
			continue;
		buf_str(words, n == 1 ? "\nWithout asking it calls " : ", ");
		ask_plain(path, PATH_SHOWN, words);
	}
	if (n > OTHERS_SHOWN)
		buf_printf(words, " and %u more", n - OTHERS_SHOWN);
	buf_str(words, n > 0 ? "." : "");
}

bool
ask_list_read(
    ask_list *list, upstream *u, unsigned version, json sites, buf *words)
{
	buf others = BUF_INIT(NULL, 4u << 20);
	json_iter it = json_each(sites);
	bool more = false;
	json site;

	if (version != upstream_version(u))
		return false;
	buf_str(words, "A script wants to call:");
	while (json_next(&it, NULL, &site))
		more = read_site(list, u, site, words, &others) || more;
	put_unasked(buf_view(&others), words);
	if (more)
		buf_str(words, "\nSome of its calls are not known before they "
			       "happen: you are asked again then.");
	buf_str(words, "\nAllow them for this script?");
	buf_fini(&others);
	return list->len > 0 && words->bad == CM_OK;
}
