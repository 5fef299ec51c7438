//// a thrown object keeps its fields, and has the place of its throw
const a = 1;
throw { code: "E7", status: 402, detail: { retry: "after 3 days" } };
// !!= - 2:1 {"code":"E7","status":402,"detail":{"retry":"after 3 days"}}
// result: error.fields {"code":"E7","status":402,"detail":{"retry":"after 3 days"}}
// excerpt: 2 | throw { code
//// a thrown object with a message
throw { name: "Refused", message: "not today", again: 3 };
// !!= Refused 1:1 not today
// result: error.fields {"again":3}
//// a thrown object that refers to itself
const state = { code: "E42", step: "upload" };
state.self = state;
throw state;
// !! - 3:1 "code":"E42","step":"upload"
// result: error.fields.step "upload"
//// a thrown text and a thrown number
try { throw "inner"; } catch (e) { throw new Error("outer", { cause: e }); }
// !!= Error 1:46 outer
// result: error.cause.message "inner"
//// an Error with fields of its own
const e = new Error("payment failed");
e.status = 402;
e.body = { retry: ["after", 3] };
throw e;
// !!= Error 1:15 payment failed
// result: error.fields {"status":402,"body":{"retry":["after",3]}}
//// a field that cannot be read, or is nothing
const e = new Error("odd");
Object.defineProperty(e, "bad", { enumerable: true, get() { throw new Error("no") } });
e.f = () => 1;
e.n = 1n << 70n;
e.ok = true;
throw e;
// !!= Error 1:15 odd
// result: error.fields.bad "[no]"
// result: error.fields.ok true
//// a long field is told by its length
const e = new Error("long");
e.text = "x".repeat(30000);
e.ok = true;
throw e;
// !!= Error 1:15 long
// result: error.fields.text "[30002 characters left out]"
//// a chain of causes keeps names, fields and places
const one = Object.assign(new RangeError("one"), { n: 1 });
const two = new TypeError("two", { cause: one });
throw new Error("three", { cause: two });
// !!= Error 3:11 three
// result: error.cause.name "TypeError"
// result: error.cause.cause.message "one"
// result: error.cause.cause.fields {"n":1}
//// an AggregateError tells its errors
await Promise.any(["a", "b"].map(async (s) => { throw Object.assign(new Error("no " + s), { s }); }));
// !!= AggregateError *:* 2 errors
// result: error.errors.0.message "no a"
// result: error.errors.1.fields {"s":"b"}
//// an AggregateError of the script without a message tells them, too
throw new AggregateError([5]);
// !!= AggregateError 1:* 1 error
//// an AggregateError without errors has no message
throw new AggregateError([]);
// result: error.message ""
// !! AggregateError 1:*
//// of many errors and causes it is said how many are left out
let e = new Error("0");
for (let i = 1; i < 9; i++) e = new Error(String(i), { cause: e });
throw new AggregateError(Array.from({ length: 25 }, () => e), "all");
// !!= AggregateError 3:11 all
// result: error.errors.9.message "8"
// result: error.errors.10.message "(15 more errors)"
// result: error.errors.0.cause.cause.cause.message "5"
// result: error.errors.0.cause.cause.cause.cause.message "(further causes are left out)"
//// a class of one's own: the place is where it is made
class PaymentError extends Error {
	constructor(message) {
		super(message);
		this.name = "PaymentError";
		this.card = "visa";
	}
}
function pay() { throw new PaymentError("declined"); }
function checkout() { pay(); }
checkout();
// !!= PaymentError 8:28 declined
// result: error.fields {"card":"visa"}
// stack: at checkout (codemode.js:9:23)
//// a tool's error keeps all that it came with
await tools.fail({ message: "no", name: "HttpError", members: { code: -32602, data: { a: [1] }, structuredContent: { x: 1 } } });
// !!= HttpError 1:13 no
// code: ToolError
// tool: fail
// result: error.fields {"code":-32602,"data":{"a":[1]},"structuredContent":{"x":1}}
// calls: fail error
//// also as the cause of another
try {
	await tools.fail({ message: "no", members: { code: 7 } });
} catch (e) {
	throw new Error("saving failed", { cause: e });
}
// !!= Error 4:12 saving failed
// result: error.cause.tool "fail"
// result: error.cause.code "ToolError"
// result: error.cause.fields {"code":7}
// calls: fail error
//// an abort keeps its reason, of any kind
const c = new AbortController();
setTimeout(() => c.abort({ why: "esc", code: 7 }), 1);
await tools.hang({}, { signal: c.signal });
// !!= - *:* {"why":"esc","code":7}
// result: error.fields {"why":"esc","code":7}
// calls: hang cancelled
//// a reason that is a text
const c = new AbortController();
setTimeout(() => c.abort("user pressed esc"), 1);
await tools.hang({}, { signal: c.signal });
// !!= - *:* user pressed esc
// calls: hang cancelled
//// a reason of the script's own class
const c = new AbortController();
setTimeout(() => c.abort(Object.assign(new RangeError("too slow"), { ms: 1 })), 1);
await tools.hang({}, { signal: c.signal });
// !!= RangeError *:* too slow
// result: error.fields {"ms":1}
// calls: hang cancelled
//// half of a character in an error is told, once
throw Object.assign(new Error("half \ud83d"), { n: NaN, also: "\udc00" });
// !!= Error 1:* half �
// warning: $.message of the error is cut inside a character: the half that is there became U+FFFD
//// half of a character in the cause of an error
throw new Error("x", { cause: new Error("\ud800") });
// !!= Error 1:* x
// warning: $.cause.message of the error is cut inside a character
//// half of a character in what is thrown and is no error
throw { message: "\ud800" };
// !! * *:* �
// warning: $.message of the error is cut inside a character
//// a long message is not cut inside a character
throw new Error("😀".repeat(6000) + "x");
// !! Error 1:* … (2001 more characters)
