/* SPDX-License-Identifier: MIT */
/*
 * gate.c -- one check for each message of said.def. See gate.h.
 */
#include "gate.h"

#include "base/json.h"

#include <stdio.h>

/* A UTF-16 unit takes at most three bytes of UTF-8. */
uint64_t
gate_print_max(const gate_limits *l)
{
	return l->output <= GATE_TEXT_MAX / 3 ? l->output * 3 : GATE_TEXT_MAX;
}

void
gate_init(gate *g, const gate_limits *limits)
{
	memset(g, 0, sizeof(*g));
	g->limits = *limits;
}

static gate_answer
report_broken(verdict *v, const char *how)
{
	v->code = "SandboxBroken";
	snprintf(v->why, sizeof(v->why), "the sandbox said something wrong: %s",
	    how);
	return GATE_BROKEN;
}

static gate_answer
report_refused(verdict *v, const char *code, const char *what, uint64_t limit,
    const char *advice)
{
	v->code = code;
	snprintf(v->why, sizeof(v->why), "%s: the limit is %llu; %s", what,
	    (unsigned long long)limit, advice);
	return GATE_REFUSED;
}

/* Is t JSON of this kind, without white space around it? The run keeps it as a
 * value. JSON_MISSING: of any kind. */
static bool
is_json(text t, json_kind kind)
{
	json v;

	return json_check(t, GATE_DEPTH, &v, NULL) && v.len == t.len &&
	       (kind == JSON_MISSING || json_kind_of(v) == kind);
}

/* The run keeps arguments until the call is answered, so their sum has a limit:
 * bytes of JSON. */
static uint64_t
args_at_once(const gate *g)
{
	return g->limits.args <= UINT64_MAX / GATE_ARGS
		   ? g->limits.args * GATE_ARGS
		   : UINT64_MAX;
}

bool
gate_ok(const gate *g)
{
	return g->calls <= g->limits.calls && g->output <= g->limits.output &&
	       g->items <= g->limits.items && g->args <= args_at_once(g) &&
	       g->grouped <= g->calls && g->timers_over <= g->timers &&
	       g->timers - g->timers_over <= GATE_TIMERS;
}

void
gate_call_over(gate *g, uint64_t args)
{
	must(args <= g->args);
	g->args -= args;
}

static gate_answer
check_prepared(gate *g, const said *m, verdict *v)
{
	(void)m;
	if (g->prepared)
		return report_broken(v, "that the script was read twice");
	g->prepared = true;
	return GATE_PASS;
}

/* Is each an object with a text `tool`? */
static bool
is_list_of_sites(text t)
{
	json_iter it;
	json one;

	if (t.len > GATE_SITES_MAX || !is_json(t, JSON_ARRAY))
		return false;
	it = json_each(t);
	while (json_next(&it, NULL, &one))
		if (json_kind_of(json_get(one, TEXT("tool"))) != JSON_STRING)
			return false;
	return true;
}

static gate_answer
check_sites(gate *g, const said *m, verdict *v)
{
	if (g->sited)
		return report_broken(v, "the list of its calls twice");
	if (!is_list_of_sites(m->u.sites.json))
		return report_broken(v, "a list of calls that is none");
	g->sited = true;
	return GATE_PASS;
}

static gate_answer
check_call(gate *g, const said *m, verdict *v)
{
	if (g->calls >= g->limits.calls)
		return report_refused(v, "CallLimit", "too many tool calls",
		    g->limits.calls, "ask for more at once, or filter first");
	if (m->u.call.id != g->calls + 1)
		return report_broken(v, "a call out of order");
	if (m->u.call.tool >= g->limits.tools)
		return report_broken(v, "a call of a tool that is not there");
	if (m->u.call.args.len > g->limits.args)
		return report_refused(v, "ArgumentLimit",
		    "the arguments are too large (bytes of JSON)",
		    g->limits.args, "pass less in one call");
	if (m->u.call.args.len > args_at_once(g) - g->args)
		return report_refused(v, "ArgumentLimit",
		    "the calls that wait have too large arguments together "
		    "(bytes of JSON)",
		    args_at_once(g), "await some of them first");
	if (m->u.call.args.len > 0 && !is_json(m->u.call.args, JSON_MISSING))
		return report_broken(v, "arguments that are not JSON");
	if (m->u.call.stack.len > 0)
		return report_broken(v, "a call with a stack");
	g->calls++;
	g->args += m->u.call.args.len;
	return GATE_PASS;
}

static gate_answer
check_cancel(gate *g, const said *m, verdict *v)
{
	if (m->u.cancel.id == 0 || m->u.cancel.id > g->calls)
		return report_broken(v, "the end of a call that never was");
	return GATE_PASS;
}

static gate_answer
check_observed(gate *g, const said *m, verdict *v)
{
	if (m->u.observed.id == 0 || m->u.observed.id > g->calls)
		return report_broken(v, "a look at a call that never was");
	return GATE_PASS;
}

static gate_answer
check_unseen(gate *g, const said *m, verdict *v)
{
	if (m->u.unseen.id == 0 || m->u.unseen.id > g->calls)
		return report_broken(v, "the failure of a call that never was");
	if (m->u.unseen.stack.len > GATE_WARN_MAX ||
	    utf8_bad(m->u.unseen.stack) != SIZE_MAX)
		return report_broken(v, "a stack that is no text");
	return GATE_PASS;
}

/* Does the array hold numbers of calls, each larger than the one before? */
static bool
is_group(const gate *g, text t)
{
	json_iter it = json_each(t);
	int64_t n, last = 0;
	json one;

	while (json_next(&it, NULL, &one)) {
		if (!json_int(one, &n) || n <= last || (uint64_t)n > g->calls)
			return false;
		last = n;
	}
	return last > 0;
}

/* A call is in one group at most, so that groups are bounded. */
static gate_answer
check_group(gate *g, const said *m, verdict *v)
{
	if (m->u.group.all > 1)
		return report_broken(v, "a group of no known kind");
	if (!is_json(m->u.group.calls, JSON_ARRAY) ||
	    json_len(m->u.group.calls) > SAID_GROUP_MAX ||
	    !is_group(g, m->u.group.calls))
		return report_broken(v, "a group of what are no calls");
	if (json_len(m->u.group.calls) > g->calls - g->grouped)
		return report_broken(v, "more calls in groups than there are");
	g->grouped += json_len(m->u.group.calls);
	return GATE_PASS;
}

static gate_answer
check_timer(gate *g, const said *m, verdict *v)
{
	if (g->timers - g->timers_over >= GATE_TIMERS)
		return report_refused(v, "TimerLimit",
		    "too many timers at once", GATE_TIMERS,
		    "wait for some of them first");
	if (m->u.timer.id != g->timers + 1)
		return report_broken(v, "a timer out of order");
	g->timers++;
	return GATE_PASS;
}

static gate_answer
check_clear(gate *g, const said *m, verdict *v)
{
	if (m->u.clear.id == 0 || m->u.clear.id > g->timers)
		return report_broken(v, "the end of a timer that never was");
	return GATE_PASS;
}

static bool
is_base64(text t)
{
	size_t i;

	for (i = 0; i < t.len; i++) {
		char c = t.ptr[i];

		if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
			(c >= '0' && c <= '9') || c == '+' || c == '/' ||
			c == '='))
			return false;
	}
	return t.len > 0;
}

/* A type of audio; its parameters may follow: "audio/pcm; rate=24000". */
static bool
is_audio_type(text mime)
{
	size_t i;

	if (!text_starts(mime, TEXT("audio/")) || mime.len > GATE_MIME_MAX)
		return false;
	for (i = 0; i < mime.len; i++)
		if (mime.ptr[i] < ' ' || mime.ptr[i] > '~')
			return false;
	return true;
}

static bool
is_image_type(text mime)
{
	static const char *const types[] = {
	    "image/png", "image/jpeg", "image/gif", "image/webp"};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (text_eq(mime, text_of(types[i])))
			return true;
	return false;
}

static bool
is_string(json object, text name)
{
	return json_kind_of(json_get(object, name)) == JSON_STRING;
}

/* Is it a content block of MCP that its reader can use: an address with a name,
 * or with what is there? */
static bool
is_resource(text t)
{
	json inside, blob;

	if (!is_json(t, JSON_OBJECT))
		return false;
	inside = json_get(t, TEXT("resource"));
	blob = json_get(inside, TEXT("blob"));
	if (json_is(json_get(t, TEXT("type")), TEXT("resource_link")))
		return is_string(t, TEXT("uri")) && is_string(t, TEXT("name"));
	if (!json_is(json_get(t, TEXT("type")), TEXT("resource")) ||
	    !is_string(inside, TEXT("uri")))
		return false;
	return is_string(inside, TEXT("text")) ||
	       (json_kind_of(blob) == JSON_STRING &&
		   is_base64(text_sub(blob, 1, blob.len - 1)));
}

/* Empty, or an object of "annotations" and "_meta", which are objects. */
static bool
is_extra(text t)
{
	json_iter it;
	json key, value;

	if (t.len == 0)
		return true;
	if (!is_json(t, JSON_OBJECT))
		return false;
	it = json_each(t);
	while (json_next(&it, &key, &value))
		if ((!json_is(key, TEXT("annotations")) &&
			!json_is(key, TEXT("_meta"))) ||
		    json_kind_of(value) != JSON_OBJECT)
			return false;
	return true;
}

static bool
is_print(text t, text mime, text extra, uint32_t kind)
{
	switch (kind) {
	case PRINT_TEXT:
	case PRINT_CONSOLE:
		return mime.len == 0 && extra.len == 0;
	case PRINT_IMAGE:
		return is_image_type(mime) && is_base64(t) && is_extra(extra);
	case PRINT_AUDIO:
		return is_audio_type(mime) && is_base64(t) && is_extra(extra);
	case PRINT_RESOURCE:
		return mime.len == 0 && extra.len == 0 && is_resource(t);
	default:
		return false;
	}
}

static gate_answer
check_print(gate *g, const said *m, verdict *v)
{
	uint64_t units;

	text t = m->u.print.text, extra = m->u.print.extra;

	if (utf8_bad(t) != SIZE_MAX)
		return report_broken(v, "output that is not UTF-8");
	if (!is_print(t, m->u.print.mime, extra, m->u.print.kind))
		return report_broken(v, "output of no known kind");
	units = utf16_len(t) + utf16_len(extra);
	if (units > g->limits.output - g->output || t.len > GATE_TEXT_MAX ||
	    extra.len > GATE_TEXT_MAX)
		return report_refused(v, "OutputLimit",
		    "the script printed too much (characters, also of base64)",
		    g->limits.output, "print or return only what is needed");
	if (g->items >= g->limits.items)
		return report_refused(v, "OutputLimit",
		    "the script printed too many texts and media",
		    g->limits.items, "join them into fewer");
	g->output += units;
	g->items++;
	return GATE_PASS;
}

static gate_answer
check_warn(gate *g, const said *m, verdict *v)
{
	if (m->u.warn.json.len > GATE_WARN_MAX ||
	    !is_json(m->u.warn.json, JSON_OBJECT))
		return report_broken(v, "a warning that is no JSON object");
	return g->warnings++ < GATE_WARNINGS ? GATE_PASS : GATE_DROP;
}

/* Is t an array of [key, value] and [key]? */
static bool
is_writes(text t)
{
	json_iter it;
	json entry;

	if (t.len > GATE_WRITES_MAX || !is_json(t, JSON_ARRAY))
		return false;
	it = json_each(t);
	while (json_next(&it, NULL, &entry))
		if (json_kind_of(entry) != JSON_ARRAY || json_len(entry) > 2 ||
		    json_kind_of(json_at(entry, 0)) != JSON_STRING)
			return false;
	return true;
}

static gate_answer
check_done(gate *g, const said *m, verdict *v)
{
	if (m->u.done.value.len > g->limits.value)
		return report_refused(v, "ValueLimit",
		    "the returned value is too large (bytes of JSON)",
		    g->limits.value, "return only what is needed");
	if (m->u.done.value.len > 0 && !is_json(m->u.done.value, JSON_MISSING))
		return report_broken(v, "a value that is not JSON");
	if (!is_writes(m->u.done.writes))
		return report_broken(
		    v, "store writes that are no keys and values");
	g->ended = true;
	return GATE_PASS;
}

static gate_answer
check_fail(gate *g, const said *m, verdict *v)
{
	if (m->u.fail.json.len > GATE_FAULT_MAX)
		return report_refused(v, "ErrorLimit",
		    "the error is too large (bytes of JSON)", GATE_FAULT_MAX,
		    "throw an Error with a shorter message");
	if (!is_json(m->u.fail.json, JSON_OBJECT))
		return report_broken(v, "an error that is no JSON object");
	g->ended = true;
	return GATE_PASS;
}

gate_answer
gate_check(gate *g, const said *m, verdict *v)
{
	static gate_answer (*const check[])(gate *, const said *, verdict *) = {
#define SAID(KIND, member, most, about, fields) check_##member,
#include "gate/said.def"
#undef SAID
	};

	v->code = NULL;
	if ((unsigned)m->kind >= SAID_KINDS)
		return report_broken(v, "a message of no known kind");
	if (g->ended)
		return report_broken(v, "a message after the end");
	if (!g->prepared && m->kind != SAID_PREPARED && m->kind != SAID_WARN &&
	    m->kind != SAID_FAIL)
		return report_broken(v, "a message before the script was read");
	return check[m->kind](g, m, v);
}
