/* SPDX-License-Identifier: MIT */
/*
 * record.c -- fuzz target: the file of a recorded run. Any bytes are read to
 * the end, and the run that they tell of is made, or they are refused; what is
 * written of a run is read back as it was.
 */
#include "fuzz.h"

#include "scripts/recording.h"

enum { MOST = 1 << 20 };

/* The bytes as a file, as they are and with a last line that fits. */
static void
read_any(text in)
{
	buf whole = BUF_INIT(NULL, MOST);
	recorder rec = {.to = fopen("/dev/null", "w")};
	text rest = in, line;
	recorded_run run;
	recording r;
	char why[160];

	HOLDS(rec.to != NULL);
	(void)recording_read(&r, in, why);
	recording_fini(&r);
	while (text_line(&rest, &line)) {
		recorder_line(&rec, line);
		buf_text(&whole, line);
		buf_byte(&whole, '\n');
	}
	buf_printf(&whole, "{\"lines\":%llu,\"fnv1a\":\"%016llx\"}\n",
	    (unsigned long long)rec.lines, (unsigned long long)rec.sum);
	fclose(rec.to);
	if (recording_read(&r, buf_view(&whole), why) == NULL) {
		(void)recorded_run_read(&run, r.head);
		recorded_run_fini(&run);
	}
	recording_fini(&r);
	buf_fini(&whole);
}

/* A script of these bytes, and a store with them: written and read. */
static void
write_and_read(text in)
{
	text script = text_sub(in, 0, utf8_bad(in));
	cm_start start = {.epoch_ms = (int64_t)in.len};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	buf store = BUF_INIT(NULL, MOST);
	recorder rec = {0};
	recorded_run run;
	recording r;
	cm_run *made;
	char why[160], *bytes = NULL;
	size_t len = 0;

	buf_str(&store, "{\"k\":");
	json_string(&store, script);
	buf_byte(&store, '}');
	o.start = &start;
	o.store = buf_view(&store);
	rec.to = open_memstream(&bytes, &len);
	HOLDS(rec.to != NULL);
	HOLDS(cm_run_new(NULL, script, &o, &made) == CM_OK);
	HOLDS(recorder_begin(&rec, made, NULL, script, &o) == NULL);
	HOLDS(recorder_close(&rec, true) == NULL);
	HOLDS(recording_read(&r, (text){bytes, len}, why) == NULL);
	HOLDS(recorded_run_read(&run, r.head) == NULL);
	HOLDS(text_eq(buf_view(&run.script), script));
	HOLDS(text_eq(run.options.store, o.store));
	HOLDS(run.start.epoch_ms == start.epoch_ms);
	recorded_run_fini(&run);
	recording_fini(&r);
	cm_run_free(made);
	buf_fini(&store);
	free(bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text in = {(const char *)bytes, len};

	if (fuzz_byte(&in) & 1)
		read_any(in);
	else
		write_and_read(in);
	return 0;
}
