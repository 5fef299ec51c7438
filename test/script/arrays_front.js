//// a list is taken apart and built from the front
const ids = Array.from({ length: 20000 }, (_, i) => i);
const back = [];
let n = 0;
while (ids.length > 10000) n += ids.splice(0, 1)[0];
while (ids.length) back.unshift(ids.shift());
return [n, back.length, back[0], back[9999]];
// => [49995000,10000,19999,10000]
// options: {"limits":{"polls":2000}}
