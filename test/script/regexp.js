// Regular expressions and dates, as the standard has them.
//// groups are unset in each repetition
return [/(?:(a)|b)*/.exec("ab"), /(z)((a+)?(b+)?(c))*/.exec("zaacbbbcac")];
// => [["ab",null],["zaacbbbcac","z","ac","a",null,"c"]]
//// a repetition that would be empty is tried another way
return [/(a*)*/.exec("b"), /(?:|a)*/.exec("aa"), /(?:(a?)b?){2,3}/.exec("aba"), /(?=(a?))*b/.exec("ab")];
// => [["",null],["aa"],["aba","a"],["b",null]]
//// what is looked for behind is matched backward
const a = /(?<=(\d+)(\d+))$/.exec("1053");
const b = /(?<=\1(\w))d/i.exec("abcCd");
const c = /(?<=\$(\d+))x/.exec("$123x");
const d = "a, b;c".split(/(?<=[,;]\s*)/);
return [a, b, c, d];
// => [["","1","053"],["d","C"],["x","123"],["a,"," ","b;","c"]]
//// a reference to a group that is not set matches nothing
return [/(.*?)a(?!(a+)b\2c)\2(.*)/.exec("baaabaac"), /(\2a)(\1)/.exec("aaa"), /\k<n>(?<n>x)/.exec("x")];
// => [["baaabaac","ba",null,"abaac"],["aa","a","a"],["x","x"]]
//// letters without case are told apart as the standard does
return [/\u017f/i.test("s"), /\u017f/iu.test("s"), /\w/iu.test("\u017f"), /\u00e9/i.test("\u00c9"), /[^x]/i.test("X"), /\u212a/i.test("k")];
// => [false,true,true,true,false,false]
//// halves of pairs are characters, alone or without the flag u
return [/^.$/.test("\u{1f600}"), /^.$/u.test("\u{1f600}"), /\ud83d/.test("\u{1f600}"), /\ud83d/u.test("\u{1f600}"), /^[^x]$/u.test("\ud83d"), /[\u{1f600}]/u.exec("a\u{1f600}").index];
// => [false,true,true,false,true,1]
//// the ends of lines are those of the language
return ["a\u2028b".match(/^b/m).index, /a$/.test("a\n"), /a$/m.test("a\r\n"), /./.test("\u2029"), /./s.test("\u2029"), /[^]/.test("\n"), /[]/.test("x")];
// => [2,false,true,false,true,true,false]
//// sets of the flag v
return ["aB3_x".match(/[\w--[a-z]]+/v)[0], /^[\p{L}&&\p{ASCII}]+$/v.test("abc"), "x\u00e9".match(/[\q{x\u00e9|x}]/v)[0], /^\P{Lu}$/iv.test("A")];
// => ["B3_",true,"x\u00e9",false]
//// names, indices, sticky and all matches
const m = /(?<y>\d{4})-(?<m>\d\d)/d.exec("on 2024-05");
const all = [..."a1b22".matchAll(/[a-z](?<n>\d+)/g)].map((x) => x.groups.n);
const sticky = /a/y;
return [m.groups.m, m.indices.groups.y, all, sticky.test("ab"), sticky.lastIndex, sticky.test("ab"), sticky.lastIndex];
// => ["05",[3,7],["1","22"],true,1,false,0]
//// templates of replace
return ["abc".replace(/(b)(c)?(x)?/, "[$2$1$3$&$`$'$$$4$01]"), "2024-05".replace(/(?<y>\d+)-(?<m>\d+)/, "$<m>/$<y>$<z>"), "aaa".replace("a", "$&$&"), "x-x".replaceAll("x", (s, at) => at), "\u{1f600}".replace(/(?:)/gu, "-")];
// => ["a[cbbca$$4b]","05/2024","aaaa","0-2","-\ud83d\ude00-"]
//// splitting
return ["a1b2c".split(/\d/), "a1b2c".split(/(\d)/, 3), "abc".split(""), "abc".split(/(?:)/), "".split(/x/), "".split(/(?:)/), "a,b,".split(","), "a,b".split(undefined)];
// => [["a","b","c"],["a","1","b"],["a","b","c"],["a","b","c"],[""],[],["a","b",""],["a,b"]]
//// what a class of its own or another exec does is asked for
class R extends RegExp { exec(s) { const r = super.exec(s); if (r) r[0] = r[0].toUpperCase(); return r; } }
const r = /b/;
r.exec = () => null;
return ["abc".replace(new R("b"), "<$&>"), "abc".match(new R("b")), r.test("b"), "abc".search(r)];
// => ["a<B>c",["B"],false,-1]
//// a pattern that is wrong says so
const wrong = [];
for (const p of ["(", "a**", "[b-a]", "(?<n>a)(?<n>b)", "\\k<x>(?<n>a)"])
	try { wrong.push(new RegExp(p)); } catch (e) { wrong.push(e.name); }
return wrong;
// => ["SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError"]
//// dates are read and written
const t = ["2020-01-01", "Thu, 01 Jan 1970 00:00:01 GMT", "Tue Mar 01 2022 00:00:00 GMT+0200 (EET)", "+010000-01-01T00:00:00Z", "2020-13-01", "-000000-01-01T00:00:00Z", "x"];
return t.map((s) => String(Date.parse(s)));
// => ["1577836800000","1000","1646085600000","253402300800000","NaN","NaN","NaN"]
//// fields of dates carry over
const x = new Date(Date.UTC(2024, 0, 31));
x.setUTCMonth(1);
return [x.toISOString(), new Date(Date.UTC(99, 0)).getUTCFullYear(), String(new Date(8.64e15 + 1)), Date.UTC(2023, 13, 0, 25), new Date(-1).toISOString(), new Date(0).toUTCString()];
// => ["2024-03-02T00:00:00.000Z",1999,"Invalid Date",1706749200000,"1969-12-31T23:59:59.999Z","Thu, 01 Jan 1970 00:00:00 GMT"]
