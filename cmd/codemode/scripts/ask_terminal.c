/* SPDX-License-Identifier: MIT */
/* ask_terminal.c -- see ask_terminal.h. */
#include "ask_terminal.h"

#include "common/signals.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

enum { SHOWN_MAX = 400 }; /* bytes of the arguments */

static void
put_question(const upstream *u, const cm_call *call, buf *out)
{
	const policy_decision d = upstream_permits(u, call);
	text args = text_head(call->args, SHOWN_MAX);

	buf_printf(out, "codemode: %.*s(%.*s%s)\n  ", TEXT_ARG(call->path),
	    TEXT_ARG(args), args.len < call->args.len ? " ..." : "");
	permit_reason(&d, out);
	buf_str(out, ". Allow it? y: yes, s: for this script, a: always, "
		     "n: no [n] ");
}

/* The first letter of a line; 0: a signal came, or there is no line. */
static char
read_letter(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	unsigned seen = signals_count();
	char line[64];
	ssize_t n;

	if (poll(&p, 1, -1) <= 0 || signals_count() > seen)
		return 0;
	n = read(fd, line, sizeof(line));
	return n > 0 ? line[0] : 0;
}

permit_answer
ask_terminal(say *s, const upstream *u, const cm_call *call)
{
	buf question = BUF_INIT(NULL, 1 << 16);
	int fd = isatty(STDERR_FILENO)
		     ? open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
		     : -1;
	char letter;

	if (fd < 0)
		return PERMIT_UNASKED;
	say_clear(s);
	put_question(u, call, &question);
	say_text(s->to, s->shown, buf_view(&question));
	fflush(s->to);
	letter = read_letter(fd);
	close(fd);
	buf_fini(&question);
	switch (letter) {
	case 'y':
	case 'Y':
		return PERMIT_YES;
	case 's':
	case 'S':
		return PERMIT_YES_SCRIPT;
	case 'a':
	case 'A':
		return PERMIT_YES_ALWAYS;
	default:
		return PERMIT_NO;
	}
}
