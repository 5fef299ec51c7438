// Timers, signals, races and maps: what can be waited for, and stopped.
//// sleep waits at least so long
const t = Date.now();
await codemode.sleep(30);
return Date.now() - t >= 29;
// => true
//// timers fire in the order of their times
const order = [];
setTimeout(() => order.push("b"), 20);
setTimeout(() => order.push("a"), 5);
setTimeout((x, y) => order.push(x + y), 30, "c", "!");
await codemode.sleep(45);
return order;
// => ["a","b","c!"]
//// a cleared timer does not fire
const id = setTimeout(() => text("no"), 5);
clearTimeout(id);
clearTimeout(id);
clearTimeout(undefined);
await codemode.sleep(15);
return typeof id;
// => "number"
//// a timer that is pending does not keep the script
setTimeout(() => text("no"), 60000);
return 1;
// => 1
//// a script that waits for a timer is not stalled
await new Promise((resolve) => setTimeout(resolve, 10));
return "woke";
// => "woke"
//// one that waits for nothing is told so
await new Promise(() => {});
// !! Error *:* no tool call and no timer is pending
// code: Stalled
//// what a callback throws is a warning
setTimeout(() => { throw new Error("in a callback"); }, 1);
await codemode.sleep(10);
return 1;
// => 1
// warning: in a callback
//// timers take functions only
setTimeout("text('no')", 1);
// !! TypeError 1:* takes a function
//// at most a thousand timers at once
for (let i = 0; i < 1001; i++) setTimeout(() => {}, 60000);
// !! RangeError 1:* too many timers
// code: TimerLimit
//// and when some are over there is room again
for (let i = 0; i < 999; i++) setTimeout(() => {}, 1);
await codemode.sleep(20);
for (let i = 0; i < 1000; i++) setTimeout(() => {}, 1);
return true;
// => true
//// a signal stops a call
const c = new AbortController();
setTimeout(() => c.abort(), 10);
try {
	await tools.hang({}, { signal: c.signal });
} catch (e) {
	return [e.name, e.message, c.signal.aborted, c.signal.reason === e];
}
// => ["AbortError","This operation was aborted",true,true]
// calls: hang cancelled
//// the reason is what the call is rejected with
const c = new AbortController();
setTimeout(() => c.abort("enough"), 5);
try { await tools.hang({}, { signal: c.signal }); } catch (e) { return e; }
// => "enough"
//// a signal that is aborted already makes no call
await tools.echo(1, { signal: AbortSignal.abort() });
// !! AbortError 1:* aborted
// calls:
//// a signal that is none is refused
await tools.echo(1, { signal: { aborted: false } });
// !! TypeError 1:* must be an AbortSignal
// calls:
//// a signal may end by time
try { await tools.hang({}, { signal: AbortSignal.timeout(10) }); } catch (e) { return e.name; }
// => "TimeoutError"
//// any of several signals
const c = new AbortController();
const s = AbortSignal.any([c.signal, new AbortController().signal]);
c.abort("one");
await null;
return [s.aborted, s.reason];
// => [true,"one"]
//// a call may have its own time
try { await tools.hang({}, { timeoutMs: 10 }); } catch (e) { return [e.name, e.tool, e.code]; }
// => ["TimeoutError","hang","CallTimeout"]
// calls: hang cancelled
//// a call's own time that nothing catches has its code
await tools.hang({}, { timeoutMs: 10 });
// !! TimeoutError 1:* the call timed out after 10 ms
// code: CallTimeout
// tool: hang
//// a tool gives no code of the run's
await tools.fail({ members: { code: "CallTimeout" } });
// !!= Error 1:* boom
// code: ToolError
// tool: fail
//// the script gives no code of the run's
try {
	await tools.fail({});
} catch (e) {
	e.code = "CallTimeout";
	throw e;
}
// !!= Error 2:* boom
// code: ToolError
//// an error that is caught and thrown again keeps its code
try {
	await tools.hang({}, { timeoutMs: 10 });
} catch (e) {
	e.code = "mine";
	throw e;
}
// !! TimeoutError 2:* the call timed out
// code: CallTimeout
//// a time that is none is refused
await tools.echo(1, { timeoutMs: -5 });
// !! TypeError 1:* timeoutMs must be
// calls:
//// listeners hear of an abort
const c = new AbortController();
const heard = [];
c.signal.addEventListener("abort", (e) => heard.push(e.type));
c.signal.onabort = () => heard.push("on");
c.abort();
await null; await null;
return heard;
// => ["abort","on"]
//// throwIfAborted throws the reason
const c = new AbortController();
c.signal.throwIfAborted();
c.abort(new RangeError("mine"));
c.signal.throwIfAborted();
// !! RangeError 3:* mine
//// no script makes a signal by hand
new AbortSignal();
// !! TypeError 1:* AbortController
//// a race has one winner and the losers are stopped
return await codemode.race([tools.hang(), tools.slow({ ms: 5, value: "won" }), tools.hang()]);
// => "won"
// calls: hang cancelled, slow ok, hang cancelled
//// who has not begun when another wins does not begin
return await codemode.race([tools.hang(), tools.echo("won"), tools.hang()]);
// => "won"
// calls: hang cancelled, echo ok, hang unstarted
//// a race of functions hands them a signal
const seen = [];
const r = await codemode.race([
	(signal) => tools.hang({}, { signal }),
	async (signal) => { seen.push(signal.aborted); return tools.echo(2); },
]);
return [r, seen];
// => [2,[false]]
// calls: hang cancelled, echo ok
//// a race that is lost by a failure fails
await codemode.race([tools.hang(), tools.fail({ message: "first" })]);
// !! Error 1:* first
//// the losers are stopped before the script hears who won
tools.slow({ ms: 5 }).then(() => text("mine"));
const race = codemode.race([tools.hang(), tools.slow({ ms: 20, value: 1 }), tools.hang()]);
const won = await race;
for (let i = 0; i < 100; i++) await null;
return won;
// => 1
// text: mine
// calls: slow ok, hang cancelled, slow ok, hang cancelled
//// a loser is told so, once
const slow = tools.hang();
const heard = [];
slow.catch((e) => heard.push(e.name, e.message));
await codemode.race([slow, tools.echo(1)]);
await codemode.sleep(1);
return heard;
// => ["AbortError","another call won the race"]
// calls: hang cancelled, echo ok
//// a call can be in one race after the other
const a = tools.hang(), b = tools.echo(1), c = tools.hang();
const first = await codemode.race([a, b]);
return [first, await codemode.race([b, c])];
// => [1,1]
// calls: hang cancelled, echo ok, hang cancelled
//// members that are no calls race, too
return await codemode.race([tools.hang(), 7, codemode.sleep(1000)]);
// => 7
// calls: hang unstarted
//// no member wins a race without members
return await codemode.race([1, 2].filter((x) => x > 2));
// !! Error *:* settle
// code: Stalled
//// all gives the results in the order of the calls
const order = [];
const calls = [tools.slow({ ms: 40, value: "a" }), tools.echo("b"), tools.slow({ ms: 5, value: "c" })];
for (const c of calls) c.then((v) => order.push(v));
return [await codemode.all(calls), order];
// => [["a","b","c"],["b","c","a"]]
// calls: slow ok, echo ok, slow ok
//// all fails at once, and the calls that still run are stopped
const calls = [tools.hang(), tools.echo(2), tools.fail({ message: "third" }), tools.echo(4)];
await codemode.all(calls);
// !! Error 1:* third
// calls: hang cancelled, echo ok, fail error, echo unstarted
//// also among members that are no calls
const later = async () => { await tools.echo(1); throw new Error("mine"); };
const calls = [tools.hang(), later(), 7];
try { await codemode.all(calls); } catch (e) { text(e.message); }
try { await calls[0]; } catch (e) { return e.message; }
// text: mine
// => "another call of codemode.all failed"
// calls: hang cancelled, echo ok
//// a call that its signal stops has failed
const c = new AbortController();
const calls = [tools.hang({}, { signal: c.signal }), tools.hang()];
setTimeout(() => c.abort(), 5);
try { await codemode.all(calls); } catch (e) { text(e.name); }
try { await calls[1]; } catch (e) { return e.message; }
// text: AbortError
// => "another call of codemode.all failed"
// calls: hang cancelled, hang cancelled
//// the end stops what all waits for
codemode.all([tools.hang(), tools.echo(1)]).catch(() => {});
await codemode.sleep(10);
return 1;
// => 1
// calls: hang cancelled, echo ok
// warning: 1 call of tools.hang was stopped halfway: nothing waits for codemode.all
//// a call begins when the turn is over, however long that takes
tools.echo(1);
for (const t = Date.now(); Date.now() - t < 60;);
return 1;
// => 1
// calls: echo unstarted
// warning: 1 call of tools.echo never began
//// all takes an array
await codemode.all(tools.echo(1));
// !! TypeError 1:* codemode.all() takes an array
//// map keeps the order and the concurrency
let now = 0, most = 0;
const out = await codemode.map([3, 1, 2], async (x, i) => {
	most = Math.max(most, ++now);
	await tools.slow({ ms: x * 5, value: x });
	now--;
	return x * 10 + i;
}, { concurrency: 2 });
return [out, most];
// => [[30,11,22],2]
//// map stops at the first failure
const seen = [], others = [];
let failed;
const failure = new Promise((resolve) => failed = resolve);
const other = async (i) => {
	await failure;
	others.push(tools.echo(i));
	return others.at(-1);
};
try {
	await codemode.map([...Array(200).keys()], (i) => {
		seen.push(i);
		return i === 1 ? tools.fail({ message: "no " + i }).finally(failed) : other(i);
	}, { concurrency: 3 });
} catch (e) { seen.push(e.message); }
await Promise.all(others);
await tools.echo("end");
return [...seen, others.length];
// => [0,1,2,"no 1",2]
// calls: fail error, echo ok, echo ok, echo ok
//// every failure in map is awaited
try {
	await codemode.map([1, 2, 3], (i) => tools.fail({ message: "no " + i }));
} catch (e) { return e.message; }
// => "no 1"
// calls: fail error, fail error, fail error
//// map takes a number as its concurrency
let now = 0, most = 0;
await codemode.map([1, 2, 3, 4], async () => {
	most = Math.max(most, ++now);
	await codemode.sleep(1);
	now--;
}, 2);
return most;
// => 2
//// an option that nothing reads is refused
const why = [];
for (const f of [() => codemode.map([1], (x) => x, { concurency: 2 }), () => codemode.map([1], (x) => x, "3"),
	() => codemode.sleep(1, { sinal: null }), () => tools.echo(1, { timeout: 5 }), () => codemode.all([() => tools.echo(1)])])
	try { await f(); why.push("nothing"); } catch (e) { why.push(e.message); }
return why;
// => ["codemode.map has no option \"concurency\", only concurrency","codemode.map(items, fn, { concurrency }) takes options or a number","codemode.sleep has no option \"sinal\", only signal","a tool call has no option \"timeout\", only signal and timeoutMs and integers","codemode.all() takes calls, not functions: write [tools.x(…), …] or use codemode.map(items, fn)"]
//// what map() passes behind the item is no option
return await Promise.all([1, 2].map(tools.echo));
// => [1,2]
// calls: echo ok, echo ok
//// map refuses what makes no sense
const why = [];
for (const args of [[1, (x) => x], [[1], 5], [[1], (x) => x, { concurrency: 0 }]])
	try { await codemode.map(...args); } catch (e) { why.push(e.name); }
return why;
// => ["TypeError","TypeError","RangeError"]
//// a failure in map is the map's
await codemode.map([1, 2], async (x) => tools.fail({ message: "no " + x }));
// !! Error 1:* no 1
//// a deadline counts sleeping
await codemode.sleep(60000);
// options: {"limits":{"wall_ms":30}}
// !! * *:* 30
// kind: timeout
//// codemode cannot be changed
codemode.sleep = 1;
return [typeof codemode.sleep, Object.isFrozen(codemode)];
// => ["function",true]
//// a signal that the arguments abort makes no call
const a = new AbortController();
try { await tools.hang({ toJSON() { a.abort(new Error("from toJSON")); return 1; } }, { signal: a.signal }); } catch (e) { return e.message; }
// => "from toJSON"
//// a call that ran out of time is told with its tool and its await
const p = tools.hang({}, { signal: AbortSignal.timeout(5) });
1;
  await p;
// !!= TimeoutError 3:* The operation timed out after 5 ms
// code: ScriptError
// tool: hang
//// a call that was aborted is told with its tool and its await
const a = new AbortController();
setTimeout(() => a.abort(), 1);
const r = await tools.hang({}, { signal: a.signal });
// !!= AbortError 3:* This operation was aborted
// tool: hang
//// an aborted call whose error is not thrown has the place of the call
const a = new AbortController();
const p = tools.hang({}, { signal: a.signal });
a.abort();
return p;
// !!= AbortError 2:* This operation was aborted
// tool: hang
