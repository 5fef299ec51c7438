// SPDX-License-Identifier: MIT
// Proxies: their internal methods, with the invariants that the traps must keep.

const PROXY_TARGET = 0;
const PROXY_HANDLER = 1;

const proxy_target = (p) => {
	if ($inner(p, PROXY_HANDLER) === null)
		$throw_type("revoked proxy");
	return $inner(p, PROXY_TARGET);
};

// The trap of that name; undefined: the target's own method is meant.
const proxy_trap = (p, name) => {
	proxy_target(p);
	return get_method($inner(p, PROXY_HANDLER), name);
};

const proxy_refuse = () => $throw_type("proxy: inconsistent result of a trap");

const proxy_get_proto = (p) => {
	const trap = proxy_trap(p, "getPrototypeOf"), o = $inner(p, PROXY_TARGET);

	if (trap === undefined)
		return get_proto(o);
	const r = $call(trap, $inner(p, PROXY_HANDLER), o);
	if (r !== null && !$is_object(r))
		proxy_refuse();
	if (!is_extensible(o) && r !== get_proto(o))
		proxy_refuse();
	return r;
};

const proxy_set_proto = (p, proto) => {
	const trap = proxy_trap(p, "setPrototypeOf"), o = $inner(p, PROXY_TARGET);

	if (trap === undefined)
		return set_proto(o, proto);
	if (!$call(trap, $inner(p, PROXY_HANDLER), o, proto))
		return false;
	if (!is_extensible(o) && proto !== get_proto(o))
		proxy_refuse();
	return true;
};

const proxy_is_extensible = (p) => {
	const trap = proxy_trap(p, "isExtensible"), o = $inner(p, PROXY_TARGET);

	if (trap === undefined)
		return is_extensible(o);
	const r = !!$call(trap, $inner(p, PROXY_HANDLER), o);
	if (r !== is_extensible(o))
		proxy_refuse();
	return r;
};

const proxy_prevent_extensions = (p) => {
	const trap = proxy_trap(p, "preventExtensions");
	const o = $inner(p, PROXY_TARGET);

	if (trap === undefined)
		return prevent_extensions(o);
	const r = !!$call(trap, $inner(p, PROXY_HANDLER), o);
	if (r && is_extensible(o))
		proxy_refuse();
	return r;
};

const is_accessor = (d) => "get" in d || "set" in d;
const is_data = (d) => "value" in d || "writable" in d;

// IsCompatiblePropertyDescriptor: of a property that is `now` (or undefined).
const is_compatible = (extensible, d, now) => {
	if (now === undefined)
		return extensible;
	if (now.configurable)
		return true;
	if (d.configurable)
		return false;
	if ("enumerable" in d && d.enumerable !== now.enumerable)
		return false;
	if (!is_accessor(d) && !is_data(d))
		return true;
	if (is_accessor(d) !== is_accessor(now))
		return false;
	if (is_accessor(now))
		return (!("get" in d) || d.get === now.get) &&
		    (!("set" in d) || d.set === now.set);
	if (now.writable)
		return true;
	return !d.writable && (!("value" in d) || $same(d.value, now.value));
};

const complete_descriptor = (d) => {
	if (!is_accessor(d)) {
		if (!("value" in d))
			d.value = undefined;
		if (!("writable" in d))
			d.writable = false;
	} else {
		if (!("get" in d))
			d.get = undefined;
		if (!("set" in d))
			d.set = undefined;
	}
	if (!("enumerable" in d))
		d.enumerable = false;
	if (!("configurable" in d))
		d.configurable = false;
	return d;
};

const proxy_own = (p, key) => {
	const trap = proxy_trap(p, "getOwnPropertyDescriptor");
	const o = $inner(p, PROXY_TARGET);

	if (trap === undefined)
		return own_property(o, key);
	const r = $call(trap, $inner(p, PROXY_HANDLER), o, key);
	if (r !== undefined && !$is_object(r))
		proxy_refuse();
	const now = own_property(o, key);
	if (r === undefined) {
		if (now !== undefined && (!now.configurable || !is_extensible(o)))
			proxy_refuse();
		return undefined;
	}
	const extensible = is_extensible(o);
	const d = complete_descriptor(to_descriptor(r));
	if (!is_compatible(extensible, d, now))
		proxy_refuse();
	if (!d.configurable && (now === undefined || now.configurable ||
	    (d.writable === false && now.writable)))
		proxy_refuse();
	return d;
};

const proxy_define = (p, key, d) => {
	const trap = proxy_trap(p, "defineProperty"), o = $inner(p, PROXY_TARGET);

	if (trap === undefined)
		return define_property(o, key, d);
	if (!$call(trap, $inner(p, PROXY_HANDLER), o, key, from_descriptor(d)))
		return false;
	const now = own_property(o, key);
	const extensible = is_extensible(o);
	const fixed = d.configurable === false;
	if (now === undefined) {
		if (!extensible || fixed)
			proxy_refuse();
		return true;
	}
	if (!is_compatible(extensible, d, now) || (fixed && now.configurable) ||
	    ("value" in now && !now.configurable && now.writable &&
	    d.writable === false))
		proxy_refuse();
	return true;
};

const proxy_has = (p, key) => {
	const trap = proxy_trap(p, "has"), o = $inner(p, PROXY_TARGET);

	if (trap === undefined)
		return has_property(o, key);
	if ($call(trap, $inner(p, PROXY_HANDLER), o, key))
		return true;
	const now = own_property(o, key);
	if (now !== undefined && (!now.configurable || !is_extensible(o)))
		proxy_refuse();
	return false;
};

const proxy_get = (p, key, receiver) => {
	const trap = proxy_trap(p, "get"), o = $inner(p, PROXY_TARGET);

	if (trap === undefined)
		return get_property(o, key, receiver);
	const v = $call(trap, $inner(p, PROXY_HANDLER), o, key, receiver);
	const now = own_property(o, key);
	if (now !== undefined && !now.configurable && ("value" in now ?
	    !now.writable && !$same(v, now.value) :
	    now.get === undefined && v !== undefined))
		proxy_refuse();
	return v;
};

const proxy_set = (p, key, v, receiver) => {
	const trap = proxy_trap(p, "set"), o = $inner(p, PROXY_TARGET);

	if (trap === undefined)
		return set_property(o, key, v, receiver);
	if (!$call(trap, $inner(p, PROXY_HANDLER), o, key, v, receiver))
		return false;
	const now = own_property(o, key);
	if (now !== undefined && !now.configurable && ("value" in now ?
	    !now.writable && !$same(v, now.value) : now.set === undefined))
		proxy_refuse();
	return true;
};

const proxy_delete = (p, key) => {
	const trap = proxy_trap(p, "deleteProperty"), o = $inner(p, PROXY_TARGET);

	if (trap === undefined)
		return delete_property(o, key);
	if (!$call(trap, $inner(p, PROXY_HANDLER), o, key))
		return false;
	const now = own_property(o, key);
	if (now !== undefined && (!now.configurable || !is_extensible(o)))
		proxy_refuse();
	return true;
};

// The keys that the trap gave, each once, strings and symbols.
const checked_keys = (r, seen) => {
	const keys = list_from(r);

	for (let i = 0; i < keys.length; i++) {
		const key = keys[i];

		if (typeof key !== "string" && typeof key !== "symbol")
			$throw_type("proxy: properties must be strings or symbols");
		if ($own_attr(seen, key) >= 0)
			$throw_type("proxy: duplicate property");
		$define(seen, key, true, 7);
	}
	return keys;
};

const proxy_keys = (p) => {
	const trap = proxy_trap(p, "ownKeys"), o = $inner(p, PROXY_TARGET);

	if (trap === undefined)
		return own_keys(o);
	const seen = { __proto__: null };
	const keys = checked_keys($call(trap, $inner(p, PROXY_HANDLER), o), seen);
	const extensible = is_extensible(o), owned = own_keys(o);
	let left = keys.length;
	for (let i = 0; i < owned.length; i++) {
		const d = own_property(o, owned[i]);

		if ($own_attr(seen, owned[i]) >= 0)
			left--;
		else if (!extensible || (d !== undefined && !d.configurable))
			proxy_refuse();
	}
	if (!extensible && left > 0)
		proxy_refuse();
	return keys;
};

const proxy_call = (p, self, list) => {
	const trap = proxy_trap(p, "apply"), f = $inner(p, PROXY_TARGET);

	return trap === undefined ? $apply(f, self, list) :
	    $call(trap, $inner(p, PROXY_HANDLER), f, self, list);
};

const proxy_construct = (p, list, target) => {
	const trap = proxy_trap(p, "construct"), f = $inner(p, PROXY_TARGET);

	if (trap === undefined)
		return $construct(f, list, target);
	const o = $call(trap, $inner(p, PROXY_HANDLER), f, list, target);
	if (!$is_object(o))
		$throw_type("not an object");
	return o;
};

const proxy_new = (target, handler) => {
	if (!$is_object(target) || !$is_object(handler))
		$throw_type("not an object");
	return $proxy(target, handler);
};

function Proxy(target, handler) {
	if (new.target === undefined)
		$throw_type("must be called with new");
	return proxy_new(target, handler);
}
expose("Proxy", Proxy);

$methods(Proxy, {
	revocable(target, handler) {
		const proxy = proxy_new(target, handler);

		return {
			proxy,
			revoke: (0, () => {
				$set_inner(proxy, PROXY_HANDLER, null);
			}),
		};
	},
});
