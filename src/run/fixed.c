/* SPDX-License-Identifier: MIT */
/*
 * fixed.c -- clock, randomness and time zone of a run with a start, and what
 * tells such runs apart.
 */
#include "run.h"

#include "host/system.h"

/* In 2540: the clock of WASI counts nanoseconds in 64 bits. */
#define EPOCH_MAX_MS 18000000000000

bool
fixed_epoch_fits(int64_t epoch_ms)
{
	return epoch_ms >= 0 && epoch_ms <= EPOCH_MAX_MS;
}

static int64_t
fixed_epoch_us(void *run)
{
	const cm_run *r = run;
	uint64_t ms = r->clock.now_ms - r->clock.first_ms;

	return (r->given.start.epoch_ms + at_most(UINT32_MAX, ms)) * 1000;
}

static void
fixed_random(void *run, void *bytes, size_t len)
{
	const cm_run *r = run;

	must(len == sizeof(r->given.start.seed));
	memcpy(bytes, r->given.start.seed, len);
}

static int32_t
fixed_zone(void *run, int64_t epoch_s)
{
	(void)run, (void)epoch_s;
	return 0;
}

static void
fixed_zone_file(void *run, text name, buf *out)
{
	if (name.len == 0)
		buf_str(out, "UTC");
	else
		system_zone_file(run, name, out);
}

engine_host
fixed_host(cm_run *r)
{
	return (engine_host){r, system_host().now_ms, fixed_epoch_us,
	    fixed_random, fixed_zone, fixed_zone_file, true, true};
}

uint64_t
fixed_inputs_hash(const cm_run *r)
{
	const run_given *g = &r->given;
	text part[] = {block_text(g->script), block_text(g->store),
	    block_text(g->data),
	    {(const char *)g->start.seed, sizeof(g->start.seed)}};
	uint64_t hash = (uint64_t)g->start.epoch_ms;
	size_t i;

	for (i = 0; i < sizeof(part) / sizeof(*part); i++)
		hash = text_hash(part[i], hash ^ part[i].len);
	for (i = 0; r->catalog != NULL && i < r->catalog->len; i++) {
		const tool *t = catalog_at(r->catalog, i);
		text of_tool[] = {t->path, t->space, t->name, t->description,
		    t->input, t->output, t->signature};
		size_t k;

		hash ^= t->flags;
		for (k = 0; k < sizeof(of_tool) / sizeof(*of_tool); k++)
			hash = text_hash(of_tool[k], hash ^ of_tool[k].len);
	}
	return hash;
}
