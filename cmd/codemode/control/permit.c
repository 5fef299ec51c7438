/* SPDX-License-Identifier: MIT */
/*
 * permit.c -- see permit.h.
 *
 * The file of answers, $XDG_STATE_HOME/codemode/always, has a key (file_key.h)
 * and a line for each tool: hashes of the parts of its definition, and
 * server.tool. A changed definition has another line, so the tool is asked about
 * again. A server does not know the key, so it cannot make another definition
 * with the same hashes.
 */
#include "permit.h"

#include "base/map.h"
#include "common/file.h"
#include "common/own_file.h"

#include <inttypes.h>
#include <stdlib.h>

enum { POLICY_FILE_MAX = 4 << 20, ALWAYS_MAX = 4 << 20 };

/* -------------------------------------------------------------------- rules */

static const struct {
	const char *name;
	policy_verdict verdict;
} verdicts[] = {
    {"allow", POLICY_ALLOW},
    {"ask", POLICY_ASK},
    {"deny", POLICY_DENY},
};

enum { VERDICTS = sizeof(verdicts) / sizeof(*verdicts) };

/* False: it is wrong, which was printed. */
static bool
add_rule(permit *p, const char *name, text pattern, const char *where)
{
	const char *why = NULL;
	size_t i = 0;
	cm_status r;

	while (i < VERDICTS && strcmp(verdicts[i].name, name) != 0)
		i++;
	must(i < VERDICTS);
	r = policy_add(&p->policy, verdicts[i].verdict, pattern, where, &why);
	if (r == CM_OK)
		return true;
	say_line(p->say, "%s \"%.*s\": %s", where,
	    TEXT_ARG(text_head(pattern, 100)), why ? why : cm_status_text(r));
	return false;
}

static bool
add_line_rules(permit *p, const permit_options *o)
{
	bool ok = true;

	for (size_t i = 0; i < o->rules.len; i++) {
		const opt_value *v = &o->rules.value[i];

		ok = add_rule(p, v->opt->name, text_of(v->text),
			 pool_printf(&p->pool, "--%s", v->opt->name)) &&
		     ok;
	}
	if (o->read_only)
		ok = add_rule(p, "deny", TEXT("@destroys"), "--read-only") &&
		     add_rule(p, "deny", TEXT("@unknown"), "--read-only") && ok;
	return ok;
}

/* --------------------------------------------------------------- the file */

/* An object of booleans, or an array of texts? */
static bool
holds_what_it_may(json v)
{
	json_kind kind = json_kind_of(v);
	json_iter it = json_each(v);
	json one;

	while (json_next(&it, NULL, &one)) {
		json_kind of = json_kind_of(one);

		if (kind == JSON_OBJECT ? of != JSON_TRUE && of != JSON_FALSE
					: of != JSON_STRING)
			return false;
	}
	return kind == JSON_OBJECT || kind == JSON_ARRAY;
}

/* A member that is not understood may be a restriction: it ends the command. */
static bool
add_policy_member(permit *p, const char *path, json key, json value)
{
	json_iter it = json_each(value);
	bool ok = true, trust;
	json one;
	char *name;
	size_t i = 0;

	while (i < VERDICTS && !json_is(key, text_of(verdicts[i].name)))
		i++;
	trust = i == VERDICTS && json_is(key, TEXT("trust"));
	if ((i == VERDICTS && !trust) || !holds_what_it_may(value) ||
	    trust != (json_kind_of(value) == JSON_OBJECT)) {
		say_line(p->say,
		    "%s: %.*s: write allow, ask or deny, each an array of "
		    "texts, or trust, an object of server names with true or "
		    "false",
		    path, TEXT_ARG(text_head(key, 100)));
		return false;
	}
	if (trust) {
		p->trust = text_of(pool_copy(&p->pool, value));
		return true;
	}
	name = pool_printf(&p->pool, "%s: %s", path, verdicts[i].name);
	while (json_next(&it, NULL, &one)) {
		buf pattern = BUF_INIT(NULL, POLICY_FILE_MAX);

		json_unescape(one, &pattern);
		ok = add_rule(p, verdicts[i].name, buf_view(&pattern), name) &&
		     ok;
		buf_fini(&pattern);
	}
	return ok;
}

static bool
add_text_rules(permit *p, const char *path, text content)
{
	buf plain = BUF_INIT(NULL, POLICY_FILE_MAX);
	json_fault fault;
	json_iter it;
	json rules, key, value;
	bool ok = true;

	json_blank_comments(content, &plain);
	if (!json_check(buf_view(&plain), JSON_DEPTH, &rules, &fault)) {
		say_line(p->say, "%s: byte %zu: %s", path, fault.at, fault.why);
		ok = false;
	} else if (json_kind_of(rules) != JSON_OBJECT) {
		say_line(p->say, "%s: a policy is an object", path);
		ok = false;
	} else {
		it = json_each(rules);
		while (json_next(&it, &key, &value))
			ok = add_policy_member(p, path, key, value) && ok;
	}
	buf_fini(&plain);
	return ok;
}

static bool
add_file_rules(permit *p, const char *given)
{
	const char *path = given != NULL
			       ? given
			       : own_file(&p->pool, OWN_CONFIG, "policy.json");
	buf content = BUF_INIT(NULL, POLICY_FILE_MAX);
	const char *why;
	bool ok = true;

	if (path == NULL || (given == NULL && file_missing(path)))
		return true;
	why = file_read(path, &content);
	if (why == NULL)
		ok = add_text_rules(p, path, buf_view(&content));
	else
		say_line(p->say, "the policy %s cannot be read: %s", path, why);
	buf_fini(&content);
	return ok && why == NULL;
}

/* ------------------------------------------------------------------- always */

static const struct {
	size_t member; /* of cm_tool, a text */
	const char *name;
} parts[] = {
    {offsetof(cm_tool, description), "description"},
    {offsetof(cm_tool, input_schema), "arguments"},
    {offsetof(cm_tool, output_schema), "result"},
};

enum { PARTS = sizeof(parts) / sizeof(*parts) };

static const text *
part_of(const cm_tool *t, size_t i)
{
	return (const text *)(const void *)((const char *)t + parts[i].member);
}

/* The flags of a tool that its server sets by annotations. */
static unsigned
hints_of(const cm_tool *t)
{
	return t->flags &
	       (CM_TOOL_READS | CM_TOOL_REPEATABLE | CM_TOOL_DESTROYS);
}

/* Escapes blanks and control characters, so that a name that a server chose is
 * one word of the line. */
static void
put_one_word(text name, buf *out)
{
	for (size_t i = 0; i < name.len; i++) {
		unsigned char c = (unsigned char)name.ptr[i];

		if (c <= ' ' || c == '\\')
			buf_printf(out, "\\%02x", c);
		else
			buf_byte(out, (char)c);
	}
}

void
permit_put_definition(const permit *p, const cm_tool *t, buf *out)
{
	for (size_t i = 0; i < PARTS; i++)
		buf_printf(out, "%016" PRIx64 " ",
		    text_hash_keyed(*part_of(t, i), p->key));
	buf_printf(out, "%x ", hints_of(t));
	put_one_word(t->space, out);
	buf_byte(out, '.');
	put_one_word(t->name, out);
	buf_byte(out, '\n');
}

/* The line of that tool's definition; without its end. */
static text
write_definition(const permit *p, const cm_tool *t, buf *out)
{
	permit_put_definition(p, t, out);
	return text_trim(buf_view(out));
}

static bool
is_defined_so(const permit *p, text lines, const cm_tool *t)
{
	buf line = BUF_INIT(NULL, ALWAYS_MAX);
	text want = write_definition(p, t, &line), one;
	bool found = false;

	while (!found && text_line(&lines, &one))
		found = text_eq(one, want);
	buf_fini(&line);
	return found;
}

/* The first word of a line, which is taken off it. */
static text
take_word(text *line)
{
	size_t end = text_find(*line, TEXT(" "), 0);
	text word;

	if (end == SIZE_MAX)
		end = line->len;
	word = text_sub(*line, 0, end);
	*line = text_sub(*line, end + (end < line->len), line->len);
	return word;
}

/* Appends which parts differ, if both lines are of the same tool. */
static void
put_difference(text before, text now, buf *out)
{
	const char *changed[PARTS + 1];
	size_t n = 0;

	for (size_t i = 0; i <= PARTS; i++)
		if (!text_eq(take_word(&before), take_word(&now)))
			changed[n++] =
			    i < PARTS ? parts[i].name : "word on what it does";
	if (!text_eq(before, now))
		return;
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s%s",
		    i == 0 ? ", and since then its server has changed its "
		    : i + 1 == n ? " and its "
				 : ", its ",
		    changed[i]);
}

void
permit_put_changes(const permit *p, text lines, const cm_tool *t, buf *out)
{
	buf line = BUF_INIT(NULL, ALWAYS_MAX);
	text now = write_definition(p, t, &line), one;
	size_t from = out->len;

	while (!is_defined_so(p, lines, t) && out->len == from &&
	       text_line(&lines, &one))
		put_difference(one, now, out);
	buf_fini(&line);
}

static bool
is_always_allowed(const permit *p, const cm_tool *t)
{
	return is_defined_so(p, p->always, t);
}

/* What the file has; without one that is ours, what was answered so far, or a
 * new key. */
static void
read_answers(permit *p)
{
	buf all = BUF_INIT(NULL, ALWAYS_MAX);
	uint64_t key[FILE_KEY_WORDS];
	bool ours = p->kept != NULL && own_file_read(p->kept, &all) == NULL &&
		    file_key_read(buf_view(&all), key);

	if (!ours && p->always.len == 0) {
		buf_clear(&all);
		file_key_make(&all, key);
		ours = true;
	}
	if (ours) {
		p->always = text_of(pool_copy(&p->pool, buf_view(&all)));
		memcpy(p->key, key, sizeof(key));
	}
	buf_fini(&all);
}

static const char *
add_answer(permit *p, const cm_tool *t)
{
	buf all = BUF_INIT(NULL, ALWAYS_MAX);
	const char *why = NULL;

	read_answers(p);
	buf_text(&all, p->always);
	permit_put_definition(p, t, &all);
	if (all.bad != CM_OK)
		why = cm_status_text(all.bad);
	else
		p->always = text_of(pool_copy(&p->pool, buf_view(&all)));
	buf_fini(&all);
	return why;
}

/* Other processes may have added answers meanwhile. */
const char *
permit_always(permit *p, const cm_tool *t)
{
	const char *why = "there is no HOME", *failed;
	int lock;

	if (p->kept == NULL || (why = own_file_make(p->kept)) != NULL) {
		failed = add_answer(p, t);
		return failed != NULL ? failed : why;
	}
	lock = file_lock(p->kept, &why);
	failed = add_answer(p, t);
	if (why == NULL)
		why = failed != NULL ? failed : file_write(p->kept, p->always);
	file_unlock(lock);
	return why;
}

/* ----------------------------------------------------------------- deciding */

static bool
counts_word_of(const permit *p, text server)
{
	json said = json_get(p->trust, server);

	if (!json_present(said))
		said = json_get(p->trust, TEXT("*"));
	return json_bool(said, true);
}

bool
permit_dry(const permit *p, const cm_tool *t)
{
	return p->dry &&
	       !(t->flags & CM_TOOL_READS && counts_word_of(p, t->space));
}

const policy_rule *
permit_rule_of(const permit *p, size_t rule, const cm_tool *t)
{
	const policy_tool seen = {
	    t->space, t->name, t->flags, counts_word_of(p, t->space)};

	return policy_rule_names(&p->policy.rule[rule], &seen)
		   ? policy_decide(&p->policy, &seen).rule
		   : NULL;
}

policy_decision
permit_tool(const permit *p, const cm_tool *t)
{
	const policy_tool seen = {
	    t->space, t->name, t->flags, counts_word_of(p, t->space)};
	policy_decision d = policy_decide(&p->policy, &seen);

	if (d.verdict != POLICY_ASK)
		return d;
	if (p->yes || is_always_allowed(p, t))
		return (policy_decision){.verdict = POLICY_ALLOW,
		    .named = p->yes ? TEXT("--yes") : TEXT("answered: always")};
	return d;
}

void
permit_reason(const policy_decision *d, buf *out)
{
	static const struct {
		text named;
		const char *words;
	} classes[] = {
	    {TEXT_INIT("@destroys"), "it says that it may overwrite or delete"},
	    {TEXT_INIT("@reads"), "it says that it only reads"},
	    {TEXT_INIT("@unknown"), "no rule names it"},
	};
	size_t i = 0;

	while (i < 3 && !text_eq(d->named, classes[i].named))
		i++;
	if (d->rule != NULL) {
		buf_str(out, d->rule->where);
		buf_byte(out, ' ');
		buf_text(out, d->rule->pattern);
	} else {
		buf_text(out, i < 3 ? text_of(classes[i].words) : d->named);
	}
	if (d->distrusted)
		buf_str(out, " (its word that it only reads does not count)");
}

/* Is the name free of characters that a shell or a pattern interprets? */
static bool
means_itself(text name)
{
	size_t i = 0;

	while (i < name.len && (is_ascii_word((unsigned char)name.ptr[i]) ||
				   name.ptr[i] == '-' || name.ptr[i] == '.' ||
				   name.ptr[i] == '/'))
		i++;
	return i == name.len;
}

/* Appends a pattern that allows this tool alone, if there is one. */
static void
put_how_to_allow(const cm_call *call, buf *out)
{
	if (means_itself(call->space) && means_itself(call->name))
		buf_printf(out,
		    "--allow '%.*s.%.*s', or \"allow\": [\"%.*s.%.*s\"] in the "
		    "policy file, or --yes",
		    TEXT_ARG(call->space), TEXT_ARG(call->name),
		    TEXT_ARG(call->space), TEXT_ARG(call->name));
	else
		buf_str(out, "--yes");
}

void
permit_refusal(const policy_decision *d, const cm_call *call,
    permit_answer answer, buf *out)
{
	buf_printf(out, "%.*s is not allowed: ", TEXT_ARG(call->path));
	permit_reason(d, out);
	if (d->verdict == POLICY_DENY)
		return;
	if (answer == PERMIT_UNASKED) {
		buf_str(out, ", and no person can be asked; to allow it: ");
		put_how_to_allow(call, out);
	} else {
		buf_str(out, ", and the person said no");
	}
}

/* ------------------------------------------------------- making and freeing */

cli_exit
permit_open(permit *p, const permit_options *o, say *s)
{
	bool ok;

	*p = (permit){.say = s,
	    .policy = POLICY_INIT,
	    .yes = o->yes,
	    .each = o->each,
	    .dry = o->dry};
	ok = add_line_rules(p, o);
	ok = add_file_rules(p, o->file) && ok;
	if (!ok)
		return CLI_USAGE;
	p->kept = own_file(&p->pool, OWN_STATE, "always");
	read_answers(p);
	return CLI_OK;
}

void
permit_fini(permit *p)
{
	policy_fini(&p->policy);
	pool_fini(&p->pool);
}
