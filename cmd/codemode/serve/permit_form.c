/* SPDX-License-Identifier: MIT */
/* permit_form.c -- see permit_form.h. */
#include "permit_form.h"

#include "base/json.h"

enum {
	FORM_MAX_BYTES = 1 << 20,
	ASKED_ARGS_MAX = 2000 /* bytes of the arguments that are shown */
};

/* What a form may answer; what is none of these is no. */
static const struct {
	const char *word, *title;
	permit_answer answer;
} answers[] = {
    {"once", "Yes, this time", PERMIT_YES},
    {"script", "Yes, for this script", PERMIT_YES_SCRIPT},
    {"always", "Yes, always for this tool", PERMIT_YES_ALWAYS},
    {"no", "No", PERMIT_NO},
};

enum { ANSWERS = sizeof(answers) / sizeof(*answers) };

static void
put_choices(buf *out)
{
	buf_str(out, "{\"type\":\"string\",\"title\":"
		     "\"Allow this call?\",\"enum\":[");
	for (size_t i = 0; i < ANSWERS; i++)
		buf_printf(out, "%s\"%s\"", i ? "," : "", answers[i].word);
	buf_str(out, "],\"enumNames\":[");
	for (size_t i = 0; i < ANSWERS; i++)
		buf_printf(out, "%s\"%s\"", i ? "," : "", answers[i].title);
	buf_str(out, "]}");
}

void
permit_form(const upstream *u, const cm_call *call, buf *out)
{
	const policy_decision d = upstream_permits(u, call);
	text args = text_head(call->args, ASKED_ARGS_MAX);
	buf words = BUF_INIT(NULL, FORM_MAX_BYTES);

	buf_printf(&words,
	    "A script wants to call %.*s(%.*s%s). About this tool: ",
	    TEXT_ARG(call->path), TEXT_ARG(args),
	    args.len < call->args.len ? " ..." : "");
	permit_reason(&d, &words);
	buf_str(&words, ". Allow it?");
	buf_str(out, "{\"message\":");
	json_string(out, buf_view(&words));
	buf_str(out, ",\"requestedSchema\":{\"type\":\"object\","
		     "\"properties\":{\"answer\":");
	put_choices(out);
	buf_str(out, "},\"required\":[\"answer\"]}}");
	buf_fini(&words);
}

permit_answer
permit_form_answer(json result)
{
	json word = json_path(result, "content", "answer", NULL);

	if (!json_is(json_get(result, TEXT("action")), TEXT("accept")))
		return PERMIT_NO;
	for (size_t i = 0; i < ANSWERS; i++)
		if (json_is(word, text_of(answers[i].word)))
			return answers[i].answer;
	return PERMIT_NO;
}
