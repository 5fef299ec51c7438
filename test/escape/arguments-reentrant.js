// fence: engine -- arguments that call tools while they are read keep the order of calls
const inner = [];
const args = { toJSON() { inner.push(tools.echo("inner 1")); return { get x() { inner.push(tools.add({ a: 1, b: 2 })); return 9; } }; } };
const options = { get timeoutMs() { inner.push(tools.echo("from options")); return 5000; }, get signal() { inner.push(tools.echo("from signal")); return undefined; } };
const outer = await tools.echo(args, options);
return [outer, await Promise.all(inner)];
// calls: echo ok, echo ok, echo ok, add ok, echo ok
// => [{"x":9},["from options","from signal","inner 1",3]]
