// Numbers, BigInts, strings and JSON, as the standard has them.
//// a number becomes its shortest text
return [0, -0, 0.1, 1e21, 1e20, 123456789012345680000, 1e-6, 1e-7, 5e-324, 1.7976931348623157e308, 4294967296.5, -1.5, 1 / 3, 9007199254740993, 1e300].map(String);
// => ["0","0","0.1","1e+21","100000000000000000000","123456789012345680000","0.000001","1e-7","5e-324","1.7976931348623157e+308","4294967296.5","-1.5","0.3333333333333333","9007199254740992","1e+300"]
//// digits are rounded half up, of what the number is exactly
return [0.5.toFixed(0), 2.5.toFixed(0), 1.005.toFixed(2), (-0.0001).toFixed(2), 1.25.toFixed(1), 1e21.toFixed(2), 12345..toExponential(2), 25..toExponential(0), 0.00015.toExponential(), 0.000001.toPrecision(2), 123456..toPrecision(2), 9.5.toPrecision(1), 1e21.toPrecision(3)];
// => ["1","3","1.00","-0.00","1.3","1e+21","1.23e+4","3e+1","1.5e-4","0.0000010","1.2e+5","1e+1","1.00e+21"]
//// numbers in another radix
return [255..toString(16), (-255.75).toString(16), 0.1.toString(3), 0.5.toString(2), 3.14159.toString(8)];
// => ["ff","-ff.c","0.0022002200220022002200220022002201","0.1","3.11037476006703156"]
//// texts that are numbers, and texts that are none
return ["", " 12 ", "0x1F", "-0x1", "1e3", ".5", "5.", "+.5e-1", "-Infinity", "infinity", "1_0", "0b101", "0o17", "1e400", "12345678901234567890123", "1 2", "\u20281\ufeff"].map((s) => String(Number(s)));
// => ["0","12","31","NaN","1000","0.5","5","0.05","-Infinity","NaN","NaN","5","15","Infinity","1.2345678901234568e+22","NaN","1"]
//// the beginning of a text as a number
return [parseInt(" -12px"), parseInt("0x1fg"), parseInt("12", 3), parseInt("z", 36), String(parseInt("")), parseInt("9007199254740993"), parseFloat("3.14abc"), parseFloat(".5e"), String(parseFloat("e5")), parseFloat("-Infinityx") === -Infinity];
// => [-12,31,5,35,"NaN",9007199254740992,3.14,0.5,"NaN",true]
//// Math where it is delicate
return [Math.round(-0.5), Math.round(2.5), Math.round(0.49999999999999994), Math.max(), Math.min(1, -0, 0), Math.hypot(3, 4, NaN, Infinity), Math.sign(-3), Math.clz32(1), Math.imul(0xffffffff, 5), Math.fround(5.5), Math.trunc(-0.9), Math.cbrt(27), 1 ** Infinity, Math.atan2(0, -0), Math.expm1(1e-10), Math.log1p(1e-10)].map(String);
// => ["0","3","0","-Infinity","0","Infinity","-1","31","-5","5.5","0","3","NaN","3.141592653589793","1.00000000005e-10","9.999999999500001e-11"]
//// sums that are rounded once
return [Math.sumPrecise?.([1e20, 0.1, -1e20, 5e-324, -0.1]) ?? 5e-324, Math.sumPrecise?.([]) === undefined || Object.is(Math.sumPrecise([]), -0)];
// => [5e-324,true]
//// remainders, powers and shifts
return [5 % -3, -5 % 3, 5.5 % 2, 2 ** -1, (-8) ** (1 / 3), 1 << 31, -1 >>> 0, -1 >> 31, 2 ** 32 | 0, 4294967297.9 & 3, ~2147483648, 1 / (-0 % 1)].map(String);
// => ["2","-2","1.5","0.5","NaN","-2147483648","4294967295","-1","0","1","2147483647","-Infinity"]
//// BigInts of any size
const a = 123456789012345678901234567890n, b = 987654321n;
return [a + b, a - b, a * b, a / b, a % b, a & b, a | b, a ^ b, -a / b, -a % b, -a & b, -a | b, -a ^ b, b ** 5n, a << 70n, -a >> 3n, ~a, -a >> 1000n].map(String);
// => ["123456789012345678902222222211","123456789012345678900246913569","121932631124828532112482853211126352690","124999998873437499901","574845669","169740432","123456789012345678902052481779","123456789012345678901882741347","-124999998873437499901","-574845669","817913888","-123456789012345678901064827457","-123456789012345678901882741345","939777062001603235922334849289141350612575601","145752050628652680975897013633443949312730317455360","-15432098626543209862654320987","-123456789012345678901234567891","-1"]
//// BigInts against numbers and texts
return [1n < 1.5, 2n > "1", 10n == "10", 10n === 10, 9007199254740993n > 9007199254740992, 0n == "", 1n < NaN, 2n ** 64n == 2 ** 64, [3n, 1, 2n].sort((x, y) => x < y ? -1 : 1).map(String), typeof 1n, Number(2n ** 70n), BigInt(1e21) === 10n ** 21n];
// => [true,true,true,false,true,true,false,true,["1","2","3"],"bigint",1.1805916207174113e+21,true]
//// BigInts are cut to bits, and read from texts
return [BigInt.asIntN(8, 255n), BigInt.asUintN(8, -1n), BigInt.asIntN(64, 2n ** 63n), BigInt.asUintN(64, -(2n ** 70n) + 5n), BigInt(" 0xff "), BigInt(""), (-255n).toString(16), (10n ** 40n).toString(36)].map(String);
// => ["-1","255","-9223372036854775808","5","255","0","-ff","cde0suu7bcgsn5rimwenzyeeps"]
//// what BigInts refuse
const why = [];
for (const f of [() => 1n + 1, () => +1n, () => 1n / 0n, () => 2n ** -1n, () => 1n >>> 0n, () => BigInt(1.5), () => BigInt("x"), () => BigInt(undefined), () => 2n ** (2n ** 40n), () => Math.max(1n)])
	try { why.push(String(f())); } catch (e) { why.push(e.name); }
return why;
// => ["TypeError","TypeError","RangeError","RangeError","TypeError","RangeError","SyntaxError","TypeError","RangeError","TypeError"]
//// upper and lower case of all scripts
return ["Straße ﬁ ŉ".toUpperCase(), "ÄÖÜ İ".toLowerCase(), "ΑΣ ΣΑ ΑΣ.".toLowerCase(), "ǆ".toUpperCase(), "\u{10400}".toLowerCase(), "ÿµ".toUpperCase()];
// => ["STRASSE FI ʼN","äöü i̇","ας σα ας.","Ǆ","𐐨","ŸΜ"]
//// normal forms
return ["a\u0308".normalize(), "ä".normalize("NFD").length, "ﬁ①".normalize("NFKC"), "\u1100\u1161\u11a8".normalize("NFC"), "각".normalize("NFD").length, "\u0344".normalize("NFC").length, "q\u0323\u0307".normalize("NFD") === "q\u0307\u0323".normalize("NFD")];
// => ["ä",2,"fi1","각",3,2,true]
//// parts of a text
return ["abcdef".slice(-3, -1), "abcdef".substring(4, 1), "abcdef".substr(-3, 2), "abc".at(-1), "abc".charAt(5), String("abc".charCodeAt(5)), "a\u{1f600}".codePointAt(1), [..."a\u{1f600}b"].length, "  \u2003x\ufeff".trim(), "ab".padStart(7, "123"), "ab".padEnd(5), "ab".repeat(3), "abcabc".lastIndexOf("c", 4), "abcabc".indexOf("c", 3), "x".concat(1, null), "\ud800a".toWellFormed()];
// => ["de","bcd","de","c","","NaN",128512,3,"x","12312ab","ab   ","ababab",2,5,"x1null","�a"]
//// what a text contains
return ["abc".includes(""), "abc".startsWith("b", 1), "abc".endsWith("b", 2), "a\u{1f600}b".indexOf("\u{1f600}"), "ab\u0101b".lastIndexOf("b"), "\u0101a".includes("a"), "a".localeCompare("b") < 0, "abc" < "abd", "a" < "B", "\u{1f600}" < "\uffff"];
// => [true,true,true,1,3,true,true,true,false,true]
//// JSON is written
const o = { a: [1, , undefined, () => 1], u: undefined, f() {}, d: new Date(0), n: NaN, s: "\"\\\n\u0001\ud800", [Symbol("x")]: 1, 2: "two", nested: { toJSON(key) { return key + "!"; } } };
return [JSON.stringify(o), JSON.stringify({ a: [1, {}], b: [], c: {} }, null, 2), JSON.stringify([new Number(3), new String("s"), new Boolean(false), Object(Symbol())]), JSON.stringify({ a: 1, b: { a: 2, c: 3 } }, ["a", "b"]), JSON.stringify({ a: 1, b: 2 }, (k, v) => k === "a" ? undefined : v, "--"), String(JSON.stringify(undefined)), JSON.stringify(new Map([[1, 2]])), JSON.stringify(new Proxy([1, 2], {}))];
// => ["{\"2\":\"two\",\"a\":[1,null,null,null],\"d\":\"1970-01-01T00:00:00.000Z\",\"n\":null,\"s\":\"\\\"\\\\\\n\\u0001\\ud800\",\"nested\":\"nested!\"}","{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": [],\n  \"c\": {}\n}","[3,\"s\",false,{}]","{\"a\":1,\"b\":{\"a\":2}}","{\n--\"b\": 2\n}","undefined","{}","[1,2]"]
//// JSON is read
const p = JSON.parse(' {"a": [1, -0, 2.5e3, true, null, "\\u0041\\n\\ud83d\\ude00"], "1": {}, "__proto__": 1, "a": [2], "": "" } ');
return [p, Object.keys(p), JSON.parse("[1,[2,{\"x\":3}]]", (k, v) => typeof v === "number" ? v * 2 : v), JSON.parse("[1,2,3]", function (k, v) { return k === "1" ? undefined : v; }), Object.is(JSON.parse("-0"), -0), JSON.parse("1234567890123456789")];
// => [{"1":{},"a":[2],"__proto__":1,"":""},["1","a","__proto__",""],[2,[4,{"x":6}]],[1,null,3],true,1234567890123456800]
//// JSON of many objects of the same members, in any order
const rows = [];
for (let i = 0; i < 300; i++) rows.push(i % 3 ? { id: i, name: "n" + i, on: i % 2 === 0 } : { name: "m", id: i });
const back = JSON.parse(JSON.stringify(rows));
return [back.every((r, i) => r.id === i && Object.keys(r).join() === (i % 3 ? "id,name,on" : "name,id")), JSON.stringify(back) === JSON.stringify(rows)];
// => [true,true]
//// texts that are no JSON are refused
const names = [];
for (const t of ["", "{a", "[1,", "[1 2]", "{\"a\" 1}", "\"abc", "\"a\\x\"", "01", "nul", "1 2", "\"\\u12\"", "{\"a\":1,}", "-", "1.", "\"a\nb\"", "[1}", "+1", "\u00a01", ".5", "tru\u0065x"])
	try { names.push(JSON.parse(t)); } catch (e) { names.push(e.name); }
return names;
// => ["SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError"]
//// JSON that is nested deeply is read and written by no recursion
let deep = "1";
for (let i = 0; i < 3000; i++) deep = i % 2 ? `{"a":${deep}}` : `[${deep}]`;
return JSON.stringify(JSON.parse(deep)) === deep;
// => true
//// a cycle is refused, what is there twice is not
const c = { x: {} };
const twice = JSON.stringify([c, c]);
c.x.c = c;
try { JSON.stringify(c); } catch (e) { return [twice, e.name]; }
// => ["[{\"x\":{}},{\"x\":{}}]","TypeError"]
//// raw JSON stays as it is written
return [JSON.stringify({ n: JSON.rawJSON("12345678901234567890") }), JSON.isRawJSON(JSON.rawJSON("1")), JSON.parse("[1.0]", (k, v, x) => x.source ?? v), Object.isFrozen(JSON.rawJSON("1"))];
// => ["{\"n\":12345678901234567890}",true,["1.0"],true]
