//// throw: name, message, line
const a = 1;
throw new Error("my message");
// !!= Error 2:* my message
// kind: script
// excerpt: throw new Error("my message");
//// the column on line one is the script's own
throw new Error("here");
// !!= Error 1:11 here
//// the column on a later line
let x = 1;
  throw new TypeError("there");
// !!= TypeError 2:13 there
//// an error class of one's own
class MyError extends Error {
	constructor(m) {
		super(m);
		this.name = "MyError";
	}
}
throw new MyError("mine");
// !! MyError *:* mine
//// where it was made, not where it was thrown
const make = () => new Error("made");
const e = make();
throw e;
// !!= Error 1:* made
//// a thrown string
throw "just text";
// !!= - *:* just text
//// a thrown number
throw 42;
// !!= - *:* 42
//// a thrown object
throw { code: 7, why: "because" };
// !!= - *:* {"code":7,"why":"because"}
//// thrown null and undefined
throw null;
// !!= - *:* null
//// thrown undefined
throw undefined;
// !!= - *:* undefined
//// a thrown value that cannot be told does not hurt
throw { toString() { throw 1; }, toJSON() { throw 2; } };
// !! - *:* 
//// a name and a message that are no strings
const e = new Error("x");
e.name = 5;
e.message = { a: 1 };
throw e;
// !!= 5 *:* [object Object]
//// a cause is told
throw new Error("outer", { cause: new TypeError("inner") });
// !!= Error 1:* outer
// result: error.cause.message "inner"
// result: error.cause.name "TypeError"
//// something undefined is called
const o = {};
o.foo();
// !! TypeError 2:* not a function
// excerpt: o.foo();
//// a member of undefined
const o = {};
return o.a.b;
// !! TypeError 2:* undefined
//// a member of null
const n = null;
n.x = 1;
// !! TypeError 2:* null
//// a timer's callback was called by nothing of the script
await new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 1));
// !! Error 1:* late
// result: error.stack "Error: late\n    at <anonymous> (codemode.js:1:70)"
//// an unknown name
const a = 1;

return nowhere + a;
// !! ReferenceError 3:* nowhere
//// a name before its declaration
return later;
const later = 1;
// !! ReferenceError 1:* 
//// assigning to a constant
const c = 1;
c = 2;
// !! TypeError 2:* 
//// the line inside a function that is called later
function f(x) {
	return x.y.z;
}

f({});
// !! TypeError 2:* undefined
//// the line inside a callback
[1, 2].map((n) => {
	if (n === 2) throw new RangeError("two");
	return n;
});
// !!= RangeError 2:* two
//// the line inside eval is the eval's; the run survives
try {
	eval("throw new Error('in eval')");
} catch (e) {
	return e.message;
}
// => "in eval"
// quickjs: it makes no code from text
//// the stack names the script and nothing of ours
function f() {
	throw new Error("deep");
}
function g() {
	f();
}
g();
// !!= Error 2:* deep
// stack: codemode.js:2
// stack: codemode.js:5
//// the line after an await
await tools.echo(1);
await null;
throw new Error("after");
// !!= Error 3:* after
//// the line in an async function after an await
async function f() {
	await null;
	throw new Error("inside");
}
await f();
// !!= Error 3:* inside
//// a syntax error: name and line
const a = 1;
const b = ;
// !! SyntaxError 2:11 
// code: SyntaxError
// kind: script
// excerpt: const b = ;
//// a syntax error on line one has the script's column
let = = 1;
// !! SyntaxError 1:* 
//// two words side by side
const x = 1;
x y
// !! SyntaxError 2:3 
//// nothing runs before a syntax error
text("never");
await tools.echo(1);
return ];
// !! SyntaxError 3:* 
// calls: 
//// an unclosed brace
function f() {
	return 1;
// !! SyntaxError *:* 
//// an unclosed string
const s = "abc;
return s;
// !! SyntaxError 1:* 
//// an unclosed template
const s = `abc;
return s;
// !! SyntaxError *:* 
//// an unclosed comment
return 1; /* never closed
// !! SyntaxError *:* 
//// a bad regular expression
const a = 1;
const r = /(/;
// !! SyntaxError 2:* 
//// a name declared twice
let a = 1;
let a = 2;
// !! SyntaxError 2:* 
//// await in a plain function
function f() {
	await tools.echo(1);
}
// !! SyntaxError 2:* 
//// a stray closing brace
return 1;
}
// !! SyntaxError 2:* 
//// code cannot close the function around it
return 1 })(), (async () => { return "second"
// !! SyntaxError *:* 
//// import is no statement here
import fs from "fs";
return 1;
// !! SyntaxError 1:* 
//// a dynamic import finds nothing
try { await import("fs"); } catch (e) { return e instanceof Error; }
// => true
//// require is not there
const fs = require("fs");
// !! ReferenceError 1:* require
//// an excerpt has a caret under the place
const value = 12;
return value.missing.deeper;
// !! TypeError 2:* undefined
// excerpt: ^
//// columns count UTF-16 units
const s = "😀é"; throw new Error("x");
// !!= Error 1:28 x
//// a very long line does not make a very long excerpt
const s = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"; throw new Error("end");
// !! Error 1:* end
//// lines with CRLF count as one
// source: "const a = 1;\r\nconst b = 2;\r\nthrow new Error('three');\r\n"
// !!= Error 3:* three
//// a shebang is not a script's business but must not shift lines
// source: "const a = `\n\n`;\nthrow new Error('four');"
// !!= Error 4:* four
//// return in the middle
if (true) { return "early"; }
return "late";
// => "early"
//// rejected with undefined
await Promise.reject();
// !!= - *:* undefined
//// a proxy that throws on everything
throw new Proxy({}, { get() { throw new Error("trap"); }, getPrototypeOf() { throw new Error("trap"); } });
// !! - *:* 
//// an error whose getters throw
const e = new Error("x");
Object.defineProperty(e, "message", { get() { throw 1; } });
throw e;
// !! * *:* 
