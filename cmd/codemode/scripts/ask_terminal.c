/* SPDX-License-Identifier: MIT */
/* ask_terminal.c -- see ask_terminal.h. */
#include "ask_terminal.h"

#include "common/signals.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

/* Returns the first letter of a line; 0: a signal came, or there is no line. */
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
ask_terminal(say *s, text words, bool whole)
{
	int fd = isatty(STDERR_FILENO)
		     ? open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
		     : -1;
	char letter;

	if (fd < 0)
		return PERMIT_UNASKED;
	say_clear(s);
	say_line(s, "%.*s", TEXT_ARG(words));
	fputs(whole ? "y: yes, a: always for these tools, e: ask at each call, "
		      "n: no [n] "
		    : "y: yes, s: for this script, a: always, n: no [n] ",
	    s->to);
	fflush(s->to);
	letter = read_letter(fd);
	close(fd);
	switch (letter | 0x20) { /* to lower case */
	case 'y':
		return whole ? PERMIT_YES_SCRIPT : PERMIT_YES;
	case 's':
		return PERMIT_YES_SCRIPT;
	case 'e':
		return whole ? PERMIT_YES : PERMIT_NO;
	case 'a':
		return PERMIT_YES_ALWAYS;
	default:
		return PERMIT_NO;
	}
}
