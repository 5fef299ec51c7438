/* SPDX-License-Identifier: MIT */
/* known.c -- see known.h. */
#include "known.h"

static const char *const ours[] = {
#define OURS(name) #name,
#define GLOBAL(name)
#define ABSENT(name, use)
#define METHOD(of, name)
#include "known.def"
#undef OURS
#undef GLOBAL
#undef ABSENT
#undef METHOD
    NULL};

static const char *const globals[] = {
#define OURS(name)
#define GLOBAL(name) #name,
#define ABSENT(name, use)
#define METHOD(of, name)
#include "known.def"
#undef OURS
#undef GLOBAL
#undef ABSENT
#undef METHOD
    NULL};

static const struct {
	const char *name, *use;
} absent[] = {
#define OURS(name)
#define GLOBAL(name)
#define ABSENT(name, use) {#name, use},
#define METHOD(of, name)
#include "known.def"
#undef OURS
#undef GLOBAL
#undef ABSENT
#undef METHOD
};

static const struct {
	const char *of, *name;
} methods[] = {
#define OURS(name)
#define GLOBAL(name)
#define ABSENT(name, use)
#define METHOD(of, name) {#of, #name},
#include "known.def"
#undef OURS
#undef GLOBAL
#undef ABSENT
#undef METHOD
};

static bool
is_in(const char *const *list, text name)
{
	for (; *list; list++)
		if (text_eq(name, text_of(*list)))
			return true;
	return false;
}

bool
known_ours(text name)
{
	return is_in(ours, name);
}

bool
known_global(text name)
{
	return is_in(ours, name) || is_in(globals, name);
}

const char *
known_absent(text name)
{
	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++)
		if (text_eq(name, text_of(absent[i].name)))
			return absent[i].use;
	return NULL;
}

bool
known_lacks(text object, text method)
{
	bool listed = false;

	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
		if (!text_eq(object, text_of(methods[i].of)))
			continue;
		if (text_eq(method, text_of(methods[i].name)))
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
