//// the message is the tool's own
await tools.fail({ message: "disk full: 0 bytes left" });
// !!= Error 1:* disk full: 0 bytes left
// tool: fail
// kind: script
//// the line is the one that awaited
const a = 1;
const b = 2;
await tools.fail();
// !!= Error 3:* boom
// tool: fail
// excerpt: await tools.fail();
// calls: fail error
//// the line among other calls
await tools.echo(1);
await tools.echo(2);
const r = await tools.fail({ message: "third" });
await tools.echo(4);
// !!= Error 3:* third
// tool: fail
// calls: echo ok, echo ok, fail error
//// the line inside a function
async function get(id) {
	const r = await tools.fail({ message: "in get" });
	return r;
}
const x = await get(1);
// !!= Error 2:* in get
// tool: fail
//// the line through Promise.all
const ids = [1, 2];
const all = await Promise.all(ids.map((id) => tools.fail({ message: "id " + id })));
// !!= Error 2:* id 1
// tool: fail
//// the line with an async arrow in map
const ids = [1, 2];
await Promise.all(
	ids.map(async (id) => {
		await tools.echo(id);
		await tools.fail({ message: "inner " + id });
	}),
);
// !!= Error 5:* inner 1
// tool: fail
//// a call made earlier and awaited later
const p = tools.fail({ message: "early" });
const q = await tools.echo(1);
await p;
// !!= Error *:* early
// tool: fail
//// a call that is returned
return tools.fail({ message: "returned" });
// !!= Error 1:* returned
// tool: fail
//// it can be caught
try {
	await tools.fail({ message: "m" });
} catch (e) {
	return [e instanceof Error, e.name, e.message];
}
// => [true,"Error","m"]
// calls: fail error
//// it can be caught with catch()
return await tools.fail({ message: "m" }).catch((e) => "caught " + e.message);
// => "caught m"
//// a caught error has the line in its stack
try {
	await tools.fail();
} catch (e) {
	return /codemode\.js:2/.test(e.stack);
}
// => true
//// a caught error that is thrown again keeps message and tool
try {
	await tools.fail({ message: "first" });
} catch (e) {
	throw e;
}
// !!= Error 2:* first
// tool: fail
//// an error of one's own is no tool's error
try {
	await tools.fail({ message: "inner" });
} catch (e) {
	throw new RangeError("own: " + e.message, { cause: e });
}
// !!= RangeError 4:* own: inner
// result: error.tool undefined
// result: error.cause.message "inner"
//// name and members of the failure arrive
try {
	await tools.fail({ message: "m", name: "HttpError", members: { status: 404, body: { why: "gone" } } });
} catch (e) {
	return [e.name, e.status, e.body.why, e instanceof Error, "stack" in e];
}
// => ["HttpError",404,"gone",true,true]
//// the failure's name is the error's name
await tools.fail({ message: "m", name: "HttpError" });
// !!= HttpError 1:* m
// tool: fail
//// members cannot replace message and stack
try {
	await tools.fail({ message: "real", members: { message: "fake", stack: "fake", ok: 1 } });
} catch (e) {
	return [e.message, e.stack === "fake", e.ok];
}
// => ["real",false,1]
//// an empty message is possible
await tools.fail({ message: "" });
// !!= Error 1:* 
// tool: fail
//// a message of many lines is kept
await tools.fail({ message: "one\ntwo \"three\" \u00e9\u2028" });
// !! Error 1:* two "three" é
// result: error.message "one\ntwo \"three\" é\u2028"
//// allSettled tells each
const r = await Promise.allSettled([tools.fail({ message: "no" }), tools.echo(1)]);
return r.map((x) => x.status + " " + (x.value ?? x.reason.message));
// => ["rejected no","fulfilled 1"]
// calls: fail error, echo ok
//// any with all failed keeps the reasons
await Promise.any([tools.fail({ message: "one" }), tools.fail({ message: "two" })]);
// !! AggregateError *:* 
// result: error.errors.0.message "one"
// result: error.errors.1.message "two"
//// any gives the one that worked
return await Promise.any([tools.fail(), tools.echo("good")]);
// => "good"
//// two failures at once: the first is the error, and no call is lost
await Promise.all([tools.fail({ message: "a" }), tools.fail({ message: "b" })]);
// !!= Error 1:* a
// calls: fail error, fail error
//// a late failure of a call
await tools.slow({ ms: 20, fail: "late" });
// !!= Error 1:* late
// tool: slow
//// finally runs and the failure stays
try {
	await tools.fail({ message: "m" });
} finally {
	text("cleaned");
}
// text: cleaned
// !!= Error 2:* m
// tool: fail
//// an answer that is no JSON is an error that says so
await tools.odd({ kind: "json" });
// !! TypeError 1:* JSON
// code: InvalidResult
// tool: odd
//// an answer that is not UTF-8 is an error that says so
await tools.odd({ kind: "utf8" });
// !! TypeError 1:* UTF-8
// code: InvalidResult
// tool: odd
//// an answer of white space is an error that says so
await tools.odd({ kind: "empty" });
// !! TypeError 1:* JSON
// code: InvalidResult
// tool: odd
//// an answer over the limit is an error that says so
await tools.big({ n: 1000 });
// options: {"limits":{"result":1000}}
// !! TypeError 1:* 1000
// tool: big
// code: InvalidResult
//// an answer over the limit can be caught and the run goes on
try { await tools.big({ n: 1000 }); } catch {}
return await tools.echo("still here");
// options: {"limits":{"result":1000}}
// => "still here"
//// the tool of a namespace is named by its path
await tools.ns.run();
return "ok";
// options: {"with":[["ns","run"]]}
// => "ok"
// result: calls.0.tool "ns.run"
//// a rejection that nothing awaits is a warning with its line
const a = 1;
tools.fail({ message: "lost" });
await tools.echo(1);
return "saved";
// => "saved"
// warning: lost
// calls: fail error, echo ok
//// an async function that nothing awaits is a warning
(async () => {
	throw new Error("lost here");
})();
return "fine";
// => "fine"
// warning: lost here
//// a rejection that is handled later is no warning
const p = tools.fail({ message: "later" });
await tools.echo(1);
try { await p; } catch {}
return 1;
// => 1
//// a rejection handled by allSettled is no warning
await Promise.allSettled([tools.fail(), Promise.reject(new Error("x"))]);
return 1;
// => 1
//// the failing answer does not change what was printed
text("a");
await tools.fail({ message: "m" });
text("b");
// text: a
// !!= Error 2:* m
//// a call after a caught failure works
try { await tools.fail(); } catch {}
return await tools.add({ a: 1, b: 1 });
// => 2
// calls: fail error, add ok
