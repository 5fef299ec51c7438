/* SPDX-License-Identifier: MIT */
/* audit.c -- see audit.h. */
#include "audit.h"

#include "rotating.h"

#include "base/map.h"

#include <errno.h>
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

enum {
	LINE_BYTES_MAX = 1 << 20,
	PENDING_BYTES = 32 << 10, /* of .pending, before it is written */
	LATER_MS = 50             /* no line waits longer */
};

static const char *const events[] = {
    [WATCH_SCRIPT] = "script",
    [WATCH_CALL] = "call",
    [WATCH_DECISION] = "decision",
    [WATCH_ANSWER] = "answer",
    [WATCH_END] = "end",
};

enum { EVENTS = sizeof(events) / sizeof(*events) };

/* A script or a call that is not over. */
typedef struct audit_open_item {
	uint32_t script;
	cm_call_id call; /* 0: the script */
	uint64_t began_us;
	uint32_t calls;    /* of a script */
	uint64_t received; /* bytes of the replies to them */
} audit_open_item;

struct audit {
	say *say;
	redactor *secrets;
	rotating file;
	uv_timer_t later; /* runs while lines are pending */
	bool failed;      /* a write error was printed */
	buf pending;      /* lines that are not in the file yet */
	size_t whole;     /* bytes of them; the rest is being made */
	time_t second;    /* which .when is the text of */
	char when[48];    /* the beginning of a line */
	size_t when_len;
	char event[EVENTS][64]; /* the members that follow it */
	audit_open_item *item;
	size_t len, cap;
};

static void
write_pending(audit *a)
{
	uv_timer_stop(&a->later);
	if (a->pending.len > 0 &&
	    !rotating_append(&a->file, buf_view(&a->pending)) && !a->failed) {
		a->failed = true;
		say_line(a->say, "--log %s cannot be written: %s", a->file.path,
		    strerror(errno));
	}
	buf_clear(&a->pending);
	a->whole = 0;
}

static void
on_log_later(uv_timer_t *later)
{
	write_pending(later->data);
}

/* A write for each line would cost more than the rest of a call. */
static void
end_log_line(audit *a, bool at_once)
{
	buf_add(&a->pending, "}\n", 2);
	if (a->pending.bad != CM_OK) {
		a->pending.bad = CM_OK;
		a->pending.len = a->whole;
	}
	a->whole = a->pending.len;
	if (at_once || a->pending.len > PENDING_BYTES)
		write_pending(a);
	else if (!uv_is_active((uv_handle_t *)&a->later))
		uv_timer_start(&a->later, on_log_later, LATER_MS, 0);
}

bool
audit_open(const char *path, uint64_t max, main_loop *loop, redactor *secrets,
    say *s, audit **out)
{
	audit *a;

	*out = NULL;
	if (path == NULL)
		return true;
	a = mem_new(NULL, sizeof(*a));
	if (a == NULL)
		return false;
	*a = (audit){.say = s,
	    .secrets = secrets,
	    .pending = BUF_INIT(NULL, PENDING_BYTES + LINE_BYTES_MAX)};
	for (size_t i = 0; i < EVENTS; i++)
		snprintf(a->event[i], sizeof(a->event[i]),
		    "\"event\":\"%s\",\"process\":%ld",
		    events[i] ? events[i] : "", (long)getpid());
	uv_timer_init(&loop->uv, &a->later);
	a->later.data = a;
	*out = a;
	if (rotating_open(&a->file, path, max))
		return true;
	say_line(s, "--log %s: %s", path, strerror(errno));
	return false;
}

static void
free_audit(uv_handle_t *later)
{
	audit *a = later->data;

	buf_fini(&a->pending);
	mem_free(NULL, a->item, a->cap * sizeof(*a->item));
	mem_free(NULL, a, sizeof(*a));
}

void
audit_close(audit *a)
{
	if (a == NULL)
		return;
	write_pending(a);
	rotating_close(&a->file);
	uv_close((uv_handle_t *)&a->later, free_audit);
}

/* -------------------------------------------------------------- open items */

static void
add_item(audit *a, const watch_event *e)
{
	void *array = a->item;

	if (!mem_grow(NULL, &array, &a->cap, a->len, sizeof(*a->item)))
		return;
	a->item = array;
	a->item[a->len++] = (audit_open_item){
	    .script = e->script, .call = e->call, .began_us = e->now_us};
}

static audit_open_item *
find_item(audit *a, uint32_t script, cm_call_id call)
{
	for (size_t i = a->len; i-- > 0;)
		if (a->item[i].script == script && a->item[i].call == call)
			return &a->item[i];
	return NULL;
}

/* Removes the item and returns how long it took, in ms. */
static uint64_t
close_item(audit *a, const watch_event *e)
{
	audit_open_item *it = find_item(a, e->script, e->call);
	uint64_t ms;

	if (it == NULL)
		return 0;
	ms = (e->now_us - it->began_us) / 1000;
	*it = a->item[--a->len];
	return ms;
}

/* Removes the script, and its calls without an answer. */
static void
drop_items(audit *a, uint32_t script)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->len; i++)
		if (a->item[i].script != script)
			a->item[kept++] = a->item[i];
	a->len = kept;
}

/* ------------------------------------------------------------------- lines */

/* The beginning of a line at t, which lives until the next one. */
static text
line_at(audit *a, const struct timespec *t)
{
	const text zero = TEXT("000Z\",");
	long ms = t->tv_nsec / 1000000;
	char *digits;
	struct tm utc;

	if (t->tv_sec != a->second && gmtime_r(&t->tv_sec, &utc) != NULL) {
		a->second = t->tv_sec;
		a->when_len = strftime(a->when, sizeof(a->when),
		    "{\"time\":\"%Y-%m-%dT%H:%M:%S.000Z\",", &utc);
	}
	must(a->when_len > zero.len);
	digits = a->when + a->when_len - zero.len;
	digits[0] = (char)('0' + ms / 100);
	digits[1] = (char)('0' + ms / 10 % 10);
	digits[2] = (char)('0' + ms % 10);
	return (text){a->when, a->when_len};
}

static void
begin_log_line(audit *a, watch_kind kind, uint32_t script)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	buf_text(&a->pending, line_at(a, &t));
	buf_str(&a->pending, a->event[kind]);
	json_member_uint(&a->pending, "script", script);
}

static void
audit_script(audit *a, const watch_event *e, buf *line)
{
	add_item(a, e);
	if (e->caller != 0) {
		json_member_uint(line, "caller", e->caller);
		json_member_uint(line, "callerCall", e->caller_call);
	}
	buf_printf(line, ",\"hash\":\"%016" PRIx64 "\",\"bytes\":%zu",
	    text_hash(e->code, 0), e->code.len);
}

static void
audit_call(audit *a, const watch_event *e, buf *line)
{
	audit_open_item *of = find_item(a, e->script, 0);

	if (of != NULL)
		of->calls++;
	add_item(a, e);
	json_member_uint(line, "call", e->call);
	json_member_text(line, "server", e->made->space);
	json_member_text(line, "tool", e->made->name);
	json_member_text(line, "decision", text_of(e->how));
	if (utf8_bad(e->words) == SIZE_MAX)
		json_member_text(line, "why", e->words);
	watch_put_json(line, a->secrets, "args", e->made->args, AUDIT_TEXT_MAX);
	json_member_uint(line, "argsBytes", e->made->args.len);
}

static void
audit_decision(const watch_event *e, buf *line)
{
	json_member_uint(line, "call", e->call);
	json_member_text(line, "said", text_of(e->how));
}

static void
audit_answer(audit *a, const watch_event *e, buf *line)
{
	audit_open_item *of = find_item(a, e->script, 0);

	if (of != NULL)
		of->received += e->bytes;
	json_member_uint(line, "call", e->call);
	json_member_text(line, "how", text_of(e->how));
	json_member_uint(line, "ms", close_item(a, e));
	json_member_uint(line, "bytes", e->bytes);
	if (e->words.len > 0)
		watch_put_text(
		    line, a->secrets, "message", e->words, AUDIT_TEXT_MAX);
}

static void
audit_end(audit *a, const watch_event *e, buf *line)
{
	audit_open_item none = {0}, *of = find_item(a, e->script, 0);

	if (of == NULL)
		of = &none;
	json_member_text(line, "how", text_of(e->how));
	json_member_uint(line, "ms", (e->now_us - of->began_us) / 1000);
	json_member_uint(line, "calls", of->calls);
	json_member_uint(line, "received", of->received);
	json_member_uint(line, "given", e->bytes);
	drop_items(a, e->script);
}

bool
audit_takes(watch_kind kind)
{
	return (size_t)kind < EVENTS && events[kind] != NULL;
}

void
audit_write(audit *a, const watch_event *e)
{
	if (!audit_takes(e->kind))
		return;
	begin_log_line(a, e->kind, e->script);
	if (e->kind == WATCH_SCRIPT)
		audit_script(a, e, &a->pending);
	else if (e->kind == WATCH_CALL)
		audit_call(a, e, &a->pending);
	else if (e->kind == WATCH_DECISION)
		audit_decision(e, &a->pending);
	else if (e->kind == WATCH_ANSWER)
		audit_answer(a, e, &a->pending);
	else
		audit_end(a, e, &a->pending);
	end_log_line(a, e->kind == WATCH_END);
}
