/* SPDX-License-Identifier: MIT */
/*
 * config_add.h -- writes codemode into the configuration of another MCP client.
 */
#ifndef CMD_CONFIG_ADD_H
#define CMD_CONFIG_ADD_H

#include "common/cmd.h"
#include "config.h"

typedef struct config_add {
	bool print;       /* to stdout, and nothing is written */
	bool move;        /* the servers there go behind codemode */
	const char *file; /* of the client; NULL: where it has it */
} config_add;

/* "claude|codex|..." */
extern const char config_add_words[];

/*
 * Adds `codemode serve` to the client's servers. The text around it stays byte
 * for byte; what the file was before is kept beside it (.bak).
 */
cli_exit config_add_to(config *c, const char *client, const config_add *o);

#endif
