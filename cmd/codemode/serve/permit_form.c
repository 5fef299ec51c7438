/* SPDX-License-Identifier: MIT */
/* permit_form.c -- see permit_form.h. */
#include "permit_form.h"

/* The answers of a form; any other answer is no. */
typedef struct form_answer {
	const char *word, *title;
	permit_answer answer;
} form_answer;

enum { ANSWERS = 4 };

static const form_answer answers[][ANSWERS] = {
    {
	{"once", "Yes, this time", PERMIT_YES},
	{"script", "Yes, for this script", PERMIT_YES_SCRIPT},
	{"always", "Yes, always for this tool", PERMIT_YES_ALWAYS},
	{"no", "No", PERMIT_NO},
    },
    {
	{"script", "Yes, for this script", PERMIT_YES_SCRIPT},
	{"each", "Ask me at each call", PERMIT_YES},
	{"always", "Yes, always for these tools", PERMIT_YES_ALWAYS},
	{"no", "No", PERMIT_NO},
    },
};

static bool
is_offered(const form_answer *a, bool persons)
{
	return a->answer != PERMIT_YES_ALWAYS || !persons;
}

static void
put_choices(const form_answer *a, bool persons, buf *out)
{
	buf_str(out, "{\"type\":\"string\",\"title\":"
		     "\"Allow it?\",\"enum\":[");
	for (size_t i = 0; i < ANSWERS; i++)
		if (is_offered(&a[i], persons))
			buf_printf(out, "%s\"%s\"", i ? "," : "", a[i].word);
	buf_str(out, "],\"enumNames\":[");
	for (size_t i = 0; i < ANSWERS; i++)
		if (is_offered(&a[i], persons))
			buf_printf(out, "%s\"%s\"", i ? "," : "", a[i].title);
	buf_str(out, "]}");
}

void
permit_form(text words, bool whole, bool persons, buf *out)
{
	buf_str(out, "{\"message\":");
	json_string(out, words);
	buf_str(out, ",\"requestedSchema\":{\"type\":\"object\","
		     "\"properties\":{\"answer\":");
	put_choices(answers[whole], persons, out);
	buf_str(out, "},\"required\":[\"answer\"]}}");
}

permit_answer
permit_form_answer(json result, bool whole, bool persons)
{
	json word = json_path(result, "content", "answer", NULL);

	if (!json_is(json_get(result, TEXT("action")), TEXT("accept")))
		return PERMIT_NO;
	for (size_t i = 0; i < ANSWERS; i++)
		if (is_offered(&answers[whole][i], persons) &&
		    json_is(word, text_of(answers[whole][i].word)))
			return answers[whole][i].answer;
	return PERMIT_NO;
}
