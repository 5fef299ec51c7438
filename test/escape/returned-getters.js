// fence: environment -- a returned value is read once, by JSON, and cannot say something else later
let n = 0;
return { get a() { return ++n; }, b: { toJSON(k) { return k + n; } } };
// => {"a":1,"b":"b1"}
