//// deep recursion is an error that can be caught
function deeper() { return deeper() + 1; }
const seen = [];
for (let i = 0; i < 5; i++) try { deeper(); } catch (e) { seen.push(e instanceof RangeError); }
return seen;
// => [true,true,true,true,true]
//// deep recursion that is not caught is the script's error
function deeper() { return deeper() + 1; }
deeper();
// !! RangeError *:* call stack
// kind: script
//// a useful depth is there
function depth(n) { return n ? depth(n - 1) + 1 : 0; }
return depth(8000);
// => 8000
//// a useful depth is there after an answer too
function depth(n) { return n ? depth(n - 1) + 1 : 0; }
const before = depth(8000);
await tools.add({ a: 1, b: 2 });
return [before, depth(8000)];
// => [8000,8000]
//// a value of 2,000 levels is printed, with what JSON has not
let v = new Set([1]);
for (let i = 0; i < 1500; i++) v = [v];
text(v);
return JSON.stringify(v).length;
// output: any
// => 3002
//// the engine is sound after deep recursion
function deeper() { return deeper() + 1; }
try { deeper(); } catch {}
class A { constructor(x) { this.x = x; } get twice() { return this.x * 2; } }
return [[3, 1, 2].sort().map((x) => new A(x).twice), /(\d+)-(\d+)/.exec("10-20").slice(1), await tools.add({ a: 1, b: 2 })];
// => [[2,4,6],["10","20"],3]
//// parsing deep JSON works or is an error that can be caught
const out = [];
for (const n of [100, 1000, 5000, 50000, 300000]) {
	try {
		let v = JSON.parse("[".repeat(n) + "]".repeat(n)), d = 0;
		while (Array.isArray(v)) { v = v[0]; d++; }
		out.push(d === n);
	} catch (e) {
		out.push(n > 1000 && e instanceof Error);
	}
}
return [out, 1 + 1];
// => [[true,true,true,true,true],2]
//// parsing deep objects works or is an error that can be caught
const out = [];
for (const n of [1000, 50000, 300000]) {
	try {
		let v = JSON.parse('{"a":'.repeat(n) + "1" + "}".repeat(n)), d = 0;
		while (typeof v === "object") { v = v.a; d++; }
		out.push(d === n);
	} catch (e) {
		out.push(n > 1000 && e instanceof Error);
	}
}
return out;
// => [true,true,true]
//// deep JSON that is never closed is always an error
return [10, 1000, 20000, 200000].map((n) => {
	try { JSON.parse("[".repeat(n)); return "taken"; } catch (e) { return e instanceof Error; }
});
// => [true,true,true,true]
//// a deep value cannot end the sandbox when it is written
const down = (n, f) => n === 0 ? f() : [down(n - 1, f)][0];
let nest = {};
for (let i = 0; i < 40000; i++) nest = { nest };
try { return down(1600, () => JSON.stringify(nest).length); } catch (e) { return e.message; }
// => "Maximum call stack size exceeded"
// quickjs: it needs no stack for that
//// a deep value that is returned is the script's error or a value
let nest = [];
for (let i = 0; i < 200000; i++) nest = [nest];
return nest;
// !! * *:* 
// kind: script
//// a deep argument is the script's error
const down = (n, f) => n === 0 ? f() : [down(n - 1, f)][0];
let nest = [];
for (let i = 0; i < 40000; i++) nest = [nest];
let r = "taken";
try { await down(1600, () => tools.echo(nest)); } catch (e) { r = e instanceof Error; }
return [r, await tools.echo(1)];
// => [true,1]
//// a deep value that is printed is the script's error
const down = (n, f) => n === 0 ? f() : [down(n - 1, f)][0];
let nest = [];
for (let i = 0; i < 40000; i++) nest = [nest];
try { down(1600, () => text(nest)); } catch (e) { return e instanceof Error; }
// => true
//// a deep value that is stored is the script's error
const down = (n, f) => n === 0 ? f() : [down(n - 1, f)][0];
let nest = [];
for (let i = 0; i < 40000; i++) nest = [nest];
try { down(1600, () => store("k", nest)); } catch (e) { return e instanceof Error; }
// => true
//// a deep tool result is a value or an error that can be caught
let kind;
try { kind = typeof await tools.deep({ n: 50000 }); } catch (e) { kind = e instanceof Error ? "error" : "odd"; }
return [kind === "object" || kind === "error", 1 + 1, await tools.echo("sound")];
// => [true,2,"sound"]
//// a tool result of moderate depth is a value
let v = await tools.deep({ n: 500 }), d = 0;
while (Array.isArray(v)) { v = v[0]; d++; }
return d;
// => 500
//// source nested too deep is the script's own error
// source: "return ((((((((((1))))))))));"
// => 1
//// eval of deeply nested source can be caught
let r;
try { r = eval("(".repeat(20000) + "1" + ")".repeat(20000)); } catch (e) { r = e instanceof Error; }
return [r === true || r === 1, 1 + 1];
// => [true,2]
//// deep regular expressions can be caught
let r;
try { r = new RegExp("(".repeat(50000) + "a" + ")".repeat(50000)).test("a"); } catch (e) { r = e instanceof Error; }
return [r, /a(b)c/.test("abc")];
// => [true,true]
//// a long chain of promises
let p = Promise.resolve(0);
for (let i = 0; i < 20000; i++) p = p.then((n) => n + 1);
return await p;
// => 20000
//// a long chain of bound functions
let f = () => 1;
for (let i = 0; i < 2000; i++) f = f.bind(null);
let r;
try { r = f(); } catch (e) { r = e instanceof RangeError ? 1 : e.name; }
return r;
// => 1
//// recursion through toString, sort and proxies
const tries = [
	() => { const o = { toString() { return "" + o; } }; return String(o); },
	() => { const f = () => [2, 1].sort(f); return f(); },
	() => { let p = {}; for (let i = 0; i < 50000; i++) p = new Proxy(p, {}); return p.x; },
	() => { const f = () => "x".replace(/x/, f); return f(); },
	() => { const o = { toJSON() { return JSON.stringify(o); } }; return JSON.stringify(o); },
	() => { const a = []; a[0] = a; return a.flat(Infinity); },
];
return tries.map((f) => { try { f(); return "done"; } catch (e) { return e instanceof Error; } });
// => [true,true,true,true,true,true]
//// concatenated ropes of great depth
let s = "";
for (let i = 0; i < 6000; i++) s = "a" + s + "b";
return [s.length, s[0], s.at(-1), s[6000]];
// => [12000,"a","b","b"]
//// source nested far too deep is the script's own error
// source-nest: 20000 ( 1 )
// !! * *:* 
// kind: script
//// arrays nested far too deep in the source are the script's own error
// source-nest: 20000 [ 1 ]
// !! * *:* 
// kind: script
//// blocks nested far too deep in the source are the script's own error
// source-nest: 20000 { ; }
// !! * *:* 
// kind: script
//// iterators in iterators, deeper than any stack
let f = [1].values();
for (let i = 0; i < 500000; i++) f = f.map((x) => x);
return f.next().value;
// !! RangeError -:- Maximum call stack size exceeded
// code: ScriptError
// quickjs: the place is told
