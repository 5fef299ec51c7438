let x = 1
interface A {}
(function () {})()
////
let x = f
type A = string
(y)
////
let x = f
type A = string;
[y]
////
let x = f
declare const a: number
`y`
////
let x = f
interface A {}
/y/g
////
let x = f
declare function g(): void
+y
////
let x = f
type A = { a: 1 }
-y
////
foo()
type A = 1
type B = 2
(bar)
////
let a = b as string
(c)
////
let a = b as string
[c].d
////
let a = b satisfies string
`c`
////
let a = b as Array<string>
(c)
////
a = b as string
(c)
////
a as string
(c)
////
a!
(c)
////
let a: string
(b)
////
let a: string
[b]
////
let a!: string
[b]
////
return a as string
(b)
////
throw a as string
(b)
////
const f = (a: number) => a as number
(b)
////
do x as y
while (z)
////
if (a) b as c
else d as e
(f)
////
type A
= string
////
type
A = string
////
type = 1
////
type
(x)
////
declare
const x = 1
////
declare
function f() {}
////
declare
(x)
////
abstract
class A {}
////
interface
A
{}
////
namespace
A
{}
////
module
A
{}
////
module.exports = 1
////
x as
string
////
let x = y
as
////
let as = 1, satisfies = 2; as
satisfies
////
let x = y
satisfies
////
let x = y as
	string
(z)
////
function f<T extends object>(key: keyof T) {
	return <U extends
		T>
		(x: U): U[keyof U] => x[key as unknown as keyof U];
}
////
const make = async <
	K extends string,
	V = number
>(k: K, v: V): Promise<Record<K, V>> => ({ [k]: v } as Record<K, V>);
////
function* gen(): Generator<(x: number) => number> {
	yield <T extends number>
		(x: T) => x + 1;
}
////
function fail(): never {
	throw <T,>
		(x: T) => [x];
}
////
const wait = async <T,>(
	x: T): Promise<
	T> => x;
////
const wrap = (x: number): {
	a: number;
	b: string
} => ({ a: x, b: "s" });
////
const pick = async (
	o: { a: number }
): Promise<
	number
> => o.a;
////
function f(): { n: number }
{ return { n: 1 }; }
////
return (x: number): {
	a: number
} => ({ a: x });
////
return async (x: number): Promise<
	number> => x;
////
const f = a ? (x: number): {
	b: number
} => x : y;
////
const x = f<
	string
>(y);
////
return f<
	string
>(y);
////
return new Map<
	string,
	number
>();
////
return (
	<T,>(x: T) => x
);
////
return x as
	string;
////
return x as {
	a: string;
};
////
return {
	a: 1
} as {
	a: number
};
////
const x = {
	a: 1
} as const
[y] = z
////
function f(
	a: number,
	b?: {
		c: string;
		d(): void;
	},
): Promise<
	void
> {
}
////
function f(a: string): void
function f(a: number): void
function f(a: any) {}
(x)
////
let y = z
function f(a: string): void
function f(a: any) {}
////
let y = z
function f(a: string)
function f(a: any) {}
////
async function f(a: string): Promise<void>
async function f(a: any) {}
////
const x = y
type A = { b: string }
const z = 1
////
if (x) {
	type A = string
	interface B {}
}
////
{
	let x = y
	type A = string
	(z)
}
////
() => {
	let x = y
	declare let z: number
	(w)
}
////
switch (x) {
case 1:
	a = b
	type A = string
	(c)
default:
	interface B {}
}
////
let x = y // comment
type A = string // comment
(z) // comment
////
let x: {
	a: string
} = y
////
let x: string |
	number
	| boolean = y
////
let x:
	| "a"
	| "b" = "a";
////
let f: (
	a: string
) => void = g
////
type A =
	| { a: 1 }
	| { b: 2 }

const x = 1
////
type A = {
	a: string
	b: number
}
(x)
////
type A = string

(x)
////
type F = () => void
(x)
////
type T = typeof x
(y)
////
type T = A
[y]
////
type T = A<string>
[y]
////
type T = keyof A
`y`
////
a = b!
++c
////
a = b
!c
////
let x = a
!b
////
let x = a!
/b/g
////
x = y as any
/z/g
////
x = y as any
+z
////
var a = 1 as any
++b
////
let x = <T,>() => 1
(y)
////
let x = (y: number): number => z
(w)
////
let x = (y: number): number => { }
(w)
////
for (;;) type
x
////
while (x) y as z
(w)
////
let x = y as any;
(z)
////
continue1: for (const a of b) { if (a as any) continue continue1
}
////
export3
type A = 1
////
	let	x	:	number	=	1	as	number
////
let été: string = "é" as string /* ü */, 変数: Map<文字, 数> = new Map<文字, 数>()
(z)
////
const f = (x: 型): 型
	| Ü => x
////
let s: "😀" | '😀' = "😀" as "😀"; s.x()
////
let x = 1 // interface
interface
{}
////
let x = async
type A = 1
(y)
////
var x = new Foo<string>
(y)
////
var x = foo<string>
(y)
////
var x = foo<string>
y
////
var x = foo<string>
let z
////
var x = foo < bar
> y
////
let x = y as Foo
<z>(w)
