/* SPDX-License-Identifier: MIT */
/*
 * bake_lib.c -- writes what lib_text.c makes at its first use as constants, for the
 * build: the units of lib/ and of the libraries, and the image of a machine that
 * has run lib/.
 *
 *	evaluator_bake BYTES.bin TABLES.def
 *
 * BYTES has what is only bytes: instructions, texts, the heap. TABLES has the
 * structures that point into it, as lib_baked.c includes them.
 */
#include "engine/evaluator/lib_image.h"

#include <stdio.h>
#include <stdlib.h>

static buf bytes = {.max = SIZE_MAX / 2};
static FILE *tables;

/* Where those bytes are. */
static size_t
put_bytes(const void *p, size_t len)
{
	size_t at;

	while (bytes.len % 8 != 0)
		buf_byte(&bytes, 0);
	at = bytes.len;
	if (len > 0)
		buf_add(&bytes, p, len);
	return at;
}

/* A pointer to them, or to none. */
static void
put_pointer(const char *type, const void *p, size_t len)
{
	if (len == 0)
		fputs("NULL, ", tables);
	else
		fprintf(
		    tables, "(%s *)(BYTES + %zu), ", type, put_bytes(p, len));
}

/* ------------------------------------------------------------------- units */

static void
put_code(const code *f)
{
	fputs("{", tables);
	put_pointer("uint16_t", f->op, f->len * sizeof(*f->op));
	fprintf(tables, "%u, %uu, %u, %u, %u, %u, %u, ", f->len, f->name,
	    f->params, f->length, f->registers, f->scope_reg, f->flags);
	put_pointer("handler", f->handler, f->handlers * sizeof(*f->handler));
	fprintf(tables, "%u, NULL, 0, %u, %u, %u, %u, %u},\n", f->handlers,
	    f->start, f->end, f->caches, f->first_cache, f->unit);
}

static void
put_constant(const constant *k)
{
	if (k->kind == CONSTANT_NUMBER && k->number - k->number == 0)
		fprintf(
		    tables, "{CONSTANT_NUMBER, %a, {NULL, 0}},\n", k->number);
	else if (k->kind == CONSTANT_NUMBER) /* 1e999 */
		fputs("{CONSTANT_NUMBER, (double)INFINITY, {NULL, 0}},\n",
		    tables);
	else
		fprintf(tables,
		    "{(constant_kind)%d, 0, {(const char *)BYTES + %zu, "
		    "%zu}},\n",
		    (int)k->kind, put_bytes(k->text.ptr, k->text.len),
		    k->text.len);
}

static void
put_templates(const unit *u, unsigned n)
{
	fprintf(
	    tables, "static const template_strings templates_%u[] = {\n", n);
	for (uint32_t i = 0; i < u->templates; i++) {
		const template_strings *t = &u->template[i];

		fputs("{", tables);
		put_pointer("uint32_t", t->cooked, t->len * sizeof(uint32_t));
		put_pointer("uint32_t", t->raw, t->len * sizeof(uint32_t));
		fprintf(tables, "%u},\n", t->len);
	}
	fputs("{NULL, NULL, 0}};\n", tables);
}

static void
put_baked_unit(const unit *u, unsigned n)
{
	const char *wrong = unit_check(u, NULL);

	if (wrong != NULL) {
		fprintf(stderr, "evaluator_bake: unit %u: %s\n", n, wrong);
		exit(1);
	}
	fprintf(tables, "static const code codes_%u[] = {\n", n);
	for (uint32_t i = 0; i < u->functions; i++)
		put_code(u->function[i]);
	fprintf(tables, "};\nstatic const code *const functions_%u[] = {\n", n);
	for (uint32_t i = 0; i < u->functions; i++)
		fprintf(tables, "codes_%u + %u,\n", n, i);
	fprintf(tables, "};\nstatic const constant constants_%u[] = {\n", n);
	for (uint32_t i = 0; i < u->constants; i++)
		put_constant(&u->constant[i]);
	fputs("};\n", tables);
	put_templates(u, n);
	fprintf(tables,
	    "static const unit unit_%u = {{NULL, 0}, "
	    "(code **)functions_%u, %u, "
	    "(constant *)constants_%u, %u, "
	    "(template_strings *)templates_%u, %u, %u, {0}};\n",
	    n, n, u->functions, n, u->constants, n, u->templates, u->caches);
}

/* ------------------------------------------------------------------- image */

static void
put_image(const vm_image *i)
{
	fputs("static const vm_image image = {&unit_0, ", tables);
	put_pointer("const uint64_t", i->heap, (size_t)i->top * 8);
	fprintf(tables, "%u, ", i->top);
	put_pointer("const ref", i->atoms, i->atoms_cap * sizeof(ref));
	fprintf(tables, "%u, %u, ", i->atoms_len, i->atoms_cap);
	put_pointer("const value", i->root, VM_IMAGE_ROOTS * sizeof(value));
	put_pointer(
	    "const value", i->constant, i->lib->constants * sizeof(value));
	put_pointer(
	    "const value", i->template, i->lib->templates * sizeof(value));
	fprintf(tables, "%u, %u, %u, %u};\n", i->symbol_count,
	    i->shapes_changed, i->quiet_start, i->quiet_end);
}

static void
write_baked_bytes(const char *path)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL || bytes.bad != CM_OK ||
	    fwrite(bytes.ptr, 1, bytes.len, f) != bytes.len || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

int
main(int argc, char **argv)
{
	const vm_image *image = argc == 3 ? vm_lib_image() : NULL;
	unsigned n = 0;

	tables = argc == 3 ? fopen(argv[2], "w") : NULL;
	if (image == NULL || tables == NULL) {
		fputs("evaluator_bake: lib/ does not run\n", stderr);
		return 1;
	}
	put_baked_unit(image->lib, 0);
	for (; vm_library_name(n) != NULL; n++) {
		const unit *u = vm_library_unit(n);

		if (u == NULL) {
			fprintf(stderr, "evaluator_bake: %s is not compiled\n",
			    vm_library_name(n));
			return 1;
		}
		put_baked_unit(u, n + 1);
	}
	put_image(image);
	fputs("static const struct {\nconst char *name;\n"
	      "const unit *unit;\n} libraries[] = {\n",
	    tables);
	for (unsigned i = 0; i < n; i++)
		fprintf(
		    tables, "{\"%s\", &unit_%u},\n", vm_library_name(i), i + 1);
	fputs("{NULL, NULL}};\n", tables);
	write_baked_bytes(argv[1]);
	return fclose(tables) == 0 ? 0 : 1;
}
