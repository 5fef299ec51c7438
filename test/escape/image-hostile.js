// fence: gate -- nothing but a well-formed image of four kinds is ever an image
const out = [];
const png = "iVBORw0KGgo" + "A".repeat(100) + "A";
for (const v of ["data:image/svg+xml;base64,PHN2Zz4=", "data:text/html;base64,PGI+", "javascript:alert(1)", "file:///etc/passwd", "http://127.0.0.1/x.png", "data:image/png;base64,iVBORw0KGgo=\n<script>", "data:image/png;base64," + "\u0000".repeat(8), "data:;base64", { image_url: { url: { toString: () => "data:" } } }, { type: "image", data: "iVBORw0KGgo\u2028" }, "data:image/png;base64,%69VBORw0KGgo"])
	try { image(v); out.push("shown"); } catch (e) { out.push(e.name); }
image("data:text/html;base64," + png);
return out;
// image: image/png iVBORw0KGgo
// warning: the data is image/png, and not text/html
// => ["TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError"]
