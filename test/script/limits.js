//// calls have a limit
for (let i = 0; i < 10; i++) await tools.echo(i);
// options: {"limits":{"calls":3}}
// !! * 1:* 3
// code: CallLimit
// kind: script
// calls: echo ok, echo ok, echo ok
//// calls up to the limit are fine
for (let i = 0; i < 3; i++) await tools.echo(i);
return "ok";
// options: {"limits":{"calls":3}}
// => "ok"
//// many calls at once run a few at a time
const most = Math.max(...await Promise.all(Array.from({ length: 20 }, () => tools.slow({ ms: 5 }))));
return most;
// options: {"limits":{"calls_at_once":4}}
// => 4
//// calls one at a time
return Math.max(...await Promise.all(Array.from({ length: 5 }, () => tools.slow({ ms: 2 }))));
// options: {"limits":{"calls_at_once":1}}
// => 1
//// sixteen at once are the default
return Math.max(...await Promise.all(Array.from({ length: 40 }, () => tools.slow({ ms: 20 }))));
// => 16
//// calls that never began are told
tools.hang();
tools.hang();
tools.hang();
await tools.echo(1);
// options: {"limits":{"calls_at_once":2,"wall_ms":1000}}
// !! * *:* 1000
// kind: timeout
// calls: hang cancelled, hang cancelled, hang unstarted, echo unstarted
//// output has a limit in characters
text("12345");
text("67890");
text("x");
// options: {"limits":{"output":10}}
// text: 12345
// text: 67890
// !! RangeError 3:* 10
// code: OutputLimit
//// the output limit counts UTF-16 units
text("😀😀");
text("é");
text("x");
// options: {"limits":{"output":5}}
// text: 😀😀
// text: é
// !! RangeError 3:* 5
// code: OutputLimit
//// catching the output limit does not help
try { text("too long"); } catch { return "went on"; }
// options: {"limits":{"output":3}}
// !! RangeError 1:* 3
// code: OutputLimit
//// console counts as output too
console.log("12345");
console.log("6");
// options: {"limits":{"output":5}}
// console: 12345
// !! RangeError 2:* 5
// code: OutputLimit
//// printed items have a limit
for (let i = 0; i < 5; i++) text("");
// options: {"limits":{"items":2}}
// text: 
// text: 
// !! RangeError 1:* 2
// code: OutputLimit
//// the value has a limit in bytes
return "x".repeat(100);
// options: {"limits":{"value":50}}
// !! * *:* 50
// code: ValueLimit
//// a value at the limit is fine
return "x".repeat(48);
// options: {"limits":{"value":50}}
// => "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
//// the default limit on the value holds
return "x".repeat(17 * 1024 * 1024);
// !! * *:* 16
// code: ValueLimit
//// memory has a limit that the script can catch
let n = 0;
const all = [];
try {
	for (;;) all.push(new Array(1000).fill(n++));
} catch (e) {
	const seen = e.message;
	all.length = 0;
	return [/memory/.test(seen), n > 100];
}
// options: {"limits":{"heap":8000000}}
// => [true,true]
//// memory that is not caught is the script's error
const all = [];
for (;;) all.push("x".repeat(1000) + all.length);
// options: {"limits":{"heap":8000000}}
// !! * *:* memory
// code: MemoryLimit
// kind: script
//// typed arrays count as memory
const all = [];
for (;;) all.push(new Uint8Array(1 << 20).fill(1));
// options: {"limits":{"heap":16000000}}
// !! * *:* memory
// kind: script
//// one buffer larger than the limit
new ArrayBuffer(1 << 30);
// options: {"limits":{"heap":16000000}}
// !! * 1:* 
// kind: script
//// ropes count as memory once they are text
let s = "x";
for (let i = 0; i < 29; i++) s += s;
return s.charCodeAt(5);
// options: {"limits":{"heap":16000000}}
// !! * *:* memory
// kind: script
// quickjs: strings have a greatest length
//// the default memory limit holds
const all = [];
for (;;) all.push(new Uint8Array(4 << 20).fill(1));
// !! * *:* memory
// kind: script
// within: 5000
//// a string over the engine's longest is a RangeError
try { "x".repeat(2 ** 31); } catch (e) { return e.name; }
// => "RangeError"
//// interrupt polls have a limit
let n = 0;
for (;;) n++;
// options: {"limits":{"polls":50}}
// !! * *:* 50
// kind: timeout
// within: 2000
//// a short deadline
while (true);
// options: {"limits":{"wall_ms":50}}
// !!= * *:* Execution timed out after 50 ms
// kind: timeout
// within: 150
//// a deadline while a call hangs
await tools.hang();
// options: {"limits":{"wall_ms":1000}}
// !!= * *:* Execution timed out after 1000 ms
// kind: timeout
// calls: hang cancelled
// within: 180
//// output before the deadline is kept
text("kept");
while (true);
// options: {"limits":{"wall_ms":1000}}
// text: kept
// !! * *:* 1000
// kind: timeout
//// a deadline cannot be caught
try { while (true); } catch { text("caught"); } finally { text("finally"); }
return "went on";
// options: {"limits":{"wall_ms":50}}
// !! * *:* 50
// kind: timeout
//// nothing is written after a deadline
store("k", 1);
while (true);
// options: {"limits":{"wall_ms":50}}
// !! * *:* 50
// kind: timeout
// result: storeWrites undefined
//// an error message has a bound
throw new Error("x".repeat(20000000));
// !! * 1:* 
// kind: script
//// an argument over the memory limit is the script's error
await tools.echo("x".repeat(9000000));
// options: {"limits":{"heap":8000000}}
// !! * *:* 
// kind: script
//// and that error can be caught, whatever its size
try {
	throw new Error("x".repeat(20000000));
} catch (e) {
	return e.message.length;
}
// => 20000000
//// a heap that holds no Error
const a = []; for (;;) a.push({ a: 1 });
// options: {"limits":{"heap":1}}
// !! InternalError *:* out of memory
// code: MemoryLimit
//// a heap in which the compiler of the engine gives up: 600
const a = [], f = () => a.push({ a: 1 }); class C { m() { return `${f}`; } } for (;;) f();
// options: {"limits":{"heap":600}}
// !! InternalError *:* out of memory
// code: MemoryLimit
//// a heap in which the compiler of the engine gives up: 1200
const a = [], f = () => a.push({ a: 1 }); class C { m() { return `${f}`; } } for (;;) f();
// options: {"limits":{"heap":1200}}
// !! InternalError *:* out of memory
// code: MemoryLimit
//// a heap in which the compiler of the engine gives up: 2400
const a = [], f = () => a.push({ a: 1 }); class C { m() { return `${f}`; } } for (;;) f();
// options: {"limits":{"heap":2400}}
// !! InternalError *:* out of memory
// code: MemoryLimit
//// a heap in which the compiler of the engine gives up: 4800
const a = [], f = () => a.push({ a: 1 }); class C { m() { return `${f}`; } } for (;;) f();
// options: {"limits":{"heap":4800}}
// !! InternalError *:* out of memory
// code: MemoryLimit
//// a heap in which the compiler of the engine gives up: 9600
const a = [], f = () => a.push({ a: 1 }); class C { m() { return `${f}`; } } for (;;) f();
// options: {"limits":{"heap":9600}}
// !! InternalError *:* out of memory
// code: MemoryLimit
//// a heap that holds hardly the script
const a = []; for (;;) a.push({ a: 1 });
// options: {"limits":{"heap":20000}}
// !! InternalError *:* out of memory
// code: MemoryLimit
//// running out of memory is caught as an Error in a heap of 1000000 bytes
let seen = [];
for (const made of [() => ({ a: 1 }), () => [1], () => () => 1, () => "x" + seen.length + Math.random(), () => new Uint8Array(100), () => Promise.resolve(), () => new Map([[1, 1]])]) {
	let kept = null;
	try { for (;;) kept = { kept, made: made() }; } catch (e) { kept = null; seen.push(e instanceof Error && e.message); }
}
return [...new Set(seen)];
// options: {"limits":{"heap":1000000}}
// => ["out of memory"]
//// running out of memory is caught as an Error in a heap of 3000000 bytes
let seen = [];
for (const made of [() => ({ a: 1 }), () => [1], () => () => 1, () => "x" + seen.length + Math.random(), () => new Uint8Array(100), () => Promise.resolve(), () => new Map([[1, 1]])]) {
	let kept = null;
	try { for (;;) kept = { kept, made: made() }; } catch (e) { kept = null; seen.push(e instanceof Error && e.message); }
}
return [...new Set(seen)];
// options: {"limits":{"heap":3000000}}
// => ["out of memory"]
//// running out of memory is caught as an Error in a heap of 8000000 bytes
let seen = [];
for (const made of [() => ({ a: 1 }), () => [1], () => () => 1, () => "x" + seen.length + Math.random(), () => new Uint8Array(100), () => Promise.resolve(), () => new Map([[1, 1]])]) {
	let kept = null;
	try { for (;;) kept = { kept, made: made() }; } catch (e) { kept = null; seen.push(e instanceof Error && e.message); }
}
return [...new Set(seen)];
// options: {"limits":{"heap":8000000}}
// => ["out of memory"]
//// memory that stays full after it was caught ends the run in a heap of 100000 bytes
let kept = null, caught = 0;
for (;;) try { for (;;) kept = { kept }; } catch (e) { kept = { kept, e }; if (e === null) return "null"; }
// options: {"limits":{"heap":100000}}
// !! InternalError *:* out of memory
// code: MemoryLimit
//// memory that stays full after it was caught ends the run in a heap of 1000000 bytes
let kept = null, caught = 0;
for (;;) try { for (;;) kept = { kept }; } catch (e) { kept = { kept, e }; if (e === null) return "null"; }
// options: {"limits":{"heap":1000000}}
// !! InternalError *:* out of memory
// code: MemoryLimit
//// memory that stays full after it was caught ends the run in a heap of 8000000 bytes
let kept = null, caught = 0;
for (;;) try { for (;;) kept = { kept }; } catch (e) { kept = { kept, e }; if (e === null) return "null"; }
// options: {"limits":{"heap":8000000}}
// !! InternalError *:* out of memory
// code: MemoryLimit
//// large requests are refused as often as they are made
const kept = [];
for (let i = 0; i < 5000; i++) try { new ArrayBuffer(1 << 30); } catch (e) { kept.push(e); }
return [kept.length, kept.every((e) => e instanceof Error)];
// options: {"limits":{"heap":8000000}}
// => [5000,true]
//// a heap that is full of answers
let kept = null;
for (let i = 0; ; i++) kept = { kept, i: await tools.echo({ i }) };
// options: {"limits":{"heap":1000000,"calls":1000000}}
// !! InternalError *:* out of memory
// code: MemoryLimit
//// memory that runs out where nothing waits
const wait = () => new Promise((resolve) => { let kept = null; setTimeout(() => { for (;;) kept = { kept }; }, 0); });
await wait();
// options: {"limits":{"heap":1000000}}
// !! InternalError *:* out of memory
// code: MemoryLimit
// warning: out of memory
//// a full heap still holds other errors
let kept = null, seen = [];
try { for (;;) kept = { kept }; } catch (e) { seen.push(e.name); }
for (let i = 0; i < 20; i++) try { null.x; } catch (e) { seen.push(e.name); }
kept = null;
return [...new Set(seen)];
// options: {"limits":{"heap":1000000}}
// => ["InternalError","TypeError"]
