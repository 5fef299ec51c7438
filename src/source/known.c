/* SPDX-License-Identifier: MIT */
/* known.c -- see known.h. */
#include "known.h"

enum known_kind { IS_OURS, IS_GLOBAL, IS_ABSENT, IS_METHOD };

static const struct {
	enum known_kind kind;
	const char *name, *use; /* of a method: its object */
} known[] = {
#define OURS(name)        {IS_OURS, #name, NULL},
#define GLOBAL(name)      {IS_GLOBAL, #name, NULL},
#define ABSENT(name, use) {IS_ABSENT, #name, use},
#define METHOD(of, name)  {IS_METHOD, #name, #of},
#include "known.def"
#undef OURS
#undef GLOBAL
#undef ABSENT
#undef METHOD
};

enum { KNOWN = sizeof(known) / sizeof(*known) };

bool
known_ours(text name)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (known[i].kind == IS_OURS &&
		    text_eq(name, text_of(known[i].name)))
			return true;
	return false;
}

bool
known_global(text name)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (known[i].kind <= IS_GLOBAL &&
		    text_eq(name, text_of(known[i].name)))
			return true;
	return false;
}

const char *
known_absent(text name)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (known[i].kind == IS_ABSENT &&
		    text_eq(name, text_of(known[i].name)))
			return known[i].use;
	return NULL;
}

bool
known_lacks(text object, text method)
{
	bool listed = false;

	for (size_t i = 0; i < KNOWN; i++) {
		if (known[i].kind != IS_METHOD ||
		    !text_eq(object, text_of(known[i].use)))
			continue;
		if (text_eq(method, text_of(known[i].name)))
			return false;
		listed = true;
	}
	return listed;
}

const char *
known_methods(text object)
{
	return text_eq(object, TEXT("console"))
		   ? "log, info, warn, error and debug"
		   : "sleep, race, all and map";
}
