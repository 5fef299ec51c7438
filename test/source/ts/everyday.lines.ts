const a: number = 1;
let a: string | undefined;
var a: number, b: string = "x", c;
const a = 1 as number;
const a = { b: 1 } as const;
const a = ["x", "y"] as const;
const a = { b: 1 } satisfies Record<string, number>;
const a = {} as { b: string };
const a = JSON.parse("{}") as { items: Array<{ id: number }> };
const a = (await tools.x({})) as { title: string }[];
const a = await tools.x({ id: 1 } as any) as any;
const { a, b }: { a: number; b: string } = x;
const [a, b]: [number, string] = x;
const { a: { b: [c] } }: any = x;
const a: Array<string> = [];
const a: Map<string, number[]> = new Map<string, number[]>();
const a = new Map<string, { n: number }>([["x", { n: 1 }]]);
const a = new Set<string>;
const a = new Set<string>();
const a: () => void = () => {};
const a: (x: number) => string = (x) => String(x);
const a: { x: number }[] = [{ x: 1 }];
function f(a: number, b?: string, ...c: boolean[]): string { return ""; }
function f<T>(a: T): T { return a; }
function f<T extends { id: number }, K extends keyof T>(a: T, b: K): T[K] { return a[b]; }
function f(this: Date, a: number): void {}
function f(this: Date) {}
function f({ a, b }: { a: number; b?: string }): void {}
function f({ a = 1, b }: { a?: number; b?: string } = {}): void {}
function f(a: number = 1, b: string | null = null): void {}
function f(a: unknown): a is string { return true; }
function f(a: unknown): asserts a is string {}
function f(a: unknown): asserts a {}
async function f(a: number): Promise<void> {}
async function* f(): AsyncGenerator<number> { yield 1; }
function* f(): Generator<number, void, unknown> { const x: number = yield 1; }
const f = function (a: number): number { return a; };
const f = function g<T>(a: T): T { return a; };
const f = async function (a: number): Promise<number> { return a; };
const f = (a: number): number => a;
const f = (a: number, b: string): { a: number } => ({ a });
const f = async (a: number): Promise<number> => a;
const f = async (): Promise<void> => {};
const f = (): void => {};
const f = ({ a }: { a: number }) => a;
const f = ([a]: number[]) => a;
const f = (a?: number) => a;
const f = (a?: number, b?: string): void => {};
const f = (a: number = 1) => a;
const f = (...a: number[]): number => a.length;
const f = <T>(a: T): T => a;
const f = <T,>(a: T): T => a;
const f = <T extends string, U = T>(a: T, b?: U): [T, U] => [a, b!];
const f = async <T>(a: T): Promise<T> => a;
const f = (a: any): a is string => typeof a === "string";
const f = (a: any): asserts a is string => {};
const a = b!;
const a = b!.c!.d!;
const a = b![0]!.c!();
const a = b?.c!.d;
const a = b!?.c;
a! = 1;
a!.b! += 2;
a!++;
const a = f<string>("x");
const a = f<string, number>("x", 1);
const a = b.f<string>("x").g<number>();
const a = f<{ a: string }>({ a: "" });
const a = f?.<string>("x");
const a = b?.f<string>("x");
const a = tag<string>`x`;
const a = f<string>;
const a = [f<string>, f<number>];
for (const a of b as number[]) {}
for (let i: number = 0; i < 3; i++) {}
for (const [k, v] of Object.entries(b) as [string, number][]) {}
try {} catch (e: unknown) {}
try {} catch (e: any) { throw e as Error; }
try {} catch ({ message }: any) {}
if ((a as any).b) {}
while ((a as any)!) { break; }
return a as number;
return (a as number);
return a!;
return { a: 1 } as A;
return [] as string[];
throw e as Error;
throw new Error("x") as unknown;
const a = x ? (y as number) : (z as string);
const a = x ? y as number : z as string;
const a = x as unknown as string;
const a = (x as unknown) as string;
const a = typeof x as string;
const a = !x as boolean;
const a = -x as number;
const a = await x as number;
const a = x + y as number;
const a = x + (y as number) * 2;
const a = x === y as any;
const a = x && y as any;
const a = x ?? y as any;
const a = x as any ?? y;
const a = x as any || y as any;
const a = x as any ? 1 : 2;
const a = x as A[], b = 2;
const a = [x as A, y as B];
const a = { x: x as A, ...(y as B) };
const a = f(x as A, ...(y as B[]));
const a = `${x as string} ${y!}`;
(x as any) = 1;
(x as any).y = 1;
[x as any] = [1];
({ x: y as any } = { x: 1 });
delete (x as any).y;
let a!: string;
let a!: string, b!: number;
let x: typeof y;
let x: "a" | "b" = "a";
let x: number | string = 1, y = x as number;
let x: { a: { b: { c: number } } };
let x: (a: number) => void, y: number;
let f: <T>(x: T) => T = (x) => x;
label: for (const a of b as any) { continue label; }
switch (a as string) { case "x" as string: break; }
const o = { f(a: number): number { return a; }, async g<T>(a: T): Promise<T> { return a; } };
const o = { get a(): number { return 1; }, set a(v: number) {} };
const o = { *g(): Generator<number> {}, async *h(a: string): AsyncGenerator<string> {} };
const o = { f<T>(this: any, a: T) {}, ["x" as string]: 1 };
const o = { a: (x: number): number => x, b: <T>(x: T) => x, c: async (x: any) => x };
export1: { const a: number = 1; }
const items = (await tools.list({}) as any).items.map((i: { id: number }) => i.id);
const total = items.reduce((sum: number, i: any): number => sum + i.n, 0);
const grouped: Record<string, number> = {};
const r = await Promise.all<number>(ids.map(async (id: number): Promise<number> => id));
const byId = new Map<number, { name: string }>(list.map((x): [number, { name: string }] => [x.id, x]));
const f = (x: number) => (y: number) => (z: number): number => x + y + z;
const sorted = [...(list as number[])].sort((a: number, b: number): number => a - b);
const x = (y as any)?.z as string | undefined;
const x = y as string | number & { z: 1 };
const x = <const T,>(y: T) => y;
type Item = { id: number }; const a: Item[] = [];
interface Item { id: number } const a: Item[] = [];
const a = 1; type B = string; const c = 2;
