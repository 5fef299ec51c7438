/* SPDX-License-Identifier: MIT */
/*
 * threads.c -- a host with threads and a SIGSEGV handler of its own.
 *
 * Eight threads run scripts that overflow every stack there is, are stopped by
 * their deadline inside built-ins, or simply compute; between the runs each
 * thread faults on a page of the host's, and the host's handler must hear of
 * it. The threads' signal stacks must be as they were.
 */
#include <codemode/codemode.h>

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_THREAD__)
enum { THREADS = 4, ROUNDS = 1 };
#else
enum { THREADS = 8, ROUNDS = 7 };
#endif

static char *forbidden; /* a page of the host's that may not be read */
static atomic_int heard, bad;
static _Thread_local sigjmp_buf back;

static void
on_fault(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	if ((char *)info->si_addr != forbidden) {
		static const char said[] = "a fault that is not the host's\n";

		fwrite(said, 1, sizeof(said) - 1, stderr);
		abort();
	}
	atomic_fetch_add(&heard, 1);
	siglongjmp(back, 1);
}

typedef struct job {
	const char *script;
	uint64_t wall_ms;
	cm_end end;
	const char *value;
} job;

static const job jobs[] = {
    {"function f() { return f() + 1 }\n"
     "let n = 0;\n"
     "for (let i = 0; i < 20; i++)\n"
     "  try { f() } catch (e) { n += e instanceof RangeError }\n"
     "return n",
	0, CM_END_OK, "20"},
    {"let s = '('.repeat(5000) + ')'.repeat(5000);\n"
     "try { new RegExp(s) } catch (e) {}\n"
     "try { JSON.parse('['.repeat(100000)) } catch (e) {}\n"
     "return 20",
	0, CM_END_OK, "20"},
    {"const p = new Proxy({}, { get(t, k, r) { return r[k] } });\n"
     "let n = 0;\n"
     "for (let i = 0; i < 20; i++)\n"
     "  try { p.x } catch (e) { n += e instanceof RangeError }\n"
     "return n",
	0, CM_END_OK, "20"},
    {"let o = {};\n"
     "for (let i = 0; i < 30000; i++) o = { o };\n"
     "try { JSON.stringify(o) } catch (e) {}\n"
     "const v = { valueOf() { return +v } };\n"
     "let n = 0;\n"
     "for (let i = 0; i < 20; i++)\n"
     "  try { +v } catch (e) { n += e instanceof RangeError }\n"
     "return n",
	0, CM_END_OK, "20"},
    {"while (true);", 30, CM_END_TIMEOUT, ""},
    {"const s = 'c'.repeat(2e6); for (;;) s.lastIndexOf('d')", 30,
	CM_END_TIMEOUT, ""},
    {"const a = []; for (;;) a.push(new Uint8Array(4e6).fill(1))", 0,
	CM_END_SCRIPT, ""},
};

static void
complain(const job *j, const cm_done *done)
{
	fprintf(stderr, "%s\n  end %d, value %.*s, %.*s\n", j->script,
	    done->end, (int)done->value.len,
	    done->value.ptr ? done->value.ptr : "",
	    (int)done->fault.message.len,
	    done->fault.message.ptr ? done->fault.message.ptr : "");
	atomic_fetch_add(&bad, 1);
}

static void
run(const job *j)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_text script = {j->script, strlen(j->script)};
	cm_driver driver = {0};
	cm_done done;
	cm_run *r;

	o.limits.wall_ms = j->wall_ms;
	o.limits.heap = 64u << 20;
	if (cm_run_new(NULL, script, &o, &r) != CM_OK) {
		atomic_fetch_add(&bad, 1);
		return;
	}
	if (cm_run_drive(r, &driver, &done) != CM_OK || done.end != j->end ||
	    done.value.len != strlen(j->value) ||
	    memcmp(done.value.ptr ? done.value.ptr : "", j->value,
		done.value.len) != 0)
		complain(j, &done);
	cm_run_free(r);
}

static void
fault_of_our_own(void)
{
	if (sigsetjmp(back, 1) == 0) {
		*(volatile char *)forbidden;
		atomic_fetch_add(&bad, 1);
	}
}

static void *
work(void *arg)
{
	size_t id = *(size_t *)arg, i, n = sizeof(jobs) / sizeof(jobs[0]);
	stack_t before, after;

	sigaltstack(NULL, &before);
	for (i = 0; i < ROUNDS; i++) {
		run(&jobs[(id + i) % n]);
		fault_of_our_own();
		sigaltstack(NULL, &after);
		if (after.ss_sp != before.ss_sp ||
		    after.ss_flags != before.ss_flags)
			atomic_fetch_add(&bad, 1);
	}
	return NULL;
}

int
main(void)
{
	struct sigaction action = {
	    .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
	pthread_t thread[THREADS];
	size_t id[THREADS], i;

	forbidden =
	    mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	for (i = 0; i < THREADS; i++) {
		id[i] = i;
		pthread_create(&thread[i], NULL, work, &id[i]);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("%d bad, the host heard %d of %d of its own faults\n", bad,
	    heard, THREADS * ROUNDS);
	return bad != 0 || heard != THREADS * ROUNDS;
}
