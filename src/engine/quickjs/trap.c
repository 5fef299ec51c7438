/* SPDX-License-Identifier: MIT */
/*
 * trap.c -- entering generated code, and leaving it from anywhere.
 *
 * Every thread that runs scripts has, mapped on first use: a large stack for
 * the generated code (so large that the engine's own stack guard fires first),
 * a small one for signal handlers, a timer, and a shelf of memories to use
 * again. All are given back when the thread ends.
 *
 *   caller's stack           VM stack                  signal stack
 *   wall_enter
 *     setjmp
 *     call_on_stack  ─────►  fn, generated code
 *                              │ access outside memory
 *                              └───────────────────►   on_signal
 *                            leave_wall  ◄── returns ──┘
 *     ◄─────── longjmp ────────┘
 *
 * The handler does not jump: it changes where the interrupted code goes on,
 * and returns. So the kernel restores the signal mask, and a handler of the
 * host that called ours runs to its end.
 *
 * The timer sends SIGURG, which is ignored by default: if the host replaces
 * our handler, a timer that fires late does no harm. It is armed once for a
 * deadline and left alone while the script waits. A firing does nothing if no
 * script runs, and arms the timer anew if the deadline lies further ahead.
 */
#define _GNU_SOURCE
#include "wall_parts.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* The name in sigevent(3type), which some versions of libc forget. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* The engine's check allows QJS_STACK_MOST bytes of its own stack; generated
 * frames take up to about 20 times as much here (measured with unoptimised
 * code). */
#define QJS_STACK    (96u << 20)
#define SIGNAL_STACK (64u << 10)
#define GUARD        (64u << 10)
#define REGION       (GUARD + QJS_STACK + GUARD + SIGNAL_STACK)

/* Between two attempts to stop a script. */
#define RETRY_NS 200000u

/* The generated code: the build puts it into a section of its own, and the
 * linker knows where that is. */
extern const char __start_codemode_module[]
    __attribute__((visibility("hidden")));
extern const char __stop_codemode_module[]
    __attribute__((visibility("hidden")));

#if defined(__SANITIZE_ADDRESS__)
void __sanitizer_start_switch_fiber(
    void **save, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(
    void *save, const void **bottom, size_t *size);
#define FIBER_TO(save, bottom, size) \
	__sanitizer_start_switch_fiber(save, bottom, size)
#define FIBER_AT(save, bottom, size) \
	__sanitizer_finish_switch_fiber(save, bottom, size)
/* The sanitizer's longjmp unpoisons the stack that it leaves, and looks for
 * that stack in /proc, which the fences forbid. So the jump is the compiler's,
 * the functions that lead to it are built without instrumentation, and a stack
 * that was left by a jump is unpoisoned before it is used again. */
void __asan_unpoison_memory_region(const volatile void *at, size_t size);
typedef void *jump_buf[5];
#define JUMP_SET(buf)         __builtin_setjmp(buf)
#define JUMP_TO(buf)          __builtin_longjmp(buf, 1)
#define STACK_CLEAN(at, size) __asan_unpoison_memory_region(at, size)
#define PLAIN                 __attribute__((no_sanitize("address")))
#else
#define FIBER_TO(save, bottom, size) ((void)(save))
#define FIBER_AT(save, bottom, size) ((void)(save))
typedef jmp_buf jump_buf;
#define JUMP_SET(buf)                _setjmp(buf)
#define JUMP_TO(buf)                 _longjmp(buf, 1)
#define STACK_CLEAN(at, size)        ((void)(at))
#define PLAIN
#endif

/* What wall_enter was asked to run. */
typedef struct entry {
	void (*fn)(void *);
	void *arg;
	void *fake; /* AddressSanitizer's view of the caller's stack */
	const void *bottom;
	size_t size;
} entry;

typedef struct thread {
	uint8_t *region;        /* guard, VM stack, guard, signal stack */
	wall *volatile current; /* what executes on this thread; NULL   */
	jump_buf back;
	bool left; /* the VM stack, by a jump */
	entry entry;
	volatile sig_atomic_t trap;
	pid_t id; /* the kernel's number of this thread */
	bool has_timer;
	timer_t timer;
	uint64_t armed_ns; /* when the timer fires; WALL_NEVER: it will not */
	wall_shelf shelf;
	uint64_t number;  /* of all threads that ever ran a script, from 1 */
	unsigned waiting; /* walls that left our signal stack installed    */
} thread;

/* Initial-exec: a signal handler must not allocate to find it. */
static _Thread_local thread *self __attribute__((tls_model("initial-exec")));

uint64_t
wall_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ------------------------------------------------------------- signals */

static const int claimed[] = {SIGSEGV, SIGBUS, SIGURG};
#define CLAIMED (sizeof(claimed) / sizeof(claimed[0]))

/* The handler that was there before ours; replaced when the host has installed
 * another one since. Two slots and a number, so that a handler that reads while
 * another thread writes sees one or the other whole. */
static struct {
	struct sigaction slot[2];
	atomic_uint which;
} earlier[CLAIMED];
static pthread_mutex_t earlier_lock = PTHREAD_MUTEX_INITIALIZER;

static void
call_earlier(
    const struct sigaction *was, int sig, siginfo_t *info, void *context)
{
	if ((was->sa_flags & SA_SIGINFO) != 0) {
		was->sa_sigaction(sig, info, context);
	} else if (was->sa_handler == SIG_DFL && sig != SIGURG) {
		/* The instruction that faulted runs again, without our
		 * handler: the process dies as if we had never been here. */
		sigaction(sig, was, NULL);
	} else if (was->sa_handler != SIG_IGN && was->sa_handler != SIG_DFL) {
		was->sa_handler(sig);
	}
}

/*
 * Hands a signal that is not ours to the earlier handler. That handler may have
 * been installed over ours and call ours in turn; a second call for the same
 * signal, deeper on the same stack, takes the default action.
 */
static void
pass_on(unsigned i, int sig, siginfo_t *info, void *context)
{
	static const struct sigaction by_default = {.sa_handler = SIG_DFL};
	static _Thread_local struct {
		const void *context;
		const char *frame;
	} passed __attribute__((tls_model("initial-exec")));
	const char *frame = __builtin_frame_address(0);

	if (context == passed.context && frame < passed.frame) {
		call_earlier(&by_default, sig, info, context);
		return;
	}
	passed.context = context;
	passed.frame = frame;
	call_earlier(&earlier[i].slot[atomic_load(&earlier[i].which)], sig,
	    info, context);
	passed.context = NULL;
}

static void
set_timer(thread *t, uint64_t at_ns)
{
	struct itimerspec when = {{0, 0}, {0, 0}};

	if (!t->has_timer)
		return;
	when.it_value.tv_sec = (time_t)(at_ns / 1000000000u);
	when.it_value.tv_nsec = (long)(at_ns % 1000000000u);
	t->armed_ns = at_ns;
	timer_settime(t->timer, TIMER_ABSTIME, &when, NULL);
}

PLAIN static _Noreturn void
leave_wall(thread *t, wall_trap why)
{
	t->trap = (sig_atomic_t)why;
	FIBER_TO(NULL, t->entry.bottom, t->entry.size);
	t->left = true;
	JUMP_TO(t->back);
}

/* When the handler returns, the interrupted code goes on in leave_wall(t, why),
 * at the start of the VM stack: all that is on that stack is given up. */
static void
go_on_in_leave_wall(ucontext_t *c, thread *t, wall_trap why)
{
	uintptr_t top = (uintptr_t)t->region + GUARD + QJS_STACK;

#if defined(__x86_64__)
	c->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)leave_wall;
	c->uc_mcontext.gregs[REG_RSP] = (greg_t)(top - 8);
	c->uc_mcontext.gregs[REG_RDI] = (greg_t)(uintptr_t)t;
	c->uc_mcontext.gregs[REG_RSI] = (greg_t)why;
#elif defined(__aarch64__)
	c->uc_mcontext.pc = (uintptr_t)leave_wall;
	c->uc_mcontext.sp = top;
	c->uc_mcontext.regs[0] = (uintptr_t)t;
	c->uc_mcontext.regs[1] = (uintptr_t)why;
#else
#error "the registers of a signal's context on this processor"
#endif
}

/* Was generated code interrupted? Then no handler of the host is in between. */
static bool
was_in_module(const ucontext_t *c)
{
#if defined(__x86_64__)
	uintptr_t at = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#else
	uintptr_t at = (uintptr_t)c->uc_mcontext.pc;
#endif

	return at >= (uintptr_t)__start_codemode_module &&
	       at < (uintptr_t)__stop_codemode_module;
}

/* Why this wall must stop now, or WALL_RETURNED when it need not. */
static wall_trap
why_stop(const wall *w)
{
	if (atomic_load_explicit(&w->stop, memory_order_relaxed))
		return WALL_STOPPED;
	if (w->deadline_ns != WALL_NEVER && wall_now_ns() >= w->deadline_ns)
		return WALL_TIMEOUT;
	return WALL_RETURNED;
}

/* Stops the script that runs, if it is due. In code of the host, and in
 * handlers of the host, it cannot stop: the timer tries again. */
static void
stop_if_due(thread *t, ucontext_t *c)
{
	wall *w = t->current;
	wall_trap why;

	t->armed_ns = WALL_NEVER;
	if (w == NULL)
		return;
	why = why_stop(w);
	if (why != WALL_RETURNED) {
		set_timer(t, wall_now_ns() + RETRY_NS);
		if (was_in_module(c))
			go_on_in_leave_wall(c, t, why);
	} else if (w->deadline_ns != WALL_NEVER) {
		set_timer(t, w->deadline_ns);
	}
}

/* Is the fault in a memory or on a stack of ours? */
static bool
is_fault_of_wall(const thread *t, const uint8_t *at, wall_trap *why)
{
	const uint8_t *base = t->current->base;

	if (at >= base && at < base + (2ull << 32) + 65536) {
		*why = WALL_MEMORY;
		return true;
	}
	if (at >= t->region && at < t->region + GUARD) {
		*why = WALL_STACK;
		return true;
	}
	return false;
}

/* Sent by our timer, or by 'wall_stop' in another thread. */
static bool
is_our_wake(const siginfo_t *info)
{
	return (info->si_code == SI_TIMER || info->si_code == SI_QUEUE) &&
	       info->si_value.sival_ptr == &earlier;
}

static void
on_signal(int sig, siginfo_t *info, void *context)
{
	thread *t = self;
	int saved = errno;
	wall_trap why;
	unsigned i;

	if (sig == SIGURG) {
		/* Under a limit on pending signals, the kernel may deliver
		 * ours without its value: look at the script in any case. */
		if (t != NULL)
			stop_if_due(t, context);
		if (is_our_wake(info)) {
			errno = saved;
			return;
		}
	} else if (t != NULL && t->current != NULL && info->si_code > 0 &&
		   is_fault_of_wall(t, info->si_addr, &why)) {
		go_on_in_leave_wall(context, t, why);
		return;
	}
	for (i = 0; i < CLAIMED; i++)
		if (claimed[i] == sig)
			pass_on(i, sig, info, context);
	errno = saved;
}

static void
claim_signal(unsigned i)
{
	struct sigaction now, ours;
	unsigned next;

	if (sigaction(claimed[i], NULL, &now) != 0 ||
	    ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_signal))
		return;
	pthread_mutex_lock(&earlier_lock);
	next = 1 - atomic_load(&earlier[i].which);
	earlier[i].slot[next] = now;
	atomic_store(&earlier[i].which, next);
	memset(&ours, 0, sizeof(ours));
	ours.sa_sigaction = on_signal;
	ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	/* A handler of the host that ours calls may leave by a jump that
	 * restores no mask. SIGURG may come in a flood, so it waits. */
	if (claimed[i] != SIGURG)
		ours.sa_flags |= SA_NODEFER;
	sigemptyset(&ours.sa_mask);
	sigaction(claimed[i], &ours, NULL);
	pthread_mutex_unlock(&earlier_lock);
}

void
wall_claim_signals(void)
{
	unsigned i;

	for (i = 0; i < CLAIMED; i++)
		claim_signal(i);
}

/* ------------------------------------------------------------- threads */

static pthread_key_t thread_key;
static pthread_once_t thread_once = PTHREAD_ONCE_INIT;

static stack_t
signal_stack(thread *t)
{
	size_t used = (sizeof(*t) + 63) & ~(size_t)63;
	stack_t s;

	memset(&s, 0, sizeof(s));
	s.ss_sp = (uint8_t *)t + used;
	s.ss_size = SIGNAL_STACK - used;
	return s;
}

/* There was no signal stack before ours; another one stays. */
static void
remove_signal_stack(thread *t)
{
	stack_t none = {.ss_flags = SS_DISABLE}, now;

	if (sigaltstack(&none, &now) == 0 && now.ss_sp != signal_stack(t).ss_sp)
		sigaltstack(&now, NULL);
}

static void
end_thread(void *p)
{
	thread *t = p;

	self = NULL;
	if (t->waiting > 0)
		remove_signal_stack(t);
	if (t->has_timer)
		timer_delete(t->timer);
	shelf_clear(&t->shelf);
	munmap(t->region, REGION);
}

/* A child of fork has this thread's memory, but another number and no timer:
 * 'arm_timer' makes one. */
static void
adopt_thread(void)
{
	if (self == NULL)
		return;
	self->id = gettid();
	self->has_timer = false;
	self->armed_ns = WALL_NEVER;
}

static void
make_thread_key(void)
{
	pthread_key_create(&thread_key, end_thread);
	pthread_atfork(NULL, NULL, adopt_thread);
}

static void
make_timer(thread *t)
{
	struct sigevent event;

	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = SIGURG;
	event.sigev_value.sival_ptr = &earlier; /* see is_our_wake */
	event.sigev_notify_thread_id = t->id;
	t->has_timer = timer_create(CLOCK_MONOTONIC, &event, &t->timer) == 0;
	t->armed_ns = WALL_NEVER;
}

/* This thread's part of the wall; NULL when the system refused. The record
 * sits at the lower end of the signal stack. */
static thread *
get_thread(void)
{
	static atomic_uint_fast64_t threads;
	uint8_t *region;
	thread *t;

	if (self != NULL)
		return self;
	pthread_once(&thread_once, make_thread_key);
	region = mmap(NULL, REGION, PROT_NONE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (region == MAP_FAILED)
		return NULL;
	if (mprotect(region + GUARD, QJS_STACK, PROT_READ | PROT_WRITE) != 0 ||
	    mprotect(region + GUARD + QJS_STACK + GUARD, SIGNAL_STACK,
		PROT_READ | PROT_WRITE) != 0) {
		munmap(region, REGION);
		return NULL;
	}
	t = (thread *)(void *)(region + GUARD + QJS_STACK + GUARD);
	t->region = region;
	t->number = atomic_fetch_add(&threads, 1) + 1;
	t->id = gettid();
	make_timer(t);
	self = t;
	pthread_setspecific(thread_key, t);
	return t;
}

wall_shelf *
wall_thread_shelf(void)
{
	return self != NULL ? &self->shelf : NULL;
}

static void
arm_timer(thread *t, uint64_t deadline_ns)
{
	if (deadline_ns >= t->armed_ns)
		return;
	if (!t->has_timer)
		make_timer(t);
	set_timer(t, deadline_ns);
}

/* ------------------------------------------------------------ entering */

static void
on_vm_stack(void *p)
{
	entry *e = p;

	FIBER_AT(NULL, &e->bottom, &e->size);
	e->fn(e->arg);
	FIBER_TO(NULL, e->bottom, e->size);
}

#if defined(__x86_64__)
/* Calls fn(arg) with the stack pointer at top (16-byte aligned). */
static void
call_on_stack(uint8_t *top, void (*fn)(void *), void *arg)
{
	register uint8_t *stack __asm__("r12") = top;

	__asm__ volatile("movq %%rsp, %%rbx\n\t"
			 "movq %[stack], %%rsp\n\t"
			 "callq *%[fn]\n\t"
			 "movq %%rbx, %%rsp"
			 : "+D"(arg), [fn] "+r"(fn)
			 : [stack] "r"(stack)
			 : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10",
			 "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
			 "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
			 "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");
}
#else
static _Thread_local struct {
	void (*fn)(void *);
	void *arg;
} start;

static void
start_here(void)
{
	start.fn(start.arg);
}

static void
call_on_stack(uint8_t *top, void (*fn)(void *), void *arg)
{
	ucontext_t here, there;

	start.fn = fn;
	start.arg = arg;
	getcontext(&there);
	there.uc_stack.ss_sp = top - QJS_STACK;
	there.uc_stack.ss_size = QJS_STACK;
	there.uc_link = &here;
	makecontext(&there, start_here, 0);
	swapcontext(&here, &there);
}
#endif

/* Is the module's stack used up? The engine's check leaves 512 KiB of it, so that
 * only native recursion without a check comes near to the guard. */
static bool
is_below_stack(const wall *w)
{
	uint32_t end = w->image == NULL ? 0 : w->image->to + 65536;

	return (int32_t)(w->wasm.w2c___stack_pointer - end) < 65536;
}

static wall_trap
execute_on_vm_stack(thread *t, void (*fn)(void *), void *arg)
{
	uint8_t *stack = t->region + GUARD;

	t->entry = (entry){fn, arg, NULL, NULL, 0};
	t->trap = WALL_RETURNED;
	if (t->left)
		STACK_CLEAN(stack, QJS_STACK);
	t->left = false;
	if (JUMP_SET(t->back) == 0) {
		FIBER_TO(&t->entry.fake, stack, QJS_STACK);
		call_on_stack(stack + QJS_STACK, on_vm_stack, &t->entry);
	}
	FIBER_AT(t->entry.fake, NULL, NULL);
	if (t->trap == WALL_MEMORY && is_below_stack(t->current))
		return WALL_STACK;
	return (wall_trap)t->trap;
}

/*
 * Two system calls a turn were a tenth of a short one. So where the thread had
 * no signal stack, ours stays from a wall's first turn until it is closed.
 * theirs: the one to install afterwards; SS_DISABLE: ours stays.
 */
static bool
install_signal_stack(thread *t, wall *w, stack_t *theirs)
{
	stack_t ours = signal_stack(t);

	theirs->ss_flags = SS_DISABLE;
	if (w->signals_on == t->number)
		return true;
	if (sigaltstack(&ours, theirs) != 0)
		return false;
	if (theirs->ss_sp == ours.ss_sp)
		theirs->ss_flags = SS_DISABLE; /* another wall left it here */
	if ((theirs->ss_flags & SS_DISABLE) != 0) {
		w->signals_on = t->number;
		t->waiting++;
	}
	return true;
}

void
wall_leave_thread(wall *w)
{
	thread *t = self;

	if (t == NULL || w->signals_on != t->number)
		return;
	w->signals_on = 0;
	if (--t->waiting == 0)
		remove_signal_stack(t);
}

wall_trap
wall_enter(wall *w, void (*fn)(void *), void *arg)
{
	thread *t = get_thread();
	stack_t theirs;
	wall_trap trap;

	if (t == NULL || t->current != NULL ||
	    !install_signal_stack(t, w, &theirs))
		return WALL_NO_THREAD;
	if (w->deadline_ns != WALL_NEVER)
		arm_timer(t, w->deadline_ns);
	t->current = w;
	atomic_store(&w->thread, t->id);
	/* 'wall_stop' sets `stop` first and reads `thread` then. */
	trap = atomic_load(&w->stop) ? WALL_STOPPED
				     : execute_on_vm_stack(t, fn, arg);
	atomic_store(&w->thread, 0);
	t->current = NULL;
	if ((theirs.ss_flags & SS_DISABLE) == 0)
		sigaltstack(&theirs, NULL);
	return trap;
}

/* The thread may have ended meanwhile, and its number may be that of another
 * one: a SIGURG that finds no script that is due does nothing. */
static void
wake_thread(pid_t id)
{
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_code = SI_QUEUE;
	info.si_pid = getpid();
	info.si_value.sival_ptr = &earlier;
	syscall(SYS_rt_tgsigqueueinfo, getpid(), id, SIGURG, &info);
}

void
wall_stop(wall *w)
{
	int saved = errno;
	pid_t id;

	atomic_store(&w->stop, 1);
	id = atomic_load(&w->thread);
	if (self != NULL && self->current == w)
		set_timer(self, 1);
	else if (id != 0)
		wake_thread(id);
	errno = saved;
}

PLAIN _Noreturn void
wall_leave(wall *w, wall_trap why)
{
	(void)w;
	leave_wall(self, why);
}

/* The generated code's own traps. */
PLAIN _Noreturn void
wasm_rt_trap(wasm_rt_trap_t code)
{
	leave_wall(self, code == WASM_RT_TRAP_OOB          ? WALL_MEMORY
			 : code == WASM_RT_TRAP_EXHAUSTION ? WALL_STACK
							   : WALL_ENGINE);
}
