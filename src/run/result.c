/* SPDX-License-Identifier: MIT */
/*
 * result.c -- the one JSON shape of a result (doc/result.md).
 */
#include "place/place_port.h"
#include "run.h"

#include <stdio.h>

/* JSON that is copied as it stands was checked by the gate or written by the
 * run: one wrong value would make the whole result unreadable. */

static void
put_member_key(buf *b, const char *name)
{
	buf_byte(b, '"');
	buf_str(b, name);
	buf_str(b, "\":");
}

static void
string_member(buf *b, const char *name, text t)
{
	buf_byte(b, ',');
	put_member_key(b, name);
	json_string(b, t);
}

static void
optional_member(buf *b, const char *name, text t)
{
	if (t.len > 0)
		string_member(b, name, t);
}

static void
put_item(buf *b, const cm_print *item)
{
	if (item->kind == CM_PRINT_RESOURCE) {
		buf_text(b, item->text);
		return;
	}
	buf_byte(b, '{');
	if (item->kind == CM_PRINT_IMAGE || item->kind == CM_PRINT_AUDIO) {
		json_member_text(b, "type",
		    item->kind == CM_PRINT_IMAGE ? TEXT("image")
						 : TEXT("audio"));
		string_member(b, "data", item->text);
		string_member(b, "mimeType", item->mime_type);
		json_member_json(b, "annotations",
		    json_get(item->extra, TEXT("annotations")));
		json_member_json(
		    b, "_meta", json_get(item->extra, TEXT("_meta")));
	} else {
		json_member_text(b, "type", TEXT("text"));
		string_member(b, "text", item->text);
		if (item->kind == CM_PRINT_CONSOLE)
			buf_str(b, ",\"console\":true");
	}
	buf_byte(b, '}');
}

static void
put_output(buf *b, const cm_run *r)
{
	size_t i;

	buf_str(b, ",\"output\":[");
	for (i = 0; i < r->record.items; i++) {
		if (i > 0)
			buf_byte(b, ',');
		put_item(b, &r->record.item[i]);
	}
	buf_byte(b, ']');
}

static const char *const status_name[] = {
    [CALL_UNSTARTED] = "unstarted",
    [CALL_RUNNING] = "cancelled",
    [CALL_OK] = "ok",
    [CALL_ERROR] = "error",
    [CALL_CANCELLED] = "cancelled",
};

static void
put_call(buf *b, const cm_run *r, uint32_t i)
{
	const call_record *c = &r->calls.record[i];
	const tool *t = catalog_at(r->catalog, c->tool);

	buf_printf(b, "{\"id\":%u,\"tool\":", i + 1);
	json_string(b, t->path);
	optional_member(b, "server", t->space);
	string_member(b, "name", t->name);
	string_member(b, "status", text_of(status_name[c->status]));
	if (c->status != CALL_UNSTARTED)
		buf_printf(b, ",\"startMs\":%llu,\"durationMs\":%llu",
		    (unsigned long long)(c->start_ms - r->clock.first_ms),
		    (unsigned long long)(c->end_ms - c->start_ms));
	buf_printf(b, ",\"argBytes\":%llu,\"resultBytes\":%llu",
	    (unsigned long long)c->arg_bytes,
	    (unsigned long long)c->result_bytes);
	/* Tells whether the call does harm when the script runs again. */
	if (c->status != CALL_UNSTARTED)
		buf_printf(b, ",\"safeToRetry\":%s",
		    (t->flags & (CM_TOOL_READS | CM_TOOL_REPEATABLE)) != 0
			? "true"
			: "false");
	if (c->error != NULL)
		string_member(b, "error", (text){c->error, c->error_len});
	buf_byte(b, '}');
}

static void
put_calls(buf *b, const cm_run *r)
{
	uint32_t i;

	buf_str(b, ",\"calls\":[");
	for (i = 0; i < r->sched.issued; i++) {
		if (i > 0)
			buf_byte(b, ',');
		put_call(b, r, i);
	}
	buf_byte(b, ']');
}

/* [key, value] and [key] become {"set": {key: value}, "delete": [key]}. */
static void
put_writes(buf *b, json writes)
{
	int pass;

	buf_str(b, ",\"storeWrites\":{\"set\":{");
	for (pass = 0; pass < 2; pass++) {
		json_iter it = json_each(writes);
		const char *comma = "";
		json entry, value;

		while (json_next(&it, NULL, &entry)) {
			value = json_at(entry, 1);
			if ((value.len > 0) != (pass == 0))
				continue;
			buf_str(b, comma);
			comma = ",";
			buf_text(b, json_at(entry, 0));
			if (pass == 0) {
				buf_byte(b, ':');
				buf_text(b, value);
			}
		}
		buf_str(b, pass == 0 ? "},\"delete\":[" : "]}");
	}
}

/* of_place: also what is about the place, and not about the script. */
static void
put_warnings(buf *b, const cm_run *r, bool of_place)
{
	size_t i;

	buf_str(b, ",\"warnings\":[");
	for (i = 0; i < r->record.warnings; i++) {
		json w = block_text(r->record.warning[i]);

		if (!of_place &&
		    json_is(json_get(w, TEXT("code")), TEXT("Sandbox")))
			continue;
		json_element(b);
		buf_text(b, w);
	}
	buf_byte(b, ']');
}

static const char *const kind_name[] = {
    [CM_END_SCRIPT] = "script",
    [CM_END_TIMEOUT] = "timeout",
    [CM_END_ABORTED] = "aborted",
    [CM_END_SANDBOX] = "sandbox",
};

static void
put_error(buf *b, const cm_run *r)
{
	const cm_fault *f = &r->fault.read;

	buf_str(b, ",\"error\":{\"kind\":");
	json_string(b, text_of(kind_name[r->outcome.end]));
	string_member(b, "code", f->code);
	optional_member(b, "name", f->name);
	string_member(b, "message", f->message);
	optional_member(b, "tool", f->tool);
	if (f->line > 0)
		buf_printf(b, ",\"line\":%u", f->line);
	if (f->column > 0)
		buf_printf(b, ",\"column\":%u", f->column);
	optional_member(b, "excerpt", f->excerpt);
	optional_member(b, "stack", f->stack);
	json_member_json(b, "fields", f->fields);
	json_member_json(b, "cause", f->cause);
	json_member_json(b, "errors", f->errors);
	buf_byte(b, '}');
}

static void
put_stats(buf *b, const cm_run *r)
{
	unsigned long long args = 0, results = 0, memory = 0;
	uint32_t i;

	for (i = 0; i < r->sched.issued; i++) {
		args += r->calls.record[i].arg_bytes;
		results += r->calls.record[i].result_bytes;
	}
	if (r->engine != NULL)
		memory = r->port->memory(r->engine);
	buf_printf(b,
	    ",\"stats\":{\"wallMs\":%llu,\"calls\":%u,\"argBytes\":%llu,"
	    "\"resultBytes\":%llu,\"memoryBytes\":%llu,\"engine\":\"%s\","
	    "\"place\":\"%s\",\"fingerprint\":",
	    (unsigned long long)(r->clock.end_ms - r->clock.first_ms),
	    r->sched.issued, args, results, memory,
	    r->given.flags & CM_RUN_EVALUATOR ? "evaluator" : r->port->name,
	    r->given.place ? r->given.place->port->name : "inline");
	json_string(b, text_of(r->given.fingerprint));
	buf_byte(b, '}');
}

void
result_members(buf *b, const cm_run *r, bool of_place)
{
	buf_printf(
	    b, "\"ok\":%s", r->outcome.end == CM_END_OK ? "true" : "false");
	if (r->outcome.value.len > 0) {
		buf_str(b, ",\"value\":");
		buf_text(b, block_text(r->outcome.value));
	}
	put_output(b, r);
	put_calls(b, r);
	if (r->outcome.end == CM_END_OK)
		put_writes(b, block_text(r->outcome.writes));
	put_warnings(b, r, of_place);
	if (r->outcome.end != CM_END_OK)
		put_error(b, r);
}

static void
put_result(buf *b, const cm_run *r)
{
	buf_byte(b, '{');
	result_members(b, r, true);
	put_stats(b, r);
	buf_byte(b, '}');
}

/* Writes the text once; after a refused allocation the next call writes it
 * anew. */
cm_status
run_result(cm_run *r, text *out)
{
	cm_status s;

	if (!run_has_ended(r))
		return CM_EMISUSE;
	if (r->outcome.json.len == 0)
		put_result(&r->outcome.json, r);
	if ((s = r->outcome.json.bad) != CM_OK) {
		buf_clear(&r->outcome.json);
		return s;
	}
	*out = buf_view(&r->outcome.json);
	return CM_OK;
}

cm_done
run_done(const cm_run *r)
{
	return (cm_done){
	    r->outcome.end, block_text(r->outcome.value), r->fault.read};
}
