/* SPDX-License-Identifier: MIT */
#include "config_add.h"

const char config_add_words[] =
    "claude|codex|cursor|vscode|gemini|opencode|zed|goose";

cli_exit
config_add_to(config *c, const char *client, const config_add *o)
{
	(void)o;
	(void)client;
	say_line(c->say, "not yet");
	return CLI_USAGE;
}
