/* SPDX-License-Identifier: MIT */
/*
 * tools.c -- what each test tool answers. See tools.h for the list.
 *
 * A tool is a function from its arguments to an answer; nothing here waits or
 * knows of runs, so the loop in host.c decides when an answer is given.
 */
#include "tools.h"

#include <inttypes.h>
#include <math.h>

#define TOOL_MAX ((size_t)256 << 20) /* bytes of one answer */

static int64_t
number_of(json args, text key, int64_t otherwise)
{
	int64_t n = otherwise;

	json_int(json_get(args, key), &n);
	return n;
}

static void
say_number(buf *out, double d)
{
	if (isfinite(d))
		buf_printf(out, "%.17g", d);
	else
		buf_str(out, "null");
}

static void
echo(json args, unsigned running, answer *a)
{
	(void)running;
	buf_text(&a->body, args);
}

static void
add(json args, unsigned running, answer *a)
{
	double x = NAN, y = NAN;

	(void)running;
	json_double(json_get(args, TEXT("a")), &x);
	json_double(json_get(args, TEXT("b")), &y);
	say_number(&a->body, x + y);
}

static void
fail(json args, unsigned running, answer *a)
{
	(void)running;
	a->fails = true;
	if (!json_unescape(json_get(args, TEXT("message")), &a->body))
		buf_str(&a->body, "boom");
	json_unescape(json_get(args, TEXT("name")), &a->name);
	a->members = json_get(args, TEXT("members"));
}

static void
slow(json args, unsigned running, answer *a)
{
	json value = json_get(args, TEXT("value"));

	a->after_ms = (uint64_t)number_of(args, TEXT("ms"), 10);
	a->fails = json_unescape(json_get(args, TEXT("fail")), &a->body);
	if (a->fails)
		return;
	if (json_kind_of(value) != JSON_MISSING)
		buf_text(&a->body, value);
	else
		buf_printf(&a->body, "%u", running);
}

static void
hang(json args, unsigned running, answer *a)
{
	(void)args, (void)running;
	a->never = true;
}

static void
nothing(json args, unsigned running, answer *a)
{
	(void)args, (void)running, (void)a;
}

static void
nil(json args, unsigned running, answer *a)
{
	(void)args, (void)running;
	buf_str(&a->body, "null");
}

static void
big(json args, unsigned running, answer *a)
{
	int64_t n = number_of(args, TEXT("n"), 1);

	(void)running;
	buf_byte(&a->body, '[');
	for (int64_t i = 0; i < n; i++)
		buf_printf(&a->body,
		    "%s{\"id\":%" PRId64 ",\"name\":\"item %" PRId64
		    "\",\"even\":%s}",
		    i ? "," : "", i, i, i % 2 ? "false" : "true");
	buf_byte(&a->body, ']');
}

static void
deep(json args, unsigned running, answer *a)
{
	int64_t n = number_of(args, TEXT("n"), 1);

	(void)running;
	for (int64_t i = 0; i < n; i++)
		buf_byte(&a->body, '[');
	for (int64_t i = 0; i < n; i++)
		buf_byte(&a->body, ']');
}

static void
odd(json args, unsigned running, answer *a)
{
	json kind = json_get(args, TEXT("kind"));

	(void)running;
	if (json_is(kind, TEXT("json")))
		buf_str(&a->body, "{\"a\":");
	else if (json_is(kind, TEXT("utf8")))
		buf_str(&a->body, "\"\xff\xfe\"");
	else
		buf_str(&a->body, " ");
}

static const struct tool {
	const char *name;
	const char *description;
	void (*answer)(json args, unsigned running, answer *a);
} tools[] = {
    {"echo", "Gives back its arguments", echo},
    {"add", "Adds a and b", add},
    {"fail", "Fails", fail},
    {"slow", "Answers late", slow},
    {"hang", "Never answers", hang},
    {"nothing", "Gives undefined", nothing},
    {"nil", "Gives null", nil},
    {"big", "Gives rows", big},
    {"deep", "Gives nested arrays", deep},
    {"odd", "Gives bytes that are no answer", odd},
};

#define TOOLS (sizeof(tools) / sizeof(tools[0]))

static const struct tool *
tool_find(const cm_call *call)
{
	for (size_t i = 0; i < TOOLS && !call->space.len; i++)
		if (text_eq(call->name, text_of(tools[i].name)))
			return &tools[i];
	return NULL;
}

static void
say_name_and_args(const cm_call *call, answer *a)
{
	buf_str(&a->body, "{\"tool\":");
	json_string(&a->body, call->name);
	if (call->args.len) {
		buf_str(&a->body, ",\"args\":");
		buf_text(&a->body, call->args);
	}
	buf_byte(&a->body, '}');
}

void
tools_answer(const cm_call *call, unsigned running, answer *a)
{
	const struct tool *tool = tool_find(call);

	*a = (answer){0};
	a->body = BUF_INIT(NULL, TOOL_MAX);
	a->name = BUF_INIT(NULL, TOOL_MAX);
	if (tool)
		tool->answer(call->args, running, a);
	else
		say_name_and_args(call, a);
}

void
answer_fini(answer *a)
{
	buf_fini(&a->body);
	buf_fini(&a->name);
}

/* with holds "name" or ["space", "name"]. */
static cm_status
declare_named(cm_catalog *cat, json which)
{
	bool spaced = json_kind_of(which) == JSON_ARRAY;
	buf space = BUF_INIT(NULL, TOOL_MAX);
	buf name = BUF_INIT(NULL, TOOL_MAX);
	cm_tool tool = {0};
	cm_status r = CM_EINPUT;

	if (spaced && !json_unescape(json_at(which, 0), &space))
		goto out;
	if (!json_unescape(spaced ? json_at(which, 1) : which, &name))
		goto out;
	tool.space = buf_view(&space);
	tool.name = buf_view(&name);
	r = cm_catalog_add(cat, &tool);
out:
	buf_fini(&name);
	buf_fini(&space);
	return r;
}

cm_status
tools_declare(cm_catalog *cat, json with)
{
	json_iter it = json_each(with);
	cm_status r = CM_OK;
	json which;

	for (size_t i = 0; i < TOOLS && r == CM_OK; i++) {
		cm_tool tool = {0};

		tool.name = text_of(tools[i].name);
		tool.description = text_of(tools[i].description);
		r = cm_catalog_add(cat, &tool);
	}
	while (r == CM_OK && json_next(&it, NULL, &which))
		r = declare_named(cat, which);
	return r;
}
