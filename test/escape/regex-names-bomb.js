// fence: environment -- a pattern with hundreds of named groups that never closes one is a SyntaxError
const many = Array.from({ length: 300 }, (_, i) => `(?<n${i}>a)`).join("|");
const out = [];
for (const p of [many + "|(?<open", many + "|(?<", many + "(", many + "|[", many + "\\", many + "|\\k<n1", "(?<" + "a".repeat(1e5) + ">x)" + many])
	try { new RegExp(p); out.push("made"); } catch (e) { out.push(e.name); }
return out;
// => ["SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError"]
// quickjs: it takes as many names as there are
