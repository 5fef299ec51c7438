/* SPDX-License-Identifier: MIT */
/*
 * bake.c -- a program of the build: boots one VM, evaluates the environment in
 * it, and writes its linear memory for image.c.
 *
 *	bake WASM-SHA256 OUT environment.js library.js ...
 *
 * writes OUT/image.bin, image.def, library.bin and library.def.
 *
 * A VM before it tries whether value_layout.h is right, and compiles the
 * environment and the libraries; the one that is baked sees the environment's
 * bytecode only. So the image has no source of ours in it (String(text) shows
 * none), and nothing that compiling left behind.
 *
 * The same inputs give the same bytes: the clock stands at 0 here, and the
 * randomness is a constant that each run replaces.
 */
#include "bake.h"

#include <stdio.h>
#include <stdlib.h>

const qjs_image qjs_image_baked; /* what the library has; not needed here */

/* Of the bake's stack, which is 1 MiB. */
#define STACK_MOST (512u << 10)

static uint64_t
no_ms(void *ctx)
{
	(void)ctx;
	return 0;
}

static int64_t
no_us(void *ctx)
{
	(void)ctx;
	return 0;
}

static int32_t
no_zone(void *ctx, int64_t at)
{
	(void)ctx, (void)at;
	return 0;
}

static void
no_zone_file(void *ctx, text name, buf *out)
{
	(void)ctx, (void)name, (void)out;
}

static void
no_random(void *ctx, void *bytes, size_t len)
{
	(void)ctx;
	memset(bytes, 7, len);
}

_Noreturn void
die(const char *what, const char *detail)
{
	fprintf(stderr, "bake: %s%s%s\n", what, *detail ? ": " : "", detail);
	exit(1);
}

void
read_between(const char *before, const char *path, const char *after, buf *out)
{
	char part[4096];
	FILE *f = fopen(path, "rb");
	size_t n;

	if (f == NULL)
		die("cannot read", path);
	buf_str(out, before);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(out, part, n);
	buf_str(out, after);
	if (ferror(f) != 0 || out->bad != CM_OK)
		die("cannot read", path);
	fclose(f);
}

static void
write_file(const char *out, const char *name, text bytes)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", out, name);
	f = fopen(path, "wb");
	if (f == NULL || fwrite(bytes.ptr, 1, bytes.len, f) != bytes.len ||
	    fclose(f) != 0)
		die("cannot write", path);
}

typedef struct baking {
	engine *e;
	buf source; /* the environment's function */
	buf code;   /* the environment, compiled */
	baked_libraries libraries;
	js env[ENV_LEN];
	uint32_t random_at;
	uint32_t used;
	char version[64];
} baking;

_Noreturn void
die_thrown(engine *e, const char *file)
{
	js thrown = CALL(e, JS_GetException, e->ctx);
	uint32_t stack = qjs_copy(e, TEXT("stack"));
	text message = qjs_text(e, thrown);
	text where =
	    qjs_text(e, CALL(e, JS_GetPropertyStr, e->ctx, thrown, stack));

	fprintf(stderr, "bake: %s: %.*s\n%.*s\n", file, TEXT_ARG(message),
	    TEXT_ARG(where));
	exit(1);
}

static js
eval_text(engine *e, text source, const char *name)
{
	js v = CALL(e, JS_Eval, e->ctx, qjs_copy(e, source),
	    (uint32_t)source.len, qjs_copy(e, text_of(name)), 0);

	if (v == JS_EXCEPTION)
		die_thrown(e, name);
	return v;
}

void
append_bytecode(engine *e, text source, const char *path, buf *out)
{
	enum { STRIP_SOURCE = 1 << 4 };
	uint32_t at = qjs_copy(e, source), len, code;

	code = CALL(e, qjs_compile, at, (uint32_t)source.len,
	    qjs_copy(e, TEXT("environment")), 0, STRIP_SOURCE, e->scratch);
	if (code == 0)
		die_thrown(e, path);
	len = qjs_read32(e, e->scratch);
	buf_add(out, wall_bytes(&e->wall, code, len), len);
	if (out->bad != CM_OK)
		die("no memory", "");
	CALL(e, wasm_free, code);
	CALL(e, js_free, e->ctx, at);
}

/* What the bytecode evaluates to. */
static js
load_environment(baking *k)
{
	engine *e = k->e;
	uint32_t code = qjs_copy(e, buf_view(&k->code));
	uint32_t box = CALL(e, qjs_eval_bytecode, code, (uint32_t)k->code.len);
	js v = qjs_dup(e, qjs_read64(e, box));

	CALL(e, qjs_free_value, box);
	CALL(e, js_free, e->ctx, code);
	return v;
}

/* Math.random's state is the one word of the context that a call of it changes
 * to what xorshift64* makes of it. */
static uint32_t
find_random(engine *e)
{
	enum { LOOK = 1024 };
	uint64_t before[LOOK / 8], x;
	uint32_t i;

	for (i = 0; i < LOOK / 8; i++)
		before[i] = qjs_read64(e, e->ctx + i * 8);
	eval_text(e, TEXT("Math.random()"), "bake");
	for (i = 0; i < LOOK / 8; i++) {
		x = before[i];
		x ^= x >> 12;
		x ^= x << 25;
		x ^= x >> 27;
		if (x != before[i] && qjs_read64(e, e->ctx + i * 8) == x)
			return e->ctx + i * 8;
	}
	die("the state of Math.random was not found", "");
}

static void
boot_vm(engine *e)
{
	module_data(&e->wall.wasm);
	Z_quickjsZ__initialize(&e->wall.wasm);
	if (Z_quickjsZ_qjs_init(&e->wall.wasm) != 0)
		die("qjs_init failed", "");
	CALL(e, qjs_set_max_stack_size, STACK_MOST);
	CALL(e, qjs_set_interrupt_handler, 1);
	CALL(e, qjs_set_promise_rejection_handler, 1);
	e->rt = Z_quickjsZ_qjs_get_runtime_ptr(&e->wall.wasm);
	e->ctx = Z_quickjsZ_qjs_get_context_ptr(&e->wall.wasm);
	e->scratch = CALL(e, js_malloc, e->ctx, QJS_SCRATCH);
	if (!qjs_heap_boot(e))
		die("qjs_heap.c does not describe this module", "");
	qjs_value_boot(e);
}

static void
build_image(void *p)
{
	baking *k = p;
	engine *e = k->e;
	js environment, host, made;
	uint32_t i;

	boot_vm(e);
	host = qjs_host_object(e);
	environment = load_environment(k);
	qjs_write64(e, e->scratch + 16, host);
	made = CALL(
	    e, JS_Call, e->ctx, environment, JS_UNDEFINED, 1, e->scratch + 16);
	if (made == JS_EXCEPTION)
		die_thrown(e, "environment.js");
	for (i = 0; i < ENV_LEN; i++)
		k->env[i] = CALL(e, JS_GetPropertyUint32, e->ctx, made, i);
	qjs_free(e, made);
	qjs_free(e, environment);
	qjs_free(e, host);
	k->random_at = find_random(e);
	CALL(e, JS_RunGC, e->rt);
	i = qjs_copy(e, (text){(char[512]){0}, 512});
	CALL(e, qjs_compute_memory_usage, i);
	k->used = qjs_read32(e, i);
	snprintf(k->version, sizeof(k->version), "%s",
	    (const char *)wall_bytes(&e->wall,
		Z_quickjsZ_qjs_get_quickjs_version(&e->wall.wasm), 16));
}

static void
write_image(const baking *k, const char *out, const char *sha256)
{
	const engine *e = k->e;
	uint32_t from = 1u << 20, to = (uint32_t)wall_size(&e->wall), i;
	uint64_t hash = text_hash(buf_view(&k->source), k->libraries.hash);
	buf def = BUF_INIT(NULL, 1u << 20);

	write_file(out, "image.bin",
	    (text){(const char *)e->wall.base + from, to - from});
	buf_printf(&def, ".memory = {qjs_image_bytes, %u, %u},\n", from, to);
	buf_printf(&def, ".rt = %u, .ctx = %u,\n", e->rt, e->ctx);
	buf_printf(&def, ".scratch = %u, .random_at = %u, .array_shape = %u,\n",
	    e->scratch, k->random_at, e->array_shape);
	buf_printf(&def, ".object_prototype = %u, .constructor_atom = %u,\n",
	    e->object_prototype, e->constructor_atom);
	buf_printf(&def, ".species_atom = %u, .array_class = %lluull,\n",
	    e->species_atom, (unsigned long long)e->array_class);
	buf_printf(&def, ".used = %u, .env = {", k->used);
	for (i = 0; i < ENV_LEN; i++)
		buf_printf(&def, "%lluull, ", (unsigned long long)k->env[i]);
	buf_printf(&def,
	    "},\n.fingerprint = \"quickjs-ng %s, wasm %.16s, "
	    "environment %016llx, stack %u\",\n",
	    k->version, sha256, (unsigned long long)hash, QJS_STACK_MOST);
	write_file(out, "image.def", buf_view(&def));
	write_file(out, "library.bin", buf_view(&k->libraries.code));
	write_file(out, "library.def", buf_view(&k->libraries.def));
}

static void
check_and_compile(void *p)
{
	baking *k = p;

	boot_vm(k->e);
	if (CODEMODE_OWN_VALUES)
		try_layout(k->e);
	append_bytecode(k->e, buf_view(&k->source), "environment.js", &k->code);
	compile_libraries(k->e, &k->libraries);
}

static void
open_vm(engine *e)
{
	if (!wall_open(&e->wall, NULL, 256u << 20))
		die("no memory", "");
	e->start.host = (engine_host){
	    NULL, no_ms, no_us, no_random, no_zone, no_zone_file, false, false};
	e->start.deadline_ms = UINT64_MAX;
	e->start.polls = UINT64_MAX;
	e->heap_most = UINT32_MAX;
	e->text = BUF_INIT(NULL, 1u << 20);
	e->wall.wasm.Z_env_instance = (void *)e;
	e->wall.wasm.Z_wasi_snapshot_preview1_instance = (void *)e;
	qjs_host_functions(e);
}

int
main(int argc, char **argv)
{
	static engine first, e;
	baking k = {.e = &first,
	    .source = BUF_INIT(NULL, 4u << 20),
	    .code = BUF_INIT(NULL, 4u << 20),
	    .libraries = {argv + 4, argc - 4, BUF_INIT(NULL, 16u << 20),
		BUF_INIT(NULL, 1u << 20), 0}};

	if (argc < 4)
		die("usage: bake SHA256 OUT environment.js library.js ...", "");
	/* The environment becomes the body of one function. Line numbers stay. */
	read_between("(host) => {\"use strict\"; ", argv[3], "}", &k.source);
	open_vm(&first);
	if (wall_enter(&first.wall, check_and_compile, &k) != WALL_RETURNED)
		die("value_layout.h does not describe this module",
		    "it trapped");
	open_vm(&e);
	k.e = &e;
	if (wall_enter(&e.wall, build_image, &k) != WALL_RETURNED)
		die("the engine trapped", "");
	write_image(&k, argv[2], argv[1]);
	return 0;
}
