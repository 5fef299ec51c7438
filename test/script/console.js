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
//// percent signs mean nothing
console.log("%s is %d%%", "x", 5);
// console: %s is %d%% x 5
// => undefined
//// minus zero is zero
console.log(-0, [-0]);
// console: 0 [0]
// => undefined
//// objects are JSON
console.log({ a: 1 }, [1, [2]], new Date(0));
// console: {"a":1} [1,[2]] "1970-01-01T00:00:00.000Z"
// => undefined
//// functions, symbols and big integers are text
console.log(Symbol("q"), 10n, () => 1);
// console: Symbol(q) 10 () => 1
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
// console: cycle [object Object]
// => undefined
//// a BigInt inside does not throw
console.log({ n: 1n });
// console: [object Object]
// => undefined
//// console is frozen
console.log = () => { throw 1; };
console.extra = 1;
console.log("same");
return [typeof console.extra, Object.isFrozen(console)];
// console: same
// => ["undefined",true]
//// the methods return undefined and need no this
const { log } = console;
return [log("x"), ["y"].map(console.info)[0] === undefined];
// console: x
// console: y 0 ["y"]
// => [null,true]
//// what it does not have is absent
return ["table", "trace", "group", "time"].map((k) => typeof console[k]);
// => ["undefined","undefined","undefined","undefined"]
//// errors, maps and sets inside values are shown
console.log({ e: new Error("y") }, new Set([1]), new Map([["k", 2]]));
// console: {"e":"Error: y"} [1] {"k":2}
// => undefined
