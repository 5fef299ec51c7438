// SPDX-License-Identifier: MIT
// What generators and async generators return, and the queue of the latter.

const GeneratorPrototype = $create(IteratorPrototype, CLASS_OBJECT);
const AsyncGeneratorPrototype = $create(AsyncIteratorPrototype, CLASS_OBJECT);
$realm("generator", GeneratorPrototype);
$realm("async_generator", AsyncGeneratorPrototype);

// How a generator goes on; and what it is doing: $generator_state.
const RESUME_NEXT = 0;
const RESUME_THROW = 1;
const RESUME_RETURN = 2;
const GENERATOR_NEW = 0;
const GENERATOR_RUNS = 2;
const GENERATOR_OVER = 3;
const GENERATOR_DELEGATES = 5;

const resume = (g, v, how) => {
	if ($generator_kind(g) !== 1)
		$throw_type("not a generator");
	const state = $generator_state(g);
	if (state === GENERATOR_RUNS)
		$throw_type("generator is already running");
	if (state === GENERATOR_OVER) {
		if (how === RESUME_THROW)
			throw v;
		return { value: how === RESUME_NEXT ? undefined : v, done: true };
	}
	const value = $generator_resume(g, v, how);
	const then = $generator_state(g);
	return then === GENERATOR_DELEGATES
	    ? value : { value, done: then === GENERATOR_OVER };
};

$methods(GeneratorPrototype, {
	next(v) {
		return resume(this, v, RESUME_NEXT);
	},
	return(v) {
		return resume(this, v, RESUME_RETURN);
	},
	throw(e) {
		return resume(this, e, RESUME_THROW);
	},
});
$realm("generator_next", GeneratorPrototype.next);
$define(GeneratorPrototype, SymbolToStringTag, "Generator", 4);

// The functions themselves.
const GeneratorFunctionPrototype = $create(FunctionPrototype, CLASS_OBJECT);
const AsyncFunctionPrototype = $create(FunctionPrototype, CLASS_OBJECT);
const AsyncGeneratorFunctionPrototype =
    $create(FunctionPrototype, CLASS_OBJECT);
$realm("generator_function", GeneratorFunctionPrototype);
$realm("async_function", AsyncFunctionPrototype);
$realm("async_generator_function", AsyncGeneratorFunctionPrototype);

// The constructors of code exist, as a way to their prototypes, and refuse.
const code_constructor = (f, proto, of, name) => {
	$constructor(f, proto);
	$define(f, "prototype", proto, 0);
	$define(f, "length", 1, 4);
	set_proto(f, Function);
	$define(proto, "constructor", f, 4);
	if (of !== undefined) {
		$define(proto, "prototype", of, 4);
		$define(of, "constructor", proto, 4);
	}
	$define(proto, SymbolToStringTag, name, 4);
};
code_constructor(function GeneratorFunction() {
	$throw_type("code cannot be made from text here");
}, GeneratorFunctionPrototype, GeneratorPrototype, "GeneratorFunction");
code_constructor(function AsyncFunction() {
	$throw_type("code cannot be made from text here");
}, AsyncFunctionPrototype, undefined, "AsyncFunction");
code_constructor(function AsyncGeneratorFunction() {
	$throw_type("code cannot be made from text here");
}, AsyncGeneratorFunctionPrototype, AsyncGeneratorPrototype,
    "AsyncGeneratorFunction");

// ------------------------------------------------------------ async generators

// Internal value of an async generator: {first, last, busy, ended} of its requests
// {how, value, promise, next}; busy: the first one is being answered; ended: it
// has, or will not begin.
const QUEUE = 7;

const async_request = (g, how, value) => {
	const promise = $promise_make();

	if ($generator_kind(g) !== 2) {
		$promise_settle(promise, true,
		    new TypeError("not an AsyncGenerator object"));
		return promise;
	}
	let queue = $inner(g, QUEUE);
	if (queue === undefined) {
		queue = {
			__proto__: null, first: undefined, last: undefined,
			busy: false, ended: false,
		};
		$set_inner(g, QUEUE, queue);
	}
	const request = { __proto__: null, how, value, promise, next: undefined };
	if (queue.first === undefined) {
		queue.first = queue.last = request;
		async_drain(g, queue);
	} else {
		queue.last = queue.last.next = request;
	}
	return promise;
};

const async_drain = (g, queue) => {
	while (queue.first !== undefined && !queue.busy) {
		const { how, value } = queue.first;

		if (!queue.ended && how !== RESUME_NEXT &&
		    $generator_state(g) === GENERATOR_NEW)
			queue.ended = true;
		if (!queue.ended) {
			queue.busy = true;
			$generator_resume(g, value, how);
		} else if (how === RESUME_NEXT) {
			async_answer(queue, false, undefined, true);
		} else if (how === RESUME_THROW) {
			async_answer(queue, true, value);
		} else {
			async_return(g, queue, value);
		}
	}
};

const async_answer = (queue, rejected, value, done) => {
	const { promise } = queue.first;

	queue.first = queue.first.next;
	if (rejected)
		$promise_settle(promise, true, value);
	else
		slow_resolve(promise, { value, done });
};

// Of one that has ended: its value is awaited.
const async_return = (g, queue, value) => {
	queue.busy = true;
	const go_on = (rejected) => (v) => {
		queue.busy = false;
		async_answer(queue, rejected, v, true);
		async_drain(g, queue);
	};
	let promise;
	try {
		promise = promise_resolve(Promise, value);
	} catch (e) {
		queue.busy = false;
		async_answer(queue, true, e);
		return;
	}
	$promise_then(promise, go_on(false), go_on(true), undefined);
};

$realm("slow_async_yield", (g, value) => {
	const queue = $inner(g, QUEUE);

	queue.busy = false;
	async_answer(queue, false, value, false);
	async_drain(g, queue);
});
$realm("slow_async_end", (g, value, threw) => {
	const queue = $inner(g, QUEUE);

	queue.busy = false;
	queue.ended = true;
	async_answer(queue, threw, value, true);
	async_drain(g, queue);
});

$methods(AsyncGeneratorPrototype, {
	next(v) {
		return async_request(this, RESUME_NEXT, v);
	},
	return(v) {
		return async_request(this, RESUME_RETURN, v);
	},
	throw(e) {
		return async_request(this, RESUME_THROW, e);
	},
});
$define(AsyncGeneratorPrototype, SymbolToStringTag, "AsyncGenerator", 4);

// --------------------------------------------- an async iterator from a sync one

const AsyncFromSyncPrototype = $create(AsyncIteratorPrototype, CLASS_OBJECT);

const async_from_sync = (it, next) =>
    iterator_new(AsyncFromSyncPrototype, it, next, undefined, BRAND_SYNC);

// The promise of {value: what r.value becomes, done: r.done}.
const later_result = (r, it, closes) => {
	const promise = $promise_make();

	try {
		if (!$is_object(r))
			$throw_type("iterator must return an object");
		const done = !!r.done, value = r.value;
		let inside;
		try {
			inside = promise_resolve(Promise, value);
		} catch (e) {
			if (!done && closes)
				iterator_close_quiet(it);
			throw e;
		}
		$promise_then(inside, (v) => ({ value: v, done }),
		    done || !closes ? undefined : (e) => {
			iterator_close_quiet(it);
			throw e;
		    }, promise);
	} catch (e) {
		$promise_settle(promise, true, e);
	}
	return promise;
};

$methods(AsyncFromSyncPrototype, {
	next(...args) {
		const it = $inner(this, 0);
		let r;

		try {
			r = $apply($inner(this, 1), it, args);
		} catch (e) {
			return rejected_with(e);
		}
		return later_result(r, it, true);
	},
	return(...args) {
		const it = $inner(this, 0);
		let r;

		try {
			const close = get_method(it, "return");

			r = close === undefined ? { value: args[0], done: true } :
			    $apply(close, it, args);
		} catch (e) {
			return rejected_with(e);
		}
		return later_result(r, it, false);
	},
	throw(...args) {
		const it = $inner(this, 0);
		let r;

		try {
			const f = get_method(it, "throw");

			if (f === undefined) {
				iterator_close(it);
				$throw_type("iterator does not have a throw method");
			}
			r = $apply(f, it, args);
		} catch (e) {
			return rejected_with(e);
		}
		return later_result(r, it, true);
	},
});
