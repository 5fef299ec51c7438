/* SPDX-License-Identifier: MIT */
/* recording.c -- see recording.h. */
#include "recording.h"

#include "base/map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define VERSION     1
#define LINE_DEPTH  (1u << 15) /* a tool's JSON may be nested 20,000 deep */
#define NOT_LIKE_IT "its first line is not what codemode run writes"

/* The limits, in the order of cm_limits. */
static const char *const limit_name[] = {"wallMs", "heap", "calls",
    "callsAtOnce", "spaceCallsAtOnce", "toolCallsAtOnce", "output", "items",
    "value", "source", "result", "polls"};

enum { LIMITS = sizeof(limit_name) / sizeof(*limit_name) };

_Static_assert(sizeof(cm_limits) == LIMITS * sizeof(uint64_t),
    "limit_name has one name for each limit");

/* ---------------------------------------------------------------- writing */

const char *
recorder_open(recorder *r, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	*r = (recorder){.to = fd < 0 ? NULL : fdopen(fd, "w")};
	if (fd >= 0 && r->to == NULL)
		close(fd);
	return r->to == NULL ? strerror(errno) : NULL;
}

void
recorder_line(void *ctx, text line)
{
	recorder *r = ctx;

	r->sum = text_hash(TEXT("\n"), text_hash(line, r->sum));
	r->lines++;
	fwrite(line.ptr, 1, line.len, r->to);
	fputc('\n', r->to);
}

static void
put_seed(buf *b, const unsigned char *seed, size_t len)
{
	size_t i;

	json_member(b, "seed");
	buf_byte(b, '"');
	for (i = 0; i < len; i++)
		buf_printf(b, "%02x", seed[i]);
	buf_byte(b, '"');
}

/* Those that were set: 0 stands for the default. "none" has no number. */
static void
put_run_limits(buf *b, const cm_limits *limits)
{
	uint64_t limit[LIMITS];
	size_t i;

	memcpy(limit, limits, sizeof(limit));
	json_member(b, "limits");
	buf_byte(b, '{');
	for (i = 0; i < LIMITS; i++)
		if (limit[i] == CM_NO_LIMIT)
			json_member_json(b, limit_name[i], TEXT("null"));
		else if (limit[i] != 0)
			json_member_uint(b, limit_name[i], limit[i]);
	buf_byte(b, '}');
}

/* JSON of the input goes into strings: its bytes stay as they are. */
static void
put_given(buf *b, const char *name, text t)
{
	if (t.len > 0)
		json_member_text(b, name, t);
}

static void
put_tools(buf *b, cm_catalog *cat)
{
	cm_tool t;
	size_t i;

	json_member(b, "tools");
	buf_byte(b, '[');
	for (i = 0; cat != NULL && cm_catalog_get(cat, i, &t, NULL) == CM_OK;
	     i++) {
		json_element(b);
		buf_byte(b, '{');
		json_member_text(b, "space", t.space);
		json_member_text(b, "name", t.name);
		json_member_text(b, "description", t.description);
		put_given(b, "inputSchema", t.input_schema);
		put_given(b, "outputSchema", t.output_schema);
		put_given(b, "signature", t.signature);
		json_member_uint(b, "flags", t.flags);
		buf_byte(b, '}');
	}
	buf_byte(b, ']');
}

const char *
recorder_begin(recorder *r, cm_run *run, cm_catalog *cat, text script,
    const cm_run_options *o)
{
	buf b = BUF_INIT(NULL, SIZE_MAX / 2);
	bool whole;

	if (utf8_bad(script) != SIZE_MAX)
		return "the script is not UTF-8";
	buf_byte(&b, '{');
	json_member_uint(&b, "codemodeRecord", VERSION);
	json_member_text(&b, "fingerprint", cm_run_fingerprint(run));
	json_member_uint(&b, "epochMs", (uint64_t)o->start->epoch_ms);
	put_seed(&b, o->start->seed, sizeof(o->start->seed));
	json_member_uint(&b, "flags", o->flags);
	put_run_limits(&b, &o->limits);
	json_member_text(&b, "script", script);
	put_given(&b, "store", o->store);
	put_given(&b, "data", o->data);
	put_tools(&b, cat);
	buf_byte(&b, '}');
	whole = b.bad == CM_OK;
	if (whole)
		recorder_line(r, buf_view(&b));
	buf_fini(&b);
	return whole ? NULL : "out of memory";
}

const char *
recorder_close(recorder *r, bool whole)
{
	bool failed;

	if (r->to == NULL)
		return NULL;
	errno = 0;
	if (whole)
		fprintf(r->to, "{\"lines\":%llu,\"fnv1a\":\"%016llx\"}\n",
		    (unsigned long long)r->lines, (unsigned long long)r->sum);
	failed = ferror(r->to) != 0;
	failed = fclose(r->to) != 0 || failed;
	r->to = NULL;
	return !failed ? NULL : errno != 0 ? strerror(errno) : "a write failed";
}

/* ---------------------------------------------------------------- reading */

/* The last line says how many came before it, and their checksum. */
static const char *
check_last(json last, uint64_t lines, uint64_t sum)
{
	char hex[17];
	int64_t n;

	snprintf(hex, sizeof(hex), "%016llx", (unsigned long long)sum);
	if (!json_int(json_get(last, TEXT("lines")), &n))
		return "it was cut: its last line is missing";
	if (n < 0 || (uint64_t)n != lines)
		return "lines are missing, or there are too many";
	if (!json_is(json_get(last, TEXT("fnv1a")), text_of(hex)))
		return "it was changed: the checksum is of another text";
	return NULL;
}

static const char *
check_head(json head, char why[160])
{
	int64_t version;

	if (!json_int(json_get(head, TEXT("codemodeRecord")), &version))
		return "it is no record of codemode run";
	if (version == VERSION)
		return NULL;
	snprintf(why, 160,
	    "it is of version %lld, and this codemode reads version %d",
	    (long long)version, VERSION);
	return why;
}

static bool
add_line(recording *r, json line)
{
	if (!mem_grow(
		NULL, (void **)&r->line, &r->cap, r->len, sizeof(*r->line)))
		return false;
	r->line[r->len++] = line;
	return true;
}

/* Takes the next line off *rest: false at the end, and where a line has no end. */
static bool
whole_line(text *rest, text *line)
{
	size_t end = text_find(*rest, TEXT("\n"), 0);

	if (end == SIZE_MAX)
		return false;
	*line = text_sub(*rest, 0, end);
	*rest = text_sub(*rest, end + 1, rest->len);
	return true;
}

const char *
recording_read(recording *r, text file, char why[160])
{
	uint64_t sum = 0, before = 0, lines = 0;
	json_fault fault = {0, ""};
	text line, rest = file;
	const char *wrong;
	json value = TEXT_NONE;

	*r = (recording){0};
	while (whole_line(&rest, &line)) {
		if (!json_check(line, LINE_DEPTH, &value, &fault) ||
		    json_kind_of(value) != JSON_OBJECT)
			value = TEXT_NONE;
		if (lines == 0 && (wrong = check_head(value, why)) != NULL)
			return wrong;
		before = sum;
		sum = text_hash(TEXT("\n"), text_hash(line, sum));
		if (lines++ == 0)
			r->head = value;
		else if (!add_line(r, value))
			return "out of memory";
	}
	if (lines == 0)
		return "it is no record of codemode run";
	if (rest.len > 0 || r->len == 0)
		return "it was cut: its last line is missing";
	wrong = check_last(r->line[--r->len], lines - 1, before);
	for (size_t i = 0; wrong == NULL && i < r->len; i++)
		if (r->line[i].len == 0)
			wrong = "a line of it is no JSON object";
	return wrong;
}

void
recording_fini(recording *r)
{
	mem_free(NULL, r->line, r->cap * sizeof(*r->line));
	*r = (recording){0};
}

static bool
read_seed(json text_of_it, unsigned char *seed, size_t len)
{
	buf hex = BUF_INIT(NULL, 256);
	bool good = json_unescape(text_of_it, &hex) && hex.len == 2 * len;
	size_t i;

	for (i = 0; good && i < len; i++) {
		char pair[3] = {hex.ptr[2 * i], hex.ptr[2 * i + 1], 0};
		unsigned byte = 0;

		good = strspn(pair, "0123456789abcdef") == 2 &&
		       sscanf(pair, "%2x", &byte) == 1;
		seed[i] = (unsigned char)byte;
	}
	buf_fini(&hex);
	return good;
}

static bool
read_limits(json limits, cm_limits *out)
{
	uint64_t limit[LIMITS] = {0};
	size_t i;

	for (i = 0; i < LIMITS; i++) {
		json v = json_get(limits, text_of(limit_name[i]));
		int64_t n;

		if (json_kind_of(v) == JSON_NULL)
			limit[i] = CM_NO_LIMIT;
		else if (v.len > 0 && (!json_int(v, &n) || n <= 0))
			return false;
		else if (v.len > 0)
			limit[i] = (uint64_t)n;
	}
	memcpy(out, limit, sizeof(limit));
	return true;
}

static cm_status
add_recorded_tool(cm_catalog *cat, json tool)
{
	static const char *const name[] = {"space", "name", "description",
	    "inputSchema", "outputSchema", "signature"};
	enum { TEXTS = sizeof(name) / sizeof(*name) };
	buf b[TEXTS];
	int64_t flags = 0;
	cm_status s;
	size_t i;

	for (i = 0; i < TEXTS; i++) {
		b[i] = BUF_INIT(NULL, SIZE_MAX / 2);
		json_unescape(json_get(tool, text_of(name[i])), &b[i]);
	}
	json_int(json_get(tool, TEXT("flags")), &flags);
	s = cm_catalog_add(cat, &(cm_tool){.space = buf_view(&b[0]),
				    .name = buf_view(&b[1]),
				    .description = buf_view(&b[2]),
				    .input_schema = buf_view(&b[3]),
				    .output_schema = buf_view(&b[4]),
				    .signature = buf_view(&b[5]),
				    .flags = (unsigned)flags});
	for (i = 0; i < TEXTS; i++)
		buf_fini(&b[i]);
	return s;
}

const char *
recorded_run_read(recorded_run *run, json head)
{
	json_iter it = json_each(json_get(head, TEXT("tools")));
	int64_t flags;
	json tool;

	*run = (recorded_run){.options = CM_RUN_OPTIONS_INIT,
	    .script = BUF_INIT(NULL, SIZE_MAX / 2),
	    .store = BUF_INIT(NULL, SIZE_MAX / 2),
	    .data = BUF_INIT(NULL, SIZE_MAX / 2)};
	if (!json_int(json_get(head, TEXT("epochMs")), &run->start.epoch_ms) ||
	    !json_int(json_get(head, TEXT("flags")), &flags) ||
	    !read_seed(json_get(head, TEXT("seed")), run->start.seed,
		sizeof(run->start.seed)) ||
	    !read_limits(
		json_get(head, TEXT("limits")), &run->options.limits) ||
	    !json_unescape(json_get(head, TEXT("script")), &run->script))
		return NOT_LIKE_IT;
	/* A replayed run asks no person: allow all calls. */
	run->options.flags =
	    (unsigned)flags & ~(unsigned)(CM_RUN_ASK | CM_RUN_SITES);
	run->options.start = &run->start;
	json_unescape(json_get(head, TEXT("store")), &run->store);
	json_unescape(json_get(head, TEXT("data")), &run->data);
	run->options.store = buf_view(&run->store);
	run->options.data = buf_view(&run->data);
	if (cm_catalog_new(NULL, &run->catalog) != CM_OK)
		return "out of memory";
	while (json_next(&it, NULL, &tool))
		if (add_recorded_tool(run->catalog, tool) != CM_OK)
			return NOT_LIKE_IT;
	return NULL;
}

void
recorded_run_fini(recorded_run *run)
{
	buf_fini(&run->script);
	buf_fini(&run->store);
	buf_fini(&run->data);
	cm_catalog_free(run->catalog);
}
