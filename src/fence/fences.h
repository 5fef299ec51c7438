/* SPDX-License-Identifier: MIT */
/*
 * fences.h -- the fences around a process before it reads a script.
 *
 *	codemode-worker, exec'd with an empty environment and a socket
 *	  fences_template   the fences that children inherit: once
 *	  fork, per script
 *	    fences_child    the rest; after it a system call that is not
 *	                    listed kills the process
 *
 * Both go on when the kernel refuses a fence: the report says which and why,
 * and is sent to the run (fence_report.h), which decides whether the script
 * may run.
 */
#ifndef FENCE_FENCES_H
#define FENCE_FENCES_H

#include "wire/fence_report.h"

#include <sys/types.h>

/* Hard limits that the kernel enforces if the run's own fail. 0: none. They
 * hold for every worker of one template. */
typedef struct fence_nets {
	uint64_t cpu_s; /* seconds of computing; then SIGKILL            */
	uint64_t data;  /* bytes of private memory that may be writable; this
	                   counts pages that were never touched, too     */
} fence_nets;

/* What the template has put up, and what its children put up from it. */
typedef struct fences {
	fence_report report;
	fence_nets nets;
	bool no_filter; /* for trials: leave the list of system calls away */
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
void fences_child(
    const fences *f, pid_t template_pid, int keep_fd, fence_report *report);

#endif
