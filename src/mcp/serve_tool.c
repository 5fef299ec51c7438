/* SPDX-License-Identifier: MIT */
/*
 * serve_tool.c -- the one tool, as its client sees it before a call.
 *
 * A model reads this description in each conversation: every line of it is
 * there because scripts go wrong without it.
 */
#include "serve_tool.h"

#include <inttypes.h>

/* doc/guide/prompt.md has the reason for each sentence. */
static const char instructions[] =
    "Runs JavaScript that calls tools. Do the whole task in one script: only "
    "what it returns or prints comes back to you, not what the tools gave.\n"
    "The code is the body of an async function; await and return work at its "
    "top level. TypeScript is understood.\n"
    "- Tools exist only inside the script, and so does codemode.search: they "
    "cannot be called in any other way. Do not guess names: search for what "
    "is not shown below.\n"
    "- Call a tool: await {{example}}. The result is a value "
    "(text that holds a JSON object or array is parsed already); a tool that "
    "fails throws an Error.\n"
    "- WRONG: one script for each call. RIGHT: const [a, b] = await "
    "Promise.all([tools.s.one({}), tools.s.two({})]); then filter, join and "
    "return.\n"
    "- Return the answer. Filter, count and cut in the script: text beyond "
    "about 6,000 tokens is left out. text(value) prints; image(x), audio(x) "
    "and resource(x) hand on what a tool's result x carried, "
    "file(name, mimeType, data) gives a file.\n"
    "- Each script starts anew. store(key, value) keeps a value for later "
    "scripts, load(key) gets it.\n"
    "- Long texts go into the argument data, not into the code: the script "
    "finds them as data.\n"
    "- There are no files, no network and no modules; tools are the only "
    "reach.\n";

static const char direct_instructions[] =
    "- For one simple call whose result you want to read as it is, call the "
    "tool itself if it is offered beside this one.\n";

/* Running a script may do whatever the tools behind it do. */
static const char annotations[] =
    "{\"title\":\"Run a script that calls tools\",\"readOnlyHint\":false,"
    "\"destructiveHint\":true,\"idempotentHint\":false,"
    "\"openWorldHint\":true}";

static void
schema(buf *out, uint64_t max_ms)
{
	buf_str(out, "{\"type\":\"object\",\"properties\":{"
		     "\"code\":{\"type\":\"string\",\"description\":"
		     "\"JavaScript: the body of an async function\"},"
		     "\"timeoutMs\":{\"type\":\"integer\",\"minimum\":1,");
	if (max_ms != CM_NO_LIMIT)
		buf_printf(out, "\"maximum\":%" PRIu64 ",", max_ms);
	buf_str(out, "\"description\":"
		     "\"Stop the script after so many milliseconds");
	if (max_ms != CM_NO_LIMIT)
		buf_printf(out, "; without it, after %" PRIu64, max_ms);
	buf_str(out, "\"},"
		     "\"data\":{\"description\":\"Any JSON; the script "
		     "finds it as `data`, so that nothing needs quoting "
		     "inside the code\"}},"
		     "\"required\":[\"code\"]}");
}

/* Appends the instructions with what stands for their placeholders. */
static void
put_instructions(buf *out, const serve_about *about)
{
	static const text example = TEXT_INIT("{{example}}");
	static const text catalog = TEXT_INIT("{{catalog}}");
	text rest = about->instructions.len > 0 ? about->instructions
						: text_of(instructions);
	bool placed = false;

	while (rest.len > 0) {
		size_t next = text_find(rest, TEXT("{{"), 0);

		buf_text(out, text_sub(rest, 0, next));
		rest = text_sub(rest, next, SIZE_MAX);
		if (text_starts(rest, example)) {
			buf_text(out, about->example);
			rest = text_sub(rest, example.len, SIZE_MAX);
		} else if (text_starts(rest, catalog)) {
			buf_text(out, about->catalog);
			placed = true;
			rest = text_sub(rest, catalog.len, SIZE_MAX);
		} else {
			buf_text(out, text_sub(rest, 0, 2));
			rest = text_sub(rest, 2, SIZE_MAX);
		}
	}
	if (about->direct && about->instructions.len == 0)
		buf_str(out, direct_instructions);
	if (placed)
		return;
	if (out->len > 0 && out->ptr[out->len - 1] != '\n')
		buf_byte(out, '\n');
	buf_text(out, about->catalog);
}

void
serve_tool(buf *out, const serve_about *about, uint64_t max_ms)
{
	buf words = BUF_INIT(out->alloc, out->max);

	put_instructions(&words, about);
	if (out->bad == CM_OK)
		out->bad = words.bad;
	buf_str(out, "{\"name\":\"" SERVE_TOOL "\",\"title\":"
		     "\"Run a script that calls tools\",\"description\":");
	json_string(out, buf_view(&words));
	buf_str(out, ",\"inputSchema\":");
	schema(out, max_ms);
	buf_str(out, ",\"annotations\":");
	buf_str(out, annotations);
	buf_byte(out, '}');
	buf_fini(&words);
}

bool
serve_arguments(
    json arguments, uint64_t max_ms, buf *code, uint64_t *timeout_ms, buf *why)
{
	json wanted = json_get(arguments, TEXT("timeoutMs"));
	int64_t ms = 0;

	if (!json_unescape(json_get(arguments, TEXT("code")), code)) {
		buf_str(why, "The argument \"code\" must be a string: the "
			     "JavaScript to run, for example {\"code\": "
			     "\"return ALL_TOOLS.length\"}.");
		return false;
	}
	if (!json_present(wanted))
		return true;
	if (!json_int(wanted, &ms) || ms < 1 || (uint64_t)ms > max_ms) {
		buf_str(why, "The argument \"timeoutMs\" must be a whole "
			     "number of milliseconds from 1");
		if (max_ms != CM_NO_LIMIT)
			buf_printf(why, " to %" PRIu64, max_ms);
		buf_str(why, "; without it there is a default.");
		return false;
	}
	*timeout_ms = (uint64_t)ms;
	return true;
}
