/* SPDX-License-Identifier: MIT */
/* native_port.c -- what lib/port.js asks of the host: natives_port.def. */
#include "native_buffer.h"
#include "port.h"

static engine *
port_engine(vm *m)
{
	return m->ctx;
}

/* --------------------------------------------------------------------- texts */

/* Appends a string, a[slot], as UTF-8; nothing else is converted. False: *end. */
static bool
put_arg(vm *m, value *a, int slot, buf *out, text *t, value *end)
{
	size_t from = out->len;

	*t = TEXT_NONE;
	if (!v_is_string(a[slot]))
		return true;
	if (!arg_string(m, a, slot, end))
		return false;
	str_put(STR(m, a[slot]), false, out);
	t->len = out->len - from;
	return true;
}

/* The texts of a[from .. from + n - 1], in the engine's buffer. */
static bool
arg_texts(vm *m, value *a, int from, unsigned n, text *t, value *end)
{
	buf *b = port_buf(port_engine(m));
	const char *p;

	for (unsigned i = 0; i < n; i++)
		if (!put_arg(m, a, from + (int)i, b, &t[i], end))
			return false;
	if (b->bad != CM_OK) {
		*end = vm_throw_memory(m);
		return false;
	}
	p = b->ptr;
	for (unsigned i = 0; i < n; p += t[i++].len)
		t[i].ptr = t[i].len ? p : "";
	return true;
}

static uint32_t
arg_count(value v)
{
	return v_is_number(v) ? (uint32_t)vm_int32(v_number(v)) : 0;
}

/* An array of a[0 .. n - 1]; a[7] is used. */
static value
list_of(vm *m, value *a, unsigned n)
{
	a[7] = array_make(m, 0, n);
	for (unsigned i = 0; a[7] != V_THROWN && i < n; i++)
		if (!array_push_value(m, &a[7], &a[i]))
			return vm_throw_memory(m);
	return a[7];
}

static value
refusal(vm *m, value *a, const char *error_code, text why)
{
	a[0] = vm_string(m, text_of(error_code));
	if (a[0] == V_THROWN || (a[1] = vm_string(m, why)) == V_THROWN)
		return V_THROWN;
	return list_of(m, a, 2);
}

static value
verdict_value(vm *m, value *a, const verdict *v)
{
	return v->code == NULL ? V_UNDEFINED
			       : refusal(m, a, v->code, text_of(v->why));
}

/* The value of JSON that stands in the engine's buffer. */
static value
parse_port_buf(vm *m, value *a, const buf *b)
{
	if (b->bad != CM_OK)
		return vm_throw_memory(m);
	return port_parse(m, a, buf_view(b), PORT_ROUND, NULL);
}

/* ------------------------------------------------------------ what it says */

value
native_host_print(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	said s = {.kind = SAID_PRINT};
	verdict v = {0};
	text t[3];
	value end;

	if (e->ended)
		return V_UNDEFINED;
	if (!arg_texts(m, a, 1, 3, t, &end))
		return end;
	s.u.print.kind = arg_count(a[0]);
	s.u.print.text = t[0];
	s.u.print.mime = t[1];
	s.u.print.extra = t[2];
	port_say(e, &s, &v);
	return verdict_value(m, a, &v);
}

value
native_host_done(vm *m, value *a, uint32_t argc)
{
	text t;
	value end;

	if (!arg_texts(m, a, 0, 1, &t, &end))
		return end;
	port_done(port_engine(m), a[0] == V_UNDEFINED ? TEXT_NONE : t);
	return V_UNDEFINED;
}

value
native_host_fail(vm *m, value *a, uint32_t argc)
{
	text t;
	value end;

	if (!arg_texts(m, a, 0, 1, &t, &end))
		return end;
	port_fail(port_engine(m), t);
	return V_UNDEFINED;
}

value
native_host_warn(vm *m, value *a, uint32_t argc)
{
	said s = {.kind = SAID_WARN};
	verdict v;
	value end;

	if (!arg_texts(m, a, 0, 1, &s.u.warn.json, &end))
		return end;
	port_say(port_engine(m), &s, &v);
	return V_UNDEFINED;
}

value
native_host_over(vm *m, value *a, uint32_t argc)
{
	return v_of_bool(port_engine(m)->ended);
}

/* ---------------------------------------------------------------------- calls */

static bool
call_grow(engine *e)
{
	return mem_grow(e->start.alloc, (void **)&e->call, &e->calls_cap,
	    e->calls, sizeof(*e->call));
}

/* The arguments of a call behind what is in the buffer. False: not plain. */
static bool
put_arguments(vm *m, value *a, buf *b, text *args, value *end)
{
	size_t from = b->len;

	*end = V_UNDEFINED;
	*args = TEXT_NONE;
	if (v_is_string(a[2]))
		return put_arg(m, a, 2, b, args, end);
	if (a[1] != V_UNDEFINED && !port_write(m, &a[1], b)) {
		if (m->stop != VM_GOES_ON)
			*end = V_THROWN;
		return false;
	}
	args->len = b->len - from;
	return true;
}

value
native_host_call(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	said s = {.kind = SAID_CALL};
	verdict v = {"MemoryLimit", "out of memory"};
	buf *b = port_buf(e);
	text stack, args;
	value end;

	if (!put_arg(m, a, 5, b, &stack, &end) ||
	    !put_arguments(m, a, b, &args, &end))
		return end;
	if (b->bad != CM_OK)
		return vm_throw_memory(m);
	stack.ptr = b->ptr;
	args.ptr = b->ptr + stack.len;
	if (call_grow(e)) {
		double ms = v_number(a[3]);

		s.u.call.id = (uint32_t)e->calls + 1;
		s.u.call.tool = arg_count(a[0]);
		s.u.call.args = args;
		s.u.call.stack = stack;
		s.u.call.timeout_ms = ms < 0 ? UINT64_MAX : (uint64_t)ms;
		port_say(e, &s, &v);
	}
	if (v.code != NULL)
		return verdict_value(m, a, &v);
	e->call[e->calls++] = (port_call){
	    .tool = s.u.call.tool, .open = true, .exact = a[4] == V_TRUE};
	e->pending++;
	return v_of_number((double)e->calls);
}

static port_call *
open_call(engine *e, uint32_t id)
{
	return id > 0 && id <= e->calls && e->call[id - 1].open
		   ? &e->call[id - 1]
		   : NULL;
}

value
native_host_cancel(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	port_call *c = open_call(e, arg_count(a[0]));
	said s = {.kind = SAID_CANCEL};
	verdict v;

	if (c == NULL || e->ended)
		return V_FALSE;
	c->open = false;
	e->pending--;
	s.u.cancel.id = arg_count(a[0]);
	port_say(e, &s, &v);
	return V_TRUE;
}

value
native_host_group(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	said s = {.kind = SAID_GROUP};
	buf *b = port_buf(e);
	verdict v;
	uint32_t n;
	const value *id = array_values(m, a[1], &n);

	if (e->ended || n < 2 || n > SAID_GROUP_MAX)
		return V_FALSE;
	for (uint32_t i = 0; i < n; i++) {
		port_call *c = open_call(e, arg_count(id[i]));

		if (c == NULL || c->grouped)
			return V_FALSE;
		buf_printf(b, "%c%u", i == 0 ? '[' : ',', arg_count(id[i]));
	}
	buf_byte(b, ']');
	if (b->bad != CM_OK)
		return V_FALSE;
	for (uint32_t i = 0; i < n; i++)
		e->call[arg_count(id[i]) - 1].grouped = true;
	s.u.group.all = a[0] == V_TRUE;
	s.u.group.calls = buf_view(b);
	port_say(e, &s, &v);
	return V_TRUE;
}

value
native_host_failing(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	bool unseen = e->unseen;

	e->failing = arg_count(a[0]);
	e->unseen = false;
	return v_of_bool(unseen);
}

value
native_host_unseen(vm *m, value *a, uint32_t argc)
{
	said s = {.kind = SAID_UNSEEN};
	verdict v;
	value end;

	if (!arg_texts(m, a, 1, 1, &s.u.unseen.stack, &end))
		return end;
	s.u.unseen.id = arg_count(a[0]);
	port_say(port_engine(m), &s, &v);
	return V_UNDEFINED;
}

value
native_host_data(vm *m, value *a, uint32_t argc)
{
	return port_parse(m, a, port_engine(m)->start.data, PORT_KEEP, NULL);
}

value
native_host_result(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	bool exact = e->call[e->current->id - 1].exact;

	return port_parse(m, a, e->current->json,
	    exact ? PORT_EXACT : PORT_ROUND, &e->rounded);
}

/* Once a tool. */
value
native_host_rounded(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	uint32_t tool = e->call[e->current->id - 1].tool;
	buf *path = port_buf(e);

	if (e->rounded.len == 0 || tool + 1 == e->rounded_tool)
		return V_UNDEFINED;
	e->rounded_tool = tool + 1;
	json_path_to(e->current->json, e->rounded.ptr, path);
	a[0] = v_of_number(tool);
	a[1] = vm_string(m, buf_view(path));
	a[2] = vm_string(m, e->rounded);
	return a[1] == V_THROWN || a[2] == V_THROWN ? V_THROWN
						    : list_of(m, a, 3);
}

/* The members that the owner gave, except those that every Error has, behind
 * [message, name, code]: the last one, if it is `code`, is the run's own. */
value
native_host_failure(vm *m, value *a, uint32_t argc)
{
	static const text own[] = {{"name", 4}, {"message", 7}, {"stack", 5}};
	const engine_answer *f = port_engine(m)->current;
	json_iter it = json_each(f->members);
	json key, v, error_code = TEXT_NONE;
	value *list = &a[6];

	a[0] = vm_string(m, f->message);
	a[1] = vm_string(m, f->name);
	a[2] = V_UNDEFINED;
	if (a[0] == V_THROWN || a[1] == V_THROWN ||
	    (*list = list_of(m, a, 3)) == V_THROWN)
		return V_THROWN;
	while (json_next(&it, &key, &v)) {
		bool skip = false;

		error_code = json_is(key, TEXT("code")) ? v : TEXT_NONE;
		for (size_t i = 0; i < 3; i++)
			skip = skip || json_is(key, own[i]);
		if (skip)
			continue;
		a[7] = port_parse(m, a, key, PORT_KEEP, NULL);
		if (a[7] == V_THROWN || !array_push_value(m, list, &a[7]))
			return V_THROWN;
		a[7] = port_parse(m, a, v, PORT_KEEP, NULL);
		if (a[7] == V_THROWN || !array_push_value(m, list, &a[7]))
			return V_THROWN;
	}
	if (error_code.len > 0) {
		a[7] = port_parse(m, a, error_code, PORT_KEEP, NULL);
		if (a[7] == V_THROWN || !element_put(H(m), list, 2, &a[7]))
			return V_THROWN;
	}
	return *list;
}

value
native_host_lines(vm *m, value *a, uint32_t argc)
{
	const engine_start *s = &port_engine(m)->start;

	return v_of_bool(s->host.fixed || s->call_lines);
}

value
native_host_open(vm *m, value *a, uint32_t argc)
{
	enum { TOLD = 64 };
	engine *e = port_engine(m);
	unsigned told = 0;

	a[0] = array_make(m, 0, 0);
	for (size_t i = 0; a[0] != V_THROWN && i < e->calls && told < TOLD;
	     i++) {
		if (!e->call[i].open)
			continue;
		a[1] = v_of_number((double)i + 1);
		if (!array_push_value(m, &a[0], &a[1]))
			return V_THROWN;
		told++;
	}
	return a[0];
}

value
native_host_busy(vm *m, value *a, uint32_t argc)
{
	return v_of_bool(port_engine(m)->ticking > 0);
}

value
native_host_awaited(vm *m, value *a, uint32_t argc)
{
	return v_of_bool(
	    v_int(*object_internal(H(m), v_ref(a[0]), PROMISE_FLAGS)) != 0);
}

/* Those of failed calls are the run's to tell. */
value
native_host_rejections(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);

	a[0] = array_make(m, 0, 0);
	for (size_t i = 0; a[0] != V_THROWN && i < e->rejections; i++) {
		if (e->rejection[i].call != 0)
			continue;
		a[1] = *object_internal(
		    H(m), v_ref(e->rejection[i].promise), PROMISE_VALUE);
		if (!array_push_value(m, &a[0], &a[1]))
			return V_THROWN;
	}
	return a[0];
}

value
native_host_site(vm *m, value *a, uint32_t argc)
{
	buf *b = port_buf(port_engine(m));

	vm_stack_text(m, b);
	return b->bad == CM_OK ? vm_string(m, buf_view(b)) : vm_throw_memory(m);
}

/* --------------------------------------------------------------------- timers */

value
native_host_timer(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	said s = {.kind = SAID_TIMER};
	verdict v = {0};
	double ms = v_is_number(a[0]) ? v_number(a[0]) : 0;

	if (e->ended)
		return v_of_int(0);
	s.u.timer.id = e->timers + 1;
	/* Rounded up: a timer is never early. */
	s.u.timer.ms = ms > 0 && ms < 1e15 ? (uint64_t)(ms + 0.999999) : 0;
	port_say(e, &s, &v);
	if (v.code != NULL)
		return verdict_value(m, a, &v);
	e->ticking++;
	return v_of_number(++e->timers);
}

value
native_host_clear(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	said s = {.kind = SAID_CLEAR};
	verdict v;

	s.u.clear.id = arg_count(a[0]);
	if (e->ended || s.u.clear.id == 0 || s.u.clear.id > e->timers)
		return V_UNDEFINED;
	if (e->ticking > 0)
		e->ticking--;
	port_say(e, &s, &v);
	return V_UNDEFINED;
}

value
native_host_fired(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);

	if (e->ticking > 0)
		e->ticking--;
	return V_UNDEFINED;
}

value
native_host_now(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	int64_t now = e->start.host.epoch_us(e->start.host.ctx);
	double ms = (double)(now - e->epoch_us) / 1000.0;

	if (a[0] == v_of_int(1))
		return v_of_number((double)e->epoch_us / 1000.0);
	if (ms < e->last_ms)
		ms = e->last_ms;
	e->last_ms = ms;
	return v_of_number(ms);
}

value
native_host_zone(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	buf name = BUF_INIT(e->start.alloc, 1024);
	buf *b;
	text t;
	value v;

	if (!put_arg(m, a, 0, &name, &t, &v))
		return v;
	b = port_buf(e);
	e->start.host.zone_file(e->start.host.ctx, buf_view(&name), b);
	v = b->len == 0 ? V_UNDEFINED : vm_string(m, buf_view(b));
	buf_fini(&name);
	return v;
}

/* ---------------------------------------------------------------------- store */

value
native_host_store(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	buf why = BUF_INIT(e->start.alloc, 1000);
	text t[2];
	cm_status r;
	value v;

	if (e->ended)
		return V_UNDEFINED;
	if (!arg_texts(m, a, 0, 2, t, &v))
		return v;
	r = store_set(
	    &e->store, t[0], a[1] == V_UNDEFINED ? TEXT_NONE : t[1], &why);
	v = r == CM_OK       ? V_UNDEFINED
	    : r == CM_ENOMEM ? vm_throw_memory(m)
			     : refusal(m, a, "StoreLimit", buf_view(&why));
	buf_fini(&why);
	return v;
}

value
native_host_load(vm *m, value *a, uint32_t argc)
{
	text key;
	value end;

	if (!arg_texts(m, a, 0, 1, &key, &end))
		return end;
	return port_parse(
	    m, a, store_get(&port_engine(m)->store, key), PORT_KEEP, NULL);
}

/* ---------------------------------------------------------------------- tools */

/* The space number of an argument; the text of the next one, in `name`. */
static bool
arg_member(vm *m, value *a, buf *name, int32_t *space, value *end)
{
	text t;

	*space = v_is_number(a[0]) ? vm_int32(v_number(a[0])) : 0;
	*name = BUF_INIT(port_engine(m)->start.alloc, SIZE_MAX / 2);
	if (!put_arg(m, a, 1, name, &t, end)) {
		buf_fini(name);
		return false;
	}
	return true;
}

value
native_host_member(vm *m, value *a, uint32_t argc)
{
	const engine_tools *tools = &port_engine(m)->start.tools;
	buf name, *path;
	engine_found found;
	uint32_t index = 0;
	int32_t space;
	value end;

	if (!arg_member(m, a, &name, &space, &end))
		return end;
	path = port_buf(port_engine(m));
	found = tools->find(tools->ctx, space, buf_view(&name), &index, path);
	buf_fini(&name);
	if (found == FOUND_NOTHING)
		return V_UNDEFINED;
	a[0] = v_of_number(index);
	if (found == FOUND_SPACE)
		return a[0];
	a[1] = vm_string(m, buf_view(path));
	a[2] = v_of_bool(found == FOUND_SPREAD);
	return a[1] == V_THROWN ? V_THROWN : list_of(m, a, 3);
}

value
native_host_unknown(vm *m, value *a, uint32_t argc)
{
	const engine_tools *tools = &port_engine(m)->start.tools;
	buf name, *b;
	int32_t space;
	value end;

	if (!arg_member(m, a, &name, &space, &end))
		return end;
	b = port_buf(port_engine(m));
	tools->unknown(tools->ctx, space, buf_view(&name), b);
	buf_fini(&name);
	return b->bad == CM_OK ? vm_string(m, buf_view(b)) : vm_throw_memory(m);
}

value
native_host_names(vm *m, value *a, uint32_t argc)
{
	const engine_tools *tools = &port_engine(m)->start.tools;
	buf *b = port_buf(port_engine(m));

	tools->names(tools->ctx, vm_int32(v_number(a[0])), b);
	return parse_port_buf(m, a, b);
}

value
native_host_tools(vm *m, value *a, uint32_t argc)
{
	const engine_tools *tools = &port_engine(m)->start.tools;
	buf *b = port_buf(port_engine(m));

	tools->list(tools->ctx, b);
	return parse_port_buf(m, a, b);
}

value
native_host_search(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	const engine_tools *tools = &e->start.tools;
	buf out = BUF_INIT(e->start.alloc, e->text.max);
	text t[2];
	value v;

	if (!arg_texts(m, a, 0, 2, t, &v))
		return v;
	tools->search(tools->ctx, t[0], t[1], arg_count(a[2]), &out);
	v = parse_port_buf(m, a, &out);
	buf_fini(&out);
	return v;
}

value
native_host_about(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	const engine_tools *tools = &e->start.tools;
	buf out = BUF_INIT(e->start.alloc, e->text.max);
	text t;
	value v;

	if (!arg_texts(m, a, 0, 1, &t, &v))
		return v;
	tools->describe(tools->ctx, t, &out);
	v = parse_port_buf(m, a, &out);
	buf_fini(&out);
	return v;
}

value
native_host_schema(vm *m, value *a, uint32_t argc)
{
	const engine_tools *tools = &port_engine(m)->start.tools;
	buf *b = port_buf(port_engine(m));

	tools->schema(tools->ctx, arg_count(a[0]), b);
	return parse_port_buf(m, a, b);
}

/* --------------------------------------------------------------------- values */

value
native_host_plain(vm *m, value *a, uint32_t argc)
{
	buf *b = port_buf(port_engine(m));

	if (!port_write(m, &a[0], b))
		return m->stop == VM_GOES_ON ? V_UNDEFINED : V_THROWN;
	return vm_string(m, buf_view(b));
}

/* Kinds of views and of iterators have numbers of their own. */
value
native_host_kind(vm *m, value *a, uint32_t argc)
{
	object_class class;
	int more = 0;

	if (!v_is_object(a[0]))
		return v_of_int(-1);
	class = object_class_of(H(m), v_ref(a[0]));
	if (class == CLASS_VIEW)
		more = v_int(*object_internal(H(m), v_ref(a[0]), VIEW_KIND));
	else if (class == CLASS_ITERATOR)
		more =
		    v_int(*object_internal(H(m), v_ref(a[0]), ITERATOR_BRAND));
	else if (class == CLASS_ERROR)
		more = object_proto(H(m), v_ref(a[0])) ==
		       v_ref(m->realm[R_dom_exception]);
	return v_of_int((int)class + 64 * more);
}

value
native_host_random(vm *m, value *a, uint32_t argc)
{
	engine *e = port_engine(m);
	uint32_t n = arg_count(a[0]);
	buf *b = port_buf(e);
	char *p = n > 65536 ? NULL : buf_room(b, n);

	if (p == NULL)
		return buffer_of_bytes(m, "", 0);
	random_bytes(&e->random, (uint8_t *)p, n);
	return buffer_of_bytes(m, p, n);
}

value
native_host_encode(vm *m, value *a, uint32_t argc)
{
	text t;
	value end;

	if (!arg_texts(m, a, 0, 1, &t, &end))
		return end;
	return buffer_of_bytes(m, t.ptr, t.len);
}

static value
utf16_string(vm *m, value *bytes)
{
	uint32_t n = (uint32_t)(buffer_bytes(m, *bytes).len / 2);
	ref r;

	if (!heap_reserve(H(m), str_bytes(n, true)))
		return vm_throw_memory(m);
	r = str_raw(H(m), n, true);
	if (n > 0)
		memcpy(CELL(H(m), r, cell_string)->u.wide,
		    buffer_bytes(m, *bytes).ptr, (size_t)n * 2);
	return v_of_string(r);
}

/* The bytes are copied first: to make the string may move them. */
value
native_host_decode(vm *m, value *a, uint32_t argc)
{
	enum { UTF8, FATAL, UTF16 };
	buf *b = port_buf(port_engine(m));
	uint32_t how = arg_count(a[0]);
	text t;

	if (!buffer_is_array(m, a[1]))
		return vm_throw(m, ERROR_TYPE, "not a Uint8Array");
	if (how == UTF16)
		return utf16_string(m, &a[1]);
	t = buffer_bytes(m, a[1]);
	if (how == FATAL && utf8_bad(t) != SIZE_MAX)
		return V_UNDEFINED;
	buf_decoded(b, t);
	return b->bad == CM_OK ? vm_string(m, buf_view(b)) : vm_throw_memory(m);
}

value
native_host_library(vm *m, value *a, uint32_t argc)
{
	text name;
	value end;

	if (!arg_texts(m, a, 0, 1, &name, &end))
		return end;
	return vm_library(m, name);
}
