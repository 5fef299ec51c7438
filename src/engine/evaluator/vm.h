/* SPDX-License-Identifier: MIT */
/*
 * vm.h -- a run of the evaluator: its heap, its stack, its jobs.
 *
 * The stack is one array of registers; a frame's are from .base on. When a
 * function waits (await, yield) its registers are copied into an object of the
 * heap, so between two turns the stack is empty and the run is its heap.
 *
 * No native function calls a script. What has to (a getter, valueOf, a
 * callback) is a frame that the interpreter pushes, or is written in JavaScript
 * (lib/). So no depth of a script is a depth of the machine's stack.
 *
 *	vm.c         a machine is made, from the image; roots
 *	vm_loop.c    the interpreter
 *	vm_call.c    frames: calls, construction, exceptions
 *	vm_wait.c    coroutines, promises, jobs
 *	vm_prop.c    properties
 *	vm_ops.c     operators on primitive values, conversions
 *	native_*.c   functions of lib/ that are written in C
 */
#ifndef EVALUATOR_VM_H
#define EVALUATOR_VM_H

#include "code.h"
#include "object.h"

/* ------------------------------------------------------------------ natives */

/*
 * A native has its arguments in a[0], a[1] ...; a[-1] is `this`, a[-2] the
 * function itself. Behind the last argument there are NATIVE_ROOM values that
 * are undefined, so a missing argument can be read without a look at argc, and
 * a native may use them: all of these are roots, and stay where they are.
 *
 * It returns the result, or one of these, having done nothing else since:
 */
#define V_THROWN   V_HOLE                  /* by vm_throw */
#define V_NEED     (V_TAG(TAG_MISC) | 5)   /* vm_need: call me again */
#define V_FALLBACK (V_TAG(TAG_MISC) | 6)   /* my JavaScript has to do it */
#define V_TAIL     (V_TAG(TAG_MISC) | 7)   /* vm_tail: call that instead */

#define V_PUSHED   (V_TAG(TAG_MISC) | 8)   /* a frame, which gives the result */
/* What slow_next returns ($done()) at the end of an iteration. */
#define V_DONE     (V_TAG(TAG_MISC) | 9)

enum { NATIVE_ROOM = 8 };

typedef struct vm vm;
typedef value native_function(vm *m, value *a, uint32_t argc);

typedef enum native_number {
#define NATIVE(name) N_##name,
#include "natives.def"
#undef NATIVE
	NATIVES
} native_number;

extern native_function *const native_functions[NATIVES];
extern const char *const native_names[NATIVES];
#define NATIVE(name) native_function native_##name;
#include "natives.def"
#undef NATIVE

typedef enum hint { HINT_DEFAULT, HINT_NUMBER, HINT_STRING } hint;

/* "a[slot] (-1: this) is an object, and I need a primitive": the machine puts
 * what ToPrimitive makes of it there and calls the native again. */
value vm_need(vm *m, int slot, hint h);
/* "Call a[-2] on a[-1] with a[0] to a[argc - 1] in my place." */
value vm_tail(vm *m, uint32_t argc);
/* Room for so many arguments from a[0] on. It may move the stack: returns where
 * a is now; NULL: thrown. */
value *vm_arguments(vm *m, value *a, uint32_t argc);

/* Arguments, converted. False: return *end (thrown, or needed). */
bool arg_string(vm *m, value *a, int slot, value *end); /* a[slot] becomes flat */
bool arg_number(vm *m, value *a, int slot, double *out, value *end);
bool arg_integer(vm *m, value *a, int slot, double *out, value *end);
/* A relative index in 0 .. len; absent: what undefined means. */
bool arg_index(vm *m, value *a, int slot, double len, double absent,
    double *out, value *end);
bool arg_key(vm *m, value *a, int slot, value *end); /* a[slot] becomes a key */

/* ------------------------------------------------------------------- errors */

typedef enum error_kind {
	ERROR_PLAIN,
	ERROR_TYPE,
	ERROR_RANGE,
	ERROR_REFERENCE,
	ERROR_SYNTAX,
	ERROR_URI,
	ERROR_EVAL,
	ERROR_INTERNAL,
	ERROR_KINDS
} error_kind;

/* Why a run ends that no script can catch. */
typedef enum vm_stop {
	VM_GOES_ON,
	VM_OUT_OF_STEPS, /* m->steps */
	VM_INTERRUPTED,  /* m->poll said so */
	VM_NO_MEMORY,    /* the allocator refused, or the error had no room */
	VM_EXIT          /* a native of the host */
} vm_stop;

/* Always V_THROWN. %s: UTF-8; %V: a value (a pointer to it) as a message shows
 * it: a key, or a short text of a primitive. */
value vm_throw(vm *m, error_kind kind, const char *format, ...);
value vm_throw_value(vm *m, value thrown);
/* An Error that has no stack gets that of this place; *thrown is a root. */
void vm_place_error(vm *m, value *thrown);
/* The heap is full: an InternalError; with no room for that, the run ends. */
value vm_throw_memory(vm *m);
/* The limit is as it was, if there is room again. */
void vm_memory_back(vm *m);
/* Counts n steps of a native that loops; false: thrown, the run ends. */
bool vm_steps(vm *m, uint64_t n);

/* A value at the end of m->work. False: thrown. */
bool vm_work_push(vm *m, value v);
/* Nothing is in m->work any more: at the end of what used it. */
void vm_work_drop(vm *m);

/* ------------------------------------------------------------------- frames */

/* What becomes of a frame's value. */
typedef enum frame_end {
	END_REGISTER,  /* into register .dst of the frame below */
	END_DROP,      /* by a frame that stands between two instructions */
	END_STEP,      /* dropped, and the instruction is over */
	END_JUMP,      /* a comparison: .expects decides about .target */
	END_NEW,       /* what is no object gives .this */
	END_SLOT,      /* for a native: into stack[.target]; it is called again */
	END_ITERATE,   /* [iterator, next]: into three registers from .dst on */
	END_NEXT,      /* of an iterator, at .target of the frame below */
	END_AWAIT,     /* a promise that the frame below waits for */
	END_TURN       /* the first frame of a job: no frame takes it */
} frame_end;

typedef struct frame {
	const code *code; /* NULL: a native that needs something */
	uint32_t pc;
	uint32_t base;   /* in the stack */
	value function;  /* V_UNDEFINED: the script */
	value this;      /* V_HOLE: super() has yet to be called */
	value new_target;
	value coroutine; /* the object that it is resumed from; or V_UNDEFINED */
	uint32_t argc;   /* those given, which are at .base; native: its own */
	uint32_t extra;  /* arguments: where all were copied; 0: nowhere */
	uint32_t top;    /* registers below are live: of frames below, too */
	uint16_t dst;
	uint8_t end;     /* frame_end */
	bool expects;    /* END_JUMP */
	bool plain;      /* END_REGISTER, and nothing else is done at its end */
	uint32_t target;
} frame;

/* ------------------------------------------------------------------ machine */

typedef enum job_kind {
	JOB_REACTION, /* what a promise became, to one who waits */
	JOB_CALL      /* .function(.argument, .second, .third) */
} job_kind;

typedef struct job {
	value function, argument, second, third;
	uint8_t kind;
	bool rejected;
} job;

/*
 * Where a property was found the last time: for objects of the same shape, and
 * strings and other primitives are looked up as their prototype is.
 * Of a set: .holder 0: it was there, else .holder is the shape with one more
 * property, which the object gets; .index is where, if it has the room.
 */
typedef struct cache {
	ref shape;
	ref holder; /* 0: the object itself */
	uint32_t index;
	uint32_t changes; /* m->shapes_changed then, if .holder is not 0: all
			   * prototypes are as they were */
} cache;

/* Values that C needs; lib/ sets them by $realm("name", value). */
typedef enum realm_value {
#define REALM(name) R_##name,
#include "realm.def"
#undef REALM
	REALM_VALUES
} realm_value;

typedef struct loaded_unit {
	const unit *unit;
	value *constant; /* V_HOLE: not made yet */
	cache *cache;
	value *template; /* the frozen arrays of tagged templates; V_HOLE */
} loaded_unit;

struct vm {
	heap heap;
	atoms atoms;
	const cm_alloc *alloc;
	loaded_unit unit[UNITS];
	value *stack;
	uint32_t stack_cap, stack_max; /* registers */
	uint32_t stack_top; /* what is below is live */
	frame *frames;
	uint32_t depth, frame_cap, depth_max;
	job *job;
	size_t jobs, job_first, job_cap;
	value global;
	value key_length; /* the atom; V_UNDEFINED: not made yet */
	value job_next;   /* what the running job's value goes to */
	value realm[REALM_VALUES];
	value thrown;     /* while V_THROWN is on its way */
	value new_target; /* of the native that runs; V_UNDEFINED: called */
	value temp[34];   /* roots, for code that runs outside of frames; from
			   * 16 on they are vm_prop.c's, from 24 on those of
			   * vm_ops.c and vm_bigint.c, from 28 on regexp_run.c's
			   * and native_regexp.c's */
	value *work; /* roots of a native that needs many: vm_work_push */
	uint32_t work_len;
	size_t work_cap;
	struct regexps *regexps; /* compiled ones; NULL: none yet */
	int need_slot;
	hint need_hint;
	uint32_t tail_argc;
	uint32_t shapes_changed; /* goes up when a prototype changes */
	uint32_t symbol_count;   /* for hashes */
	uint64_t random[2]; /* of Math.random; the port sets it */
	int64_t steps; /* that may still be done */
	int32_t until_poll;
	frame_end call_end; /* what a native that pushes a frame gives it */
	uint16_t call_dst;
	uint32_t call_target;
	bool call_expects;
	vm_stop stop;
	bool memory_thrown; /* the error about it is being made */
	bool memory_lent;   /* heap.max is higher than the limit, for that */
	uint32_t quiet_start, quiet_end; /* of lib/: no stack names what is here */
	void (*print)(text line); /* of $print; NULL: dropped */
	bool lib_frames; /* stacks show those of lib/, too: for tests */
	volatile int *interrupt; /* not 0: stop; NULL: none */
	vm_stop (*poll)(void *ctx); /* each 4,096 steps; NULL: none */
	void *ctx; /* of the port */
	/* A promise was rejected and nothing waits for it (handled: now
	 * something does). NULL: not told. */
	void (*unhandled)(vm *m, value promise, bool handled);
	/* Roots of the port besides; NULL: none. */
	void (*visit)(vm *m, heap *h);
	/* The time, and seconds east of UTC at a time; of ctx. NULL: 0. */
	int64_t (*epoch_us)(void *ctx);
	int32_t (*zone)(void *ctx, int64_t epoch_s);
	void (*uncaught)(vm *m, value thrown); /* by a job; NULL: dropped */
};

/* An empty machine; with lib/'s image when there is one. max: bytes of heap. */
vm *vm_new(const cm_alloc *alloc, uint64_t max);
void vm_free(vm *m);
/* A machine whose heap has nothing in it yet, not even the first objects. */
vm *vm_make(const cm_alloc *alloc, uint64_t max);

/* What a machine is after lib/ ran: others begin as copies of it. Between turns
 * only: its stack is empty. */
typedef struct vm_image {
	const unit *lib;
	const uint64_t *heap; /* from its beginning */
	uint32_t top;         /* units of it */
	const ref *atoms;
	uint32_t atoms_len, atoms_cap;
	const value *root;     /* VM_IMAGE_ROOTS of them */
	const value *constant; /* of lib */
	const value *template;
	uint32_t symbol_count, shapes_changed;
	uint32_t quiet_start, quiet_end;
} vm_image;

enum { VM_IMAGE_ROOTS = REALM_VALUES + 2 };
/* An image of m, which is spoilt by that: it borrows the memory of m, which
 * must stay. False: no memory. */
bool vm_image_take(vm *m, vm_image *out);
/* NULL: no memory. */
vm *vm_image_open(const vm_image *image, const cm_alloc *alloc, uint64_t max);

/* A machine that has run lib/ (vm_image.c). NULL: no memory. */
vm *vm_open(const cm_alloc *alloc, uint64_t max);
/* The function (require, module, exports) of a library of engine/library, which
 * is compiled at its first use. V_UNDEFINED: there is none of that name.
 * V_THROWN. (vm_image.c) */
value vm_library(vm *m, text name);
/* The machine runs this unit (borrowed) as its lib or its script: the function
 * object of its first code. V_THROWN. */
value vm_load(vm *m, unsigned which, const unit *u);
/* Runs jobs until there are none, or the run must stop. An exception that no
 * job takes is told by m->uncaught. */
vm_stop vm_turn(vm *m);
/* Drops all jobs and frames: what comes then is a turn of its own. */
void vm_forget_jobs(vm *m);
/* Calls f(a, b) as a job of its own in the next turn. */
bool vm_enqueue(vm *m, value f, value a, value b, value c);

#define H(m) (&(m)->heap)
#define OBJ(m, v)  CELL(H(m), v_ref(v), cell_object)
#define STR(m, v)  CELL(H(m), v_ref(v), cell_string)

/* ------------------------------------------------------ conversions (vm_ops.c) */

/* Of a primitive; an object is an error of ours. V_THROWN. Flat. */
value vm_to_string(vm *m, value v);
/* Of a primitive that is no symbol and no BigInt: those throw (false). */
bool vm_to_number(vm *m, value v, double *out);
double vm_string_to_number(vm *m, const cell_string *flat);
int32_t vm_int32(double d); /* ToInt32 */
double vm_integer(double d); /* ToIntegerOrInfinity */
bool vm_truthy(const vm *m, value v);
value vm_typeof(vm *m, value v); /* an atom */
bool vm_same(vm *m, value a, value b); /* === */
bool vm_same_value(vm *m, value a, value b, bool zero); /* Object.is; zero: SameValueZero */
/* a op b, of primitives. V_THROWN. op: OP_ADD to OP_USHR. */
value vm_binary(vm *m, op_code op, value *a, value *b);
value vm_unary(vm *m, op_code op, value *a); /* OP_NEGATE ... OP_BIT_NOT */
/* a < b of primitives: 0, 1, or 2 for undefined; -1: thrown. */
int vm_less(vm *m, value *a, value *b);
bool vm_equal(vm *m, value *a, value *b); /* ==, of primitives */
/* The shortest text that is this number. */
size_t vm_number_text(double d, char out[32]);
/* A string of the machine's from UTF-8 (or WTF-8). V_THROWN. */
value vm_string(vm *m, text t);
/* Appends what a message shows of a value. */
void vm_show(vm *m, value v, buf *out);

/* -------------------------------------------------- BigInts (native_bigint.c) */

/* ToBigInt of a primitive, which is a root. V_THROWN. */
value bigint_of_value(vm *m, value *primitive);
value bigint_of_int64(vm *m, int64_t n); /* V_THROWN: no memory */
value bigint_of_uint64(vm *m, uint64_t n);

/* ------------------------------------------------------- properties (vm_prop.c) */

/*
 * A key is an int32 >= 0 (an array index), an atom, or a symbol.
 */
static inline bool
v_is_key(const vm *m, value v)
{
	return (v_is_int(v) && v_int(v) >= 0) || v_tag(v) == TAG_SYMBOL ||
	       (v_is_string(v) && (CELL(&m->heap, v_ref(v), cell)->flags &
				      (CELL_ATOM | CELL_INDEX)) == CELL_ATOM);
}
/* The key of a primitive, which is a root. V_THROWN. */
value vm_key(vm *m, value *primitive);
value vm_key_text(vm *m, const char *latin1);
/* A key as a string (a symbol stays one). V_THROWN. */
value vm_key_string(vm *m, value key);

typedef enum prop_end {
	PROP_DONE,    /* *out is the value; it is set, defined, deleted */
	PROP_ABSENT,  /* get: there is none, *out is undefined */
	PROP_CALL,    /* *out is the getter, or setter, to call on the receiver */
	PROP_SLOW,    /* a proxy: JavaScript does the whole */
	PROP_REFUSED, /* not writable, not extensible ...: strict code throws */
	PROP_THROWN
} prop_end;

/*
 * Pointers are to roots. What may be a primitive is looked up on its prototype.
 * c: where an ordinary property was found, for the same shape again (NULL: no
 * matter).
 */
prop_end prop_get(vm *m, value *on, value *key, value *out, cache *c);
prop_end prop_set(
    vm *m, value *on, value *key, value *v, value *receiver, value *out, cache *c);
/* Own properties of objects that are no proxies. */
prop_end prop_own(vm *m, value *o, value key, value *out, unsigned *attr);
/* Makes or replaces one, with these attributes, whatever was there and however
 * closed the object is: literals, classes. P_ACCESSOR: *v is a pair. */
bool prop_put(vm *m, value *o, value *key, value *v, unsigned attr);
prop_end prop_delete(vm *m, value *o, value *key);
/* Has, along the prototypes. */
prop_end prop_has(vm *m, value *o, value *key);
/* An array of own keys as strings and symbols. V_THROWN. */
enum { KEYS_STRINGS = 1, KEYS_SYMBOLS = 2, KEYS_ENUMERABLE = 4 };
value prop_keys(vm *m, value *o, unsigned which);
/* A pair of getter and setter, V_UNDEFINED for none (a CELL_VALUES of 2). */
value prop_pair(vm *m, value *getter, value *setter);
/* The object that a primitive's properties are looked up on; V_UNDEFINED: of
 * undefined and null. */
value prop_home(vm *m, value v);
/* Makes what vm_prop.c keeps in the realm: before anything else. False: no
 * memory. */
bool prop_init(vm *m);
/* Throws why the object (or primitive) did not let the property be set. */
value prop_refused(vm *m, value *on, value *key);

/* ValidateAndApplyPropertyDescriptor: v[0] value, v[1] getter, v[2] setter, as
 * far as `has` says that they are given (P_WRITE, P_ENUM and P_CONFIG: that
 * attribute is given, and in attr). An array's length must be a number. */
enum { HAS_VALUE = 16, HAS_GET = 32, HAS_SET = 64 };
prop_end prop_define(
    vm *m, value *o, value *key, value *v, unsigned has, unsigned attr);
/* Of an object that is no proxy: nothing is added any more; then sealed (1) or
 * frozen (2). */
bool prop_close(vm *m, value *o, int level);
/* Is it so? V_TRUE, V_FALSE; V_THROWN. */
value prop_is_closed(vm *m, value *o, int level);
prop_end prop_set_proto(vm *m, value *o, value *proto);
/* PROP_DONE: a look along prototypes ends at that object, which is no proxy. */
prop_end prop_stops(vm *m, value *o, value *key);
/* The length of an array becomes that number. PROP_REFUSED: an element stays. */
prop_end prop_set_length(vm *m, value *array, value number);
/* A string of one unit. V_THROWN. */
value vm_unit(vm *m, uint16_t unit);

/* What the cache knows of that object; NULL: nothing. */
static inline value *
cache_get(const vm *m, value on, const cache *c)
{
	if (OBJ(m, on)->shape != c->shape)
		return NULL;
	if (c->holder == 0)
		return object_slot(&m->heap, v_ref(on), c->index);
	return c->changes == m->shapes_changed
		   ? object_slot(&m->heap, c->holder, c->index)
		   : NULL;
}

static inline bool
cache_set(vm *m, value on, value v, const cache *c)
{
	cell_object *o = OBJ(m, on);
	uint32_t room = o->head.aux >> 8;

	if (o->shape != c->shape)
		return false;
	if (c->holder != 0) {
		if (c->changes != m->shapes_changed || o->extra != 0 ||
		    o->head.flags & (CELL_ARRAY | CELL_EXOTIC) ||
		    (c->index >= room &&
			(o->slots == 0 ||
			    c->index - room + 2 >=
				CELL(&m->heap, o->slots, cell)->size)))
			return false;
		o->shape = c->holder;
	}
	*object_slot(&m->heap, v_ref(on), c->index) = v;
	return true;
}

value object_make(vm *m, value *proto, object_class class, unsigned room);
value array_make(vm *m, uint32_t len, uint32_t room); /* elements are holes */
bool array_push_value(vm *m, value *array, value *v);
/* A true array whose elements are all there, in 0 .. length - 1, may be written
 * and are found on no prototype. */
bool array_is_plain(const vm *m, value v);
value *array_values(const vm *m, value v, uint32_t *len);
/* {value, done}, as iterators return it. V_THROWN. (native_array.c) */
value iterator_result(vm *m, value *v, bool done);
/* What next(), where it is the first one of arrays, maps and sets, would give:
 * the value or V_DONE. V_FALLBACK: it has to be called. Pointers are to roots. */
value iterator_step(vm *m, value *it, value *next);
/* The same of a map's or set's own iterator (native_map.c). */
value table_step(vm *m, value *it);

/* private: a class's #name, which no list of keys has. V_THROWN. */
value symbol_make(vm *m, value *description, bool private);
value arguments_make(vm *m, const frame *f); /* the arguments object */
/* A RegExp. V_THROWN. (native_regexp.c) */
value regexp_make(vm *m, value *pattern, value *flags);
/* Digits of a literal without its n. (native_bigint.c) */
value bigint_of_literal(vm *m, text digits);

static inline bool
v_is_function(const vm *m, value v)
{
	return v_is_object(v) && OBJ(m, v)->head.flags & CELL_FUNCTION;
}

static inline bool
v_is_class(const vm *m, value v, object_class class)
{
	return v_is_object(v) && object_class_of(&m->heap, v_ref(v)) == class;
}

/* ------------------------------------------------------------ calls (vm_call.c) */

typedef enum called { CALLED_FRAME, CALLED_VALUE, CALLED_THROWN } called;

/* Calls stack[at] on stack[at + 1] with argc arguments behind; end, dst and
 * m->call_target say what becomes of the value. CALLED_VALUE: *out is it. */
called vm_call(
    vm *m, uint32_t at, uint32_t argc, frame_end end, uint16_t dst, value *out);
/* The same of a native, by its number. */
called vm_call_native(vm *m, uint32_t at, native_number n, uint32_t argc,
    uint16_t dst, value *out);
bool vm_is_constructor(const vm *m, value v);
called vm_construct(vm *m, uint32_t at, uint32_t argc, value *new_target,
    frame_end end, uint16_t dst, value *out);
/* A function of the realm with n arguments, by the interpreter. */
called vm_helper(vm *m, realm_value which, frame_end end, uint16_t dst,
    unsigned n, const value *args, value *out);
/* Gives v to what is below the frame that just ended, or to a native. False:
 * thrown. */
bool vm_deliver(vm *m, const frame *ended, value v);
/* Pops frames until one handles m->thrown. False: none does. */
bool vm_unwind(vm *m);
/* The frame on top returns v. False: thrown. */
bool vm_return(vm *m, value v);
extern const uint8_t op_lengths[OPS]; /* in units; of a SWITCH, its head */
bool vm_stack_room(vm *m, uint32_t top);
/* The stack's lines, as error.stack shows them: "    at f (line:column)\n". */
void vm_stack_text(vm *m, buf *out);
/* Until there are no frames. False: m->thrown, or m->stop. */
bool vm_loop(vm *m);
/* Of vm_wait.c. The frame on top waits: for a promise whose constructor and
 * `then` are the first ones; for the next turn, with v; or at a yield. It is
 * popped, and what is below gets what it waits with. */
bool vm_await(vm *m, value *promise);
bool vm_await_value(vm *m, value *v);
bool vm_yield(vm *m, value *v, bool is_result);
bool vm_generate(vm *m); /* the generator of the frame on top is returned */
/* Goes on with m->call_end. how: 0 gives v, 1 throws it, 2 returns it. */
bool vm_resume(vm *m, value coroutine, value v, int how);
bool vm_resolve(vm *m, value *promise, value *v);
/* Gives what the job came to to the promise that waits for it, m->job_next. */
bool vm_finish_job(vm *m, bool rejected, value *v);

/* The internal values of a coroutine. */
enum {
	CO_FUNCTION,
	CO_THIS,
	CO_NEW_TARGET,
	CO_REGISTERS, /* CELL_VALUES */
	CO_PC,        /* int */
	CO_STATE,     /* int: co_state */
	CO_PROMISE,   /* of an async function */
	CO_QUEUE,     /* of an async generator, for lib/generator.js */
	CO_ARGC       /* int: arguments that were copied behind the registers */
};
typedef enum co_state {
	CO_NEW,
	CO_YIELDED,
	CO_RUNS,
	CO_OVER,
	CO_AWAITS,
	CO_DELEGATES /* yielded what is {value, done} already */
} co_state;

/* A function object of code number n of a unit, inside a scope. */
value function_make(vm *m, unsigned which, uint32_t n, value *scope);
value function_native(vm *m, native_number n, value *fallback, value *name,
    uint32_t length);
const code *function_code_of(const vm *m, value f);

/* --------------------------------------------------------- promises (vm_wait.c) */

enum { PROMISE_STATE, PROMISE_VALUE, PROMISE_WAITING, PROMISE_FLAGS };
enum { PROMISE_PENDING, PROMISE_FULFILLED, PROMISE_REJECTED };

value promise_make(vm *m);
/* Of one that is pending. False: no memory. */
bool promise_settle(vm *m, value *promise, bool rejected, value *v);
/* When it settles, on_fulfilled or on_rejected is called, and `next` (a promise,
 * a capability {promise, resolve, reject}, or undefined) gets what it returns. */
bool promise_then(vm *m, value *promise, value *on_fulfilled,
    value *on_rejected, value *next);




#endif
