/* SPDX-License-Identifier: MIT */
/*
 * process.h -- worker processes: one for each script, forked from a template.
 *
 *   this process                codemode-worker --template
 *     place  ── control ─────────── template
 *       │                              │ fork
 *       └── one socket a script ────── worker
 *
 * Where one script is expected, its worker is started for it: sooner than a
 * template and a fork of that.
 *
 *   this process ── the script's socket ── codemode-worker --once
 *
 * The template is the parent of the workers: they end with it, and only it
 * reaps them, so that their pids are valid while it says so. The template ends
 * when the control socket is closed, which the kernel does however this process
 * ends.
 */
#ifndef PLACE_PROCESS_H
#define PLACE_PROCESS_H

#include "place/place_port.h"

/* single: for one script; the second one starts a template. CM_EENGINE: errno
 * says why. Freeing it waits for the template to end, and kills it after
 * 500 ms. */
cm_status process_place_new(const cm_alloc *alloc, const char *worker_path,
    unsigned spares, uint64_t resident, bool require_fences, bool single,
    place **out);

/* The process that workers are forked from; 0: none so far. */
pid_t process_template(const place *p);

/* Bytes of memory that the process has resident; 0: not known. */
uint64_t process_resident(pid_t pid);

#endif
