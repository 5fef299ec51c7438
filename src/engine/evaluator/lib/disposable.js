// SPDX-License-Identifier: MIT
// DisposableStack and AsyncDisposableStack. Their resources are a plain list of
// {value, dispose}: dispose(value) is called, from the last one on.

const DisposableStackPrototype = $create(ObjectPrototype, CLASS_OBJECT);
const AsyncDisposableStackPrototype = $create(ObjectPrototype, CLASS_OBJECT);

// Private names of what both have: an object of class CLASS_ITERATOR whose brand
// no iterator has. Of: the list, or null when it is disposed of.
const BRAND_STACK = 9;
const BRAND_ASYNC_STACK = 10;

const need_stack = (o, brand) => {
	if (!has_brand(o, brand))
		$throw_type(brand === BRAND_STACK ? "not a DisposableStack" :
		    "not an AsyncDisposableStack");
};

const open_stack = (o, brand) => {
	need_stack(o, brand);
	if ($inner(o, 0) === null)
		throw new ReferenceError("stack is already disposed");
	return $inner(o, 0);
};

const push_resource = (list, resource) => {
	$define(list, list.length, resource, 7);
};

// The method that disposes of v; of a sync one, its promise is not awaited.
const dispose_method = (v, later) => {
	let f;

	if (later) {
		f = get_method(v, SymbolAsyncDispose);
		if (f === undefined) {
			const sync = get_method(v, SymbolDispose);

			if (sync !== undefined)
				f = { f() {
					$call(sync, this);
				} }.f;
		}
	} else {
		f = get_method(v, SymbolDispose);
	}
	if (f === undefined)
		$throw_type("not disposable");
	return f;
};

const use_resource = (list, v, later) => {
	if (v === undefined || v === null) {
		if (later)
			push_resource(list, undefined);
		return v;
	}
	if (!$is_object(v))
		$throw_type("not an object");
	const f = dispose_method(v, later);
	push_resource(list, { __proto__: null, run: () => $call(f, v) });
	return v;
};

const adopt_resource = (list, v, f) => {
	need_function(f);
	push_resource(list, {
		__proto__: null, run: () => $call(f, undefined, v),
	});
	return v;
};

const move_stack = (o, proto, brand) => {
	const list = open_stack(o, brand);

	$set_inner(o, 0, null);
	return iterator_new(proto, list, undefined, undefined, brand);
};

function DisposableStack() {
	need_new(new.target, "DisposableStack");
	return iterator_new(prototype_for(new.target, DisposableStackPrototype),
	    [], undefined, undefined, BRAND_STACK);
}

const dispose_list = (list) => {
	let failed = false, error;

	for (let i = list.length - 1; i >= 0; i--)
		try {
			list[i].run();
		} catch (e) {
			error = failed ? new SuppressedError(e, error) : e;
			failed = true;
		}
	if (failed)
		throw error;
};

$methods(DisposableStackPrototype, {
	adopt(v, f) {
		return adopt_resource(open_stack(this, BRAND_STACK), v, f);
	},
	defer(f) {
		const list = open_stack(this, BRAND_STACK);

		need_function(f);
		push_resource(list, {
			__proto__: null, run: () => $call(f, undefined),
		});
	},
	dispose() {
		need_stack(this, BRAND_STACK);
		const list = $inner(this, 0);
		if (list === null)
			return;
		$set_inner(this, 0, null);
		dispose_list(list);
	},
	get disposed() {
		need_stack(this, BRAND_STACK);
		return $inner(this, 0) === null;
	},
	move() {
		return move_stack(this, DisposableStackPrototype, BRAND_STACK);
	},
	use(v) {
		return use_resource(open_stack(this, BRAND_STACK), v, false);
	},
});
$define(DisposableStackPrototype, SymbolDispose,
    DisposableStackPrototype.dispose, 5);
$define(DisposableStackPrototype, SymbolToStringTag, "DisposableStack", 4);
$constructor(DisposableStack, DisposableStackPrototype);
expose("DisposableStack", DisposableStack);

function AsyncDisposableStack() {
	need_new(new.target, "AsyncDisposableStack");
	return iterator_new(
	    prototype_for(new.target, AsyncDisposableStackPrototype),
	    [], undefined, undefined, BRAND_ASYNC_STACK);
}

// Awaits at least once when there is a resource that is nothing.
const dispose_list_later = async (list) => {
	let failed = false, error, awaits = false;

	for (let i = list.length - 1; i >= 0; i--) {
		if (list[i] === undefined) {
			awaits = true;
			continue;
		}
		awaits = false;
		try {
			await list[i].run();
		} catch (e) {
			error = failed ? new SuppressedError(e, error) : e;
			failed = true;
		}
	}
	if (awaits)
		await undefined;
	if (failed)
		throw error;
};

$methods(AsyncDisposableStackPrototype, {
	adopt(v, f) {
		return adopt_resource(open_stack(this, BRAND_ASYNC_STACK), v, f);
	},
	defer(f) {
		const list = open_stack(this, BRAND_ASYNC_STACK);

		need_function(f);
		push_resource(list, {
			__proto__: null, run: () => $call(f, undefined),
		});
	},
	disposeAsync() {
		try {
			need_stack(this, BRAND_ASYNC_STACK);
		} catch (e) {
			return rejected_with(e);
		}
		const list = $inner(this, 0);
		$set_inner(this, 0, null);
		return dispose_list_later(list === null ? [] : list);
	},
	get disposed() {
		need_stack(this, BRAND_ASYNC_STACK);
		return $inner(this, 0) === null;
	},
	move() {
		return move_stack(this, AsyncDisposableStackPrototype,
		    BRAND_ASYNC_STACK);
	},
	use(v) {
		return use_resource(open_stack(this, BRAND_ASYNC_STACK), v, true);
	},
});
$define(AsyncDisposableStackPrototype, SymbolAsyncDispose,
    AsyncDisposableStackPrototype.disposeAsync, 5);
$define(AsyncDisposableStackPrototype, SymbolToStringTag,
    "AsyncDisposableStack", 4);
$constructor(AsyncDisposableStack, AsyncDisposableStackPrototype);
expose("AsyncDisposableStack", AsyncDisposableStack);
