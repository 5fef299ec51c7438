//// large results in a loop take no more memory than two of them
const text = "a string that is not so short, to be repeated ".repeat(20);
const rows = Array.from({ length: 4000 }, (_, i) => ({ i, text: text + i }));
let sum = 0;
for (let i = 0; i < 30; i++) {
	const got = await tools.echo(rows);
	sum += got.length + (got[3999].text === text + 3999);
}
return sum;
// => 120030
// options: {"heap":67108864}
//// a large result can be changed and let go
let got = await tools.echo(Array.from({ length: 20000 }, (_, i) => ({ i, name: "n" + i % 10 })));
const again = await tools.echo(got);
got.length = 5;
got[0].self = got;
again[1].name += "!";
return [got.length, got[0].self === got, again.length, again[1].name, again[11].name, again[19999]];
// => [5,true,20000,"n1!","n1",{"i":19999,"name":"n9"}]
