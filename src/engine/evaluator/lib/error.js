// SPDX-License-Identifier: MIT
// Errors.

const error_init = (o, message, options) => {
	if (message !== undefined)
		$define(o, "message", `${message}`, HIDDEN);
	if ($is_object(options) && "cause" in options)
		$define(o, "cause", options.cause, HIDDEN);
	$set_inner(o, 0, $stack_text());
	return o;
};

const ErrorPrototype = $create(ObjectPrototype, CLASS_OBJECT);
$realm("error", ErrorPrototype);

function Error(message, options = undefined) {
	return error_init($create(prototype_for(
	    new.target === undefined ? Error : new.target, ErrorPrototype),
	    CLASS_ERROR), message, options);
}

const error_kind = (f, proto, name) => {
	$constructor(f, proto);
	$define(proto, "name", name, HIDDEN);
	$define(proto, "message", "", HIDDEN);
	if (proto !== ErrorPrototype)
		$set_proto(f, Error);
	expose(name, f);
};

error_kind(Error, ErrorPrototype, "Error");
$methods(Error, {
	captureStackTrace(o, from = undefined) {
		if (!$is_object(o))
			$throw_type("not an object");
		if ($class_of(o) === CLASS_ERROR)
			$set_inner(o, 0, $stack_text());
		else
			$define(o, "stack", $stack_text(), HIDDEN);
	},
	isError(v) {
		return $class_of(v) === CLASS_ERROR;
	},
});

$methods(ErrorPrototype, {
	get stack() {
		if (!$is_object(this))
			$throw_type("not an object");
		if ($class_of(this) === CLASS_ERROR)
			return $inner(this, 0);
	},
	set stack(v) {
		if (!$is_object(this))
			$throw_type("not an object");
		if (typeof v !== "string")
			$throw_type("Error.prototype.stack setter expects a string");
		create_data(this, "stack", v);
	},
	toString() {
		if (!$is_object(this))
			$throw_type("not an object");
		let name = this.name, message = this.message;

		name = name === undefined ? "Error" : `${name}`;
		message = message === undefined ? "" : `${message}`;
		return name === "" ? message : message === "" ? name :
		    `${name}: ${message}`;
	},
});

const TypeErrorPrototype = $create(ErrorPrototype, CLASS_OBJECT);
$realm("type_error", TypeErrorPrototype);
function TypeError(message, options = undefined) {
	return error_init($create(prototype_for(
	    new.target === undefined ? TypeError : new.target,
	    TypeErrorPrototype), CLASS_ERROR), message, options);
}
error_kind(TypeError, TypeErrorPrototype, "TypeError");

const RangeErrorPrototype = $create(ErrorPrototype, CLASS_OBJECT);
$realm("range_error", RangeErrorPrototype);
function RangeError(message, options = undefined) {
	return error_init($create(prototype_for(
	    new.target === undefined ? RangeError : new.target,
	    RangeErrorPrototype), CLASS_ERROR), message, options);
}
error_kind(RangeError, RangeErrorPrototype, "RangeError");

const ReferenceErrorPrototype = $create(ErrorPrototype, CLASS_OBJECT);
$realm("reference_error", ReferenceErrorPrototype);
function ReferenceError(message, options = undefined) {
	return error_init($create(prototype_for(
	    new.target === undefined ? ReferenceError : new.target,
	    ReferenceErrorPrototype), CLASS_ERROR), message, options);
}
error_kind(ReferenceError, ReferenceErrorPrototype, "ReferenceError");

const SyntaxErrorPrototype = $create(ErrorPrototype, CLASS_OBJECT);
$realm("syntax_error", SyntaxErrorPrototype);
function SyntaxError(message, options = undefined) {
	return error_init($create(prototype_for(
	    new.target === undefined ? SyntaxError : new.target,
	    SyntaxErrorPrototype), CLASS_ERROR), message, options);
}
error_kind(SyntaxError, SyntaxErrorPrototype, "SyntaxError");

const URIErrorPrototype = $create(ErrorPrototype, CLASS_OBJECT);
$realm("uri_error", URIErrorPrototype);
function URIError(message, options = undefined) {
	return error_init($create(prototype_for(
	    new.target === undefined ? URIError : new.target,
	    URIErrorPrototype), CLASS_ERROR), message, options);
}
error_kind(URIError, URIErrorPrototype, "URIError");

const EvalErrorPrototype = $create(ErrorPrototype, CLASS_OBJECT);
$realm("eval_error", EvalErrorPrototype);
function EvalError(message, options = undefined) {
	return error_init($create(prototype_for(
	    new.target === undefined ? EvalError : new.target,
	    EvalErrorPrototype), CLASS_ERROR), message, options);
}
error_kind(EvalError, EvalErrorPrototype, "EvalError");

const AggregateErrorPrototype = $create(ErrorPrototype, CLASS_OBJECT);
function AggregateError(errors, message, options = undefined) {
	const o = error_init($create(prototype_for(
	    new.target === undefined ? AggregateError : new.target,
	    AggregateErrorPrototype), CLASS_ERROR), message, options);
	const list = [];
	let n = 0;

	iterate(errors, (e) => $define(list, n++, e, 7));
	$define(o, "errors", list, HIDDEN);
	return o;
}
error_kind(AggregateError, AggregateErrorPrototype, "AggregateError");

const SuppressedErrorPrototype = $create(ErrorPrototype, CLASS_OBJECT);
function SuppressedError(error, suppressed, message) {
	const o = error_init($create(prototype_for(
	    new.target === undefined ? SuppressedError : new.target,
	    SuppressedErrorPrototype), CLASS_ERROR), message, undefined);

	$delete(o, "stack"); // behind the others
	$define(o, "error", error, HIDDEN);
	$define(o, "suppressed", suppressed, HIDDEN);
	$set_inner(o, 0, $stack_text());
	return o;
}
error_kind(SuppressedError, SuppressedErrorPrototype, "SuppressedError");
