// fence: limits -- a hundred thousand calls: ten thousand are issued, the others are refused
let ok = 0, refused = 0;
const all = [];
for (let i = 0; i < 100000; i++) all.push(tools.echo(i).then(() => ok++, (e) => { refused++; if (e.name !== "Error") throw e; }));
await Promise.all(all);
return [ok, refused];
// => [10000,90000]
