/* SPDX-License-Identifier: MIT */
/*
 * place_h.c -- what place.h says, tried once (claims.h). WORKER is the path of
 * codemode-worker.
 */
#include "claims.h"

#include <codemode/place.h>

#include <errno.h>
#include <poll.h>

static cm_place *
place_of(unsigned spares, int single)
{
	cm_process_options o = CM_PROCESS_OPTIONS_INIT;
	cm_place *place = NULL;

	o.worker = WORKER;
	o.spares = spares;
	o.single = single;
	EXPECT(cm_place_process(NULL, &o, &place) == CM_OK);
	return place;
}

/* Runs a script there with cm_run_drive; it gives this JSON. */
static void
gives_there(cm_place *place, const char *script, const char *want)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_driver driver = {.call = NULL};
	cm_run *run = NULL;
	cm_done done;

	o.place = place;
	EXPECT(cm_run_new(NULL, text_of(script), &o, &run) == CM_OK);
	EXPECT(cm_run_drive(run, &driver, &done) == CM_OK);
	EXPECT(done.end == CM_END_OK && says(done.value, want));
	cm_run_free(run);
}

static void
a_process_for_each_script(void)
{
	cm_place *place = place_of(0, 0);

	for (int i = 0; i < 4; i++)
		gives_there(place, "return 6 * 7", "42");
	cm_place_free(place);
	place = place_of(CM_NO_SPARES, 0);
	gives_there(place, "return 1", "1");
	cm_place_free(place);
	place = place_of(0, 1);
	gives_there(place, "return 1", "1");
	gives_there(place, "return 2", "2");
	cm_place_free(place);
	cm_place_free(NULL);
}

static void
steps_wait_for_a_descriptor(void)
{
	cm_place *place = place_of(0, 0);
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *run = NULL;
	unsigned waits = 0;
	uint64_t now = 0;
	cm_step s = {.kind = CM_STEP_WAIT};

	o.place = place;
	/* It computes for so long that its result is not there at once. */
	EXPECT(cm_run_new(NULL, TEXT("for (let i = 0; i < 1e7; i++); return 1"),
		   &o, &run) == CM_OK);
	while (cm_run_next(run, now, &s) == CM_OK && s.kind == CM_STEP_WAIT) {
		struct pollfd fd = {s.u.wait.handle, POLLIN, 0};

		EXPECT(s.u.wait.handle >= 0);
		fd.events |= s.u.wait.writable ? POLLOUT : 0;
		if (poll(&fd, 1, 60000) < 1)
			break;
		waits++;
	}
	EXPECT(s.kind == CM_STEP_DONE && says(s.u.done.value, "1"));
	EXPECT(waits > 0);
	cm_run_free(run);
	cm_place_free(place);
}

static void
a_worker_that_is_not_there(void)
{
	static int mark;
	cm_process_options o = CM_PROCESS_OPTIONS_INIT;
	cm_place *place = (cm_place *)&mark;

	o.worker = "/nowhere/codemode-worker";
	errno = 0;
	EXPECT(cm_place_process(NULL, &o, &place) == CM_EENGINE);
	EXPECT(errno == ENOENT);
	EXPECT((void *)place == &mark);
}

static void
options_may_grow(void)
{
	struct {
		cm_process_options o;
		uint64_t newer;
	} longer = {CM_PROCESS_OPTIONS_INIT, 1};
	cm_place *place = NULL;

	longer.o.worker = WORKER;
	longer.o.size = sizeof(longer);
	EXPECT(cm_place_process(NULL, &longer.o, &place) == CM_EMISUSE);
	longer.newer = 0;
	EXPECT(cm_place_process(NULL, &longer.o, &place) == CM_OK);
	cm_place_free(place);
}

static void
fences_are_reported(void)
{
	cm_place *place = place_of(0, 0);
	cm_text report = TEXT_NONE, again = TEXT_NONE, rest, line;

	EXPECT(cm_place_fences(place, &report) == CM_OK);
	for (rest = report; text_line(&rest, &line);)
		EXPECT(text_ends(line, TEXT(" up")) || has(line, " down "));
	EXPECT(report.len > 0);
	EXPECT(cm_place_fences(place, &again) == CM_OK);
	EXPECT(text_eq(report, again));
	cm_place_free(place);
}

static const claim claims[] = {
#include "place_h.def"
};

int
main(int argc, char **argv)
{
	return claims_try(
	    argc, argv, "place.h", claims, sizeof(claims) / sizeof(*claims));
}
