//// data beside the script
return [data.title, data.rows.length];
// options: {"data": {"title": "a `quoted` ${x} \\n text", "rows": [1, 2]}}
// => ["a `quoted` ${x} \\n text",2]
//// any JSON
return data;
// options: {"data": null}
// => null
//// a script's own data shadows it
const data = [1];
return data;
// options: {"data": {"a": 1}}
// => [1]
//// it can be changed, as any global
data.push(3);
return data;
// options: {"data": [1, 2]}
// => [1,2,3]
//// without data there is no such global, and a script's own is its own
let data = 5;
return [data, typeof globalThis.data];
// => [5,"undefined"]
//// asked for in vain
return data.rows;
// !! ReferenceError 1:8 data does not exist here: no data were given beside the script
//// the check of a script that failed otherwise does not call it unknown
const r = data.a;
return r.b.c;
// options: {"data": {"a": {}}}
// !! TypeError 2:12 r.b is undefined
