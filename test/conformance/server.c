/* SPDX-License-Identifier: MIT */
/*
 * server.c FIXTURE ADDRESS:PORT -- the server that the conformance suite drives:
 * the machine and the HTTP server of `codemode serve`, and behind them what
 * FIXTURE says, a JSON object:
 *
 *	capabilities  as a client is told
 *	tools         as tools/list has them
 *	calls, prompts, methods: name -> behaviour; resources: URI -> behaviour
 *	template      behaviour of the URIs that begin with .before and end with
 *	              .after; what stands between them is ${id}
 *
 * A behaviour is an object. Its .result is the result, after:
 *
 *	needs     a capability that the client must have
 *	log       lines, one each STEP_MS
 *	progress  numbers, the same
 *	ask       {method, params}: a request to the client
 *	input     rounds of requests, key -> {method, params}, in the era where a
 *	          result asks for them; state: with a state that comes back
 *	changed   a list ("tools", "prompts") that has changed by it
 *	legacy    only for clients that have greeted
 *
 * ${x} in it is the argument x, or a member of what the client answered; ${*} is
 * the whole answer.
 */
#include "common/file.h"
#include "common/signals.h"
#include "http_serve_parts.h"

#include "mcp/mcp_serve.h"

#include <stdio.h>

enum { FIXTURE_MAX = 1 << 20, STEP_MS = 50, NOT_FOUND = -32601 };
enum { BAD_PARAMS = -32602, MISSING_CAPABILITY = -32021 };

static json fixture;
static main_loop loop;
static struct seat *seats;

/* One client. */
typedef struct seat {
	struct seat *next;
	mcp_server *machine;
	struct task *tasks;
} seat;

/* A request that takes several steps, or waits for an answer. */
typedef struct task {
	struct task *next;
	seat *seat; /* NULL: it went away */
	uint32_t request;
	uint32_t asked; /* what mcp_server_ask gave, or 0 */
	json behaviour;
	size_t step;
	buf result; /* with its arguments in it */
	uv_timer_t timer;
} task;

/* -------------------------------------------------------------- templates */

/* The inside of what a template's name stands for: it is put into a string. */
static void
put_value(buf *out, json value)
{
	buf quoted = BUF_INIT(NULL, FIXTURE_MAX);

	if (json_kind_of(value) != JSON_STRING) {
		json_string(&quoted, value);
		value = buf_view(&quoted);
	}
	buf_text(out, text_sub(value, 1, value.len - 1));
	buf_fini(&quoted);
}

/* The member of that name, however deep it is. */
static json
deep_member(json v, text name)
{
	json found = json_get(v, name), member;
	json_iter it = json_each(v);

	while (found.len == 0 && json_next(&it, NULL, &member))
		found = deep_member(member, name);
	return found;
}

/* Fills in those names that values has; the others stay for later. */
static void
fill_template(buf *out, text t, json values)
{
	for (;;) {
		size_t at = text_find(t, TEXT("${"), 0);
		size_t end = text_find(t, TEXT("}"), at);
		text name;
		json value;

		if (at == SIZE_MAX || end == SIZE_MAX)
			break;
		name = text_sub(t, at + 2, end);
		value = text_eq(name, TEXT("*")) ? values
						 : deep_member(values, name);
		buf_text(out, text_sub(t, 0, at));
		if (value.len > 0)
			put_value(out, value);
		else
			buf_text(out, text_sub(t, at, end + 1));
		t = text_sub(t, end + 1, t.len);
	}
	buf_text(out, t);
}

/* ---------------------------------------------------------------- answers */

static void
reply_object(seat *c, uint32_t request, json object)
{
	mcp_server_reply(
	    c->machine, request, text_sub(object, 1, object.len - 1));
}

static void
reply_filled(seat *c, uint32_t request, json behaviour, json values)
{
	buf result = BUF_INIT(NULL, FIXTURE_MAX);

	fill_template(&result, json_get(behaviour, TEXT("result")), values);
	reply_object(c, request, buf_view(&result));
	buf_fini(&result);
}

static void
refuse(seat *c, uint32_t request, int code, const char *message, json data)
{
	mcp_server_refuse(c->machine, request, code, text_of(message), data);
}

static void
refuse_capability(seat *c, const mcp_asked *a, text name)
{
	buf data = BUF_INIT(NULL, 1024);

	buf_printf(
	    &data, "{\"requiredCapabilities\":{\"%.*s\":{}}}", TEXT_ARG(name));
	refuse(c, a->request, MISSING_CAPABILITY,
	    "The client lacks a capability", buf_view(&data));
	buf_fini(&data);
}

/* ------------------------------------------------------------------ tasks */

static void
on_task_closed(uv_handle_t *handle)
{
	mem_free(NULL, handle->data, sizeof(task));
}

static void
end_task(task *k)
{
	task **at = &k->seat->tasks;

	while (*at != k)
		at = &(*at)->next;
	*at = k->next;
	buf_fini(&k->result);
	uv_close((uv_handle_t *)&k->timer, on_task_closed);
}

static void
on_step(uv_timer_t *timer)
{
	task *k = timer->data;
	json lines = json_get(k->behaviour, TEXT("log"));
	json numbers = json_get(k->behaviour, TEXT("progress"));
	json line = json_at(lines, k->step), number = json_at(numbers, k->step);
	buf words = BUF_INIT(NULL, FIXTURE_MAX);
	double progress;

	k->step++;
	if (json_unescape(line, &words)) {
		mcp_server_log(k->seat->machine, k->request, MCP_LOG_INFO,
		    TEXT_NONE, buf_view(&words));
	} else if (json_double(number, &progress)) {
		mcp_server_progress(
		    k->seat->machine, k->request, progress, 100, TEXT_NONE);
	} else {
		reply_object(k->seat, k->request, buf_view(&k->result));
		end_task(k);
	}
	buf_fini(&words);
	main_loop_due(&loop.uv);
}

static task *
begin_task(seat *c, const mcp_asked *a, json behaviour)
{
	task *k = mem_new(NULL, sizeof(*k));

	must(k != NULL);
	*k = (task){.next = c->tasks,
	    .seat = c,
	    .request = a->request,
	    .behaviour = behaviour,
	    .result = BUF_INIT(NULL, FIXTURE_MAX)};
	fill_template(
	    &k->result, json_get(behaviour, TEXT("result")), a->arguments);
	uv_timer_init(&loop.uv, &k->timer);
	k->timer.data = k;
	c->tasks = k;
	return k;
}

/* Asks a client that has greeted. */
static void
ask_client(seat *c, const mcp_asked *a, json behaviour)
{
	json ask = json_get(behaviour, TEXT("ask"));
	buf method = BUF_INIT(NULL, 256), params = BUF_INIT(NULL, FIXTURE_MAX);
	task *k = begin_task(c, a, behaviour);

	json_unescape(json_get(ask, TEXT("method")), &method);
	buf_byte(&method, '\0');
	fill_template(&params, json_get(ask, TEXT("params")), a->arguments);
	k->asked = mcp_server_ask(
	    c->machine, a->request, method.ptr, buf_view(&params));
	if (k->asked == 0) {
		mcp_server_answer(c->machine, a->request,
		    TEXT("[{\"type\":\"text\",\"text\":\"cannot be asked\"}]"),
		    true);
		end_task(k);
	}
	buf_fini(&method);
	buf_fini(&params);
}

static void
hear_client(seat *c, const mcp_asked *a)
{
	task *k = c->tasks;
	buf result = BUF_INIT(NULL, FIXTURE_MAX);

	while (k != NULL && k->asked != a->request)
		k = k->next;
	if (k == NULL)
		return;
	fill_template(&result, buf_view(&k->result), a->result);
	reply_object(c, k->request, buf_view(&result));
	buf_fini(&result);
	end_task(k);
}

/* ----------------------------------------- results that ask for something */

static text
capability_of(json request)
{
	json method = json_get(request, TEXT("method"));
	text word = text_sub(method, 1, text_find(method, TEXT("/"), 0));

	return word;
}

static bool
can_be_asked(json request, const mcp_asked *a)
{
	return json_present(json_get(a->can, capability_of(request)));
}

/* Has the client answered that request? */
static bool
is_answered(json request, json answer)
{
	text kind = capability_of(request);

	if (text_eq(kind, TEXT("elicitation")))
		return json_present(json_get(answer, TEXT("action")));
	if (text_eq(kind, TEXT("sampling")))
		return json_present(json_get(answer, TEXT("content")));
	return json_kind_of(json_get(answer, TEXT("roots"))) == JSON_ARRAY;
}

static bool
is_round_answered(json round, json answers, const mcp_asked *a)
{
	json_iter it = json_each(round);
	json key, request;

	while (json_next(&it, &key, &request))
		if (can_be_asked(request, a) &&
		    !is_answered(request,
			json_get(answers, text_sub(key, 1, key.len - 1))))
			return false;
	return true;
}

/* The state of a round, which no client can make up. */
static void
write_state(buf *out, size_t round)
{
	static uint64_t secret;

	while (secret == 0)
		secret = uv_hrtime();
	buf_printf(out, "\"%zu-%llx\"", round, (unsigned long long)secret);
}

/* Which round a state is of; SIZE_MAX: none of ours. */
static size_t
round_of_state(json state, size_t rounds)
{
	buf one = BUF_INIT(NULL, 64);
	size_t i = 0;

	for (; i < rounds; i++) {
		buf_clear(&one);
		write_state(&one, i);
		if (text_eq(buf_view(&one), state))
			break;
	}
	buf_fini(&one);
	return i < rounds ? i : SIZE_MAX;
}

static void
ask_by_result(
    seat *c, const mcp_asked *a, json round, size_t number, bool state)
{
	buf out = BUF_INIT(NULL, FIXTURE_MAX);
	json_iter it = json_each(round);
	json key, request;

	buf_str(&out, "\"resultType\":\"input_required\",\"inputRequests\":{");
	while (json_next(&it, &key, &request)) {
		if (!can_be_asked(request, a))
			continue;
		if (out.ptr[out.len - 1] != '{')
			buf_byte(&out, ',');
		buf_text(&out, key);
		buf_byte(&out, ':');
		buf_text(&out, request);
	}
	buf_byte(&out, '}');
	if (state) {
		buf_str(&out, ",\"requestState\":");
		write_state(&out, number);
	}
	mcp_server_reply(c->machine, a->request, buf_view(&out));
	buf_fini(&out);
}

static void
do_rounds(seat *c, const mcp_asked *a, json behaviour)
{
	json rounds = json_get(behaviour, TEXT("input"));
	json answers = json_get(a->params, TEXT("inputResponses"));
	json given = json_get(a->params, TEXT("requestState"));
	bool state = json_bool(json_get(behaviour, TEXT("state")), false);
	size_t round = 0;

	if (state && given.len > 0 &&
	    (round = round_of_state(given, json_len(rounds))) == SIZE_MAX) {
		refuse(c, a->request, BAD_PARAMS,
		    "The requestState is none of ours", TEXT_NONE);
		return;
	}
	if ((!state || given.len > 0) &&
	    is_round_answered(json_at(rounds, round), answers, a))
		round++;
	if (round == json_len(rounds))
		reply_filled(c, a->request, behaviour, answers);
	else
		ask_by_result(c, a, json_at(rounds, round), round, state);
}

/* ------------------------------------------------------------- behaviours */

static void
tell_change(json list)
{
	mcp_topic topic =
	    json_is(list, TEXT("tools")) ? MCP_TOOLS : MCP_PROMPTS;

	for (seat *c = seats; c != NULL; c = c->next)
		mcp_server_changed(c->machine, topic);
}

static void
behave(seat *c, const mcp_asked *a, json behaviour)
{
	json needs = json_get(behaviour, TEXT("needs"));
	json changed = json_get(behaviour, TEXT("changed"));

	if (needs.len > 0 &&
	    !json_present(json_get(a->can, text_sub(needs, 1, needs.len - 1))))
		refuse_capability(c, a, text_sub(needs, 1, needs.len - 1));
	else if (json_get(behaviour, TEXT("ask")).len > 0)
		ask_client(c, a, behaviour);
	else if (json_get(behaviour, TEXT("input")).len > 0)
		do_rounds(c, a, behaviour);
	else if (json_get(behaviour, TEXT("log")).len > 0 ||
		 json_get(behaviour, TEXT("progress")).len > 0)
		uv_timer_start(
		    &begin_task(c, a, behaviour)->timer, on_step, 0, STEP_MS);
	else
		reply_filled(c, a->request, behaviour, a->arguments);
	if (changed.len > 0)
		tell_change(changed);
}

/* The member of a part of the fixture whose name is a JSON string. */
static json
behaviour_of(const char *part, json name)
{
	json member, key, found = TEXT_NONE;
	json_iter it = json_each(json_get(fixture, text_of(part)));

	while (found.len == 0 && json_next(&it, &key, &member))
		if (text_eq(key, name))
			found = member;
	return found;
}

static void
read_resource(seat *c, mcp_asked *a)
{
	json uri = json_get(a->params, TEXT("uri"));
	json behaviour = behaviour_of("resources", uri);
	json template = json_get(fixture, TEXT("template"));
	json before = json_get(template, TEXT("before"));
	json after = json_get(template, TEXT("after"));
	buf values = BUF_INIT(NULL, FIXTURE_MAX);
	bool fits = text_starts(uri, text_sub(before, 0, before.len - 1)) &&
		    text_ends(uri, text_sub(after, 1, after.len));

	buf_str(&values, "{\"id\":\"");
	buf_text(
	    &values, text_sub(uri, before.len - 1, uri.len - after.len + 1));
	buf_str(&values, "\"}");
	a->arguments = buf_view(&values);
	if (behaviour.len > 0 || fits) {
		behave(c, a, behaviour.len > 0 ? behaviour : template);
	} else {
		buf_clear(&values);
		buf_str(&values, "{\"uri\":");
		buf_text(&values, uri.len > 0 ? uri : TEXT("null"));
		buf_byte(&values, '}');
		refuse(c, a->request, BAD_PARAMS, "Resource not found",
		    buf_view(&values));
	}
	buf_fini(&values);
}

static void
do_other(seat *c, mcp_asked *a)
{
	json behaviour = behaviour_of("methods", a->method);
	bool legacy = json_bool(json_get(behaviour, TEXT("legacy")), false);

	a->arguments = json_get(a->params, TEXT("arguments"));
	if (json_is(a->method, TEXT("resources/read"))) {
		read_resource(c, a);
		return;
	}
	if (json_is(a->method, TEXT("prompts/get")))
		behaviour =
		    behaviour_of("prompts", json_get(a->params, TEXT("name")));
	if (behaviour.len > 0 && !(legacy && a->modern))
		behave(c, a, behaviour);
	else if (json_is(a->method, TEXT("prompts/get")))
		refuse(c, a->request, BAD_PARAMS, "Unknown prompt", TEXT_NONE);
	else
		refuse(c, a->request, NOT_FOUND, "Method not found", TEXT_NONE);
}

static void
do_call(seat *c, const mcp_asked *a)
{
	json behaviour = behaviour_of("calls", a->name);

	if (behaviour.len > 0)
		behave(c, a, behaviour);
	else
		refuse(c, a->request, BAD_PARAMS, "Unknown tool", TEXT_NONE);
}

/* ---------------------------------------------------------------- clients */

static mcp_server *
machine_of(void *client)
{
	return ((seat *)client)->machine;
}

static void
obey(void *client)
{
	seat *c = client;
	mcp_asked a;

	while (mcp_server_next(c->machine, &a)) {
		if (a.kind == MCP_ASKED_CALL)
			do_call(c, &a);
		else if (a.kind == MCP_ASKED_OTHER)
			do_other(c, &a);
		else if (a.kind == MCP_ASKED_REPLY)
			hear_client(c, &a);
	}
}

static void *
open_seat(void *ctx, bool shared)
{
	const mcp_server_options o = {
	    .capabilities = json_get(fixture, TEXT("capabilities")),
	    .topics = MCP_TOOLS | MCP_PROMPTS | MCP_RESOURCES,
	    .level = MCP_LOG_INFO,
	    .others = true,
	    .shared = shared};
	seat *c = mem_new(NULL, sizeof(*c));
	json tools = json_get(fixture, TEXT("tools"));

	(void)ctx;
	must(c != NULL);
	*c = (seat){.next = seats, .machine = mcp_server_new(&o)};
	must(c->machine != NULL);
	seats = c;
	mcp_server_offer(c->machine, text_sub(tools, 1, tools.len - 1));
	return c;
}

static void
close_seat(void *client)
{
	seat *c = client, **at = &seats;

	while (c->tasks != NULL)
		end_task(c->tasks);
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	mcp_server_free(c->machine);
	mem_free(NULL, c, sizeof(*c));
}

/* ------------------------------------------------------------------- main */

int
main(int argc, char **argv)
{
	const http_serve_hooks hooks = {
	    NULL, open_seat, machine_of, obey, close_seat};
	const opt_values no_names = {0};
	http_serve_options o = {.names = &no_names};
	buf source = BUF_INIT(NULL, FIXTURE_MAX), line = source;
	http_serve *h;
	say s;

	say_init(&s);
	if (argc != 3 || file_read(argv[1], &source) != NULL ||
	    !json_check(buf_view(&source), JSON_DEPTH, &fixture, NULL)) {
		fputs("usage: server FIXTURE ADDRESS:PORT\n", stderr);
		return 2;
	}
	json_compact(&line, fixture);
	fixture = buf_view(&line);
	o.address = argv[2];
	if (!main_loop_open(&loop, &s) ||
	    (h = http_serve_functions.open(&loop, &o, &hooks, &s)) == NULL)
		return 1;
	while (signals_count() == 0) {
		http_serve_functions.turn(h);
		main_loop_turn(&loop);
	}
	http_serve_functions.close(h);
	main_loop_close(&loop);
	buf_fini(&line);
	buf_fini(&source);
	return 0;
}
