//// a bare call
tools.hang({ n: 1 });
return "saved";
// => "saved"
// calls: hang unstarted
// warning: 1 call of tools.hang never began: nothing waits for tools.hang(...): write await in front of it
// result: warnings.0.code "UnawaitedCall"
// result: warnings.0.line 1
// result: warnings.0.excerpt "1 | tools.hang({ n: 1 });"
// result: warnings.0.calls [1]
//// main, called and not awaited, with a return behind it
async function main() {
	const r = await tools.hang({});
	return r.id;
}
main();
return "started";
// => "started"
// calls: hang unstarted
// warning: 1 call of tools.hang never began: nothing waits for main(): write await in front of it
// result: warnings.0.line 5
//// map with an async callback
const made = [];
["a", "b", "c"].map(async (title) => {
	made.push(await tools.hang({ title }));
});
return { made };
// => {"made":[]}
// calls: hang unstarted, hang unstarted, hang unstarted
// warning: 3 calls of tools.hang never began: nothing waits for these calls: write await Promise.all(["a", "b", "c"].map(...))
// result: warnings.0.line 2
//// forEach with an async callback
const ids = [1, 2];
ids.forEach(async (id) => {
	await tools.hang({ id });
});
return 1;
// => 1
// calls: hang unstarted, hang unstarted
// warning: 2 calls of tools.hang never began: forEach does not wait for an async callback: write for (const x of ids) { await ... }
//// forEach with a plain callback
[1, 2].forEach((id) => { tools.hang({ id }); });
return 1;
// => 1
// calls: hang unstarted, hang unstarted
// warning: nothing waits for tools.hang(...): write for (const x of [1, 2]) { await ... }, or await Promise.all([1, 2].map(
//// filter with an async callback
const xs = [1, 2];
xs.filter(async (x) => (await tools.hang({ x })) > 1);
return xs.length;
// => 2
// calls: hang unstarted, hang unstarted
// warning: 2 calls of tools.hang never began: filter takes the promise
//// a promise in a name that is not used
const p = tools.hang({});
return 1;
// => 1
// calls: hang unstarted
// warning: nothing waits for p: write await in front of tools.hang(...)
//// a list of promises that is not used
const ps = [1, 2].map((n) => tools.hang({ n }));
return ps.length;
// => 2
// calls: hang unstarted, hang unstarted
// warning: nothing waits for the promises in ps: write await Promise.all(ps)
//// promises that are pushed
const ps = [];
for (let i = 0; i < 3; i++) ps.push(tools.hang({ i }));
return ps.length;
// => 3
// calls: hang unstarted, hang unstarted, hang unstarted
// warning: nothing waits for the promises in ps: write await Promise.all(ps)
//// then
let done = false;
tools.hang({}).then((r) => { done = true; });
return done;
// => false
// calls: hang unstarted
// warning: nothing waits for tools.hang({}).then(...): write await in front of it
//// catch of a function of one's own
async function run() { await tools.hang({}); }
run().catch((e) => text(e));
return 1;
// => 1
// calls: hang unstarted
// warning: nothing waits for run().catch(...): write await in front of it
// result: warnings.0.line 2
//// a function called in place
(async () => { await tools.hang({}); })();
return 1;
// => 1
// calls: hang unstarted
// warning: 1 call of tools.hang never began: nothing waits for (async () =>
//// void, and, a comma, a condition
const on = true;
void tools.hang({});
on && tools.hang({});
(tools.hang({}), 1);
on ? tools.hang({}) : 0;
return 1;
// => 1
// calls: hang unstarted, hang unstarted, hang unstarted, hang unstarted
// warning: 1 call of tools.hang never began
// warning: 1 call of tools.hang never began
// warning: 1 call of tools.hang never began
// warning: 1 call of tools.hang never began
// result: warnings.0.line 2
// result: warnings.1.line 3
// result: warnings.2.line 4
// result: warnings.3.line 5
//// Promise.all without await
Promise.all([1, 2].map((n) => tools.hang({ n })));
return 1;
// => 1
// calls: hang unstarted, hang unstarted
// warning: nothing waits for Promise.all(...): write await in front of it
//// codemode.map without await
codemode.map([1, 2, 3], async (n) => tools.hang({ n }));
return 1;
// => 1
// calls: hang unstarted, hang unstarted, hang unstarted
// warning: nothing waits for codemode.map(...): write await in front of it
//// a timer's callback
setTimeout(async () => { await tools.echo(1); }, 10);
return 1;
// => 1
// calls: 
// warning: nothing waits for what setTimeout calls: write await codemode.sleep(ms)
// result: warnings.0.excerpt "1 | setTimeout(async () => { await tools.echo(1); }, 10);"
//// work that was not done, before its first call
async function main() { await codemode.sleep(10); await tools.echo(1); }
main();
return 1;
// => 1
// calls: 
// warning: nothing waits for main(): write await in front of it
//// the same, where only promise jobs are pending
async function main() { await null; await null; await null; await tools.echo(1); }
main();
return 1;
// => 1
// calls: 
// warning: nothing waits for main(): write await in front of it
//// a function that is not async
function go(n) { tools.hang({ n }); }
go(1);
return 1;
// => 1
// calls: hang unstarted
// warning: make the function around it async, write await in front of it, and await the function where it is called
//// a method of a class
class Job { async run() { await tools.hang({}); } }
const j = new Job();
j.run();
return 1;
// => 1
// calls: hang unstarted
// warning: nothing waits for j.run(): write await in front of it
//// a method of an object
const api = { async save(n) { await tools.hang({ n }); } };
api.save(1);
return 1;
// => 1
// calls: hang unstarted
// warning: nothing waits for api.save(...): write await in front of it
//// reduce
[1, 2].reduce(async (p, n) => { await p; await tools.hang({ n }); }, null);
return 1;
// => 1
// calls: hang unstarted
// warning: nothing waits for [1, 2].reduce(...): write await in front of it
//// a promise made by hand
new Promise(async (resolve) => { await tools.hang({}); resolve(); });
return 1;
// => 1
// calls: hang unstarted
// warning: 1 call of tools.hang never began: nothing waits for new Promise(
//// a place that the check does not see
const each = (xs, f) => { for (const x of xs) f(x); };
each([1, 2], async (x) => { await tools.hang({ x }); });
return 1;
// => 1
// calls: hang unstarted, hang unstarted
// warning: 2 calls of tools.hang never began: the script ended first: await what makes this call
// result: warnings.0.code "LostCall"
// result: warnings.0.line 2
//// stopped halfway
tools.hang({});
await tools.echo(1);
return 1;
// => 1
// calls: hang cancelled, echo ok
// warning: 1 call of tools.hang was stopped halfway: nothing waits for
//// one stopped halfway, one that never began
const go = (n) => tools.hang({ n });
for (const n of [1, 2]) { await (n > 1 ? tools.echo(n) : null); go(n); }
return 1;
// => 1
// calls: hang cancelled, echo ok, hang unstarted
// warning: 2 calls of tools.hang were lost (1 never began, 1 stopped halfway): nothing waits for go(...)
//// exit with a call pending
(async () => { await null; exit(); })();
await tools.hang({});
// => undefined
// calls: hang unstarted
// warning: 1 call of tools.hang never began: exit() ended the script first
//// what loses Promise.race is told, what loses codemode.race is not
await Promise.race([tools.hang({}), codemode.sleep(1)]);
await codemode.race([tools.hang({}), codemode.sleep(1)]);
return 1;
// => 1
// calls: hang cancelled, hang cancelled
// warning: 1 call of tools.hang was stopped halfway: the script ended first
//// what was answered in time is no news
const p = tools.echo(1);
const q = Promise.all([2, 3].map(async (n) => tools.echo(n)));
async function run() { return tools.echo(4); }
run();
const kept = run();
return [await p, ...(await q), await kept];
// => [1,2,3,4]
// calls: echo ok, echo ok, echo ok, echo ok, echo ok
//// answered, but not read when the script ended
try {
	await codemode.map([1, 2], (i) => tools.fail({ message: "no " + i }));
} catch (e) { return e.message; }
// => "no 1"
// calls: fail error, fail error
//// main stands last and is awaited
async function main() {
	const r = await tools.echo(14);
	return r;
}
main();
// => 14
// calls: echo ok
// warning: main() stands last, so it is awaited and gives the value of the script: write return await main()
// result: warnings.0.level "note"
//// so is what is chained to it
const run = async () => tools.echo(2);
run().then((r) => r + 1);
// => 3
// calls: echo ok
// warning: run().then(...) stands last, so it is awaited
//// so is main behind an early return, and with void
async function main() { return await tools.echo(5); }
if (ALL_TOOLS.length === 0) return 1;
void main();
// => 5
// calls: echo ok
// warning: main() stands last, so it is awaited
//// raw: nothing is awaited, and all is told
async function main() { await tools.hang({}); }
main();
// options: {"raw": true}
// => undefined
// calls: hang unstarted
// warning: 1 call of tools.hang never began: the script ended first
//// the last assignment is not the value
const r = await tools.echo(1);
// => undefined
// calls: echo ok
// warning: nothing was returned: add return r
//// several names
const { a, b: [c] } = await tools.echo({ a: 1, b: [2] });
// => undefined
// calls: echo ok
// warning: nothing was returned: add return { a, c }
//// a member
const out = {};
out.r = await tools.echo(1);
// => undefined
// calls: echo ok
// warning: nothing was returned: add return out
//// an assignment behind something printed
text(1);
const r = await tools.echo(1);
// text: 1
// => undefined
// calls: echo ok
