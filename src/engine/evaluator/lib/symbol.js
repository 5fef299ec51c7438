// SPDX-License-Identifier: MIT
// Symbol.

const SymbolPrototype = $create(ObjectPrototype, CLASS_OBJECT);
$realm("symbol", SymbolPrototype);

// Symbols of Symbol.for by key, and their keys.
const symbols_by_key = { __proto__: null };
const keys_of_symbols = { __proto__: null };

function Symbol(description = undefined) {
	if (new.target !== undefined)
		$throw_type("not a constructor");
	return $symbol(description === undefined ? undefined : `${description}`);
}
$constructor(Symbol, SymbolPrototype);
$define(Symbol, "length", 0, P_CONFIG);
expose("Symbol", Symbol);

$methods(Symbol, {
	for(key) {
		const name = `${key}`;

		if ($own_attr(symbols_by_key, name) < 0) {
			const symbol = $symbol(name);

			$define(symbols_by_key, name, symbol, 7);
			$define(keys_of_symbols, symbol, name, 7);
		}
		return symbols_by_key[name];
	},
	keyFor(symbol) {
		if (typeof symbol !== "symbol")
			$throw_type("not a symbol");
		return keys_of_symbols[symbol];
	},
});

const well_known = {
	__proto__: null,
	asyncDispose: SymbolAsyncDispose,
	asyncIterator: SymbolAsyncIterator,
	dispose: SymbolDispose,
	hasInstance: SymbolHasInstance,
	isConcatSpreadable: SymbolIsConcatSpreadable,
	iterator: SymbolIterator,
	match: SymbolMatch,
	matchAll: SymbolMatchAll,
	replace: SymbolReplace,
	search: SymbolSearch,
	species: SymbolSpecies,
	split: SymbolSplit,
	toPrimitive: SymbolToPrimitive,
	toStringTag: SymbolToStringTag,
	unscopables: SymbolUnscopables,
};
const well_known_names = $own_keys(well_known, 1);
for (let i = 0; i < well_known_names.length; i++)
	$define(Symbol, well_known_names[i], well_known[well_known_names[i]], 0);

const this_symbol = (v) => {
	if (typeof v === "symbol")
		return v;
	if ($class_of(v) !== CLASS_SYMBOL)
		$throw_type("not a symbol");
	return $inner(v, 0);
};

const symbol_text = (symbol) => {
	const description = $symbol_description(symbol);

	return description === undefined ? "Symbol()" : `Symbol(${description})`;
};

$methods(SymbolPrototype, {
	toString() {
		return symbol_text(this_symbol(this));
	},
	valueOf() {
		return this_symbol(this);
	},
	get description() {
		return $symbol_description(this_symbol(this));
	},
	[SymbolToPrimitive](hint) {
		return this_symbol(this);
	},
});
$define(SymbolPrototype, SymbolToPrimitive,
    SymbolPrototype[SymbolToPrimitive], P_CONFIG);
$define(SymbolPrototype, SymbolToStringTag, "Symbol", P_CONFIG);
