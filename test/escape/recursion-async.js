// fence: engine -- async recursion grows a heap and not a stack, and meets a limit it can be told of
// options: {"limits":{"wall_ms":60000,"heap":67108864}}
let n = 0;
const f = async () => { n++; await f(); };
let how;
try { await f(); how = "returned"; } catch (e) { how = e === null || e.name === "InternalError" || e.name === "RangeError" ? "limit" : String(e); }
return [how, n > 100];
// or: script
// => ["limit",true]
