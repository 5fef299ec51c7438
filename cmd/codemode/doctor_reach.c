/* SPDX-License-Identifier: MIT */
/* doctor_reach.c -- see doctor_reach.h. */
#include "doctor_reach.h"

#include "common/monotonic.h"
#include "common/own_file.h"
#include "common/signals.h"

#include <sys/stat.h>

enum { WORDS_MAX = 64 << 10 };

typedef struct examination {
	upstream u;
	uint64_t *up_ms; /* of each server: ms until it was up; 0: not yet */
	buf *out;
	bool *ok;
} examination;

/* ------------------------------------------------------------------ findings */

static void
open_list(examination *x, const char *name)
{
	json_member(x->out, name);
	buf_byte(x->out, '[');
}

/* Opens a finding; todo NULL: all is well. */
static void
put_finding(examination *x, text name, text about, const char *todo)
{
	buf plain;

	json_element(x->out);
	buf_byte(x->out, '{');
	json_member_bool(x->out, "ok", todo == NULL);
	json_member_text(x->out, "name", name);
	json_member_text(
	    x->out, "about", without_secrets(x->u.secrets, about, &plain));
	buf_fini(&plain);
	if (todo != NULL) {
		json_member_text(x->out, "todo",
		    without_secrets(x->u.secrets, text_of(todo), &plain));
		buf_fini(&plain);
		*x->ok = false;
	}
}

static void
put_whole_finding(
    examination *x, const char *name, const buf *about, const char *todo)
{
	put_finding(x, text_of(name), buf_view(about), todo);
	buf_byte(x->out, '}');
}

/* ------------------------------------------------------------------- servers */

static void
note_times(examination *x)
{
	for (size_t i = 0; i < x->u.count; i++)
		if (x->up_ms[i] == 0 &&
		    servers_state(x->u.servers, i) == SERVER_UP)
			x->up_ms[i] = monotonic_ms() - x->u.began_ms + 1;
}

static void
await_servers(examination *x)
{
	upstream_want(&x->u, NULL);
	while (signals_count() == 0 && !upstream_ready(&x->u, NULL)) {
		main_loop_turn(x->u.loop);
		note_times(x);
	}
}

/* Advice about a server that did not come up. */
static void
put_advice(const server_config *c, server_state state, buf *out)
{
	if (state == SERVER_LATE)
		buf_str(out, "give it more time: --startup-timeout MS, or "
			     "startupTimeoutMs in its entry");
	else if (c->reach != REACH_PROCESS)
		buf_printf(out,
		    "is %s right? If it wants a login: codemode login %s",
		    c->url, c->name);
	else
		buf_str(out, "run its command by itself:");
	for (char **word = c->argv;
	     state != SERVER_LATE && c->reach == REACH_PROCESS && *word; word++)
		buf_printf(out, " %s", *word);
	buf_byte(out, '\0');
}

static void
put_server_up(examination *x, size_t i)
{
	const server_config *c = &x->u.config.entry[x->u.entry[i]].start;
	text program = servers_program(x->u.servers, i);
	text revision = servers_revision(x->u.servers, i);
	buf about = BUF_INIT(NULL, WORDS_MAX);
	size_t tools;

	servers_tools(x->u.servers, i, &tools);
	buf_printf(&about, "%.*s%sMCP %.*s, %zu tool%s, up in %llu ms",
	    TEXT_ARG(program), program.len > 0 ? ", " : "", TEXT_ARG(revision),
	    tools, tools == 1 ? "" : "s", (unsigned long long)x->up_ms[i]);
	put_finding(x, text_of(c->name), buf_view(&about), NULL);
	json_member_text(x->out, "program", program);
	json_member_text(x->out, "revision", revision);
	json_member_uint(x->out, "tools", tools);
	json_member_uint(x->out, "ms", x->up_ms[i]);
	buf_byte(x->out, '}');
	buf_fini(&about);
}

static void
put_server_down(examination *x, size_t i)
{
	const server_config *c = &x->u.config.entry[x->u.entry[i]].start;
	buf todo = BUF_INIT(NULL, WORDS_MAX);

	put_advice(c, servers_state(x->u.servers, i), &todo);
	put_finding(x, text_of(c->name), servers_why(x->u.servers, i),
	    todo.bad == CM_OK ? todo.ptr : "look at its entry");
	buf_byte(x->out, '}');
	buf_fini(&todo);
}

static void
put_server_findings(examination *x)
{
	const config *c = &x->u.config;

	open_list(x, "servers");
	for (size_t i = 0; i < x->u.count; i++)
		(servers_state(x->u.servers, i) == SERVER_UP
			? put_server_up
			: put_server_down)(x, i);
	for (size_t i = 0; i < c->len; i++) {
		const config_entry *e = &c->entry[i];
		buf todo = BUF_INIT(NULL, WORDS_MAX);

		buf_printf(&todo, "correct it: %s",
		    e->start.where ? e->start.where : "its entry");
		buf_byte(&todo, '\0');
		if (e->fate == CONFIG_WRONG) {
			put_finding(x, text_of(e->start.name),
			    text_of(e->why ? e->why : "it is wrong"), todo.ptr);
			buf_byte(x->out, '}');
		}
		buf_fini(&todo);
	}
	buf_byte(x->out, ']');
}

/* -------------------------------------------------------------------- policy */

/* One rule, and the tools that it names. */
typedef struct rule_use {
	const permit *permit;
	size_t rule;
	size_t names, decides;
	const policy_rule *other; /* a rule that decides instead of this one */
} rule_use;

static void
count_use(void *ctx, const cm_tool *t, policy_decision d)
{
	rule_use *use = ctx;
	const policy_rule *winner = permit_rule_of(use->permit, use->rule, t);

	(void)d;
	if (winner == NULL)
		return;
	use->names++;
	if (winner == &use->permit->policy.rule[use->rule])
		use->decides++;
	else
		use->other = winner;
}

static void
put_rule_finding(examination *x, size_t rule)
{
	const policy_rule *r = &x->u.permit.policy.rule[rule];
	rule_use use = {.permit = &x->u.permit, .rule = rule};
	buf name = BUF_INIT(NULL, WORDS_MAX), about = name;
	const char *todo = NULL;

	upstream_each_tool(&x->u, count_use, &use);
	buf_printf(&name, "%s %.*s", r->where, TEXT_ARG(r->pattern));
	buf_byte(&name, '\0');
	if (use.names == 0) {
		buf_str(&about, "it names no tool of the servers that are up");
		todo = "correct the name, or take the rule out";
	} else if (use.decides == 0) {
		buf_printf(&about,
		    "it decides nothing: for each of its %zu tools another "
		    "rule does, such as %s %.*s",
		    use.names, use.other->where, TEXT_ARG(use.other->pattern));
		todo = "take one of the two rules out";
	} else {
		buf_printf(&about,
		    "it decides for %zu of the %zu tools that "
		    "it names",
		    use.decides, use.names);
	}
	put_whole_finding(x, name.ptr, &about, todo);
	buf_fini(&name);
	buf_fini(&about);
}

static void
put_policy_findings(examination *x)
{
	open_list(x, "policy");
	for (size_t i = 0; i < x->u.permit.policy.len; i++)
		put_rule_finding(x, i);
	buf_byte(x->out, ']');
}

/* ------------------------------------------------------------------- secrets */

/* A short value is reported, but not as wrong: it may be no secret. */
static void
put_secret_findings(examination *x)
{
	open_list(x, "secrets");
	for (size_t i = 0; i < x->u.count; i++) {
		const server_config *c =
		    &x->u.config.entry[x->u.entry[i]].start;
		buf names = BUF_INIT(NULL, WORDS_MAX);

		secrets_too_short(c, &names);
		if (names.len > 0) {
			buf_printf(&names,
			    ": shorter than %d bytes, so not replaced in what "
			    "servers say",
			    REDACT_SHORTEST);
			put_whole_finding(x, c->name, &names, NULL);
		}
		buf_fini(&names);
	}
	buf_byte(x->out, ']');
}

/* --------------------------------------------------------------------- files */

static void
put_source_finding(examination *x, const config_source *s)
{
	static const char *const taken[] = {
	    [TAKEN_READ] = "read",
	    [TAKEN_NONE] = "it has no servers",
	    [TAKEN_UNTRUSTED] = "its text was not trusted yet",
	    [TAKEN_BAD] = "it cannot be used",
	};
	buf about = BUF_INIT(NULL, WORDS_MAX);
	const char *todo = NULL;

	buf_printf(&about, "servers%s%s: %s%s%s", s->client ? " of " : "",
	    s->client ? s->client : "", taken[s->taken], s->why ? ": " : "",
	    s->why ? s->why : "");
	if (s->taken == TAKEN_UNTRUSTED)
		todo = "read it, then: codemode config trust";
	else if (s->taken == TAKEN_BAD)
		todo = "correct the file";
	put_whole_finding(x, s->path, &about, todo);
	buf_fini(&about);
}

/* Reports a folder of codemode as wrong if others can write to it. */
static void
put_folder_finding(examination *x, own_place place, const char *what)
{
	const char *path = own_file(&x->u.config.pool, place, "");
	buf about = BUF_INIT(NULL, WORDS_MAX);
	struct stat st;
	bool there, open;

	if (path == NULL)
		return;
	there = stat(path, &st) == 0;
	open = there && (st.st_mode & 022) != 0;
	if (there)
		buf_printf(&about, "%s: mode %03o", what, st.st_mode & 0777u);
	else
		buf_printf(&about, "%s: not there yet", what);
	put_whole_finding(
	    x, path, &about, open ? "others can write there: chmod 700" : NULL);
	buf_fini(&about);
}

static void
put_file_findings(examination *x)
{
	open_list(x, "files");
	for (const config_source *s = x->u.config.sources; s; s = s->next)
		put_source_finding(x, s);
	put_folder_finding(x, OWN_CONFIG, "configuration of codemode");
	put_folder_finding(x, OWN_STATE, "trusted files and answers");
	put_folder_finding(x, OWN_CACHE, "lists of tools");
	buf_byte(x->out, ']');
}

/* ------------------------------------------------------------- all together */

static void
examine(examination *x)
{
	x->up_ms =
	    pool_new(&x->u.config.pool, (x->u.count + 1) * sizeof(*x->up_ms));
	memset(x->up_ms, 0, (x->u.count + 1) * sizeof(*x->up_ms));
	if (x->u.servers != NULL)
		await_servers(x);
	put_server_findings(x);
	put_policy_findings(x);
	put_secret_findings(x);
	put_file_findings(x);
}

cli_exit
doctor_reach(const upstream_options *o, say *s, buf *members, bool *ok)
{
	examination x = {.out = members, .ok = ok};
	main_loop loop;
	cli_exit code = CLI_SANDBOX;

	if (!main_loop_open(&loop, s))
		return code;
	code = upstream_start(&x.u, &loop, o, s);
	if (code == CLI_NO_SERVER && x.u.secrets != NULL)
		code = CLI_OK; /* examine reports it */
	if (code == CLI_OK)
		examine(&x);
	if (code == CLI_OK && signals_count() > 0)
		code = CLI_ABORTED;
	upstream_stop(&x.u, true);
	upstream_fini(&x.u);
	main_loop_close(&loop);
	return code;
}
