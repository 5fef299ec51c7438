// fence: environment -- two runs do not share their chance, and ids do not collide
const a = Array.from({ length: 1000 }, Math.random);
return new Set(a).size === 1000 && a.every((x) => x >= 0 && x < 1);
// => true
