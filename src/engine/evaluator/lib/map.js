// SPDX-License-Identifier: MIT
// Map, Set, WeakMap, WeakSet: tables of native_map.c.

const MapPrototype = $create(ObjectPrototype, CLASS_OBJECT);
const SetPrototype = $create(ObjectPrototype, CLASS_OBJECT);
const MapIteratorPrototype = $create(IteratorPrototype, CLASS_OBJECT);
const SetIteratorPrototype = $create(IteratorPrototype, CLASS_OBJECT);
$realm("map", MapPrototype);
$realm("set", SetPrototype);

const need_new = (target, name) => {
	if (target === undefined)
		$throw_type(`Constructor ${name} requires 'new'`);
};

const map_new = (proto) => {
	const map = $create(proto, CLASS_MAP);

	$table_make(map, 3);
	return map;
};

const set_new = (proto) => {
	const set = $create(proto, CLASS_SET);

	$table_make(set, 2);
	return set;
};

const add_entries = (map, items, adder) => {
	need_function(adder);
	iterate(items, (pair) => {
		if (!$is_object(pair))
			$throw_type("not an object");
		const k = pair[0], v = pair[1];
		$call(adder, map, k, v);
	});
};

const need_map = (map) => {
	if (!$is_object(map) || $class_of(map) !== CLASS_MAP)
		$throw_type("not a Map");
};

const need_set = (set) => {
	if (!$is_object(set) || $class_of(set) !== CLASS_SET)
		$throw_type("not a Set");
};

// ------------------------------------------------------------------------- Map

function Map(items = undefined) {
	need_new(new.target, "Map");
	const map = map_new(prototype_for(new.target, MapPrototype));

	if (items !== undefined && items !== null)
		add_entries(map, items, map.set);
	return map;
}

$methods(Map, {
	groupBy(items, f) {
		if (items === undefined || items === null)
			$throw_type("not an object");
		need_function(f);
		const map = map_new(MapPrototype);
		iterate(items, (v, k) => {
			const key = $call(f, undefined, v, k);
			let list = $table_get(map, key);

			if (list === undefined) {
				list = [];
				$table_set(map, key, list);
			}
			$define(list, list.length, v, 7);
		});
		return map;
	},
	get [SymbolSpecies]() {
		return this;
	},
});

const map_method = (name, f, length) =>
    $define(MapPrototype, name, $native(f, name, length), 5);
map_method("get", $map_get, 1);
map_method("set", $map_set, 2);
map_method("has", $map_has, 1);
map_method("delete", $map_delete, 1);
map_method("clear", $map_clear, 0);
map_method("entries", $map_entries, 0);
map_method("keys", $map_keys, 0);
map_method("values", $map_values, 0);
$methods(MapPrototype, {
	forEach(f, self = undefined) {
		const map = this;

		need_map(map);
		need_function(f);
		const it = $table_iterator(map, 2);
		let k;
		while ((k = $table_step(it)) !== it)
			$call(f, self, $table_value(it), k, map);
	},
	getOrInsert(key, v) {
		const map = this;

		need_map(map);
		if ($table_has(map, key))
			return $table_get(map, key);
		$table_set(map, key, v);
		return v;
	},
	getOrInsertComputed(key, f) {
		const map = this;

		need_map(map);
		need_function(f);
		if ($table_has(map, key))
			return $table_get(map, key);
		if (key === 0)
			key = 0;
		const v = $call(f, undefined, key);
		$table_set(map, key, v);
		return v;
	},
	get size() {
		need_map(this);
		return $table_size(this);
	},
});
$define(MapPrototype, SymbolIterator, MapPrototype.entries, 5);
$define(MapPrototype, SymbolToStringTag, "Map", 4);
$constructor(Map, MapPrototype);
expose("Map", Map);

$define(MapIteratorPrototype, "next", $native($map_next, "next", 0), 5);
$define(MapIteratorPrototype, SymbolToStringTag, "Map Iterator", 4);
$realm("map_iterator", MapIteratorPrototype);
$define(SetIteratorPrototype, "next", $native($set_next, "next", 0), 5);
$define(SetIteratorPrototype, SymbolToStringTag, "Set Iterator", 4);
$realm("set_iterator", SetIteratorPrototype);

// ------------------------------------------------------------------------- Set

function Set(items = undefined) {
	need_new(new.target, "Set");
	const set = set_new(prototype_for(new.target, SetPrototype));

	if (items !== undefined && items !== null) {
		const add = set.add;

		need_function(add);
		const method = iterator_method(items);
		if (add === set_add && $array_iterates(items, method)) {
			const n = items.length;

			for (let i = 0; i < n; i++)
				$table_set(set, items[i]);
			return set;
		}
		iterate_by(items, method, (v) => {
			$call(add, set, v);
		});
	}
	return set;
}

$methods(Set, {
	get [SymbolSpecies]() {
		return this;
	},
});

const set_method = (name, f, length) =>
    $define(SetPrototype, name, $native(f, name, length), 5);
set_method("add", $set_add, 1);
set_method("has", $set_has, 1);
set_method("delete", $set_delete, 1);
set_method("clear", $set_clear, 0);
set_method("entries", $set_entries, 0);
set_method("values", $set_values, 0);
const set_add = SetPrototype.add;

// {set, size, has, keys} of what a method of sets got.
const set_record = (of) => {
	if (!$is_object(of))
		$throw_type("not an object");
	const number = +of.size;
	if (number !== number)
		$throw_type("set-like size must be a number");
	const size = to_integer(number);
	if (size < 0)
		$throw_range("invalid set size");
	const has = of.has;
	need_function(has);
	const keys = of.keys;
	need_function(keys);
	return { __proto__: null, of, size, has, keys };
};

// Calls f(key) for each key of a set record, until it returns true.
const each_key = (record, f) => {
	const it = $call(record.keys, record.of);

	if (!$is_object(it))
		$throw_type("not an object");
	const next = it.next;
	const f2 = f();
	for (;;) {
		const r = $call(next, it);

		if (!$is_object(r))
			$throw_type("iterator must return an object");
		if (r.done)
			return false;
		if (f2(r.value)) {
			iterator_close(it);
			return true;
		}
	}
};

const record_has = (record, v) => !!$call(record.has, record.of, v);

const set_copy = (set) => {
	const copy = set_new(SetPrototype);

	$table_copy(copy, set);
	return copy;
};

$methods(SetPrototype, {
	difference(other) {
		const set = this;

		need_set(set);
		const record = set_record(other);
		const result = set_copy(set);
		if ($table_size(set) <= record.size) {
			const it = $table_iterator(set, 1);
			let v;

			while ((v = $table_step(it)) !== it)
				if (record_has(record, v))
					$table_delete(result, v);
		} else {
			each_key(record, () => (v) => {
				$table_delete(result, v);
			});
		}
		return result;
	},
	forEach(f, self = undefined) {
		const set = this;

		need_set(set);
		need_function(f);
		const it = $table_iterator(set, 1);
		let v;
		while ((v = $table_step(it)) !== it)
			$call(f, self, v, v, set);
	},
	intersection(other) {
		const set = this;

		need_set(set);
		const record = set_record(other), result = set_new(SetPrototype);
		if ($table_size(set) <= record.size) {
			const it = $table_iterator(set, 1);
			let v;

			while ((v = $table_step(it)) !== it)
				if (record_has(record, v))
					$table_set(result, v);
		} else {
			each_key(record, () => (v) => {
				if ($table_has(set, v))
					$table_set(result, v);
			});
		}
		return result;
	},
	isDisjointFrom(other) {
		const set = this;

		need_set(set);
		const record = set_record(other);
		if ($table_size(set) <= record.size) {
			const it = $table_iterator(set, 1);
			let v;

			while ((v = $table_step(it)) !== it)
				if (record_has(record, v))
					return false;
			return true;
		}
		return !each_key(record, () => (v) => $table_has(set, v));
	},
	isSubsetOf(other) {
		const set = this;

		need_set(set);
		const record = set_record(other);
		if ($table_size(set) > record.size)
			return false;
		const it = $table_iterator(set, 1);
		let v;
		while ((v = $table_step(it)) !== it)
			if (!record_has(record, v))
				return false;
		return true;
	},
	isSupersetOf(other) {
		const set = this;

		need_set(set);
		const record = set_record(other);
		if ($table_size(set) < record.size)
			return false;
		return !each_key(record, () => (v) => !$table_has(set, v));
	},
	symmetricDifference(other) {
		const set = this;
		let result;

		need_set(set);
		each_key(set_record(other), () => {
			result = set_copy(set);
			return (v) => {
				if ($table_has(set, v))
					$table_delete(result, v);
				else
					$table_set(result, v);
			};
		});
		return result;
	},
	union(other) {
		const set = this;
		let result;

		need_set(set);
		each_key(set_record(other), () => {
			result = set_copy(set);
			return (v) => {
				$table_set(result, v);
			};
		});
		return result;
	},
	get size() {
		need_set(this);
		return $table_size(this);
	},
});
$define(SetPrototype, "keys", SetPrototype.values, 5);
$define(SetPrototype, SymbolIterator, SetPrototype.values, 5);
$define(SetPrototype, SymbolToStringTag, "Set", 4);
$constructor(Set, SetPrototype);
expose("Set", Set);

// ---------------------------------------------------------------- WeakMap, WeakSet

const WeakMapPrototype = $create(ObjectPrototype, CLASS_OBJECT);
const WeakSetPrototype = $create(ObjectPrototype, CLASS_OBJECT);
$realm("weak_map", WeakMapPrototype);
$realm("weak_set", WeakSetPrototype);

const weak_new = (proto, parts) => {
	const o = $create(proto, CLASS_WEAK);

	$table_make(o, parts);
	return o;
};

// parts of an entry: 3 of a WeakMap, 2 of a WeakSet.
const need_weak = (o, parts) => {
	if (!$is_object(o) || $class_of(o) !== CLASS_WEAK ||
	    $table_parts(o) !== parts)
		$throw_type(parts === 3 ? "not a WeakMap" : "not a WeakSet");
};

const may_be_weak = (v) => $is_object(v) ||
    (typeof v === "symbol" && keys_of_symbols[v] === undefined);

const need_weak_key = (v, message) => {
	if (!may_be_weak(v))
		$throw_type(message);
};

function WeakMap(items = undefined) {
	need_new(new.target, "WeakMap");
	const map = weak_new(prototype_for(new.target, WeakMapPrototype), 3);

	if (items !== undefined && items !== null)
		add_entries(map, items, map.set);
	return map;
}

$methods(WeakMapPrototype, {
	delete(key) {
		need_weak(this, 3);
		return $table_delete(this, key);
	},
	get(key) {
		need_weak(this, 3);
		return $table_get(this, key);
	},
	getOrInsert(key, v) {
		need_weak(this, 3);
		need_weak_key(key, "invalid value used as WeakMap key");
		if ($table_has(this, key))
			return $table_get(this, key);
		$table_set(this, key, v);
		return v;
	},
	getOrInsertComputed(key, f) {
		need_weak(this, 3);
		need_weak_key(key, "invalid value used as WeakMap key");
		need_function(f);
		if ($table_has(this, key))
			return $table_get(this, key);
		const v = $call(f, undefined, key);
		$table_set(this, key, v);
		return v;
	},
	has(key) {
		need_weak(this, 3);
		return $table_has(this, key);
	},
	set(key, v) {
		need_weak(this, 3);
		need_weak_key(key, "invalid value used as WeakMap key");
		$table_set(this, key, v);
		return this;
	},
});
$define(WeakMapPrototype, SymbolToStringTag, "WeakMap", 4);
$constructor(WeakMap, WeakMapPrototype);
expose("WeakMap", WeakMap);

function WeakSet(items = undefined) {
	need_new(new.target, "WeakSet");
	const set = weak_new(prototype_for(new.target, WeakSetPrototype), 2);

	if (items !== undefined && items !== null) {
		const add = set.add;

		need_function(add);
		iterate(items, (v) => {
			$call(add, set, v);
		});
	}
	return set;
}

$methods(WeakSetPrototype, {
	add(v) {
		need_weak(this, 2);
		need_weak_key(v, "invalid value used in WeakSet");
		$table_set(this, v);
		return this;
	},
	delete(v) {
		need_weak(this, 2);
		return $table_delete(this, v);
	},
	has(v) {
		need_weak(this, 2);
		return $table_has(this, v);
	},
});
$define(WeakSetPrototype, SymbolToStringTag, "WeakSet", 4);
$constructor(WeakSet, WeakSetPrototype);
expose("WeakSet", WeakSet);
