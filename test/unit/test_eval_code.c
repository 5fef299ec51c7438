/* SPDX-License-Identifier: MIT */
/*
 * test_eval_code.c -- what the evaluator compiles is what its machine may run,
 * what the standard forbids is refused, and scripts that test themselves say
 * nothing, also when memory is collected at each step.
 */
#include "unit.h"

#include "engine/evaluator/vm.h"

/* The unit of a text; NULL: refused, and *why says why. */
static unit *
compile_text(text t, const char **why)
{
	arena a = ARENA_INIT(NULL, 512 << 20);
	js_tree tree;
	unit *u = NULL;
	compile_fault fault = {NULL, 0, 0};

	assert_int_equal(
	    js_parse(t, &(js_options){.goal = JS_ASYNC_BODY}, &a, &tree),
	    CM_OK);
	*why = tree.error_count > 0 ? "grammar" : NULL;
	if (tree.error_count == 0) {
		assert_int_equal(
		    unit_compile(&tree, false, NULL, &u, &fault), CM_OK);
		*why = fault.why;
	}
	arena_fini(&a);
	return u;
}

static unit *
compile_good(text t)
{
	const char *why;
	unit *u = compile_text(t, &why);

	if (u == NULL)
		print_error("%.200s: %s\n", t.ptr, why);
	assert_non_null(u);
	why = unit_check(u, NULL);
	if (why != NULL)
		print_error("%.200s: %s\n", t.ptr, why);
	assert_null(why);
	return u;
}

/* ------------------------------------------------------------------ scripts */

/* Each throws when something is wrong. */
static const char *const scripts[] = {
    "function is(a, b) { if (a !== b) throw new Error(`${a}, not ${b}`) }\n"
    "let log = '';\n"
    "class A { #p = 1; static #q() { return 2 } #r() { return this.#p }\n"
    "  get #s() { return this.#p } set #s(v) { this.#p = v }\n"
    "  static q() { return A.#q() } r() { this.#s++; return this.#r() }\n"
    "  static has(o) { return #p in o } static { log += this.name }\n"
    "  ['k' + 1] = this.#p; static z = () => this.q() }\n"
    "is(A.q(), 2); is(new A().r(), 2); is(A.has(new A()), true);\n"
    "is(A.has({}), false); is(log, 'A'); is(new A().k1, 1); is(A.z(), 2);\n"
    "class B extends A { constructor() { const f = () => super(); f();\n"
    "  this.t = (() => new.target)() } m() { return (() => super.r())() } }\n"
    "is(new B().m(), 2); is(new B().t, B);\n"
    "let once = '';\n"
    "try { new (class extends A { constructor() { const f = () => super();\n"
    "  f(); f() } })() } catch (e) { once = e.name } is(once, "
    "'ReferenceError')",

    "function is(a, b) { if (a !== b) throw new Error(`${a}, not ${b}`) }\n"
    "let log = [];\n"
    "const source = (n) => ({ i: 0, [Symbol.iterator]() { return this },\n"
    "  next() { return { value: ++this.i, done: this.i > n } },\n"
    "  return() { log.push('closed'); return {} } });\n"
    "L: for (const a of source(3)) { for (const b of source(3)) {\n"
    "  try { if (b === 2) continue L; if (a === 2) break L }\n"
    "  finally { log.push(a + ':' + b) } } }\n"
    "is(log.join(), '1:1,1:2,closed,2:1,closed,closed');\n"
    "log = []; const [x] = source(2); is(x, 1); is(log.join(), 'closed');\n"
    "const bad = { ...source(2), return() { throw 1 } };\n"
    "let caught = 0;\n"
    "try { for (const q of bad) { try { break } catch { caught = 9 } } }\n"
    "catch (e) { caught += e } is(caught, 1);\n"
    "function* g() { const r = yield* h(); return r + 1 }\n"
    "function* h() { try { yield 1; yield 2 } finally { log.push('h') }\n"
    "  return 5 }\n"
    "is([...g()].join(), '1,2'); const i = g(); i.next();\n"
    "is(i.return(7).value, 7); is(log.join(), 'closed,h,h')",

    "function is(a, b) { if (a !== b) throw new Error(`${a}, not ${b}`) }\n"
    "async function* g() { try { yield 1; yield Promise.resolve(2);\n"
    "  yield* [3, Promise.resolve(4)] } finally { all.push('end') } }\n"
    "const all = []; for await (const v of g()) all.push(v);\n"
    "for await (const v of g()) { all.push(v); break }\n"
    "is(all.join(), '1,2,3,4,end,1,end');\n"
    "{ using a = { [Symbol.dispose]() { all.push('a') } };\n"
    "  await using b = { async [Symbol.asyncDispose]() { all.push('b') } } }\n"
    "is(all.slice(-2).join(), 'b,a');\n"
    "let e1; try { using c = { [Symbol.dispose]() { throw 1 } }; throw 2 }\n"
    "catch (e) { e1 = e } is(e1.error + ',' + e1.suppressed, '1,2')",

    "function is(a, b) { if (a !== b) throw new Error(`${a}, not ${b}`) }\n"
    "const threw = (f) => { try { f() } catch (e) { return e.name } };\n"
    "is(threw(() => { q; let q }), 'ReferenceError');\n"
    "is(threw(() => { for (let x of [x]); }), 'ReferenceError');\n"
    "is(threw(() => ((a = b, b) => a)(undefined, 1)), 'ReferenceError');\n"
    "is(threw(() => { const c = 1; c = 2 }), 'TypeError');\n"
    "is(threw(() => { switch (1) { case 0: let y; case 1: y } }),\n"
    "  'ReferenceError');\n"
    "const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i);\n"
    "is(fs.map((f) => f()).join(), '0,1,2');\n"
    "function p(a, f = () => a) { var a; a = 2; return f() } is(p(1), 1);\n"
    "const o = { get ['x' + 1]() { return 1 }, f: () => 1, 2() {} };\n"
    "is(Object.getOwnPropertyDescriptor(o, 'x1').get.name, 'get x1');\n"
    "is(o.f.name + o[2].name, 'f2'); is(o?.no?.b.c, undefined);\n"
    "is(o.no?.(), undefined); let n = 1; n += (n = 5, 2); is(n, 3);\n"
    "const tag = (s, v) => s[0] + s.raw[0] + v;\n"
    "is(tag`\\u{x}${1}`, 'undefined\\\\u{x}1'); let u; u ?\?= 4; is(u, 4);\n"
    "let i = 0; const a = [0, 0]; a[i++] += 5; is(a[0] + ',' + i, '5,1')",
};

static void
on_thrown(vm *m, value v)
{
	buf b = BUF_INIT(NULL, 1 << 16);
	value out = v;

	if (v_is_object(v)) {
		m->temp[0] = v;
		m->temp[1] = vm_key_text(m, "message");
		prop_get(m, &m->temp[0], &m->temp[1], &out, NULL);
	}
	vm_show(m, out, &b);
	print_error("thrown: %.*s\n", TEXT_ARG(buf_view(&b)));
	buf_fini(&b);
	fail();
}

static void
on_rejected(vm *m, value promise, bool handled)
{
	if (!handled)
		on_thrown(m, OBJ(m, promise)->v[PROMISE_VALUE]);
}

static void
run_unit(const unit *u, bool every)
{
	vm *m = vm_open(NULL, 64 << 20);
	value f;

	assert_non_null(m);
	m->unhandled = on_rejected;
	m->uncaught = on_thrown;
	m->heap.every = every;
	m->heap.limit = 0;
	f = vm_load(m, UNIT_SCRIPT, u);
	assert_true(f != V_THROWN);
	assert_true(vm_enqueue(m, f, V_UNDEFINED, V_UNDEFINED, V_UNDEFINED));
	assert_int_equal(vm_turn(m), VM_GOES_ON);
	assert_true(!every || m->heap.collections > 100);
	vm_free(m);
}

static void
scripts_hold(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
		unit *u = compile_good(text_of(scripts[i]));

		run_unit(u, false);
		run_unit(u, true);
		unit_free(u);
	}
}

/* ------------------------------------------------------------- early errors */

static const char *const refused[] = {
    "let a; let a",
    "let a; var a",
    "var a; let a",
    "{ let a; { var a } }",
    "{ { var a } let a }",
    "const a",
    "let [b, b] = []",
    "class A {} class A {}",
    "function f(a) { let a }",
    "try {} catch (e) { let e }",
    "for (let i;;) { var i }",
    "switch (1) { case 1: let a; case 2: let a }",
    "break",
    "continue",
    "L: { continue L }",
    "L: L: ;",
    "for (;;) break M",
    "'use strict'; var eval",
    "'use strict'; arguments = 1",
    "'use strict'; 010",
    "'use strict'; '\\01'",
    "'use strict'; delete a",
    "'use strict'; var let",
    "function f(a = 1) { 'use strict' }",
    "(a, a) => 1",
    "function f(a, [a]) {}",
    "({ m(a, a) {} })",
    "({ get a(b) {} })",
    "({ set a(...b) {} })",
    "super.x",
    "super()",
    "class A { constructor() { super() } }",
    "class A { x = super() }",
    "new.target",
    "class A { #a; #a }",
    "class A { #constructor }",
    "class A { static prototype() {} }",
    "class A { get constructor() {} }",
    "class A { constructor() {} constructor() {} }",
    "class A { x = arguments }",
    "class A { static { return } }",
    "a.#b",
    "class A { m() { delete this.#a } }",
    "class A extends (o.#a) { #a }",
    "({ __proto__: 1, __proto__: 2 })",
    "function* g(a = yield) {}",
    "async function f(a = await 1) {}",
    "function* g() { var yield }",
    "a?.b`c`",
    "a?.`c`",
    "class A { #a; m() { super.#a } }",
    "for (let a = 1 of b);",
    "for (using a in b);",
    "with (a) b",
};

static void
early_errors(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		const char *why;
		unit *u = compile_text(text_of(refused[i]), &why);

		if (u != NULL)
			print_error("%s: compiled\n", refused[i]);
		assert_null(u);
		assert_non_null(why);
	}
}

static void
sloppy_code(void **state)
{
	static const char *const good[] = {
	    "var a; var a; function a() {} var b = 1",
	    "{ function f() {} function f() {} }",
	    "{ function f() {} } let f",
	    "try {} catch (e) { var e }",
	    "function f(a, a) {}",
	    "function f() { var arguments; return arguments }",
	    "({ __proto__: null, ['__proto__']: 1, __proto__() {} })",
	    "class A { get #a() {} set #a(v) {} 'use' = 1; static x }",
	    "({ get [function () {}]() {} })",
	    "L: { break L } L: ;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		unit_free(compile_good(text_of(good[i])));
}

/* -------------------------------------------------------------------- limits */

static void
repeated(
    const char *before, const char *part, const char *after, size_t n, buf *out)
{
	buf_str(out, before);
	for (size_t i = 0; i < n; i++)
		buf_str(out, part);
	buf_str(out, after);
	assert_int_equal(out->bad, CM_OK);
}

/* Long is not deep, and too much is refused, not cut off. */
static void
limits(void **state)
{
	static const struct {
		const char *before, *part, *after;
		size_t n;
		bool fits;
	} cases[] = {
	    {"let s = 1; return s", "+s", "", 200000, true},
	    {"const f = (...a) => a; f(0", ",1", ")", 100000, true},
	    {"x = [0", ",1", "]", 100000, true},
	    {"switch (a) {", "case 1: b();", "}", 5000, true},
	    {"", "if (a) b(); else ", "c()", 300, true},
	    {"", "x.y;", "", 70000, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf b = BUF_INIT(NULL, 16 << 20);
		const char *why;
		unit *u;

		repeated(cases[i].before, cases[i].part, cases[i].after,
		    cases[i].n, &b);
		u = compile_text(buf_view(&b), &why);
		if ((u != NULL) != cases[i].fits)
			print_error("%s: %s\n", cases[i].part, why);

		assert_true((u != NULL) == cases[i].fits);
		if (u != NULL)
			assert_null(unit_check(u, NULL));
		unit_free(u);
		buf_fini(&b);
	}
}

/* ------------------------------------------------------------------- checks */

/* A unit with one wrong number is found, whichever operand it is. */
static void
damage(void **state)
{
	unit *u = compile_good(TEXT(
	    "function f(a) { try { return a.b(1, ...a) } catch (e) { g(e) } }\n"
	    "for (const x of y) if (x < 1) f(x, `${x}`); else break"));
	uint32_t pc, n;

	(void)state;
	for (uint32_t i = 0; i < u->functions; i++) {
		code *f = u->function[i];

		for (pc = 0; pc < f->len; pc = n) {
			const char *p = op_operands[f->op[pc]];
			uint16_t was = f->op[pc];

			n = pc + 1;
			f->op[pc] = OPS;
			assert_non_null(unit_check(u, NULL));
			f->op[pc] = was;
			for (; *p != '\0'; n += *p++ == 'j' ? 2 : 1) {
				was = f->op[n];
				f->op[n] = *p == 'j' ? 0x7fff : 0xfffe;
				if (*p != 'n')
					assert_non_null(unit_check(u, NULL));
				f->op[n] = was;
			}
		}
		for (uint32_t k = 0; k < f->handlers; k++) {
			f->handler[k].pc++;
			assert_non_null(unit_check(u, NULL));
			f->handler[k].pc--;
		}
		f->len--;
		assert_non_null(unit_check(u, NULL));
		f->len++;
	}
	assert_null(unit_check(u, NULL));
	unit_free(u);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(scripts_hold),
	    cmocka_unit_test(early_errors),
	    cmocka_unit_test(sloppy_code),
	    cmocka_unit_test(limits),
	    cmocka_unit_test(damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
