/* SPDX-License-Identifier: MIT */
/* cmd_view.c -- `codemode view`: makes a page from what --trace or --record
 * wrote. */
#include "common/cmd.h"
#include "common/file.h"
#include "common/pool.h"
#include "common/split.h"
#include "watch/view.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define PAGE_NAME "codemode-view-XXXXXX.html"

typedef struct options {
	const char *output;
} options;

static const opt opts[] = {
    {"output", 'o', OPT_FILE, "FILE",
	"write the page to this file, - is stdout",
	"Otherwise it is a new file in TMPDIR, and a browser is opened.",
	offsetof(options, output)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

static bool
write_stdout(text page)
{
	return fwrite(page.ptr, 1, page.len, stdout) == page.len &&
	       fflush(stdout) == 0;
}

/* Makes a file for the page that its owner alone can read. NULL: see errno. */
static char *
make_page_file(pool *p, text page)
{
	const char *folder = getenv("TMPDIR");
	char *path = pool_printf(p, "%s/" PAGE_NAME,
	    folder != NULL && *folder != '\0' ? folder : "/tmp");
	int fd = mkstemps(path, (int)strlen(".html"));
	FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
	bool whole;

	if (to == NULL)
		return NULL;
	whole = fwrite(page.ptr, 1, page.len, to) == page.len;
	return fclose(to) == 0 && whole ? path : NULL;
}

/* Executes the browser in place of this process; returns if there is none. */
static void
become_browser(pool *p, char *path)
{
	const char *browser = getenv("BROWSER"), *why;
	size_t n = 0;
	char **words = split_words(
	    text_of(browser && *browser ? browser : "xdg-open"), p, &n, &why);
	char **argv = pool_new(p, (n + 2) * sizeof(*argv));

	if (words == NULL || n == 0)
		return;
	memcpy(argv, words, n * sizeof(*argv));
	argv[n] = path;
	execvp(argv[0], argv);
}

static cli_exit
open_page(text page, say *s)
{
	pool p = {.max = SIZE_MAX / 2};
	char *path = make_page_file(&p, page);
	cli_exit code = path != NULL ? CLI_OK : CLI_OUTPUT;

	if (path == NULL) {
		say_line(
		    s, "view: the page cannot be written: %s", strerror(errno));
	} else {
		say_line(s, "the page is %s", path);
		become_browser(&p, path);
		say_line(s, "there is no browser here: open it elsewhere");
	}
	pool_fini(&p);
	return code;
}

static cli_exit
put_view(const options *o, text page, say *s)
{
	const char *why = NULL;

	if (o->output == NULL)
		return open_page(page, s);
	if (strcmp(o->output, "-") != 0)
		why = file_write(o->output, page);
	else if (!write_stdout(page))
		why = strerror(errno);
	if (why == NULL)
		return CLI_OK;
	say_line(s, "view: --output %s: %s", o->output, why);
	return CLI_OUTPUT;
}

static cli_exit
view_file(const options *o, const char *path, say *s)
{
	buf file = BUF_INIT(NULL, VIEW_FILE_BYTES);
	buf page = BUF_INIT(NULL, SIZE_MAX / 2);
	const char *why = file_read(path, &file);
	cli_exit code = CLI_USAGE;

	if (why == NULL)
		why = view_page(buf_view(&file), &page);
	if (why == NULL)
		code = put_view(o, buf_view(&page), s);
	else
		say_line(s, "view: %s: %s", path, why);
	buf_fini(&file);
	buf_fini(&page);
	return code;
}

static int
view_main(const cmd *self, int argc, char **argv)
{
	options o = {.output = NULL};
	opt_outcome parsed;
	say s;

	say_init(&s);
	parsed = opt_parse(self, &argc, argv, &o, &s);
	if (parsed == OPT_SHOWN)
		return CLI_OK;
	if (parsed == OPT_GO && argc == 1)
		return (int)view_file(&o, argv[0], &s);
	if (parsed == OPT_GO)
		say_line(&s, "view: name one file that --trace has written");
	return CLI_USAGE;
}

const cmd cmd_view = {
    .name = "view",
    .args = "FILE",
    .does = "show what --trace or --record wrote as a page",
    .opts = opts,
    .main = view_main,
};
