//// a global of the library is an ordinary property once it was read
const before = Object.getOwnPropertyDescriptor(globalThis, "URL");
URL;
const { writable, enumerable, configurable, value } = Object.getOwnPropertyDescriptor(globalThis, "URL");
return [typeof before.get, typeof value, writable, enumerable, configurable];
// => ["function","function",true,false,true]
//// a global of the library can be replaced before it is read
URL = 1;
const first = URL;
globalThis.TextDecoder = class Mine {};
return [first, TextDecoder.name, delete globalThis.URL, typeof URL];
// => [1,"Mine",true,"undefined"]
//// what a library imports is not what the script put there
globalThis.TextEncoder = class { encode() { return "mine"; } };
return new URL("http://a/é").href;
// => "http://a/%C3%A9"
//// a library counts against the memory limit
// options: {"limits":{"heap":8000000}}
const parts = [];
try { for (;;) parts.push("x".repeat(10000)); } catch {}
parts.length -= 2;
let first = "loaded";
try { URL; } catch (e) { first = e.message; }
parts.length = 0;
return [first, new URL("http://a").href];
// => ["out of memory","http://a/"]
//// a library that found no stack is loaded later
let inner = "none";
const deep = () => { try { deep(); } catch { try { URL; } catch (e) { inner = e.name; } throw 0; } };
try { deep(); } catch {}
return [inner, new URL("http://a").href];
// => ["RangeError","http://a/"]
//// libraries show no function of the environment
let stack;
try { new URL("no"); } catch (e) { stack = e.stack; }
return [/native code/.test(URL.toString()), typeof require, typeof module, typeof exports];
// => [true,"undefined","undefined","undefined"]
