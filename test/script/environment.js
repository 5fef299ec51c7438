//// what is there
return ["eval", "Function", "Proxy", "Reflect", "WeakRef", "FinalizationRegistry", "atob", "btoa", "queueMicrotask", "performance", "DOMException", "SharedArrayBuffer", "escape", "unescape", "InternalError"].filter((k) => typeof globalThis[k] === "undefined");
// => []
// quickjs: it has no weak references, no shared memory
//// what is not there
return ["process", "require", "module", "fetch", "WebAssembly", "Deno", "Bun", "std", "os", "print", "gc", "XMLHttpRequest", "Worker", "navigator", "window", "self", "global", "importScripts", "scriptArgs", "Atomics"].filter((k) => typeof globalThis[k] !== "undefined");
// => []
//// this is the global object
return this === globalThis;
// => true
//// arguments is not there
return typeof arguments;
// => "undefined"
//// var stays inside
var local = 1;
return typeof globalThis.local;
// => "undefined"
//// tools and console are parameters
let tools = 1;
// !! SyntaxError 1:* 
//// base64
return [btoa("hello"), atob("aGVsbG8="), Uint8Array.fromBase64("AQID").length];
// => ["aGVsbG8=","hello",3]
//// chance differs from run to run and stays in range
const a = Array.from({ length: 100 }, Math.random);
return [a.every((x) => x >= 0 && x < 1), new Set(a).size];
// => [true,100]
//// the clock is of this century
const now = Date.now();
return [Number.isInteger(now), now > 1.7e12, new Date().getFullYear() > 2023];
// => [true,true,true]
//// performance.now counts up
const a = performance.now();
let n = 0;
for (let i = 0; i < 1e5; i++) n += i;
return performance.now() >= a;
// => true
//// enumerating the global object shows no more than it must
return Object.keys(globalThis).filter((k) => !["tools", "ALL_TOOLS", "text", "image", "audio", "file", "resource", "console", "exit", "store", "load", "performance", "codemode",
	"setTimeout", "clearTimeout"].includes(k));
// => []
//// the environment's own functions look native
return [text, exit, store, load, image].map((f) => /native code/.test(String(f)));
// => [true,true,true,true,true]
//// a wide Unicode identifier
const größe = 1, $ = 2, _ = 3;
return größe + $ + _;
// => 6
//// weak references
const o = {};
return new WeakRef(o).deref() === o;
// => true
// quickjs: it has no weak references, no shared memory
//// host functions cannot be reached through the stack
function f() { return typeof f.caller; }
let r;
try { r = f(); } catch (e) { r = e.name; }
return ["TypeError", "undefined", "object"].includes(r);
// => true
//// Date is local and UTC is right
return new Date(0).toISOString();
// => "1970-01-01T00:00:00.000Z"
//// structuredClone and timers are not promised yet
return ["setInterval", "setImmediate"].map((k) => typeof globalThis[k]);
// => ["undefined","undefined"]
