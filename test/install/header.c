/* SPDX-License-Identifier: MIT */
/*
 * header.c -- the public header, first and alone, in whatever language the
 * compiler was told; the initialiser macro too.
 */
#include <codemode/codemode.h>

int header_is_clean(void);

int
header_is_clean(void)
{
	cm_run_options options = CM_RUN_OPTIONS_INIT;

	return options.size == sizeof(cm_run_options) && CM_OK == 0;
}
