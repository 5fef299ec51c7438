// fence: environment -- eval inside the script sees the script's names, never the environment's
const mine = 5;
const out = [eval("mine"), (0, eval)("typeof mine")];
for (const name of ["host", "call", "slice", "codes", "sites", "timers", "secret", "signals", "namespace", "define_globals", "describe", "EXIT", "later", "mended", "WRAPPER"]) if (eval("typeof " + name) !== "undefined" || (0, eval)("typeof " + name) !== "undefined") out.push(name);
let escaped;
try { eval("}); escaped = 1; (async () => {"); } catch (e) { out.push(e.name); }
return [out, escaped === undefined];
// => [[5,"undefined","SyntaxError"],true]
// quickjs: it makes no code from text
