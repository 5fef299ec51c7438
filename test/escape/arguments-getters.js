// fence: environment -- getters on arguments run while they are read, and only then
let reads = 0;
const args = { get a() { reads++; return this.b; }, get b() { reads++; return 2; } };
const promise = tools.echo(args);
const at_call = reads;
args.__defineGetter__("a", () => "later");
return [await promise, at_call, reads];
// => [{"a":2,"b":2},3,3]
