/* SPDX-License-Identifier: MIT */
/*
 * doctor_reach.h -- the checks of `doctor` beyond the sandbox: do the servers
 * come up, does each rule of the policy decide something, are the files valid
 * and private?
 */
#ifndef CMD_DOCTOR_REACH_H
#define CMD_DOCTOR_REACH_H

#include "scripts/upstream.h"

/*
 * Starts all servers, waits for them and ends them. Appends members of a JSON
 * object: servers, policy, secrets and files, each an array of objects with ok,
 * name, about and, when something is wrong, todo. *ok stays as it is, or becomes
 * false. CLI_OK, or the exit code of the command (the reason was printed);
 * codemode executes codemode-net here when a server needs the network.
 */
cli_exit doctor_reach(
    const upstream_options *o, say *s, buf *members, bool *ok);

#endif
