/* SPDX-License-Identifier: MIT */
/*
 * place_child.h -- children of this process: templates, workers and the
 * commands that make streams.
 */
#ifndef PLACE_PLACE_CHILD_H
#define PLACE_PLACE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Kills a child of this process. A host that reaps all its children may have
 * reaped this one, and another process may have its pid: then it does nothing.
 * Async-signal-safe. */
void kill_own_child(pid_t pid);
/* Waits for the end of a child. */
void reap_own_child(pid_t pid);
/* The same; kills it after 500 ms. A template or a command ends when its socket
 * is closed, but not while it is stopped (SIGSTOP). */
void end_child(pid_t pid);
/* Waits wait_ms at most for the end of a child, and reaps it. False: it has not
 * ended, or the host has reaped it. */
bool child_status(pid_t pid, int wait_ms, int *status);

/* Writes how a process ended, by its status from waitpid. */
void describe_child_end(const char *what, int status, char *why, size_t size);

/* fd, or what replaces it, above the numbers that a worker's descriptors have
 * (template_packet.h). -1: errno says why, and fd is closed. */
int above_worker_fds(int fd);

#endif
