/* SPDX-License-Identifier: MIT */
/*
 * host.h -- a host for test scripts: a set of tools, and the loop that turns
 * a run until it is done.
 *
 * It stands on the public header alone, as any embedder would; src/base only
 * helps it to read and write JSON. test/script checks what comes out against
 * expectations, test/parity against another implementation with the same
 * tools (test/parity/tools.mjs: change both together).
 */
#ifndef TEST_SCRIPT_HOST_H
#define TEST_SCRIPT_HOST_H

#include <codemode/codemode.h>

#include "base/json.h"

/* limits.wall_ms of a run that names none: as long as a test may take, because
 * a machine may be busy. */
#define HOST_WALL_MS 1500000

/* What a finished run left behind. */
typedef struct host_end {
	cm_run *run; /* owns result */
	cm_catalog *catalog;
	json result;        /* cm_run_result                                */
	uint64_t ms;        /* from cm_run_new to CM_STEP_DONE              */
	uint64_t cpu_ms;    /* what this process computed meanwhile         */
	const char *broken; /* a promise of the interface that did not hold */
} host_end;

/*
 * Runs one script. options is a JSON object, or missing:
 *	limits	members of cm_limits by their C names; null is CM_NO_LIMIT
 *	store	what load() finds
 *	data	the global data
 *	with	further tools: "name" or ["space", "name"]
 *	cancel	cancel with this reason when the script first waits
 *	raw	run the text as it stands
 *
 * CM_EINPUT: an option makes no sense. Anything else but CM_OK comes from the
 * library. Always end with host_end_fini.
 */
cm_status host_run(text script, json options, host_end *end);
/* CODEMODE_ENGINE=evaluator: that engine runs all scripts. */
bool host_evaluates(void);
void host_end_fini(host_end *end);

/* CM_END_SCRIPT is "script" and so on: how results spell it. */
const char *host_end_word(cm_end end);

#endif
