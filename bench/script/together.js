const all = [];
for (let i = 0; i < 10000; i++) all.push(tools.add({ a: i, b: 1 }));
return (await Promise.all(all)).reduce((a, b) => a + b, 0);
