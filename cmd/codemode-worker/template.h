/* SPDX-License-Identifier: MIT */
/* template.h -- the process that worker processes are forked from. */
#ifndef CODEMODE_WORKER_TEMPLATE_H
#define CODEMODE_WORKER_TEMPLATE_H

/* Serves the place on TEMPLATE_FD until that closes it. Returns the exit
 * status. */
int template_main(void);

/* Runs one script, whose socket is TEMPLATE_FD, in this very process. memory:
 * bytes that the kernel lets it have, as digits; NULL: as many as there are. */
int once_main(const char *memory);

#endif
