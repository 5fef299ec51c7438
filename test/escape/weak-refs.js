// fence: wall -- weak references and finalizers see objects of the script only
const registry = new FinalizationRegistry((v) => text("finalized " + v));
const refs = [];
for (const v of [tools, console, text, tools.echo, ALL_TOOLS, globalThis, new AbortController().signal]) { refs.push(new WeakRef(v)); registry.register(v, "x", v); }
for (let i = 0; i < 1000; i++) registry.register({}, i);
for (let i = 0; i < 50; i++) { new Array(10000).fill({ i }); await null; }
return [refs.slice(0, 6).every((r) => r.deref() !== undefined), await tools.echo(1)];
// output: any
// => [true,1]
