// SPDX-License-Identifier: MIT
// Arrays. Methods that call no function are natives with a fast way for plain
// arrays; what stands here does the same for every object.

const ArrayPrototype = $array_make(ObjectPrototype, 0);
$realm("array", ArrayPrototype);

// A list of the library's own: nothing behind it is asked about its elements.
const bare_list = (n) => $array_make(null, n);

const object_to_string = ObjectPrototype.toString;

const LENGTH_MAX = 9007199254740991;

const need_function = (f) => {
	if (!$is_callable(f))
		$throw_type("not a function");
};

const length_of = (o) => to_length(o.length);

const relative_index = (v, length) => {
	const i = to_integer(v);

	if (i < 0)
		return i + length > 0 ? i + length : 0;
	return i < length ? i : length;
};

const array_species_create = (o, length) => {
	let c;

	if ($array_has_species(o))
		return $new_list(length);
	if (is_array(o)) {
		c = o.constructor;
		if ($is_object(c)) {
			c = c[SymbolSpecies];
			if (c === null)
				c = undefined;
		}
	}
	if (c === undefined)
		return $array_make(ArrayPrototype, length);
	if (!$is_constructor(c))
		$throw_type("not a constructor");
	return $construct(c, [length], c);
};

// CreateDataPropertyOrThrow, mostly the next element of an array.
const put_item = (to, k, v) => {
	if (!$array_append(to, k, v))
		create_data(to, k, v);
};

// Every o[i] of 0 .. n - 1 in a new plain list; holes: left out, or undefined.
const list_of = (o, n, skip) => {
	const fast = $array_copy(o, n);

	if (fast !== undefined)
		return fast;
	if (n > 4294967295)
		$throw_range("invalid array length");
	const list = [];
	let k = 0;

	for (let i = 0; i < n; i++)
		if (!skip || i in o)
			$define(list, k++, o[i], 7);
	return list;
};

function Array(...items) {
	const proto = prototype_for(
	    new.target === undefined ? Array : new.target, ArrayPrototype);
	const n = items.length;

	if (n === 1 && typeof items[0] === "number") {
		const length = items[0] >>> 0;

		if (length !== items[0])
			$throw_range("invalid array length");
		return $array_make(proto, length);
	}
	const list = $array_make(proto, n);
	for (let i = 0; i < n; i++)
		$define(list, i, items[i], 7);
	return list;
}
$define(Array, "length", 1, 4);

const array_from_iterable = (c, items, method, f, self) => {
	const to = $is_constructor(c) ? $construct(c, [], c) : [];
	const it = $call(method, items);
	let k = 0;

	if (!$is_object(it))
		$throw_type("not an object");
	const next = it.next;
	for (;;) {
		const r = $call(next, it);

		if (!$is_object(r))
			$throw_type("iterator must return an object");
		if (r.done)
			break;
		let v = r.value;
		try {
			if (f !== undefined)
				v = $call(f, self, v, k);
			put_item(to, k++, v);
		} catch (e) {
			iterator_close_quiet(it);
			throw e;
		}
	}
	to.length = k;
	return to;
};

const from_async = async (c, items, f, self) => {
	if (f !== undefined)
		need_function(f);
	let method = get_method(items, SymbolAsyncIterator), sync, k = 0;

	if (method === undefined)
		sync = get_method(items, SymbolIterator);
	if (method !== undefined || sync !== undefined) {
		const to = $is_constructor(c) ? $construct(c, [], c) : [];
		let it = $call(method === undefined ? sync : method, items);

		if (!$is_object(it))
			$throw_type("not an object");
		if (method === undefined)
			it = async_from_sync(it, it.next);
		const next = it.next;
		for (;;) {
			const r = await $call(next, it);

			if (!$is_object(r))
				$throw_type("iterator must return an object");
			if (r.done) {
				to.length = k;
				return to;
			}
			let v = r.value;
			try {
				if (f !== undefined)
					v = await $call(f, self, v, k);
				put_item(to, k++, v);
			} catch (e) {
				try {
					const close = get_method(it, "return");
					if (close !== undefined)
						await $call(close, it);
				} catch { /* e counts */ }
				throw e;
			}
		}
	}
	const from = to_object(items), n = length_of(from);
	const to = $is_constructor(c) ? $construct(c, [n], c) :
	    $array_make(ArrayPrototype, n);
	for (; k < n; k++) {
		let v = await from[k];

		if (f !== undefined)
			v = await $call(f, self, v, k);
		put_item(to, k, v);
	}
	to.length = n;
	return to;
};

$methods(Array, {
	from(items, f = undefined, self = undefined) {
		const c = this;

		if (f !== undefined)
			need_function(f);
		const method = get_method(items, SymbolIterator);
		if (method !== undefined) {
			if (c === Array && f === undefined &&
			    $array_iterates(items, method)) {
				const list = $array_copy(items, items.length);

				if (list !== undefined)
					return list;
			}
			return array_from_iterable(c, items, method, f, self);
		}
		const from = to_object(items), n = length_of(from);
		const to = $is_constructor(c) ? $construct(c, [n], c) :
		    $array_make(ArrayPrototype, n);
		for (let k = 0; k < n; k++)
			put_item(to, k,
			    f === undefined ? from[k] : $call(f, self, from[k], k));
		to.length = n;
		return to;
	},
	fromAsync(items, f = undefined, self = undefined) {
		return from_async(this, items, f, self);
	},
	isArray(v) {
		return is_array(v);
	},
	of(...items) {
		const n = items.length, c = this;
		const to = $is_constructor(c) ? $construct(c, [n], c) :
		    $array_make(ArrayPrototype, n);

		for (let k = 0; k < n; k++)
			put_item(to, k, items[k]);
		to.length = n;
		return to;
	},
	get [SymbolSpecies]() {
		return this;
	},
});
$realm("array_constructor", Array);
$realm("array_species", getter_of(Array, SymbolSpecies));

// ------------------------------------------------------------------- sorting

// A list without holes, in the order of f; what f finds alike stays in order.
const merge_sort = (list, n, f) => {
	let from = list, to = n > 8 ? bare_list(n) : undefined;

	for (let begin = 0; begin < n; begin += 8) {
		const end = begin + 8 < n ? begin + 8 : n;

		for (let i = begin + 1; i < end; i++) {
			const v = from[i];
			let j = i;

			for (; j > begin && +$call(f, undefined, from[j - 1], v) > 0; j--)
				from[j] = from[j - 1];
			from[j] = v;
		}
	}
	for (let width = 8; width < n; width *= 2) {
		for (let begin = 0; begin < n; begin += 2 * width) {
			const middle = begin + width < n ? begin + width : n;
			const end = middle + width < n ? middle + width : n;
			let i = begin, j = middle, k = begin;

			while (i < middle && j < end)
				to[k++] = +$call(f, undefined, from[i], from[j]) > 0 ?
				    from[j++] : from[i++];
			while (i < middle)
				to[k++] = from[i++];
			while (j < end)
				to[k++] = from[j++];
		}
		const other = from;
		from = to;
		to = other;
	}
	return from;
};

// The same with undefined last, without a call.
const sort_list = (list, f) => {
	const n = list.length, values = bare_list(n);
	let k = 0;

	for (let i = 0; i < n; i++)
		if (list[i] !== undefined)
			values[k++] = list[i];
	let sorted = values;
	if (f !== undefined) {
		sorted = merge_sort(values, k, f);
	} else {
		const texts = bare_list(k);

		for (let i = 0; i < k; i++)
			texts[i] = typeof values[i] === "string" ? values[i] :
			    `${values[i]}`;
		$array_order(values, texts);
	}
	for (let i = k; i < n; i++)
		sorted[i] = undefined;
	return sorted;
};

// --------------------------------------------------------------- the methods

// What arrays are being joined: one inside of itself is "".
let joining;

const join_all = (o, separator, local) => {
	for (let j = joining; j !== undefined; j = j.outer)
		if (j.of === o)
			return "";
	const n = length_of(o);
	const between = local || separator === undefined ? "," : `${separator}`;
	const outer = joining;
	let s = "";

	joining = { __proto__: null, of: o, outer };
	try {
		for (let i = 0; i < n; i++) {
			const v = o[i];

			if (i > 0)
				s += between;
			if (v !== undefined && v !== null)
				s += local ? `${v.toLocaleString()}` : `${v}`;
		}
	} finally {
		joining = outer;
	}
	return s;
};

const flatten = (to, at, from, n, depth, f, self) => {
	const sure = $class_of(from) === CLASS_ARRAY;

	for (let i = 0; i < n; i++) {
		if (!sure && !(i in from))
			continue;
		let v = from[i];

		if (v === undefined && sure && !(i in from))
			continue;
		if (f !== undefined)
			v = $call(f, self, v, i, from);
		if (depth > 0 && is_array(v)) {
			at = flatten(to, at, v, length_of(v), depth - 1);
			continue;
		}
		if (at >= LENGTH_MAX)
			$throw_type("Array too long");
		put_item(to, at++, v);
	}
	return at;
};

const move_items = (o, from, to, count) => {
	if (from < to)
		for (let i = count - 1; i >= 0; i--)
			if (from + i in o)
				o[to + i] = o[from + i];
			else
				delete o[to + i];
	else
		for (let i = 0; i < count; i++)
			if (from + i in o)
				o[to + i] = o[from + i];
			else
				delete o[to + i];
};

const array_slow = {
	__proto__: null,
	at(index) {
		const o = to_object(this), n = length_of(o), i = to_integer(index);

		return i < 0 ? (i + n < 0 ? undefined : o[i + n]) :
		    i < n ? o[i] : undefined;
	},
	concat(...items) {
		const o = to_object(this), to = array_species_create(o, 0);
		let n = 0;

		for (let k = -1; k < items.length; k++) {
			const item = k < 0 ? o : items[k];
			let spreads = false;

			if ($is_object(item)) {
				spreads = item[SymbolIsConcatSpreadable];
				spreads = spreads === undefined ? is_array(item) :
				    !!spreads;
			}
			if (!spreads) {
				if (n >= LENGTH_MAX)
					$throw_type("Array too long");
				put_item(to, n++, item);
				continue;
			}
			const length = length_of(item);
			if (n + length > LENGTH_MAX)
				$throw_type("Array too long");
			for (let i = 0; i < length; i++)
				if (i in item)
					put_item(to, n + i, item[i]);
			n += length;
		}
		to.length = n;
		return to;
	},
	fill(v, start = undefined, end = undefined) {
		const o = to_object(this), n = length_of(o);
		const from = relative_index(start, n);
		const to = end === undefined ? n : relative_index(end, n);

		for (let i = from; i < to; i++)
			o[i] = v;
		return o;
	},
	includes(v, start = undefined) {
		const o = to_object(this), n = length_of(o);

		if (n === 0)
			return false;
		for (let i = relative_index(start, n); i < n; i++) {
			const w = o[i];

			if (w === v || (w !== w && v !== v))
				return true;
		}
		return false;
	},
	indexOf(v, start = undefined) {
		const o = to_object(this), n = length_of(o);

		if (n === 0)
			return -1;
		for (let i = relative_index(start, n); i < n; i++)
			if (i in o && o[i] === v)
				return i;
		return -1;
	},
	join(separator) {
		return join_all(to_object(this), separator, false);
	},
	lastIndexOf(v, ...from) {
		const o = to_object(this), n = length_of(o);

		if (n === 0)
			return -1;
		let i = from.length > 0 ? to_integer(from[0]) : n - 1;
		i = i < 0 ? i + n : i < n ? i : n - 1;
		for (; i >= 0; i--)
			if (i in o && o[i] === v)
				return i;
		return -1;
	},
	pop() {
		const o = to_object(this), n = length_of(o);

		if (n === 0) {
			o.length = 0;
			return undefined;
		}
		const v = o[n - 1];
		delete o[n - 1];
		o.length = n - 1;
		return v;
	},
	push(...items) {
		const o = to_object(this), n = length_of(o), count = items.length;

		if (n + count > LENGTH_MAX)
			$throw_type("Array too long");
		for (let i = 0; i < count; i++)
			o[n + i] = items[i];
		return o.length = n + count;
	},
	reverse() {
		const o = to_object(this), n = length_of(o);

		for (let i = 0, j = n - 1; i < j; i++, j--) {
			const low = i in o, a = low ? o[i] : undefined;
			const high = j in o, b = high ? o[j] : undefined;

			if (high)
				o[i] = b;
			else if (low)
				delete o[i];
			if (low)
				o[j] = a;
			else if (high)
				delete o[j];
		}
		return o;
	},
	shift() {
		const o = to_object(this), n = length_of(o);

		if (n === 0) {
			o.length = 0;
			return undefined;
		}
		const v = o[0];
		move_items(o, 1, 0, n - 1);
		delete o[n - 1];
		o.length = n - 1;
		return v;
	},
	slice(start, end) {
		const o = to_object(this), n = length_of(o);
		const from = relative_index(start, n);
		const to = end === undefined ? n : relative_index(end, n);
		const count = to > from ? to - from : 0;
		const list = array_species_create(o, count);

		for (let i = 0; i < count; i++)
			if (from + i in o)
				put_item(list, i, o[from + i]);
		list.length = count;
		return list;
	},
	splice(start, remove, ...items) {
		const o = to_object(this), n = length_of(o), add = items.length;
		const from = relative_index(start, n);
		const given = arguments.length;
		let count = 0;

		if (given === 1) {
			count = n - from;
		} else if (given > 1) {
			count = to_integer(remove);
			count = count < 0 ? 0 : count < n - from ? count : n - from;
		}
		if (n + add - count > LENGTH_MAX)
			$throw_type("Array too long");
		const out = array_species_create(o, count);
		for (let i = 0; i < count; i++)
			if (from + i in o)
				put_item(out, i, o[from + i]);
		out.length = count;
		if (add !== count) {
			move_items(o, from + count, from + add, n - from - count);
			for (let i = n - 1; i >= n - count + add; i--)
				delete o[i];
		}
		for (let i = 0; i < add; i++)
			o[from + i] = items[i];
		o.length = n - count + add;
		return out;
	},
	toReversed() {
		const o = to_object(this), n = length_of(o);
		const list = $array_make(ArrayPrototype, n);

		for (let i = 0; i < n; i++)
			$define(list, i, o[n - 1 - i], 7);
		return list;
	},
	unshift(...items) {
		const o = to_object(this), n = length_of(o), count = items.length;

		if (count > 0) {
			if (n + count > LENGTH_MAX)
				$throw_type("Array too long");
			move_items(o, 0, count, n);
			for (let i = 0; i < count; i++)
				o[i] = items[i];
		}
		return o.length = n + count;
	},
};

const array_method = (name, f, length) => $define(ArrayPrototype, name,
    $native(f, name, length, array_slow[name]), 5);
array_method("at", $array_at, 1);
array_method("concat", $array_concat, 1);
array_method("fill", $array_fill, 1);
array_method("includes", $array_includes, 1);
array_method("indexOf", $array_index_of, 1);
array_method("join", $array_join, 1);
array_method("lastIndexOf", $array_last_index_of, 1);
array_method("pop", $array_pop, 0);
array_method("push", $array_push, 1);
array_method("reverse", $array_reverse, 0);
array_method("shift", $array_shift, 0);
array_method("slice", $array_slice, 2);
array_method("splice", $array_splice, 2);
array_method("toReversed", $array_to_reversed, 0);
array_method("unshift", $array_unshift, 1);

// In a true array an element that is not undefined is there; only elsewhere must
// a proxy see that `in` is asked first.
$methods(ArrayPrototype, {
	copyWithin(target, start, end = undefined) {
		const o = to_object(this), n = length_of(o);
		const to = relative_index(target, n);
		const from = relative_index(start, n);
		const last = end === undefined ? n : relative_index(end, n);
		const count = last - from < n - to ? last - from : n - to;

		if (count > 0)
			move_items(o, from, to, count);
		return o;
	},
	entries() {
		return array_iterator(to_object(this), 2);
	},
	every(f, self = undefined) {
		const o = to_object(this), n = length_of(o);
		const sure = $class_of(o) === CLASS_ARRAY;

		need_function(f);
		for (let i = 0; i < n; i++) {
			if (!sure && !(i in o))
				continue;
			const v = o[i];
			if ((v !== undefined || i in o) && !$call(f, self, v, i, o))
				return false;
		}
		return true;
	},
	filter(f, self = undefined) {
		const o = to_object(this), n = length_of(o);
		const sure = $class_of(o) === CLASS_ARRAY;

		need_function(f);
		const to = array_species_create(o, 0);
		let k = 0;
		for (let i = 0; i < n; i++) {
			if (!sure && !(i in o))
				continue;
			const v = o[i];
			if ((v === undefined && !(i in o)) || !$call(f, self, v, i, o))
				continue;
			put_item(to, k++, v);
		}
		return to;
	},
	find(f, self = undefined) {
		const o = to_object(this), n = length_of(o);

		need_function(f);
		for (let i = 0; i < n; i++) {
			const v = o[i];

			if ($call(f, self, v, i, o))
				return v;
		}
	},
	findIndex(f, self = undefined) {
		const o = to_object(this), n = length_of(o);

		need_function(f);
		for (let i = 0; i < n; i++)
			if ($call(f, self, o[i], i, o))
				return i;
		return -1;
	},
	findLast(f, self = undefined) {
		const o = to_object(this), n = length_of(o);

		need_function(f);
		for (let i = n - 1; i >= 0; i--) {
			const v = o[i];

			if ($call(f, self, v, i, o))
				return v;
		}
	},
	findLastIndex(f, self = undefined) {
		const o = to_object(this), n = length_of(o);

		need_function(f);
		for (let i = n - 1; i >= 0; i--)
			if ($call(f, self, o[i], i, o))
				return i;
		return -1;
	},
	flat(depth = undefined) {
		const o = to_object(this), n = length_of(o);
		const deep = depth === undefined ? 1 : to_integer(depth);
		const to = array_species_create(o, 0);

		flatten(to, 0, o, n, deep);
		return to;
	},
	flatMap(f, self = undefined) {
		const o = to_object(this), n = length_of(o);

		need_function(f);
		const to = array_species_create(o, 0);
		flatten(to, 0, o, n, 1, f, self);
		return to;
	},
	forEach(f, self = undefined) {
		const o = to_object(this), n = length_of(o);
		const sure = $class_of(o) === CLASS_ARRAY;

		need_function(f);
		for (let i = 0; i < n; i++) {
			if (!sure && !(i in o))
				continue;
			const v = o[i];
			if (v !== undefined || i in o)
				$call(f, self, v, i, o);
		}
	},
	keys() {
		return array_iterator(to_object(this), 0);
	},
	map(f, self = undefined) {
		const o = to_object(this), n = length_of(o);
		const sure = $class_of(o) === CLASS_ARRAY;

		need_function(f);
		const fast = $array_has_species(o);
		const to = fast ? [] : array_species_create(o, n);
		for (let i = 0; i < n; i++) {
			if (!sure && !(i in o))
				continue;
			const v = o[i];
			if (v === undefined && !(i in o))
				continue;
			put_item(to, i, $call(f, self, v, i, o));
		}
		if (fast)
			to.length = n;
		return to;
	},
	reduce(f, ...first) {
		const o = to_object(this), n = length_of(o);
		const sure = $class_of(o) === CLASS_ARRAY;
		let i = 0, v;

		need_function(f);
		if (first.length > 0) {
			v = first[0];
		} else {
			while (i < n && !(i in o))
				i++;
			if (i >= n)
				$throw_type("empty array");
			v = o[i++];
		}
		for (; i < n; i++) {
			if (!sure && !(i in o))
				continue;
			const w = o[i];
			if (w !== undefined || i in o)
				v = $call(f, undefined, v, w, i, o);
		}
		return v;
	},
	reduceRight(f, ...first) {
		const o = to_object(this), n = length_of(o);
		let i = n - 1, v;

		need_function(f);
		if (first.length > 0) {
			v = first[0];
		} else {
			while (i >= 0 && !(i in o))
				i--;
			if (i < 0)
				$throw_type("empty array");
			v = o[i--];
		}
		for (; i >= 0; i--)
			if (i in o)
				v = $call(f, undefined, v, o[i], i, o);
		return v;
	},
	some(f, self = undefined) {
		const o = to_object(this), n = length_of(o);
		const sure = $class_of(o) === CLASS_ARRAY;

		need_function(f);
		for (let i = 0; i < n; i++) {
			if (!sure && !(i in o))
				continue;
			const v = o[i];
			if ((v !== undefined || i in o) && $call(f, self, v, i, o))
				return true;
		}
		return false;
	},
	sort(f) {
		if (f !== undefined)
			need_function(f);
		const o = to_object(this), n = length_of(o);
		const list = sort_list(list_of(o, n, true), f);
		const count = list.length;

		for (let i = 0; i < count; i++)
			o[i] = list[i];
		for (let i = count; i < n; i++)
			delete o[i];
		return o;
	},
	toLocaleString() {
		return join_all(to_object(this), undefined, true);
	},
	toSorted(f) {
		if (f !== undefined)
			need_function(f);
		const o = to_object(this), n = length_of(o);

		return $array_copy(sort_list(list_of(o, n, false), f), n);
	},
	toSpliced(start, remove, ...items) {
		const o = to_object(this), n = length_of(o), add = items.length;
		const from = relative_index(start, n);
		let count = 0;

		if (arguments.length === 1) {
			count = n - from;
		} else if (arguments.length > 1) {
			count = to_integer(remove);
			count = count < 0 ? 0 : count < n - from ? count : n - from;
		}
		if (n + add - count > LENGTH_MAX)
			$throw_type("Array too long");
		const list = $array_make(ArrayPrototype, n + add - count);
		for (let i = 0; i < from; i++)
			$define(list, i, o[i], 7);
		for (let i = 0; i < add; i++)
			$define(list, from + i, items[i], 7);
		for (let i = from + count; i < n; i++)
			$define(list, i + add - count, o[i], 7);
		return list;
	},
	toString() {
		const o = to_object(this), join = o.join;

		return $is_callable(join) ? $call(join, o) :
		    $call(object_to_string, o);
	},
	with(index, v) {
		const o = to_object(this), n = length_of(o), i = to_integer(index);
		const at = i < 0 ? i + n : i;

		if (at < 0 || at >= n)
			$throw_range("invalid array index");
		const list = $array_make(ArrayPrototype, n);
		for (let k = 0; k < n; k++)
			$define(list, k, k === at ? v : o[k], 7);
		return list;
	},
	values() {
		return array_iterator(to_object(this), 1);
	},
});
$define(ArrayPrototype, SymbolIterator, ArrayPrototype.values, 5);
$realm("array_values", ArrayPrototype.values);
$define(ArrayPrototype, SymbolUnscopables, {
	__proto__: null,
	at: true, copyWithin: true, entries: true, fill: true, find: true,
	findIndex: true, findLast: true, findLastIndex: true, flat: true,
	flatMap: true, includes: true, keys: true, toReversed: true,
	toSorted: true, toSpliced: true, values: true,
}, 4);
$constructor(Array, ArrayPrototype);
expose("Array", Array);
