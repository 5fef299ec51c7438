// SPDX-License-Identifier: MIT
// What instructions call when their fast way ends: see realm.def.

const OP_ADD = $op("ADD");
const OP_TO_NUMERIC = $op("TO_NUMERIC");
const OP_LE = $op("LE");
const OP_GT = $op("GT");
const OP_EQ = $op("EQ");
const OP_NE = $op("NE");

$realm("slow_primitive", to_primitive);

const nothing_has = (on, key, what) => {
	if (on === undefined || on === null)
		$throw_type(typeof key === "symbol" || $is_object(key) ?
		    `cannot ${what} property of ${on}` :
		    `cannot ${what} property '${key}' of ${on}`);
};

$realm("slow_get", (on, key, receiver) => {
	nothing_has(on, key, "read");
	return get_property($is_object(on) ? on : $home(on), to_key(key), receiver);
});

$realm("slow_set", (on, key, v, receiver, strict) => {
	nothing_has(on, key, "set");
	key = to_key(key);
	if (!set_property($is_object(on) ? on : $home(on), key, v, receiver) &&
	    strict)
		$throw_refused(on, key);
});

$realm("slow_delete", (on, key, strict) => {
	const done = delete_property(to_object(on), to_key(key));

	if (!done && strict)
		$throw_type("could not delete property");
	return done;
});

$realm("slow_has", (o, key) => has_property(o, to_key(key)));

$realm("slow_binary", (a, b, op) => {
	if (op === OP_ADD) {
		a = to_primitive(a, 0);
		return $binary(op, a, to_primitive(b, 0));
	}
	a = $unary(OP_TO_NUMERIC, to_primitive(a, 1));
	return $binary(op, a, $unary(OP_TO_NUMERIC, to_primitive(b, 1)));
});

$realm("slow_unary", (a, op) => $unary(op, to_primitive(a, 1)));

const loosely_equal = (a, b) => {
	if (a === undefined || a === null)
		return b === undefined || b === null;
	if (b === undefined || b === null)
		return false;
	if ($is_object(a) && $is_object(b))
		return a === b;
	a = to_primitive(a, 0);
	return $compare(OP_EQ, a, to_primitive(b, 0));
};

$realm("slow_compare", (a, b, op) => {
	if (op === OP_EQ)
		return loosely_equal(a, b);
	if (op === OP_NE)
		return !loosely_equal(a, b);
	a = to_primitive(a, 1);
	return $compare(op, a, to_primitive(b, 1));
});

$realm("slow_key", to_key);
$realm("slow_string", (o) => `${to_primitive(o, 2)}`);

$realm("slow_in", (key, o) => {
	if (!$is_object(o))
		$throw_type("invalid 'in' operand");
	return has_property(o, to_key(key));
});

$realm("slow_instanceof", (v, c) => is_instance(c, v));

const name_of_key = (key) => typeof key === "number" ? `${key}` : key;

const is_among = (list, key) => {
	for (let i = 0; i < list.length; i++)
		if (name_of_key(list[i]) === key)
			return true;
	return false;
};

$realm("slow_copy_members", (to, from, but) => {
	if (from === undefined || from === null)
		return;
	from = to_object(from);
	const keys = own_keys(from);

	for (let i = 0; i < keys.length; i++) {
		const key = keys[i];

		if (but !== undefined && is_among(but, key))
			continue;
		const d = own_property(from, key);
		if (d !== undefined && d.enumerable)
			$define(to, key, get_property(from, key, from), 7);
	}
});

// ---------------------------------------------------------------- for (... in)

// Has an object before it no enumerable name on its prototypes?
const inherits_no_name = (o) => {
	for (;;) {
		if (is_proxy(o))
			return false;
		o = $proto_of(o);
		if (o === null)
			return true;
		if (is_proxy(o) || $own_keys(o, 5).length > 0)
			return false;
	}
};

const all_names = (o) => {
	const names = [], seen = { __proto__: null };
	let n = 0;

	for (; o !== null; o = get_proto(o)) {
		const keys = own_keys(o);

		for (let i = 0; i < keys.length; i++) {
			const key = keys[i];

			if (typeof key === "symbol" || $own_attr(seen, key) >= 0)
				continue;
			const d = own_property(o, key);
			if (d === undefined)
				continue;
			$define(seen, key, true, 7);
			if (d.enumerable)
				$define(names, n++, key, 7);
		}
	}
	return names;
};

$realm("slow_keys", (v) => {
	if (v === undefined || v === null)
		return [];
	const o = to_object(v);

	return inherits_no_name(o) ? $own_keys(o, 5) : all_names(o);
});

// ------------------------------------------------------------------ iterating

const need_iterator_object = (it) => {
	if (!$is_object(it))
		$throw_type("not an object");
	return it;
};

$realm("slow_iterate", (v, async) => {
	let f, wraps = false;

	if (async) {
		f = get_method(v, SymbolAsyncIterator);
		wraps = f === undefined;
	}
	if (f === undefined)
		f = v === undefined || v === null ? undefined :
		    v[SymbolIterator];
	if (!$is_callable(f))
		$throw_type(v === undefined || v === null ?
		    `cannot read property 'Symbol.iterator' of ${v}` :
		    "value is not iterable");
	let it = need_iterator_object($call(f, v));
	if (wraps)
		it = async_from_sync(it, it.next);
	return [it, it.next];
});

$realm("slow_next", (it, next) => {
	const r = $call(next, it);

	if (!$is_object(r))
		$throw_type("iterator must return an object");
	return r.done ? $done() : r.value;
});

$realm("slow_result", (r) => {
	if (!$is_object(r))
		$throw_type("iterator must return an object");
	return r.done ? $done() : r.value;
});

$realm("slow_close", (it) => iterator_close(it));
$realm("slow_close_quiet", (it) => iterator_close_quiet(it));

$realm("slow_spread", (list, items) => {
	let n = list.length;

	iterate(items, (v) => $define(list, n++, v, 7));
});

$realm("slow_rest", (it, next) => {
	const list = [];
	let n = 0;

	for (;;) {
		const r = $call(next, it);

		if (!$is_object(r))
			$throw_type("iterator must return an object");
		if (r.done)
			return list;
		$define(list, n++, r.value, 7);
	}
});

$realm("slow_await", (v) => promise_resolve(Promise, v));

// -------------------------------------------------------------------- calling

$realm("slow_construct", (f, list, target) => is_proxy(f) ?
    proxy_construct(f, list, target) :
    $construct_with(f, list, target, prototype_for(target, ObjectPrototype)));

$realm("slow_call", (f, self, list) => proxy_call(f, self, list));
$realm("slow_proto", (f) => f.prototype);
