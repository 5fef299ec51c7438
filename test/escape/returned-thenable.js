// fence: engine -- a returned thenable runs its then as any promise would, once
let n = 0;
return { then(resolve) { n++; resolve({ then(r) { n++; r(n); } }); } };
// => 2
