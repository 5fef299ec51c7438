// fence: limits -- a tool's answer of a million rows and keys is a value within the heap
const rows = await tools.big({ n: 100000 });
const keys = {};
for (let i = 0; i < 200000; i++) keys["k" + i] = i;
const back = await tools.echo(keys);
return [rows.length, Object.keys(back).length];
// => [100000,200000]
