// SPDX-License-Identifier: MIT
//
// calls.mjs -- the calls that compare.mjs compares: expressions of JavaScript.

const js = JSON.stringify;
const bytes = (list) => `new Uint8Array([${list}])`;

// ------------------------------------------------------------------ URL

const MEMBERS = "href origin protocol username password host hostname port pathname search hash".split(" ");
const showUrl = (make) => `(() => { const u = ${make}; return [${MEMBERS.map((m) => `u.${m}`)}]; })()`;

const ADDRESSES = [
	"http://example.com", "HTTP://EXAMPLE.com:80/", "https://user:pa%20ss@host:8443/a/b;c?d=e&f#g", "http://a:0/", "http://a:65535/",
	"http://a:65536/", "http://a:x/", "http:///a", "http:\\\\a\\b\\c", "http:a", "http://", "http://?q", "http://a b/", "http://a%20b/",
	"http://[::1]/", "http://[1:2:0:0:0:0:0:3]:81/", "http://[::ffff:1.2.3.4]/", "http://[::1", "http://[g::1]/", "http://[1::2::3]/",
	"http://192.168.0.1/", "http://0x7f.1/", "http://017700000001", "http://256.1.1.1/", "http://1.2.3.4.5/", "http://1.2.3/", "http://a.0x/",
	"http://4294967295/", "http://4294967296/", "file:///etc/passwd", "file:///C:/a/../b", "file:///C|/a", "file://host/share/x", "file:a", "file:",
	"mailto:a@b.c?subject=hi there", "data:text/plain,a b#c d", "javascript:alert(1)", "about:blank", "blob:https://a.b/c-d", "urn:isbn:1",
	"ws://a:80/", "wss://a:443/", "ftp://a:21/x", "foo://a:80/b c", "foo://A/", "foo:bar?x y#z `", "foo:/a/../b", "foo://", "foo:",
	"http://bücher.example/ä?ö=ü#ß", "http://xn--bcher-kva.example/", "http://日本語.jp/", "http://faß.de/", "http://xn--a/", "http://a.xn--/",
	"http://☕.example/", "http://é.com/\u0301", "http://\u00ad/", "http://a\u200db/", "http://a\u3002b/", "http://%41.com/", "http://ex%61mple.com/%7e",
	"http://a/%", "http://a/%zz", "http://a/%2e%2E/b", "http://a/b/./c/../d/..", "http://a/.../b", "http://a//b//c", "http://a/;x=1/..;y",
	"http://a/\t\nb", "  http://a/  ", "\u0000http://a/", "http://a/\u0000", "http://a\\b", "http://a/b\\c", "http://a?b\\c", "http://a#b\\c",
	"http://a/ \"<>`{}|^~'[]", "http://a?\"<>`{}|^~'[]", "http://a#\"<>`{}|^~'[]", "foo://a?'", "http://u@/", "http://@a", "http://:@a", "http://:p@a",
	"http://u:p:q@a", "http://u@v@a", "http://a:b@c:d", "http://<a>", "http://a^b", "http://a|b", "http://a%00b", "foo://a%00b", "http://a..b/", "http://./", "http://../",
	"http://www.example.com/a/b-c_d/e.html?q=1&r=a+b%20c&s[]=x#top", "https://api.x-y.co.uk:8080/v1/items/42?ids=1,2,3", "http://a.b:80", "https://a:443/?#", "http://a/%2Fb", "http://a/b%", "http://a/x.y/..z", "http://a/b?c'd", "http://a/b'c#d'e", "https://a.1/", "https://a1.b2/", "http://a/?a/./b", "http://a/#/../b", "http://xn--bcher-kva.b/c",
	"http://a./", "", " ", "a", "/a", "//a", "?a", "#a", ":", ":a", "1:a", "a1+-.:b", "http", "http:?", "https:/a/b", "https:////a/b", "http://a/\ud800", "http://a/?\udc00x",
	"http://\ud83d\ude00/", "http://a/\ud83d\ude00", "http://a?\ud83d\ude00", "http://1e2/", "http://0x/", "http://0/", "http://09.1/", "http://1..2/", "http://-a-/", "http://a_b/",
];
const BASES = ["http://h/p/q?r#s", "https://u:p@h:1/x/", "file:///C:/d/e", "mailto:x", "foo://h/p/q", "foo:/a/b"];
const RELATIVES = ["", ".", "..", "../..", "./a", "a/./b/../c", "/a", "//b", "///b", "?a", "#a", "\\a", "http:a", "http:/a", "https:a", "foo:b", "C|/a", "a:b", "%2e%2e/x", "/..//a", "a?b#c", " a ", "\ta\n"];

const SETTERS = [
	["protocol", ["https", "ftp:", "foo", "1a", "file"]],
	["username", ["u", "", "a b@c", "é"]],
	["password", ["p", "", ":/?#"]],
	["host", ["x", "x:8", "x:80", "x/y", "", "[::2]:9", "x:y"]],
	["hostname", ["y", "y:8", "", "127.1", "a b"]],
	["port", ["8", "80", "", "x", "8x", "65536", " 9", "-1", "08"]],
	["pathname", ["z", "/z", "", "a?b#c", "../z", "\\z", "é %"]],
	["search", ["z", "?z", "", "a b&c#d", "'", "é"]],
	["hash", ["z", "#z", "", "a b", "`<é"]],
	["href", ["https://n/", "n", ""]],
];
const SET_ON = ["http://u:p@h:81/p?q#f", "mailto:x", "file:///a", "foo://h/p"];

function* urlCalls() {
	for (const a of ADDRESSES) yield showUrl(`new URL(${js(a)})`);
	for (const base of BASES) for (const r of RELATIVES) yield showUrl(`new URL(${js(r)}, ${js(base)})`);
	for (const [member, values] of SETTERS)
		for (const value of values)
			for (const on of SET_ON) yield `(() => { const u = new URL(${js(on)}); u.${member} = ${js(value)}; return u; })()`;
	yield* ['URL.canParse("a")', 'URL.canParse("a", "http://b")', 'URL.canParse("http://[")', 'URL.parse("x:y")', 'URL.parse("y")', "new URL()", "URL('http://a')",
		"new URL(new URL('http://a/b'))", "JSON.stringify(new URL('http://a'))", "new URL('http://a').toString()", "new URL('a', undefined)", "new URL('http://a', 'b')",
		"new URL({ toString() { return 'http://x'; } })", "(() => { const u = new URL('http://a?x=1'); u.searchParams.append('y', '2 3'); return [u, u.search]; })()",
		"(() => { const u = new URL('http://a?x=1'); u.searchParams.delete('x'); return u; })()", "(() => { const u = new URL('http://a?x=1'); u.search = '?z'; return [...u.searchParams]; })()",
		"(() => { const u = new URL('http://a?x=1'); return u.searchParams === u.searchParams; })()", "Object.prototype.toString.call(new URL('http://a'))", "new URL('http://a') instanceof URL",
		"URL.name", "URL.length", "Object.keys(new URL('http://a'))"];
}

// ------------------------------------------------------ URLSearchParams

const QUERIES = ["", "?", "a=1", "?a=1&b=2", "a", "a=", "=b", "=", "a=1&a=2", "a+b=c+d", "a%20b=%26", "%=%zz", "é=ü", "a=b=c", "&&a&&", "a=%F0%9F%98%80", "a=%ff", "\ud800=1", "a=\u0000", "??a"];
const EDITS = ["p.append('a', 'x y')", "p.set('a', 'n')", "p.set('new', '1')", "p.delete('a')", "p.delete('a', '1')", "p.sort()", "p.append('é', '&=+%')", "p.append(1, null)", "p.append('a')"];
const READS = ["p.get('a')", "p.getAll('a')", "p.has('a')", "p.has('a', '2')", "[...p]", "[...p.keys()]", "[...p.values()]", "p.size", "(() => { const l = []; p.forEach((v, k) => l.push(k + v)); return l; })()"];
const MADE_FROM = ["{ a: 1, b: [2, 3] }", "[['a', '1'], ['a', '2']]", "new Map([['x', 'y']])", "[['a']]", "[1]", "new URLSearchParams('a=1')", "null", "undefined", "1", "true", "new Set(['ab'])", "{ get a() { return 'got'; } }", "'?x=1'", "[['a', 'b', 'c']]", "{ 'a b': 'c&d' }"];

function* searchParamsCalls() {
	for (const q of QUERIES) yield `[...new URLSearchParams(${js(q)})].concat(new URLSearchParams(${js(q)}).toString())`;
	for (const edit of EDITS) for (const q of ["", "a=1&b=2&a=3"]) yield `(() => { const p = new URLSearchParams(${js(q)}); ${edit}; return p; })()`;
	for (const read of READS) for (const q of ["", "a=1&b=2&a=3"]) yield `(() => { const p = new URLSearchParams(${js(q)}); return ${read}; })()`;
	for (const from of MADE_FROM) yield `new URLSearchParams(${from})`;
	yield "(() => { const p = new URLSearchParams('z=1&a=2&ﬃ=3&\u{1f308}=4'); p.sort(); return p; })()";
	yield "Object.prototype.toString.call(new URLSearchParams())";
	yield "`${new URLSearchParams({ q: 'a/b c' })}`";
	yield "Object.fromEntries(new URLSearchParams('a=1&b=2'))";
}

// -------------------------------------------------------------- encoding

const UTF8 = [[], [65], [0xc3, 0xa9], [0xe2, 0x82, 0xac], [0xf0, 0x9f, 0x98, 0x80], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x80], [0xff], [0xc0, 0x80], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80],
	[0xf5, 65], [0xe2, 65], [0xe2, 0x82, 65], [0xf0, 0x9f, 65, 66], [0xef, 0xbb, 0xbf, 65], [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], [0xef, 0xbb], [0, 65, 0], [0xf0, 0x80, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xe2, 0x82, 0xe2, 0x82, 0xac]];
const UTF16 = [[65, 0], [65, 0, 66], [0x3d, 0xd8, 0, 0xde], [0x3d, 0xd8], [0, 0xde], [0xff, 0xfe, 65, 0], [0xfe, 0xff, 0, 65], [0, 0xd8, 65, 0], [], [1]];
const LABELS = ["utf-8", "UTF8", " utf-8\n", "unicode-1-1-utf-8", "utf-16", "utf-16le", "UTF-16BE", "ucs-2", "latin1", "iso-8859-1", "ascii", "us-ascii", "windows-1252", "iso-8859-2", "koi8-r", "windows-1251", "macintosh", "x-user-defined", "gbk", "gb18030",
	"big5", "euc-jp", "shift_jis", "euc-kr", "iso-2022-jp", "utf-7", "", "nope", "utf8\u0000", "ibm866", "iso-8859-8-i", "windows-874"];
const MIXED = [0x41, 0x80, 0x81, 0x9f, 0xa0, 0xe9, 0xff];

function* encodingCalls() {
	for (const b of UTF8)
		for (const options of ["{}", "{ fatal: true }", "{ ignoreBOM: true }"]) yield `new TextDecoder("utf-8", ${options}).decode(${bytes(b)})`;
	for (const b of UTF16)
		for (const label of ["utf-16le", "utf-16be"])
			for (const options of ["{}", "{ fatal: true }", "{ ignoreBOM: true }"]) yield `new TextDecoder("${label}", ${options}).decode(${bytes(b)})`;
	for (const label of LABELS) yield `new TextDecoder(${js(label)}).encoding`;
	for (const label of ["iso-8859-2", "koi8-r", "windows-1251", "macintosh", "ibm866", "windows-874"]) yield `new TextDecoder(${js(label)}).decode(${bytes(MIXED)})`;
	for (const [label, b] of [["gbk", [0xc4, 0xe3, 0xba, 0xc3]], ["big5", [0xa7, 0x41]], ["euc-jp", [0xa4, 0xa2]], ["shift_jis", [0x82, 0xa0, 0xb1]], ["euc-kr", [0xb0, 0xa1]], ["gb18030", [0x81, 0x30, 0x81, 0x30]]])
		yield `new TextDecoder("${label}").decode(${bytes(b)})`;
	for (const [label, b] of [["utf-8", [0xef, 0xbb, 0xbf, 0xf0, 0x9f, 0x98, 0x80, 0xc3, 0xa9, 0xe2, 0x82]], ["utf-16le", [0xff, 0xfe, 65, 0, 0x3d, 0xd8, 0, 0xde, 1]], ["utf-16be", [0, 65, 0xd8, 0x3d, 0xde, 0, 0xd8]]])
		for (const step of [1, 2, 3, 4])
			yield `(() => { const d = new TextDecoder("${label}"), b = ${bytes(b)}, out = []; for (let i = 0; i < b.length; i += ${step}) out.push(d.decode(b.subarray(i, i + ${step}), { stream: true })); out.push(d.decode()); return out.join("") ; })()`;
	for (const s of ["", "a", "é", "€", "😀", "\ud800", "\udc00x", "\ud83dx", "a\u0000b"]) {
		yield `new TextEncoder().encode(${js(s)})`;
		for (const n of [0, 1, 3, 5]) yield `(() => { const b = new Uint8Array(${n}); const r = new TextEncoder().encodeInto(${js(s)}, b); return [r.read, r.written, b]; })()`;
	}
	yield* ["new TextEncoder().encode()", "new TextEncoder().encode(undefined)", "new TextEncoder().encode(null)", "new TextEncoder().encode(12)", "new TextEncoder().encoding", "new TextDecoder().encoding", "new TextDecoder().fatal",
		"new TextDecoder('utf-8', { fatal: 1 }).fatal", "new TextDecoder('utf-8', { ignoreBOM: 1 }).ignoreBOM", "new TextDecoder().decode()", "new TextDecoder().decode(new Uint8Array([65]).buffer)",
		"new TextDecoder().decode(new DataView(new Uint8Array([65, 66]).buffer, 1))", "new TextDecoder().decode(new Uint16Array([0x4241]))", "new TextDecoder().decode('a')", "new TextDecoder().decode([65])", "new TextDecoder().decode(null)",
		"Object.prototype.toString.call(new TextEncoder())", "Object.prototype.toString.call(new TextDecoder())", "TextEncoder()"];
	for (const s of ["", "a", "ab", "abc", "\u00ff", "é", "€", "a\u0000"]) yield `btoa(${js(s)})`;
	for (const s of ["", "YQ==", "YWI=", "YWJj", "YQ", "YQ=", "Y", " Y W J j\n", "YWJ-", "/+8=", "=", "YQ===", "YR==", "a$b=", "AAAA"]) yield `atob(${js(s)})`;
	for (const v of ["null", "undefined", "12"]) yield `[btoa(${v})]`;
}

// ----------------------------------------------------------- clone, crypto

const VALUES = ["1", "'s'", "null", "undefined", "true", "10n", "NaN", "-0", "Infinity", "[]", "[1, [2, [3]]]", "[1, , 3]", "{}", "{ a: { b: { c: 1 } } }", "new Date(5)", "new Date(NaN)", "/a.b/gi", "new Map([[1, { a: 2 }], [{ k: 1 }, 'v']])", "new Set([1, 'a', { b: 2 }])",
	"new Uint8Array([1, 2, 3])", "new Uint8Array([1, 2, 3]).subarray(1)", "new Uint16Array([1, 2]).subarray(1, 2)", "new Float64Array([0.5])", "new BigInt64Array([-1n])", "new DataView(new ArrayBuffer(4), 1, 2)", "new ArrayBuffer(3)", "new Error('m')", "new TypeError('t', { cause: { a: 1 } })",
	"new RangeError('r')", "Object(1)", "Object('s')", "Object(false)", "Object(2n)", "Object(Symbol('x'))", "Symbol('x')", "() => 1", "function f() {}", "class A {}", "{ f() {} }", "[() => 1]", "Promise.resolve()", "new WeakMap()", "new WeakSet()", "new WeakRef({})", "new (class A { x = 1; #y = 2; m() {} })()",
	"Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true }, hidden: { value: 3 } })", "{ get g() { return 'got'; } }", "{ [Symbol('s')]: 1, a: 2 }", "Object.assign([1], { extra: 2 })", "Object.freeze({ a: 1 })", "Object.create(null)", "new Proxy({}, {})", "new AggregateError([1], 'a')",
	"{ __proto__: { a: 1 }, b: 2 }", "JSON.parse('{\"__proto__\": 1}')", "(function () { return arguments; })(1, 2)", "[undefined, null]", "{ a: undefined }", "new (class extends Map { x = 1 })([[1, 2]])", "new (class extends Array {})(1, 2)", "new (class E extends Error { code = 5; name = 'E' })('m')", "(function* () {})()", "new Map().entries()", "globalThis.nothing",
	"(() => { const a = {}; a.self = a; return a; })()", "(() => { const a = []; a.push(a); return a; })()", "(() => { const s = { x: 1 }; return [s, s]; })()", "(() => { const m = new Map(); m.set(m, m); return m; })()", "(() => { const e = new Error('c'); e.cause = e; return e; })()", "Object.assign(new Error('m'), { code: 1 })", "new Boolean(true)", "new EvalError('e')", "Object.assign(new Error('m'), { name: 'TypeError' })", "Object.assign(new Error('m'), { message: 5 })"];

function* cloneCalls() {
	for (const v of VALUES) yield `structuredClone(${v.startsWith("{") ? `(${v})` : v})`;
	yield* ["(() => { const s = {}; const [a, b] = structuredClone([s, s]); return a === b && a !== s; })()", "(() => { const b = new ArrayBuffer(2); const [x, y] = structuredClone([new Uint8Array(b), new Uint8Array(b, 1)]); return x.buffer === y.buffer; })()",
		"(() => { const b = new ArrayBuffer(2); const c = structuredClone(b, { transfer: [b] }); return [b.byteLength, c.byteLength]; })()", "(() => { const u = new Uint8Array([1, 2]); const c = structuredClone(u, { transfer: [u.buffer] }); return [u.length, c]; })()",
		"structuredClone(1, { transfer: [{}] })", "structuredClone(1, { transfer: [] })", "(() => { const b = new ArrayBuffer(1); return structuredClone(b, { transfer: [b, b] }); })()", "structuredClone.name", "structuredClone.length",
		"(() => { let n = 0; structuredClone({ get a() { return n++; } }); return n; })()", "structuredClone({ get a() { throw new SyntaxError('s'); } })", "(() => { const r = /a/g; r.lastIndex = 3; return structuredClone(r).lastIndex; })()", "structuredClone(new Date(1)) instanceof Date",
		"structuredClone(new TypeError('x')) instanceof TypeError", "structuredClone(new DOMException('m', 'AbortError')).name", "(() => { const o = structuredClone(Object.freeze({ a: 1 })); o.a = 2; return o; })()"];
	for (const v of ["() => 1", "Symbol('q')", "new WeakMap()"]) yield `(() => { try { structuredClone(${v}); } catch (e) { return [e.name, e.code, e.message, e instanceof DOMException]; } })()`;
}

function* cryptoCalls() {
	const lengths = [0, 1, 3, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 1000];
	for (const name of ["SHA-1", "SHA-256", "SHA-384", "SHA-512"])
		for (const n of lengths) yield `crypto.subtle.digest("${name}", Uint8Array.from({ length: ${n} }, (_, i) => i * 7))`;
	yield* ["crypto.subtle.digest('sha-256', new ArrayBuffer(2))", "crypto.subtle.digest({ name: 'SHA-1' }, new DataView(new ArrayBuffer(4), 1))", "crypto.subtle.digest('MD5', new Uint8Array())", "crypto.subtle.digest('SHA-256', 'text')", "crypto.subtle.digest('SHA-256')",
		"crypto.getRandomValues(new Uint8Array(8)).length", "(() => { const a = new Int16Array(4); return crypto.getRandomValues(a) === a; })()", "crypto.getRandomValues(new Float32Array(1))", "crypto.getRandomValues(new Uint8Array(65537))", "crypto.getRandomValues([1])", "crypto.getRandomValues(new Uint8Array(65536)).some((x) => x > 0)",
		"/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())", "crypto.randomUUID() === crypto.randomUUID()", "Object.prototype.toString.call(crypto)", "typeof crypto.subtle.digest", "crypto.subtle === crypto.subtle",
		"crypto.getRandomValues(new BigUint64Array(2)).length", "crypto.getRandomValues(new DataView(new ArrayBuffer(4)))",
		"(() => { const whole = new Uint8Array(300); crypto.getRandomValues(whole.subarray(100, 200)); return [whole.slice(0, 100).some(Boolean), whole.slice(100, 200).some(Boolean), whole.slice(200).some(Boolean)]; })()"];
}

// ---------------------------------------------------------------- Buffer

const TEXTS = ["", "a", "héllo €", "😀x", "\ud800", "aGVsbG8=", "aGVsbG8", "_-8", "/+8=", "68656c6c6f", "6865zz", "abc", "aGk K\n", "\u00ff\u0100"];
const ENCODINGS = ["utf8", "UTF-8", "hex", "base64", "base64url", "latin1", "binary", "ascii", "utf16le", "ucs2"];

function* bufferCalls() {
	for (const s of TEXTS)
		for (const e of ENCODINGS) yield `Buffer.from(${js(s)}, ${js(e)})`;
	for (const e of ENCODINGS) {
		yield `Buffer.from([0, 1, 127, 128, 200, 255, 240, 159, 152, 128, 226, 130]).toString(${js(e)})`;
		yield `Buffer.from("héllo wörld €").toString(${js(e)}, 2, 9)`;
		yield `Buffer.byteLength("héllo €==", ${js(e)})`;
		yield `Buffer.isEncoding(${js(e)})`;
	}
	for (const s of TEXTS) yield `[Buffer.byteLength(${js(s)}), Buffer.from(${js(s)}).length]`;
	const b = "Buffer.from('hello world')";
	yield* ["Buffer.from([1, 2, 300, -1, 'x'])", "Buffer.from(new Uint8Array([1, 2]))", "Buffer.from(new Uint8Array([1, 2, 3]).buffer, 1, 1)", "Buffer.from(Buffer.from('a'))", "Buffer.from({ type: 'Buffer', data: [1, 2] })", "Buffer.from()", "Buffer.from(5)", "Buffer.from(null)", "Buffer.from('a', 'nope')",
		"Buffer.alloc(3)", "Buffer.alloc(3, 1)", "Buffer.alloc(5, 'ab')", "Buffer.alloc(-1)", "Buffer.alloc('3')", "Buffer.allocUnsafe(4).length", "Buffer.concat([Buffer.from('a'), Buffer.from('bc')])", "Buffer.concat([Buffer.from('abc')], 2)", "Buffer.concat([new Uint8Array([1])], 3)", "Buffer.concat([])", "Buffer.concat('x')",
		"Buffer.isBuffer(Buffer.alloc(1))", "Buffer.isBuffer(new Uint8Array(1))", "Buffer.compare(Buffer.from('a'), Buffer.from('b'))", "Buffer.from('a').equals(Buffer.from('a'))", "Buffer.from('a').equals(new Uint8Array([98]))", "Buffer.from('a').equals('a')", "Buffer.from('b').compare(Buffer.from('a'))",
		`${b}.toString()`, `${b}.toString('utf8', 6)`, `${b}.toString('nope')`, `${b}.toString(undefined, -3, 4)`, `${b}.toString('utf8', 4, 2)`, `${b}.slice(1, 3)`, `${b}.slice(-3)`, `${b}.subarray(2, 5)`, `Buffer.isBuffer(${b}.subarray(1))`, `Buffer.isBuffer(${b}.slice(1))`, `${b}.indexOf('o')`, `${b}.indexOf('o', 5)`, `${b}.lastIndexOf('o')`, `${b}.includes('wor')`, `${b}.indexOf(Buffer.from('ld'))`, `${b}.indexOf(111)`,
		`JSON.stringify(${b}.subarray(0, 2))`, `[...${b}.entries()].length`, `${b}.length`, `${b}[1]`, `${b}.at(-1)`, `(() => { const x = ${b}; x.write('HEY', 1); return x; })()`, `(() => { const x = ${b}; return [x.fill('ab', 2, 6), x]; })()`, `(() => { const x = Buffer.alloc(4); ${b}.copy(x, 1, 2); return x; })()`, `(() => { const x = ${b}, y = x.slice(0, 2); y[0] = 65; return x.toString(); })()`,
		`${b} instanceof Uint8Array`, `${b}.map((x) => x + 1)`, `${b}.reverse().toString()`, `${b}.toString('hex').length`, `${b}.readUInt8(1)`, `${b}.readUInt16BE(0)`, `${b}.readUInt32LE(1)`, `${b}.readInt32BE(1)`, `${b}.readBigUInt64BE(0)`, `${b}.readDoubleLE(0)`, `${b}.readUInt8(99)`, `${b}.readUIntBE(0, 6)`,
		"(() => { const x = Buffer.alloc(8); x.writeUInt32BE(0xdeadbeef); x.writeInt16LE(-2, 4); return x; })()", "(() => { const x = Buffer.alloc(8); x.writeDoubleBE(1.5); return x; })()", "Buffer.alloc(1).writeUInt8(256)", "Buffer.from('abcd').swap16()", "Buffer.of(1, 2)", "Buffer.isEncoding('nope')", "Buffer.isEncoding(1)", "new TextDecoder().decode(Buffer.from('é'))", "Buffer.from('é').buffer instanceof ArrayBuffer",
		"Buffer.from('YQ==', 'BASE64')", "Buffer.from('zz', 'hex').length", "Buffer.from('abc', 'hex')", "Buffer.from('a'.repeat(100), 'utf8').toString('base64')", "Buffer.from(new Uint8Array(60)).toString('base64url')", "String(Buffer.from('x'))", "Buffer.from('x') + ''", "Buffer.byteLength(new ArrayBuffer(3))", "Buffer.byteLength(new Uint8Array(2))", "Buffer.byteLength(5)", "typeof Buffer.poolSize", "Buffer.name"];
}

// ------------------------------------------------------------------ all

// Where Node 22 is not what the standards say: expression -> the right answer.
// The URL Standard since 2024: a path escapes ^, a host name in ASCII may hold
// any xn-- label, and an opaque path is no base.
const text = (list) => `[${list.map((s) => js(s)).join(", ")}]`;
const RIGHT = {
	__proto__: null,
	[showUrl('new URL("http://xn--a/")')]: text(["http://xn--a/", "http://xn--a", "http:", "", "", "xn--a", "xn--a", "", "/", "", ""]),
	[showUrl('new URL("http://a.xn--/")')]: text(["http://a.xn--/", "http://a.xn--", "http:", "", "", "a.xn--", "a.xn--", "", "/", "", ""]),
	[showUrl(`new URL(${js("http://a/ \"<>`{}|^~'[]")})`)]: text(["http://a/%20%22%3C%3E%60%7B%7D|%5E~'[]", "http://a", "http:", "", "", "a", "a", "", "/%20%22%3C%3E%60%7B%7D|%5E~'[]", "", ""]),
	[showUrl('new URL("a?b#c", "mailto:x")')]: "throws TypeError",
	[showUrl('new URL("../..", "foo://h/p/q")')]: text(["foo://h/", "null", "foo:", "", "", "h", "h", "", "/", "", ""]),
	[showUrl('new URL("../..", "foo:/a/b")')]: text(["foo:/", "null", "foo:", "", "", "", "", "", "/", "", ""]),
	"new URLSearchParams(null)": "URLSearchParams(null=)",
	'new TextDecoder("x-user-defined").encoding': '"x-user-defined"',
	[`new TextDecoder("windows-874").decode(${bytes(MIXED)})`]: js("A\u20ac\u0081\u009f\u00a0\u0e49\ufffd"),
};

export const calls = () => [...urlCalls(), ...searchParamsCalls(), ...encodingCalls(), ...cloneCalls(), ...cryptoCalls(), ...bufferCalls()]
	.map((code) => ({ code, right: RIGHT[code] }));
