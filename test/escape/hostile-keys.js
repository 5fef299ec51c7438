// fence: gate -- keys and texts that parsers trip over cross and come back as they are
const keys = ["__proto__", "constructor", "prototype", "\u0000", "\u2028", "\u2029", "\ufeff", "\ufffe", "\uffff", "\u007f", "\u0085", "a\u0000b", "\"", "\\", "/", "</script>", "\ud83d\ude00", "0", "-1", "1e999"];
const o = { __proto__: null };
for (const k of keys) Object.defineProperty(o, k, { value: k, enumerable: true });
const back = await tools.echo(o);
const same = keys.every((k) => Object.hasOwn(back, k) && back[k] === k);
const lone = await tools.echo(["\ud800", "\udc00\ud800", "x\udfff"]);
text("\ud800|\u0000|\u2028");
return [same, Object.keys(back).length === keys.length, lone];
// text-json: "\ufffd|\u0000|\u2028"
// warnings: any
// => [true,true,["\ud800","\udc00\ud800","x\udfff"]]
