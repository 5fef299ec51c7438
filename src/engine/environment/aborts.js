// SPDX-License-Identifier: MIT
//
// aborts.js -- AbortController and AbortSignal.

const secret = freeze({});
const signals = new WeakMap(); // AbortSignal -> {aborted, reason, listeners}

const state_of = (signal) => {
	const state = typeof signal === "object" && signal !== null ? call(weakGet, signals, signal) : undefined;
	if (state === undefined)
		throw fault("InvalidArguments", TypeError, "signal must be an AbortSignal, such as new AbortController().signal");
	return state;
};

// Its place is the await that throws it.
const abort_error = (name, message) => {
	const e = host.error();
	hidden(e, "name", name);
	hidden(e, "message", message);
	return e;
};

const abort = (signal, reason) => {
	const state = state_of(signal);
	if (state.aborted)
		return;
	state.aborted = true;
	state.reason = reason === undefined ? abort_error("AbortError", "This operation was aborted") : reason;
	const listeners = state.listeners;
	state.listeners = list();
	for (let i = 0; i < listeners.length; i++) {
		const f = listeners[i];
		if (typeof f === "number")
			host.cancel(f, state.reason);
		else
			soon(() => f({ type: "abort", target: signal }));
	}
	if (typeof state.onabort === "function")
		soon(() => state.onabort({ type: "abort", target: signal }));
};

class AbortSignal {
	constructor(key) {
		if (key !== secret)
			throw new TypeError("AbortSignal comes from new AbortController().signal or AbortSignal.timeout(ms)");
		call(weakSet, signals, this, { aborted: false, reason: undefined, listeners: list(), onabort: null });
	}
	get aborted() { return state_of(this).aborted; }
	get reason() { return state_of(this).reason; }
	get onabort() { return state_of(this).onabort; }
	set onabort(f) { state_of(this).onabort = f; }
	throwIfAborted() {
		const state = state_of(this);
		if (state.aborted)
			throw state.reason;
	}
	addEventListener(type, f) {
		const state = state_of(this);
		if (type === "abort" && typeof f === "function" && !state.aborted)
			call(push, state.listeners, f);
	}
	removeEventListener(type, f) {
		const state = state_of(this);
		const kept = list();
		for (let i = 0; i < state.listeners.length; i++)
			if (state.listeners[i] !== f)
				call(push, kept, state.listeners[i]);
		state.listeners = kept;
	}
	static abort(reason) {
		const signal = new AbortSignal(secret);
		abort(signal, reason);
		return signal;
	}
	static timeout(ms) {
		const signal = new AbortSignal(secret);
		later(+ms, () => abort(signal, abort_error("TimeoutError", "The operation timed out after " + ms + " ms")));
		return signal;
	}
	static any(signals) {
		const signal = new AbortSignal(secret);
		for (let i = 0; i < signals.length; i++) {
			const state = state_of(signals[i]);
			if (state.aborted)
				abort(signal, state.reason);
			else
				call(push, state.listeners, () => abort(signal, state.reason));
		}
		return signal;
	}
}

class AbortController {
	#signal = new AbortSignal(secret);
	get signal() { return this.#signal; }
	abort(reason) { abort(this.#signal, reason); }
}

const check_signal = (signal) => {
	const state = state_of(signal);
	if (state.aborted)
		throw state.reason;
};

const watch_signal = (signal, id) => {
	call(push, state_of(signal).listeners, id);
};
