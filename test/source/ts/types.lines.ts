type A = string;
type A = string | number | null | undefined;
type A = | "a" | "b";
type A = & { a: 1 } & { b: 2 };
type A = { a: string; b?: number; readonly c: boolean };
type A = { a: string, b: number, };
type A = { [key: string]: unknown };
type A = { readonly [key: string]: number };
type A<T> = { [K in keyof T]: T[K] };
type A<T> = { readonly [K in keyof T]?: T[K] };
type A<T> = { -readonly [K in keyof T]-?: T[K] };
type A<T> = { +readonly [K in keyof T]+?: T[K] };
type A<T> = { [K in keyof T as `get${Capitalize<K & string>}`]: () => T[K] };
type A = string[];
type A = readonly string[];
type A = string[][];
type A = (string | number)[];
type A = [string, number];
type A = [first: string, second?: number, ...rest: boolean[]];
type A = [string?, ...number[]];
type A = [...string[], number];
type A = readonly [1, 2];
type A = [];
type A = {};
type A = () => void;
type A = (a: string, b?: number, ...c: boolean[]) => void;
type A = <T>(a: T) => T;
type A = new (a: string) => Date;
type A = abstract new () => object;
type A = new <T>(a: T) => Set<T>;
type A = { (a: string): number; new (a: string): Date; method(a: string): void; prop: () => void };
type A = { get x(): number; set x(v: number) };
type A = { get: string; set: number; new: boolean };
type A = { async: string; readonly: number; static: boolean };
type A = { readonly: number };
type A = { "quoted": string; 12: number; [Symbol.iterator](): Iterator<string> };
type A = { method?(): void; readonly method2: <T>() => T };
type A = keyof typeof Math;
type A = typeof Math.PI;
type A = typeof globalThis;
type A = unique symbol;
type A = typeof import("fs");
type A = import("fs").Stats;
type A = import("a", { with: { "resolution-mode": "import" } }).B<string>;
type A<T> = T extends string ? 1 : 2;
type A<T> = T extends string ? 1 : T extends number ? 2 : T extends boolean ? 3 : never;
type A<T> = T extends (infer U)[] ? U : never;
type A<T> = T extends [infer H extends string, ...infer R] ? [H, R] : [];
type A<T> = T extends { a: infer U extends number ? 1 : 2 } ? U : never;
type A<T> = T extends (...args: infer P) => infer R ? [P, R] : never;
type A<T> = T extends new (...args: any) => infer R ? R : never;
type A<T> = [T] extends [never] ? true : false;
type A = "a" extends "b" ? { x: 1 } : () => void;
type A = -1 | 1n | -2n | 0x10 | true | false | null | void | undefined | never;
type A = `a${string}b${number}`;
type A = `${"a" | "b"}-${`x${1 | 2}`}`;
type A = Promise<Array<Map<string, Set<number>>>>;
type A = Array<Array<Array<number>>>;
type A = Record<string, Array<Array<number>>>["a"][number];
type A = A1.B.C<D.E>;
type A = this;
type A = object | symbol | bigint | unknown | any;
type A = (a: { b: string }) => a is { b: "x" };
type A = (a: unknown) => asserts a is string;
type A = (a: unknown) => asserts a;
type A = (this: Window, a: string) => void;
type A = ({ a, b }: { a: 1; b: 2 }) => void;
type A = ([a, b]: [1, 2], { c: [d] }: any) => void;
type A = (a?: string) => (b: number) => void;
type A = (() => void) | null;
type A = ((a: string) => void)[];
type A = (new () => A)[];
type A<in T, out U, in out V> = (a: T) => U | V;
type A<const T extends readonly unknown[]> = T;
type A<T = string> = T;
type A<T extends string = "a", U = T> = [T, U];
type A = { a: 1 }["a"];
type A = typeof x[number];
type A = keyof (string | number);
type A = readonly (readonly string[])[];
type A = "use strict";
type type = string;
type of = number; type as = of; type async = as;
type keyof1 = keyof { a: 1 }; type unique1 = { unique: keyof1 };
type A = { a: 1 } | { b: 2 } extends infer U ? U : never;
type A = asserts | is; type asserts = 1; type is = 2;
type A = { [key: string]: (x: number) => string; };
type A = { a(): void, b(): string; c: number };
type A = typeof a.b.c; let a: any;
type A<T> = keyof T extends infer K ? K extends string ? `${K}` : never : never;
type A = Parameters<typeof Math.max>[0];
type A = [a: string, b: number] | [c: boolean];
type A = typeof fn<string>; declare function fn<T>(): T;
type A = { [k in "a" | "b"]: k };
type A = { [k in "a" | "b"] };
type A = string // a comment with > < { (
type A = /* a comment */ string /* another ; */;
interface A {}
interface A { a: string }
interface A extends B, C<string> { a: string; b(): void }
interface A<T extends object = {}> { [K: string]: T }
interface A { (a: string): void; new (): A; readonly a?: string; get b(): number; set b(v: number) }
interface A { method<T>(this: A, a: T): asserts a is NonNullable<T> }
interface A { a: string, b: number }
interface A { a; b; c }
interface A { a(); b(x); c?(y, z?) }
interface interface1 { interface: string; type: number; declare: boolean; namespace: 1 }
interface A extends Array<Array<number>> {}
interface A { "a-b": 1; 0: 2; 1e3: 3 }
interface A { <T>(x: T): T }
interface A { new <T>(x: T): T }
interface A { in: 1; of: 2; typeof: 3; delete(): void; class: string }
type X<T, U> = (<V>() => V extends T ? 1 : 2) extends <V>() => V extends U ? 1 : 2 ? true : false;
type X = A extends () => infer B extends C ? D : E ? F : G;
type X = A extends new () => B extends C ? D : E ? F : G;
type X = A extends keyof infer B extends C ? D : E;
