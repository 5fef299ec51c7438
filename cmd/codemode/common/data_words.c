/* SPDX-License-Identifier: MIT */
/* data_words.c -- see data_words.h. */
#include "data_words.h"

#include "base/json.h"

static text
name_of(const char *word)
{
	return (text){word, strcspn(word, "=")};
}

bool
is_data_word(const char *word)
{
	return *word != '=' && strchr(word, '=') != NULL;
}

static bool
is_name_before(int n, char **words, text name)
{
	while (n-- > 0)
		if (text_eq(name_of(words[n]), name))
			return true;
	return false;
}

const char *
data_of_words(int n, char **words, buf *out)
{
	buf_byte(out, '{');
	for (int i = 0; i < n; i++) {
		text name = name_of(words[i]);

		if (is_name_before(i, words, name) ||
		    utf8_bad(text_of(words[i])) != SIZE_MAX)
			return words[i];
		buf_str(out, i > 0 ? "," : "");
		json_string(out, name);
		buf_byte(out, ':');
		json_or_string(out, text_of(words[i] + name.len + 1));
	}
	buf_byte(out, '}');
	return NULL;
}
