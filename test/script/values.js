//// a number comes back
return 41 + 1;
// => 42
//// nothing returned is undefined
if (false) return 1;
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
// warning: $[0] of the returned value is NaN: JSON has no such number, so it became null (and 2 more)
//// holes and undefined in arrays are null
return [, undefined, 1, function () {}, Symbol("s")];
// => [null,null,1,null,null]
// warning: $[3] of the returned value is a function: JSON has nothing like it, so it became null (and 1 more)
//// undefined members are left out
return { a: undefined, b: 1, c() {}, d: Symbol("d") };
// => {"b":1}
// warning: $.c of the returned value is a function: JSON has nothing like it, so it was left out (and 1 more)
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
//// a BigInt is returned with all its digits
return { deep: [2n ** 70n, -1n] };
// => {"deep":[1180591620717411303424,-1]}
//// a cycle becomes a text that says so
const a = { name: "a", list: [] };
a.list.push({ a, "b c": a.list });
return [a];
// => [{"name":"a","list":[{"a":"[circular: $[0]]","b c":"[circular: $[0].list]"}]}]
// warning: $[0].list[0].a of the returned value refers back to $[0]
//// the same object twice is no cycle
const o = { n: 1 };
return [o, o];
// => [{"n":1},{"n":1}]
//// boxed primitives are unboxed
return [new Number(3), new String("s"), new Boolean(false)];
// => [3,"s",false]
//// bytes are base64 text, and a warning names the first
return { a: new Uint8Array([1, 2, 3]).subarray(1), b: [new ArrayBuffer(2), new DataView(new ArrayBuffer(3), 1, 1), new Float64Array(1)] };
// => {"a":"AgM=","b":["AAA=","AA==","AAAAAAAAAAA="]}
// warning: $.a of the returned value holds bytes: they became base64 text (and 3 more)
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
//// half a character leaves as U+FFFD, and a warning says so
const title = "abc\u{1f600}";
return { title, cut: title.slice(0, 4), ["k\udc00"]: 1 };
// => {"title":"abc😀","cut":"abc\ufffd","k\ufffd":1}
// warning: $.cut of the returned value is cut inside a character: the half that is there became U+FFFD (and 1 more)
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
//// an error is its name, message, fields and cause
return Object.assign(new RangeError("too far", { cause: { at: 3 } }), { code: 7 });
// => {"name":"RangeError","message":"too far","code":7,"cause":{"at":3}}
//// the errors of an AggregateError are kept
return await Promise.any([Promise.reject(new Error("one")), Promise.reject("two")]).catch((e) => e);
// => {"name":"AggregateError","message":"","errors":[{"name":"Error","message":"one"},"two"]}
//// settled promises keep their reasons
return await Promise.allSettled([1, Promise.reject(new Error("disk full"))]);
// => [{"status":"fulfilled","value":1},{"status":"rejected","reason":{"name":"Error","message":"disk full"}}]
//// inside, maps, sets and class instances are shown, too
class Row { id = 1; #secret = 2; get id2() { return 2; } }
return [{ row: new Row() }, [new Map([["k", new Set([1n])]])], { re: /a\/b/g }];
// => [{"row":{"id":1}},[{"k":[1]}],{"re":"/a\\/b/g"}]
//// what cannot be listed is left out, and a warning says so
return { it: [1].values(), weak: new WeakMap(), gen: (function* () {})() };
// => {}
// warning: $.it of the returned value is an iterator, which [...it] would list: JSON has nothing like it, so it was left out (and 2 more)
//// toJSON of an own class counts, that of a built-in class does not
class Money { constructor(n) { this.n = n; } toJSON(key) { return this.n + " for " + key; } }
class Days extends Date { toJSON() { return "a day"; } }
try { Array.prototype.toJSON = Date.prototype.toJSON = () => "broken"; } catch {}
return { price: new Money(5), d: new Days(0), list: [new Date(0), [1]] };
// => {"price":"5 for price","d":"a day","list":["1970-01-01T00:00:00.000Z",[1]]}
//// an invalid date is null, and a warning says so
return [new Date(NaN)];
// => [null]
// warning: $[0] of the returned value is an invalid Date
