//// a fence around a script
```js
const a = 20;
return a + 1;
```
// => 21
//// a fence, prose, and the last expression as the value
Here is the script:
```typescript
const n: number = 20;
n + 2
```
// => 22
//// an error inside a fence has the line of the text
Here it is:
```js
const o = {};
return o.a.b;
```
// !! TypeError 4:12 o.a is undefined
// excerpt: 4 | return o.a.b;
//// the script as one JSON string
// source: "\"const a = 1;\\nreturn a + \\\"x\\\"\""
// => "1x"
//// its lines are those of what it stands for
// source: "\"const a = 1;\\nthrow new Error(\\\"here\\\")\""
// !!= Error 2:11 here
//// the script as the member of an object
// source: "{\"code\": \"return 5\"}"
// => 5
//// an arrow function, called
async () => {
	return 7;
}
// => 7
//// with tools
async ({ tools }) => tools.echo(8)
// => 8
// calls: echo ok
//// a function without a name
async function (tools) { return await tools.echo(9); }
// => 9
// calls: echo ok
//// export default
export default async function main() {
	return helper();
}
function helper() { return 10; }
// => 10
//// export default of a value
const r = await tools.echo(11);
export default r;
// => 11
// calls: echo ok
//// module.exports
module.exports = async () => 12;
// => 12
//// main, which nothing calls
function twice(x) { return 2 * x; }
async function main() { return twice(6.5); }
// => 13
//// main, called and not awaited
async function main() {
	await tools.echo(1);
	return 14;
}
main();
// => 14
// calls: echo ok
// warning: main() stands last, so it is awaited
//// an async function called in place
(async () => {
	const r = await tools.echo(15);
	return r;
})();
// => 15
// calls: echo ok
//// the same with void
void (async () => 16)();
// => 16
//// the last expression, over lines
const xs = [1, 2, 3];
xs
	.map((x) => x * 2)
	.join("-")
// => "2-4-6"
//// an error in the last expression has its own place
const a = 1;
a.b.c;
// !! TypeError 2:5 a.b is undefined
// excerpt: 2 | a.b.c;
//// an error on the line of what was put in
"a".b.c
// !! TypeError 1:7 "a".b is undefined
//// an assignment gives nothing
let a;
a = 5;
// => undefined
// warning: nothing was returned: add return a
//// a function that wants what is not known is not called
async (input) => input.x
// => undefined
// warning: nothing is called here
//// functions that nothing calls
async function a(x) { return x; }
async function b(y) { return y; }
// => undefined
// warning: nothing is called here
//// import of what is there anyway
import { tools, text } from "codemode";
text(1);
return 17;
// => 17
// text: 1
//// import of what is not there
import fs from "fs";
return 1;
// !! SyntaxError 1:1 there is no module "fs"
// code: SyntaxError
//// raw: the text is the script
1 + 1
// options: {"raw": true}
// => undefined
//// raw: errors are told in terms of it all the same
const o = {};
o.f()
// options: {"raw": true}
// !! TypeError 2:3 o.f is not a function
//// looks like comments, strings, code, and is not
const html = "<!-- a --> b";
const arrow = "--> not a comment";
let n = 3;
const down = []; while (n-->0) down.push(n);
const t = `<!--${html.length}-->`, re = /<!--(.*?)-->/g;
const code = "eval(1); new Function('x'); import(x); /* @options: {} */";
return [html.replace(re, ""), arrow.length, down, t, [...html.matchAll(re)].length, code.includes("eval("), 1 </*c*/!/**/0 ? "lt" : "ge", /[/]\*/.source, "a" /* ` */ + 'b'];
// => [" b",17,[2,1,0],"<!--12-->",1,true,"ge","[/]\\*","ab"]
//// an HTML comment is refused by its name
const x = 5, y = 1;
return x<!--y
;
// !! SyntaxError 2:9 HTML comment
//// U+2028 in a string, and the end of a comment
// source: "const s = \"\u2028(\u2029)\"; // \u2028return [s.length, \"after\"];"
// => [4,"after"]
//// a quoted string over two lines
const who = "team";
const note = "line one
line two";
await tools.echo(note);
// !! SyntaxError 2:14 template literal
// code: SyntaxError
//// the same with CR LF
// source: "const q = 'SELECT a\r\nFROM t';\r\nawait tools.echo(q);\r\n"
// !! SyntaxError 1:11 template literal
//// a template literal over lines keeps them
const cmd = `cat <<'EOT'
$HOME \${notmine} "q"
EOT`;
return cmd.split("\n");
// => ["cat <<'EOT'","$HOME ${notmine} \"q\"","EOT"]
//// types: lines after generics, angle brackets
interface Box<T> { v: T }
function pick<T extends object>(key: keyof T) {
	return <U extends
		T>
		(x: U): U[keyof U] => x[key as unknown as keyof U];
}
const fn = (...a: unknown[]): number => a.length;
let x = 1, y = 2;
const both = fn(x < y, x >= y), cmp = x as number < 3;
return [pick<Box<number>>("v")({ v: 7 }), both, cmp, fn<number>(x)];
// => [7,2,true,1]
//// a shell command
ls -la src
// !! SyntaxError 1:1 a shell command
//// a shell command that is code by accident
cd /srv/app
pwd
// !! ReferenceError 1:1 a shell command
// warning: pwd is not defined
//// SQL
SELECT name FROM users WHERE id = 3;
// !! SyntaxError 1:1 looks like SQL
//// Python
import json
print(json.dumps({"a": 1}))
// !! SyntaxError 1:1 looks like Python
//// prose
I will now list the open issues.
// !! SyntaxError 1:1 a sentence for people
//// a tool call as JSON
// source: "{\"tool\": \"list_issues\", \"arguments\": {\"state\": \"open\"}}"
// !! SyntaxError 1:1 return await tools.list_issues({"state": "open"})
//// one failed round tells the other errors too
const a = [1];
a.b.c;
fetch("x");
// !! TypeError 2:5 a.b is undefined
// warning: fetch does not exist here
