/* SPDX-License-Identifier: MIT */
/*
 * fences.h -- what stands around a process before it reads a script.
 *
 *	codemode-worker, exec'd with an empty environment and a socket
 *	  fences_template   what is inherited and takes time: once
 *	  fork, per script
 *	    fences_child    the rest; from here on a wrong system call kills
 *
 * Both go on when the kernel refuses a fence: the report says which and why,
 * it travels to the parent (fence_report.h), and the parent decides. Only what
 * runs in the worker is in this header.
 */
#ifndef FENCE_FENCES_H
#define FENCE_FENCES_H

#include "wire/fence_report.h"

#include <sys/types.h>

/* Last nets, for the kernel to pull; the run's own limits lie well below. 0: no
 * net. They hold for every script forked from one template. */
typedef struct fence_nets {
	uint64_t cpu_s; /* seconds of computing; then SIGKILL            */
	uint64_t data;  /* bytes of private memory that may be writable; this
	                   counts pages that were never touched, too     */
} fence_nets;

/* What the template has put up, and what its children put up from it. */
typedef struct fences {
	fence_report report;
	fence_nets nets;
	bool no_filter; /* to try what the others keep without it */
} fences;

/*
 * In the template: single-threaded, exec'd with an empty environment, standard
 * descriptors on /dev/null.
 */
void fences_template(fences *f, const fence_nets *nets);

/*
 * In the child, straight after fork. template_pid is what getpid() said in the
 * template; when that process is gone already, this one ends here. Every
 * descriptor but keep_fd is closed: what the engine mapped from a file stays
 * mapped. What libc reads from a file when first asked (the time zone) must
 * have been read before. Afterwards there is no poll(2), which wants a limit of
 * descriptors above 0: recv waits, or does not with MSG_DONTWAIT.
 *
 * *report is the template's with the child's fences added.
 */
void fences_child(const fences *f, pid_t template_pid, int keep_fd,
    fence_report *report);

#endif
