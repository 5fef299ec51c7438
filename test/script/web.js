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
// quickjs: it makes no code from text, and a library takes less memory
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
//// an address that is not one is told
new URL("example.com/a");
// !! TypeError 1:* Invalid URL
//// addresses are taken apart and put together
const u = new URL("/search?q=a b#top", "https://example.com:443/x/y");
u.searchParams.set("page", 2);
return [u.href, u.host, u.searchParams.get("q"), new URL("https://Bücher.example/ß").href];
// => ["https://example.com/search?q=a+b&page=2#top","example.com","a b","https://xn--bcher-kva.example/%C3%9F"]
//// an address and a query are their texts in JSON
const query = new URLSearchParams({ a: "1 2", b: "ü" });
return { at: new URL("http://a/b"), query, sent: await tools.echo({ query }) };
// => {"at":"http://a/b","query":"a=1+2&b=%C3%BC","sent":{"query":"a=1+2&b=%C3%BC"}}
// calls: echo ok
//// UTF-8 in base64, as tools give file contents
const content = Buffer.from("grüße 😀").toString("base64");
return [content, Buffer.from(content, "base64").toString("utf8"), new TextDecoder().decode(Uint8Array.fromBase64(content)), Buffer.from("ÿ?>").toString("base64url")];
// => ["Z3LDvMOfZSDwn5iA","grüße 😀","grüße 😀","w78_Pg"]
//// a character that ends in the next piece
const d = new TextDecoder();
const bytes = new TextEncoder().encode("€");
return [d.decode(bytes.subarray(0, 1), { stream: true }), d.decode(bytes.subarray(1), { stream: true }), d.decode()];
// => ["","€",""]
//// what is not valid is replaced or refused
try { new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255])); } catch (e) { return [e.name, new TextDecoder().decode(new Uint8Array([65, 0xf0, 0x9f, 66]))]; }
// => ["TypeError","A�B"]
//// a clone keeps Map, Date, cycles, and shares nothing
const a = { m: new Map([["k", [1]]]), d: new Date(0) };
a.self = a;
const b = structuredClone(a);
b.m.get("k").push(2);
return [a.m.get("k"), b.self === b, b.d.getTime()];
// => [[1],true,0]
//// what cannot be cloned is told
structuredClone({ f: () => 1 });
// !! DataCloneError 1:* could not be cloned
//// a class instance is cloned to its fields, a tool not at all
class A { x = 1; }
const out = structuredClone(new A());
try { structuredClone({ f: tools.echo }); } catch (e) { return [out, out instanceof A, e.name]; }
// => [{"x":1},false,"DataCloneError"]
//// a digest in hexadecimal
const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("abc"));
return Buffer.from(hash).toString("hex");
// => "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
//// a text is no bytes
await crypto.subtle.digest("SHA-256", "abc");
// !! TypeError 1:* write new TextEncoder().encode(text)
//// a digest that is not there
await crypto.subtle.digest("MD5", new Uint8Array());
// !! NotSupportedError 1:* there are SHA-1, SHA-256, SHA-384, SHA-512
//// random values are of this run
const ids = Array.from({ length: 100 }, () => crypto.randomUUID());
return [new Set(ids).size, ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))];
// => [100,true]
//// encodings beyond Unicode
return ["gbk", "shift_jis", "windows-1252", "utf-16be"].map((label) => new TextDecoder(label).decode(new Uint8Array([0xc4, 0xe3])));
// => ["你","ﾄ�","Äã","쓣"]
//// buffers
const b = Buffer.concat([Buffer.from("ab"), Buffer.alloc(1), Buffer.from([99])]);
return [b.length, b.toString("latin1"), b.equals(Buffer.from("6162006 3", "hex")), b.subarray(0, 2).toString(), Buffer.byteLength("é"), Buffer.isBuffer(b.slice(1)), b.toJSON()];
// => [4,"ab\u0000c",false,"ab",2,true,{"type":"Buffer","data":[97,98,0,99]}]
//// libraries are there in eval and in functions made from text
return [(0, eval)("typeof TextDecoder"), new Function("return new URL('http://a').host")()];
// => ["function","a"]
// quickjs: it makes no code from text, and a library takes less memory
//// typeof of what is loaded
return [typeof URL, typeof crypto, "Buffer" in globalThis, typeof globalThis.structuredClone];
// => ["function","object",true,"function"]
