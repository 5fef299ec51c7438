//// five methods print
console.log("l");
console.info("i");
console.warn("w");
console.error("e");
console.debug("d");
// console: l
// console: i
// console: w
// console: e
// console: d
// => undefined
//// arguments are joined by one blank
console.log("a", 1, true, null, undefined, "b  c");
// console: a 1 true null undefined b  c
// => undefined
//// no arguments print an empty item
console.log();
// console: 
// => undefined
//// percent signs are directives
console.log("%s is %d%%", "x", 5);
// console: x is 5%
// => undefined
//// minus zero is shown
console.log(-0, [-0]);
// console: -0 [ -0 ]
// => undefined
//// objects are shown as Node shows them
console.log({ a: 1 }, [1, [2]], new Date(0));
// console: { a: 1 } [ 1, [ 2 ] ] 1970-01-01T00:00:00.000Z
// => undefined
//// functions, symbols and big integers are text
console.log(Symbol("q"), 10n, () => 1);
// console: Symbol(q) 10n [Function (anonymous)]
// => undefined
//// an error shows its name, message and line
console.log(new TypeError("bad thing"));
// console-has: TypeError: bad thing
// => undefined
//// the frames of a printed error name the script's line
function inner() {
	return new Error("here");
}
console.log(inner());
// console-has: codemode.js:2:
// => undefined
//// a cycle does not throw
const o = {};
o.o = o;
console.log("cycle", o);
// console: cycle <ref *1> { o: [Circular *1] }
// => undefined
//// a BigInt inside does not throw
console.log({ n: 1n });
// console: { n: 1n }
// => undefined
//// console can be changed
const said = [];
console.log = (...args) => { said.push(args); };
console.log("a", 1);
return said;
// => [["a",1]]
//// the methods return undefined and need no this
const { log } = console;
return [log("x"), ["y"].map(console.info)[0] === undefined];
// console: x
// console: y 0 [ 'y' ]
// => [null,true]
//// a table has a row for each member
console.table([{ a: 1, b: "x" }, { a: 22, c: [1] }]);
console.table(new Map([["k", 5]]));
console.table("no table");
// console-has: │ (index) │ a  │ b   │ c       │
// console-has: │ 'k'     │ 5      │
// console: no table
// => undefined
//// groups indent each line
console.group("outer");
console.log({ n: 1 }, "one");
console.group();
console.log("inner");
console.groupEnd();
console.groupEnd();
console.groupEnd();
console.log("out");
// console: outer
// console-has:   { n: 1 } one
// console-has:     inner
// console: out
// => undefined
//// counts, assertions and dir
console.count();
console.count("x");
console.count();
console.countReset();
console.count();
console.assert(1 === 1, "not printed");
console.assert(false, "%s is wrong", "x");
console.assert(0);
console.dir({ a: { b: { c: 1 } } }, { depth: 0 });
// console: default: 1
// console: x: 1
// console: default: 2
// console: default: 1
// console: Assertion failed: x is wrong
// console: Assertion failed
// console: { a: [Object] }
// => undefined
//// a watch is read and stopped, a trace has its line
console.time("w");
console.timeLog("w", { n: 1 });
console.timeEnd("w");
console.timeEnd("w");
console.trace("here");
// console-has: ms { n: 1 }
// console-has: w: 
// console-has: codemode.js:5:
// => undefined
//// an error is shown with its fields and cause
console.log(Object.assign(new Error("paid twice", { cause: "why" }), { status: 402 }));
// console-has: status: 402
// => undefined
//// half a character leaves as U+FFFD, and a warning says so
console.log("a\ud800");
// console: a�
// warning: the printed text has half of a character
// => undefined
//// errors, maps and sets inside values are shown
console.log(new Set([1]), new Map([["k", 2]]));
console.log({ e: new Error("y") });
// console: Set(1) { 1 } Map(1) { 'k' => 2 }
// console-has: e: Error: y
// => undefined
