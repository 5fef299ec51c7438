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
 *     sigsetjmp
 *     call_on_stack  ─────►  fn, generated code
 *                              │ access outside memory
 *                              └───────────────────►   on_signal
 *     ◄──────────────────────────── siglongjmp ─────────┘
 *
 * The timer sends SIGURG, which is ignored by default: should somebody replace
 * our handler, a timer that fires late harms nobody. It is armed once for a
 * deadline and left alone while the script waits; a firing that finds no
 * script, or one whose deadline lies further ahead, does nothing or arms anew.
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
#include <unistd.h>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

/* The name in sigevent(3type), which some versions of libc forget. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* The engine's guard allows 512 KiB of its shadow stack; generated frames take
 * up to about 20 times as much here (measured with unoptimised code). */
#define VM_STACK     (64u << 20)
#define SIGNAL_STACK (64u << 10)
#define GUARD        (64u << 10)
#define REGION       (GUARD + VM_STACK + GUARD + SIGNAL_STACK)

#if defined(__SANITIZE_ADDRESS__)
void __sanitizer_start_switch_fiber(
    void **save, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(
    void *save, const void **bottom, size_t *size);
#define FIBER_TO(save, bottom, size) \
	__sanitizer_start_switch_fiber(save, bottom, size)
#define FIBER_AT(save, bottom, size) \
	__sanitizer_finish_switch_fiber(save, bottom, size)
/* Its longjmp cleans up after a stack that it does not know, and looks for it
 * in /proc, which the fences punish. So the jump is the compiler's, whoever
 * leads to it is not instrumented, and a stack that was left so is clean when
 * it is used again. */
void __asan_unpoison_memory_region(const volatile void *at, size_t size);
typedef void *jump_buf[5];
#define JUMP_SET(buf)         __builtin_setjmp(buf)
#define JUMP_TO(buf)          __builtin_longjmp(buf, 1)
#define STACK_CLEAN(at, size) __asan_unpoison_memory_region(at, size)
#define PLAIN                 __attribute__((no_sanitize("address")))
#else
#define FIBER_TO(save, bottom, size) ((void)(save))
#define FIBER_AT(save, bottom, size) ((void)(save))
typedef sigjmp_buf jump_buf;
#define JUMP_SET(buf)                sigsetjmp(buf, 0)
#define JUMP_TO(buf)                 siglongjmp(buf, 1)
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
	uint8_t *region; /* guard, VM stack, guard, signal stack */
	wall *current;   /* what executes on this thread         */
	jump_buf back;
	bool left; /* the VM stack, by a jump */
	entry entry;
	volatile sig_atomic_t trap;
	bool has_timer;
	timer_t timer;
	uint64_t armed_ns; /* when the timer fires; WALL_NEVER: it will not */
	wall_shelf shelf;
	uint64_t number;  /* of all threads that ever ran a script, from 1 */
	unsigned waiting; /* walls that left our signal stack installed */
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

/* Whoever had the signal before us; replaced when somebody else took it in
 * between. Two slots and a number, so that a handler that reads while another
 * thread writes sees one or the other whole. */
static struct {
	struct sigaction slot[2];
	atomic_uint which;
} earlier[CLAIMED];
static pthread_mutex_t earlier_lock = PTHREAD_MUTEX_INITIALIZER;

static void
pass_on(unsigned i, int sig, siginfo_t *info, void *context)
{
	struct sigaction *was =
	    &earlier[i].slot[atomic_load(&earlier[i].which)];

	if ((was->sa_flags & SA_SIGINFO) != 0) {
		was->sa_sigaction(sig, info, context);
	} else if (was->sa_handler == SIG_DFL && sig != SIGURG) {
		/* Die of it as if we had never been here: the instruction
		 * that faulted runs again, without us. */
		sigaction(sig, was, NULL);
	} else if (was->sa_handler != SIG_IGN && was->sa_handler != SIG_DFL) {
		was->sa_handler(sig);
	}
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
leave(thread *t, wall_trap why)
{
	t->trap = (sig_atomic_t)why;
	FIBER_TO(NULL, t->entry.bottom, t->entry.size);
	t->left = true;
	JUMP_TO(t->back);
}

/* Why this wall must stop now, or WALL_RETURNED when it need not. */
static wall_trap
due(const wall *w)
{
	if (atomic_load_explicit(&w->stop, memory_order_relaxed))
		return WALL_STOPPED;
	if (w->deadline_ns != WALL_NEVER && wall_now_ns() >= w->deadline_ns)
		return WALL_TIMEOUT;
	return WALL_RETURNED;
}

PLAIN static void
on_timer(thread *t)
{
	wall *w = t->current;
	wall_trap why;

	t->armed_ns = WALL_NEVER;
	if (w == NULL)
		return;
	why = due(w);
	if (why == WALL_RETURNED) {
		if (w->deadline_ns != WALL_NEVER)
			set_timer(t, w->deadline_ns);
	} else if (w->in_host) {
		w->due = (sig_atomic_t)why;
	} else {
		leave(t, why);
	}
}

/* Is the fault in a memory or on a stack of ours? */
static bool
is_ours(const thread *t, const uint8_t *at, wall_trap *why)
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

PLAIN static void
on_signal(int sig, siginfo_t *info, void *context)
{
	thread *t = self;
	int saved = errno;
	wall_trap why;
	unsigned i;

	if (sig == SIGURG && t != NULL && info->si_code == SI_TIMER &&
	    info->si_value.sival_ptr == t) {
		on_timer(t);
		errno = saved;
		return;
	}
	if (sig != SIGURG && t != NULL && t->current != NULL &&
	    info->si_code > 0 && is_ours(t, info->si_addr, &why))
		leave(t, why);
	for (i = 0; i < CLAIMED; i++)
		if (claimed[i] == sig)
			pass_on(i, sig, info, context);
	errno = saved;
}

static void
claim(unsigned i)
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
	/* NODEFER: we leave by siglongjmp and restore no mask. */
	ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
	sigemptyset(&ours.sa_mask);
	sigaction(claimed[i], &ours, NULL);
	pthread_mutex_unlock(&earlier_lock);
}

void
wall_claim_signals(void)
{
	unsigned i;

	for (i = 0; i < CLAIMED; i++)
		claim(i);
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
thread_end(void *p)
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

static void
make_key(void)
{
	pthread_key_create(&thread_key, thread_end);
}

static void
make_timer(thread *t)
{
	struct sigevent event;

	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = SIGURG;
	event.sigev_value.sival_ptr = t;
	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	t->has_timer = timer_create(CLOCK_MONOTONIC, &event, &t->timer) == 0;
	t->armed_ns = WALL_NEVER;
}

/* This thread's part of the wall; NULL when the system refused. The record
 * sits at the lower end of the signal stack. */
static thread *
thread_get(void)
{
	static atomic_uint_fast64_t threads;
	uint8_t *region;
	thread *t;

	if (self != NULL)
		return self;
	pthread_once(&thread_once, make_key);
	region = mmap(NULL, REGION, PROT_NONE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (region == MAP_FAILED)
		return NULL;
	if (mprotect(region + GUARD, VM_STACK, PROT_READ | PROT_WRITE) != 0 ||
	    mprotect(region + GUARD + VM_STACK + GUARD, SIGNAL_STACK,
		PROT_READ | PROT_WRITE) != 0) {
		munmap(region, REGION);
		return NULL;
	}
	t = (thread *)(void *)(region + GUARD + VM_STACK + GUARD);
	t->region = region;
	t->number = atomic_fetch_add(&threads, 1) + 1;
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

/* A child of fork has the memory but not the timer. */
static void
arm(thread *t, uint64_t deadline_ns)
{
	struct itimerspec now;

	if (deadline_ns >= t->armed_ns)
		return;
	if (!t->has_timer || timer_gettime(t->timer, &now) != 0)
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
	there.uc_stack.ss_sp = top - VM_STACK;
	there.uc_stack.ss_size = VM_STACK;
	there.uc_link = &here;
	makecontext(&there, start_here, 0);
	swapcontext(&here, &there);
}
#endif

static wall_trap
execute(thread *t, wall *w, void (*fn)(void *), void *arg)
{
	uint8_t *stack = t->region + GUARD;

	t->entry = (entry){fn, arg, NULL, NULL, 0};
	t->trap = WALL_RETURNED;
	t->current = w;
	if (t->left)
		STACK_CLEAN(stack, VM_STACK);
	t->left = false;
	if (JUMP_SET(t->back) == 0) {
		FIBER_TO(&t->entry.fake, stack, VM_STACK);
		call_on_stack(stack + VM_STACK, on_vm_stack, &t->entry);
	}
	FIBER_AT(t->entry.fake, NULL, NULL);
	t->current = NULL;
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
	thread *t = thread_get();
	stack_t theirs;
	wall_trap trap;

	if (t == NULL || t->current != NULL ||
	    !install_signal_stack(t, w, &theirs))
		return WALL_NO_THREAD;
	if (w->deadline_ns != WALL_NEVER)
		arm(t, w->deadline_ns);
	w->in_host = 1;
	w->due = WALL_RETURNED;
	atomic_store(&w->thread, t);
	trap = execute(t, w, fn, arg);
	atomic_store(&w->thread, NULL);
	if ((theirs.ss_flags & SS_DISABLE) == 0)
		sigaltstack(&theirs, NULL);
	return trap;
}

void
wall_stop(wall *w)
{
	thread *t;
	int saved = errno;

	atomic_store(&w->stop, 1);
	t = atomic_load(&w->thread);
	if (t != NULL && t->has_timer) {
		struct itimerspec now = {{0, 0}, {0, 1}};

		timer_settime(t->timer, 0, &now, NULL);
	}
	errno = saved;
}

PLAIN _Noreturn void
wall_leave(wall *w, wall_trap why)
{
	(void)w;
	leave(self, why);
}

/* The generated code's own traps. */
PLAIN _Noreturn void
wasm_rt_trap(wasm_rt_trap_t code)
{
	leave(self, code == WASM_RT_TRAP_OOB          ? WALL_MEMORY
		    : code == WASM_RT_TRAP_EXHAUSTION ? WALL_STACK
						      : WALL_ENGINE);
}
