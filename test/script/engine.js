//// numbers cut off in the middle of an exponent
return ["7e", "7E+", "2.5e-", "-4.25e kg", "12e3x", ".5e", "3.e", "1e5e", "0e"].map(parseFloat);
// => [7,7,2.5,-4.25,12000,0.5,3,100000,0]
//// Number is strict about the same texts
return ["7e", "1_000", "", " 12 ", "0x1F", "1e", ".", "Infinity", "-0"].map((s) => String(Number(s)));
// => ["NaN","NaN","0","12","31","NaN","NaN","Infinity","0"]
//// parseFloat stops at what is no number
return ["e5", "0x1F", "Infinityx", "1_000", "  9e\t", "+.5.5", "--1", "1e400", "-1e400"].map((s) => String(parseFloat(s)));
// => ["NaN","0","Infinity","1","9","0.5","NaN","Infinity","-Infinity"]
//// parseInt
return [parseInt("08"), parseInt("0x1f"), parseInt("12px"), parseInt("1e3"), parseInt("z", 36), String(parseInt(""))];
// => [8,31,12,1,35,"NaN"]
//// numbers become the shortest text that reads back
return [0.1, 1 / 3, 1e23, 4.35, 123456.789e-3, 2 ** 70, 5e-7, 1.5e300].map(String);
// => ["0.1","0.3333333333333333","1e+23","4.35","123.456789","1.1805916207174113e+21","5e-7","1.5e+300"]
//// toFixed, toPrecision and toString with a base
return [(1.005).toFixed(2), (0.5).toFixed(0), (1234.5678).toPrecision(6), (255).toString(16), (0.1).toString(2).slice(0, 12), (1e21).toFixed(2)];
// => ["1.00","1","1234.57","ff","0.0001100110","1e+21"]
//// an empty alternative inside a repeated group
return [/(?:|[a-z])+([0-9])/.exec("ab7cd8"), /(?:[a-z]|)+([0-9])/.exec("ab7cd8"), /(?:|\w)+!/.exec("abc!")];
// => [["ab7","7"],["ab7","7"],["abc!"]]
//// captures are those of the last turn
return [/^(?:(x)|(y)|)+$/.exec("xyx"), /(?:(a)|b)*/.exec("ab"), /(z)((a+)?(b+)?(c))*/.exec("zaacbbbcac")];
// => [["xyx","x",null],["ab",null],["zaacbbbcac","z","ac","a",null,"c"]]
//// lookaround and back references
return [/(?=(a*))\1b/.exec("aaab"), /(?<=\$)\d+/.exec("cost $42")[0], /(?<!a)b/.exec("abcb").index, /(\w)\1/.exec("hello")[0]];
// => [["aaab","aaa"],"42",3,"ll"]
//// named groups
const m = /(?<y>\d{4})-(?<m>\d\d)/.exec("on 2024-05-06");
return [m.groups.y, m.groups.m, "2024-05".replace(/(?<y>\d+)-(?<m>\d+)/, "$<m>/$<y>")];
// => ["2024","05","05/2024"]
//// an unmatched named group is undefined in replace
return "aXbX".replace(/(?:)X|(?<pre>b)(?=X)/g, (m, p) => `[${m}|${p ?? "-"}]`);
// => "a[X|-][b|b][X|-]"
//// split with a repeated group
return ["path/to//file".split(/(\/)*/).length, "a1b22c".split(/\d+/), "abc".split("")];
// => [19,["a","b","c"],["a","b","c"]]
//// matchAll with empty groups
return [..."k1=v1; k2=; =v3".matchAll(/(?<k>[^=; ]*)=(?<v>[^;]*)/g)].map((m) => [m.groups.k, m.groups.v]);
// => [["k1","v1"],["k2",""],["","v3"]]
//// unicode in regular expressions
return ["😀é".match(/./gu).length, "😀".match(/./g).length, /\p{Lu}/u.test("É"), /^\p{Emoji}$/v.test("😀"), "ſ".match(/s/iu) !== null];
// => [2,2,true,true,true]
//// sticky and global state
const re = /a/y;
return [re.test("ba"), re.lastIndex, re.test("ab"), re.lastIndex, "banana".replaceAll("a", "o")];
// => [false,0,true,1,"bonono"]
//// nested groups that may be empty: an answer or a refusal
let src = "a";
for (let i = 0; i < 60; i++) src = `(?:(?:${src}|)+|)`;
let r;
try { r = new RegExp(`^${src}$`).test("a") ? "matched" : "no match"; } catch (e) { r = e instanceof Error ? "refused" : "odd"; }
return ["matched", "refused"].includes(r);
// options: {"limits":{"wall_ms":2000}}
// => true
// or: timeout
//// one group name in two of many alternatives
const alts = ["(?<id>A\\d)", ...Array.from({ length: 255 }, (_, i) => "w" + i + "q"), "(?<id>Z\\d)"];
const re = new RegExp("^(?:" + alts.join("|") + ")$");
return ["A1", "w200q", "Z9", "Q"].map((s) => { const m = re.exec(s); return m && (m.groups.id ?? "-"); });
// => ["A1","-","Z9",null]
//// one group name in two alternatives
const re = /(?<n>a)1|(?<n>b)2/;
return [re.exec("a1").groups.n, re.exec("b2").groups.n, re.exec("a2")];
// => ["a","b",null]
//// a limit on matching is never a wrong no
const t = "x".repeat(25) + "!";
return [/^(?:x|xx)+!$/.test(t), /^(x+x+)+!$/.test(t)];
// => [true,true]
//// sorting is stable and by text
const rows = [["b", 1], ["a", 1], ["b", 0], ["a", 0]];
return [[10, 9, 1, 2].sort(), rows.sort((x, y) => (x[0] < y[0] ? -1 : x[0] > y[0] ? 1 : 0)).map((r) => r.join("")), [3, 1, 2].toSorted((a, b) => b - a)];
// => [[1,10,2,9],["a1","a0","b1","b0"],[3,2,1]]
//// dates in UTC
const d = new Date("2024-02-29T23:59:60Z");
return [String(d.getTime()), new Date(Date.UTC(2024, 1, 29)).toISOString(), new Date("2024-01-15T10:00:00+02:00").toISOString(), Date.parse("nonsense") !== Date.parse("nonsense")];
// => ["NaN","2024-02-29T00:00:00.000Z","2024-01-15T08:00:00.000Z",true]
//// what ES2025 has
return [
	Object.groupBy([1, 2, 3], (n) => (n % 2 ? "odd" : "even")),
	[...new Set([1, 2, 3]).intersection(new Set([2, 3, 4]))],
	[1, 2, 3, 4].values().filter((n) => n % 2).map((n) => n * n).toArray(),
	await Array.fromAsync([Promise.resolve(1), 2]),
	"abc".at(-1), [1, 2, 3].findLast((n) => n < 3), Object.fromEntries([["a", 1]]), [1, [2, [3]]].flat(Infinity),
];
// => [{"odd":[1,3],"even":[2]},[2,3],[1,9],[1,2],"c",2,{"a":1},[1,2,3]]
//// classes with private members
class C {
	#n = 1;
	static #made = 0;
	static { this.#made++; }
	get n() { return this.#n; }
	set n(v) { this.#n = v; }
	static made() { return C.#made; }
	has(o) { return #n in o; }
}
const c = new C();
c.n += 4;
return [c.n, C.made(), c.has(c), c.has({})];
// => [5,1,true,false]
//// destructuring, spread, defaults, labels
const { a = 1, ...rest } = { b: 2, c: 3 };
const [x, , y = 9, ...zs] = [1, 2, undefined, 4, 5];
const total = (...ns) => ns.reduce((s, n) => s + n, 0);
outer: for (const i of [1, 2, 3]) for (const j of [1, 2, 3]) { if (j === 2) continue outer; if (i === 3) break outer; }
return [a, rest, x, y, zs, total(...[1, 2, 3]), a?.b?.c ?? "none"];
// => [1,{"b":2,"c":3},1,9,[4,5],6,"none"]
//// generators and iterators
function* nat() { let n = 0; while (true) yield n++; }
return [[...nat().take(3)], [..."añ😀"], Array.from({ length: 2 }, (_, i) => i * 2)];
// => [[0,1,2],["a","ñ","😀"],[0,2]]
//// big integers
return [String(2n ** 100n), String(-7n / 2n), (123n).toString(16), String(BigInt.asUintN(8, 257n)), 10n > 9];
// => ["1267650600228229401496703205376","-3","7b","1",true]
//// JSON.parse is strict
return ["{a:1}", "[1,]", "'x'", "01", "1.", "\"\n\"", "", "nul", "[1]x"].map((s) => { try { JSON.parse(s); return "taken"; } catch (e) { return e.name; } });
// => ["SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError"]
//// JSON.parse and JSON.stringify with functions
return [JSON.parse("[1,{\"a\":2}]", (k, v) => (typeof v === "number" ? v * 2 : v)), JSON.stringify({ a: 1, b: 2, c: [3] }, ["a", "c"]), JSON.stringify([1, { a: 2 }], null, 2)];
// => [[2,{"a":4}],"{\"a\":1,\"c\":[3]}","[\n  1,\n  {\n    \"a\": 2\n  }\n]"]
//// texts that look like comments
const s = "<!-- x --> // y /* z */ import('a')";
const r = /<!--.*?-->/.exec(s)[0];
let n = 3, steps = 0;
while (n-->0) steps++;
return [s.length, r, steps, `// ${"/*"} */`];
// => [35,"<!-- x -->",3,"// /* */"]
//// explicit resource management
const log = [];
{
	using a = { [Symbol.dispose]() { log.push("closed"); } };
	log.push("open");
}
return log;
// => ["open","closed"]
//// strings of any kind
return ["ß".toUpperCase(), "İ".toLowerCase().length, "e\u0301".normalize("NFC").length, "abc".padStart(5, "*"), "a-b-c".replaceAll("-", "+"), "\ud83d".isWellFormed()];
// => ["SS",2,1,"**abc","a+b+c",false]
