//// arguments and results cross whole
return await tools.echo({ a: [1, "é\u2028", null], b: { c: true } });
// => {"a":[1,"é\u2028",null],"b":{"c":true}}
// calls: echo ok
//// any JSON may be the argument
return [await tools.echo("s"), await tools.echo(5), await tools.echo(null), await tools.echo([1]), await tools.echo(false)];
// => ["s",5,null,[1],false]
//// no argument is undefined
return [typeof await tools.echo(), typeof await tools.echo(undefined)];
// => ["undefined","undefined"]
//// a tool may give undefined and null
return [typeof await tools.nothing(), await tools.nil()];
// => ["undefined",null]
//// only the first argument is taken
return await tools.echo(1, 2, 3);
// => 1
//// a call gives a promise at once
const p = tools.add({ a: 1, b: 2 });
return [p instanceof Promise, await p];
// => [true,3]
//// results can be used straight away
return (await tools.big({ n: 3 })).filter((r) => r.even).map((r) => r.name);
// => ["item 0","item 2"]
//// a result is a plain value of the script
const r = await tools.echo({ list: [1] });
r.list.push(2);
r.more = r instanceof Object && Array.isArray(r.list);
return r;
// => {"list":[1,2],"more":true}
//// an own __proto__ in a result stays a member
const r = await tools.echo(JSON.parse('{"__proto__":{"evil":1}}'));
return [Object.keys(r), r.evil === undefined, ({}).evil === undefined];
// => [["__proto__"],true,true]
//// calls side by side
return await Promise.all([1, 2, 3].map((n) => tools.add({ a: n, b: 10 })));
// => [11,12,13]
// calls: add ok, add ok, add ok
//// slow calls run at once
return await Promise.all([1, 2, 3, 4].map(() => tools.slow({ ms: 60 })));
// => [1,2,3,4]
//// answers come in any order
const order = [];
await Promise.all([
	tools.slow({ ms: 60, value: "late" }).then((v) => order.push(v)),
	tools.slow({ ms: 10, value: "early" }).then((v) => order.push(v)),
]);
return order;
// => ["early","late"]
//// race gives the first
return await Promise.race([tools.hang(), tools.slow({ ms: 5, value: "fast" })]);
// => "fast"
// calls: hang cancelled, slow ok
// warning: 1 call of tools.hang was stopped halfway: the script ended first
//// a loop of awaited calls
let sum = 0;
for (let i = 0; i < 50; i++) sum = await tools.add({ a: sum, b: i });
return sum;
// => 1225
//// for await over calls
const got = [];
for await (const v of [tools.echo(1), tools.echo(2)]) got.push(v);
return got;
// => [1,2]
//// toJSON of the argument is asked
return await tools.echo({ when: new Date(0), gone: undefined, fn() {} });
// => {"when":"1970-01-01T00:00:00.000Z"}
// warning: $.fn of the arguments of echo() is a function
//// an argument that is no JSON rejects and makes no call
const o = {};
o.o = o;
try { await tools.echo(o); } catch (e) { return e.name; }
// => "TypeError"
// calls: 
//// a BigInt argument is sent with all its digits
await tools.echo({ n: 12345678901234567890n }, { integers: "exact" });
return 1;
// => 1
// result: calls.0.argBytes 26
//// what must not be made up is refused, and makes no call
const refused = [];
const o = {};
o.self = o;
for (const v of [{ title: Promise.resolve(1) }, { rows: [{ n: NaN }] }, { o }, { d: new Date(NaN) },
	{ data: new Uint8Array(2) }, { list: [() => 1] }, { "a b": [1].values(), list: [Symbol("s")] }, Promise.resolve({}), () => 1])
	refused.push(await tools.echo(v).catch((e) => e.name + ": " + e.message));
return refused;
// => ["TypeError: `title` is a promise: await it","TypeError: `rows[0].n` is NaN: JSON has no such number","TypeError: `o.self` refers back to $.o: JSON has no such thing","TypeError: `d` is an invalid Date: JSON has no such time","TypeError: `data` holds bytes: pass base64 text, as its toBase64() gives it, or Array.from(bytes), whichever the tool wants","TypeError: `list[0]` is a function: JSON has nothing like it","TypeError: `list[0]` is a symbol: JSON has nothing like it","TypeError: the argument is a promise: await it","TypeError: the argument is a function: JSON has nothing like it"]
// calls: 
//// a call that nothing awaits did not begin when the script is over
tools.hang({});
return "done";
// => "done"
// calls: hang unstarted
// warning: 1 call of tools.hang never began
//// each call is recorded with its sizes
await tools.echo({ a: 1 });
return 1;
// => 1
// result: calls.0.id 1
// result: calls.0.tool "echo"
// result: calls.0.argBytes 7
// result: calls.0.resultBytes 7
//// a failed call is recorded with its text
try { await tools.fail({ message: "told you" }); } catch {}
// => undefined
// calls: fail error
// result: calls.0.error "told you"
//// tools is frozen
tools.echo = () => 5;
tools.more = () => 6;
delete tools.add;
return [await tools.echo(1), Object.isFrozen(tools), "more" in tools, "add" in tools];
// => [1,true,false,true]
//// setting is an error in strict code
(function () {
	"use strict";
	tools.echo = 1;
})();
// !!= TypeError 3:8 tools.echo cannot be set: tools stay as they are; keep a function of your own in a variable
//// a proxy of the script's own has the engine's words
"use strict";
const tools2 = new Proxy({}, { set() { return false; } });
tools2.echo = 1;
// !!= TypeError 3:1 proxy: cannot set property
//// in, keys and entries work
return ["echo" in tools, "nope" in tools, Object.keys(tools).includes("add"), typeof Object.entries(tools)[0][1]];
// => [true,false,true,"function"]
//// tools is in the global scope too
return [globalThis.tools === tools, typeof eval("tools.echo"), await new Function("return tools.add({a:1,b:1})")()];
// => [true,"function",2]
// quickjs: it makes no code from text
//// a tool can be taken out and passed on
const { echo } = tools;
const call = (f, x) => f(x);
return [await echo(1), await call(tools.echo, 2), await Reflect.apply(tools.echo, null, [3])];
// => [1,2,3]
//// ALL_TOOLS lists what can be called
const echo = ALL_TOOLS.find((t) => t.name === "echo");
return [echo.description, ALL_TOOLS.length, Object.isFrozen(ALL_TOOLS), Object.isFrozen(echo)];
// => ["Gives back its arguments",10,true,true]
//// each name of ALL_TOOLS can be called
const missing = ALL_TOOLS.filter(({ name }) => typeof tools[name] !== "function");
return missing;
// options: {"with":["a-b","a.b","1x","é","class"]}
// => []
//// a missing tool says so, with its line
text("before");
await tools.ehco({});
// text: before
// !! TypeError 2:* tools.ehco does not exist
// code: UnknownTool
//// a missing tool names the nearest
await tools.ech({});
// !! TypeError 1:* tools.echo
//// swapped letters find the nearest too
await tools.ehco({});
// !! TypeError 1:* tools.echo
//// case and punctuation do not matter for the nearest
await tools.read_file({});
// options: {"with":["readFile"]}
// !! TypeError 1:* tools.readFile
//// the hint names nothing that does not exist
try { tools.nowhere(); } catch (e) { return /searchTools/.test(e.message); }
// => false
//// suggestions have a number: they are for a script that has slipped
let n = 0;
for (let i = 0; i < 150; i++)
	try { tools.ecoh; } catch (e) { n += /Did you mean tools.echo/.test(e.message); }
return n;
// => 100
//// a missing tool is an error before it is called
const f = tools.nope;
// !! TypeError 1:* tools.nope does not exist
//// the error for a missing tool can be caught
try { tools.nope; } catch (e) { return [e.name, e instanceof TypeError]; }
// => ["TypeError",true]
//// then and toJSON may be asked for
return [typeof tools.then, typeof tools.toJSON, typeof tools.constructor, JSON.stringify(tools)];
// => ["undefined","undefined","undefined","{}"]
//// awaiting tools gives tools
return (await tools) === tools;
// => true
//// a tool called then does not make tools a promise
const t = await tools;
return t === tools;
// options: {"with":["then"]}
// => true
// calls: 
//// a tool called then has a suffix and is called by that
return [ALL_TOOLS.map((t) => t.name).filter((n) => n.startsWith("then")), (await tools.then_3d0d96()).tool];
// options: {"with":["then"]}
// => [["then_3d0d96"],"then"]
//// tools with the names of an object's members
const names = ["constructor", "toString", "hasOwnProperty", "__proto__", "valueOf", "toJSON", "catch", "finally"];
const got = await Promise.all(names.map((n) => tools[n]()));
return got.every((g, i) => g.tool === names[i]) && names.every((n) => ALL_TOOLS.some((t) => t.name === n));
// options: {"with":["constructor","toString","hasOwnProperty","__proto__","valueOf","toJSON","catch","finally"]}
// => true
//// returning tools is no accident that hangs
// warning: is a function: JSON has nothing like it, so it was left out (and 9 more)
return tools;
// => {}
//// a tool with odd characters by both names
return [await tools["get-item"](1), await tools.get_item(2)];
// options: {"with":["get-item"]}
// => [{"tool":"get-item","args":1},{"tool":"get-item","args":2}]
// calls: get_item ok, get_item ok
// result: calls.0.name "get-item"
//// two names that become one: each original name calls its own tool
return [(await tools["a-b"]()).tool, (await tools["a_b"]()).tool, (await tools.a_b()).tool];
// options: {"with":["a-b","a_b"]}
// => ["a-b","a_b","a_b"]
//// two names that become one: order does not matter
return [(await tools["a-b"]()).tool, (await tools["a_b"]()).tool, (await tools.a_b()).tool];
// options: {"with":["a_b","a-b"]}
// => ["a-b","a_b","a_b"]
//// two names that become one are both listed
const names = ALL_TOOLS.map((t) => t.name).filter((n) => n.startsWith("a_b"));
const called = await Promise.all(names.map(async (n) => (await tools[n]()).tool));
return [names.length, new Set(names).size, called.sort()];
// options: {"with":["a-b","a_b"]}
// => [2,2,["a-b","a_b"]]
//// a name that begins with a digit
return (await tools._1abc()).tool;
// options: {"with":["1abc"]}
// => "1abc"
//// reserved words are fine behind a dot
return [(await tools.class()).tool, (await tools.delete()).tool];
// options: {"with":["class","delete"]}
// => ["class","delete"]
//// names outside of ASCII work as they stand
return (await tools["größe"]()).tool;
// options: {"with":["größe"]}
// => "größe"
//// a namespace
return await tools.ns.get_item({ id: 1 });
// options: {"with":[["ns","get-item"],["ns","put"]]}
// => {"tool":"get-item","args":{"id":1}}
//// a namespace by every name that works
const r = [];
for (const f of [tools.ns.get_item, tools.ns["get-item"], tools["ns.get-item"]]) r.push((await f(0)).tool);
return r;
// options: {"with":[["ns","get-item"]]}
// => ["get-item","get-item","get-item"]
//// a missing tool of a namespace names the nearest of it
await tools.ns.get_itme();
// options: {"with":[["ns","get-item"],["ns","put"]]}
// !! TypeError 1:* tools.ns.get_item
// code: UnknownTool
//// a namespace is frozen and lists its tools
tools.ns.put = 1;
return [Object.isFrozen(tools.ns), Object.keys(tools.ns).includes("put"), typeof tools.ns.put, "nope" in tools.ns];
// options: {"with":[["ns","put"]]}
// => [true,true,"function",false]
//// two namespaces may use one name
return [(await tools.a.run()).tool, (await tools.b.run()).tool];
// options: {"with":[["a","run"],["b","run"]]}
// => ["run","run"]
//// a namespace is in ALL_TOOLS by path
return ALL_TOOLS.map((t) => t.name).filter((n) => n.includes("."));
// options: {"with":[["ns","get-item"],["ns","put"]]}
// => ["ns.get_item","ns.put"]
//// the failed tool of a namespace is named by its path
await tools.ns.nope_at_all_no;
// options: {"with":[["ns","put"]]}
// !! TypeError 1:* tools.ns.nope_at_all_no does not exist
//// a tool's function has a name
return tools.echo.name;
// => "echo"
//// the function of a tool of a namespace has its path
// options: {"with":[["fs","read"]]}
return [tools.fs.read.name, await tools.fs.read({ a: NaN }).catch((e) => e.message)];
// => ["fs.read","`a` is NaN: JSON has no such number"]
//// what happens to such a tool's call is told with its path
// options: {"with":[["fs","read"]]}
const c = new AbortController(), p = tools.fs.read({ a: 1 }, { signal: c.signal });
c.abort(new RangeError("why"));
await p;
// !! RangeError *:* why
// tool: fs.read
//// what is changed in such a tool's arguments, too
// options: {"with":[["fs","read"]]}
await tools.fs.read({ a: "\ud800" }).catch(() => {});
// warning: of the arguments of fs.read()
// calls: fs.read ok
// => {"tool":"read","args":{"a":"�"}}
//// a tool's source shows nothing of ours
return /native code/.test(String(tools.echo));
// => true
