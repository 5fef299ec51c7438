/* SPDX-License-Identifier: MIT */
#include "config_find.h"

void
config_find(config *c)
{
	c->found = true;
}
