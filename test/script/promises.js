//// promises in the value
return [1, 2].map((id) => tools.echo(id));
// => ["[a promise: await is missing]","[a promise: await is missing]"]
// warning: is a promise: write await in front of the call
// warning: 2 calls of tools.echo never began: [1, 2].map(...) is an array of promises
//// a promise in a printed text
text({ first: tools.echo(1) });
await tools.echo(2);
return 3;
// => 3
// text-json: "{\"first\":\"[a promise: await is missing]\"}"
// warning: is a promise: write await in front of the call
// warning: tools.echo(...) gives a promise
// calls: echo ok, echo ok
//// a promise that is printed
text(tools.echo(1));
await tools.echo(2);
return 3;
// => 3
// text-json: "\"[a promise: await is missing]\""
// warning: is a promise: write await in front of the call
// warning: write await in front of it
// calls: echo ok, echo ok
//// a member of a promise is undefined, and told
const r = tools.echo({ title: "a" });
await tools.echo(1);
return r.title;
// => undefined
// warning: r is a promise, which has no title: write (await r).title
// calls: echo ok, echo ok
//// forEach does not wait
const out = [];
[1, 2].forEach(async (id) => { out.push(await tools.echo(id)); });
return out;
// => []
// warning: forEach does not wait for an async callback
//// filter takes promises for true
const kept = [1, 2, 3].filter(async (id) => (await tools.echo(id)) === 1);
await tools.echo(0);
return kept.length;
// => 3
// warning: filter takes the promise of an async callback for its answer
// calls: echo ok, echo ok, echo ok, echo ok
//// a promise without a tool
return { when: Promise.resolve(1), n: 2 };
// => {"when":"[a promise: await is missing]","n":2}
// warning: is a promise: write await in front of the call
//// told once, however many there are
return Array.from({ length: 100 }, () => Promise.resolve(1)).length;
// => 100
//// one that never settles does not delay the end
return { never: new Promise(() => {}) };
// => {"never":"[a promise: await is missing]"}
// warning: is a promise: write await in front of the call
//// a plain object with then is data, and is not called
return { then: 1, a: { then: "x" } };
// => {"then":1,"a":{"then":"x"}}
//// a promise with a toJSON of its own
const p = Promise.resolve(1);
Object.defineProperty(p, "toJSON", { value: () => "mine" });
return { p };
// => {"p":"mine"}
//// calls that are awaited together are no news
return await Promise.all([1, 2].map((id) => tools.echo(id)));
// => [1,2]
// calls: echo ok, echo ok
//// nor is a promise that is returned as it is
return tools.echo(1);
// => 1
// calls: echo ok
