/* SPDX-License-Identifier: MIT */
/* trace.c -- see trace.h. */
#include "trace.h"

#include "base/map.h"
#include "trace_folder.h"

#include <errno.h>
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

enum {
	LINE_BYTES = 8 << 20,
	PROCESS = 1,       /* the pid of all events */
	SCRIPT_THREAD = 1, /* the tid of the script; lanes follow */
	FIRST_LANE = 2,
	QUEUE_SHOWN_US = 1000 /* the run's clock counts milliseconds */
};

#define NO_LANE SIZE_MAX

/* A thread of the trace: one call at a time of one server. */
typedef struct trace_lane {
	buf server;
	unsigned nth; /* number of the lane at that server, from 1 */
	bool busy;
} trace_lane;

/* A call that is not over. */
typedef struct trace_call {
	cm_call_id id;
	uint64_t issued_us; /* since the script began */
	size_t lane;        /* NO_LANE: the call waits to be sent */
	bool shown;         /* its first event is in the file */
	buf server, path;
	buf what; /* the members of its first event */
} trace_call;

/* A script that is not over. */
typedef struct traced {
	struct traced *next;
	uint32_t number;
	char name[TRACE_NAME_MAX]; /* of the file */
	FILE *to;
	uint64_t began_us, turn_us; /* turn_us: since the script began */
	uint64_t bytes, dropped;
	trace_lane *lane;
	size_t lanes, lane_cap;
	trace_call *call;
	size_t calls, call_cap;
} traced;

struct trace {
	const char *folder;
	redactor *secrets;
	say *say;
	bool failed; /* a write error was printed */
	traced *first;
};

bool
trace_open(const char *folder, redactor *secrets, say *s, trace **out)
{
	const char *why;

	*out = NULL;
	if (folder == NULL)
		return true;
	why = trace_folder_make(folder);
	if (why == NULL) {
		*out = mem_new(NULL, sizeof(**out));
		why = *out == NULL ? "out of memory" : NULL;
	}
	if (why != NULL) {
		say_line(s, "--trace %s: %s", folder, why);
		return false;
	}
	**out = (trace){.folder = folder, .secrets = secrets, .say = s};
	return true;
}

static void
tell_trace_failed(trace *t, const char *why)
{
	if (!t->failed)
		say_line(
		    t->say, "--trace %s cannot be written: %s", t->folder, why);
	t->failed = true;
}

/* ------------------------------------------------------------------ events */

/* {"name":name,"ph":kind,"pid":1,"tid":tid,"ts":at_us; at_us is 0 for names. */
static void
begin_trace_event(buf *line, text name, char kind, size_t tid, uint64_t at_us)
{
	*line = BUF_INIT(NULL, LINE_BYTES);
	buf_str(line, ",\n{");
	json_member_text(line, "name", name);
	buf_printf(
	    line, ",\"ph\":\"%c\",\"pid\":%d,\"tid\":%zu", kind, PROCESS, tid);
	json_member_uint(line, "ts", at_us);
}

static void
begin_args(buf *line)
{
	buf_str(line, ",\"args\":{");
}

/* due: written also when the file is full. False: not written. */
static bool
end_trace_event(traced *s, buf *line, bool due)
{
	bool fits = due || s->bytes + line->len <= TRACE_FILE_BYTES;

	fits = fits && line->bad == CM_OK;
	if (fits)
		fwrite(line->ptr, 1, line->len, s->to);
	s->bytes += fits ? line->len : 0;
	s->dropped += !fits;
	buf_fini(line);
	return fits;
}

/* A name for people: of the process, or of a thread. */
static void
name_thread(traced *s, const char *kind, size_t tid, text name, size_t place)
{
	buf line;

	begin_trace_event(&line, text_of(kind), 'M', tid, 0);
	begin_args(&line);
	json_member_text(&line, "name", name);
	buf_str(&line, "}}");
	end_trace_event(s, &line, false);
	begin_trace_event(&line, TEXT("thread_sort_index"), 'M', tid, 0);
	begin_args(&line);
	json_member_uint(&line, "sort_index", place);
	buf_str(&line, "}}");
	end_trace_event(s, &line, false);
}

static uint64_t
since_began(const traced *s, uint64_t us)
{
	return us > s->began_us ? us - s->began_us : 0;
}

/* ------------------------------------------------------------------- lanes */

/* Sorts lanes: those of one server together, servers in the order of their
 * first calls. */
static size_t
place_of_lane(const traced *s, size_t lane)
{
	size_t first = 0;

	while (!text_eq(
	    buf_view(&s->lane[first].server), buf_view(&s->lane[lane].server)))
		first++;
	return (first + 1) * 1000 + s->lane[lane].nth;
}

static size_t
new_lane(traced *s, text server, unsigned nth)
{
	void *array = s->lane;
	buf name = BUF_INIT(NULL, LINE_BYTES);
	size_t lane = s->lanes;

	if (!mem_grow(NULL, &array, &s->lane_cap, lane, sizeof(*s->lane)))
		return NO_LANE;
	s->lane = array;
	s->lane[s->lanes++] =
	    (trace_lane){.server = BUF_INIT(NULL, LINE_BYTES), .nth = nth};
	buf_text(&s->lane[lane].server, server);
	buf_text(&name, server.len > 0 ? server : TEXT("tools"));
	if (nth > 1)
		buf_printf(&name, " %u", nth);
	name_thread(s, "thread_name", FIRST_LANE + lane, buf_view(&name),
	    place_of_lane(s, lane));
	buf_fini(&name);
	return lane;
}

static size_t
free_lane(traced *s, text server)
{
	unsigned nth = 1;

	for (size_t i = 0; i < s->lanes; i++) {
		if (!text_eq(buf_view(&s->lane[i].server), server))
			continue;
		if (!s->lane[i].busy)
			return i;
		nth++;
	}
	return new_lane(s, server, nth);
}

/* ------------------------------------------------------------------- calls */

static trace_call *
traced_call(traced *s, cm_call_id id)
{
	for (size_t i = s->calls; i-- > 0;)
		if (s->call[i].id == id)
			return &s->call[i];
	return NULL;
}

static void
trace_made(trace *t, traced *s, const watch_event *e)
{
	void *array = s->call;
	const cm_call *made = e->made;
	trace_call *c;

	if (!mem_grow(NULL, &array, &s->call_cap, s->calls, sizeof(*s->call)))
		return;
	s->call = array;
	c = &s->call[s->calls++];
	*c = (trace_call){.id = e->call,
	    .issued_us = since_began(s, made->issued_ms * 1000),
	    .lane = NO_LANE,
	    .server = BUF_INIT(NULL, LINE_BYTES),
	    .path = BUF_INIT(NULL, LINE_BYTES),
	    .what = BUF_INIT(NULL, LINE_BYTES)};
	buf_text(&c->server, made->space);
	buf_text(&c->path, made->path);
	json_member_uint(&c->what, "call", e->call);
	json_member_text(&c->what, "tool", made->path);
	json_member_text(&c->what, "decision", text_of(e->how));
	if (made->line > 0)
		json_member_uint(&c->what, "line", made->line);
	json_member_uint(&c->what, "issued", c->issued_us);
	watch_put_json(
	    &c->what, t->secrets, "args", made->args, TRACE_TEXT_BYTES);
	json_member_uint(&c->what, "argsBytes", made->args.len);
	if (utf8_bad(e->words) == SIZE_MAX)
		json_member_text(&c->what, "why", e->words);
}

/* Writes the time until the call was sent, as an event outside of the
 * threads. */
static bool
put_queued(traced *s, const trace_call *c, char kind, uint64_t at_us, bool due)
{
	buf line;

	begin_trace_event(&line, TEXT("queued"), kind, SCRIPT_THREAD, at_us);
	buf_printf(&line, ",\"cat\":\"queue\",\"id\":%u", c->id);
	buf_byte(&line, '}');
	return end_trace_event(s, &line, due);
}

static void
trace_sent(traced *s, trace_call *c, uint64_t at_us)
{
	buf line;

	c->lane = free_lane(s, buf_view(&c->server));
	if (c->lane == NO_LANE)
		return;
	s->lane[c->lane].busy = true;
	if (at_us > c->issued_us + QUEUE_SHOWN_US &&
	    put_queued(s, c, 'b', c->issued_us, false))
		put_queued(s, c, 'e', at_us, true);
	begin_trace_event(
	    &line, buf_view(&c->path), 'B', FIRST_LANE + c->lane, at_us);
	json_member_text(&line, "cat", TEXT("call"));
	begin_args(&line);
	buf_text(&line, buf_view(&c->what));
	buf_str(&line, "}}");
	c->shown = end_trace_event(s, &line, false);
}

static void
drop_traced_call(traced *s, trace_call *c)
{
	if (c->lane != NO_LANE)
		s->lane[c->lane].busy = false;
	buf_fini(&c->server);
	buf_fini(&c->path);
	buf_fini(&c->what);
	*c = s->call[--s->calls];
}

static void
trace_answer(
    trace *t, traced *s, trace_call *c, const watch_event *e, uint64_t at_us)
{
	buf line;

	if (c->lane == NO_LANE)
		trace_sent(s, c, at_us);
	if (!c->shown) {
		s->dropped++;
		drop_traced_call(s, c);
		return;
	}
	begin_trace_event(
	    &line, buf_view(&c->path), 'E', FIRST_LANE + c->lane, at_us);
	begin_args(&line);
	json_member_text(&line, "how", text_of(e->how));
	json_member_uint(&line, "bytes", e->bytes);
	watch_put_json(&line, t->secrets, "result", e->value, TRACE_TEXT_BYTES);
	if (e->words.len > 0)
		watch_put_text(
		    &line, t->secrets, "message", e->words, TRACE_TEXT_BYTES);
	buf_str(&line, "}}");
	end_trace_event(s, &line, true);
	drop_traced_call(s, c);
}

static void
trace_of_call(trace *t, traced *s, const watch_event *e, uint64_t at_us)
{
	trace_call *c = traced_call(s, e->call);

	if (c != NULL && e->kind == WATCH_SENT)
		trace_sent(s, c, at_us);
	else if (c != NULL)
		trace_answer(t, s, c, e, at_us);
}

/* -------------------------------------------------------------- the script */

static void
trace_turn(traced *s, uint64_t at_us)
{
	buf line;

	begin_trace_event(&line, TEXT("turn"), 'X', SCRIPT_THREAD, s->turn_us);
	json_member_uint(&line, "dur", at_us - s->turn_us);
	buf_byte(&line, '}');
	end_trace_event(s, &line, false);
}

/* Begins an event without duration. The caller writes members and closes it. */
static void
begin_moment(buf *line, const char *name, uint64_t at_us)
{
	begin_trace_event(line, text_of(name), 'i', SCRIPT_THREAD, at_us);
	json_member_text(line, "s", TEXT("t"));
	begin_args(line);
}

static void
trace_print(trace *t, traced *s, const cm_print *p, uint64_t at_us)
{
	static const char *const names[] = {
	    [CM_PRINT_TEXT] = "text",
	    [CM_PRINT_CONSOLE] = "console",
	    [CM_PRINT_IMAGE] = "image",
	    [CM_PRINT_AUDIO] = "audio",
	    [CM_PRINT_RESOURCE] = "resource",
	};
	buf line;

	begin_moment(&line, "print", at_us);
	json_member_text(&line, "kind", text_of(names[p->kind]));
	json_member_uint(&line, "bytes", p->text.len);
	if (p->kind == CM_PRINT_TEXT || p->kind == CM_PRINT_CONSOLE)
		watch_put_text(
		    &line, t->secrets, "text", p->text, TRACE_TEXT_BYTES);
	buf_str(&line, "}}");
	end_trace_event(s, &line, false);
}

static void
trace_moment(traced *s, const watch_event *e, uint64_t at_us)
{
	buf line;

	begin_moment(&line, e->kind == WATCH_CUT ? "cut" : "decision", at_us);
	if (e->call != 0)
		json_member_uint(&line, "call", e->call);
	json_member_text(&line, "how", text_of(e->how));
	if (e->bytes > 0)
		json_member_uint(&line, "bytes", e->bytes);
	buf_str(&line, "}}");
	end_trace_event(s, &line, false);
}

/* Writes the calls that were never sent; only the result lists them. */
static void
trace_unstarted(traced *s, json calls, uint64_t at_us)
{
	json_iter it = json_each(calls);
	json call;
	buf line;

	while (json_next(&it, NULL, &call)) {
		if (!json_is(json_get(call, TEXT("status")), TEXT("unstarted")))
			continue;
		begin_moment(&line, "never began", at_us);
		json_member_json(&line, "call", json_get(call, TEXT("id")));
		json_member_json(&line, "tool", json_get(call, TEXT("tool")));
		buf_str(&line, "}}");
		end_trace_event(s, &line, false);
	}
}

static void
trace_last(trace *t, traced *s, const watch_event *e, uint64_t at_us)
{
	static const char *const members[] = {"error", "warnings", "stats"};
	buf line;

	begin_moment(&line, "end", at_us);
	json_member_text(&line, "how", text_of(e->how));
	json_member_uint(&line, "given", e->bytes);
	json_member_uint(&line, "dropped", s->dropped);
	watch_put_json(&line, t->secrets, "value",
	    json_get(e->value, TEXT("value")), TRACE_TEXT_BYTES);
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		watch_put_json(&line, t->secrets, members[i],
		    json_get(e->value, text_of(members[i])), TRACE_END_BYTES);
	buf_str(&line, "}}\n]}\n");
	end_trace_event(s, &line, true);
}

/* ------------------------------------------------------------------- files */

static void
free_traced(trace *t, traced *s)
{
	traced **at = &t->first;
	bool failed;

	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	while (s->calls > 0)
		drop_traced_call(s, &s->call[s->calls - 1]);
	for (size_t i = 0; i < s->lanes; i++)
		buf_fini(&s->lane[i].server);
	failed = ferror(s->to) != 0;
	if (fclose(s->to) != 0 || failed)
		tell_trace_failed(t, strerror(errno));
	mem_free(NULL, s->lane, s->lane_cap * sizeof(*s->lane));
	mem_free(NULL, s->call, s->call_cap * sizeof(*s->call));
	mem_free(NULL, s, sizeof(*s));
}

static void
trace_end(trace *t, traced *s, const watch_event *e, uint64_t at_us)
{
	const watch_event dropped = {.how = "dropped"};

	while (s->calls > 0)
		trace_answer(t, s, &s->call[0], &dropped, at_us);
	trace_unstarted(s, json_get(e->value, TEXT("calls")), at_us);
	trace_last(t, s, e, at_us);
	free_traced(t, s);
}

static traced *
traced_script(trace *t, uint32_t number)
{
	traced *s = t->first;

	while (s != NULL && s->number != number)
		s = s->next;
	return s;
}

/* Whose call a saved script is. */
static void
put_caller(trace *t, const watch_event *e, buf *line)
{
	const traced *caller = traced_script(t, e->caller);

	if (e->caller == 0)
		return;
	json_member(line, "caller");
	buf_byte(line, '{');
	if (caller != NULL)
		json_member_text(line, "file", text_of(caller->name));
	json_member_uint(line, "script", e->caller);
	json_member_uint(line, "call", e->caller_call);
	buf_byte(line, '}');
}

static void
write_trace_head(trace *t, traced *s, const watch_event *e)
{
	buf line = BUF_INIT(NULL, LINE_BYTES);
	text name = text_of(s->name);

	buf_str(&line, "{\"displayTimeUnit\":\"ms\",\"otherData\":{");
	json_member_text(&line, "codemode", TEXT(CM_VERSION));
	json_member_text(&line, "time",
	    text_sub(name, 0, text_find(name, TEXT("Z"), 0) + 1));
	buf_printf(
	    &line, ",\"hash\":\"%016" PRIx64 "\"", text_hash(e->code, 0));
	put_caller(t, e, &line);
	watch_put_text(
	    &line, t->secrets, "script", e->code, TRACE_SOURCE_BYTES);
	buf_printf(&line,
	    "},\"traceEvents\":[\n{\"name\":\"process_name\",\"ph\":\"M\","
	    "\"pid\":%d,\"tid\":%d,\"ts\":0,\"args\":{\"name\":\"script "
	    "%" PRIu32 "\"}}",
	    PROCESS, SCRIPT_THREAD, s->number);
	end_trace_event(s, &line, false);
	name_thread(s, "thread_name", SCRIPT_THREAD, TEXT("script"), 0);
}

static void
trace_begin(trace *t, const watch_event *e)
{
	traced *s = mem_new(NULL, sizeof(*s));
	const char *why = "out of memory";

	if (s != NULL) {
		*s = (traced){.next = t->first,
		    .number = e->script,
		    .began_us = e->now_us};
		why = trace_folder_add(
		    t->folder, e->script, TRACE_FILES, s->name, &s->to);
	}
	if (why != NULL) {
		tell_trace_failed(t, why);
		mem_free(NULL, s, sizeof(*s));
		return;
	}
	t->first = s;
	write_trace_head(t, s, e);
}

void
trace_write(trace *t, const watch_event *e)
{
	traced *s = traced_script(t, e->script);
	uint64_t at_us;

	if (e->kind == WATCH_SCRIPT)
		trace_begin(t, e);
	if (s == NULL)
		return;
	at_us = since_began(s, e->now_us);
	switch (e->kind) {
	case WATCH_SCRIPT:
		break;
	case WATCH_TURN:
		s->turn_us = at_us;
		break;
	case WATCH_REST:
		trace_turn(s, at_us);
		fflush(s->to);
		break;
	case WATCH_CALL:
		trace_made(t, s, e);
		break;
	case WATCH_SENT:
	case WATCH_ANSWER:
		trace_of_call(t, s, e, at_us);
		break;
	case WATCH_PRINT:
		trace_print(t, s, e->print, at_us);
		break;
	case WATCH_DECISION:
	case WATCH_CUT:
		trace_moment(s, e, at_us);
		break;
	case WATCH_END:
		trace_end(t, s, e, at_us);
		break;
	}
}

void
trace_close(trace *t)
{
	if (t == NULL)
		return;
	while (t->first != NULL)
		free_traced(t, t->first);
	mem_free(NULL, t, sizeof(*t));
}
