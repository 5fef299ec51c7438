// SPDX-License-Identifier: MIT
// Math.

const MathObject = $create(ObjectPrototype, CLASS_OBJECT);

native_methods(MathObject, [
	"abs", $math_abs, 1,
	"acos", $math_acos, 1,
	"acosh", $math_acosh, 1,
	"asin", $math_asin, 1,
	"asinh", $math_asinh, 1,
	"atan", $math_atan, 1,
	"atan2", $math_atan2, 2,
	"atanh", $math_atanh, 1,
	"cbrt", $math_cbrt, 1,
	"ceil", $math_ceil, 1,
	"clz32", $math_clz32, 1,
	"cos", $math_cos, 1,
	"cosh", $math_cosh, 1,
	"exp", $math_exp, 1,
	"expm1", $math_expm1, 1,
	"f16round", $math_f16round, 1,
	"floor", $math_floor, 1,
	"fround", $math_fround, 1,
	"hypot", $math_hypot, 2,
	"imul", $math_imul, 2,
	"log", $math_log, 1,
	"log10", $math_log10, 1,
	"log1p", $math_log1p, 1,
	"log2", $math_log2, 1,
	"max", $math_max, 2,
	"min", $math_min, 2,
	"pow", $math_pow, 2,
	"random", $math_random, 0,
	"round", $math_round, 1,
	"sign", $math_sign, 1,
	"sin", $math_sin, 1,
	"sinh", $math_sinh, 1,
	"sqrt", $math_sqrt, 1,
	"tan", $math_tan, 1,
	"tanh", $math_tanh, 1,
	"trunc", $math_trunc, 1,
]);
$methods(MathObject, {
	sumPrecise(items) {
		const numbers = $new_list(0);
		let n = 0;

		if (items === undefined || items === null)
			$throw_type("cannot convert to object");
		iterate(items, (v) => {
			if (typeof v !== "number")
				$throw_type("not a number");
			$define(numbers, n++, v, 7);
		});
		return $math_sum(numbers);
	},
});
$define(MathObject, "E", 2.718281828459045, 0);
$define(MathObject, "LN10", 2.302585092994046, 0);
$define(MathObject, "LN2", 0.6931471805599453, 0);
$define(MathObject, "LOG10E", 0.4342944819032518, 0);
$define(MathObject, "LOG2E", 1.4426950408889634, 0);
$define(MathObject, "PI", 3.141592653589793, 0);
$define(MathObject, "SQRT1_2", 0.7071067811865476, 0);
$define(MathObject, "SQRT2", 1.4142135623730951, 0);
$define(MathObject, SymbolToStringTag, "Math", 4);
$define(global, "Math", MathObject, 5);
