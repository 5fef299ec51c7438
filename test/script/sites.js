//// calls that nobody awaits are told with their own places
for (let i = 0; i < 2; i++) tools.hang({});
tools.hang({}); tools.hang({});
const f = () => tools.hang({});
f();
f();
return 1;
// => 1
// warning: forgot
// warning: forgot
// warning: forgot
// warning: forgot
// warning: forgot
// warning: forgot
// result: warnings.0.line 1
// result: warnings.1.line 1
// result: warnings.2.line 2
// result: warnings.2.stack "Error\n    at hang (native)\n    at <anonymous> (codemode.js:2:7)"
// result: warnings.3.stack "Error\n    at hang (native)\n    at <anonymous> (codemode.js:2:23)"
// result: warnings.4.stack "Error\n    at hang (native)\n    at f (codemode.js:3:23)\n    at <anonymous> (codemode.js:4:1)"
// result: warnings.5.stack "Error\n    at hang (native)\n    at f (codemode.js:3:23)\n    at <anonymous> (codemode.js:5:1)"
//// another tool at the same place
for (const name of ["hang", "echo"]) tools[name]({});
return 1;
// => 1
// warning: forgot
// warning: forgot
// result: warnings.0.stack "Error\n    at hang (native)\n    at <anonymous> (codemode.js:1:44)"
// result: warnings.1.stack "Error\n    at echo (native)\n    at <anonymous> (codemode.js:1:44)"
//// functions made anew at the same place
const make = (lines) => new Function("tools", lines + "return tools.hang({})");
for (const lines of ["", "\n", "\n\n", ""]) make(lines)(tools);
return 1;
// => 1
// warning: forgot
// warning: forgot
// warning: forgot
// warning: forgot
// result: warnings.0.stack "Error\n    at hang (native)\n    at anonymous (<input>:3:14)\n    at <anonymous> (codemode.js:2:57)"
// result: warnings.1.stack "Error\n    at hang (native)\n    at anonymous (<input>:4:14)\n    at <anonymous> (codemode.js:2:57)"
// result: warnings.2.stack "Error\n    at hang (native)\n    at anonymous (<input>:5:14)\n    at <anonymous> (codemode.js:2:57)"
// result: warnings.3.stack "Error\n    at hang (native)\n    at anonymous (<input>:3:14)\n    at <anonymous> (codemode.js:2:57)"
//// a call deep inside has a place, too
const deep = (n) => n > 0 ? deep(n - 1) : tools.hang({});
deep(20);
deep(20);
return 1;
// => 1
// warning: forgot
// warning: forgot
// result: warnings.0.line 1
// result: warnings.1.line 1
//// the first line has the columns that other lines have
const a = new Error("x").stack;
const b = new Error("x").stack;
return [a, b].map((s) => s.split("\n")[0]);
// => ["    at <anonymous> (codemode.js:1:15)","    at <anonymous> (codemode.js:2:15)"]
