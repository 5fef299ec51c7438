/* SPDX-License-Identifier: MIT */
/*
 * replaced.c -- scripts that replace built-ins do what they did before.
 *
 *	replaced LIST
 *
 * Each line of LIST stands before a script that calls tools, prints, stores and
 * then returns or throws. All that comes out must be what comes out without the
 * line: nothing that leaves a script depends on what it may replace. A script
 * without any line, which runs after each, must see none of it.
 */
#define _GNU_SOURCE
#include "../script/host.h"

#include <stdio.h>
#include <stdlib.h>

#define LIST_MAX ((size_t)1 << 20)

/* Written without a built-in: its own words are not what is tested. */
static const char acts[] =
    "class Own { a = 1; b = [2]; }\n"
    "const d0 = $.date, big = 12345678901234567890n;\n"
    "text({ a: [1, 'x'], m: $.map, s: $.set, d: d0, big });\n"
    "console.log('said', [1, { b: 2 }], $.map, $.failed, big, $.bytes);\n"
    "text($.failed); text('plain'); text(new Own());\n"
    "store('k', { n: [1, 2], s: $.set, bytes: $.bytes });\n"
    "const one = await tools.echo({ a: [1, { b: 'x' }], d: d0, own: new Own() "
    "});\n"
    "const two = await codemode.all([tools.add({ a: 1, b: 2 }), "
    "tools.echo([3])]);\n"
    "const won = await codemode.race([tools.echo('first'), tools.hang(1)]);\n"
    "const mapped = await codemode.map([1, 2, 3], async (x) => await "
    "tools.add({ a: x, b: 1 }));\n"
    "await codemode.sleep(1);\n"
    "const told = [];\n"
    "if ($.nan === 1) throw 1;\n" /* two throws: no place is guessed */
    "const tell = (e) => { text(e.name + '|' + e.message + '|' + e.tool); };\n"
    "try { await tools.fail({ message: 'm' }); } catch (e) { tell(e); }\n"
    "try { tools.nope; } catch (e) { tell(e); }\n"
    "try { await tools.echo(1, { timeout: 1 }); } catch (e) { tell(e); }\n"
    "try { store(1, 2); } catch (e) { tell(e); }\n"
    "try { await tools.echo({ p: $.promise }); } catch (e) { tell(e); }\n"
    "tools.fail({ message: 'unheard' });\n"
    "await codemode.sleep(1);\n";

static const char *const ends[] = {
    "return { one, two, won, mapped, m: $.map, s: $.set, d: d0, own: new "
    "Own(), "
    "bytes: $.bytes, failed: $.failed, big, p: $.promise, nan: $.nan }",
    "throw $.failed",
    "throw { name: 'Mine', message: 'm', fields: [1, $.map] }",
    "throw $.many",
    "return [[1, [2, [3]]], $.list]",
};

/* What the script works with, made before anything is replaced. */
static const char setup[] =
    "const $ = { date: new Date(0), map: new Map([['k', [1]], ['l', 2]]), "
    "set: new Set(['s', { t: 1 }]), bytes: new Uint8Array([1, 2, 3]), nan: "
    "NaN, "
    "promise: Promise.resolve(1), list: [new Map([[1, 2]]), /x/g], "
    "failed: Object.assign(new TypeError('broke', { cause: new Error('why') "
    "}), "
    "{ own: [1] }), many: new AggregateError([new Error('a'), 'b'], 'both') };";

/* What the script came to, without what differs from run to run. */
static void
write_end(text line, const char *end_with, buf *out)
{
	static const char *const parts[] = {
	    "ok", "value", "output", "storeWrites", "warnings", "error"};
	buf source = BUF_INIT(NULL, LIST_MAX);
	host_end end;

	buf_clear(out);
	buf_printf(&source, "%s try { (() => { %.*s })(); } catch {}\n%s%s",
	    setup, TEXT_ARG(line), acts, end_with);
	if (host_run(buf_view(&source), TEXT_NONE, &end) != CM_OK)
		buf_str(out, "the library failed");
	else if (end.broken != NULL)
		buf_str(out, end.broken);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		buf_str(out, "\n");
		buf_text(out, json_get(end.result, text_of(parts[i])));
	}
	host_end_fini(&end);
	buf_fini(&source);
}

static unsigned
compare_ends(text line, const char *end_with, const buf *wanted)
{
	static buf got;

	got = got.max == 0 ? BUF_INIT(NULL, LIST_MAX) : got;
	write_end(line, end_with, &got);
	if (text_eq(buf_view(&got), buf_view(wanted)))
		return 0;
	printf("%.*s\n\tbefore %s\n\twanted:%.*s\n\tgot:%.*s\n", TEXT_ARG(line),
	    end_with, TEXT_ARG(buf_view(wanted)), TEXT_ARG(buf_view(&got)));
	return 1;
}

static unsigned
try_end(text list, const char *end_with, unsigned *lines)
{
	buf wanted = BUF_INIT(NULL, LIST_MAX);
	unsigned failures = 0;
	text line;

	write_end(TEXT_NONE, end_with, &wanted);
	for (*lines = 0; text_line(&list, &line);) {
		if (line.len == 0 || line.ptr[0] == '#')
			continue;
		++*lines;
		failures += compare_ends(line, end_with, &wanted);
		failures += compare_ends(TEXT_NONE, end_with, &wanted);
	}
	buf_fini(&wanted);
	return failures;
}

int
main(int argc, char **argv)
{
	static char list[LIST_MAX];
	unsigned failures = 0, lines = 0;
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	size_t i, len;

	if (f == NULL) {
		fprintf(stderr, "usage: replaced LIST\n");
		return 2;
	}
	len = fread(list, 1, sizeof(list), f);
	fclose(f);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		failures += try_end((text){list, len}, ends[i], &lines);
	printf("%u replacements, %u differences\n", lines, failures);
	return failures > 0;
}
