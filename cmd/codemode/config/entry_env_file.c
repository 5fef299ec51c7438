/* SPDX-License-Identifier: MIT */
/*
 * entry_env_file.c -- files of lines NAME=VALUE, as `envFile` names them.
 *
 * "export" may stand before a name, quotes around a value; # begins a comment
 * at the beginning of a line, or behind a blank when the value has no quotes.
 * In double quotes \n, \" and \\ are escapes. Variables are not replaced.
 */
#include "entry_reader.h"

#include "common/file.h"

enum { ENV_FILE_MAX = 1 << 20 };

/* What stands between double quotes, written to to; NULL: no end. */
static char *
unquote_double(text value, char *to)
{
	for (size_t i = 1; i < value.len; i++) {
		char c = value.ptr[i];

		if (c == '"')
			return to;
		if (c == '\\' && i + 1 < value.len) {
			c = value.ptr[++i];
			if (c == 'n')
				c = '\n';
		}
		*to++ = c;
	}
	return NULL;
}

/* Writes the value to to; returns its end, NULL: a quote does not end. */
static char *
copy_env_value(text value, char *to)
{
	size_t end;

	if (text_starts(value, TEXT("\"")))
		return unquote_double(value, to);
	if (text_starts(value, TEXT("'"))) {
		end = text_find(value, TEXT("'"), 1);
		if (end == SIZE_MAX)
			return NULL;
		value = text_sub(value, 1, end);
	} else {
		end = text_find(value, TEXT(" #"), 0);
		value = text_trim(text_sub(value, 0, end));
	}
	if (value.len > 0)
		memcpy(to, value.ptr, value.len);
	return to + value.len;
}

/* "NAME=VALUE"; NULL: the line says something else. */
static char *
env_line(text line, pool *p)
{
	size_t equals;
	text name;
	char *out, *end;

	if (text_starts(line, TEXT("export ")))
		line = text_trim(text_sub(line, 7, line.len));
	equals = text_find(line, TEXT("="), 0);
	name = text_trim(text_sub(line, 0, equals));
	if (equals == SIZE_MAX || name.len == 0)
		return NULL;
	out = pool_new(p, line.len + 2);
	memcpy(out, name.ptr, name.len);
	out[name.len] = '=';
	end = copy_env_value(text_trim(text_sub(line, equals + 1, line.len)),
	    out + name.len + 1);
	if (end == NULL)
		return NULL;
	*end = '\0';
	return out;
}

static const char *
read_env_lines(text all, pool *p, char **env)
{
	text line;

	for (unsigned number = 1; text_line(&all, &line); number++) {
		line = text_trim(line);
		if (line.len == 0 || line.ptr[0] == '#')
			continue;
		*env = env_line(line, p);
		if (*env++ == NULL)
			return pool_printf(
			    p, "line %u is not NAME=VALUE", number);
	}
	return NULL;
}

const char *
read_env_file(const char *path, pool *p, char ***env)
{
	buf b = BUF_INIT(NULL, ENV_FILE_MAX);
	const char *why = file_read(path, &b);
	size_t lines = 1;

	for (size_t i = 0; i < b.len; i++)
		lines += b.ptr[i] == '\n';
	if (why == NULL && b.len > 0 && memchr(b.ptr, 0, b.len) != NULL)
		why = "has a NUL byte in it";
	*env = pool_new(p, (lines + 1) * sizeof(**env));
	if (why == NULL)
		why = read_env_lines(buf_view(&b), p, *env);
	buf_fini(&b);
	return why;
}
