// fence: limits -- calls that wait, each with megabytes of arguments, do not fill the host
const s = "x".repeat(5e6);
let refused = 0, made = 0;
const c = new AbortController();
for (let i = 0; i < 70; i++) tools.hang(s, { signal: c.signal }).catch((e) => { if (e.name === "AbortError") made++; else refused++; });
await codemode.sleep(10);
c.abort();
await codemode.sleep(10);
return [made + refused, refused > 0];
// => [70,true]
