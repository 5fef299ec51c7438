//// a promise that never settles is an error at once
await new Promise(() => {});
// !! Error *:* settle
// code: Stalled
// kind: script
// within: 2000
//// the stall comes after what was printed
text("a");
await tools.echo(1);
await new Promise(() => {});
// text: a
// !! Error *:* settle
// calls: echo ok
//// a returned promise that never settles stalls too
return new Promise(() => {});
// !! Error *:* settle
//// a stall is told with the line of the await
const a = await tools.echo(1);
await new Promise((resolve) => setTimeout(resolve, 1));
if (a === 1)
	await new Promise(() => {});
return a;
// !! Error 4:2 it waits here: await new Promise(() => {})
//// with that of a promise made before
const gate = new Promise((open) => {});
const wait = async () => { await gate; };
await tools.echo(1);
await wait();
// !! Error 2:28 it waits here: await gate
//// with that of a return
async function first(list) {
	return Promise.race([]);
}
await first([]);
// !! Error 2:2 it waits here: return Promise.race([])
//// of two that may be it both are told
let open, shut;
const one = new Promise((resolve) => { open = resolve; });
const two = new Promise((resolve) => { shut = resolve; });
await one;
await two;
// !! Error 4:1 it waits in one of these lines: 4, 5
//// an await of a tool, a timer or an async function is not it
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const inner = async () => { await later(1); return new Promise(() => {}); };
await Promise.all([1, 2].map((a) => tools.echo(a)));
await codemode.sleep(1);
await Promise.all([inner(), 1]);
// !! Error 2:45 it waits here: return new Promise(() => {})
//// a stall after a call that nothing awaits has ended
tools.slow({ ms: 20 });
await new Promise(() => {});
// !! Error *:* settle
// calls: slow ok
//// promise jobs run in order
const log = [];
Promise.resolve().then(() => log.push("then"));
queueMicrotask(() => log.push("micro"));
log.push("sync");
await null;
log.push("after");
return log;
// => ["sync","then","micro","after"]
//// many microtasks are no stall
let n = 0;
for (let i = 0; i < 10000; i++) await null, n++;
return n;
// => 10000
//// await of a plain value and of a thenable
return [await 1, await { then(ok) { ok(2); } }];
// => [1,2]
//// an async iterator of one's own
async function* pages() {
	for (let i = 0; i < 3; i++) yield await tools.add({ a: i, b: 1 });
}
const got = [];
for await (const p of pages()) got.push(p);
return got;
// => [1,2,3]
//// what goes on after return does not count
tools.slow({ ms: 30, value: 1 }).then(() => text("too late"));
return "first";
// => "first"
// calls: slow unstarted
// warning: 1 call of tools.slow never began: nothing waits for
//// a call in flight when the script throws is cancelled
tools.hang();
await tools.echo(1);
throw new Error("stop");
// !!= Error 3:* stop
// calls: hang cancelled, echo ok
//// cancelling the run
text("before");
await tools.hang();
// options: {"cancel":"user pressed escape"}
// text: before
// !!= * *:* user pressed escape
// kind: aborted
// calls: hang cancelled
//// cancelling without a reason has the usual words
await tools.hang();
// options: {"cancel":""}
// !!= * *:* Execution aborted
// kind: aborted
//// a script cannot catch being cancelled
try {
	await tools.hang();
} catch (e) {
	text("caught");
} finally {
	text("finally");
}
return 1;
// options: {"cancel":"now"}
// !!= * *:* now
// kind: aborted
//// Promise.withResolvers settled by a call
const { promise, resolve } = Promise.withResolvers();
tools.slow({ ms: 10, value: "x" }).then(resolve);
return await promise;
// => "x"
//// a call answered at once still comes later
const log = [];
const p = tools.echo(1).then(() => log.push("answer"));
log.push("sync");
await p;
return log;
// => ["sync","answer"]
//// several awaits of one call
const p = tools.echo({ n: 1 });
const [a, b] = await Promise.all([p, p]);
return a === b;
// => true
// calls: echo ok
