//// a number comes back
return 41 + 1;
// => 42
//// nothing returned is undefined
const a = 1;
// => undefined
//// a comment alone returns undefined
// source: "// nothing here"
// => undefined
//// null stays null
return null;
// => null
//// a bare return is undefined
return;
// => undefined
//// strings keep every character
return "a\"b\\c\nd\u2028\u00e9\ud83d\ude00\u0000";
// => "a\"b\\c\nd\u2028é😀\u0000"
//// an empty string is not nothing
return "";
// => ""
//// false and zero are values
return [false, 0, -0, ""];
// => [false,0,0,""]
//// numbers print as JavaScript prints them
return [1e21, 1e-7, 0.1 + 0.2, 123456789012345680000, 5e-324, 1.7976931348623157e308, 2 ** 53];
// => [1e+21,1e-7,0.30000000000000004,123456789012345680000,5e-324,1.7976931348623157e+308,9007199254740992]
//// what JSON has no number for is null
return [NaN, Infinity, -Infinity];
// => [null,null,null]
//// holes and undefined in arrays are null
return [, undefined, 1, function () {}, Symbol("s")];
// => [null,null,1,null,null]
//// undefined members are left out
return { a: undefined, b: 1, c() {}, d: Symbol("d") };
// => {"b":1}
//// members keep the order in which they were made
return { z: 1, a: 2, 10: "ten", 9: "nine" };
// => {"9":"nine","10":"ten","z":1,"a":2}
//// a date is its ISO text
return new Date(0);
// => "1970-01-01T00:00:00.000Z"
//// toJSON is asked
return { toJSON() { return { inner: [1] }; } };
// => {"inner":[1]}
//// a returned promise is awaited
return Promise.resolve({ then: undefined, n: 1 });
// => {"n":1}
//// a returned thenable is awaited
return { then(done) { done("from then"); } };
// => "from then"
//// promises of promises are awaited
return (async () => (async () => 7)())();
// => 7
//// a BigInt cannot be returned
return 1n;
// !! TypeError *:* BigInt
// kind: script
//// a BigInt inside cannot be returned either
return { deep: [1n] };
// !! TypeError *:* BigInt
//// a cycle cannot be returned
const o = { name: "o" };
o.self = o;
return o;
// !! TypeError *:* circular
//// the same object twice is no cycle
const o = { n: 1 };
return [o, o];
// => [{"n":1},{"n":1}]
//// boxed primitives are unboxed
return [new Number(3), new String("s"), new Boolean(false)];
// => [3,"s",false]
//// typed arrays are objects with numbered members
return new Uint8Array([1, 2]);
// => {"0":1,"1":2}
//// an own __proto__ member survives
return JSON.parse('{"__proto__":{"a":1},"b":2}');
// => {"__proto__":{"a":1},"b":2}
//// getters are read, once
let reads = 0;
const o = { get x() { return ++reads; } };
return [o, reads];
// => [{"x":1},0]
//// a getter that throws is the script's own error
return { get x() { throw new RangeError("no x"); } };
// !! RangeError *:* no x
//// inherited members are not returned
return Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true }, hidden: { value: 3 } });
// => {"own":2}
//// a lone surrogate is kept as an escape
return "\ud800";
// => "\ud800"
//// keys may be anything
return { "": 1, "a b": 2, "\n": 3, "é": 4, "__proto__x": 5 };
// => {"":1,"a b":2,"\n":3,"é":4,"__proto__x":5}
//// deep values come back whole
let v = "bottom";
for (let i = 0; i < 100; i++) v = [v];
let d = 0, w = v;
while (Array.isArray(w)) { w = w[0]; d++; }
return [d, w];
// => [100,"bottom"]
//// rawJSON numbers keep their digits
return JSON.rawJSON("12345678901234567890.5");
// => 12345678901234567890.5
//// a returned function is undefined, and a warning says so
return () => 1;
// => undefined
// warning: function
//// a returned symbol is undefined, and a warning says so
return Symbol("s");
// => undefined
// warning: symbol
//// a returned NaN is null, and a warning says so
return 0 / 0;
// => null
// warning: NaN
//// a map is shown
return new Map([["a", 1], ["b", [2]]]);
// => {"a":1,"b":[2]}
//// a map whose keys are no strings is its entries
return new Map([[1, "one"], ["two", 2]]);
// => [[1,"one"],["two",2]]
//// a set is its values
return new Set([1, "two", 1]);
// => [1,"two"]
//// an error is its name and message
return new RangeError("too far");
// => "RangeError: too far"
