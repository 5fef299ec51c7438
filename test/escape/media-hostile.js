// fence: gate -- what a script hands on is one of the blocks that readers know, whatever its object does
const out = [];
let turn = 0;
const turning = { type: "resource", resource: { get uri() { return turn++ % 2 ? {} : "x://y"; }, get text() { return turn++ % 2 ? 5 : "t"; } } };
Object.prototype.toJSON = () => "theirs";
Array.prototype.toJSON = () => "theirs";
Object.prototype.blob = "AAAA";
String.prototype.toJSON = () => 5;
JSON.parse = () => 5;
for (const v of [turning, turning, { type: "resource", resource: { uri: "x://y" } }, { type: "resource_link", uri: "x://y", name: { toJSON: () => "n" } }, { type: "resource", uri: "x" }, new Proxy({}, { get: () => "x" }), { type: "resource", resource: [] }, Object.assign([], { type: "resource_link" })])
	try { resource(v); out.push("shown"); } catch (e) { out.push(e.name); }
for (const mime of ["audio/\n", "audio/" + "x".repeat(1000), "audio/x;\u0000", "audio/pcm;\u2028", "audio/é", { toString: () => "audio/pcm" }])
	try { audio({ type: "audio", mimeType: mime, data: "AAAA" }); out.push("shown"); } catch (e) { out.push(e.name); }
delete Object.prototype.toJSON; delete Array.prototype.toJSON; delete Object.prototype.blob; delete String.prototype.toJSON;
return out;
// resource: {"type":"resource_link","uri":"x://y","name":"n"}
// audio: audio/x AAAA
// audio: audio/pcm AAAA
// => ["TypeError","TypeError","TypeError","shown","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","shown","shown","TypeError","TypeError"]
