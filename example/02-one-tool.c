/* SPDX-License-Identifier: MIT */
/*
 * 02-one-tool.c -- a tool of our own, and an error that says where.
 *
 * The catalog says what a script may call; the driver's call is where we do
 * it. The second script calls the tool wrongly: our words arrive in it as the
 * message of an Error, and it does not catch that.
 */
#include <codemode/codemode.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cm_text
text(const char *s)
{
	cm_text t = {s, strlen(s)};

	return t;
}

/* args is JSON, {"city":"Oslo"}; a real host reads it with its JSON library. */
static void
call(void *ctx, cm_run *run, const cm_call *c)
{
	cm_failure failure = {{0}, {0}, {0}};

	(void)ctx;
	if (c->args.len == strlen("{\"city\":\"Oslo\"}") &&
	    memcmp(c->args.ptr, "{\"city\":\"Oslo\"}", c->args.len) == 0) {
		cm_run_resolve(run, c->id, text("{\"celsius\":-4}"));
		return;
	}
	failure.message = text("no weather station there");
	cm_run_reject(run, c->id, &failure);
}

static void
run_script(cm_catalog *tools, const char *script)
{
	cm_driver driver = {0};
	cm_done done;
	cm_run *run;

	driver.call = call;
	if (cm_run_new(tools, text(script), NULL, &run) != CM_OK)
		exit(1);
	if (cm_run_drive(run, &driver, &done) != CM_OK)
		exit(1);
	if (done.end == CM_END_OK)
		printf("%.*s\n", (int)done.value.len, done.value.ptr);
	else
		printf("line %u, %.*s: %.*s\n", (unsigned)done.fault.line,
		    (int)done.fault.tool.len, done.fault.tool.ptr,
		    (int)done.fault.message.len, done.fault.message.ptr);
	cm_run_free(run);
}

int
main(void)
{
	cm_catalog *tools;
	cm_tool now = {0};

	now.space = text("weather");
	now.name = text("now");
	now.description = text("The temperature in a city");
	now.input_schema = text("{\"type\":\"object\",\"properties\":"
				"{\"city\":{\"type\":\"string\"}}}");
	now.flags = CM_TOOL_READS;
	if (cm_catalog_new(NULL, &tools) != CM_OK ||
	    cm_catalog_add(tools, &now) != CM_OK)
		return 1;

	run_script(tools,
	    "const oslo = await tools.weather.now({ city: 'Oslo' });\n"
	    "return `${oslo.celsius} degrees`;\n");
	run_script(tools,
	    "// nothing measures there\n"
	    "return await tools.weather.now({ city: 'Atlantis' });\n");
	cm_catalog_free(tools);
	return 0;
}
