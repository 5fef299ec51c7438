/* SPDX-License-Identifier: MIT */
/*
 * kept.c -- fuzz target: whatever our writers write, our readers read back. A
 * store: set, told, merged into a file, opened again. A run: its result with
 * what the script printed, called, kept, threw and returned.
 */
#include "fuzz.h"

#include "base/json.h"
#include "engine/store.h"
#include "serve/store_file.h"

#include <codemode/codemode.h>

enum { MOST = 1 << 26, SETS_MAX = 20 };

/* Up to 255 bytes off the front. */
static text
fuzz_piece(text *in)
{
	size_t len = fuzz_byte(in);
	text piece = text_sub(*in, 0, len);

	*in = text_sub(*in, len, in->len);
	return piece;
}

/* The valid UTF-8 at the front of a piece. */
static text
fuzz_words(text *in)
{
	text piece = fuzz_piece(in);

	return text_sub(piece, 0, utf8_bad(piece));
}

/* A piece that is JSON, or the string of its words. */
static void
add_value(text *in, buf *out)
{
	text piece = fuzz_piece(in);
	json v;

	if (json_check(piece, STORE_DEPTH - 1, &v, NULL))
		buf_text(out, v);
	else
		json_string(out, text_sub(piece, 0, utf8_bad(piece)));
}

/* Reads every value with every reader. */
static void
read_all(json v)
{
	buf words = BUF_INIT(NULL, MOST);
	json_iter it = json_each(v);
	json key, value;

	json_unescape(v, &words);
	HOLDS(utf8_bad(buf_view(&words)) == SIZE_MAX);
	while (json_next(&it, &key, &value))
		read_all(value);
	json_pretty(&words, v);
	buf_fini(&words);
}

/* ------------------------------------------------------------- the store */

/* {"set": {...}, "delete": [...]} of what a store tells. */
static void
write_changes(json writes, buf *out)
{
	json_iter each = json_each(writes);
	buf gone = BUF_INIT(NULL, MOST);
	const char *comma = "";
	json write;

	buf_str(out, "{\"set\":{");
	while (json_next(&each, NULL, &write)) {
		if (json_len(write) == 1) {
			buf_str(&gone, gone.len > 0 ? "," : "");
			buf_text(&gone, json_at(write, 0));
			continue;
		}
		buf_str(out, comma);
		buf_text(out, json_at(write, 0));
		buf_byte(out, ':');
		buf_text(out, json_at(write, 1));
		comma = ",";
	}
	buf_str(out, "},\"delete\":[");
	buf_text(out, buf_view(&gone));
	buf_str(out, "]}");
	buf_fini(&gone);
}

/* Each key that was set is in the file, each that was deleted is not. */
static void
compare_store(json file, json writes)
{
	json_iter each = json_each(writes);
	buf key = BUF_INIT(NULL, MOST);
	store again;
	json write;

	HOLDS(store_init(&again, NULL, file) == CM_OK);
	while (json_next(&each, NULL, &write)) {
		buf_clear(&key);
		json_unescape(json_at(write, 0), &key);
		HOLDS(text_eq(
		    store_get(&again, buf_view(&key)), json_at(write, 1)));
	}
	store_fini(&again);
	buf_fini(&key);
}

static void
keep_and_open(text *in)
{
	buf value = BUF_INIT(NULL, MOST), writes = BUF_INIT(NULL, MOST);
	buf changes = BUF_INIT(NULL, MOST), file = BUF_INIT(NULL, MOST);
	buf twice = BUF_INIT(NULL, MOST), why = BUF_INIT(NULL, MOST);
	store s;
	json v, told;
	int i;

	HOLDS(store_init(&s, NULL, TEXT_NONE) == CM_OK);
	for (i = 0; i < SETS_MAX && in->len > 0; i++) {
		text key = fuzz_words(in);

		buf_clear(&value);
		if (fuzz_byte(in) % 4 > 0)
			add_value(in, &value);
		HOLDS(store_set(&s, key, buf_view(&value), &why) == CM_OK);
	}
	store_writes(&s, &writes);
	HOLDS(json_check(buf_view(&writes), UINT32_MAX, &told, NULL));
	write_changes(told, &changes);
	HOLDS(json_check(buf_view(&changes), UINT32_MAX, &v, NULL));
	HOLDS(store_merge(TEXT("{}"), v, &file) == NULL);
	HOLDS(store_merge(buf_view(&file), v, &twice) == NULL);
	HOLDS(json_check(buf_view(&twice), STORE_DEPTH, &v, NULL));
	compare_store(v, told);
	store_fini(&s);
	buf_fini(&value);
	buf_fini(&writes);
	buf_fini(&changes);
	buf_fini(&file);
	buf_fini(&twice);
	buf_fini(&why);
}

/* ----------------------------------------------------------------- a run */

static const char script[] =
    "const [key, value, words, how] = given;\n"
    "text(words); console.log(value); store(key, value);\n"
    "const name = how & 1 ? 'f' : words;\n"
    "try { await tools[name]?.(value); } catch (e) { text(e.message); }\n"
    "if (how & 2) throw new Error(words);\n"
    "if (how & 4) throw value;\n"
    "return value;\n";

static void
run_and_read(text *in)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	buf source = BUF_INIT(NULL, MOST);
	cm_failure failure = {0};
	cm_tool tool = {.name = TEXT_INIT("f")};
	cm_catalog *catalog;
	cm_step step;
	cm_text out;
	cm_run *run;
	json v;

	buf_str(&source, "const given = [");
	json_string(&source, fuzz_words(in));
	buf_byte(&source, ',');
	add_value(in, &source);
	buf_byte(&source, ',');
	json_string(&source, fuzz_words(in));
	buf_printf(&source, ",%u];\n%s", fuzz_byte(in), script);
	failure.name = fuzz_piece(in);
	failure.message = fuzz_piece(in);
	failure.members = fuzz_piece(in);
	o.flags = CM_RUN_RAW;
	HOLDS(cm_catalog_new(NULL, &catalog) == CM_OK);
	HOLDS(cm_catalog_add(catalog, &tool) == CM_OK);
	HOLDS(cm_run_new(catalog, buf_view(&source), &o, &run) == CM_OK);
	do {
		HOLDS(cm_run_next(run, 0, &step) == CM_OK);
		if (step.kind == CM_STEP_CALL)
			cm_run_reject(run, step.u.call.id, &failure);
	} while (step.kind != CM_STEP_DONE);
	HOLDS(cm_run_result(run, &out) == CM_OK);
	HOLDS(json_check(out, UINT32_MAX, &v, NULL) && v.len == out.len);
	read_all(v);
	cm_run_free(run);
	cm_catalog_free(catalog);
	buf_fini(&source);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text in = {(const char *)bytes, len};

	if (fuzz_byte(&in) & 1)
		keep_and_open(&in);
	else
		run_and_read(&in);
	return 0;
}
