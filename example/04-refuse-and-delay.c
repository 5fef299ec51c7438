/* SPDX-License-Identifier: MIT */
/*
 * 04-refuse-and-delay.c -- a policy is what you do with the step.
 *
 * A call is only a wish until its owner does it. Here tools that destroy are
 * refused with a message for the model, the others are let through one in ten
 * milliseconds, and what the script prints is shown as it comes.
 */
#define _POSIX_C_SOURCE 200809L

#include <codemode/codemode.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { PACE_MS = 10 };

typedef struct host {
	cm_call_id waiting[16]; /* calls let in, first come first served */
	size_t len;
	uint64_t free_ms; /* when the next one may go through */
} host;

static cm_text
text(const char *s)
{
	cm_text t = {s, strlen(s)};

	return t;
}

static uint64_t
now_ms(void *ctx)
{
	struct timespec t;

	(void)ctx;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void
call(void *ctx, cm_run *run, const cm_call *c)
{
	host *h = ctx;
	cm_failure no = {{0}, {0}, {0}};

	if (c->name.len == 6 && memcmp(c->name.ptr, "delete", 6) == 0) {
		no.name = text("Denied");
		no.message = text("deleting needs a person; ask for it");
		cm_run_reject(run, c->id, &no);
		return;
	}
	h->waiting[h->len++] = c->id;
}

/* Lets one call through when its time has come. */
static void
wait(void *ctx, cm_run *run, const cm_wait *w)
{
	host *h = ctx;
	struct timespec t = {0, 1000000};
	uint64_t now = now_ms(NULL);

	if (h->len == 0 || now < h->free_ms) {
		if (now < w->until_ms)
			nanosleep(&t, NULL);
		return;
	}
	h->free_ms = now + PACE_MS;
	cm_run_resolve(run, h->waiting[0], text("\"done\""));
	memmove(h->waiting, h->waiting + 1, --h->len * sizeof(h->waiting[0]));
}

static void
print(void *ctx, const cm_print *p)
{
	(void)ctx;
	printf("%.*s\n", (int)p->text.len, p->text.ptr);
}

int
main(void)
{
	static const char script[] =
	    "const started = Date.now();\n"
	    "await Promise.all([1, 2, 3, 4].map((n) => "
	    "tools.files.touch(n)));\n"
	    "text(Date.now() - started >= 25 ? 'touched, slowly' : 'too "
	    "fast');\n"
	    "try {\n"
	    "	await tools.files.delete('everything');\n"
	    "} catch (e) {\n"
	    "	text(`${e.name}: ${e.message}`);\n"
	    "}\n";
	static const char *const names[] = {"touch", "delete"};
	host h = {{0}, 0, 0};
	cm_driver driver = {call, NULL, print, wait, now_ms, &h};
	cm_catalog *tools;
	cm_done done;
	cm_run *run;
	size_t i;

	if (cm_catalog_new(NULL, &tools) != CM_OK)
		return 1;
	for (i = 0; i < 2; i++) {
		cm_tool tool = {0};

		tool.space = text("files");
		tool.name = text(names[i]);
		if (cm_catalog_add(tools, &tool) != CM_OK)
			return 1;
	}
	if (cm_run_new(tools, text(script), NULL, &run) != CM_OK ||
	    cm_run_drive(run, &driver, &done) != CM_OK)
		return 1;
	cm_run_free(run);
	cm_catalog_free(tools);
	return done.end == CM_END_OK ? 0 : 1;
}
