/* SPDX-License-Identifier: MIT */
/*
 * cmd_policy.c -- `codemode policy`: shows which tools may be called, and why.
 */
#include "common/cmd.h"
#include "scripts/asking.h"
#include "scripts/show.h"
#include "scripts/upstream.h"

typedef struct options {
	upstream_options upstream;
	bool json;
} options;

static const opt opts[] = {UPSTREAM_OPTS(options, upstream),
    {"json", 0, OPT_FLAG, NULL, "print an array of objects", NULL,
	offsetof(options, json)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

enum { PRINT_MAX_BYTES = 512 << 20 };

static const char *const words[] = {
    [POLICY_ALLOW] = "allow",
    [POLICY_ASK] = "ask",
    [POLICY_DENY] = "deny",
};

typedef struct listing {
	bool json;
	buf out;
} listing;

static void
put_tool_policy(void *ctx, const cm_tool *t, policy_decision d)
{
	listing *l = ctx;
	buf why = BUF_INIT(NULL, 8192);

	permit_reason(&d, &why);
	if (l->json) {
		buf_str(&l->out, l->out.len > 1 ? ",\n{" : "{");
		json_member_text(&l->out, "server", t->space);
		json_member_text(&l->out, "tool", t->name);
		json_member_text(&l->out, "policy", text_of(words[d.verdict]));
		json_member_text(&l->out, "why", buf_view(&why));
		buf_byte(&l->out, '}');
	} else {
		buf_printf(&l->out, "%-5s  ", words[d.verdict]);
		ask_plain(t->space, PRINT_MAX_BYTES, &l->out);
		buf_byte(&l->out, '.');
		ask_plain(t->name, PRINT_MAX_BYTES, &l->out);
		buf_printf(&l->out, ": %.*s\n", TEXT_ARG(buf_view(&why)));
	}
	buf_fini(&why);
}

static cli_exit
print_policy(const options *o, main_loop *loop, say *s)
{
	listing l = {o->json, BUF_INIT(NULL, PRINT_MAX_BYTES)};
	upstream u;
	cli_exit code = upstream_start(&u, loop, &o->upstream, s);

	if (code == CLI_OK)
		code = upstream_wait(&u, NULL);
	if (code == CLI_OK) {
		buf_str(&l.out, o->json ? "[" : "");
		upstream_each_tool(&u, put_tool_policy, &l);
		buf_str(&l.out, o->json ? "]\n" : "");
		say_text(stdout, false, buf_view(&l.out));
	}
	buf_fini(&l.out);
	upstream_stop(&u, true);
	upstream_fini(&u);
	return code;
}

static cli_exit
policy_on_loop(const options *o, say *s)
{
	cli_exit code = CLI_SANDBOX;
	main_loop loop;

	if (main_loop_open(&loop, s))
		code = print_policy(o, &loop, s);
	main_loop_close(&loop);
	return code;
}

static int
policy_main(const cmd *self, int argc, char **argv)
{
	options o = {.json = false};
	cli_exit code = CLI_USAGE;
	opt_outcome parsed;
	say s;

	say_init(&s);
	parsed = opt_parse(self, &argc, argv, &o, &s);
	s.quiet = o.upstream.quiet;
	if (parsed == OPT_SHOWN)
		code = CLI_OK;
	else if (parsed == OPT_GO && argc == 0)
		code = policy_on_loop(&o, &s);
	else if (parsed == OPT_GO)
		say_line(&s,
		    "policy: what is \"%s\"? There are only options here",
		    argv[0]);
	upstream_options_fini(&o.upstream);
	return code;
}

const cmd cmd_policy = {
    .name = "policy",
    .args = "",
    .does = "show which tools may be called, and why",
    .opts = opts,
    .main = policy_main,
};
