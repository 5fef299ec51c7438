// fence: lockdown -- a built-in that the environment uses cannot be replaced before it is used
const before = [];
const targets = [[String.prototype, "slice"], [String.prototype, "split"], [String.prototype, "replace"], [String.prototype, "indexOf"], [Array.prototype, "push"], [Array.prototype, "join"], [Array.prototype, "map"], [Array.prototype, Symbol.iterator], [Map.prototype, "get"], [Map.prototype, "forEach"], [WeakMap.prototype, "get"], [WeakMap.prototype, "set"], [Promise.prototype, "then"], [Promise, "resolve"], [RegExp.prototype, "exec"], [RegExp.prototype, "test"], [RegExp.prototype, Symbol.replace], [Object, "freeze"], [Object.prototype, "value"], [Object.prototype, "get"], [Object.prototype, "then"], [Object.prototype, "toJSON"], [Function.prototype, "call"], [Function.prototype, "apply"], [Function.prototype, Symbol.hasInstance], [JSON, "stringify"], [JSON, "parse"], [Reflect, "get"], [globalThis, "String"], [globalThis, "Error"], [globalThis, "Promise"], [Error, "isError"], [Array, "isArray"], [Symbol, "iterator"]];
for (const [o, k] of targets) {
	const was = Reflect.getOwnPropertyDescriptor(o, k)?.value;
	let hit = false;
	const evil = function () { hit = true; before.push(String(k)); return was?.apply?.(this, arguments); };
	try { o[k] = evil; } catch {}
	try { Object.defineProperty(o, k, { value: evil }); } catch {}
	try { Object.defineProperty(o, k, { get: evil }); } catch {}
	try { o.__defineGetter__(k, evil); } catch {}
	try { delete o[k]; } catch {}
	try { Object.setPrototypeOf(o, { [k]: evil }); } catch {}
	if (hit) before.push("during " + String(k));
}
before.length = 0;
console.log(new Map([["a", [1, new Set([2])]]]), new Error("e").message);
text({ a: 1 });
store("k", [1]);
await tools.echo({ a: [1] }).then((v) => v);
try { tools.nope(); } catch {}
try { await tools.fail(); } catch {}
await codemode.map([1, 2], (x) => x);
await codemode.sleep(1);
new RegExp("(?<a>b)").exec("b");
return before;
// console: {"a":[1,[2]]} e
// text: {"a":1}
// => []
