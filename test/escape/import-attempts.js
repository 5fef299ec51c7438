// fence: wall -- there is nothing to import, by any name
const out = [];
for (const n of ["fs", "node:fs", "std", "os", "qjs:std", "file:///etc/passwd", "/etc/passwd", "./x.js", "data:text/javascript,1", "http://127.0.0.1/", "\0", "codemode", "environment", "env"])
	try { await import(n); out.push(n); } catch {}
return out;
// => []
