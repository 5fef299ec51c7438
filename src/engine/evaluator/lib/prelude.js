// SPDX-License-Identifier: MIT
// What all files of lib/ use: the first objects, numbers of classes, well-known
// symbols, conversions, and the internal methods of objects by the spec, which
// proxies answer in JavaScript.

const ObjectPrototype = $proto_of({});
const FunctionPrototype = $proto_of(() => undefined);
const global = $create(ObjectPrototype, 0);
$realm("global", global);
$define(global, "undefined", undefined, 0);
$define(global, "NaN", 0 / 0, 0);
$define(global, "Infinity", 1 / 0, 0);

// As object_class in object.h.
const CLASS_OBJECT = 0;
const CLASS_ARRAY = 1;
const CLASS_FUNCTION = 2;
const CLASS_NATIVE = 3;
const CLASS_BOUND = 4;
const CLASS_ERROR = 5;
const CLASS_BOOLEAN = 6;
const CLASS_NUMBER = 7;
const CLASS_STRING = 8;
const CLASS_SYMBOL = 9;
const CLASS_BIGINT = 10;
const CLASS_PROMISE = 11;
const CLASS_COROUTINE = 12;
const CLASS_MAP = 13;
const CLASS_SET = 14;
const CLASS_WEAK = 15;
const CLASS_DATE = 16;
const CLASS_REGEXP = 17;
const CLASS_BUFFER = 18;
const CLASS_VIEW = 19;
const CLASS_PROXY = 20;
const CLASS_ARGUMENTS = 21;
const CLASS_ITERATOR = 22;

// Attributes of a property.
const P_WRITE = 1;
const P_ENUM = 2;
const P_CONFIG = 4;
const HIDDEN = P_WRITE | P_CONFIG;

const SymbolIterator = $symbol("Symbol.iterator");
const SymbolAsyncIterator = $symbol("Symbol.asyncIterator");
const SymbolHasInstance = $symbol("Symbol.hasInstance");
const SymbolToPrimitive = $symbol("Symbol.toPrimitive");
const SymbolToStringTag = $symbol("Symbol.toStringTag");
const SymbolSpecies = $symbol("Symbol.species");
const SymbolUnscopables = $symbol("Symbol.unscopables");
const SymbolDispose = $symbol("Symbol.dispose");
const SymbolAsyncDispose = $symbol("Symbol.asyncDispose");
const SymbolIsConcatSpreadable = $symbol("Symbol.isConcatSpreadable");
const SymbolMatch = $symbol("Symbol.match");
const SymbolMatchAll = $symbol("Symbol.matchAll");
const SymbolReplace = $symbol("Symbol.replace");
const SymbolSearch = $symbol("Symbol.search");
const SymbolSplit = $symbol("Symbol.split");
$realm("symbol_iterator", SymbolIterator);
$realm("symbol_async_iterator", SymbolAsyncIterator);
$realm("symbol_has_instance", SymbolHasInstance);
$realm("symbol_to_primitive", SymbolToPrimitive);
$realm("symbol_to_string_tag", SymbolToStringTag);
$realm("symbol_species", SymbolSpecies);
$realm("symbol_unscopables", SymbolUnscopables);
$realm("symbol_dispose", SymbolDispose);
$realm("symbol_async_dispose", SymbolAsyncDispose);
$realm("symbol_spreadable", SymbolIsConcatSpreadable);

// ------------------------------------------------------------- conversions

const to_integer = (v) => {
	const n = +v;

	return n !== n ? 0 : n === Infinity || n === -Infinity ? n : $truncate(n);
};

const to_length = (v) => {
	const n = to_integer(v);

	return n <= 0 ? 0 : n > 9007199254740991 ? 9007199254740991 : n;
};

const to_index = (v) => {
	const n = to_integer(v);

	if (n < 0 || n > 9007199254740991)
		$throw_range("invalid index");
	return n;
};

const to_object = (v) => {
	if ($is_object(v))
		return v;
	if (v === undefined || v === null)
		$throw_type("cannot convert to object");
	return wrap_primitive(v);
};

const wrap_primitive = (v) => {
	const proto = $home(v);
	const o = $create(proto,
	    typeof v === "string" ? CLASS_STRING :
	    typeof v === "number" ? CLASS_NUMBER :
	    typeof v === "boolean" ? CLASS_BOOLEAN :
	    typeof v === "symbol" ? CLASS_SYMBOL : CLASS_BIGINT);

	$set_inner(o, 0, v);
	return o;
};

// ToPrimitive of anything; hint: 0 default, 1 number, 2 string.
const to_primitive = (v, hint) => {
	if (!$is_object(v))
		return v;
	const convert = get_method(v, SymbolToPrimitive);

	if (convert !== undefined) {
		const r = $call(convert, v,
		    hint === 0 ? "default" : hint === 1 ? "number" : "string");

		if ($is_object(r))
			$throw_type("toPrimitive");
		return r;
	}
	return ordinary_primitive(v, hint);
};

const ordinary_primitive = (v, hint) => {
	for (let i = 0; i < 2; i++) {
		const f = (hint === 2) === (i === 0) ? v.toString : v.valueOf;

		if (!$is_callable(f))
			continue;
		const r = $call(f, v);
		if (!$is_object(r))
			return r;
	}
	$throw_type("toPrimitive");
};

// A key that natives take: a string, a symbol or a number.
const to_key = (v) => $is_object(v) ? to_key(to_primitive(v, 2)) :
    typeof v === "string" || typeof v === "symbol" ? v : `${v}`;

// -------------------------------------------------------- members of objects

const get_method = (v, key) => {
	const f = v[key];

	if (f === undefined || f === null)
		return undefined;
	if (!$is_callable(f))
		$throw_type("not a function");
	return f;
};

const prototype_for = (target, fallback) => {
	const p = target.prototype;

	if ($is_object(p))
		return p;
	if (is_proxy(target))
		proxy_target(target); // it may be revoked by now
	return fallback;
};

const species_constructor = (o, fallback) => {
	const c = o.constructor;

	if (c === undefined)
		return fallback;
	if (!$is_object(c))
		$throw_type("not an object");
	const s = c[SymbolSpecies];
	if (s === undefined || s === null)
		return fallback;
	if (!$is_constructor(s))
		$throw_type("not a constructor");
	return s;
};

const is_array = (v) => {
	while ($class_of(v) === CLASS_PROXY)
		v = proxy_target(v);
	return $class_of(v) === CLASS_ARRAY;
};

// The list of an array-like object's elements.
const list_from = (o) => {
	if (!$is_object(o))
		$throw_type("not an object");
	const n = to_length(o.length);

	if (n > 65535 * 16)
		$throw_range("too many arguments");
	const list = $new_list(n);
	for (let i = 0; i < n; i++)
		list[i] = o[i];
	return list;
};

const ordinary_has_instance = (c, v) => {
	if (!$is_callable(c))
		return false;
	if ($class_of(c) === CLASS_BOUND)
		return is_instance($inner(c, 0), v);
	if (!$is_object(v))
		return false;
	const p = c.prototype;
	if (!$is_object(p))
		$throw_type("operand 'prototype' property is not an object");
	for (;;) {
		v = get_proto(v);
		if (v === null)
			return false;
		if (v === p)
			return true;
	}
};

// v instanceof c
const is_instance = (c, v) => {
	if (!$is_object(c))
		$throw_type("invalid 'instanceof' right operand");
	const f = get_method(c, SymbolHasInstance);

	if (f !== undefined)
		return !!$call(f, c, v);
	if (!$is_callable(c))
		$throw_type("invalid 'instanceof' right operand");
	return ordinary_has_instance(c, v);
};

// ------------------------------------------------- internal methods of objects
// Descriptors are objects without prototype that have the fields that are given.

const is_proxy = (o) => $class_of(o) === CLASS_PROXY;

const get_proto = (o) => is_proxy(o) ? proxy_get_proto(o) : $proto_of(o);

const set_proto = (o, p) =>
    is_proxy(o) ? proxy_set_proto(o, p) : $set_proto(o, p);

const is_extensible = (o) =>
    is_proxy(o) ? proxy_is_extensible(o) : !$is_closed(o, 0);

const prevent_extensions = (o) => is_proxy(o) ? proxy_prevent_extensions(o) :
    $class_of(o) === CLASS_VIEW && $view_tracks(o) ? false : $close(o, 0);

const own_property = (o, key) =>
    is_proxy(o) ? proxy_own(o, key) : $own(o, key, null);

const has_own = (o, key) =>
    is_proxy(o) ? proxy_own(o, key) !== undefined : $own_attr(o, key) >= 0;

const array_length = (v) => {
	const n = v >>> 0;

	if (n !== +v)
		$throw_range("invalid array length");
	return n;
};

const define_property = (o, key, d) => {
	if (is_proxy(o))
		return proxy_define(o, to_key(key), d);
	if ("value" in d && key === "length" && $class_of(o) === CLASS_ARRAY)
		d.value = array_length(d.value);
	const r = $define_own(o, key, d);
	if (r !== undefined)
		return r;
	d.value = to_primitive(d.value, 1); // of a typed array
	return $define_own(o, key, d);
};

const has_property = (o, key) => {
	const p = $proxy_before(o, key);

	return p === undefined ? $has(o, key) : proxy_has(p, key);
};

const get_property = (o, key, receiver) => {
	const p = $proxy_before(o, key);

	return p === undefined ? $get(o, key, receiver) :
	    proxy_get(p, key, receiver);
};

// Returns success.
const set_property = (o, key, v, receiver) => {
	const p = $proxy_before(o, key);

	if (p !== undefined)
		return proxy_set(p, key, v, receiver);
	const r = $set(o, key, v, receiver);
	if (r === true || r === false)
		return r;
	if (r !== undefined) {
		$call(r, receiver, v);
		return true;
	}
	if (!is_proxy(receiver))
		return $set(o, key, $class_of(receiver) === CLASS_ARRAY ?
		    array_length(v) : to_primitive(v, 1), receiver);
	const d = proxy_own(receiver, key);
	if (d === undefined)
		return create_property(receiver, key, v);
	return "value" in d && d.writable &&
	    proxy_define(receiver, key, { __proto__: null, value: v });
};

const delete_property = (o, key) =>
    is_proxy(o) ? proxy_delete(o, key) : $delete(o, key);

const own_keys = (o) => is_proxy(o) ? proxy_keys(o) : $own_keys(o, 3);

// CreateDataProperty
const create_property = (o, key, v) => define_property(o, key, {
	__proto__: null, value: v, writable: true, enumerable: true,
	configurable: true,
});

// CreateDataPropertyOrThrow
const create_data = (o, key, v) => {
	if (!create_property(o, key, v))
		$throw_type("property is not configurable");
};

const getter_of = (o, key) => $own(o, key, null).get;
const setter_of = (o, key) => $own(o, key, null).set;

// A record of what a script gave as a descriptor.
const to_descriptor = (o) => {
	if (!$is_object(o))
		$throw_type("property descriptor must be an object");
	const d = { __proto__: null };

	if ("enumerable" in o)
		d.enumerable = !!o.enumerable;
	if ("configurable" in o)
		d.configurable = !!o.configurable;
	if ("value" in o)
		d.value = o.value;
	if ("writable" in o)
		d.writable = !!o.writable;
	if ("get" in o) {
		d.get = o.get;
		if (d.get !== undefined && !$is_callable(d.get))
			$throw_type("getter is not a function");
	}
	if ("set" in o) {
		d.set = o.set;
		if (d.set !== undefined && !$is_callable(d.set))
			$throw_type("setter is not a function");
	}
	if (("get" in d || "set" in d) && ("value" in d || "writable" in d))
		$throw_type("cannot have both accessors and value");
	return d;
};

// A descriptor as scripts see it.
const from_descriptor = (d) => {
	if (d === undefined)
		return undefined;
	const o = {};

	if ("value" in d)
		o.value = d.value;
	if ("writable" in d)
		o.writable = d.writable;
	if ("get" in d)
		o.get = d.get;
	if ("set" in d)
		o.set = d.set;
	if ("enumerable" in d)
		o.enumerable = d.enumerable;
	if ("configurable" in d)
		o.configurable = d.configurable;
	return o;
};

// ------------------------------------------------------------------ defining

// A global constructor, and its prototype for C.
const expose = (name, f) => $define(global, name, f, HIDDEN);
