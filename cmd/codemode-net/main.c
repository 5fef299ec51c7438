/* SPDX-License-Identifier: MIT */
/* main.c -- codemode-net: the command, with the network. */
#include "command.h"
#include "http_link.h"
#include "http_serve_parts.h"
#include "login.h"
#include "span_post.h"

#include <curl/curl.h>

int
main(int argc, char **argv)
{
	const net parts = {.libraries = curl_version(),
	    .link = http_link,
	    .serve = &http_serve_functions,
	    .spans = &span_post_functions,
	    .login = login_run,
	    .logout = login_forget,
	    .status = login_status};

	return command_main(argc, argv, &parts);
}
