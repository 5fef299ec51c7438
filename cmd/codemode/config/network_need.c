/* SPDX-License-Identifier: MIT */
/* network_need.c -- see network_need.h. */
#include "network_need.h"

#include "named_servers.h"

bool
network_needed(config *c, const text *script)
{
	text *names = pool_new(&c->pool, c->len * sizeof(*names));
	bool *named = pool_new(&c->pool, c->len);
	bool needed = false;

	for (size_t i = 0; i < c->len; i++) {
		names[i] = text_of(c->entry[i].start.name);
		named[i] = true;
	}
	if (script != NULL && script->len <= SEARCHED_MAX)
		names_needed(*script, names, c->len, named);
	for (size_t i = 0; i < c->len; i++)
		needed |= named[i] && c->entry[i].fate == CONFIG_START &&
			  c->entry[i].start.reach != REACH_PROCESS;
	return needed;
}
