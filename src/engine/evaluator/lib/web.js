// SPDX-License-Identifier: MIT
// Globals that are of the Web, and InternalError.

const InternalErrorPrototype = $create(ErrorPrototype, CLASS_OBJECT);
$realm("internal_error", InternalErrorPrototype);
function InternalError(message, options = undefined) {
	return error_init($create(prototype_for(
	    new.target === undefined ? InternalError : new.target,
	    InternalErrorPrototype), CLASS_ERROR), message, options);
}
error_kind(InternalError, InternalErrorPrototype, "InternalError");

// ------------------------------------------------------------- DOMException

const exception_codes = {
	__proto__: null, IndexSizeError: 1, HierarchyRequestError: 3,
	WrongDocumentError: 4, InvalidCharacterError: 5,
	NoModificationAllowedError: 7, NotFoundError: 8, NotSupportedError: 9,
	InUseAttributeError: 10, InvalidStateError: 11, SyntaxError: 12,
	InvalidModificationError: 13, NamespaceError: 14, InvalidAccessError: 15,
	TypeMismatchError: 17, SecurityError: 18, NetworkError: 19, AbortError: 20,
	URLMismatchError: 21, QuotaExceededError: 22, TimeoutError: 23,
	InvalidNodeTypeError: 24, DataCloneError: 25,
};
const DOMExceptionPrototype = $create(ErrorPrototype, CLASS_OBJECT);
$realm("dom_exception", DOMExceptionPrototype);

function DOMException(message = "", name = "Error") {
	need_new(new.target);
	const text = `${message}`, kind = `${name}`;
	const o = $create(
	    prototype_for(new.target, DOMExceptionPrototype), CLASS_ERROR);

	$set_inner(o, 0, $stack_text());
	$define(o, "message", text, HIDDEN);
	$define(o, "name", kind, HIDDEN);
	return o;
}
$define(DOMException, "length", 0, 4);
$methods(DOMExceptionPrototype, {
	get code() {
		return exception_codes[this.name] ?? 0;
	},
});
$define(DOMExceptionPrototype, SymbolToStringTag, "DOMException", 4);
$define(DOMExceptionPrototype, "name", "Error", HIDDEN);
$define(DOMExceptionPrototype, "message", "", HIDDEN);
$constructor(DOMException, DOMExceptionPrototype);
expose("DOMException", DOMException);

// -------------------------------------------------------------------- base64

const char_code_at = StringPrototype.charCodeAt;

const bad_character = (message) => {
	throw $construct(DOMException, [message, "InvalidCharacterError"]);
};

$methods(global, {
	atob(data) {
		const r = $bytes_read(`${data}`, 1, 0, Infinity);

		if (r[2])
			bad_character("The string to be decoded is not correctly encoded.");
		return $bytes_text(r[1], 3);
	},
	btoa(data) {
		const text = `${data}`, n = text.length, bytes = typed_make(1, n);

		for (let i = 0; i < n; i++) {
			const unit = $call(char_code_at, text, i);

			if (unit > 255)
				bad_character("The string to be encoded contains characters outside of the Latin1 range.");
			bytes[i] = unit;
		}
		return $bytes_text(bytes, 1);
	},
	queueMicrotask(f) {
		need_function(f);
		$enqueue(f);
	},
});
