// fence: wall -- code made from text runs, and finds nothing that the script does not see
const names = ["process", "require", "module", "Deno", "Bun", "std", "os", "scriptArgs", "print", "fetch", "XMLHttpRequest", "WebAssembly", "host", "__loadScript", "navigator", "import_meta", "gc", "quit", "load_module", "environment"];
const makers = [Function, eval, (s) => (async () => {}).constructor(s)(), (s) => (function* () {}).constructor(s)().next().value, (s) => (async function* () {}).constructor(s)().next()];
const found = [];
for (const name of names) {
	if (Function("return typeof " + name)() !== "undefined") found.push(name);
	if ((0, eval)("typeof " + name) !== "undefined") found.push(name);
	if (await (async () => {}).constructor("return typeof " + name)() !== "undefined") found.push(name);
	if ((function* () {}).constructor("return typeof " + name)().next().value !== "undefined") found.push(name);
	if ((await (async function* () {}).constructor("return typeof " + name)().next()).value !== "undefined") found.push(name);
}
return [found, Function("return this")() === globalThis, makers.length];
// => [[],true,5]
// quickjs: it makes no code from text
