// SPDX-License-Identifier: MIT
// Promises. What a promise is, and who waits for it, is in C (vm_wait.c).

const PromisePrototype = $create(ObjectPrototype, CLASS_OBJECT);
$realm("promise", PromisePrototype);

const is_promise = (v) => $is_object(v) && $class_of(v) === CLASS_PROMISE;

// The promise resolve functions of ECMA-262, for a promise that is pending.
const slow_resolve = (promise, value) => {
	let then;

	if (value === promise) {
		$promise_settle(promise, true,
		    new TypeError("promise self resolution"));
		return;
	}
	if (!$is_object(value)) {
		$promise_settle(promise, false, value);
		return;
	}
	try {
		then = value.then;
	} catch (e) {
		$promise_settle(promise, true, e);
		return;
	}
	if ($is_callable(then))
		$enqueue(follow_thenable, promise, value, then);
	else
		$promise_settle(promise, false, value);
};
$realm("slow_resolve", slow_resolve);

const follow_thenable = (promise, value, then) => {
	const two = resolving_functions(promise);

	try {
		$call(then, value, two[0], two[1]);
	} catch (e) {
		$call(two[1], undefined, e);
	}
};

// [resolve, reject], of which one does something, once.
const resolving_functions = (promise) => {
	let over = false;

	return [(v) => {
		if (!over) {
			over = true;
			slow_resolve(promise, v);
		}
	}, (e) => {
		if (!over) {
			over = true;
			$promise_settle(promise, true, e);
		}
	}];
};

function Promise(executor) {
	if (new.target === undefined)
		$throw_type("Promise constructor cannot be invoked without 'new'");
	need_function(executor);
	const proto = prototype_for(new.target, PromisePrototype);
	const promise = $create(proto, CLASS_PROMISE);
	const two = resolving_functions(promise);

	$set_inner(promise, 0, 0);
	$set_inner(promise, 3, 0);
	try {
		$call(executor, undefined, two[0], two[1]);
	} catch (e) {
		$call(two[1], undefined, e);
	}
	return promise;
}
$realm("promise_constructor", Promise);

// {promise, resolve, reject} of a promise that C makes.
const new_capability = (C) => {
	const cap = {
		__proto__: null, promise: undefined, resolve: undefined,
		reject: undefined,
	};

	if (C === Promise) {
		cap.promise = $promise_make();
		const two = resolving_functions(cap.promise);
		cap.resolve = two[0];
		cap.reject = two[1];
		return cap;
	}
	if (!$is_constructor(C))
		$throw_type("not a constructor");
	const promise = $construct(C, [(resolve, reject) => {
		if (cap.resolve !== undefined || cap.reject !== undefined)
			$throw_type("resolving function already set");
		cap.resolve = resolve;
		cap.reject = reject;
	}], C);
	need_function(cap.resolve);
	need_function(cap.reject);
	cap.promise = promise;
	return cap;
};

const promise_resolve = (C, v) => {
	if (is_promise(v) && v.constructor === C)
		return v;
	if (C === Promise) {
		const promise = $promise_make();

		slow_resolve(promise, v);
		return promise;
	}
	const cap = new_capability(C);
	$call(cap.resolve, undefined, v);
	return cap.promise;
};

// ------------------------------------------------------------------ combinators

const reject_with = (cap, e) => {
	$call(cap.reject, undefined, e);
	return cap.promise;
};

// Calls each(promise, index, cap) with what C.resolve makes of each item, then
// end(). The promise.
const combine = (C, items, each, end) => {
	const cap = new_capability(C);

	try {
		const resolve = C.resolve;
		need_function(resolve);
		iterate(items, (v, i) => {
			each($call(resolve, C, v), i, cap);
		});
		end(cap);
	} catch (e) {
		return reject_with(cap, e);
	}
	return cap.promise;
};

// What promises become, in a list; the last one ends.
const collect_promises = (C, items, each, finish) => {
	const values = [];
	let left = 1;
	const ended = (cap) => {
		if (--left === 0)
			finish(cap, values);
	};

	return combine(C, items, (promise, i, cap) => {
		$define(values, i, undefined, 7);
		left++;
		each(promise, cap, (make) => {
			let over = false;

			return make((v) => {
				if (over)
					return;
				over = true;
				values[i] = v;
				return ended(cap);
			}, () => over);
		});
	}, ended);
};

const resolve_all = (cap, values) => $call(cap.resolve, undefined, values);

$methods(Promise, {
	all(items) {
		const C = this;

		need_object(C);
		return collect_promises(C, items, (promise, cap, once) =>
		    promise.then(once((set) => set), cap.reject),
		    resolve_all);
	},
	allSettled(items) {
		const C = this;

		need_object(C);
		return collect_promises(C, items, (promise, cap, once) =>
		    once((set, over) => promise.then((value) => {
			if (!over())
				set({ status: "fulfilled", value });
		    }, (reason) => {
			if (!over())
				set({ status: "rejected", reason });
		    })), resolve_all);
	},
	any(items) {
		const C = this;

		need_object(C);
		return collect_promises(C, items, (promise, cap, once) =>
		    promise.then(cap.resolve, once((set) => set)),
		    (cap, errors) => {
			const e = new AggregateError([]);

			$define(e, "errors", errors, 5);
			$call(cap.reject, undefined, e);
		    });
	},
	race(items) {
		const C = this;

		need_object(C);
		return combine(C, items, (promise, i, cap) => {
			promise.then(cap.resolve, cap.reject);
		}, () => {});
	},
	reject(e) {
		const C = this;

		need_object(C);
		if (C === Promise)
			return rejected_with(e);
		return reject_with(new_capability(C), e);
	},
	resolve(v) {
		const C = this;

		need_object(C);
		return promise_resolve(C, v);
	},
	try(f, ...args) {
		const C = this;

		need_object(C);
		const cap = new_capability(C);
		try {
			$call(cap.resolve, undefined, $apply(f, undefined, args));
		} catch (e) {
			$call(cap.reject, undefined, e);
		}
		return cap.promise;
	},
	withResolvers() {
		const cap = new_capability(this);

		return {
			promise: cap.promise, resolve: cap.resolve, reject: cap.reject,
		};
	},
	get [SymbolSpecies]() {
		return this;
	},
});

const rejected_with = (e) => {
	const promise = $promise_make();

	$promise_settle(promise, true, e);
	return promise;
};

$methods(PromisePrototype, {
	catch(f) {
		return this.then(undefined, f);
	},
	finally(f) {
		const promise = this;

		need_object(promise);
		const C = species_constructor(promise, Promise);
		if (!$is_callable(f))
			return promise.then(f, f);
		return promise.then((v) =>
		    promise_resolve(C, $call(f, undefined)).then(() => v),
		    (e) => promise_resolve(C, $call(f, undefined)).then(() => {
			throw e;
		    }));
	},
	then(on_fulfilled, on_rejected) {
		const promise = this;

		if (!is_promise(promise))
			$throw_type("not a Promise");
		const C = species_constructor(promise, Promise);
		const next = C === Promise ? $promise_make() : new_capability(C);
		$promise_then(promise,
		    $is_callable(on_fulfilled) ? on_fulfilled : undefined,
		    $is_callable(on_rejected) ? on_rejected : undefined, next);
		return C === Promise ? next : next.promise;
	},
});
$define(PromisePrototype, SymbolToStringTag, "Promise", 4);
$constructor(Promise, PromisePrototype);
expose("Promise", Promise);
$realm("promise_then_function", PromisePrototype.then);
