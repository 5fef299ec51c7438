/* SPDX-License-Identifier: MIT */
/*
 * lib_text.c -- lib/ and the environment in one text (LIB_JS, a string: the path
 * of the file), and machines that have run it; and the libraries of
 * engine/library, as their texts (libraries.def: name and path).
 */
#include "engine/evaluator/lib_image.h"

#include <stdatomic.h>

#define EMBED(name, path)                                \
	__asm__(".section .rodata\n"                     \
		".hidden evaluator_text_" #name "\n"     \
		".global evaluator_text_" #name "\n"     \
		"evaluator_text_" #name ":\n"            \
		".incbin \"" path "\"\n"                 \
		".hidden evaluator_text_end_" #name "\n" \
		".global evaluator_text_end_" #name "\n" \
		"evaluator_text_end_" #name ":\n"        \
		".byte 0\n"                              \
		".previous\n");                          \
	extern const char evaluator_text_##name[]        \
	    __attribute__((visibility("hidden")));       \
	extern const char evaluator_text_end_##name[]    \
	    __attribute__((visibility("hidden")));

EMBED(lib, LIB_JS)
#define LIBRARY(name, path) EMBED(name, path)
#include "libraries.def"
#undef LIBRARY

enum { TREE_MAX = 256 << 20, LIB_MAX = 64 << 20 };

/* A text that is compiled once in a process, at its first use. */
typedef struct source_text {
	const char *name, *begin, *end;
	_Atomic(unit *) compiled;
} source_text;

static source_text lib_source = {
    "lib", evaluator_text_lib, evaluator_text_end_lib, NULL};
static source_text library_source[] = {
#define LIBRARY(name, path) \
	{#name, evaluator_text_##name, evaluator_text_end_##name, NULL},
#include "libraries.def"
#undef LIBRARY
};

enum { LIBRARIES = sizeof(library_source) / sizeof(*library_source) };
_Static_assert(UNIT_LIBRARY + LIBRARIES <= UNITS, "one unit a library");

static unit *
compile_text(text t, bool lib)
{
	arena a = ARENA_INIT(NULL, TREE_MAX);
	compile_fault fault;
	js_tree tree;
	unit *u = NULL;

	if (js_parse(t, &(js_options){.goal = JS_ASYNC_BODY}, &a, &tree) ==
		CM_OK &&
	    tree.error_count == 0)
		unit_compile(&tree, lib, NULL, &u, &fault);
	arena_fini(&a);
	return u;
}

/* The unit of a library; its functions are shown by no stack. */
static unit *
compile_bundle(const source_text *s, unsigned number)
{
	buf b = BUF_INIT(NULL, TREE_MAX);
	unit *u = NULL;

	/* Some look at the getters of a class that this engine has not. */
	buf_str(&b, "(require, module, exports) => {"
		    "const SharedArrayBuffer = class { get byteLength() "
		    "{ throw new TypeError(); } get growable() "
		    "{ throw new TypeError(); } };\n");
	buf_add(&b, s->begin, (size_t)(s->end - s->begin));
	buf_str(&b, "\n}");
	if (b.bad == CM_OK)
		u = compile_text(buf_view(&b), false);
	buf_fini(&b);
	for (uint32_t i = 0; u != NULL && i < u->functions; i++) {
		u->function[i]->unit = (uint8_t)number;
		u->function[i]->flags |= CODE_LIB;
	}
	return u;
}

static const unit *
unit_of(source_text *s, unsigned number)
{
	unit *u = atomic_load(&s->compiled), *none = NULL;

	if (u != NULL)
		return u;
	u = number == UNIT_LIB
		? compile_text(
		      (text){s->begin, (size_t)(s->end - s->begin)}, true)
		: compile_bundle(s, number);
	if (u != NULL &&
	    !atomic_compare_exchange_strong(&s->compiled, &none, u)) {
		unit_free(u);
		u = none;
	}
	return u;
}

const char *
vm_library_name(unsigned i)
{
	return i < LIBRARIES ? library_source[i].name : NULL;
}

const unit *
vm_library_unit(unsigned i)
{
	return i < LIBRARIES ? unit_of(&library_source[i], UNIT_LIBRARY + i)
			     : NULL;
}

/* The environment's functions stand inside of one. */
static void
find_environment(vm *m, const unit *lib)
{
	for (uint32_t i = 0; i < lib->functions; i++) {
		const code *f = lib->function[i];

		if (f->name == UINT32_MAX ||
		    !text_eq(lib->constant[f->name].text, TEXT("environment")))
			continue;
		m->quiet_start = f->start;
		m->quiet_end = f->end;
	}
}

static void
lib_threw(vm *m, value thrown)
{
	(void)thrown;
	m->stop = VM_EXIT;
}

static void
lib_rejected(vm *m, value promise, bool handled)
{
	(void)promise;
	if (!handled)
		m->stop = VM_EXIT;
}

/* A machine that runs lib/. */
static vm *
run_lib(const unit *lib)
{
	vm *m = lib != NULL ? vm_new(NULL, LIB_MAX) : NULL;
	value f;

	if (m == NULL)
		return NULL;
	m->uncaught = lib_threw;
	m->unhandled = lib_rejected;
	find_environment(m, lib);
	f = vm_load(m, UNIT_LIB, lib);
	if (f != V_THROWN &&
	    vm_enqueue(m, f, V_UNDEFINED, V_UNDEFINED, V_UNDEFINED) &&
	    vm_turn(m) == VM_GOES_ON)
		return m;
	vm_free(m);
	return NULL;
}

/* The image is in the memory of the machine, which lives as long as the
 * process. */
static const vm_image *
make_image(void)
{
	static vm *m;
	vm_image *image;

	m = run_lib(unit_of(&lib_source, UNIT_LIB));
	image = m ? mem_new(NULL, sizeof(*image)) : NULL;
	if (image != NULL && vm_image_take(m, image))
		return image;
	mem_free(NULL, image, sizeof(*image));
	if (m != NULL)
		vm_free(m);
	m = NULL;
	return NULL;
}

/* Made once in a process, which has one thread: the bake. */
const vm_image *
vm_lib_image(void)
{
	static const vm_image *image;

	if (image == NULL)
		image = make_image();
	return image;
}
