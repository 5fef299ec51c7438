const a = b ? (c, d) : (e) => f;
////
const x = { a: b as c, get: d!, async: e as any, ["f" as any]: 1 };
////
const r = /<T>(x: T) => x/g, s = "as string", t = `as ${x as string} as`, u = 'x!';
////
const a = x /* as */ as /* string */ string /* ! */, b = y! /* ! */;
////
const a = x // as
	, b = y as // string
	string, c = 1
////
let x = y < z ? a : b as c;
////
let x = a as b as c as d;
////
let x = a! as b;
////
let x = (a as b)! as c;
////
let x = a as b | c & d;
////
let x = a as b || c;
////
let x = a as b && c;
////
let x = a as b === c;
////
let x = a as b, y = c;
////
let x = a as b[] as c;
////
let x = a as b["c"] as d;
////
let x = a as () => void;
////
let x = a as (() => void) | null;
////
let x = a as new () => b;
////
let x = a as [b, c?, ...d[]];
////
let x = a as `b${c}d`;
////
let x = a as "b" | 'c' | 1 | -1 | true;
////
let x = a as b extends c ? d : e;
////
let x = y ? a as b extends c ? d : e : f;
////
let x = a as keyof typeof b;
////
let x = a as unique1;
////
let x = a as this;
////
let x = a as void;
////
let x = a as b<c>;
////
let x = a as b<c>[];
////
let x = a as b<c<d>>;
////
let x = a as b.c.d<e>["f"][];
////
let x = a as any as (b: c) => d is e;
////
let x = a as import("b").C;
////
let x = a satisfies b satisfies c;
////
let x = `${a as b}${c!}${(d: e): f => g}`;
////
let x = `${`${a as b}`}` as `c`;
////
let x = [a as b, ...c as d, ...(e as f)];
////
let x = { ...a as b, c: d as e };
////
let x = f(...a as b, c as d);
////
let x = new (a as any)(b as c);
////
let x = new a!.b();
////
let x = a![b!]![c as d]!;
////
let x = a?.[b!]?.(c as d)!.e!;
////
let x = (a?.b)!.c;
////
let x = (a?.b as c).d;
////
let x = (await a)!.b;
////
let x = await a!.b!();
////
let x = (yield1 as a);
////
let x = typeof a! === "b";
////
let x = !a!;
////
let x = !!a!.b;
////
let x = -a!;
////
let x = a! + b! * c! - d!;
////
let x = a! ? b! : c!;
////
let x = a!=b;
////
let x = a!==b;
////
let x = a! = b;
////
let x = a! == b;
////
let x = a! === b;
////
x! += 1, y! ||= 2;
////
[a!, b!] = [1, 2];
////
({ a: b!, c: d! } = e);
////
[(a as any), (b as any).c] = d;
////
for (const [a, b] of c! as [d, e][]) {}
////
for (a! of b) {}
////
const { a = b as c, d: { e = f! } = {} as g }: h = i;
////
const f = ({ a = b as c }: { a?: d } = {} as e, [f = g!]: h[] = []): i => j;
////
function f({ a = (b: c): d => e }: any = (f: g): h => i) {}
////
function f(a: b = (c: d): e => g, h?: i) {}
////
function f(a = <T,>(b: T): T => b) {}
////
function f(a = b < c, d = e > (f)) {}
////
const f = (a = b < c, d = e > (f)) => g;
////
async (x: any) => await (x as Promise<any>);
////
async <T>(x: T) => { for await (const a of x as any) {} };
////
(async () => { const a: number = 1; })();
////
(function (this: any) {})();
////
(function f<T>(this: any, a: T) {})();
////
+(a as any);
////
(a as any)++;
////
(<T>(a: T) => a);
////
open((async?: boolean) => async as boolean);
////
function open(async?: boolean): boolean | undefined { return async as boolean; }
////
let async: any; async as any; async! ; async(1 as any); async < 2;
////
let x = async as any, y = async;
////
const async = (v: number) => v * 2, r1 = async(4), r2 = async<number>(3);
////
let get: any, set: any, of: any; get as any; set!; of as any;
////
if (a as b) c as d; else e as f;
////
while (a!) b!;
////
do { a as b } while (c as d)
////
switch (a!) { case b!: case c as d: default: }
////
label: { const a: b = c; break label; }
////
throw a!;
////
return <T,>(a: T) => a;
////
const a = { b<T>(c: T) { return c as any; }, get d(): e { return f!; }, set d(e: f) {}, async *[g as any]<T>(h?: T): i {} };
////
const a = { "b": (c: d) => e, 1: (f): g => h, [i]: (j?: k) => l };
////
const a = b as { c: (d: e) => f; g<T>(h: T): i; [j: string]: k; readonly l?: m };
////
const a = (b) as c, d = (e), f = (g)!;
////
const a = (b, c as d), e = (f as g, h);
////
const a = (b = c as d);
////
const a = (({ b }));
////
const a = ({ b: c as d });
////
const a = ([b as c]);
////
const a = (b) ? (c) : (d);
////
const a = (b ? c : d) as e;
////
const a = b ? (c as d) : (e as f);
////
const a = b ? (c)! : (d)!;
////
const a = b?.c ? d : e, f = g?.[0] ? h : i;
////
const a = b ? .5 : .6;
////
const f = (a): b => ({ c: d ? (e) : f });
////
const f = (a?: b) => (c?: d) => e ? (f) : g;
////
const f = (a = {}, { b = 1 } = {}, [c = 2] = []) => a;
////
const f = (a: { b: { c: { d: e } } }, f: [[[g]]]) => h;
////
const f = (a: (b: (c: (d: e) => f) => g) => h): i => j;
////
const f = (a: b): c => (d: e): f => (g: h): i => j;
////
const f = (a: b): ((c: d) => e) => (f: g): h => i;
////
type A = B; type C = D
////
let x: A = y as B, z = w as C; type D = E; let v: F
////
const a: b<c>=d, e: f<g<h>>=i;
////
const a = b<c>(d)<e>(f);
////
const a = b<c>`d`<e>`f`;
////
const { a }: { a: b } = c, [d]: [e] = f;
////
var a: b, c: d = e, f!: g;
////
let x = class { y: z = (a: b): c => d; static e<T>(f: T): g {} };
////
let x = class<T> extends y<T>(z as any) {};
////
let x = function (a: b): c { type d = e; return f as g; };
////
let x = <T>(y: T) => <U>(z: U) => <V>(w: V) => [y, z, w] as const;
////
const a = [1, 2] as const satisfies readonly number[];
////
const enumLike = { A: 1, B: 2 } as const satisfies Record<string, number>, e = enumLike!;
////
const res: any = await (tools as any).x<string>({ a: b as c }) as any;
////
const list = ((await tools.a({ q: "x" }) as any).items as any[]).map(({ id, name }: { id: number; name?: string }): [number, string] => [id, name!]);
