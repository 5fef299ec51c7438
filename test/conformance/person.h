/* SPDX-License-Identifier: MIT */
/*
 * person.h -- a person for the scenarios of the conformance suite that want a
 * login: says yes to everything, without a window.
 */
#ifndef CONFORMANCE_PERSON_H
#define CONFORMANCE_PERSON_H

#include "servers/servers.h"

/* Logins of servers on this loop are this person's from now on. Gives the server
 * the client that the scenario has; nothing is kept in files. */
void person_begin(uv_loop_t *loop, server_config *server);
/* Before the loop is closed; it must turn once more. */
void person_end(void);

#endif
