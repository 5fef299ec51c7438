// SPDX-License-Identifier: MIT
// Number, Boolean, BigInt, and the global functions about numbers.

const native_methods = (o, list) => {
	for (let i = 0; i < list.length; i += 3)
		$define(o, list[i], $native(list[i + 1], list[i], list[i + 2]), 5);
};

// An object around a primitive.
const boxed = (target, fallback, of_class, primitive) => {
	const o = $create(prototype_for(target, fallback), of_class);

	$set_inner(o, 0, primitive);
	return o;
};

const NumberPrototype = $create(ObjectPrototype, CLASS_NUMBER);
const BooleanPrototype = $create(ObjectPrototype, CLASS_BOOLEAN);
const BigIntPrototype = $create(ObjectPrototype, CLASS_OBJECT);
$set_inner(NumberPrototype, 0, 0);
$set_inner(BooleanPrototype, 0, false);
$realm("number", NumberPrototype);
$realm("boolean", BooleanPrototype);
$realm("bigint", BigIntPrototype);

// ---------------------------------------------------------------------- Number

function Number(value) {
	const number = $argument_count() === 0 ? 0 : $number_as(value);

	return new.target === undefined ? number
	    : boxed(new.target, NumberPrototype, CLASS_NUMBER, number);
}

native_methods(NumberPrototype, [
	"toExponential", $number_exponential, 1,
	"toFixed", $number_fixed, 1,
	"toPrecision", $number_precision, 1,
	"toString", $number_text, 1,
	"valueOf", $number_value, 0,
]);
const number_to_string = NumberPrototype.toString;
$methods(NumberPrototype, {
	toLocaleString() {
		return $call(number_to_string, this);
	},
});
$constructor(Number, NumberPrototype);
native_methods(Number, [
	"isFinite", $number_is_finite, 1,
	"isInteger", $number_is_integer, 1,
	"isNaN", $number_is_nan, 1,
	"isSafeInteger", $number_is_safe, 1,
]);
native_methods(global, [
	"isFinite", $is_finite, 1,
	"isNaN", $is_nan, 1,
	"parseFloat", $parse_float, 1,
	"parseInt", $parse_int, 2,
]);
$define(Number, "parseFloat", global.parseFloat, 5);
$define(Number, "parseInt", global.parseInt, 5);
$define(Number, "EPSILON", 2 ** -52, 0);
$define(Number, "MAX_SAFE_INTEGER", 9007199254740991, 0);
$define(Number, "MAX_VALUE", 1.7976931348623157e308, 0);
$define(Number, "MIN_SAFE_INTEGER", -9007199254740991, 0);
$define(Number, "MIN_VALUE", 5e-324, 0);
$define(Number, "NaN", 0 / 0, 0);
$define(Number, "NEGATIVE_INFINITY", -1 / 0, 0);
$define(Number, "POSITIVE_INFINITY", 1 / 0, 0);
$define(global, "Number", Number, 5);

// --------------------------------------------------------------------- Boolean

function Boolean(value) {
	return new.target === undefined ? !!value
	    : boxed(new.target, BooleanPrototype, CLASS_BOOLEAN, !!value);
}

native_methods(BooleanPrototype, [
	"toString", $boolean_text, 0,
	"valueOf", $boolean_value, 0,
]);
$constructor(Boolean, BooleanPrototype);
$define(global, "Boolean", Boolean, 5);

// ---------------------------------------------------------------------- BigInt

function BigInt(value) {
	if (new.target !== undefined)
		$throw_type("not a constructor");
	return $bigint_of(value);
}

native_methods(BigIntPrototype, [
	"toString", $bigint_text, 0,
	"valueOf", $bigint_value, 0,
]);
const bigint_to_string = BigIntPrototype.toString;
$methods(BigIntPrototype, {
	toLocaleString() {
		return $call(bigint_to_string, this);
	},
});
$define(BigIntPrototype, SymbolToStringTag, "BigInt", 4);
$constructor(BigInt, BigIntPrototype);
native_methods(BigInt, [
	"asIntN", $bigint_int, 2,
	"asUintN", $bigint_uint, 2,
]);
$define(global, "BigInt", BigInt, 5);
