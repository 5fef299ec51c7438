/* SPDX-License-Identifier: MIT */
/*
 * codemode_h.c -- what codemode.h says, tried once (claims.h).
 */
#include "claims.h"

#include <codemode/codemode.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------- how it is tried */

/* Adds a tool with a space (may be empty) and a name. */
static void
offer(cm_catalog *cat, const char *space, const char *name)
{
	cm_tool t = {.space = text_of(space), .name = text_of(name)};

	EXPECT(cm_catalog_add(cat, &t) == CM_OK);
}

static cm_catalog *
catalog_of_echo(void)
{
	cm_catalog *cat = NULL;

	EXPECT(cm_catalog_new(NULL, &cat) == CM_OK);
	offer(cat, "", "echo");
	return cat;
}

/* What came of a run that was turned to its end: every call is answered with
 * its arguments when nothing else can be done. */
typedef struct played {
	cm_run *run;
	cm_done done;
	cm_status status; /* of the last cm_run_next */
	unsigned calls;
	unsigned most; /* calls in flight at a time */
	unsigned prints;
	uint64_t first_wait; /* until_ms of the first wait, from the start */
} played;

static void
answer_all(cm_run *run, const cm_call_id *id, buf *args, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		(void)cm_run_resolve(run, id[i], buf_view(&args[i]));
		buf_clear(&args[i]);
	}
}

static void
turn_to_the_end(played *p)
{
	enum { MOST = 64 };
	cm_call_id waiting[MOST];
	buf args[MOST];
	unsigned n = 0;
	uint64_t now = 1000;
	cm_step s;

	for (unsigned i = 0; i < MOST; i++)
		args[i] = BUF_INIT(NULL, 1 << 20);
	while ((p->status = cm_run_next(p->run, now, &s)) == CM_OK) {
		if (s.kind == CM_STEP_DONE) {
			p->done = s.u.done;
			break;
		}
		if (s.kind == CM_STEP_CALL && n < MOST) {
			buf_text(&args[n], s.u.call.args);
			waiting[n++] = s.u.call.id;
			p->calls++;
			p->most = n > p->most ? n : p->most;
		}
		p->prints += s.kind == CM_STEP_PRINT;
		if (s.kind != CM_STEP_WAIT)
			continue;
		if (p->first_wait == 0)
			p->first_wait = s.u.wait.until_ms - 1000;
		if (n == 0)
			now = s.u.wait.until_ms;
		answer_all(p->run, waiting, args, n);
		n = 0;
	}
	for (unsigned i = 0; i < MOST; i++)
		buf_fini(&args[i]);
	if (p->status != CM_OK)
		EXPECT(cm_run_next(p->run, now, &s) == p->status);
}

static played
play_with(cm_catalog *cat, const char *script, const cm_run_options *o)
{
	played p = {.run = NULL};

	EXPECT(cm_run_new(cat, text_of(script), o, &p.run) == CM_OK);
	if (p.run)
		turn_to_the_end(&p);
	return p;
}

static played
play(const char *script)
{
	cm_catalog *cat = catalog_of_echo();
	played p = play_with(cat, script, NULL);

	cm_catalog_free(cat);
	return p;
}

/* The script returns this JSON. */
static void
gives(const char *script, const char *want)
{
	played p = play(script);

	EXPECT(p.done.end == CM_END_OK);
	EXPECT(says(p.done.value, want));
	cm_run_free(p.run);
}

/* A run that stands at its first call (or at its end). */
static cm_run *
at_first_call(cm_catalog *cat, const char *script, cm_call_id *id)
{
	cm_run *run = NULL;
	cm_step s = {.kind = CM_STEP_WAIT};

	EXPECT(cm_run_new(cat, text_of(script), NULL, &run) == CM_OK);
	while (cm_run_next(run, 1000, &s) == CM_OK && s.kind != CM_STEP_CALL &&
	       s.kind != CM_STEP_DONE)
		;
	EXPECT(s.kind == CM_STEP_CALL);
	*id = s.u.call.id;
	return run;
}

/* --------------------------------------------------------------------- words */

static void
words(void)
{
	EXPECT(strcmp(cm_status_name(CM_ENOMEM), "CM_ENOMEM") == 0);
	EXPECT(strcmp(cm_status_text(CM_ENOMEM), "out of memory") == 0);
	EXPECT(strcmp(cm_version(), CM_VERSION) == 0);
	EXPECT(cm_status_name((cm_status)77) != NULL);
	EXPECT(cm_status_text((cm_status)77) != NULL);
}

/* ------------------------------------------------------------------ promises */

static void
what_you_do_with_a_step(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_failure no = {.message = TEXT_INIT("not today")};
	cm_call_id id;
	cm_run *run = at_first_call(cat,
	    "try { await tools.echo() } catch (e) { return e.message }", &id);
	played p = {.run = run};

	EXPECT(cm_run_reject(run, id, &no) == CM_OK);
	turn_to_the_end(&p);
	EXPECT(says(p.done.value, "\"not today\""));
	cm_run_free(run);
	run = at_first_call(cat, "return await tools.echo(1)", &id);
	p = (played){.run = run};
	EXPECT(cm_run_resolve(run, id, TEXT("\"other\"")) == CM_OK);
	turn_to_the_end(&p);
	EXPECT(says(p.done.value, "\"other\""));
	cm_run_free(run);
	cm_catalog_free(cat);
}

static void
free_takes_null(void)
{
	cm_catalog_free(NULL);
	cm_run_free(NULL);
}

static void
inputs_are_copied(void)
{
	char name[] = "echo", script[] = "return await tools.echo(7)";
	char store[] = "{\"a\":1}";
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_catalog *cat = NULL;
	played p = {.run = NULL};

	EXPECT(cm_catalog_new(NULL, &cat) == CM_OK);
	offer(cat, "", name);
	memset(name, 'x', sizeof(name));
	o.store = text_of(store);
	EXPECT(cm_run_new(cat, text_of(script), &o, &p.run) == CM_OK);
	memset(script, 'x', sizeof(script));
	memset(store, 'x', sizeof(store));
	memset(&o, 'x', sizeof(o));
	turn_to_the_end(&p);
	EXPECT(says(p.done.value, "7"));
	cm_run_free(p.run);
	cm_catalog_free(cat);
}

static void *
no_memory(void *ctx, void *block, size_t old_size, size_t new_size)
{
	(void)ctx, (void)block, (void)old_size, (void)new_size;
	return NULL;
}

static void
failures_write_nothing(void)
{
	static int mark;
	const cm_alloc none = {no_memory, NULL};
	cm_catalog *cat = (cm_catalog *)&mark;
	cm_run *run = (cm_run *)&mark;
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_text t = TEXT("before");

	EXPECT(cm_catalog_new(&none, &cat) == CM_ENOMEM);
	EXPECT((void *)cat == &mark);
	o.store = TEXT("7");
	EXPECT(cm_run_new(NULL, TEXT("return"), &o, &run) == CM_EINPUT);
	EXPECT((void *)run == &mark);
	cat = catalog_of_echo();
	EXPECT(cm_catalog_get(cat, 1, NULL, &t) == CM_EMISUSE);
	EXPECT(cm_catalog_signature(cat, 1, &t) == CM_EMISUSE);
	EXPECT(says(t, "before"));
	cm_catalog_free(cat);
}

static void *
counted_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
	size_t *bytes = ctx;

	*bytes += new_size - old_size;
	if (new_size == 0) {
		free(block);
		return NULL;
	}
	return realloc(block, new_size);
}

/* Memory whose k-th request is refused, and no other. */
struct once {
	size_t left;
	size_t bytes;
};

static void *
refuse_once(void *ctx, void *block, size_t old_size, size_t new_size)
{
	struct once *o = ctx;

	if (new_size > old_size && o->left-- == 0)
		return NULL;
	return counted_resize(&o->bytes, block, old_size, new_size);
}

/* Says it again after CM_ENOMEM. */
#define AGAIN(call)                       \
	do {                              \
		cm_status again = (call); \
                                          \
		if (again == CM_ENOMEM)   \
			again = (call);   \
		EXPECT(again == CM_OK);   \
	} while (0)

static bool
was_refused(const struct once *o)
{
	return o->left > SIZE_MAX / 2;
}

/* The run ends so, unless memory was refused to 'cm_run_next' itself. */
static void
result_has(played *p, const struct once *o, cm_end end, const char *words)
{
	bool before = was_refused(o);
	cm_text result = TEXT_NONE;

	turn_to_the_end(p);
	if (!before && was_refused(o))
		return;
	EXPECT(p->status == CM_OK && p->done.end == end);
	AGAIN(cm_run_result(p->run, &result));
	EXPECT(result.ptr[0] == '{' && has(result, words));
}

/* Each request for memory of each function is refused once: the same call,
 * made again, does what it should. */
static void
what_was_refused_can_be_repeated(void)
{
	cm_tool t = {.space = TEXT_INIT("a-b"),
	    .name = TEXT_INIT("c"),
	    .input_schema = TEXT_INIT(
		"{\"$ref\":\"#/$defs/x\",\"$defs\":{\"x\":{\"enum\":[1]}}}")};
	bool some_was = true;

	for (size_t k = 0; some_was; k++) {
		struct once once = {k, 0};
		cm_alloc alloc = {refuse_once, &once};
		cm_catalog *cat = NULL;
		played p = {.run = NULL}, q = {.run = NULL};
		cm_text path, call, all;
		char near[20];
		cm_hit hit;
		size_t found;

		AGAIN(cm_catalog_new(&alloc, &cat));
		AGAIN(cm_catalog_add(cat, &t));
		AGAIN(cm_catalog_get(cat, 0, NULL, &path));
		AGAIN(cm_catalog_signature(cat, 0, &call));
		AGAIN(cm_catalog_declare(cat, TEXT_NONE, &all));
		AGAIN(cm_catalog_search(
		    cat, TEXT("c a b"), TEXT_NONE, 1, &hit, &found));
		AGAIN(
		    cm_catalog_nearest(cat, TEXT("ehco"), near, sizeof(near)));
		AGAIN(cm_run_new(cat, TEXT("return 1"), NULL, &p.run));
		AGAIN(cm_run_warn(p.run, TEXT("mended")));
		AGAIN(cm_run_new(cat, TEXT("return 2"), NULL, &q.run));
		AGAIN(cm_run_cancel(q.run, TEXT("enough")));
		EXPECT(says(path, "a_b.c"));
		EXPECT(says(call, "(args: 1): Promise<unknown>"));
		EXPECT(has(all, "c(args: 1)"));
		result_has(&p, &once, CM_END_OK, "[{\"message\":\"mended\"}]");
		result_has(&q, &once, CM_END_ABORTED, "\"message\":\"enough\"");
		cm_run_free(p.run);
		cm_run_free(q.run);
		cm_catalog_free(cat);
		EXPECT(once.bytes == 0);
		some_was = was_refused(&once);
	}
}

static void
failures_leave_all_as_it_was(void)
{
	failures_write_nothing();
	what_was_refused_can_be_repeated();
}

static void
faults_are_outcomes(void)
{
	static const char *const scripts[] = {"throw 1", "return (", "null.x",
	    "await tools.nowhere.at_all()", "text('x'.repeat(17 << 20))"};

	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
		played p = play(scripts[i]);

		EXPECT(p.done.end == CM_END_SCRIPT);
		cm_run_free(p.run);
	}
}

/* ------------------------------------------------------------------- catalog */

static void
flags_say_what_repeating_does(void)
{
	static const struct {
		unsigned flags;
		const char *safe;
	} cases[] = {{CM_TOOL_READS, "\"safeToRetry\":true"},
	    {CM_TOOL_REPEATABLE, "\"safeToRetry\":true"},
	    {CM_TOOL_DESTROYS, "\"safeToRetry\":false"},
	    {0, "\"safeToRetry\":false"}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		cm_tool t = {
		    .name = TEXT_INIT("echo"), .flags = cases[i].flags};
		cm_tool got;
		cm_catalog *cat = NULL;
		cm_text result = TEXT_NONE;
		played p;

		EXPECT(cm_catalog_new(NULL, &cat) == CM_OK);
		EXPECT(cm_catalog_add(cat, &t) == CM_OK);
		EXPECT(cm_catalog_get(cat, 0, &got, NULL) == CM_OK);
		EXPECT(got.flags == cases[i].flags);
		p = play_with(cat, "await tools.echo(1)", NULL);
		EXPECT(cm_run_result(p.run, &result) == CM_OK);
		EXPECT(has(result, cases[i].safe));
		cm_run_free(p.run);
		cm_catalog_free(cat);
	}
}

/* Calls a tool of a catalog of many; its path, as the owner sees it. */
static void
called_as(const char *script, const char *want_path)
{
	static const char *const tools[][2] = {{"git-hub", "create-issue"},
	    {"", "gh"}, {"gh", "list"}, {"", "gh.list"}, {"", "a-b"},
	    {"", "a_b"}, {"", "then"}, {"s", "then"}, {"", "1st"},
	    {"", "\xe5\xa4\x87\xe4\xbb\xbd"}};
	cm_catalog *cat = NULL;
	cm_run *run = NULL;
	cm_step s = {.kind = CM_STEP_WAIT};

	EXPECT(cm_catalog_new(NULL, &cat) == CM_OK);
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
		offer(cat, tools[i][0], tools[i][1]);
	EXPECT(cm_run_new(cat, text_of(script), NULL, &run) == CM_OK);
	while (cm_run_next(run, 0, &s) == CM_OK && s.kind == CM_STEP_WAIT)
		;
	EXPECT(s.kind == CM_STEP_CALL);
	if (s.kind == CM_STEP_CALL && want_path)
		EXPECT(says(s.u.call.path, want_path));
	cm_run_free(run);
	cm_catalog_free(cat);
}

static void
paths(void)
{
	called_as("await tools.a_b()", "a_b");
	called_as("await tools.git_hub.create_issue()", "git_hub.create_issue");
	called_as("await tools._1st()", "_1st");
	called_as("await tools.\xe5\xa4\x87\xe4\xbb\xbd()",
	    "\xe5\xa4\x87\xe4\xbb\xbd");
}

static void
equal_paths_get_suffixes(void)
{
	called_as("await tools.gh.list()", "gh.list");
	called_as("await tools.gh_3f6f8a()", "gh_3f6f8a");
	called_as("await tools['a-b']()", "a_b_644883");
	called_as("await tools.a_b_644883()", "a_b_644883");
	called_as("await tools['a_b']()", "a_b");
	called_as(
	    "await tools['git-hub.create-issue']()", "git_hub.create_issue");
	called_as(
	    "await tools['git-hub']['create-issue']()", "git_hub.create_issue");
	called_as("await tools['gh.list']()", "gh.list");
	called_as("await tools.gh_list()", "gh_list");
}

static void
then_has_a_suffix(void)
{
	called_as("await tools.then_3d0d96()", "then_3d0d96");
	called_as(
	    "const s = await tools.s; await s.then_3d0d96()", "s.then_3d0d96");
}

static void
texts_of_a_tool(void)
{
	cm_tool t = {.name = TEXT_NONE}, got = {.flags = 99};
	cm_catalog *cat = NULL;
	cm_text path;

	EXPECT(cm_catalog_new(NULL, &cat) == CM_OK);
	EXPECT(cm_catalog_add(cat, &t) == CM_EINPUT);
	t.name = TEXT("only");
	EXPECT(cm_catalog_add(cat, &t) == CM_OK);
	EXPECT(cm_catalog_get(cat, 0, &got, &path) == CM_OK);
	EXPECT(got.space.len == 0 && got.description.len == 0);
	EXPECT(got.input_schema.len == 0 && got.output_schema.len == 0);
	EXPECT(got.flags == 0 && says(path, "only"));
	EXPECT(cm_catalog_signature(cat, 0, &path) == CM_OK);
	EXPECT(says(path, "(args?: unknown): Promise<unknown>"));
	cm_catalog_free(cat);
}

static void
the_allocator_is_copied(void)
{
	size_t bytes = 0, before;
	cm_alloc alloc = {counted_resize, &bytes};
	cm_catalog *cat = NULL;
	played p;

	EXPECT(cm_catalog_new(&alloc, &cat) == CM_OK);
	memset(&alloc, 0, sizeof(alloc));
	offer(cat, "", "echo");
	before = bytes;
	EXPECT(before > 0);
	p = play_with(cat, "return await tools.echo([1])", NULL);
	EXPECT(bytes > before);
	cm_run_free(p.run);
	cm_catalog_free(cat);
	EXPECT(bytes == 0);
}

static void
runs_hold_their_catalog(void)
{
	cm_catalog *cat = catalog_of_echo();
	played p = {.run = NULL};

	EXPECT(cm_run_new(cat, TEXT("return await tools.echo(3)"), NULL,
		   &p.run) == CM_OK);
	cm_catalog_free(cat);
	turn_to_the_end(&p);
	EXPECT(says(p.done.value, "3"));
	cm_run_free(p.run);
}

static cm_status
add_sized(
    cm_catalog *cat, size_t space, size_t name, size_t about, size_t schema)
{
	static char big[(1 << 20) + 8];
	cm_tool t;

	memset(big, '1', sizeof(big));
	t = (cm_tool){.space = {big, space},
	    .name = {big, name},
	    .description = {big, about},
	    .input_schema = {big, schema}};
	return cm_catalog_add(cat, &t);
}

static void
adding_has_rules(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_tool t = {.name = TEXT_INIT("echo")};
	cm_run *run = NULL;

	EXPECT(cm_catalog_add(cat, &t) == CM_EEXISTS);
	t = (cm_tool){.name = TEXT_INIT("\xff")};
	EXPECT(cm_catalog_add(cat, &t) == CM_EINPUT);
	t = (cm_tool){.name = TEXT_INIT("n"), .input_schema = TEXT_INIT("{")};
	EXPECT(cm_catalog_add(cat, &t) == CM_EINPUT);
	EXPECT(add_sized(cat, 1025, 1, 0, 0) == CM_ELIMIT);
	EXPECT(add_sized(cat, 1, 1025, 0, 0) == CM_ELIMIT);
	EXPECT(add_sized(cat, 1, 1, (1 << 20) + 1, 0) == CM_ELIMIT);
	EXPECT(add_sized(cat, 1, 1, 0, (1 << 20) + 1) == CM_ELIMIT);
	EXPECT(add_sized(cat, 1024, 1024, 1 << 20, 300) == CM_OK);
	EXPECT(cm_catalog_len(cat) == 2);
	EXPECT(cm_run_new(cat, TEXT("return"), NULL, &run) == CM_OK);
	t = (cm_tool){.name = TEXT_INIT("late")};
	EXPECT(cm_catalog_add(cat, &t) == CM_EMISUSE);
	cm_run_free(run);
	EXPECT(cm_catalog_add(cat, &t) == CM_OK);
	EXPECT(cm_catalog_len(cat) == 3);
	cm_catalog_free(cat);
}

static void
tools_come_in_the_order_of_their_paths(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_text path, again;
	cm_tool t;

	offer(cat, "github", "create-issue");
	offer(cat, "a", "z");
	EXPECT(cm_catalog_get(cat, 0, &t, &path) == CM_OK);
	EXPECT(says(path, "a.z") && says(t.space, "a"));
	EXPECT(cm_catalog_get(cat, 2, NULL, &path) == CM_OK);
	EXPECT(says(path, "github.create_issue"));
	EXPECT(cm_catalog_get(cat, 0, NULL, NULL) == CM_OK);
	EXPECT(cm_catalog_get(cat, 3, NULL, NULL) == CM_EMISUSE);
	/* What fails to be added changes nothing. */
	EXPECT(cm_catalog_add(cat, &t) == CM_EEXISTS);
	EXPECT(cm_catalog_get(cat, 2, NULL, &again) == CM_OK);
	EXPECT(again.ptr == path.ptr && says(path, "github.create_issue"));
	/* The tool's own texts stay. */
	offer(cat, "0", "first");
	EXPECT(says(t.space, "a") && says(t.name, "z"));
	cm_catalog_free(cat);
}

static void
declarations_stay(void)
{
	cm_tool t = {.space = TEXT_INIT("git-hub"),
	    .name = TEXT_INIT("create"),
	    .description = TEXT_INIT("Makes one."),
	    .input_schema = TEXT_INIT(
		"{\"type\":\"object\",\"properties\":{\"title\":{\"type\":"
		"\"string\",\"description\":\"t\"}},\"required\":"
		"[\"title\"]}")};
	cm_catalog *cat = catalog_of_echo();
	cm_text all, one, same, none = TEXT("before"), call;

	EXPECT(cm_catalog_add(cat, &t) == CM_OK);
	EXPECT(cm_catalog_signature(cat, 1, &call) == CM_OK);
	EXPECT(says(call, "(args: { title: string; }): Promise<unknown>"));
	EXPECT(cm_catalog_declare(cat, TEXT_NONE, &all) == CM_OK);
	EXPECT(cm_catalog_declare(cat, TEXT("git-hub"), &one) == CM_OK);
	EXPECT(cm_catalog_declare(cat, TEXT("git_hub"), &same) == CM_OK);
	EXPECT(cm_catalog_declare(cat, TEXT("other"), &none) == CM_OK);
	EXPECT(none.len == 0);
	EXPECT(one.ptr == same.ptr && has(one, "create(args: {"));
	EXPECT(!has(one, "echo") && has(all, "echo"));
	EXPECT(has(all, "declare const tools: {\n"));
	EXPECT(says(call, "(args: { title: string; }): Promise<unknown>"));
	cm_catalog_free(cat);
}

/* Tools of a bug tracker and of a shop. */
static cm_catalog *
catalog_to_search(void)
{
	static const char *const tools[][3] = {
	    {"bugs", "createIssue", "Opens an issue."},
	    {"bugs", "list_issues", "The open issues."},
	    {"bugs", "delete-issue", "Deletes an issue."},
	    {"my-shop", "create_order", "Buys what is in the cart."},
	    {"my-shop", "list_orders", "Orders of this year."}};
	cm_catalog *cat;

	EXPECT(cm_catalog_new(NULL, &cat) == CM_OK);
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		cm_tool t = {.space = text_of(tools[i][0]),
		    .name = text_of(tools[i][1]),
		    .description = text_of(tools[i][2])};

		EXPECT(cm_catalog_add(cat, &t) == CM_OK);
	}
	return cat;
}

/* The path of the first tool that is found; "" when there is none. */
static cm_text
first_found(cm_catalog *cat, const char *question, const char *space)
{
	cm_hit hit[3];
	cm_text path = {"", 0};
	size_t n = 9;

	EXPECT(cm_catalog_search(cat, text_of(question), text_of(space), 3, hit,
		   &n) == CM_OK);
	EXPECT(n <= 3);
	for (size_t i = 1; i < n; i++)
		EXPECT(hit[i].score <= hit[i - 1].score);
	if (n > 0)
		EXPECT(cm_catalog_get(cat, hit[0].tool, NULL, &path) == CM_OK);
	return path;
}

static void
questions_find_tools(void)
{
	cm_catalog *cat = catalog_to_search();
	cm_hit hit;
	size_t n;

	EXPECT(says(first_found(cat, "create issue", ""), "bugs.createIssue"));
	EXPECT(
	    says(first_found(cat, "listing issues", ""), "bugs.list_issues"));
	EXPECT(says(first_found(cat, "remove a bug", ""), "bugs.delete_issue"));
	EXPECT(says(first_found(cat, "list isues", ""), "bugs.list_issues"));
	EXPECT(says(first_found(cat, "weather in paris", ""), ""));
	EXPECT(cm_catalog_search(cat, TEXT("issue"), TEXT_NONE, 1, &hit, &n) ==
	       CM_OK);
	EXPECT(n == 1);
	cm_catalog_free(cat);
}

static void
questions_about_a_space(void)
{
	cm_catalog *cat = catalog_to_search();
	cm_tool t = {.name = TEXT_INIT("create_invoice")};
	cm_hit hit;
	size_t n = 9;

	EXPECT(
	    says(first_found(cat, "list", "my-shop"), "my_shop.list_orders"));
	EXPECT(
	    says(first_found(cat, "list", "my_shop"), "my_shop.list_orders"));
	EXPECT(says(first_found(cat, "issue", "my_shop"), ""));
	EXPECT(cm_catalog_search(cat, TEXT("list"), TEXT("x"), 1, &hit, &n) ==
	       CM_EINPUT);
	EXPECT(cm_catalog_search(cat, TEXT("\xff"), TEXT_NONE, 1, &hit, &n) ==
	       CM_EINPUT);
	EXPECT(n == 9);
	EXPECT(says(first_found(cat, "invoice", ""), ""));
	EXPECT(cm_catalog_add(cat, &t) == CM_OK);
	EXPECT(says(first_found(cat, "invoice", ""), "create_invoice"));
	cm_catalog_free(cat);
}

static void
nearest_words_are_told(void)
{
	cm_catalog *cat = catalog_to_search();
	char near[64] = "before";

	EXPECT(cm_catalog_nearest(
		   cat, TEXT("oredrs of isue"), near, sizeof(near)) == CM_OK);
	EXPECT(strcmp(near, "orders, order, issue, issues") == 0);
	EXPECT(cm_catalog_nearest(cat, TEXT("oredrs"), near, 4) == CM_OK);
	EXPECT(strcmp(near, "ord") == 0);
	EXPECT(
	    cm_catalog_nearest(cat, TEXT("wxyz"), near, sizeof(near)) == CM_OK);
	EXPECT(near[0] == 0);
	EXPECT(cm_catalog_nearest(cat, TEXT("\xff"), near, sizeof(near)) ==
	       CM_EINPUT);
	cm_catalog_free(cat);
}

static void
shared_types_have_names(void)
{
	cm_tool t = {.name = TEXT_INIT("grow"),
	    .input_schema = TEXT_INIT(
		"{\"$ref\":\"#/$defs/tree\",\"$defs\":{\"tree\":{\"type\":"
		"\"object\",\"properties\":{\"kids\":{\"type\":\"array\","
		"\"items\":{\"$ref\":\"#/$defs/tree\"}}}}}}")};
	cm_catalog *cat = catalog_of_echo();
	cm_text all;

	EXPECT(cm_catalog_add(cat, &t) == CM_OK);
	t.name = TEXT("prune");
	EXPECT(cm_catalog_add(cat, &t) == CM_OK);
	EXPECT(cm_catalog_declare(cat, TEXT_NONE, &all) == CM_OK);
	EXPECT(has(all, "grow(args?: tools.Tree): Promise<unknown>;"));
	EXPECT(has(all, "prune(args?: tools.Tree): Promise<unknown>;"));
	EXPECT(has(all, "declare namespace tools {\n"
			"  type Tree = { kids?: Array<tools.Tree>; };\n}\n"));
	cm_catalog_free(cat);
}

static void
large_types_are_cut(void)
{
	buf schema = BUF_INIT(NULL, 1 << 20);
	cm_tool t = {.name = TEXT_INIT("deep")};
	cm_catalog *cat = NULL;
	cm_text call;

	for (int i = 0; i < 300; i++)
		buf_str(&schema, "{\"properties\":{\"level\":");
	buf_str(&schema, "true");
	for (int i = 0; i < 300; i++)
		buf_str(&schema, "}}");
	t.input_schema = buf_view(&schema);
	EXPECT(cm_catalog_new(NULL, &cat) == CM_OK);
	EXPECT(cm_catalog_add(cat, &t) == CM_OK);
	EXPECT(cm_catalog_signature(cat, 0, &call) == CM_OK);
	EXPECT(call.len < 2100 && has(call, "level?: { level?: "));
	EXPECT(text_find(call, TEXT("\n"), 0) == SIZE_MAX);
	cm_catalog_free(cat);
	buf_fini(&schema);
}

/* ---------------------------------------------------------------------- host */

static uint64_t
ticks(void *ctx)
{
	return (*(uint64_t *)ctx)++;
}

static int64_t
long_ago(void *ctx)
{
	(void)ctx;
	return INT64_C(1500000);
}

static int64_t
before_1970(void *ctx)
{
	(void)ctx;
	return -1500000;
}

static void
all_fives(void *ctx, void *bytes, size_t len)
{
	(void)ctx;
	memset(bytes, 5, len);
}

static int32_t
east(void *ctx, int64_t epoch_s)
{
	(void)ctx, (void)epoch_s;
	return 7200;
}

static void
a_host_gives_time_and_chance(void)
{
	uint64_t clock = 0;
	cm_host host = {&clock, ticks, long_ago, all_fives, east};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_text value[2];
	played p[2];

	o.host = &host;
	for (int i = 0; i < 2; i++) {
		p[i] = play_with(NULL,
		    "return [Date.now(), new Date().getTimezoneOffset(), "
		    "Math.random()]",
		    &o);
		value[i] = p[i].done.value;
	}
	EXPECT(text_starts(value[0], TEXT("[1500,-120,0.")));
	EXPECT(text_eq(value[0], value[1]));
	EXPECT(clock > 0);
	cm_run_free(p[0].run);
	host.epoch_us = before_1970;
	p[0] = play_with(NULL, "return Date.now()", &o);
	EXPECT(says(p[0].done.value, "0"));
	cm_run_free(p[0].run);
	cm_run_free(p[1].run);
	o.limits.polls = 10;
	p[0] = play_with(NULL, "for (;;);", &o);
	EXPECT(p[0].done.end == CM_END_TIMEOUT);
	cm_run_free(p[0].run);
}

static void
the_machines_own(void)
{
	played p = play("return [Date.now() > 1.6e12, Math.random() < 1]");

	EXPECT(says(p.done.value, "[true,true]"));
	cm_run_free(p.run);
}

/* -------------------------------------------------------------------- limits */

static void
ids_count_from_one(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_run *run = NULL;
	cm_step s;

	EXPECT(cm_run_new(cat,
		   TEXT("await Promise.all([1, 2, 3].map(n => "
			"tools.echo(n)))"),
		   NULL, &run) == CM_OK);
	for (uint32_t i = 1; i <= 3; i++) {
		EXPECT(cm_run_next(run, 0, &s) == CM_OK);
		EXPECT(s.kind == CM_STEP_CALL && s.u.call.id == i);
		EXPECT(s.u.call.args.len == 1 &&
		       s.u.call.args.ptr[0] == (char)('0' + i));
	}
	cm_run_free(run);
	cm_catalog_free(cat);
}

static const struct {
	const char *member;
	size_t at;
	uint64_t limit;
	const char *holds;
	const char *breaks;
	const char *code;
} limits[] = {
    {"calls", offsetof(cm_limits, calls), 2,
	"await tools.echo(1); await tools.echo(2)",
	"for (let i = 0; i < 3; i++) await tools.echo(i)", "CallLimit"},
    {"output", offsetof(cm_limits, output), 4, "text('\\u{1F600}ab')",
	"text('\\u{1F600}abc')", "OutputLimit"},
    {"items", offsetof(cm_limits, items), 2, "text(1); text(2)",
	"text(1); text(2); text(3)", "OutputLimit"},
    {"value", offsetof(cm_limits, value), 5, "return 'abc'", "return 'abcd'",
	"ValueLimit"},
    {"source", offsetof(cm_limits, source), 8, "return 1", "return 12",
	"SourceLimit"},
    {"heap", offsetof(cm_limits, heap), 8 << 20, "return 1",
	"const a = []; for (;;) a.push('x'.repeat(1000) + a.length)",
	"MemoryLimit"},
};

static void
limits_hold(void)
{
	cm_catalog *cat = catalog_of_echo();

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		cm_run_options o = CM_RUN_OPTIONS_INIT;
		played p;

		memcpy((char *)&o.limits + limits[i].at, &limits[i].limit,
		    sizeof(uint64_t));
		p = play_with(cat, limits[i].holds, &o);
		EXPECT(p.done.end == CM_END_OK);
		cm_run_free(p.run);
		p = play_with(cat, limits[i].breaks, &o);
		if (!says(p.done.fault.code, limits[i].code))
			fprintf(stderr, "limits.%s: %.*s\n", limits[i].member,
			    TEXT_ARG(p.done.fault.code));
		EXPECT(p.done.end == CM_END_SCRIPT);
		EXPECT(says(p.done.fault.code, limits[i].code));
		cm_run_free(p.run);
	}
	cm_catalog_free(cat);
}

static void
calls_at_a_time(void)
{
	static const char twenty[] =
	    "await Promise.all(Array.from({ length: 20 }, (_, i) => "
	    "tools.echo(i)))";
	cm_catalog *cat = catalog_of_echo();
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	played p = play_with(cat, twenty, NULL);

	EXPECT(p.most == 16);
	cm_run_free(p.run);
	o.limits.calls_at_once = CM_NO_LIMIT;
	p = play_with(cat, twenty, &o);
	EXPECT(p.most == 20);
	cm_run_free(p.run);
	o.limits.tool_calls_at_once = 3;
	p = play_with(cat, twenty, &o);
	EXPECT(p.most == 3);
	cm_run_free(p.run);
	cm_catalog_free(cat);
	cat = NULL;
	EXPECT(cm_catalog_new(NULL, &cat) == CM_OK);
	offer(cat, "s", "a");
	offer(cat, "s", "b");
	o.limits.tool_calls_at_once = 0;
	o.limits.space_calls_at_once = 2;
	p = play_with(cat,
	    "await Promise.all([tools.s.a(), tools.s.b(), tools.s.a()])", &o);
	EXPECT(p.most == 2 && p.calls == 3);
	cm_run_free(p.run);
	cm_catalog_free(cat);
}

static void
the_default_deadline(void)
{
	played p = play("await tools.echo(1)");

	EXPECT(p.first_wait >= 300000 && p.first_wait <= 300001);
	cm_run_free(p.run);
}

/* --------------------------------------------------------------------- options */

static void
raw_scripts(void)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	played p;

	o.flags = CM_RUN_RAW;
	p = play_with(NULL, "const a: number = 1", &o);
	EXPECT(says(p.done.fault.code, "SyntaxError"));
	cm_run_free(p.run);
	p = play_with(NULL, "```js\nreturn 1\n```", &o);
	EXPECT(p.done.end == CM_END_SCRIPT);
	cm_run_free(p.run);
	p = play_with(NULL, "1 + 1", &o);
	EXPECT(p.done.end == CM_END_OK && p.done.value.len == 0);
	cm_run_free(p.run);
	p = play_with(NULL, "async () => { throw 1 }", &o);
	EXPECT(p.done.end == CM_END_OK && p.done.value.len == 0);
	cm_run_free(p.run);
}

static void
return_only(void)
{
	static const char *const called[] = {"function f() { return 3 }",
	    "export default function () { throw 3 }", "() => { throw 3 }"};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	played p;
	size_t i;

	o.flags = CM_RUN_RETURN_ONLY;
	p = play_with(NULL, "1 + 1", &o);
	EXPECT(p.done.end == CM_END_OK && p.done.value.len == 0);
	cm_run_free(p.run);
	p = play_with(NULL, "return 2", &o);
	EXPECT(says(p.done.value, "2"));
	cm_run_free(p.run);
	for (i = 0; i < sizeof(called) / sizeof(*called); i++) {
		p = play_with(NULL, called[i], &o);
		EXPECT(p.done.end == CM_END_OK && p.done.value.len == 0);
		cm_run_free(p.run);
	}
	p = play_with(NULL, "function () { return 3 }", &o);
	EXPECT(p.done.end == CM_END_SCRIPT);
	EXPECT(says(p.done.fault.code, "SyntaxError"));
	cm_run_free(p.run);
}

/* A struct of another version: shorter, or longer. */
static void
options_may_grow(void)
{
	struct {
		cm_run_options o;
		uint64_t newer;
	} longer = {CM_RUN_OPTIONS_INIT, 0};
	cm_run *run = NULL;

	longer.o.size = sizeof(longer);
	EXPECT(cm_run_new(NULL, TEXT("return"), &longer.o, &run) == CM_OK);
	cm_run_free(run);
	longer.newer = 1;
	EXPECT(cm_run_new(NULL, TEXT("return"), &longer.o, &run) == CM_EMISUSE);
	longer.o.size = 8;
	EXPECT(cm_run_new(NULL, TEXT("return"), &longer.o, &run) == CM_EMISUSE);
}

static void
a_store_is_given(void)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	played p;

	o.store = TEXT("{\"a\":[1]}");
	p = play_with(NULL, "return [load('a'), load('b') === undefined]", &o);
	EXPECT(says(p.done.value, "[[1],true]"));
	cm_run_free(p.run);
	gives("return load('a') === undefined", "true");
	o.data = TEXT(" {\"a\": 7} ");
	p = play_with(NULL, "return [data.a, load('a')]", &o);
	EXPECT(says(p.done.value, "[7,[1]]"));
	cm_run_free(p.run);
	gives("return typeof data", "\"undefined\"");
}

/* Turns the run until it waits; what it prints goes to out, each with a bar. */
static cm_wait
turn_until_it_waits(cm_run *run, uint64_t now, buf *out)
{
	cm_step s;

	do {
		EXPECT(cm_run_next(run, now, &s) == CM_OK);
		if (s.kind == CM_STEP_PRINT) {
			buf_text(out, s.u.print.text);
			buf_byte(out, '|');
		}
	} while (s.kind != CM_STEP_WAIT && s.kind != CM_STEP_DONE);
	return s.u.wait;
}

static void
a_start_puts_answers_off(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_start start = {.epoch_ms = 18000000000001};
	buf out = BUF_INIT(NULL, 1 << 20);
	cm_run *run = NULL;
	cm_wait w;

	o.start = &start;
	EXPECT(cm_run_new(cat, TEXT("1"), &o, &run) == CM_EINPUT);
	start.epoch_ms = 1000;
	EXPECT(cm_run_new(cat,
		   TEXT("const tell = (s) => text(s + ' ' + Date.now());"
			"tell('begin');"
			"tools.echo(1).catch((e) => tell(e.code));"
			"tools.echo(2).then(() => tell('two'));"
			"await codemode.sleep(5); tell('slept');"
			"await codemode.sleep(10); tell('end')"),
		   &o, &run) == CM_OK);
	start.epoch_ms = 7; /* it was copied */
	w = turn_until_it_waits(run, 50, &out);
	EXPECT(w.issued == 2 && w.applied == 0 && w.busy == 0);
	EXPECT(cm_run_resolve(run, 2, TEXT("{}")) == CM_OK);
	EXPECT(cm_run_resolve(run, 1, TEXT("{")) == CM_OK);
	EXPECT(says(buf_view(&out), "begin 1000|"));
	w = turn_until_it_waits(run, 57, &out);
	EXPECT(w.issued == 2 && w.applied == 2);
	turn_until_it_waits(run, 90, &out);
	EXPECT(says(buf_view(&out),
	    "begin 1000|slept 1005|two 1007|InvalidResult 1007|end 1015|"));
	buf_fini(&out);
	cm_run_free(run);
	cm_catalog_free(cat);
}

/* ----------------------------------------------------------------------- steps */

static void
members_of_a_call(void)
{
	cm_catalog *cat = NULL;
	cm_run *run = NULL;
	cm_step s = {.kind = CM_STEP_WAIT};

	EXPECT(cm_catalog_new(NULL, &cat) == CM_OK);
	offer(cat, "my-srv", "do-it");
	EXPECT(cm_run_new(cat,
		   TEXT("tools['my-srv.do-it'](); tools.my_srv.do_it({a: 1})"),
		   NULL, &run) == CM_OK);
	EXPECT(cm_run_next(run, 0, &s) == CM_OK && s.kind == CM_STEP_CALL);
	EXPECT(says(s.u.call.space, "my-srv") && says(s.u.call.name, "do-it"));
	EXPECT(says(s.u.call.path, "my_srv.do_it"));
	EXPECT(s.u.call.args.len == 0);
	EXPECT(cm_run_next(run, 0, &s) == CM_OK && s.kind == CM_STEP_CALL);
	EXPECT(says(s.u.call.args, "{\"a\":1}"));
	EXPECT(s.u.call.line == 0);
	cm_run_free(run);
	cm_catalog_free(cat);
}

/* One call at a time: the second waits until the first is answered. */
static void
line_and_time_of_a_call(void)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_catalog *cat = NULL;
	cm_run *run = NULL;
	cm_step s = {.kind = CM_STEP_WAIT};

	EXPECT(cm_catalog_new(NULL, &cat) == CM_OK);
	offer(cat, "s", "t");
	o.flags = CM_RUN_CALL_LINES;
	o.limits.calls_at_once = 1;
	EXPECT(cm_run_new(cat, TEXT("tools.s.t()\n\nawait tools.s.t()"), &o,
		   &run) == CM_OK);
	EXPECT(cm_run_next(run, 7, &s) == CM_OK && s.kind == CM_STEP_CALL);
	EXPECT(s.u.call.line == 1 && s.u.call.issued_ms == 7);
	EXPECT(cm_run_next(run, 8, &s) == CM_OK && s.kind == CM_STEP_WAIT);
	EXPECT(cm_run_resolve(run, 1, TEXT("1")) == CM_OK);
	EXPECT(cm_run_next(run, 9, &s) == CM_OK && s.kind == CM_STEP_CALL);
	EXPECT(s.u.call.line == 3 && s.u.call.issued_ms == 7);
	cm_run_free(run);
	cm_catalog_free(cat);
}

static void
kinds_of_print(void)
{
	static const char png[] =
	    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
	    "YPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
	static const char link[] =
	    "{\"type\":\"resource_link\",\"uri\":\"x://y\",\"name\":\"n\"}";
	char script[500];
	cm_run *run = NULL;
	cm_step s;

	snprintf(script, sizeof(script),
	    "text('t'); console.log('c'); image({ type: 'image', data: "
	    "'%s', mimeType: 'image/png' }); audio({ type: 'audio', data: "
	    "'AAAA', mimeType: 'audio/pcm', annotations: {}, _meta: { a: 1 } "
	    "}); "
	    "resource(%s); "
	    "file('n', 'a/b', 'AAAA')",
	    png, link);
	EXPECT(cm_run_new(NULL, text_of(script), NULL, &run) == CM_OK);
	EXPECT(cm_run_next(run, 0, &s) == CM_OK && s.kind == CM_STEP_PRINT);
	EXPECT(s.u.print.kind == CM_PRINT_TEXT && says(s.u.print.text, "t"));
	EXPECT(cm_run_next(run, 0, &s) == CM_OK && s.kind == CM_STEP_PRINT);
	EXPECT(s.u.print.kind == CM_PRINT_CONSOLE && says(s.u.print.text, "c"));
	EXPECT(cm_run_next(run, 0, &s) == CM_OK && s.kind == CM_STEP_PRINT);
	EXPECT(s.u.print.kind == CM_PRINT_IMAGE && says(s.u.print.text, png));
	EXPECT(says(s.u.print.mime_type, "image/png"));
	EXPECT(s.u.print.extra.len == 0);
	EXPECT(cm_run_next(run, 0, &s) == CM_OK && s.kind == CM_STEP_PRINT);
	EXPECT(
	    s.u.print.kind == CM_PRINT_AUDIO && says(s.u.print.text, "AAAA"));
	EXPECT(says(s.u.print.mime_type, "audio/pcm"));
	EXPECT(
	    says(s.u.print.extra, "{\"annotations\":{},\"_meta\":{\"a\":1}}"));
	EXPECT(cm_run_next(run, 0, &s) == CM_OK && s.kind == CM_STEP_PRINT);
	EXPECT(s.u.print.kind == CM_PRINT_RESOURCE);
	EXPECT(says(s.u.print.text, link) && s.u.print.mime_type.len == 0);
	EXPECT(cm_run_next(run, 0, &s) == CM_OK && s.kind == CM_STEP_PRINT);
	EXPECT(s.u.print.kind == CM_PRINT_RESOURCE);
	EXPECT(says(s.u.print.text, "{\"type\":\"resource\",\"resource\":"
				    "{\"mimeType\":\"a/b\",\"blob\":\"AAAA\","
				    "\"uri\":\"file:///n\"}}"));
	cm_run_free(run);
}

static void
ends(void)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	played p = play("return { a: 1 }");

	EXPECT(p.done.end == CM_END_OK && says(p.done.value, "{\"a\":1}"));
	cm_run_free(p.run);
	p = play("return undefined");
	EXPECT(p.done.end == CM_END_OK && p.done.value.len == 0);
	cm_run_free(p.run);
	p = play("throw new Error('x')");
	EXPECT(p.done.end == CM_END_SCRIPT);
	cm_run_free(p.run);
	o.limits.wall_ms = 20;
	p = play_with(NULL, "await new Promise(r => setTimeout(r, 1000))", &o);
	EXPECT(p.done.end == CM_END_TIMEOUT);
	cm_run_free(p.run);
	p = (played){.run = NULL};
	EXPECT(cm_run_new(NULL, TEXT("for (;;);"), NULL, &p.run) == CM_OK);
	cm_run_interrupt(p.run);
	turn_to_the_end(&p);
	EXPECT(p.done.end == CM_END_ABORTED);
	cm_run_free(p.run);
}

static void
what_a_fault_says(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_failure f = {.message = TEXT_INIT("own words")};
	cm_call_id id;
	cm_run *run;
	played p = play("let a = 1\n  null.x");

	EXPECT(says(p.done.fault.name, "TypeError"));
	EXPECT(p.done.fault.line == 2 && p.done.fault.column >= 3);
	EXPECT(has(p.done.fault.excerpt, "null.x") &&
	       has(p.done.fault.excerpt, "^"));
	EXPECT(p.done.fault.tool.len == 0 && p.done.fault.stack.len > 0);
	cm_run_free(p.run);
	p = play("return (");
	EXPECT(says(p.done.fault.code, "SyntaxError"));
	cm_run_free(p.run);
	p = play("await tools.nowhere()");
	EXPECT(says(p.done.fault.code, "UnknownTool"));
	cm_run_free(p.run);
	p = play("throw Object.assign(new AggregateError([7], 'm', "
		 "{ cause: 'c' }), { n: 1 })");
	EXPECT(says(p.done.fault.fields, "{\"n\":1}"));
	EXPECT(says(p.done.fault.cause, "{\"message\":\"c\"}"));
	EXPECT(says(p.done.fault.errors, "[{\"message\":\"7\"}]"));
	cm_run_free(p.run);
	run = at_first_call(cat, "await tools.echo(1)", &id);
	EXPECT(cm_run_reject(run, id, &f) == CM_OK);
	p = (played){.run = run};
	turn_to_the_end(&p);
	EXPECT(says(p.done.fault.message, "own words"));
	EXPECT(says(p.done.fault.tool, "echo"));
	cm_run_free(run);
	cm_catalog_free(cat);
}

static void
what_a_wait_says(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_run *run = NULL;
	cm_step s;

	EXPECT(
	    cm_run_new(cat, TEXT("await tools.echo(1)"), NULL, &run) == CM_OK);
	EXPECT(cm_run_next(run, 50, &s) == CM_OK && s.kind == CM_STEP_CALL);
	EXPECT(cm_run_next(run, 50, &s) == CM_OK && s.kind == CM_STEP_WAIT);
	EXPECT(s.u.wait.calls == 1);
	EXPECT(s.u.wait.handle == -1 && s.u.wait.writable == 0);
	EXPECT(s.u.wait.until_ms >= 300050 && s.u.wait.until_ms <= 300051);
	cm_run_free(run);
	cm_catalog_free(cat);
}

/* ------------------------------------------------------------------------ runs */

static void
the_body_of_a_function(void)
{
	gives("const a = await Promise.resolve(2); return a", "2");
}

static void
what_models_write(void)
{
	gives("```js\nreturn 1\n```", "1");
	gives("const a: number = 2; return a", "2");
	gives("export default async function () { return 3 }", "3");
	gives("async () => { return 4 }", "4");
	gives("2 + 3", "5");
	gives("\"return 6\"", "6");
}

static void
lines_keep_their_numbers(void)
{
	played p = play("```ts\ntype A = {\n a: 1 }\nnull.x\n```");

	EXPECT(p.done.fault.line == 4);
	cm_run_free(p.run);
}

static void
null_catalog_and_options(void)
{
	cm_run *run = NULL;
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	played p = play_with(NULL, "return [ALL_TOOLS.length]", NULL);

	EXPECT(says(p.done.value, "[0]"));
	cm_run_free(p.run);
	EXPECT(cm_run_new(NULL, TEXT("("), NULL, &run) == CM_OK);
	cm_run_free(run);
	o.store = TEXT("[]");
	EXPECT(cm_run_new(NULL, TEXT("return"), &o, &run) == CM_EINPUT);
	o.store = TEXT("{}");
	o.data = TEXT("{");
	EXPECT(cm_run_new(NULL, TEXT("return"), &o, &run) == CM_EINPUT);
}

static void
freed_halfway(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_call_id id;

	cm_run_free(at_first_call(cat, "await tools.echo(1)", &id));
	cm_catalog_free(cat);
}

static void
done_stays_done(void)
{
	played p = play("return 1");
	cm_step s;

	for (int i = 0; i < 2; i++) {
		EXPECT(cm_run_next(p.run, 5000, &s) == CM_OK);
		EXPECT(s.kind == CM_STEP_DONE && says(s.u.done.value, "1"));
	}
	cm_run_free(p.run);
}

static void
answers_in_any_order(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_call_id id;
	cm_run *run = at_first_call(cat,
	    "const [a, b] = await Promise.all([tools.echo(1), "
	    "tools.echo(2)]); return [a, b]",
	    &id);
	played p = {.run = run};
	cm_step s;

	EXPECT(cm_run_next(run, 1000, &s) == CM_OK && s.kind == CM_STEP_CALL);
	EXPECT(cm_run_resolve(run, s.u.call.id, TEXT("\"second\"")) == CM_OK);
	EXPECT(cm_run_resolve(run, id, TEXT_NONE) == CM_OK);
	EXPECT(cm_run_resolve(run, id, TEXT("1")) == CM_ENOCALL);
	turn_to_the_end(&p);
	EXPECT(says(p.done.value, "[null,\"second\"]"));
	EXPECT(cm_run_resolve(run, id, TEXT("1")) == CM_ENOCALL);
	cm_run_free(run);
	cm_catalog_free(cat);
}

/* One call at a time: the next one waits until the stopped one is over. */
static void
a_stopped_call_counts_until_it_is_over(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *run = NULL;
	played p;
	cm_step s;

	o.limits.calls_at_once = 1;
	EXPECT(cm_run_new(cat,
		   TEXT("const c = new AbortController(); const p = "
			"tools.echo(1, { signal: c.signal }).catch(() => 0); "
			"await codemode.sleep(5); c.abort(); await p; "
			"return await tools.echo(2)"),
		   &o, &run) == CM_OK);
	EXPECT(cm_run_next(run, 0, &s) == CM_OK && s.kind == CM_STEP_CALL);
	EXPECT(cm_run_stopped(run, s.u.call.id) == CM_ENOCALL);
	EXPECT(cm_run_next(run, 0, &s) == CM_OK && s.kind == CM_STEP_WAIT);
	EXPECT(cm_run_next(run, 60000, &s) == CM_OK && s.kind == CM_STEP_ABORT);
	EXPECT(s.u.abort == 1);
	EXPECT(cm_run_next(run, 60000, &s) == CM_OK && s.kind == CM_STEP_WAIT);
	EXPECT(s.u.wait.calls == 1);
	EXPECT(cm_run_stopped(run, 1) == CM_OK);
	EXPECT(cm_run_stopped(run, 1) == CM_ENOCALL);
	EXPECT(cm_run_resolve(run, 1, TEXT("1")) == CM_ENOCALL);
	EXPECT(cm_run_next(run, 60000, &s) == CM_OK && s.kind == CM_STEP_CALL);
	EXPECT(cm_run_resolve(run, s.u.call.id, TEXT("2")) == CM_OK);
	p = (played){.run = run};
	turn_to_the_end(&p);
	EXPECT(says(p.done.value, "2"));
	cm_run_free(run);
	cm_catalog_free(cat);
}

static void
a_bad_answer_settles_its_call(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	static const char *const answers[] = {"{", "\"\xff\"", "\"123456789\""};

	for (int i = 0; i < 3; i++) {
		played p = {.run = NULL};
		cm_step s;

		o.limits.result = 8;
		EXPECT(cm_run_new(cat,
			   TEXT("try { await tools.echo(1) } catch (e) { "
				"return e instanceof Error }"),
			   &o, &p.run) == CM_OK);
		EXPECT(cm_run_next(p.run, 0, &s) == CM_OK);
		EXPECT(
		    cm_run_resolve(p.run, s.u.call.id, text_of(answers[i])) ==
		    (i == 2 ? CM_ELIMIT : CM_EINPUT));
		turn_to_the_end(&p);
		EXPECT(says(p.done.value, "true"));
		cm_run_free(p.run);
	}
	cm_catalog_free(cat);
}

static void
a_failed_call_throws(void)
{
	static const struct {
		cm_failure failure;
		cm_status status;
		const char *want;
	} cases[] = {
	    {{.message = TEXT_INIT("m")}, CM_OK, "[\"Error\",\"m\",null]"},
	    {{.name = TEXT_INIT("HttpError"),
		 .message = TEXT_INIT("m"),
		 .members = TEXT_INIT("{\"status\":404}")},
		CM_OK, "[\"HttpError\",\"m\",404]"},
	    {{.message = TEXT_INIT("m"), .members = TEXT_INIT("[404]")}, CM_OK,
		"[\"Error\",\"m\",null]"},
	    {{.message = TEXT_INIT("\xff")}, CM_OK,
		"[\"Error\",\"the tool failed with a message that is not "
		"UTF-8\",null]"},
	    {{.name = TEXT_INIT("\xff"), .message = TEXT_INIT("m")}, CM_EINPUT,
		"[\"TypeError\",\"the tool failed\",null]"}};
	cm_catalog *cat = catalog_of_echo();

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		cm_call_id id;
		cm_run *run = at_first_call(cat,
		    "try { await tools.echo(1) } catch (e) { return [e.name, "
		    "e.message, e.status ?? null] }",
		    &id);
		played p = {.run = run};

		EXPECT(cm_run_reject(run, id, &cases[i].failure) ==
		       cases[i].status);
		EXPECT(cm_run_reject(run, id, &cases[i].failure) == CM_ENOCALL);
		turn_to_the_end(&p);
		EXPECT(says(p.done.value, cases[i].want));
		cm_run_free(run);
	}
	cm_catalog_free(cat);
}

static void
cancelling_ends_the_run(void)
{
	static const char *const reasons[] = {"", "enough", "a\xffz"};
	static const char *const want[] = {
	    "Execution aborted", "enough", "a\xef\xbf\xbdz"};
	cm_catalog *cat = catalog_of_echo();

	for (int i = 0; i < 3; i++) {
		cm_call_id id;
		cm_run *run = at_first_call(cat, "await tools.echo(1)", &id);
		played p = {.run = run};

		EXPECT(cm_run_cancel(run, text_of(reasons[i])) == CM_OK);
		turn_to_the_end(&p);
		EXPECT(p.done.end == CM_END_ABORTED);
		EXPECT(says(p.done.fault.message, want[i]));
		EXPECT(cm_run_resolve(run, id, TEXT("1")) == CM_ENOCALL);
		cm_run_free(run);
	}
	cm_catalog_free(cat);
}

static void
warnings_are_kept(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_call_id id;
	cm_run *run = at_first_call(cat, "await tools.echo(1)", &id);
	played p = {.run = run};
	cm_text result = TEXT_NONE;
	json list;

	for (int i = 0; i < 120; i++)
		EXPECT(cm_run_warn(run, TEXT("mended")) == CM_OK);
	turn_to_the_end(&p);
	EXPECT(cm_run_warn(run, TEXT("late")) == CM_EMISUSE);
	EXPECT(cm_run_result(run, &result) == CM_OK);
	list = json_get(json_trim(result), TEXT("warnings"));
	EXPECT(json_len(list) == 100 && has(list, "\"mended\""));
	cm_run_free(run);
	cm_catalog_free(cat);
}

static void
the_whole_result(void)
{
	static const char *const members[] = {"ok", "value", "output", "calls",
	    "storeWrites", "warnings", "stats"};
	cm_catalog *cat = catalog_of_echo();
	cm_call_id id;
	cm_run *run = at_first_call(
	    cat, "text('a'); store('k', 1); return await tools.echo(1)", &id);
	played p = {.run = run};
	cm_text result = TEXT("before");

	EXPECT(cm_run_result(run, &result) == CM_EMISUSE);
	EXPECT(says(result, "before"));
	EXPECT(cm_run_resolve(run, id, TEXT("[2]")) == CM_OK);
	turn_to_the_end(&p);
	EXPECT(cm_run_result(run, &result) == CM_OK);
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		EXPECT(json_get(result, text_of(members[i])).len > 0);
	EXPECT(says(json_get(result, TEXT("value")), "[2]"));
	cm_run_free(run);
	p = play("throw 1");
	EXPECT(cm_run_result(p.run, &result) == CM_OK);
	EXPECT(json_get(result, TEXT("error")).len > 0);
	cm_run_free(p.run);
	cm_catalog_free(cat);
}

static void
fingerprints_differ(void)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	buf first = BUF_INIT(NULL, 1 << 16);
	uint64_t *limit = (uint64_t *)&o.limits;
	played p = play_with(NULL, "return 1", &o), q;

	buf_text(&first, cm_run_fingerprint(p.run));
	cm_run_free(p.run);
	for (size_t i = 0; i < sizeof(o.limits) / sizeof(*limit); i++) {
		q.run = NULL;
		limit[i] = 77;
		EXPECT(cm_run_new(NULL, TEXT("return 1"), &o, &q.run) == CM_OK);
		EXPECT(!text_eq(cm_run_fingerprint(q.run), buf_view(&first)));
		cm_run_free(q.run);
		limit[i] = 0;
	}
	buf_fini(&first);
}

/* ---------------------------------------------------------------------- driver */

static void
answer_now(void *ctx, cm_run *run, const cm_call *call)
{
	(void)ctx;
	EXPECT(cm_run_resolve(run, call->id, call->args) == CM_OK);
}

static void
one_blocking_function(void)
{
	cm_catalog *cat = catalog_of_echo();
	cm_driver driver = {.call = answer_now};
	cm_run *run = NULL;
	cm_done done;

	EXPECT(cm_run_new(cat, TEXT("return await tools.echo(5)"), NULL,
		   &run) == CM_OK);
	EXPECT(cm_run_drive(run, &driver, &done) == CM_OK);
	EXPECT(done.end == CM_END_OK && says(done.value, "5"));
	cm_run_free(run);
	/* All members NULL: calls are refused, timers are waited for. */
	driver = (cm_driver){.call = NULL};
	run = NULL;
	EXPECT(cm_run_new(cat,
		   TEXT("await codemode.sleep(2); try { await tools.echo(5) } "
			"catch (e) { return 'refused' }"),
		   NULL, &run) == CM_OK);
	EXPECT(cm_run_drive(run, &driver, &done) == CM_OK);
	EXPECT(says(done.value, "\"refused\""));
	cm_run_free(run);
	cm_catalog_free(cat);
}

static void
answer_the_second(void *ctx, cm_run *run, const cm_call *call)
{
	(void)ctx;
	if (call->id == 2)
		EXPECT(cm_run_resolve(run, 2, call->args) == CM_OK);
}

static void
wait_for_nothing(void *ctx, cm_run *run, const cm_wait *w)
{
	(void)ctx, (void)run, (void)w;
}

/* A driver without 'abort', and one call at a time: the second call begins, so
 * the first one was said to be over. */
static void
the_driver_says_stopped(void)
{
	uint64_t clock = 0;
	cm_catalog *cat = catalog_of_echo();
	cm_driver driver = {.call = answer_the_second,
	    .wait = wait_for_nothing,
	    .now_ms = ticks,
	    .ctx = &clock};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *run = NULL;
	cm_done done;

	o.limits.calls_at_once = 1;
	EXPECT(cm_run_new(cat,
		   TEXT("const c = new AbortController(); const p = "
			"tools.echo(1, { signal: c.signal }).catch(() => 0); "
			"await codemode.sleep(5); c.abort(); await p; "
			"return await tools.echo(2)"),
		   &o, &run) == CM_OK);
	EXPECT(cm_run_drive(run, &driver, &done) == CM_OK);
	EXPECT(says(done.value, "2"));
	cm_run_free(run);
	cm_catalog_free(cat);
}

/* ------------------------------------------------------------------- the table */

static const claim claims[] = {
#include "codemode_h.def"
};

int
main(int argc, char **argv)
{
	return claims_try(
	    argc, argv, "codemode.h", claims, sizeof(claims) / sizeof(*claims));
}
