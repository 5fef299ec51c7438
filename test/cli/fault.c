/* SPDX-License-Identifier: MIT */
/*
 * fault.c -- prints what the library says of a script that fails, cm_fault, as
 * the object "error" of a result.
 *
 *	fault SCRIPT
 *
 * tools.srv.denied and tools.srv.broken fail as those of error_paths.mjs do.
 */
#include <codemode/codemode.h>

#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
	const char *name;
	cm_failure failure;
} tools[] = {
    {"denied", {.message = TEXT_INIT("not yours"),
		   .members = TEXT_INIT("{\"code\":-32050,\"data\":{\"owner\":"
					"\"ann\"}}")}},
    {"broken",
	{.message = TEXT_INIT("out of paper"),
	    .members = TEXT_INIT("{\"structuredContent\":{\"retryAfter\":3},"
				 "\"content\":[{\"type\":\"text\",\"text\":"
				 "\"out of paper\"}]}")}},
};

enum { TOOLS = sizeof(tools) / sizeof(*tools) };

static void
fail_call(void *ctx, cm_run *run, const cm_call *call)
{
	(void)ctx;
	for (size_t i = 0; i < TOOLS; i++)
		if (text_eq(call->name, text_of(tools[i].name)))
			cm_run_reject(run, call->id, &tools[i].failure);
}

static cm_catalog *
make_catalog(void)
{
	cm_catalog *c;

	must(cm_catalog_new(NULL, &c) == CM_OK);
	for (size_t i = 0; i < TOOLS; i++) {
		cm_tool t = {
		    .space = TEXT_INIT("srv"), .name = text_of(tools[i].name)};

		must(cm_catalog_add(c, &t) == CM_OK);
	}
	return c;
}

static void
print_fault(const cm_fault *f)
{
	buf out = BUF_INIT(NULL, 1 << 20);
	const struct {
		const char *key;
		text words;
	} words[] = {{"kind", TEXT_INIT("script")}, {"code", f->code},
	    {"name", f->name}, {"message", f->message}, {"tool", f->tool},
	    {"excerpt", f->excerpt}, {"stack", f->stack}};
	const struct {
		const char *key;
		json value;
	} values[] = {
	    {"fields", f->fields}, {"cause", f->cause}, {"errors", f->errors}};

	buf_byte(&out, '{');
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (words[i].words.len > 0)
			json_member_text(&out, words[i].key, words[i].words);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (values[i].value.len > 0)
			json_member_json(&out, values[i].key, values[i].value);
	buf_printf(&out, ",\"line\":%u,\"column\":%u}", f->line, f->column);
	printf("%.*s\n", TEXT_ARG(buf_view(&out)));
	buf_fini(&out);
}

int
main(int argc, char **argv)
{
	static const cm_driver driver = {.call = fail_call};
	cm_catalog *c = make_catalog();
	cm_done done;
	cm_run *run;

	must(argc == 2);
	must(cm_run_new(c, text_of(argv[1]), NULL, &run) == CM_OK);
	must(cm_run_drive(run, &driver, &done) == CM_OK);
	must(done.end == CM_END_SCRIPT);
	print_fault(&done.fault);
	cm_run_free(run);
	cm_catalog_free(c);
	return EXIT_SUCCESS;
}
