// fence: environment -- a warning larger than the gate lets through is no broken sandbox
const e = new Error("nobody");
Object.defineProperty(e, "stack", { value: "z".repeat(5e7) });
Promise.reject(e);
return 1;
// => 1
// warnings: any
