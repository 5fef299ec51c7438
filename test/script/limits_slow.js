//// a script that the heap cannot hold: 900000
// source-nest: 60000 {a:1}; 1 ;{a:1}
// options: {"limits":{"heap":900000}}
// !! InternalError *:* out of memory
// code: MemoryLimit
// quickjs: the code of a script is smaller there
//// a script that the heap cannot hold: 1000000
// source-nest: 60000 {a:1}; 1 ;{a:1}
// options: {"limits":{"heap":1000000}}
// !! InternalError *:* out of memory
// code: MemoryLimit
// quickjs: the code of a script is smaller there
//// a script that the heap cannot hold: 1050000
// source-nest: 60000 {a:1}; 1 ;{a:1}
// options: {"limits":{"heap":1050000}}
// !! InternalError *:* out of memory
// code: MemoryLimit
// quickjs: the code of a script is smaller there
//// a script that the heap cannot hold: 1200000
// source-nest: 60000 {a:1}; 1 ;{a:1}
// options: {"limits":{"heap":1200000}}
// !! InternalError *:* out of memory
// code: MemoryLimit
// quickjs: the code of a script is smaller there
//// a script that the heap cannot hold: 1300000
// source-nest: 60000 {a:1}; 1 ;{a:1}
// options: {"limits":{"heap":1300000}}
// !! InternalError *:* out of memory
// code: MemoryLimit
// quickjs: the code of a script is smaller there
//// a script that asks for very many names is not taken for a hostile one
let unknown = 0;
for (let i = 0; i < 100200; i++) {
	try {
		tools["n" + i]();
	} catch (e) {
		unknown += e.name === "TypeError";
	}
}
return unknown;
// => 100200
