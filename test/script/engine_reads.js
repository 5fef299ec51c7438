//// digits behind a tie, which the engine alone drops
const tie = "9007199254740993.0000000000000000000000000000000000000001";
return [9007199254740993.0000000000000000000000000000000000000001, +tie, parseFloat(tie), -tie, Number(" " + tie + " "), parseFloat(tie + "x")];
// => [9007199254740994,9007199254740994,9007199254740994,-9007199254740994,9007199254740994,9007199254740994]
//// a thousand ties and what is next to them, in each of the ways to read a number
let seed = 1;
const next = (n) => (seed = (seed * 48271) % 2147483647) % n;
const digits = (x) => { // all decimal digits of the number in the middle of x and the next double
	const [bits, f] = [new BigUint64Array(1), new Float64Array(1)];
	new Float64Array(bits.buffer)[0] = x;
	const e = Number(bits[0] >> 52n) - 1075, m = ((bits[0] & 0xfffffffffffffn) | 0x10000000000000n) * 2n + 1n;
	if (e - 1 >= 0) return String(m << BigInt(e - 1)) + ".0";
	const all = String(m * 5n ** BigInt(1 - e)).padStart(2 - e, "0");
	return all.slice(0, e - 1) + "." + all.slice(e - 1);
};
const wrong = [];
for (let i = 0; i < 1000; i++) {
	const tie = digits((1 + next(1e9) / 1e9) * 2 ** (next(140) - 70)), tail = "0".repeat(next(60));
	for (const text of [tie, tie + tail + "1", tie.slice(0, -1) + "0", tie + tail, "-" + tie + tail + "7"]) {
		const right = JSON.parse(text);
		if (Number(text) !== right || parseFloat(text) !== right || Function("return " + text)() !== right)
			wrong.push(text);
	}
}
return wrong;
// => []
// quickjs: it makes no code from text
//// what only looks long is read as it was
return [Number("0x" + "f".repeat(40)), parseInt("9".repeat(40) + ".9"), BigInt("9".repeat(40)) === 9999999999999999999999999999999999999999n,
	1234567890123456789012345678901234567890_1.5 === JSON.parse("12345678901234567890123456789012345678901.5"), Number("1".repeat(40) + "_1"), Number("1".repeat(40) + "e-40"),
	(() => { try { return Function("return " + "1".repeat(40) + "x")(); } catch (e) { return e.name; } })()];
// warning: is NaN
// => [1.461501637330903e+48,1e+40,true,true,null,0.1111111111111111,"SyntaxError"]
// quickjs: it makes no code from text
//// JSON reads them right
const tie = "9007199254740993.0000000000000000000000000000000000000001";
return [JSON.parse(tie), JSON.parse("[0.500000000000000166533453693773481063544750213623046875]")[0]];
// => [9007199254740994,0.5000000000000002]
//// digits in another base
return [(1e21).toString(36), (123456789012345680000).toString(7), (2 ** 40 + 0.5).toString(2)];
// => ["5v1j4f4ds7a000","434014101441402123000000","10000000000000000000000000000000000000000.1"]
// quickjs: it does as Node does
//// dates that are read otherwise
return ["2020-01-01t00:00:00Z", "2020-01-01T00:00:00z", "2020-01-01T00:00:00,123Z", "Jan 32 2020 UTC"].map(Date.parse);
// warning: is NaN
// => [null,null,1577836800123,1577836800000]
// quickjs: it does as Node does
//// a stack hook can be set, and has no effect
Error.prepareStackTrace = () => "mine";
return [typeof Error.prepareStackTrace, new Error("x").stack.includes("codemode.js:2")];
// => ["function",true]
