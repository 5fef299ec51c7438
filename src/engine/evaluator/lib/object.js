// SPDX-License-Identifier: MIT
// Object, and Object.prototype.

$realm("object", ObjectPrototype);

function Object(v) {
	if (new.target !== undefined && new.target !== Object)
		return $create(
		    prototype_for(new.target, ObjectPrototype), CLASS_OBJECT);
	return v === undefined || v === null ? {} : to_object(v);
}
$constructor(Object, ObjectPrototype);
expose("Object", Object);

const need_defined = (done) => {
	if (!done)
		$throw_type("property is not configurable");
};

const define_all = (o, properties) => {
	const from = to_object(properties), keys = own_keys(from);
	const list = [];
	let n = 0;

	for (let i = 0; i < keys.length; i++) {
		const d = own_property(from, keys[i]);

		if (d === undefined || !d.enumerable)
			continue;
		$define(list, n++, {
			__proto__: null, key: keys[i],
			d: to_descriptor(get_property(from, keys[i], from)),
		}, 7);
	}
	for (let i = 0; i < n; i++)
		need_defined(define_property(o, list[i].key, list[i].d));
	return o;
};

// SetIntegrityLevel: 1 sealed, 2 frozen.
const set_integrity = (o, level) => {
	const kind = $class_of(o);

	if (kind !== CLASS_PROXY && kind !== CLASS_VIEW)
		return $close(o, level);
	if (!prevent_extensions(o))
		return false;
	const keys = own_keys(o);
	for (let i = 0; i < keys.length; i++) {
		const d = { __proto__: null, configurable: false };

		if (level === 2) {
			const now = own_property(o, keys[i]);

			if (now === undefined)
				continue;
			if ("value" in now)
				d.writable = false;
		}
		if (!define_property(o, keys[i], d))
			$throw_type(kind === CLASS_VIEW ?
			    "cannot freeze array buffer views with elements" :
			    "property is not configurable");
	}
	return true;
};

const has_integrity = (o, level) => {
	const kind = $class_of(o);

	if (kind !== CLASS_PROXY)
		return $is_closed(o, level);
	if (is_extensible(o))
		return false;
	const keys = own_keys(o);
	for (let i = 0; i < keys.length; i++) {
		const d = own_property(o, keys[i]);

		if (d !== undefined && (d.configurable ||
		    (level === 2 && "value" in d && d.writable)))
			return false;
	}
	return true;
};

// Own enumerable string keys (0), values (1), pairs (2).
const list_members = (v, what) => {
	const o = to_object(v), keys = own_keys(o), list = [];
	let n = 0;

	for (let i = 0; i < keys.length; i++) {
		const key = keys[i];

		if (typeof key === "symbol")
			continue;
		const d = own_property(o, key);
		if (d === undefined || !d.enumerable)
			continue;
		$define(list, n++, what === 0 ? key :
		    what === 1 ? get_property(o, key, o) :
		    [key, get_property(o, key, o)], 7);
	}
	return list;
};

// Of own_keys, the strings or the symbols.
const keys_of_type = (v, type) => {
	const keys = own_keys(to_object(v)), list = [];
	let n = 0;

	for (let i = 0; i < keys.length; i++)
		if (typeof keys[i] === type)
			$define(list, n++, keys[i], 7);
	return list;
};

const members = (native, name, what) => $define(Object, name,
    $native(native, name, 1, function (o) {
	return list_members(o, what);
    }), HIDDEN);
members($object_keys, "keys", 0);
members($object_values, "values", 1);
members($object_entries, "entries", 2);

$define(Object, "assign", $native($object_assign, "assign", 2,
    function (target, ...sources) {
	const to = to_object(target);

	for (let k = 0; k < sources.length; k++) {
		if (sources[k] === undefined || sources[k] === null)
			continue;
		const from = to_object(sources[k]), keys = own_keys(from);

		for (let i = 0; i < keys.length; i++) {
			const d = own_property(from, keys[i]);

			if (d !== undefined && d.enumerable)
				to[keys[i]] = get_property(from, keys[i], from);
		}
	}
	return to;
    }), HIDDEN);

$methods(Object, {
	create(proto, properties) {
		if (proto !== null && !$is_object(proto))
			$throw_type("not a prototype");
		const o = $create(proto, CLASS_OBJECT);

		return properties === undefined ? o : define_all(o, properties);
	},
	defineProperties(o, properties) {
		need_object(o);
		return define_all(o, properties);
	},
	defineProperty(o, key, attributes) {
		need_object(o);
		key = to_key(key);
		need_defined(define_property(o, key, to_descriptor(attributes)));
		return o;
	},
	freeze(v) {
		if ($is_object(v) && !set_integrity(v, 2))
			$throw_type("proxy preventExtensions handler returned false");
		return v;
	},
	fromEntries(items) {
		const o = {};

		iterate(items, (pair) => {
			if (!$is_object(pair))
				$throw_type("not an object");
			const key = pair[0], v = pair[1];
			$define(o, to_key(key), v, 7);
		});
		return o;
	},
	getOwnPropertyDescriptor(v, key) {
		const o = to_object(v);

		return from_descriptor(own_property(o, to_key(key)));
	},
	getOwnPropertyDescriptors(v) {
		const o = to_object(v), keys = own_keys(o), all = {};

		for (let i = 0; i < keys.length; i++) {
			const d = own_property(o, keys[i]);

			if (d !== undefined)
				$define(all, keys[i], from_descriptor(d), 7);
		}
		return all;
	},
	getOwnPropertyNames(v) {
		return keys_of_type(v, "string");
	},
	getOwnPropertySymbols(v) {
		return keys_of_type(v, "symbol");
	},
	getPrototypeOf(v) {
		return get_proto(to_object(v));
	},
	groupBy(items, f) {
		const groups = $create(null, CLASS_OBJECT);

		if (items === undefined || items === null)
			$throw_type("cannot convert to object");
		need_callable(f);
		iterate(items, (v, k) => {
			const key = to_key($call(f, undefined, v, k));

			if ($own_attr(groups, key) < 0)
				$define(groups, key, [], 7);
			const list = groups[key];
			$define(list, list.length, v, 7);
		});
		return groups;
	},
	hasOwn(v, key) {
		const o = to_object(v);

		return has_own(o, to_key(key));
	},
	is(a, b) {
		return $same(a, b);
	},
	isExtensible(v) {
		return $is_object(v) && is_extensible(v);
	},
	isFrozen(v) {
		return !$is_object(v) || has_integrity(v, 2);
	},
	isSealed(v) {
		return !$is_object(v) || has_integrity(v, 1);
	},
	preventExtensions(v) {
		if ($is_object(v) && !prevent_extensions(v))
			$throw_type("proxy preventExtensions handler returned false");
		return v;
	},
	seal(v) {
		if ($is_object(v) && !set_integrity(v, 1))
			$throw_type("proxy preventExtensions handler returned false");
		return v;
	},
	setPrototypeOf(v, proto) {
		if (v === undefined || v === null)
			$throw_type("not an object");
		if (proto !== null && !$is_object(proto))
			$throw_type("not a prototype");
		if ($is_object(v) && !set_proto(v, proto))
			$throw_type("cannot set prototype");
		return v;
	},
});

// ------------------------------------------------------------ Object.prototype

const builtin_tag = (o) => {
	if (is_array(o))
		return "Array";
	if ($is_callable(o))
		return "Function";
	const kind = $class_of(o);

	return kind === CLASS_ERROR ? "Error" : kind === CLASS_BOOLEAN ? "Boolean" :
	    kind === CLASS_NUMBER ? "Number" : kind === CLASS_STRING ? "String" :
	    kind === CLASS_DATE ? "Date" : kind === CLASS_REGEXP ? "RegExp" :
	    kind === CLASS_ARGUMENTS ? "Arguments" : "Object";
};

$methods(ObjectPrototype, {
	hasOwnProperty(key) {
		key = to_key(key);
		return has_own(to_object(this), key);
	},
	isPrototypeOf(v) {
		if (!$is_object(v))
			return false;
		const o = to_object(this);

		for (v = get_proto(v); v !== null; v = get_proto(v))
			if (v === o)
				return true;
		return false;
	},
	propertyIsEnumerable(key) {
		key = to_key(key);
		const d = own_property(to_object(this), key);
		return d !== undefined && d.enumerable;
	},
	toLocaleString() {
		return this.toString();
	},
	toString() {
		if (this === undefined)
			return "[object Undefined]";
		if (this === null)
			return "[object Null]";
		const o = to_object(this), builtin = builtin_tag(o);
		const tag = o[SymbolToStringTag];

		return `[object ${typeof tag === "string" ? tag : builtin}]`;
	},
	valueOf() {
		return to_object(this);
	},
	__defineGetter__(key, getter) {
		const o = to_object(this);

		need_callable(getter);
		need_defined(define_property(o, to_key(key), {
			__proto__: null, get: getter, enumerable: true,
			configurable: true,
		}));
	},
	__defineSetter__(key, setter) {
		const o = to_object(this);

		need_callable(setter);
		need_defined(define_property(o, to_key(key), {
			__proto__: null, set: setter, enumerable: true,
			configurable: true,
		}));
	},
	__lookupGetter__(key) {
		return lookup_accessor(to_object(this), to_key(key), "get");
	},
	__lookupSetter__(key) {
		return lookup_accessor(to_object(this), to_key(key), "set");
	},
	get __proto__() {
		return get_proto(to_object(this));
	},
	set __proto__(proto) {
		if (this === undefined || this === null)
			$throw_type("cannot convert to object");
		if ((proto === null || $is_object(proto)) && $is_object(this) &&
		    !set_proto(this, proto))
			$throw_type("cannot set prototype");
	},
});

const lookup_accessor = (o, key, which) => {
	for (; o !== null; o = get_proto(o)) {
		const d = own_property(o, key);

		if (d !== undefined)
			return d[which];
	}
	return undefined;
};
