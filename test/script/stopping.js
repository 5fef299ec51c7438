//// a loop
for (let i = 0; ; i++);
// options: {"limits":{"wall_ms":100}}
// !! * *:* 100
// kind: timeout
// within: 200
//// a loop of awaits
while (true) await null;
// options: {"limits":{"wall_ms":100}}
// !! * *:* 100
// kind: timeout
// within: 200
//// promise jobs that make promise jobs
const again = () => Promise.resolve().then(again);
await again();
// options: {"limits":{"wall_ms":100}}
// !! * *:* 100
// kind: timeout
// within: 250
//// microtasks that queue themselves
const again = () => queueMicrotask(again);
again();
await tools.hang();
// options: {"limits":{"wall_ms":100}}
// !! * *:* 100
// kind: timeout
// within: 250
//// a regular expression that backtracks
return /^(a+)+$/.test("a".repeat(40) + "b");
// options: {"limits":{"wall_ms":100}}
// !! * *:* 100
// kind: timeout
// within: 200
// quickjs: the pattern is stopped by a limit of its own
//// a huge sort
const a = Array.from({ length: 1e6 }, (_, i) => (i * 7919) % 1e6);
for (;;) a.sort().reverse();
// options: {"limits":{"wall_ms":300}}
// !! * *:* 300
// kind: timeout
// within: 400
//// JSON.parse of a huge text
const s = "[" + "1,".repeat(5e6) + "1]";
for (;;) JSON.parse(s);
// options: {"limits":{"wall_ms":200}}
// !! * *:* 200
// kind: timeout
// within: 300
//// JSON.stringify of a huge value
const v = Array.from({ length: 2e5 }, (_, i) => ({ i, s: "text " + i }));
for (;;) JSON.stringify(v);
// options: {"limits":{"wall_ms":300}}
// !! * *:* 300
// kind: timeout
// within: 400
//// repeat and search in long strings
const s = "a".repeat(2e7);
for (let n = 0; ;) n += s.indexOf("b") + s.lastIndexOf("c");
// options: {"limits":{"wall_ms":100}}
// !! * *:* 100
// kind: timeout
// within: 200
//// repeat alone
for (;;) "abc".repeat(1e7);
// options: {"limits":{"wall_ms":100}}
// !! * *:* 100
// kind: timeout
// within: 200
//// split and join
const s = "a,".repeat(1e6);
for (;;) s.split(",").join(";");
// options: {"limits":{"wall_ms":200}}
// !! * *:* 200
// kind: timeout
// within: 300
//// filling arrays
const a = new Uint8Array(5e7);
for (;;) a.fill(1).reverse();
// options: {"limits":{"wall_ms":100}}
// !! * *:* 100
// kind: timeout
// within: 200
//// big integers
let n = 3n;
for (;;) n = n ** 3n;
// options: {"limits":{"wall_ms":200}}
// !! * *:* 
// within: 350
//// a getter in a proxy that never ends
const p = new Proxy({}, { get(t, k, r) { return r[k]; } });
return p.x;
// !! * *:* 
// kind: script
// within: 1000
//// replace with a callback without end
"x".replace(/x/, function f() { for (;;); });
// options: {"limits":{"wall_ms":100}}
// !! * *:* 100
// kind: timeout
// within: 200
//// a toJSON without end while returning
return { toJSON() { for (;;); } };
// options: {"limits":{"wall_ms":100}}
// !! * *:* 100
// kind: timeout
// within: 200
//// a getter without end while an error is described
throw { get name() { for (;;); }, toString() { for (;;); }, toJSON() { for (;;); } };
// options: {"limits":{"wall_ms":100}}
// !! * *:* 100
// kind: timeout
// within: 200
//// a generator without end
function* g() { for (;;) yield 1; }
return [...g()].length;
// options: {"limits":{"wall_ms":100}}
// !! * *:* 
// within: 1000
//// an endless then on a returned object
return { then(ok) { for (;;); } };
// options: {"limits":{"wall_ms":100}}
// !! * *:* 100
// kind: timeout
// within: 200
//// the clock reads on while computing
const t = Date.now();
while (Date.now() - t < 20);
return Date.now() - t >= 20;
// => true
