//// strings are printed as they are
text("hello");
text("");
text(" two\tblanks ");
// text: hello
// text: 
// text-json: " two\tblanks "
// => undefined
//// text returns undefined
return [text("x")];
// text: x
// => [null]
//// nothing given prints undefined
text();
text(undefined);
text(null);
// text: undefined
// text: undefined
// text: null
// => undefined
//// primitives are printed by String
text(1.5);
text(-0);
text(NaN);
text(-Infinity);
text(true);
text(12345678901234567890n);
text(Symbol("s"));
// text: 1.5
// text: 0
// text: NaN
// text: -Infinity
// text: true
// text: 12345678901234567890
// text: Symbol(s)
// => undefined
//// objects are printed as JSON
text({ a: [1, "two", null], b: undefined });
text([]);
text({});
// text: {"a":[1,"two",null]}
// text: []
// text: {}
// => undefined
//// a date is quoted ISO text
text(new Date(86400000));
// text: "1970-01-02T00:00:00.000Z"
// => undefined
//// toJSON is used
text({ toJSON: () => "short" });
// text: "short"
// => undefined
//// what JSON leaves out is printed by String
text({ toJSON() {}, toString: () => "as text" });
// text: as text
// => undefined
//// a function prints its source
text((a) => a + 1);
// text: (a) => a + 1
// => undefined
//// further arguments are ignored
text("one", "two");
// text: one
// => undefined
//// a cycle is a text that says so
const o = { list: [] };
o.list.push({ o });
text(o);
// text: {"list":[{"o":"[circular: $]"}]}
// warning: $.list[0].o of the text refers back to $
// => undefined
//// a BigInt inside is its digits
text({ n: 98765432109876543210n });
// text: {"n":98765432109876543210}
// => undefined
//// what toJSON throws is thrown at the call
try {
	text({ toJSON() { throw new RangeError("will not"); } });
} catch (e) {
	return e.name + ": " + e.message;
}
// => "RangeError: will not"
//// what was printed before a failure is kept
text("one");
console.log("two");
throw new Error("three");
// text: one
// console: two
// !!= Error 3:* three
//// order is kept across awaits and kinds
text("a");
console.log("b");
await tools.echo(1);
text("c");
await null;
console.error("d");
// text: a
// console: b
// text: c
// console: d
// => undefined
//// line breaks and odd characters are kept
text("one\r\ntwo\u2028three\u0000four\u{1f600}");
// text-json: "one\r\ntwo\u2028three\u0000four😀"
// => undefined
//// text works as a value
["x", "y"].forEach((s) => text(s));
[1, 2].forEach(text);
// text: x
// text: y
// text: 1
// text: 2
// => undefined
//// text can be replaced
const print = text;
text = (x) => print("mine: " + x);
text("still");
// text: mine: still
// => undefined
//// a local name may shadow text
const f = (text) => text + 1;
return f(1);
// => 2
//// errors, maps and sets are shown
text(new TypeError("bad"));
text(Object.assign(new Error("paid twice", { cause: new Error("why") }), { status: 402 }));
text({ e: new Error("inner"), m: new Map([["k", 1]]), s: new Set([1, 2]) });
// text: TypeError: bad
// text: Error: paid twice {"status":402,"cause":{"name":"Error","message":"why"}}
// text: {"e":{"name":"Error","message":"inner"},"m":{"k":1},"s":[1,2]}
// => undefined
