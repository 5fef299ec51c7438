//// a buffer that grows takes its views along
const b = new ArrayBuffer(4, { maxByteLength: 16 }), all = new Uint8Array(b), two = new Uint8Array(b, 2, 2);
b.resize(8);
const grown = [all.length, two.length];
b.resize(3);
return [grown, all.length, two.length, two.byteOffset, two[0] ?? "gone", b.resizable];
// => [[8,2],3,0,0,"gone",true]
//// a buffer that was transferred is empty
const b = new ArrayBuffer(8), view = new DataView(b), to = b.transfer(4);
let said;
try { view.getInt8(0); } catch (e) { said = e.name; }
return [b.detached, b.byteLength, to.byteLength, said];
// => [true,0,4,"TypeError"]
//// elements are converted as their kind says
return [[...Uint8Array.of(257, -1, 1.9)], [...Uint8ClampedArray.of(300, -5, 1.5, 2.5)], [...Int16Array.of(40000)],
	[...Float16Array.of(1.1, 70000)].map(String), [...BigInt64Array.of(2n ** 63n)].map(String)];
// => [[1,255,1],[255,0,2,2],[-25536],["1.099609375","Infinity"],["-9223372036854775808"]]
//// typed arrays are sorted by number, NaN behind
return [[...Float64Array.of(3, NaN, -0, 0, -1).sort()].map((x) => Object.is(x, -0) ? "-0" : String(x)),
	[...Int8Array.of(3, 1, 2).toSorted((a, b) => b - a)], Uint8Array.of(1, 2, 3).lastIndexOf(3), Float32Array.of(NaN).includes(NaN)];
// => [["-1","-0","0","3","NaN"],[3,2,1],2,true]
//// names that are numbers but no index are no properties
const u = new Uint8Array(2);
u["1.5"] = 1; u[-1] = 1; u["-0"] = 1; u[5] = 1; u.more = 1;
return [Object.keys(u), "-0" in u, u[5] === undefined];
// => [["0","1","more"],false,true]
//// the order of bytes is said
const d = new DataView(new ArrayBuffer(8));
d.setUint16(0, 0x0102); d.setFloat32(4, 1.5, true);
return [d.getUint16(0, true), [...new Uint8Array(d.buffer, 4)], d.getFloat32(4, true)];
// => [513,[0,0,192,63],1.5]
//// bytes as base64 and hex, and back
const bytes = Uint8Array.of(251, 255, 0);
return [bytes.toBase64(), bytes.toBase64({ alphabet: "base64url" }), Uint8Array.of(1).toBase64({ omitPadding: true }), bytes.toHex(),
	[...Uint8Array.fromBase64(" +/8A\n")], [...Uint8Array.fromHex("fBff00")], new Uint8Array(2).setFromBase64("AQIDBAUG")];
// => ["+/8A","-_8A","AQ","fbff00",[251,255,0],[251,255,0],{"read":0,"written":0}]
