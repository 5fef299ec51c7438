// fence: environment -- what the store keeps is JSON of the moment; keys of any kind are only keys
const live = { n: 1 };
store("live", live);
live.n = 2;
for (const k of ["__proto__", "constructor", "toString", "", "\0", "\u2028\u2029", "\ud800", "\udfff x", "a\"b\\c", "hasOwnProperty", "then"]) store(k, { k });
const gone = ["__proto__", "then"];
for (const k of gone) store(k, undefined);
let polluted = ({}).k;
return [load("live"), load("constructor"), load("\0"), load("\u2028\u2029"), load("\ud800"), load(""), load("then") === undefined, load("nope") === undefined, polluted === undefined, Object.getPrototypeOf(load("toString")) === Object.prototype];
// result: storeWrites.delete ["__proto__","then"]
// warnings: any
// => [{"n":1},{"k":"constructor"},{"k":"\u0000"},{"k":"\u2028\u2029"},{"k":"\ufffd"},{"k":""},true,true,true,true]
