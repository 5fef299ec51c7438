// SPDX-License-Identifier: MIT
// ArrayBuffer, typed arrays, DataView. Kinds are numbered as view_kind in
// native_buffer.h.

const VIEW_DATA = 12;
const view_names = ["Int8", "Uint8", "Uint8Clamped", "Int16", "Uint16", "Int32",
    "Uint32", "Float16", "Float32", "Float64", "BigInt64", "BigUint64"];
const view_widths = [1, 1, 1, 2, 2, 4, 4, 2, 4, 8, 8, 8];

const need_constructed = (target) => {
	if (target === undefined)
		$throw_type("must be called with new");
};

const is_buffer = (o) => $class_of(o) === CLASS_BUFFER;

const need_buffer = (o) => {
	if (!is_buffer(o))
		$throw_type("not an ArrayBuffer");
};

const need_attached = (buffer) => {
	const n = $buffer_size(buffer);

	if (n < 0)
		$throw_type("ArrayBuffer is detached");
	return n;
};

// The rest of a slice: [from, to) of 0 .. length.
const slice_end = (to, length) =>
    to === undefined ? length : relative_index(to, length);

// ------------------------------------------------------------------- buffers

const ArrayBufferPrototype = { };
$realm("buffer", ArrayBufferPrototype);

function ArrayBuffer(length, options = undefined) {
	need_constructed(new.target);
	const n = to_index(length);
	let most = $is_object(options) ? options.maxByteLength : undefined;

	if (most !== undefined)
		most = to_index(most);
	const proto = prototype_for(new.target, ArrayBufferPrototype);
	if (n > most)
		$throw_range("invalid array buffer max length");
	const o = $create(proto, CLASS_BUFFER);
	$buffer_init(o, n, most);
	return o;
}

const buffer_transfer = (o, length, fixed) => {
	need_buffer(o);
	const n = length === undefined ? $buffer_size(o) : to_index(length);
	const size = need_attached(o);
	const to = $create(ArrayBufferPrototype, CLASS_BUFFER);

	const most = fixed ? undefined : $buffer_max(o);
	if (n > most)
		$throw_range("invalid array buffer length");
	$buffer_init(to, n, most);
	$buffer_copy(to, 0, o, 0, size < n ? size : n);
	$buffer_detach(o);
	return to;
};

$methods(ArrayBuffer, {
	isView(v) {
		return $view_kind(v) >= 0;
	},
	get [SymbolSpecies]() {
		return this;
	},
});
$methods(ArrayBufferPrototype, {
	get byteLength() {
		need_buffer(this);
		const n = $buffer_size(this);
		return n < 0 ? 0 : n;
	},
	get detached() {
		need_buffer(this);
		return $buffer_size(this) < 0;
	},
	get maxByteLength() {
		need_buffer(this);
		const n = $buffer_size(this), most = $buffer_max(this);
		return n < 0 ? 0 : most === undefined ? n : most;
	},
	get resizable() {
		need_buffer(this);
		return $buffer_max(this) !== undefined;
	},
	resize(length) {
		need_buffer(this);
		const most = $buffer_max(this);

		if (most === undefined)
			$throw_type("array buffer is not resizable");
		const n = to_index(length);
		need_attached(this);
		if (n > most)
			$throw_range("invalid array buffer length");
		$buffer_resize(this, n);
	},
	slice(start, end) {
		need_buffer(this);
		const n = need_attached(this);
		const from = relative_index(start, n), to = slice_end(end, n);
		const size = to > from ? to - from : 0;
		const made = $construct(species_constructor(this, ArrayBuffer), [size]);

		need_buffer(made);
		need_attached(made);
		if (made === this)
			$throw_type("cannot use identical ArrayBuffer");
		if ($buffer_size(made) < size)
			$throw_type("new ArrayBuffer is too small");
		const left = need_attached(this) - from;
		if (left > 0)
			$buffer_copy(made, 0, this, from, left < size ? left : size);
		return made;
	},
	transfer(length = undefined) {
		return buffer_transfer(this, length, false);
	},
	transferToFixedLength(length = undefined) {
		return buffer_transfer(this, length, true);
	},
});
$define(ArrayBufferPrototype, SymbolToStringTag, "ArrayBuffer", 4);
$constructor(ArrayBuffer, ArrayBufferPrototype);
$define(global, "ArrayBuffer", ArrayBuffer, 5);

// -------------------------------------------------------------- typed arrays

const TypedArrayPrototype = { };
const typed_constructors = [], typed_prototypes = [];

function TypedArray() {
	$throw_type("cannot be called");
}

const is_typed = (o) => {
	const k = $view_kind(o);

	return k >= 0 && k !== VIEW_DATA;
};

const need_typed = (o) => {
	if (!is_typed(o))
		$throw_type("not a TypedArray");
};

// Its elements; it is a typed array that has its bytes.
const typed_length = (o) => {
	need_typed(o);
	const n = $view_length(o);

	if (n < 0)
		$throw_type("ArrayBuffer is detached or resized");
	return n;
};

const is_big = (kind) => kind >= 10;

const need_content = (a, b) => {
	if (is_big(a) !== is_big(b))
		$throw_type("cannot mix BigInt and Number typed arrays");
};

const typed_init = (o, kind, n) => {
	const buffer = $create(ArrayBufferPrototype, CLASS_BUFFER);

	$buffer_init(buffer, n * view_widths[kind], undefined);
	$view_init(o, buffer, 0, n, kind);
};

const typed_make = (kind, n) => {
	const o = $create(typed_prototypes[kind], CLASS_VIEW);

	typed_init(o, kind, n);
	return o;
};

const typed_of_buffer = (o, kind, buffer, offset, length) => {
	const width = view_widths[kind];
	const at = to_index(offset);
	let n;

	if (at % width !== 0)
		$throw_range("invalid offset");
	if (length !== undefined)
		n = to_index(length);
	const size = need_attached(buffer);
	if (length === undefined) {
		if ($buffer_max(buffer) === undefined) {
			if (size % width !== 0)
				$throw_range("invalid length");
			n = (size - at) / width;
			if (n < 0)
				$throw_range("invalid offset");
		} else if (at > size)
			$throw_range("invalid offset");
	} else if (at + n * width > size)
		$throw_range("invalid length");
	$view_init(o, buffer, at, n, kind);
};

const typed_of_typed = (o, kind, from) => {
	const n = typed_length(from);

	typed_init(o, kind, n);
	need_content(kind, $view_kind(from));
	$view_copy(o, 0, from, 0, n);
};

// What an iterator gives, as a plain list.
const list_of_iterable = (items, method) => {
	const it = $call(method, items), list = [];
	let n = 0;

	if (!$is_object(it))
		$throw_type("not an object");
	const next = it.next;
	for (;;) {
		const r = $call(next, it);

		if (!$is_object(r))
			$throw_type("iterator must return an object");
		if (r.done)
			return list;
		$define(list, n++, r.value, 7);
	}
};

const first_array_next = ArrayIteratorPrototype.next;

// Iterating over it gives its elements and calls nothing of the script.
const iterates_plainly = (items, method) =>
    method === ArrayPrototype.values && $class_of(items) === CLASS_ARRAY &&
    ArrayIteratorPrototype.next === first_array_next;

const typed_of_items = (o, kind, items) => {
	const method = get_method(items, SymbolIterator);
	const list = method === undefined || iterates_plainly(items, method) ?
	    items : list_of_iterable(items, method);
	const n = length_of(list);

	typed_init(o, kind, n);
	if (!$view_take(o, 0, list))
		for (let i = 0; i < n; i++)
			$view_set(o, i, list[i]);
};

const typed_class = (kind) => {
	const name = `${view_names[kind]}Array`, proto = { __proto__: TypedArrayPrototype };

	function Typed(first, offset, length) {
		need_constructed(new.target);
		if (!$is_object(first)) {
			const n = to_index(first);
			const o = $create(prototype_for(new.target, proto), CLASS_VIEW);

			typed_init(o, kind, n);
			return o;
		}
		const o = $create(prototype_for(new.target, proto), CLASS_VIEW);
		$view_init(o, undefined, 0, 0, kind);
		if (is_typed(first))
			typed_of_typed(o, kind, first);
		else if (is_buffer(first))
			typed_of_buffer(o, kind, first, offset, length);
		else
			typed_of_items(o, kind, first);
		return o;
	}
	$define(Typed, "name", name, 4);
	$constructor(Typed, proto);
	$set_proto(Typed, TypedArray);
	$define(Typed, "BYTES_PER_ELEMENT", view_widths[kind], 0);
	$define(proto, "BYTES_PER_ELEMENT", view_widths[kind], 0);
	$define(global, name, Typed, 5);
	typed_constructors[kind] = Typed;
	typed_prototypes[kind] = proto;
};

// What the class makes of args is a typed array of at least so many elements.
const typed_construct = (c, args, least) => {
	const o = $construct(c, args);
	const n = typed_length(o);

	if (n < least)
		$throw_type("TypedArray length is too small");
	return o;
};

const typed_species = (o, args, least) => {
	const kind = $view_kind(o);
	const made = typed_construct(
	    species_constructor(o, typed_constructors[kind]), args, least);

	need_content(kind, $view_kind(made));
	return made;
};

const typed_sort_list = (o, n, f) => {
	const list = $new_list(n);

	for (let i = 0; i < n; i++)
		list[i] = o[i];
	return merge_sort(list, n, f);
};

const typed_set_typed = (to, at, from) => {
	if ($view_length(to) < 0)
		$throw_type("ArrayBuffer is detached or resized");
	const n = typed_length(from);

	need_content($view_kind(to), $view_kind(from));
	if (at + n > $view_length(to))
		$throw_range("invalid array length");
	$view_copy(to, at, from, 0, n);
};

const typed_set_items = (to, at, from) => {
	const length = $view_length(to);

	if (length < 0)
		$throw_type("ArrayBuffer is detached or resized");
	const items = to_object(from), n = length_of(items);

	if (at + n > length)
		$throw_range("invalid array length");
	if (!$view_take(to, at, items))
		for (let i = 0; i < n; i++)
			$view_set(to, at + i, items[i]);
};

const typed_join = (o, n, separator, local) => {
	let joined = "";

	for (let i = 0; i < n; i++) {
		const v = o[i];

		if (i > 0)
			joined += separator;
		if (v !== undefined)
			joined += local === undefined ? v :
			    `${$apply(v.toLocaleString, v, local)}`;
	}
	return joined;
};

const typed_search = (o, f, self, begin, step, want_index) => {
	const n = typed_length(o);

	need_function(f);
	for (let i = step > 0 ? 0 : n - 1, left = n; left > 0; left--, i += step) {
		const v = o[i];

		if ($call(f, self, v, i, o))
			return want_index ? i : v;
	}
	return want_index ? -1 : undefined;
};

const typed_reduce = (o, f, args, step) => {
	const n = typed_length(o);
	let i = step > 0 ? 0 : n - 1, left = n, sum;

	need_function(f);
	if (args.length > 0)
		sum = args[0];
	else {
		if (n === 0)
			$throw_type("empty array");
		sum = o[i];
		i += step;
		left--;
	}
	for (; left > 0; left--, i += step)
		sum = $call(f, undefined, sum, o[i], i, o);
	return sum;
};

$methods(TypedArray, {
	from(source, f = undefined, self = undefined) {
		if (!$is_constructor(this))
			$throw_type("not a constructor");
		if (f !== undefined)
			need_function(f);
		const method = get_method(source, SymbolIterator);
		const list = method === undefined ? to_object(source) :
		    iterates_plainly(source, method) ? source :
		    list_of_iterable(source, method);
		const n = length_of(list);
		const to = typed_construct(this, [n], n);

		if (f === undefined && $view_take(to, 0, list))
			return to;
		for (let i = 0; i < n; i++) {
			const v = list[i];

			to[i] = f === undefined ? v : $call(f, self, v, i);
		}
		return to;
	},
	of(...items) {
		if (!$is_constructor(this))
			$throw_type("not a constructor");
		const n = items.length, to = typed_construct(this, [n], n);

		for (let i = 0; i < n; i++)
			to[i] = items[i];
		return to;
	},
	get [SymbolSpecies]() {
		return this;
	},
});

$methods(TypedArrayPrototype, {
	at(index) {
		const n = typed_length(this), i = to_integer(index);

		return this[i < 0 ? i + n : i];
	},
	get buffer() {
		need_typed(this);
		return $view_buffer(this);
	},
	get byteLength() {
		need_typed(this);
		const n = $view_length(this);
		return n < 0 ? 0 : n * view_widths[$view_kind(this)];
	},
	get byteOffset() {
		need_typed(this);
		return $view_offset(this);
	},
	copyWithin(target, start, end = undefined) {
		const n = typed_length(this), to = relative_index(target, n);
		const from = relative_index(start, n), last = slice_end(end, n);
		const count = last - from < n - to ? last - from : n - to;

		if (count <= 0)
			return this;
		const now = typed_length(this);
		const left = now - (from > to ? from : to);
		if (left > 0)
			$view_move(this, to, from, count < left ? count : left);
		return this;
	},
	entries() {
		typed_length(this);
		return array_iterator(this, 2);
	},
	every(f, self = undefined) {
		const n = typed_length(this);

		need_function(f);
		for (let i = 0; i < n; i++)
			if (!$call(f, self, this[i], i, this))
				return false;
		return true;
	},
	fill(v, start = undefined, end = undefined) {
		const n = typed_length(this), filler = $view_value(this, v);
		const from = relative_index(start, n), to = slice_end(end, n);

		typed_length(this);
		$view_fill(this, filler, from, to);
		return this;
	},
	filter(f, self = undefined) {
		const n = typed_length(this), kept = $new_list(n);
		let k = 0;

		need_function(f);
		for (let i = 0; i < n; i++) {
			const v = this[i];

			if ($call(f, self, v, i, this))
				kept[k++] = v;
		}
		const to = typed_species(this, [k], k);
		for (let i = 0; i < k; i++)
			to[i] = kept[i];
		return to;
	},
	find(f, self = undefined) {
		return typed_search(this, f, self, 0, 1, false);
	},
	findIndex(f, self = undefined) {
		return typed_search(this, f, self, 0, 1, true);
	},
	findLast(f, self = undefined) {
		return typed_search(this, f, self, 0, -1, false);
	},
	findLastIndex(f, self = undefined) {
		return typed_search(this, f, self, 0, -1, true);
	},
	forEach(f, self = undefined) {
		const n = typed_length(this);

		need_function(f);
		for (let i = 0; i < n; i++)
			$call(f, self, this[i], i, this);
	},
	includes(v, start = undefined) {
		const n = typed_length(this);

		if (n === 0)
			return false;
		const from = relative_index(start, n);
		// The conversion may have made it shorter.
		if (v === undefined)
			return from < n && $view_length(this) < n;
		return $view_find(this, v, from, n, true) >= 0;
	},
	indexOf(v, start = undefined) {
		const n = typed_length(this);

		if (n === 0)
			return -1;
		return $view_find(this, v, relative_index(start, n), n, false);
	},
	join(separator) {
		const n = typed_length(this);
		const between = separator === undefined ? "," : `${separator}`;

		return typed_join(this, n, between, undefined);
	},
	keys() {
		typed_length(this);
		return array_iterator(this, 0);
	},
	lastIndexOf(v, ...start) {
		const n = typed_length(this);

		if (n === 0)
			return -1;
		const i = start.length > 0 ? to_integer(start[0]) : n - 1;
		const from = i >= 0 ? i < n ? i : n - 1 : i + n;
		return from < 0 ? -1 : $view_find(this, v, from, -1, false);
	},
	get length() {
		need_typed(this);
		const n = $view_length(this);
		return n < 0 ? 0 : n;
	},
	map(f, self = undefined) {
		const n = typed_length(this);

		need_function(f);
		const to = typed_species(this, [n], n);
		for (let i = 0; i < n; i++)
			to[i] = $call(f, self, this[i], i, this);
		return to;
	},
	reduce(f, ...first) {
		return typed_reduce(this, f, first, 1);
	},
	reduceRight(f, ...first) {
		return typed_reduce(this, f, first, -1);
	},
	reverse() {
		typed_length(this);
		return $view_reverse(this);
	},
	set(source, offset = undefined) {
		need_typed(this);
		const at = to_integer(offset);

		if (at < 0)
			$throw_range("invalid offset");
		if (is_typed(source))
			typed_set_typed(this, at, source);
		else
			typed_set_items(this, at, source);
	},
	slice(start, end) {
		const n = typed_length(this);
		const from = relative_index(start, n), last = slice_end(end, n);
		const count = last > from ? last - from : 0;
		const to = typed_species(this, [count], count);

		if (count === 0)
			return to;
		const now = typed_length(this);
		const have = last < now ? last - from : now - from;
		if ($view_kind(to) === $view_kind(this)) {
			const room = $view_length(to);

			if (have > 0)
				$view_copy(to, 0, this, from, have < room ? have : room);
			return to;
		}
		for (let i = 0; i < have; i++)
			to[i] = this[from + i];
		return to;
	},
	some(f, self = undefined) {
		const n = typed_length(this);

		need_function(f);
		for (let i = 0; i < n; i++)
			if ($call(f, self, this[i], i, this))
				return true;
		return false;
	},
	sort(f) {
		if (f !== undefined)
			need_function(f);
		const n = typed_length(this);

		if (f === undefined)
			return $view_sort(this);
		const sorted = typed_sort_list(this, n, f);
		for (let i = 0; i < n; i++)
			$view_set(this, i, sorted[i]);
		return this;
	},
	subarray(start, end) {
		need_typed(this);
		const kind = $view_kind(this), size = $view_length(this);
		const n = size < 0 ? 0 : size, from = relative_index(start, n);
		const args = [$view_buffer(this),
		    $inner(this, 1) + from * view_widths[kind]];

		if (end !== undefined || !$view_tracks(this)) {
			const last = slice_end(end, n);

			args[2] = last > from ? last - from : 0;
		}
		return typed_species(this, args, 0);
	},
	toLocaleString(...local) {
		return typed_join(this, typed_length(this), ",", local);
	},
	toReversed() {
		const n = typed_length(this), to = typed_make($view_kind(this), n);

		$view_copy(to, 0, this, 0, n);
		return $view_reverse(to);
	},
	toSorted(f) {
		if (f !== undefined)
			need_function(f);
		const n = typed_length(this), to = typed_make($view_kind(this), n);

		$view_copy(to, 0, this, 0, n);
		if (f === undefined)
			return $view_sort(to);
		const sorted = typed_sort_list(to, n, f);
		for (let i = 0; i < n; i++)
			$view_set(to, i, sorted[i]);
		return to;
	},
	values() {
		typed_length(this);
		return array_iterator(this, 1);
	},
	with(index, v) {
		const n = typed_length(this), at = to_integer(index);
		const i = at < 0 ? at + n : at, changed = $view_value(this, v);
		const now = $view_length(this);

		if (i < 0 || i >= now)
			$throw_range("invalid array index");
		const to = typed_make($view_kind(this), n);
		$view_copy(to, 0, this, 0, n < now ? n : now);
		$view_set(to, i, changed);
		return to;
	},
	get [SymbolToStringTag]() {
		if (is_typed(this))
			return `${view_names[$view_kind(this)]}Array`;
	},
});
$define(TypedArrayPrototype, SymbolIterator, TypedArrayPrototype.values, 5);
$define(TypedArrayPrototype, "toString", ArrayPrototype.toString, 5);
$constructor(TypedArray, TypedArrayPrototype);
for (let kind = 0; kind < VIEW_DATA; kind++)
	typed_class(kind);
$realm("uint8_array", typed_prototypes[1]);

// ------------------------------------------------------- bytes of Uint8Array

const need_bytes = (o) => {
	if ($view_kind(o) !== 1)
		$throw_type("not a Uint8Array");
};

const options_of = (options) => {
	if (options !== undefined && !$is_object(options))
		$throw_type("options must be an object");
	return options;
};

// 1 base64, 2 base64url
const alphabet_of = (options) => {
	const name = options === undefined ? undefined : options.alphabet;

	if (name !== undefined && name !== "base64" && name !== "base64url")
		$throw_type("invalid alphabet");
	return name === "base64url" ? 2 : 1;
};

// 0 loose, 1 strict, 2 stop-before-partial
const last_chunk_of = (options) => {
	const name = options === undefined ? undefined : options.lastChunkHandling;

	if (name === undefined || name === "loose")
		return 0;
	if (name !== "strict" && name !== "stop-before-partial")
		$throw_type("invalid lastChunkHandling");
	return name === "strict" ? 1 : 2;
};

const need_text = (v) => {
	if (typeof v !== "string")
		$throw_type("expected string");
};

const bytes_of_text = (text, how, last) => {
	const r = $bytes_read(text, how, last, Infinity);

	if (r[2])
		$throw_syntax(how === 0 ? "invalid hex string" : "invalid base64 string");
	return r[1];
};

const set_bytes_of_text = (to, text, how, last) => {
	const r = $bytes_read(text, how, last, typed_length(to));

	$view_copy(to, 0, r[1], 0, $view_length(r[1]));
	if (r[2])
		$throw_syntax(how === 0 ? "invalid hex string" : "invalid base64 string");
	return { read: r[0], written: $view_length(r[1]) };
};

$methods(typed_constructors[1], {
	fromBase64(string, options = undefined) {
		need_text(string);
		const o = options_of(options), how = alphabet_of(o);
		return bytes_of_text(string, how, last_chunk_of(o));
	},
	fromHex(string) {
		need_text(string);
		return bytes_of_text(string, 0, 0);
	},
});
$methods(typed_prototypes[1], {
	setFromBase64(string, options = undefined) {
		need_bytes(this);
		need_text(string);
		const o = options_of(options), how = alphabet_of(o);
		return set_bytes_of_text(this, string, how, last_chunk_of(o));
	},
	setFromHex(string) {
		need_bytes(this);
		need_text(string);
		return set_bytes_of_text(this, string, 0, 0);
	},
	toBase64(options = undefined) {
		need_bytes(this);
		const o = options_of(options), how = alphabet_of(o);
		const bare = o !== undefined && !!o.omitPadding;

		typed_length(this);
		return $bytes_text(this, bare ? how + 4 : how);
	},
	toHex() {
		need_bytes(this);
		typed_length(this);
		return $bytes_text(this, 0);
	},
});

// ------------------------------------------------------------------ DataView

const DataViewPrototype = { };

function DataView(buffer, byteOffset = undefined, byteLength = undefined) {
	need_constructed(new.target);
	need_buffer(buffer);
	const at = to_index(byteOffset);
	let size = need_attached(buffer), n;

	if (at > size)
		$throw_range("invalid byteOffset");
	if (byteLength !== undefined) {
		n = to_index(byteLength);
		if (at + n > size)
			$throw_range("invalid byteLength");
	} else if ($buffer_max(buffer) === undefined)
		n = size - at;
	const o = $create(prototype_for(new.target, DataViewPrototype), CLASS_VIEW);
	// That may have changed the buffer.
	size = need_attached(buffer);
	if (at > size || at + n > size)
		$throw_range("invalid byteLength");
	$view_init(o, buffer, at, n, VIEW_DATA);
	return o;
}

const need_data = (o) => {
	if ($view_kind(o) !== VIEW_DATA)
		$throw_type("not a DataView");
};

const data_length = (o) => {
	need_data(o);
	const n = $view_length(o);

	if (n < 0)
		$throw_type("ArrayBuffer is detached or resized");
	return n;
};

$methods(DataViewPrototype, {
	get buffer() {
		need_data(this);
		return $view_buffer(this);
	},
	get byteLength() {
		return data_length(this);
	},
	get byteOffset() {
		data_length(this);
		return $view_offset(this);
	},
});

const data_methods = (kind) => {
	const name = view_names[kind];
	const { get, set } = {
		get(byteOffset, littleEndian = undefined) {
			return $data_get(this, byteOffset, littleEndian, kind);
		},
		set(byteOffset, v, littleEndian = undefined) {
			return $data_set(this, byteOffset, v, littleEndian, kind);
		},
	};

	$define(get, "name", `get${name}`, 4);
	$define(set, "name", `set${name}`, 4);
	$define(DataViewPrototype, get.name, get, 5);
	$define(DataViewPrototype, set.name, set, 5);
};
for (let kind = 0; kind < VIEW_DATA; kind++)
	if (view_names[kind] !== "Uint8Clamped")
		data_methods(kind);
$define(DataViewPrototype, SymbolToStringTag, "DataView", 4);
$constructor(DataView, DataViewPrototype);
$define(global, "DataView", DataView, 5);
