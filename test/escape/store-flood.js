// fence: limits -- the store has a size; over it a key is refused and the old value stays
let refused = 0;
for (let i = 0; i < 500; i++) try { store("k" + (i % 50), "v".repeat(200000)); } catch (e) { refused++; }
for (let i = 0; i < 100000; i++) try { store("e" + i, undefined); } catch { refused++; if (refused > 21000) break; }
return [refused > 0, load("k0").length];
// => [true,200000]
