//// a PNG as data URL
image("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
// image: image/png iVBORw0KGgoAAAANSUhEUgAAAAE
// => undefined
//// the bytes decide the type, not the label
image("data:image/jpeg;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
// image: image/png iVBORw0KGgo
// warning: the data is image/png, and not image/jpeg
// => undefined
//// an MCP image block
image({ type: "image", mimeType: "image/gif", data: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" });
// image: image/gif R0lGODlhAQAB
// => undefined
//// an image_url member
image({ image_url: "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" });
// image: image/gif R0lGODlh
// => undefined
//// a data URL in the data member
image({ type: "image", data: "data:;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" });
// image: image/gif R0lGODlh
// => undefined
//// WebP and JPEG are known
image("data:image/webp;base64,UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA");
image("data:image/jpeg;base64,/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==");
// image: image/webp UklGRiIAAABXRUJQ
// image: image/jpeg /9j/4AAQ
// => undefined
//// white space in the data is dropped
image("data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP//\n /yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");
// image: image/gif R0lGODlhAQABAIAAAAAAAP///yH5
// => undefined
//// images and texts keep their order
text("see:");
image({ type: "image", data: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" });
text("above");
// text: see:
// image: image/gif R0lGODlh
// text: above
// => undefined
//// an address on the web is refused with its own words
image("https://example.com/a.png");
// !! TypeError 1:* URL
//// an empty string is refused
image("");
// !! TypeError 1:* image
//// nothing is refused
image();
// !! TypeError 1:* image
//// null, numbers and arrays are refused
const refused = [];
for (const v of [null, 5, [], true]) try { image(v); refused.push("taken"); } catch (e) { refused.push(e.name); }
return refused;
// => ["TypeError","TypeError","TypeError","TypeError"]
//// another type is named in the message
image({ type: "audio", data: "AAAA" });
// !! TypeError 1:* audio
//// data that is no base64 is refused
const refused = [];
for (const v of ["data:image/png;base64,####", "data:image/png;base64,iVBORw0KGg", "data:image/png,abc", "image/png", "data:image/png;base64"])
	try { image(v); refused.push("taken " + v); } catch (e) { refused.push(e.name); }
return refused;
// => ["TypeError","TypeError","TypeError","TypeError","TypeError"]
//// text in base64 is no image
image("data:image/png;base64,aGVsbG8gd29ybGQhISE=");
// !! TypeError 1:* image
//// a file that is only a signature is no image
image("data:image/png;base64,iVBORw0KGg==");
// !! TypeError 1:* image
//// the block that other programs write
image({ type: "image", source: { type: "base64", media_type: "image/gif", data: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" } });
image({ type: "image_url", image_url: { url: "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" } });
// image: image/gif R0lGODlh
// image: image/gif R0lGODlh
// => undefined
