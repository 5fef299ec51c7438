import type A from "a";
////
import type { A, B as C } from "a";
////
import type * as A from "a";
////
import { type A, b } from "a";
////
import { b, type A } from "a";
////
import { type A as B, type C, d as e } from "a";
////
import a, { type B } from "a";
////
import a, { type B, c } from "a";
////
import { type } from "a";
////
import { type as b } from "a";
////
import type from "a";
////
import type, { a } from "a";
////
import type from1 from "a";
////
import * as a from "a"; const b: a.C = 1;
////
import a from "a"; let b: number = a as any;
////
import "a";
////
export type A = string;
////
export type { A } from "a";
////
export type { A };
type A = 1;
////
export type * from "a";
////
export type * as b from "a";
////
export interface A { a: string }
////
export declare const a: number;
////
export declare function f(): void;
////
export abstract class A { abstract b(): void; c: string = "" }
////
export class A<T> implements B { x!: T }
////
export const a: number = 1, b = 2 as any;
////
export function f(a: number): void; export function f(a: any) {}
////
export default function f(a: number): void {}
////
export default function (a: number): void {}
////
export default class A<T> { x: T }
////
export default abstract class A { abstract x(): void }
////
export default interface A { a: string }
////
export default async function f<T>(a: T): Promise<T> { return a; }
////
export default (a: number): number => a;
////
export default x as any;
////
export default { a: 1 } satisfies B;
////
export { type A, b } from "a";
////
export { b, type C as D } from "a";
////
export * from "a";
////
export namespace A { export type B = 1 }
////
export declare namespace A { const b: number }
////
export as namespace A;
////
import a from "a" with { type: "json" }; const b: any = a;
////
import type { A } from "a" with { "resolution-mode": "import" };
////
let x = y
import type { A } from "a"
(z)
////
let x = y
export type A = string
(z)
////
let x = y
export interface A {}
(z)
////
const a = await import("a") as typeof import("a");
