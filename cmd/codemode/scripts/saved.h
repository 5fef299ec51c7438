/* SPDX-License-Identifier: MIT */
/*
 * saved.h -- scripts that a person keeps in a folder, as tools of the namespace
 * "scripts": other scripts call tools.scripts.NAME(args), and each is a run of
 * its own whose data is args.
 *
 * Each NAME.js or NAME.ts is one. The comment in front of its code says what it
 * is for and what it takes (saved_doc.h). Its own calls follow the same rules
 * as those of any script.
 */
#ifndef CMD_SAVED_H
#define CMD_SAVED_H

#include "saved_doc.h"

#include "common/pool.h"
#include "common/say_line.h"

#include <codemode/codemode.h>

#define SAVED_SPACE "scripts"
enum {
	SAVED_MAX = 1000,         /* scripts of a folder; more are left out */
	SAVED_CODE_MAX = 1 << 20, /* bytes of one */
	SAVED_DEPTH = 8, /* levels of saved scripts that call each other */
	SAVED_RUNS = 64  /* at once, on behalf of one script */
};

typedef struct saved_script {
	const char *path;
	text name; /* of the file, without .js or .ts */
	text code;
	text description;
	json input, output; /* schemas; output empty: not said */
	json defaults;      /* an object */
	unsigned expose;    /* EXPOSE_* */
	bool reads;         /* as far as known, it only calls tools that read */
} saved_script;

typedef struct saved {
	pool pool;
	saved_script *list; /* by name */
	size_t len;
} saved;

/* Reads the folder; NULL: scripts/ beside the configuration of codemode, which
 * may be missing; "none": no folder. A file that cannot be used is reported and
 * left out. False: the named folder cannot be read, which was reported.
 * saved_fini is due in any case. */
bool saved_open(saved *s, const char *folder, say *to);
void saved_fini(saved *s);

/* NULL: there is none of that name. */
const saved_script *saved_find(const saved *s, text name);
cm_tool saved_tool(const saved_script *s);
/* Sets .reads of each script from the tools of all servers. */
void saved_look(saved *s, cm_catalog *cat);
/* Appends the data of a run: args, and the defaults of the parameters that args
 * do not have. */
void saved_data(const saved_script *s, json args, buf *out);

#endif
