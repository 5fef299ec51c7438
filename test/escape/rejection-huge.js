// fence: limits -- rejections that nothing handles, each with a huge stack, cost the host nothing
const x = "x".repeat(2e7), y = "y".repeat(2e7);
for (let i = 0; i < 200; i++) {
	const e = new Error("nobody");
	Object.defineProperty(e, "stack", { value: x });
	e.tool = y;
	Promise.reject(e);
}
return 1;
// => 1
// warnings: any
