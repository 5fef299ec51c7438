// SPDX-License-Identifier: MIT
// Reflect.

const Reflect = {};
expose("Reflect", Reflect);
$define(Reflect, SymbolToStringTag, "Reflect", P_CONFIG);

const need_object = (o) => {
	if (!$is_object(o))
		$throw_type("not an object");
	return o;
};

$methods(Reflect, {
	apply(f, self, items) {
		need_callable(f);
		return $apply(f, self, list_from(items));
	},
	construct(f, items, ...rest) {
		const target = rest.length > 0 ? rest[0] : f;

		if (!$is_constructor(f) || !$is_constructor(target))
			$throw_type("not a constructor");
		return $construct(f, list_from(items), target);
	},
	defineProperty(o, key, attributes) {
		need_object(o);
		key = to_key(key);
		return define_property(o, key, to_descriptor(attributes));
	},
	deleteProperty(o, key) {
		need_object(o);
		return delete_property(o, to_key(key));
	},
	get(o, key, ...rest) {
		need_object(o);
		return get_property(o, to_key(key), rest.length > 0 ? rest[0] : o);
	},
	getOwnPropertyDescriptor(o, key) {
		need_object(o);
		return from_descriptor(own_property(o, to_key(key)));
	},
	getPrototypeOf(o) {
		need_object(o);
		return get_proto(o);
	},
	has(o, key) {
		need_object(o);
		return has_property(o, to_key(key));
	},
	isExtensible(o) {
		need_object(o);
		return is_extensible(o);
	},
	ownKeys(o) {
		need_object(o);
		return own_keys(o);
	},
	preventExtensions(o) {
		need_object(o);
		return prevent_extensions(o);
	},
	set(o, key, v, ...rest) {
		need_object(o);
		return set_property(
		    o, to_key(key), v, rest.length > 0 ? rest[0] : o);
	},
	setPrototypeOf(o, proto) {
		need_object(o);
		if (proto !== null && !$is_object(proto))
			$throw_type("not a prototype");
		return set_proto(o, proto);
	},
});
