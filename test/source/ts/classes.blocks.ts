class A { x: number; }
////
class A { x: number = 1; y?: string; z!: boolean; readonly w: string = "w"; }
////
class A {
	private a = 1;
	protected b: string = "";
	public c;
	readonly d = 2;
	private readonly e: number = 3;
	static f: number = 4;
	private static readonly g = 5;
	public static h?: string;
	override i = 1;
	declare j: string;
	#k: number = 1;
	static #l?: string;
}
////
class A {
	constructor(a: number, b?: string) { super1(a, b); }
}
////
class A<T> extends B<T> implements C, D<T> { }
////
class A<T extends object = {}> implements B<Array<Array<T>>> {}
////
class A extends (B as any)<string> {}
////
class A extends f<string>(x) {}
////
class A extends B<string> {}
////
class A extends B!  {}
////
abstract class A {
	abstract a: string;
	abstract b(): void;
	abstract get c(): number;
	abstract set c(v: number);
	protected abstract d<T>(x: T): Promise<T>;
	abstract readonly e: string;
	f(): void {}
	private static abstract1 = 2;
}
////
const A = class<T> { x!: T; };
////
const A = class B<T> extends C<T> implements D { x?: T };
////
class A {
	method(a: number): string;
	method(a: string): string;
	method(a: any): string { return ""; }
}
////
class A {
	constructor();
	constructor(a: string);
	constructor(a?: any) { }
}
////
class A {
	[key: string]: any;
	readonly [key: number]: string;
	static [key: symbol]: boolean;
	x = 1
}
////
class A {
	get a(): number { return 1; }
	set a(v: number) { }
	static get b(): string { return ""; }
	private get c(): void { return; }
	protected async d(): Promise<void> {}
	public async *e(): AsyncGenerator<number> {}
	static async f<T>(this: A, x: T): Promise<T> { return x; }
	*g(): Generator<number> {}
	["h"](x: number): void {}
	"i"?(): void;
	12(): void {}
	#j(x: number): number { return x; }
	optional?(x: number): void {}
}
////
class A {
	static { const a: number = 1; }
	static x = 1 as number;
	y = this.x as string;
	z = (a: number): number => a;
	w = async <T>(a: T): Promise<T> => a;
}
////
class A {
	get: number;
	set: string;
	static: boolean;
	async: number;
	readonly: string;
	declare: number;
	abstract: string;
	type: number;
	of: number;
	public: string;
}
////
class A {
	get?: number
	foo() {}
	set?: number
	bar(x) {}
	static?: number
	baz() {}
	async?: string
	qux() {}
}
////
class A {
	get() { return 1; }
	set(v: number): void {}
	static() {}
	async(): void {}
	readonly() {}
	declare(): number { return 1; }
	abstract<T>(): void {}
	public<T>(x: T): T { return x; }
	override() {}
	accessor() {}
}
////
class A {
	get = 1;
	set = 2;
	static = 3;
	readonly = 4
	declare = 5
	private = 6
	async = 7
}
////
class A {
	x = 1
	public ["y"] = 2
	z = 3
	private *gen() {}
	w = 4
	readonly ["v"] = 5
	u
	static ["t"] = 6
}
////
class A {
	x = 1
	declare y: number
	["z"] = 2
}
////
abstract class A {
	x = 1
	abstract y: number
	["z"] = 2
	abstract w(): void
	*g() {}
}
////
class A {
	x = y as number
	["z"] = 2
	a: number
	["b"] = 3
	c!: number
	*d() {}
	e?
	["f"] = 4
}
////
class A {
	x = y satisfies number
	["z"] = 1
}
////
class A {
	x
	y: number
	z
	w
}
////
class A { static async x() {} static *y() {} static get z(): number { return 1; } static readonly w: 1 = 1; static declare v: number }
////
class A { static static: number; static async: string; static get: number; static readonly readonly: number }
////
class A { private static async *x(): AsyncGenerator<number> {} }
////
class A { "constructor"(a: number) {} }
////
class A<const T> { x: T }
////
class A<in T, out U> { x?: (a: T) => U }
////
class A { f(this: this) {} g(this: A, x: number) {} }
////
class A { f(x: number): x is 1 { return true } g(x): asserts x {} h(): this is A { return true } i(): asserts this is B {} }
////
class A { protected constructor() {} }
////
class A { private constructor(a: number); private constructor(a: any) {} }
////
class A { override async f(): Promise<void> { await super.f(); } }
////
class A extends B { constructor(a: number) { super(a as any); this.x = a!; } declare x: number }
////
class A { x: typeof this.y; y = 1; }
////
class A { in: number; of: string; new: boolean; class: string; delete(): void {} }
////
class A { a: { b: number; c(): void }; d: [e: string, f?: number]; g: (h: string) => void }
////
class A { a: string; b: number
c: boolean }
////
class Ä<Ü> { ö: Ü; private ä: string = "ü"; }
////
class A { /* one */ private /* two */ x /* three */ : /* four */ number /* five */ = /* six */ 1; }
////
class A implements B {}
////
class implements1 implements B {}
////
const x = class implements B {};
////
const x = class extends B<C> implements D<E>, F.G<H> {};
////
(class<T> {});
////
default1(class<T> { x: T });
////
class A { x?; y!: number; z?: number = 1 }
////
class A { private async: number; private get: string; protected set?: boolean }
////
class A { readonly x; readonly y = 1; readonly static: number; }
////
abstract class A { private abstract1: string; public abstract x(): void; abstract override y(): void }
////
class A { declare readonly x: number; declare static y: string; declare private z }
////
class A { accessor x = 1; static accessor y: number = 2; private accessor z?: string; accessor; accessor2 = 3 }
////
class A {
	x = 1
	accessor ["y"] = 2
	accessor
	z() {}
}
