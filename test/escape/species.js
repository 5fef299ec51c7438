// fence: environment -- Symbol.species and subclasses never decide what the environment makes
let used = 0;
const make = (Base) => class extends Base { static get [Symbol.species]() { used++; return function () { throw new Error("species"); }; } };
const MyPromise = make(Promise), MyArray = make(Array), MyMap = make(Map), MySet = make(Set), MyRegExp = make(RegExp), MyBuffer = make(ArrayBuffer), MyTyped = make(Uint8Array);
text(new MyMap([["a", 1]]));
text(new MySet([1]));
const list = new MyArray(); list[0] = 1;
text(list);
console.log(new MyRegExp("x"), new MyBuffer(1), new MyTyped(2));
await tools.echo(list);
store("k", list);
return [used, await codemode.map(list, (x) => x), await new MyPromise((r) => r(1)).catch(() => 2).then?.call(Promise.resolve(3), (v) => v)];
// !! Error *:* species
// text: {"a":1}
// text: [1]
// text: [1]
// console: /x/ ArrayBuffer { [Uint8Contents]: <00>, [byteLength]: 1 } Uint8Array(2) [ 0, 0 ]
