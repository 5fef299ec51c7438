// SPDX-License-Identifier: MIT
// Iterators: their prototypes, the helpers, and what other files need to iterate
// over what a script gave them.

const IteratorPrototype = $create(ObjectPrototype, CLASS_OBJECT);
const AsyncIteratorPrototype = $create(ObjectPrototype, CLASS_OBJECT);
$realm("iterator", IteratorPrototype);
$realm("iterator_result", { value: undefined, done: false });

const BRAND_ARRAY = 1;
const BRAND_MAP = 2;
const BRAND_SET = 3;
const BRAND_STRING = 4;
const BRAND_HELPER = 6;
const BRAND_WRAP = 7;
const BRAND_SYNC = 8;
const BRAND_RAW_JSON = 11;
// Internal values of an iterator.
const ITERATOR_BRAND = 3;

const iterator_new = (proto, of, at, more, brand) => {
	const it = $create(proto, CLASS_ITERATOR);

	$set_inner(it, 0, of);
	$set_inner(it, 1, at);
	$set_inner(it, 2, more);
	$set_inner(it, ITERATOR_BRAND, brand);
	return it;
};

const has_brand = (o, brand) => $is_object(o) &&
    $class_of(o) === CLASS_ITERATOR && $inner(o, ITERATOR_BRAND) === brand;

const DONE = $done();

const iterator_close = (it) => {
	const close = get_method(it, "return");

	if (close !== undefined && !$is_object($call(close, it)))
		$throw_type("not an object");
};

// Because of an exception that counts more than what return() throws.
const iterator_close_quiet = (it) => {
	try {
		const close = get_method(it, "return");

		if (close !== undefined)
			$call(close, it);
	} catch { /* dropped */ }
};

// Calls f(value, index) for each; what f throws closes the iterator.
const iterate = (items, f) => iterate_by(items, iterator_method(items), f);

const iterator_method = (items) =>
    items === undefined || items === null ? undefined : items[SymbolIterator];

const iterate_by = (items, method, f) => {
	if (!$is_callable(method))
		$throw_type("value is not iterable");
	const it = $call(method, items);
	let k = 0;

	if (!$is_object(it))
		$throw_type("not an object");
	const next = it.next, quick = $iterator_is_table(it, next);
	for (;;) {
		let v;

		if (quick) {
			v = $iterator_step(it, next);
			if (v === DONE)
				return;
		} else {
			const r = $call(next, it);

			if (!$is_object(r))
				$throw_type("iterator must return an object");
			if (r.done)
				return;
			v = r.value;
		}
		try {
			f(v, k++);
		} catch (e) {
			iterator_close_quiet(it);
			throw e;
		}
	}
};

$methods(IteratorPrototype, {
	[SymbolIterator]() {
		return this;
	},
	[SymbolDispose]() {
		const close = get_method(this, "return");

		if (close !== undefined)
			$call(close, this);
	},
});

$methods(AsyncIteratorPrototype, {
	[SymbolAsyncIterator]() {
		return this;
	},
	[SymbolAsyncDispose]() {
		const it = this;

		return dispose_later(it);
	},
});

const dispose_later = async (it) => {
	const close = get_method(it, "return");

	if (close !== undefined)
		await $call(close, it);
};

// --------------------------------------------------------- iterators of arrays

const ArrayIteratorPrototype = $create(IteratorPrototype, CLASS_OBJECT);
$realm("array_iterator", ArrayIteratorPrototype);

// kind: 0 keys, 1 values, 2 entries.
const array_iterator = (o, kind) =>
    iterator_new(ArrayIteratorPrototype, o, 0, kind, BRAND_ARRAY);

$define(ArrayIteratorPrototype, "next",
    $native($array_next, "next", 0, function () {
	const it = this;

	if (!has_brand(it, BRAND_ARRAY))
		$throw_type("not an Array Iterator");
	const o = $inner(it, 0), i = $inner(it, 1), kind = $inner(it, 2);
	if (o === undefined)
		return { value: undefined, done: true };
	const n = is_typed(o) ? typed_length(o) : length_of(o);
	if (i >= n) {
		$set_inner(it, 0, undefined);
		return { value: undefined, done: true };
	}
	$set_inner(it, 1, i + 1);
	return {
		value: kind === 0 ? i : kind === 1 ? o[i] : [i, o[i]],
		done: false,
	};
    }), 5);
$realm("array_next", ArrayIteratorPrototype.next);
$define(ArrayIteratorPrototype, SymbolToStringTag, "Array Iterator", 4);

// -------------------------------------------------------------------- Iterator

function Iterator() {
	if (new.target === undefined || new.target === Iterator)
		$throw_type("Iterator is not a constructor");
	return $create(prototype_for(new.target, IteratorPrototype), CLASS_OBJECT);
}
$constructor(Iterator, IteratorPrototype);
expose("Iterator", Iterator);

// Accessors that let a subclass have the property of its own.
const weird_accessor = (key, value) => {
	const methods = {
		get [key]() {
			return value;
		},
		set [key](v) {
			if (!$is_object(this))
				$throw_type("not an object");
			if (this === IteratorPrototype)
				$throw_type("cannot assign to this property");
			if (has_own(this, key))
				this[key] = v;
			else
				create_data(this, key, v);
		},
	};
	$accessor(IteratorPrototype, key, getter_of(methods, key),
	    setter_of(methods, key), 4);
};
weird_accessor(SymbolToStringTag, "Iterator");
weird_accessor("constructor", Iterator);

// A helper's step(done) is called for each value: it returns one, or done. Its
// inner iterator, while flatMap() is in one, is closed first.
const IteratorHelperPrototype = $create(IteratorPrototype, CLASS_OBJECT);
const HELPER_NEW = 0;
const HELPER_WAITS = 1;
const HELPER_RUNS = 2;
const HELPER_DONE = 3;

const helper_new = (step, close) =>
    iterator_new(IteratorHelperPrototype, step, close, HELPER_NEW, BRAND_HELPER);

const helper_check = (it) => {
	if (!has_brand(it, BRAND_HELPER))
		$throw_type("not an Iterator Helper object");
	if ($inner(it, 2) === HELPER_RUNS)
		$throw_type("Iterator Helper is running");
};

$methods(IteratorHelperPrototype, {
	next() {
		const it = this;

		helper_check(it);
		if ($inner(it, 2) === HELPER_DONE)
			return { value: undefined, done: true };
		let end = HELPER_DONE;
		$set_inner(it, 2, HELPER_RUNS);
		try {
			const v = $inner(it, 0)(NOTHING);

			if (v === NOTHING)
				return { value: undefined, done: true };
			end = HELPER_WAITS;
			return { value: v, done: false };
		} finally {
			$set_inner(it, 2, end);
			if (end === HELPER_DONE)
				$set_inner(it, 0, undefined);
		}
	},
	return() {
		const it = this;

		helper_check(it);
		const state = $inner(it, 2);
		if (state !== HELPER_DONE) {
			$set_inner(it, 2, state === HELPER_NEW ?
			    HELPER_DONE : HELPER_RUNS);
			try {
				$inner(it, 1)();
			} finally {
				$set_inner(it, 2, HELPER_DONE);
			}
		}
		return { value: undefined, done: true };
	},
});
$define(IteratorHelperPrototype, SymbolToStringTag, "Iterator Helper", 4);
const NOTHING = { __proto__: null };

const need_iterator = (it) => {
	if (!$is_object(it))
		$throw_type("not an object");
};

// As need_function; the iterator is closed first.
const need_function_for = (it, f) => {
	if (!$is_callable(f)) {
		iterator_close_quiet(it);
		$throw_type("not a function");
	}
};

// The next value of an iterator, or NOTHING.
const step_of = (it, next) => {
	const r = $call(next, it);

	if (!$is_object(r))
		$throw_type("iterator must return an object");
	return r.done ? NOTHING : r.value;
};

const call_for = (it, f, v, k) => {
	try {
		return $call(f, undefined, v, k);
	} catch (e) {
		iterator_close_quiet(it);
		throw e;
	}
};

const helper_limit = (it, limit) => {
	let n;

	try {
		n = +limit;
		if (n !== n)
			$throw_range("must be positive");
		n = to_integer(n);
		if (n < 0 || (n > LENGTH_MAX && n !== Infinity))
			$throw_range("must be positive");
	} catch (e) {
		iterator_close_quiet(it);
		throw e;
	}
	return n;
};

// The iterator {it, next} of what flatMap() got; strings only when `strings`.
const flattenable = (v, strings) => {
	if (!$is_object(v) && !(strings && typeof v === "string"))
		$throw_type("not an object");
	const method = get_method(v, SymbolIterator);
	const it = method === undefined ? v : $call(method, v);
	if (!$is_object(it))
		$throw_type("not an object");
	return { __proto__: null, it, next: it.next };
};

$methods(IteratorPrototype, {
	drop(limit) {
		const it = this;

		need_iterator(it);
		let left = helper_limit(it, limit);
		const next = it.next;
		return helper_new(() => {
			while (left > 0) {
				if (left !== Infinity)
					left--;
				if (step_of(it, next) === NOTHING)
					return NOTHING;
			}
			return step_of(it, next);
		}, () => iterator_close(it));
	},
	every(f) {
		const it = this;
		let k = 0, v;

		need_iterator(it);
		need_function_for(it, f);
		const next = it.next;
		while ((v = step_of(it, next)) !== NOTHING)
			if (!call_for(it, f, v, k++)) {
				iterator_close(it);
				return false;
			}
		return true;
	},
	filter(f) {
		const it = this;
		let k = 0;

		need_iterator(it);
		need_function_for(it, f);
		const next = it.next;
		return helper_new(() => {
			let v;

			while ((v = step_of(it, next)) !== NOTHING)
				if (call_for(it, f, v, k++))
					break;
			return v;
		}, () => iterator_close(it));
	},
	find(f) {
		const it = this;
		let k = 0, v;

		need_iterator(it);
		need_function_for(it, f);
		const next = it.next;
		while ((v = step_of(it, next)) !== NOTHING)
			if (call_for(it, f, v, k++)) {
				iterator_close(it);
				return v;
			}
		return undefined;
	},
	flatMap(f) {
		const it = this;
		let k = 0, inside;

		need_iterator(it);
		need_function_for(it, f);
		const next = it.next;
		return helper_new(() => {
			for (;;) {
				if (inside === undefined) {
					const v = step_of(it, next);

					if (v === NOTHING)
						return NOTHING;
					try {
						inside = flattenable(
						    $call(f, undefined, v, k++), false);
					} catch (e) {
						iterator_close_quiet(it);
						throw e;
					}
				}
				let w;
				try {
					w = step_of(inside.it, inside.next);
				} catch (e) {
					iterator_close_quiet(it);
					throw e;
				}
				if (w !== NOTHING)
					return w;
				inside = undefined;
			}
		}, () => {
			if (inside !== undefined)
				try {
					iterator_close(inside.it);
				} catch (e) {
					iterator_close_quiet(it);
					throw e;
				}
			iterator_close(it);
		});
	},
	forEach(f) {
		const it = this;
		let k = 0, v;

		need_iterator(it);
		need_function_for(it, f);
		const next = it.next;
		while ((v = step_of(it, next)) !== NOTHING)
			call_for(it, f, v, k++);
	},
	map(f) {
		const it = this;
		let k = 0;

		need_iterator(it);
		need_function_for(it, f);
		const next = it.next;
		return helper_new(() => {
			const v = step_of(it, next);

			return v === NOTHING ? NOTHING : call_for(it, f, v, k++);
		}, () => iterator_close(it));
	},
	reduce(f, ...first) {
		const it = this;
		let k = 0, v, all;

		need_iterator(it);
		need_function_for(it, f);
		const next = it.next;
		if (first.length > 0) {
			all = first[0];
		} else {
			all = step_of(it, next);
			if (all === NOTHING)
				$throw_type("empty iterator");
			k = 1;
		}
		while ((v = step_of(it, next)) !== NOTHING)
			try {
				all = $call(f, undefined, all, v, k++);
			} catch (e) {
				iterator_close_quiet(it);
				throw e;
			}
		return all;
	},
	some(f) {
		const it = this;
		let k = 0, v;

		need_iterator(it);
		need_function_for(it, f);
		const next = it.next;
		while ((v = step_of(it, next)) !== NOTHING)
			if (call_for(it, f, v, k++)) {
				iterator_close(it);
				return true;
			}
		return false;
	},
	take(limit) {
		const it = this;

		need_iterator(it);
		let left = helper_limit(it, limit);
		const next = it.next;
		return helper_new(() => {
			if (left === 0) {
				iterator_close(it);
				return NOTHING;
			}
			if (left !== Infinity)
				left--;
			return step_of(it, next);
		}, () => iterator_close(it));
	},
	toArray() {
		const it = this, list = [];
		let k = 0, v;

		need_iterator(it);
		const next = it.next;
		while ((v = step_of(it, next)) !== NOTHING)
			$define(list, k++, v, 7);
		return list;
	},
});

// An iterator of another kind, with Iterator.prototype behind it.
const WrapPrototype = $create(IteratorPrototype, CLASS_OBJECT);
$methods(WrapPrototype, {
	next() {
		if (!has_brand(this, BRAND_WRAP))
			$throw_type("not a wrapped iterator");
		return $call($inner(this, 1), $inner(this, 0));
	},
	return() {
		if (!has_brand(this, BRAND_WRAP))
			$throw_type("not a wrapped iterator");
		const it = $inner(this, 0), close = get_method(it, "return");
		return close === undefined ? { value: undefined, done: true } :
		    $call(close, it);
	},
});

$methods(Iterator, {
	concat(...items) {
		const n = items.length, list = $new_list(n);
		let k = 0, it, next;

		for (let i = 0; i < n; i++) {
			const of = items[i];

			if (!$is_object(of))
				$throw_type("not an object");
			const open = get_method(of, SymbolIterator);
			if (open === undefined)
				$throw_type("value is not iterable");
			list[i] = { __proto__: null, of, open };
		}
		return helper_new(() => {
			for (;;) {
				if (it === undefined) {
					if (k === n)
						return NOTHING;
					const { of, open } = list[k++];
					const opened = $call(open, of);
					if (!$is_object(opened))
						$throw_type("not an object");
					next = opened.next;
					it = opened;
				}
				const v = step_of(it, next);
				if (v !== NOTHING)
					return v;
				it = undefined;
			}
		}, () => {
			if (it !== undefined)
				iterator_close(it);
		});
	},
	from(v) {
		const { it, next } = flattenable(v, true);

		return is_instance(Iterator, it) ? it :
		    iterator_new(WrapPrototype, it, next, undefined, BRAND_WRAP);
	},
});
