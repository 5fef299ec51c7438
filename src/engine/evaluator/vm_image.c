/* SPDX-License-Identifier: MIT */
/* vm_image.c -- a machine after lib/ ran, as what others are copied from. */
#include "lib_image.h"

bool
vm_image_take(vm *m, vm_image *out)
{
	const loaded_unit *lib = &m->unit[UNIT_LIB];
	value *root = mem_new(m->alloc, VM_IMAGE_ROOTS * sizeof(*root));

	if (root == NULL)
		return false;
	for (unsigned i = 0; i < sizeof(m->temp) / sizeof(*m->temp); i++)
		m->temp[i] = V_UNDEFINED;
	memset(lib->cache, 0, (size_t)lib->unit->caches * sizeof(cache));
	heap_collect(H(m));
	memcpy(root, m->realm, REALM_VALUES * sizeof(*root));
	root[REALM_VALUES] = m->global;
	root[REALM_VALUES + 1] = m->key_length;
	CELL(H(m), 0, uint64_t)[0] = 0; /* before the first cell */
	*out = (vm_image){
	    .lib = lib->unit,
	    .heap = (const uint64_t *)(const void *)m->heap.base,
	    .top = m->heap.top,
	    .atoms = m->atoms.at,
	    .atoms_len = m->atoms.len,
	    .atoms_cap = m->atoms.cap,
	    .root = root,
	    .constant = lib->constant,
	    .template = lib->template,
	    .symbol_count = m->symbol_count,
	    .shapes_changed = m->shapes_changed,
	    .quiet_start = m->quiet_start,
	    .quiet_end = m->quiet_end,
	};
	return true;
}

static void *
copy_image_list(vm *m, const void *from, size_t bytes)
{
	void *to = mem_new(m->alloc, bytes ? bytes : 1);

	if (to != NULL)
		memcpy(to, from, bytes);
	return to;
}

/* There may be none: then from is NULL. */
static void
copy_values(value *to, const value *from, uint32_t n)
{
	if (n > 0)
		memcpy(to, from, n * sizeof(value));
}

/* False: no memory; what there is belongs to m. */
static bool
copy_image(vm *m, const vm_image *image)
{
	size_t bytes = image->atoms_cap * sizeof(ref);

	if (!heap_begin_with(H(m), image->heap, image->top))
		return false;
	m->atoms.at = copy_image_list(m, image->atoms, bytes);
	if (m->atoms.at == NULL)
		return false;
	m->atoms.len = image->atoms_len;
	m->atoms.cap = image->atoms_cap;
	if (vm_load(m, UNIT_LIB, image->lib) == V_THROWN)
		return false;
	copy_values(
	    m->unit[UNIT_LIB].constant, image->constant, image->lib->constants);
	copy_values(
	    m->unit[UNIT_LIB].template, image->template, image->lib->templates);
	return true;
}

vm *
vm_image_open(const vm_image *image, const cm_alloc *alloc, uint64_t max)
{
	vm *m = vm_make(alloc, max);

	if (m == NULL)
		return NULL;
	memcpy(m->realm, image->root, sizeof(m->realm));
	m->global = image->root[REALM_VALUES];
	m->key_length = image->root[REALM_VALUES + 1];
	m->symbol_count = image->symbol_count;
	m->shapes_changed = image->shapes_changed;
	/* Tables by place are made anew: the image moved its cells at the end. */
	m->heap.collections = (uint64_t)UINT32_MAX;
	m->quiet_start = image->quiet_start;
	m->quiet_end = image->quiet_end;
	if (copy_image(m, image))
		return m;
	vm_free(m);
	return NULL;
}

vm *
vm_open(const cm_alloc *alloc, uint64_t max)
{
	const vm_image *image = vm_lib_image();

	return image ? vm_image_open(image, alloc, max) : NULL;
}

value
vm_library(vm *m, text name)
{
	const char *have;
	const unit *u;
	value none = V_UNDEFINED;
	unsigned i = 0;

	while ((have = vm_library_name(i)) != NULL &&
	       !text_eq(name, text_of(have)))
		i++;
	if (have == NULL)
		return V_UNDEFINED;
	u = vm_library_unit(i);
	if (u == NULL || vm_load(m, UNIT_LIBRARY + i, u) == V_THROWN)
		return vm_throw_memory(m);
	return function_make(m, UNIT_LIBRARY + i, 1, &none);
}
