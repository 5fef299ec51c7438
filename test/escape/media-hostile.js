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
let round = 0;
for (const v of [{ get annotations() { return round++ % 2 ? 5 : { priority: 1 }; } }, { annotations: { audience: new Proxy([], { get: () => "x" }) } }, { annotations: { priority: { valueOf: () => 1 } }, _meta: { toJSON: () => 5 } }, { _meta: new Proxy({}, { ownKeys() { throw new Error("no"); } }) }, { get _meta() { throw new Error("no"); } }])
	try { audio(Object.assign(v, { type: "audio", mimeType: "audio/pcm", data: "AAAA" })); out.push("shown"); } catch (e) { out.push(e.name); }
delete Object.prototype.toJSON; delete Array.prototype.toJSON; delete Object.prototype.blob; delete String.prototype.toJSON;
return out;
// resource: {"type":"resource_link","uri":"x://y","name":"n"}
// audio: audio/x AAAA
// audio: audio/pcm AAAA
// audio: audio/pcm AAAA {"annotations":{"priority":1}}
// audio: audio/pcm AAAA {"annotations":{"audience":[]}}
// audio: audio/pcm AAAA
// audio: audio/pcm AAAA
// warning: $.priority.valueOf of the annotations of the audio is a function
// warning: annotations is not as MCP has it
// warning: _meta is not as MCP has it
// => ["TypeError","TypeError","TypeError","shown","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","shown","shown","TypeError","TypeError","shown","shown","shown","Error","shown"]
