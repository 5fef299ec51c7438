/* SPDX-License-Identifier: MIT */
/*
 * serve_result.c -- a run as the content of a tool's answer.
 *
 * First what the script printed, in order, then the value or the error, then
 * warnings. A model reads this, so it is text, short, and complete where it
 * matters: of a failed run it says which calls were made, which were stopped
 * halfway and which never began. What is too long is cut, and the cut is told.
 */
#include "serve_media.h"
#include "serve_tool.h"

#include "shrink/shrink.h"

enum {
	TAIL_MAX = 8000, /* bytes of error, calls and warnings */
	WARNING_MAX = 500,
	WARNINGS_MAX = 10,
	KEPT_PARTS = 2,  /* what is printed, and the value */
	TALLIES_MAX = 40 /* different tools whose calls are told */
};

/* ----------------------------------------------------------------- blocks */

/* A value that was cut, as it is kept. */
typedef struct kept_part {
	uint32_t id;
	size_t size;
} kept_part;

/* The list of blocks that is being written. */
typedef struct blocks {
	buf *out;
	buf text;    /* of the block that is not closed yet */
	size_t left; /* bytes of text that may still come   */
	const serve_keep *keep;
	mcp_lacks lacks;
	uint64_t tokens;            /* of all text                     */
	size_t cut;                 /* bytes that were left out            */
	bool some_cut;              /* some part was cut */
	size_t media;               /* blocks that are not of text         */
	kept_part kept[KEPT_PARTS]; /* linked at the end        */
	size_t kepts;
	buf where; /* names of the places that were cut */
	bool comma;
} blocks;

static void
open_block(blocks *b)
{
	if (b->comma)
		buf_byte(b->out, ',');
	b->comma = true;
}

static void
close_text(blocks *b)
{
	if (b->text.len == 0)
		return;
	open_block(b);
	buf_str(b->out, "{\"type\":\"text\",\"text\":");
	json_string(b->out, buf_view(&b->text));
	buf_byte(b->out, '}');
	buf_clear(&b->text);
}

/* Bytes of the next line that there is room for. */
static size_t
room_for_line(const blocks *b)
{
	return b->left > 0 ? b->left - 1 : 0;
}

/* A line of what the script says, without left_out bytes of it. Once something
 * was cut, nothing behind it stands there as if it were whole. */
static void
put_line(blocks *b, const buf *line, size_t left_out)
{
	b->cut += left_out;
	if (b->text.bad == CM_OK)
		b->text.bad = line->bad;
	if (b->left == 0 || (line->len == 0 && left_out > 0)) {
		b->left = 0;
		return;
	}
	if (b->text.len > 0)
		buf_byte(&b->text, '\n');
	buf_text(&b->text, buf_view(line));
	b->left = left_out > 0 ? 0 : b->left - line->len - 1;
}

/* A text, or what is left of it; of JSON it is JSON. */
static void
put_shrunk_text(blocks *b, text t)
{
	buf shown = BUF_INIT(b->out->alloc, b->out->max);
	size_t left_out = text_shrink(&shown, t, room_for_line(b), &b->where);

	put_line(b, &shown, left_out);
	buf_fini(&shown);
}

/* The value, or what is left of it as JSON. */
static void
put_json_value(blocks *b, json value)
{
	buf shown = BUF_INIT(b->out->alloc, b->out->max);
	size_t left_out =
	    json_shrink(&shown, value, room_for_line(b), &b->where);

	put_line(b, &shown, left_out);
	buf_fini(&shown);
}

/* Shows a string as its text, without quotes and escapes. An empty string keeps
 * its quotes, so that it is visible. */
static void
put_value(blocks *b, json value)
{
	buf plain = BUF_INIT(b->out->alloc, b->out->max);

	if (json_unescape(value, &plain) && plain.len > 0)
		put_shrunk_text(b, buf_view(&plain));
	else
		put_json_value(b, value);
	if (b->text.bad == CM_OK)
		b->text.bad = plain.bad;
	buf_fini(&plain);
}

void
serve_resource(buf *out, uint32_t id, size_t size)
{
	buf_printf(out,
	    "\"uri\":\"" SERVE_RESULT_URI "%u\",\"name\":\"result %u\","
	    "\"mimeType\":\"application/json\",\"size\":%zu",
	    id, id, size);
}

/* For a client that reads resources. */
static void
put_result_links(blocks *b)
{
	for (size_t i = 0; i < b->kepts; i++) {
		open_block(b);
		buf_str(b->out, "{\"type\":\"resource_link\",");
		serve_resource(b->out, b->kept[i].id, b->kept[i].size);
		buf_byte(b->out, '}');
	}
}

/* What was cut is told where it is missing, and how to read all of it. */
static void
tell_cut(blocks *b, const char *what, json whole)
{
	uint32_t id = 0;

	if (b->cut == 0)
		return;
	b->some_cut = true;
	buf_printf(&b->text,
	    "%s[%zu bytes of %s left out%s%.*s%s: an answer holds about %llu "
	    "tokens. Return less: filter, count or cut in the script.]",
	    b->text.len > 0 ? "\n" : "", b->cut, what,
	    b->where.len > 0 ? " (" : "", TEXT_ARG(buf_view(&b->where)),
	    b->where.len > 0 ? ")" : "", (unsigned long long)b->tokens);
	if (b->keep != NULL && whole.len > 0)
		id = b->keep->add(b->keep->ctx, whole);
	if (id > 0)
		buf_printf(&b->text,
		    "\n[All of it is codemode.result(%u) in a later script.]",
		    id);
	if (id > 0 && !b->lacks.links)
		b->kept[b->kepts++] = (kept_part){id, whole.len};
	b->cut = 0;
	buf_clear(&b->where);
}

/* Audio for a client that knows files only. */
static void
put_audio_file(blocks *b, json item)
{
	buf_str(b->out, "{\"type\":\"resource\",\"resource\":{"
			"\"uri\":\"file:///audio\"");
	json_member_json(b->out, "mimeType", json_get(item, TEXT("mimeType")));
	json_member_json(b->out, "blob", json_get(item, TEXT("data")));
	buf_byte(b->out, '}');
	json_member_json(
	    b->out, "annotations", json_get(item, TEXT("annotations")));
	json_member_json(b->out, "_meta", json_get(item, TEXT("_meta")));
	buf_byte(b->out, '}');
}

/* "[name: address]", for a client that has no block for it. */
static void
put_link_line(blocks *b, json item)
{
	buf line = BUF_INIT(b->out->alloc, b->out->max);

	buf_byte(&line, '[');
	json_unescape(json_get(item, TEXT("name")), &line);
	buf_str(&line, ": ");
	json_unescape(json_get(item, TEXT("uri")), &line);
	buf_byte(&line, ']');
	put_shrunk_text(b, buf_view(&line));
	buf_fini(&line);
}

/* An image, audio or resource is a block of the same form. The text of a
 * resource counts as text: one without room for it is left out. */
static void
put_media(blocks *b, json item)
{
	size_t words = json_path(item, "resource", "text", NULL).len;
	json type = json_get(item, TEXT("type"));

	if (words > b->left) {
		b->cut += words;
		return;
	}
	b->left -= words;
	if (b->lacks.links && json_is(type, TEXT("resource_link"))) {
		put_link_line(b, item);
		return;
	}
	close_text(b);
	open_block(b);
	b->media++;
	if (b->lacks.audio && json_is(type, TEXT("audio")))
		put_audio_file(b, item);
	else
		buf_text(b->out, item);
}

/* ---------------------------------------------------- what the script said */

static void
put_printed(blocks *b, json output)
{
	json_iter it = json_each(output);
	json item;
	buf plain = BUF_INIT(b->out->alloc, b->out->max);

	while (json_next(&it, NULL, &item)) {
		if (!json_is(json_get(item, TEXT("type")), TEXT("text"))) {
			put_media(b, item);
			continue;
		}
		buf_clear(&plain);
		json_unescape(json_get(item, TEXT("text")), &plain);
		put_shrunk_text(b, buf_view(&plain));
	}
	buf_clear(&plain);
	if (b->cut > 0)
		serve_printed(&plain, output);
	tell_cut(b, "printed text",
	    plain.bad == CM_OK ? buf_view(&plain) : TEXT_NONE);
	buf_fini(&plain);
}

/* --------------------------------------------------------- how it went wrong */

/* What a list is of, and what it is called. */
static const struct {
	const char *status;
	bool unsafe; /* only those that may not be repeated blindly */
	const char *title;
} lists[] = {
    {"ok", false, "Calls done"},
    {"ok", true, "Of these, not safe to repeat"},
    {"error", false, "Calls that failed"},
    {"cancelled", false,
	"Calls stopped halfway, which may have done their work"},
    {"unstarted", false, "Calls that never began"},
};

enum { LISTS = sizeof(lists) / sizeof(*lists) };

/* How often a tool stands in each list. */
typedef struct tally {
	json tool;
	size_t count[LISTS];
} tally;

/* Its tally, a new one if need be; NULL: there are too many tools. */
static tally *
tally_of(tally *all, size_t *len, json tool)
{
	size_t i = 0;

	while (i < *len && !text_eq(all[i].tool, tool))
		i++;
	if (i == TALLIES_MAX)
		return NULL;
	if (i == *len)
		all[(*len)++] = (tally){.tool = tool};
	return &all[i];
}

static void
count_call(tally *t, json call)
{
	json status = json_get(call, TEXT("status"));
	bool safe = json_bool(json_get(call, TEXT("safeToRetry")), false);

	for (size_t i = 0; i < LISTS; i++)
		t->count[i] += json_is(status, text_of(lists[i].status)) &&
			       !(lists[i].unsafe && safe);
}

/* "\nCalls done: a.b, c.d (3 times)"; nothing when there are none. */
static void
put_list(buf *out, const tally *all, size_t len, size_t list)
{
	size_t named = 0;

	for (size_t i = 0; i < len; i++) {
		size_t n = all[i].count[list];

		if (n == 0)
			continue;
		if (named == 0)
			buf_printf(out, "\n%s:", lists[list].title);
		buf_str(out, named++ == 0 ? " " : ", ");
		json_unescape(all[i].tool, out);
		if (n > 1)
			buf_printf(out, " (%zu times)", n);
	}
}

static void
put_tallies(buf *out, json calls)
{
	tally all[TALLIES_MAX];
	size_t len = 0, untold = 0;
	json_iter it = json_each(calls);
	json call;

	while (json_next(&it, NULL, &call)) {
		tally *t = tally_of(all, &len, json_get(call, TEXT("tool")));

		if (t != NULL)
			count_call(t, call);
		else
			untold++;
	}
	for (size_t i = 0; i < LISTS; i++)
		put_list(out, all, len, i);
	if (untold > 0)
		buf_printf(out, "\n%zu calls of further tools", untold);
}

static void
put_warning_words(buf *out, json warning)
{
	buf words = BUF_INIT(out->alloc, out->max);
	int64_t line;

	buf_str(out, out->len > 0 ? "\n" : "");
	buf_str(out, json_is(json_get(warning, TEXT("level")), TEXT("note"))
			 ? "Note: "
			 : "Warning: ");
	if (json_int(json_get(warning, TEXT("line")), &line))
		buf_printf(out, "line %lld: ", (long long)line);
	json_unescape(json_get(warning, TEXT("message")), &words);
	serve_put_head(out, buf_view(&words), WARNING_MAX);
	buf_clear(&words);
	if (json_unescape(json_get(warning, TEXT("excerpt")), &words)) {
		buf_byte(out, '\n');
		buf_text(out, buf_view(&words));
	}
	buf_fini(&words);
}

/* First those with an excerpt, which are about work that was lost. */
static void
put_all_warnings(buf *out, json warnings)
{
	size_t n = 0, told = 0;

	for (int pass = 0; pass < 2; pass++) {
		json_iter it = json_each(warnings);
		json warning;

		while (json_next(&it, NULL, &warning)) {
			bool lost = json_get(warning, TEXT("excerpt")).len > 0;

			if (lost != (pass == 0) || n++ >= WARNINGS_MAX)
				continue;
			put_warning_words(out, warning);
			told++;
		}
	}
	if (n > told)
		buf_str(out, "\nThere are more warnings.");
}

/* All that is not the script's own: it has room of its own. */
static void
put_tail(buf *out, const cm_done *done, json result)
{
	if (done->end != CM_END_OK) {
		buf_str(out, "The script failed");
		if (done->fault.line > 0)
			buf_printf(out, " at line %u, column %u",
			    done->fault.line, done->fault.column);
		buf_str(out, ": ");
		serve_put_fault(out, &done->fault);
		put_tallies(out, json_get(result, TEXT("calls")));
	}
	put_all_warnings(out, json_get(result, TEXT("warnings")));
}

/* ------------------------------------------------------------ all together */

size_t
serve_token_bytes(uint64_t tokens)
{
	return tokens < SIZE_MAX / 2 / SERVE_TOKEN_BYTES
		   ? (size_t)tokens * SERVE_TOKEN_BYTES
		   : SIZE_MAX / 2;
}

/* Printed text may not push the value out, which is the answer as a rule. */
static size_t
kept_for(json value, size_t room)
{
	return value.len < room / 2 ? value.len + 1 : room / 2;
}

/* The value as text, then the media that it has. */
static void
put_value_and_media(blocks *b, json value)
{
	buf rest = BUF_INIT(b->out->alloc, b->out->max);
	serve_media found;

	serve_take_media(&rest, value, &found);
	put_value(b, rest.bad == CM_OK ? buf_view(&rest) : value);
	for (size_t i = 0; i < found.len; i++)
		put_media(b, found.block[i]);
	buf_fini(&rest);
}

static void
put_run(blocks *b, const cm_done *done, json result, text tail)
{
	json value = done->end == CM_END_OK ? done->value : TEXT_NONE;
	size_t room = serve_token_bytes(b->tokens), kept;

	/* A script that asks for little still learns how it failed. */
	room -= tail.len < room / 3 ? tail.len : room / 3;
	kept = kept_for(value, room);
	b->left = room - kept;
	put_printed(b, json_get(result, TEXT("output")));
	b->left += kept;
	if (value.len > 0)
		put_value_and_media(b, value);
	tell_cut(b, "the value", value);
	b->left = tail.len + 1;
	if (tail.len > 0)
		put_shrunk_text(b, tail);
	if (!b->comma && b->text.len == 0)
		buf_str(&b->text, "(The script returned and printed nothing.)");
	close_text(b);
	put_result_links(b);
}

void
serve_printed(buf *out, json output)
{
	json_iter it = json_each(output);
	json item;

	buf_byte(out, '[');
	while (json_next(&it, NULL, &item)) {
		if (!json_is(json_get(item, TEXT("type")), TEXT("text")))
			continue;
		buf_str(out, out->len > 1 ? "," : "");
		buf_text(out, json_get(item, TEXT("text")));
	}
	buf_byte(out, ']');
}

/* Is the value the whole answer? */
static bool
is_bare(const cm_done *done, json result)
{
	return done->end == CM_END_OK && done->value.len > 0 &&
	       json_len(json_get(result, TEXT("output"))) == 0 &&
	       json_len(json_get(result, TEXT("warnings"))) == 0;
}

bool
serve_content(buf *out, const cm_done *done, json result, uint64_t tokens,
    mcp_lacks lacks, const serve_keep *keep)
{
	blocks b = {.out = out,
	    .lacks = lacks,
	    .tokens = tokens,
	    .keep = keep,
	    .text = BUF_INIT(out->alloc, out->max),
	    .where = BUF_INIT(out->alloc, 4096)};
	buf tail = BUF_INIT(out->alloc, out->max);

	put_tail(&tail, done, result);
	buf_byte(out, '[');
	put_run(&b, done, result, text_head(buf_view(&tail), TAIL_MAX));
	buf_byte(out, ']');
	if (out->bad == CM_OK)
		out->bad = tail.bad != CM_OK ? tail.bad : b.text.bad;
	buf_fini(&tail);
	buf_fini(&b.text);
	buf_fini(&b.where);
	return is_bare(done, result) && !b.some_cut && b.media == 0;
}

static void
put_passed_blocks(blocks *b, json content)
{
	json_iter it = json_each(content);
	json item;

	while (json_next(&it, NULL, &item)) {
		if (json_is(json_get(item, TEXT("type")), TEXT("text"))) {
			close_text(b);
			open_block(b);
			buf_text(b->out, item);
		} else {
			put_media(b, item);
		}
	}
	close_text(b);
}

bool
serve_result(buf *out, json result, mcp_lacks lacks)
{
	blocks b = {.out = out,
	    .lacks = lacks,
	    .left = SIZE_MAX / 2,
	    .text = BUF_INIT(out->alloc, out->max),
	    .where = BUF_INIT(out->alloc, 4096)};
	buf line = BUF_INIT(out->alloc, out->max);
	json content, key, value;
	json_iter it;

	if (json_kind_of(json_get(result, TEXT("content"))) != JSON_ARRAY)
		return false;
	json_compact(&line, result);
	content = json_get(buf_view(&line), TEXT("content"));
	it = json_each(buf_view(&line));
	buf_str(out, "\"content\":[");
	put_passed_blocks(&b, content);
	buf_byte(out, ']');
	while (json_next(&it, &key, &value)) {
		if (json_is(key, TEXT("content")) ||
		    json_is(key, TEXT("resultType")))
			continue;
		buf_byte(out, ',');
		buf_text(out, key);
		buf_byte(out, ':');
		buf_text(out, value);
	}
	if (out->bad == CM_OK)
		out->bad = b.text.bad != CM_OK ? b.text.bad : line.bad;
	buf_fini(&line);
	buf_fini(&b.text);
	buf_fini(&b.where);
	return true;
}

void
serve_words(buf *out, text words)
{
	buf_str(out, "[{\"type\":\"text\",\"text\":");
	json_string(out, words);
	buf_str(out, "}]");
}

void
serve_add_words(buf *content, text words)
{
	content->len--; /* the bracket */
	buf_str(content, content->len > 1 ? ",{\"type\":\"text\",\"text\":"
					  : "{\"type\":\"text\",\"text\":");
	json_string(content, words);
	buf_str(content, "}]");
}
