/* SPDX-License-Identifier: MIT */
/*
 * entry_reader.h -- one entry while it is read: which members it has, what each
 * means, and messages about them. Shared by the entry_*.c alone.
 */
#ifndef CMD_ENTRY_READER_H
#define CMD_ENTRY_READER_H

#include "entry.h"

/* What members of entries mean. The table of their names in all dialects is in
 * entry_reader.c. */
typedef enum member_means {
	MEANS_NOTHING, /* concerns the other client alone */
	/* a process */
	MEANS_COMMAND,
	MEANS_ARGS,
	MEANS_ENV,       /* an object of variables */
	MEANS_ENV_NAMES, /* names of variables that are handed on */
	MEANS_ENV_FILE,
	MEANS_CWD,
	MEANS_SANDBOX, /* the other client would fence the server in */
	/* a URL */
	MEANS_KIND,
	MEANS_SOURCE,
	MEANS_URL,
	MEANS_HTTP_URL,
	MEANS_HEADERS,
	MEANS_ENV_HEADERS, /* name of a header: name of a variable */
	MEANS_TOKEN,
	MEANS_TOKEN_ENV, /* the name of a variable */
	MEANS_TOKEN_COMMAND,
	MEANS_LOGIN, /* an object of members about OAuth, or false */
	MEANS_CLIENT_ID,
	MEANS_CLIENT_SECRET,
	MEANS_CLIENT_KEY,
	MEANS_SCOPES,
	MEANS_ERA,
	MEANS_EXPOSE,
	/* whether, and how long */
	MEANS_DISABLED,
	MEANS_ENABLED,
	MEANS_STARTUP_SEC,
	MEANS_STARTUP_MS,
	MEANS_CALL_SEC,
	MEANS_CALL_MS,
	MEANS_TIMEOUT,
	MEANS_IDLE_MS,
	/* which tools */
	MEANS_ONLY,
	MEANS_AVAILABLE, /* the same; an empty list is no filter */
	MEANS_EXCEPT,
	MEANS_TOOLS, /* an array: the same as ONLY; an object: see there */
	MEANS_UNCHECKED,
	MEANS_COUNT
} member_means;

typedef struct found_member {
	json value;      /* missing: there is no such member, or it is null */
	const char *key; /* as it is written */
} found_member;

typedef struct entry_reader {
	config *config;
	const entry_source *source; /* NULL: the command line */
	json value;
	bool reporting; /* see report_unknown_members */
	config_entry entry;
	found_member found[MEANS_COUNT];
} entry_reader;

/* Fills .found from the members of .value. */
void find_members(entry_reader *r);
/* Reports the members that codemode does not know. False: one of these may be a
 * restriction. */
bool report_unknown_members(entry_reader *r);
/* What a member of that name means; MEANS_COUNT: unknown. */
member_means meaning_of(text key);

/* Reports a fault; the server will not be started. Always false. */
bool refuse_entry(entry_reader *r, json at, const char *key, const char *format,
    ...) __attribute__((format(printf, 4, 5)));
/* Reports something odd; the server is started all the same. */
void warn_about_key(entry_reader *r, json at, const char *key,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

typedef enum expand_how {
	EXPAND_USUAL,
	EXPAND_BARE, /* $NAME as well, where a whole word is that */
} expand_how;

/* t with its variables replaced. */
bool expand_value(entry_reader *r, json at, const char *key, text t,
    expand_how how, const char **out);
/* A string, unescaped and with its variables replaced. */
bool read_config_string(
    entry_reader *r, json v, const char *key, expand_how how, const char **out);
/* true and false, also as texts; otherwise when there is no such member. */
bool read_config_bool(
    entry_reader *r, member_means means, bool otherwise, bool *out);
/* A string without variables; NULL: no string, which was reported. */
const char *copy_config_name(entry_reader *r, json v, const char *key);

/* A server that is a process: argv, environment, folder (entry_process.c). */
bool read_process(entry_reader *r);
/* Looks the command up now, so that a missing program is reported with its
 * line. A configuration that lists this program must not start it again. */
bool check_program(entry_reader *r, json at);
/* A command for a token as words, from an array or a line. */
bool read_words(entry_reader *r, const found_member *m, char ***out);
/* Reads lines NAME=VALUE of the file at path into env (entry_env_file.c). NULL,
 * or why it cannot be read. */
const char *read_env_file(const char *path, pool *p, char ***env);

/* A server at a URL: url, headers, how to log in (entry_url.c). */
bool read_remote(entry_reader *r);

#endif
