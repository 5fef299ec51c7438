/* SPDX-License-Identifier: MIT */
/* known.c -- see known.h. */
#include "known.h"

enum known_kind { IS_OURS, IS_GLOBAL, IS_ABSENT, IS_METHOD };

static const struct known_name {
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

/* Its entry of that kind; NULL: there is none. */
static const struct known_name *
find_known(enum known_kind kind, text name)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (known[i].kind == kind &&
		    text_eq(name, text_of(known[i].name)))
			return &known[i];
	return NULL;
}

bool
known_ours(text name)
{
	return find_known(IS_OURS, name) != NULL;
}

bool
known_global(text name)
{
	return known_ours(name) || find_known(IS_GLOBAL, name) != NULL;
}

const char *
known_absent(text name)
{
	const struct known_name *absent = find_known(IS_ABSENT, name);

	return absent ? absent->use : NULL;
}

/* The first letter tells most of them apart. */
static bool
is_method_of(const struct known_name *k, text object)
{
	return k->kind == IS_METHOD && object.len > 0 &&
	       k->use[0] == object.ptr[0] && text_eq(object, text_of(k->use));
}

bool
known_lacks(text object, text method)
{
	bool listed = false;

	for (size_t i = 0; i < KNOWN; i++) {
		if (!is_method_of(&known[i], object))
			continue;
		if (text_eq(method, text_of(known[i].name)))
			return false;
		listed = true;
	}
	return listed;
}

void
known_put_methods(buf *out, text object)
{
	const char *between = "";

	for (size_t i = 0; i < KNOWN; i++) {
		if (!is_method_of(&known[i], object))
			continue;
		buf_printf(out, "%s%s", between, known[i].name);
		between = ", ";
	}
}
