//// an integer that a number cannot hold is rounded, and a warning names both
const r = await tools.echo({ rows: [{ id: 1 }, { "wide id": 9007199254740993n }], n: -12345678901234567890n });
return r.rows[1]["wide id"] === 2 ** 53;
// => true
// warning: $.rows[1]["wide id"] of the result of echo() is 9007199254740993, which became 9007199254740992, as a number holds no more digits: call it with the options { integers: "exact" } to get a BigInt
//// once a tool
for (let i = 0; i < 3; i++) {
	await tools.echo(18446744073709551615n);
	await tools.slow({ value: 9007199254740995n });
}
// => undefined
// warning: $ of the result of echo() is 18446744073709551615, which became 18446744073709552000
// warning: $ of the result of slow() is 9007199254740995, which became 9007199254740996
//// what a number shows as it came is not told
return await tools.echo([9007199254740992n, -9007199254740992n, 123456789012345680000n, 1e300, 0.1, 12345678901234567000n]);
// => [9007199254740992,-9007199254740992,123456789012345680000,1e+300,0.1,12345678901234567000]
//// with integers: "exact" they are BigInts, and leave as they came
const r = await tools.echo({ id: 9007199254740993n, list: [-(2n ** 99n), 2 ** 53, 7, 1.5, 1e20] }, { integers: "exact" });
const again = await tools.echo(r, { integers: "exact" });
store("k", again);
text(again);
text(again.id);
console.log(again.id);
const types = [again.id, ...again.list].map((v) => typeof v);
return { again, types, sum: again.id + 1n };
// => {"again":{"id":9007199254740993,"list":[-633825300114114700748351602688,9007199254740992,7,1.5,100000000000000000000]},"types":["bigint","bigint","number","number","number","bigint"],"sum":9007199254740994}
// text: {"id":9007199254740993,"list":[-633825300114114700748351602688,9007199254740992,7,1.5,100000000000000000000]}
// text: 9007199254740993
// console: 9007199254740993n
// writes: {"set":{"k":{"id":9007199254740993,"list":[-633825300114114700748351602688,9007199254740992,7,1.5,100000000000000000000]}},"delete":[]}
//// what is stored is loaded with the same digits
store("k", { n: 2n ** 64n + 1n, d: 2 ** 70, i: 5n });
const k = load("k");
return [typeof k.n, typeof k.d, typeof k.i, k];
// => ["bigint","number","number",{"n":18446744073709551617,"d":1.1805916207174113e+21,"i":5}]
// result: storeWrites.delete []
//// the data of a failure keep their digits
try { await tools.fail({ message: "no", members: { id: 9007199254740993n } }); } catch (e) { return [typeof e.id, e.id]; }
// => ["bigint",9007199254740993]
//// another word than exact is refused
const said = [];
for (const integers of ["all", true, null, 1n])
	said.push(await tools.echo(1, { integers }).catch((e) => e.name + ": " + e.message));
return said.every((s) => s.startsWith('TypeError: integers must be "exact"'));
// => true
// calls: 
//// a script may replace BigInt and Number
try { BigInt = Number = () => 0; } catch {}
return [await tools.echo(9007199254740993n, { integers: "exact" }), await tools.echo(9007199254740993n)];
// => [9007199254740993,9007199254740992]
// warning: $ of the result of echo() is 9007199254740993, which became 9007199254740992
//// data beside the script keep their digits
return [typeof data.id, data.id];
// options: {"data": {"id": 12345678901234567890}}
// => ["bigint",12345678901234567890]
