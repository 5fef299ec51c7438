declare const a: number;
////
declare let a: string, b: number;
////
declare var a: { b: string };
////
declare function f(a: number): string;
////
declare function f<T>(a: T): asserts a is NonNullable<T>
////
declare class A { a: string; b(): void; constructor(a: number); static c: number; get d(): string; }
////
declare abstract class A { abstract a(): void }
////
declare enum A { B, C = 2 }
////
declare const enum A { B = "x", C = B }
////
declare namespace A { const x: number; function f(): void; namespace B { type C = 1 } enum D { E } }
////
declare namespace A.B.C { let x: string }
////
declare module "x" { export const a: number; export default function f(): void; export { a as b }; }
////
declare module "x";
////
declare global { interface Window { a: string } var b: number }
////
declare interface A { a: string }
////
declare type A = string;
////
declare module A { const x: number }
////
namespace A { export type B = string; export interface C {} }
////
namespace A { type B = string; namespace D { interface E {} } }
////
namespace A.B { export type C = 1 }
////
namespace A {}
////
abstract class A { abstract x(): void; y() {} }
////
const type = 1; type; type + 1; type.x; type(); type = 2;
////
const declare = 1, abstract = 2, namespace = 3, module = 4, global = 5; declare; abstract; namespace; module; global;
////
let of: number, as: string, is: boolean, keyof: any, infer: any, readonly: any, unique: any, asserts: any;
////
type(x); declare(x); namespace(x); module(x); abstract(x); interface1(x);
////
type.a = 1; declare.b = 2; module.exports = 3; namespace["c"] = 4;
////
type ? a : b; declare ? a : b;
////
function type() {} function declare() {} function namespace() {} function of() {} function as() {}
////
const f = (type: string, declare: number, of: any, as: any) => type;
////
const o = { type: 1, declare: 2, namespace: 3, interface: 4, enum: 5, as: 6, satisfies: 7, abstract: 8 };
////
const { type, declare, as: satisfies } = o;
////
function f(a: string): string;
function f(a: number): number;
function f(a: any): any { return a; }
////
function f(): void;
function f(a?: number): void {}
////
function outer() {
	function inner(a: string): void;
	function inner(a: any) {}
	type A = string;
	return inner;
}
////
interface A { x: number }
interface B extends A { y: number }
const b: B = { x: 1, y: 2 };
////
type A = string
type B = number
interface C {}
declare const d: C
const e = 1
////
"use strict"
const a: number = 1
////
function f() { "use strict"; const a: number = 1; type B = a; }
////
if (a) { interface B {} } else { type C = 1 }
////
for (const a of b) { type C = typeof a; const d: C = a; }
////
const a = function (this: any, b: number): void {}, c = function* (d?: any): any {};
////
let a = async function <T>(b: T): Promise<T> { return b; };
////
using a: Disposable = b();
////
{ await using a: AsyncDisposable = b() as any; }
////
for await (const a of b as AsyncIterable<number>) {}
////
for (const a in b as any) {}
////
for (let a: number = 0, b: string = ""; a < 1; a++) {}
////
for (a as any; b!; c satisfies d) {}
////
for ((a as any).b of c) {}
////
for ((a as any) in c) {}
////
outer: while (true) { interface A {} break outer; }
////
enum1.A; const enum1 = { A: "a" } as const; type enum1 = typeof enum1[keyof typeof enum1];
////
let x: number; let y: typeof x; function f(a: typeof x, b: typeof y) {}
////
declare let $: any; declare let _: any; $(_);
////
export4: { declare const x: number; x; }
////
declare async function f(): void;
