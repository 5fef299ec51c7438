/* SPDX-License-Identifier: MIT */
/* vm.c -- a machine is made, its roots, its units: see vm.h. */
#include "vm.h"

#include "regexp_run.h"

#include <math.h>

enum {
	STACK_FIRST = 256,
	STACK_MOST = 4 << 20, /* registers */
	FRAMES_FIRST = 16,
	FRAMES_MOST = 10000,
	POLL_STEPS = 4096
};

/* --------------------------------------------------------------------- roots */

static void
visit_units(vm *m, heap *h)
{
	for (unsigned i = 0; i < UNITS; i++) {
		loaded_unit *u = &m->unit[i];

		if (u->unit == NULL)
			continue;
		for (uint32_t k = 0; k < u->unit->constants; k++)
			heap_visit(h, &u->constant[k]);
		for (uint32_t k = 0; k < u->unit->templates; k++)
			heap_visit(h, &u->template[k]);
		for (uint32_t k = 0; k < u->unit->caches; k++) {
			heap_visit_ref(h, &u->cache[k].shape);
			heap_visit_ref(h, &u->cache[k].holder);
		}
	}
}

static void
visit_machine(void *ctx, heap *h)
{
	vm *m = ctx;

	for (uint32_t i = 0; i < m->stack_top; i++)
		heap_visit(h, &m->stack[i]);
	for (uint32_t i = 0; i < m->depth; i++) {
		heap_visit(h, &m->frames[i].function);
		heap_visit(h, &m->frames[i].this);
		heap_visit(h, &m->frames[i].new_target);
		heap_visit(h, &m->frames[i].coroutine);
	}
	for (size_t i = m->job_first; i < m->jobs; i++) {
		heap_visit(h, &m->job[i].function);
		heap_visit(h, &m->job[i].argument);
		heap_visit(h, &m->job[i].second);
		heap_visit(h, &m->job[i].third);
	}
	for (unsigned i = 0; i < REALM_VALUES; i++)
		heap_visit(h, &m->realm[i]);
	for (unsigned i = 0; i < sizeof(m->temp) / sizeof(*m->temp); i++)
		heap_visit(h, &m->temp[i]);
	for (uint32_t i = 0; i < m->work_len; i++)
		heap_visit(h, &m->work[i]);
	heap_visit(h, &m->global);
	heap_visit(h, &m->key_length);
	heap_visit(h, &m->job_next);
	heap_visit(h, &m->thrown);
	heap_visit(h, &m->new_target);
	visit_units(m, h);
	if (m->visit != NULL)
		m->visit(m, h);
}

static void
sweep_machine(void *ctx, heap *h)
{
	vm *m = ctx;

	atoms_sweep(h, &m->atoms);
}

bool
vm_work_push(vm *m, value v)
{
	if (!mem_grow(m->alloc, (void **)&m->work, &m->work_cap, m->work_len,
		sizeof(v))) {
		vm_throw_memory(m);
		return false;
	}
	m->work[m->work_len++] = v;
	return true;
}

void
vm_work_drop(vm *m)
{
	enum { KEPT = 1024 };

	m->work_len = 0;
	if (m->work_cap <= KEPT)
		return;
	mem_free(m->alloc, m->work, m->work_cap * sizeof(*m->work));
	m->work = NULL;
	m->work_cap = 0;
}

/* ---------------------------------------------------------------------- life */

vm *
vm_make(const cm_alloc *alloc, uint64_t max)
{
	vm *m = mem_new(alloc, sizeof(*m));

	if (m == NULL)
		return NULL;
	*m = (vm){.alloc = alloc,
	    .stack_max = STACK_MOST,
	    .depth_max = FRAMES_MOST,
	    .global = V_UNDEFINED,
	    .key_length = V_UNDEFINED,
	    .job_next = V_UNDEFINED,
	    .thrown = V_HOLE,
	    .new_target = V_UNDEFINED,
	    .steps = INT64_MAX,
	    .until_poll = POLL_STEPS};
	for (unsigned i = 0; i < REALM_VALUES; i++)
		m->realm[i] = V_UNDEFINED;
	for (unsigned i = 0; i < sizeof(m->temp) / sizeof(*m->temp); i++)
		m->temp[i] = V_UNDEFINED;
	heap_init(&m->heap, alloc, max,
	    (heap_roots){visit_machine, sweep_machine, m});
	return m;
}

vm *
vm_new(const cm_alloc *alloc, uint64_t max)
{
	vm *m = vm_make(alloc, max);

	if (m == NULL || prop_init(m))
		return m;
	vm_free(m);
	return NULL;
}

static void
drop_unit(vm *m, loaded_unit *u)
{
	if (u->unit == NULL)
		return;
	mem_free(m->alloc, u->constant, u->unit->constants * sizeof(value));
	mem_free(m->alloc, u->template, u->unit->templates * sizeof(value));
	mem_free(m->alloc, u->cache, u->unit->caches * sizeof(cache));
	*u = (loaded_unit){NULL};
}

void
vm_free(vm *m)
{
	if (m == NULL)
		return;
	for (unsigned i = 0; i < UNITS; i++)
		drop_unit(m, &m->unit[i]);
	mem_free(m->alloc, m->stack, m->stack_cap * sizeof(*m->stack));
	mem_free(m->alloc, m->frames, m->frame_cap * sizeof(*m->frames));
	mem_free(m->alloc, m->job, m->job_cap * sizeof(*m->job));
	mem_free(m->alloc, m->work, m->work_cap * sizeof(*m->work));
	regexps_free(m);
	atoms_fini(&m->heap, &m->atoms);
	heap_fini(&m->heap);
	mem_free(m->alloc, m, sizeof(*m));
}

/* --------------------------------------------------------------------- units */

static value *
holes(vm *m, uint32_t n)
{
	value *v = mem_new(m->alloc, (size_t)(n ? n : 1) * sizeof(*v));

	for (uint32_t i = 0; v != NULL && i < n; i++)
		v[i] = V_HOLE;
	return v;
}

value
vm_load(vm *m, unsigned which, const unit *loads)
{
	loaded_unit *u = &m->unit[which], n = {.unit = loads};
	size_t caches = (size_t)loads->caches * sizeof(cache);
	value outside = V_UNDEFINED;

	drop_unit(m, u);
	n.constant = holes(m, loads->constants);
	n.template = holes(m, loads->templates);
	n.cache = mem_new(m->alloc, caches ? caches : 1);
	if (n.constant == NULL || n.template == NULL || n.cache == NULL) {
		mem_free(
		    m->alloc, n.constant, loads->constants * sizeof(value));
		mem_free(
		    m->alloc, n.template, loads->templates * sizeof(value));
		mem_free(m->alloc, n.cache, caches);
		return vm_throw_memory(m);
	}
	memset(n.cache, 0, caches ? caches : 1);
	*u = n;
	return function_make(m, which, 0, &outside);
}

/* --------------------------------------------------------------------- steps */

/* The poll of the port; an end of the run is an exception that no handler
 * gets. */
static bool
poll_now(vm *m)
{
	vm_stop why = VM_GOES_ON;

	m->until_poll = POLL_STEPS;
	vm_memory_back(m);
	if (m->steps <= 0)
		why = VM_OUT_OF_STEPS;
	else if (m->interrupt != NULL && *m->interrupt != 0)
		why = VM_INTERRUPTED;
	else if (m->poll != NULL)
		why = m->poll(m->ctx);
	if (why != VM_GOES_ON && m->stop == VM_GOES_ON)
		m->stop = why;
	return m->stop == VM_GOES_ON;
}

bool
vm_steps(vm *m, uint64_t n)
{
	int32_t count = n > POLL_STEPS ? POLL_STEPS : (int32_t)n;

	m->steps -= (int64_t)n;
	m->until_poll -= count;
	if (m->until_poll > 0 && m->steps > 0)
		return true;
	return poll_now(m);
}
