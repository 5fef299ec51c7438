//// failed calls that are not thrown have their own places
const made = [];
for (let i = 0; i < 2; i++) made.push(tools.fail({}));
made.push(tools.fail({})); made.push(tools.fail({}));
const f = () => tools.fail({});
made.push(f());
made.push(f());
for (const { reason } of await Promise.allSettled(made)) console.log(reason);
return 1;
// => 1
// console-has: (codemode.js:2:45)
// console-has: (codemode.js:2:45)
// console-has: (codemode.js:3:17)
// console-has: (codemode.js:3:44)
// console-has: (codemode.js:5:11)
// console-has: (codemode.js:6:11)
//// another tool at the same place
const made = ["fail", "slow"].map((name) => tools[name]({ fail: "late" }));
for (const { reason } of await Promise.allSettled(made)) console.log(reason);
return 1;
// => 1
// console-has: (codemode.js:1:51)
// console-has: (codemode.js:1:51)
//// functions made anew at the same place
const make = (lines) => new Function("tools", lines + "return tools.fail({})");
const made = ["", "\n", "\n\n", ""].map((lines) => make(lines)(tools));
for (const { reason } of await Promise.allSettled(made)) console.log(reason);
return 1;
// => 1
// console-has: (<input>:3:14)
// console-has: (<input>:4:14)
// console-has: (<input>:5:14)
// console-has: (<input>:3:14)
// quickjs: it makes no code from text
//// a call deep inside has a place, too
const deep = (n) => n > 0 ? deep(n - 1) : tools.hang({});
deep(20);
deep(20);
return 1;
// => 1
// warning: 2 calls of tools.hang never began
// result: warnings.0.line 1
//// the first line has the columns that other lines have
const a = new Error("x").stack;
const b = new Error("x").stack;
return [a, b].map((s) => s.split("\n")[0]);
// => ["    at <anonymous> (codemode.js:1:15)","    at <anonymous> (codemode.js:2:15)"]
