/* SPDX-License-Identifier: MIT */
/* audit.c -- see audit.h. */
#include "audit.h"

#include "common/monotonic.h"

#include "base/map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES_MAX = 1 << 20 };

/* A script or a call that is not over. */
typedef struct audit_open_item {
	uint32_t script;
	cm_call_id call; /* 0: the script */
	uint64_t began_ms;
	uint32_t calls;    /* of a script */
	uint64_t received; /* bytes of the replies to them */
} audit_open_item;

struct audit {
	say *say;
	redactor *secrets;
	char *path;
	int fd;
	uint64_t size; /* of the file */
	bool failed;   /* which was told */
	audit_open_item *item;
	size_t len, cap;
};

/* -------------------------------------------------------------------- file */

static bool
open_log(audit *a)
{
	struct stat st;

	a->fd = open(a->path,
	    O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
	if (a->fd < 0)
		return false;
	a->size = fstat(a->fd, &st) == 0 ? (uint64_t)st.st_size : 0;
	return true;
}

static void
rotate_log(audit *a)
{
	buf old = BUF_INIT(NULL, 1 << 16);

	buf_printf(&old, "%s.1", a->path);
	buf_byte(&old, '\0');
	if (old.bad == CM_OK && rename(a->path, old.ptr) == 0) {
		close(a->fd);
		open_log(a);
	}
	buf_fini(&old);
}

/* One write a line, so that lines of several processes do not mix. */
static void
write_log_line(audit *a, buf *line)
{
	ssize_t n = -1;

	buf_str(line, "}\n");
	if (a->size > AUDIT_FILE_MAX)
		rotate_log(a);
	if (line->bad == CM_OK && a->fd >= 0)
		n = write(a->fd, line->ptr, line->len);
	if (n > 0)
		a->size += (uint64_t)n;
	if (n != (ssize_t)line->len && !a->failed) {
		a->failed = true;
		say_line(a->say, "--log %s cannot be written: %s", a->path,
		    strerror(errno));
	}
	buf_fini(line);
}

bool
audit_open(const char *path, redactor *secrets, say *s, audit **out)
{
	audit *a;

	*out = NULL;
	if (path == NULL)
		return true;
	a = mem_new(NULL, sizeof(*a));
	if (a == NULL)
		return false;
	*a = (audit){
	    .say = s, .secrets = secrets, .path = strdup(path), .fd = -1};
	*out = a;
	if (a->path != NULL && open_log(a))
		return true;
	say_line(s, "--log %s: %s", path, strerror(errno));
	return false;
}

void
audit_close(audit *a)
{
	if (a == NULL)
		return;
	if (a->fd >= 0)
		close(a->fd);
	free(a->path);
	mem_free(NULL, a->item, a->cap * sizeof(*a->item));
	mem_free(NULL, a, sizeof(*a));
}

/* -------------------------------------------------------------- open items */

static void
add_item(audit *a, uint32_t script, cm_call_id call)
{
	void *array = a->item;

	if (!mem_grow(NULL, &array, &a->cap, a->len, sizeof(*a->item)))
		return;
	a->item = array;
	a->item[a->len++] = (audit_open_item){
	    .script = script, .call = call, .began_ms = monotonic_ms()};
}

static audit_open_item *
find_item(audit *a, uint32_t script, cm_call_id call)
{
	for (size_t i = a->len; i-- > 0;)
		if (a->item[i].script == script && a->item[i].call == call)
			return &a->item[i];
	return NULL;
}

/* How long it took, in ms; the item is dropped. */
static uint64_t
close_item(audit *a, uint32_t script, cm_call_id call)
{
	audit_open_item *it = find_item(a, script, call);
	uint64_t ms;

	if (it == NULL)
		return 0;
	ms = monotonic_ms() - it->began_ms;
	*it = a->item[--a->len];
	return ms;
}

/* ------------------------------------------------------------------- lines */

static void
begin_log_line(buf *line, const char *event, uint32_t script)
{
	struct timespec t;
	struct tm utc;
	char when[32] = "";

	clock_gettime(CLOCK_REALTIME, &t);
	if (gmtime_r(&t.tv_sec, &utc) != NULL)
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%S", &utc);
	*line = BUF_INIT(NULL, LINE_BYTES_MAX);
	buf_printf(line,
	    "{\"time\":\"%s.%03ldZ\",\"event\":\"%s\",\"process\":%ld,"
	    "\"script\":%" PRIu32,
	    when, t.tv_nsec / 1000000, event, (long)getpid(), script);
}

/* A text without secrets, cut when it is long. */
static void
put_log_text(audit *a, buf *line, const char *name, text t)
{
	buf plain;
	text clean = without_secrets(a->secrets, t, &plain);

	json_member_text(line, name, text_head(clean, AUDIT_TEXT_MAX));
	buf_fini(&plain);
}

/* Arguments stay JSON, or become the beginning of their text. */
static void
put_log_args(audit *a, buf *line, json args)
{
	buf plain;
	json clean = json_without_secrets(a->secrets, args, &plain);

	if (clean.len > AUDIT_TEXT_MAX)
		json_member_text(
		    line, "argsHead", text_head(clean, AUDIT_TEXT_MAX));
	else if (clean.len > 0)
		json_member_json(line, "args", clean);
	buf_printf(line, ",\"argsBytes\":%zu", args.len);
	buf_fini(&plain);
}

void
audit_script(audit *a, uint32_t script, text code)
{
	buf line;

	if (a == NULL)
		return;
	add_item(a, script, 0);
	begin_log_line(&line, "script", script);
	buf_printf(&line, ",\"hash\":\"%016" PRIx64 "\",\"bytes\":%zu",
	    text_hash(code, 0), code.len);
	write_log_line(a, &line);
}

void
audit_call(audit *a, uint32_t script, const cm_call *c, const char *decision)
{
	audit_open_item *of;
	buf line;

	if (a == NULL)
		return;
	of = find_item(a, script, 0);
	if (of != NULL)
		of->calls++;
	add_item(a, script, c->id);
	begin_log_line(&line, "call", script);
	buf_printf(&line, ",\"call\":%" PRIu64, (uint64_t)c->id);
	json_member_text(&line, "server", c->space);
	json_member_text(&line, "tool", c->name);
	json_member_text(&line, "decision", text_of(decision));
	put_log_args(a, &line, c->args);
	write_log_line(a, &line);
}

void
audit_decision(audit *a, uint32_t script, cm_call_id id, const char *said)
{
	buf line;

	if (a == NULL)
		return;
	begin_log_line(&line, "decision", script);
	buf_printf(&line, ",\"call\":%" PRIu64, (uint64_t)id);
	json_member_text(&line, "said", text_of(said));
	write_log_line(a, &line);
}

void
audit_answer(audit *a, uint32_t script, cm_call_id id, const char *how,
    size_t bytes, text message)
{
	audit_open_item *of;
	buf line;

	if (a == NULL)
		return;
	of = find_item(a, script, 0);
	if (of != NULL)
		of->received += bytes;
	begin_log_line(&line, "answer", script);
	buf_printf(&line,
	    ",\"call\":%" PRIu64 ",\"how\":\"%s\",\"ms\":%" PRIu64
	    ",\"bytes\":%zu",
	    (uint64_t)id, how, close_item(a, script, id), bytes);
	if (message.len > 0)
		put_log_text(a, &line, "message", message);
	write_log_line(a, &line);
}

void
audit_end(audit *a, uint32_t script, const char *how, uint64_t given)
{
	audit_open_item *of, none = {0};
	uint32_t calls;
	uint64_t received;
	buf line;

	if (a == NULL)
		return;
	of = find_item(a, script, 0);
	calls = (of ? of : &none)->calls;
	received = (of ? of : &none)->received;
	begin_log_line(&line, "end", script);
	buf_printf(&line,
	    ",\"how\":\"%s\",\"ms\":%" PRIu64 ",\"calls\":%" PRIu32
	    ",\"received\":%" PRIu64 ",\"given\":%" PRIu64,
	    how, close_item(a, script, 0), calls, received, given);
	write_log_line(a, &line);
}
