// SPDX-License-Identifier: MIT
// Function.prototype. Functions cannot be made from text.

function Function(text) {
	$throw_type("code cannot be made from text here");
}
$constructor(Function, FunctionPrototype);
$define(Function, "length", 1, P_CONFIG);
expose("Function", Function);

const need_callable = (f) => {
	if (!$is_callable(f))
		$throw_type("not a function");
};

$define(FunctionPrototype, "apply", $native($function_apply, "apply", 2,
    function (self, items) {
	need_callable(this);
	return $apply(this, self, list_from(items));
    }), HIDDEN);
$define(FunctionPrototype, "call", $native($function_call, "call", 1), HIDDEN);

$methods(FunctionPrototype, {
	bind(self, ...items) {
		const f = this;

		need_callable(f);
		const o = $create(get_proto(f), CLASS_BOUND);
		$set_inner(o, 0, f);
		$set_inner(o, 1, self);
		$set_inner(o, 2, items);
		let length = 0, name;
		if (has_own(f, "length")) {
			length = f.length;
			length = typeof length === "number" ?
			    to_integer(length) - items.length : 0;
		}
		$define(o, "length", length > 0 ? length : 0, P_CONFIG);
		name = f.name;
		$define(o, "name",
		    typeof name === "string" ? `bound ${name}` : "bound ", P_CONFIG);
		return o;
	},
	toString() {
		need_callable(this);
		return $function_text(this);
	},
	[SymbolHasInstance](v) {
		return ordinary_has_instance(this, v);
	},
});
$define(FunctionPrototype, SymbolHasInstance,
    FunctionPrototype[SymbolHasInstance], 0);
$define(FunctionPrototype, "length", 0, P_CONFIG);
$define(FunctionPrototype, "name", "", P_CONFIG);

// %ThrowTypeError%
const thrower = { f() { $throw_type("invalid property access"); } }.f;
$define(thrower, "name", "", 0);
$define(thrower, "length", 0, 0);
$close(thrower, 2);
$accessor(FunctionPrototype, "caller", thrower, thrower, P_CONFIG);
$accessor(FunctionPrototype, "arguments", thrower, thrower, P_CONFIG);
$realm("thrower", thrower);
