// fence: environment -- a toJSON that everything inherits is not asked
for (const o of [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype, Date.prototype, Promise.prototype, Error.prototype, Map.prototype])
	try { Object.defineProperty(o, "toJSON", { value: () => "stolen", configurable: true }); } catch {}
const date = new Date(0);
return [await tools.echo({ a: [1, "x"] }), date];
// => [{"a":[1,"x"]},"1970-01-01T00:00:00.000Z"]
