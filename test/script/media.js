//// the image of a tool's result is handed on as it came
const result = await tools.echo({ text: "a logo", content: [{ type: "text", text: "a logo" }, { type: "image", mimeType: "image/gif", data: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" }] });
image(result);
image(result.content);
image(result.content[1]);
// image: image/gif R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
// image: image/gif R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
// image: image/gif R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
// calls: echo ok
// => undefined
//// what a block says of its image or audio is handed on, too
const gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const annotations = { audience: ["user"], priority: 0.5, lastModified: "2025-01-12T15:00:58Z" };
const result = await tools.echo({ content: [{ type: "image", mimeType: "image/gif", data: gif, annotations, _meta: { "a/b": [1] } }, { type: "audio", mimeType: "audio/pcm", data: "AAAA", annotations: {} }] });
image(result);
audio(result);
image({ type: "resource", resource: { uri: "x://y", mimeType: "image/gif", blob: gif }, _meta: {} });
image({ type: "image", data: gif, annotations: null, _meta: undefined, size: 5 });
image({ type: "image", data: "data:;base64," + gif, _meta: { n: 12345678901234567890n } });
// image: image/gif R0lGOD {"annotations":{"audience":["user"],"priority":0.5,"lastModified":"2025-01-12T15:00:58Z"},"_meta":{"a/b":[1]}}
// audio: audio/pcm AAAA {"annotations":{}}
// image: image/gif R0lGOD {"_meta":{}}
// image: image/gif R0lGOD
// image: image/gif R0lGOD {"_meta":{"n":12345678901234567890}}
// calls: echo ok
// => undefined
//// annotations that no client takes are left out
const data = "AAAA";
for (const annotations of [5, [], { audience: "user" }, { audience: ["user", {}] }, { priority: "1" }, { priority: 1.5 }, { lastModified: "today" }, { lastModified: 5 }])
	audio({ type: "audio", mimeType: "audio/pcm", data, annotations, _meta: { a: 1 } });
// audio: audio/pcm AAAA {"_meta":{"a":1}}
// audio: audio/pcm AAAA {"_meta":{"a":1}}
// audio: audio/pcm AAAA {"_meta":{"a":1}}
// audio: audio/pcm AAAA {"_meta":{"a":1}}
// audio: audio/pcm AAAA {"_meta":{"a":1}}
// audio: audio/pcm AAAA {"_meta":{"a":1}}
// audio: audio/pcm AAAA {"_meta":{"a":1}}
// audio: audio/pcm AAAA {"_meta":{"a":1}}
// warning: audio(): the block's annotations is not as MCP has it, and was left out
// warning: audio(): the block's annotations is not as MCP has it, and was left out
// warning: audio(): the block's annotations is not as MCP has it, and was left out
// warning: audio(): the block's annotations is not as MCP has it, and was left out
// warning: audio(): the block's annotations is not as MCP has it, and was left out
// warning: audio(): the block's annotations is not as MCP has it, and was left out
// warning: audio(): the block's annotations is not as MCP has it, and was left out
// warning: audio(): the block's annotations is not as MCP has it, and was left out
// => undefined
//// a resource is handed on without annotations that no client takes
resource({ type: "resource_link", uri: "x://y", name: "n", annotations: { priority: 2 }, _meta: null });
resource({ type: "resource", resource: { uri: "x://y", text: "t", _meta: "no" }, annotations: { audience: [] } });
// resource: {"type":"resource_link","uri":"x://y","name":"n"}
// resource: {"type":"resource","resource":{"uri":"x://y","text":"t"},"annotations":{"audience":[]}}
// warning: resource(): the block's annotations
// warning: resource(): the block's _meta
// => undefined
//// all images of a result are shown
const gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
image({ content: [{ type: "image", data: gif }, { type: "resource", resource: { uri: "x://y", mimeType: "image/gif", blob: gif } }] });
// image: image/gif R0lGOD
// image: image/gif R0lGOD
// => undefined
//// an image as bytes
image(Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"));
image(Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7").buffer);
// image: image/gif R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
// image: image/gif R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
// => undefined
//// a result without an image says what it has
image({ text: "hi", content: [{ type: "text", text: "hi" }, { type: "audio", data: "AAAA" }] });
// !!= TypeError 1:* image(): this result has no image: its blocks are text, audio
//// an empty result
image([]);
// !!= TypeError 1:* image(): this result has no image: it is empty
//// data that was cut
image("data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA");
// !!= TypeError 1:* image(): the data is not base64: it has 55 characters, which is no multiple of 4, so it may have been cut
//// a character that is no base64 is named with its place
image("data:image/gif;base64,R0lGODlh_QAB");
// !!= TypeError 1:* image(): the data is not base64: "_" at character 8 is of the URL-safe alphabet; + and / are expected
//// padding in the middle
image("data:image/gif;base64,R0lG=Dlh");
// !! TypeError 1:* "=" at character 4
//// a format that no model reads
image("data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=");
// !!= TypeError 1:* image(): the data is no PNG, JPEG, GIF or WebP file, though its type is image/svg+xml; file(name, mimeType, data) hands on other files
//// a few bytes are no whole image
image("data:image/gif;base64,R0lGODlh");
// !!= TypeError 1:* image(): 6 bytes are no whole image/gif
//// audio by its signature
const head = { wav: "UklGRiQAAABXQVZFZm10", mp3: "SUQzBAAAAAAA", frame: "//uQxAAAAAAA", aac: "//FQgAAAAAAA", ogg: "T2dnUwACAAAA", flac: "ZkxhQwAAACIS", mp4: "AAAAGGZ0eXBNNEEg", webm: "GkXfo59ChoEB", aiff: "Rk9STQAAAC5BSUZG" };
for (const data of Object.values(head))
	audio("data:;base64," + data.padEnd(64, "A"));
// audio: audio/wav UklGRiQAAABXQVZF
// audio: audio/mpeg SUQz
// audio: audio/mpeg //uQ
// audio: audio/aac //FQ
// audio: audio/ogg T2dnUw
// audio: audio/flac ZkxhQ
// audio: audio/mp4 AAAAGGZ0eXBNNEEg
// audio: audio/webm GkXfo
// audio: audio/aiff Rk9STQ
// => undefined
//// another name of the same type is no other type
audio({ type: "audio", mimeType: "audio/x-wav", data: "UklGRiQAAABXQVZFZm10".padEnd(64, "A") });
// audio: audio/wav UklGRiQAAABXQVZF
// => undefined
//// audio that has no signature keeps the type that it came with
audio({ type: "audio", mimeType: "audio/pcm;rate=24000", data: "AAECAwQFBgc=" });
// audio: audio/pcm;rate=24000 AAECAwQFBgc=
// => undefined
//// audio whose bytes are not what its type says
audio({ type: "audio", mimeType: "audio/wav", data: "AAECAwQFBgc=" });
// !!= TypeError 1:* audio(): the data is no WAV, MP3, AAC, Ogg, FLAC, MP4, WebM or AIFF file, though its type is audio/wav; file(name, mimeType, data) hands on other files
//// bytes without a type are no audio
audio(new Uint8Array(100));
// !! TypeError 1:* another format needs its mimeType
//// an image is no audio
audio("data:audio/wav;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");
// !! TypeError 1:* the data is image/gif and no WAV
//// a text file
file("report/a b.csv", "text/csv", "x,y\n1,2");
// resource: {"type":"resource","resource":{"mimeType":"text/csv","text":"x,y\n1,2","uri":"file:///report/a%20b.csv"}}
// => undefined
//// a file of bytes, and one of base64 text
file("a.bin", "application/octet-stream", new Uint8Array([1, 2, 3]));
file("/a.bin", "application/zip", "AQID");
file("a.gif", undefined, Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"));
// resource: {"type":"resource","resource":{"mimeType":"application/octet-stream","blob":"AQID","uri":"file:///a.bin"}}
// resource: {"type":"resource","resource":{"mimeType":"application/zip","blob":"AQID","uri":"file:///a.bin"}}
// resource: {"type":"resource","resource":{"mimeType":"image/gif","blob":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7","uri":"file:///a.gif"}}
// => undefined
//// a value becomes a JSON file
file("a.json", "application/json", { a: [1, 2n] });
// resource: {"type":"resource","resource":{"mimeType":"application/json","text":"{\"a\":[1,2]}","uri":"file:///a.json"}}
// => undefined
//// what is wrong with a file is said
const told = [];
for (const args of [[], ["a", "csv", "x"], ["a", "image/png", "AQID"], ["a", "application/zip", "a.b"], ["a", "application/pdf", new Uint8Array(30)], ["a", "text/plain"], ["a", "text/plain", new Uint8Array()]])
	try { file(...args); told.push("taken"); } catch (e) { told.push(e.message); }
return told;
// => ["file(name, mimeType, data) takes a name, such as \"report.csv\", first","file(name, mimeType, data): \"csv\" is no type such as \"text/csv\"","file(): the data is no image/png","file(): the data is not base64: \".\" at character 1","file(): the data is no application/pdf","file(name, mimeType, data) takes as data text, bytes, base64 text of bytes, or a value for a JSON file","file(): the data is empty"]
//// resources of a result are handed on with all that they came with
const result = await tools.echo({ content: [
	{ type: "text", text: "two files" },
	{ type: "resource_link", uri: "file:///a/b.md", name: "b.md", mimeType: "text/markdown", size: 12, annotations: { audience: ["user"], priority: 0.5 } },
	{ type: "resource", resource: { uri: "db://rows/1", mimeType: "text/plain", text: "row", _meta: { a: 1 } } }] });
resource(result);
resource(result.content[1]);
// resource: {"type":"resource_link","uri":"file:///a/b.md","name":"b.md","mimeType":"text/markdown","size":12,"annotations":{"audience":["user"],"priority":0.5}}
// resource: {"type":"resource","resource":{"uri":"db://rows/1","mimeType":"text/plain","text":"row","_meta":{"a":1}}}
// resource: {"type":"resource_link","uri":"file:///a/b.md","name":"b.md","mimeType":"text/markdown","size":12,"annotations":{"audience":["user"],"priority":0.5}}
// calls: echo ok
// => undefined
//// an address alone becomes a link
resource("https://example.com/docs/page.html?x=1#y");
resource({ uri: "https://example.com/", mimeType: "text/html" });
// resource: {"uri":"https://example.com/docs/page.html?x=1#y","type":"resource_link","name":"page.html"}
// resource: {"uri":"https://example.com/","mimeType":"text/html","type":"resource_link","name":"https://example.com/"}
// => undefined
//// what a server gives for a resource that was read
resource({ contents: [{ uri: "x://1", text: "one" }, { uri: "x://2", blob: "AQID", mimeType: "a/b" }] });
// resource: {"type":"resource","resource":{"uri":"x://1","text":"one"}}
// resource: {"type":"resource","resource":{"uri":"x://2","blob":"AQID","mimeType":"a/b"}}
// => undefined
//// what is wrong with a resource is said
const told = [];
for (const v of [undefined, "no address", 5, {}, { type: "text", text: "x" }, { content: [{ type: "text", text: "x" }] }, { type: "resource_link", name: "x" }, { type: "resource", resource: { uri: "x://y" } }, { type: "resource", resource: { uri: "x://y", blob: "#" } }])
	try { resource(v); told.push("taken"); } catch (e) { told.push(e.message.replace(/^.*; /, "… ")); }
return told;
// => ["resource() takes an address, a block resource_link or resource, or a result of a tool that holds such blocks","… \"no address\" is no address (its uri)","resource() takes an address, a block resource_link or resource, or a result of a tool that holds such blocks","… its type is undefined","… its type is \"text\"","resource(): this result has no resource: its blocks are text","… undefined is no address (its uri)","resource(): its resource has neither text nor blob","resource(): the data is not base64: \"#\" at character 0"]
//// a block that changes while it is read harms nothing
let n = 0;
for (const v of [{ type: "resource", resource: { get uri() { return n++ ? 5 : "x://y"; }, text: "t" } }, { type: "resource_link", uri: "x://y", name: "n", toJSON: () => "no" }, { toJSON: () => ({ type: "resource_link", uri: "x://y", name: "\ud800" }) }])
	try { resource(v); } catch (e) { text(e.name); }
// resource: {"type":"resource","resource":{"uri":"x://y","text":"t"}}
// text: TypeError
// resource: {"type":"resource_link","uri":"x://y","name":"�"}
// warning: became U+FFFD
// => undefined
//// what a block has besides counts against the limit, too
// options: {"limits":{"output":100}}
audio({ type: "audio", mimeType: "audio/pcm", data: "AAAA", _meta: { a: "x".repeat(100) } });
// !! RangeError 2:* the limit is 100
// code: OutputLimit
//// media count against the limit of what is printed
// options: {"limits":{"output":100}}
file("a.txt", "text/plain", "x".repeat(100));
// !! RangeError 2:* the limit is 100
// code: OutputLimit
