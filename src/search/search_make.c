/* SPDX-License-Identifier: MIT */
/*
 * search_make.c -- an index is made: the words of each tool are read, field by
 * field.
 */
#include "search_make.h"

enum {
	HEAD_BYTES = 240,     /* of a first sentence */
	NESTED_MAX = 5,       /* levels of a schema */
	TEXTS_MAX = 64 << 20, /* bytes of all different words */
	STRING_MAX = 1 << 20  /* bytes of a string of a schema */
};

/* ------------------------------------------------------- words and stems */

uint32_t
letter_mask(text t)
{
	uint32_t mask = 0;

	for (size_t i = 0; i < t.len; i++) {
		char c = t.ptr[i];

		mask |= c >= 'a' && c <= 'z' ? UINT32_C(1) << (c - 'a')
					     : UINT32_C(1) << 26;
	}
	return mask;
}

static const char *const noise[] = {
#define NOISE(words) words,
#define SHORT(word, words)
#define ALIKE(percent, words)
#include "search_words.def"
#undef NOISE
#undef SHORT
#undef ALIKE
};

static const struct short_form {
	text word, stands_for;
} short_forms[] = {
#define NOISE(words)
#define SHORT(word, words) {TEXT_INIT(word), TEXT_INIT(words)},
#define ALIKE(percent, words)
#include "search_words.def"
#undef NOISE
#undef SHORT
#undef ALIKE
};

static const struct alike_words {
	uint16_t percent;
	const char *words;
} alike_words[] = {
#define NOISE(words)
#define SHORT(word, words)
#define ALIKE(percent, words) {percent, words},
#include "search_words.def"
#undef NOISE
#undef SHORT
#undef ALIKE
};

text
words_for(text t)
{
	for (size_t i = 0; i < sizeof(short_forms) / sizeof(*short_forms); i++)
		if (text_eq(short_forms[i].word, t))
			return short_forms[i].stands_for;
	return TEXT_NONE;
}

static text
keep_word(making *m, text t)
{
	char *at = arena_take(&m->s->made, t.len);

	if (at == NULL) {
		m->bad = m->s->made.bad;
		return TEXT_NONE;
	}
	memcpy(at, t.ptr, t.len);
	return (text){at, t.len};
}

/* The number of the stem of a word; 0 without memory. */
static uint32_t
enter_stem(making *m, word w)
{
	search_index *s = m->s;
	uint32_t found;
	text kept;

	word_stem(&w);
	found = map_get(&s->stems, word_text(&w));
	if (found != MAP_NONE)
		return found;
	kept = keep_word(m, word_text(&w));
	if (kept.ptr == NULL)
		return 0;
	if (!mem_grow(&s->alloc, (void **)&s->stem, &s->stem_cap, s->stem_len,
		sizeof(*s->stem)) ||
	    map_set(&s->stems, kept, (uint32_t)s->stem_len) != CM_OK) {
		m->bad = CM_ENOMEM;
		return 0;
	}
	s->stem[s->stem_len] = (stem){.last = UINT32_MAX};
	return (uint32_t)s->stem_len++;
}

static void
enter_spelling(making *m, text t, uint32_t of)
{
	search_index *s = m->s;

	if (!mem_grow(&s->alloc, (void **)&s->spelling, &s->spelling_cap,
		s->spelling_len, sizeof(*s->spelling)) ||
	    map_set(&s->spellings, t, (uint32_t)s->spelling_len) != CM_OK)
		m->bad = CM_ENOMEM;
	else
		s->spelling[s->spelling_len++] =
		    (spelling){t, of, letter_mask(t)};
}

static uint32_t
enter_word(making *m, const word *w)
{
	uint32_t of = enter_stem(m, *w);
	text kept = m->bad == CM_OK ? keep_word(m, word_text(w)) : TEXT_NONE;

	if (kept.ptr != NULL)
		enter_spelling(m, kept, of);
	return of;
}

/* The stem of a word, STEM_NOISE or STEM_SHORT. Most words have been seen
 * lately: the map's hash, which is safe against chosen words, is slow. */
static uint32_t
stem_of_word(making *m, const word *w)
{
	search_index *s = m->s;
	uint32_t *seen = &m->seen[text_hash(word_text(w), 0) % SEEN];
	uint32_t found = *seen;

	if (found < s->spelling_len &&
	    text_eq(s->spelling[found].text, word_text(w)))
		return s->spelling[found].stem;
	found = map_get(&s->spellings, word_text(w));
	if (found == MAP_NONE)
		return enter_word(m, w);
	*seen = found;
	return s->spelling[found].stem;
}

static void
enter_fixed_words(making *m)
{
	word w;

	for (size_t i = 0; i < sizeof(noise) / sizeof(*noise); i++) {
		word_reader r = {.src = text_of(noise[i])};

		while (m->bad == CM_OK && search_word_next(&r, &w))
			enter_spelling(
			    m, text_sub(r.src, r.at - w.len, r.at), STEM_NOISE);
	}
	for (size_t i = 0; i < sizeof(short_forms) / sizeof(*short_forms); i++)
		if (m->bad == CM_OK)
			enter_spelling(m, short_forms[i].word, STEM_SHORT);
}

/* They have stems even where no document has the word: a question may. */
static void
enter_alike(making *m, uint16_t group)
{
	search_index *s = m->s;
	word_reader r = {.src = text_of(alike_words[group].words)};
	word w;

	while (m->bad == CM_OK && search_word_next(&r, &w)) {
		uint32_t of = enter_stem(m, w);

		if (!mem_grow(&s->alloc, (void **)&s->alike, &s->alike_cap,
			s->alike_len, sizeof(*s->alike)))
			m->bad = CM_ENOMEM;
		else
			s->alike[s->alike_len++] =
			    (alike){of, group, alike_words[group].percent};
	}
}

/* ------------------------------------------------------------- documents */

static void
count_entry(making *m, uint32_t of, search_field field)
{
	stem *t = &m->s->stem[of];
	unsigned shift = field * TIMES_BITS;
	entry *e;

	if (t->last == UINT32_MAX || t->last < m->first) {
		if (!mem_grow(&m->s->alloc, (void **)&m->entry, &m->cap, m->len,
			sizeof(*m->entry))) {
			m->bad = CM_ENOMEM;
			return;
		}
		t->last = (uint32_t)m->len;
		t->len++;
		m->entry[m->len++] = (entry){of, m->doc, 0};
	}
	e = &m->entry[t->last];
	if ((e->times >> shift & TIMES_MAX) < TIMES_MAX)
		e->times += UINT32_C(1) << shift;
}

static void read_field(making *m, text t, search_field field, bool whole);

static void
read_word(making *m, const word *w, search_field field, bool joined)
{
	uint32_t of = stem_of_word(m, w);
	size_t before = m->len;

	m->words++;
	if (of == STEM_SHORT)
		read_field(m, words_for(word_text(w)), field, false);
	if (m->bad != CM_OK || of == STEM_SHORT || of == STEM_NOISE)
		return;
	count_entry(m, of, field);
	if (joined)
		return;
	m->length[m->doc].words[field]++;
	if (field == FIELD_NAME && m->len > before &&
	    m->s->names[m->doc] < UINT8_MAX)
		m->s->names[m->doc]++;
}

static void
read_field(making *m, text t, search_field field, bool whole)
{
	word_reader r = {.src = t, .whole = whole};
	word w;

	while (m->bad == CM_OK && m->words < SEARCH_TOOL_WORDS &&
	       search_word_next(&r, &w))
		read_word(m, &w, field, r.joined);
}

static void
read_json_text(making *m, json string, search_field field, bool whole)
{
	if (json_kind_of(string) != JSON_STRING)
		return;
	buf_clear(&m->unescaped);
	json_unescape(string, &m->unescaped);
	read_field(m, buf_view(&m->unescaped), field, whole);
}

static bool
is_key(json key, const char *name)
{
	return json_is(key, text_of(name));
}

static void
read_strings(making *m, json list)
{
	json_iter it = json_each(list);
	json v;

	while (json_next(&it, NULL, &v))
		read_json_text(m, v, FIELD_ABOUT, false);
}

static void read_schema(making *m, json schema, unsigned level);

static void
read_parameters(making *m, json properties, unsigned level)
{
	json_iter it = json_each(properties);
	json key, v;

	while (m->bad == CM_OK && json_next(&it, &key, &v)) {
		read_json_text(m, key, FIELD_PARAM, true);
		read_schema(m, v, level + 1);
	}
}

static void
read_choices(making *m, json list, unsigned level)
{
	json_iter it = json_each(list);
	json v;

	while (json_next(&it, NULL, &v))
		read_schema(m, v, level + 1);
}

static void
read_schema(making *m, json schema, unsigned level)
{
	json_iter it = json_each(schema);
	json key, v;

	if (level > NESTED_MAX || json_kind_of(schema) != JSON_OBJECT)
		return;
	while (m->bad == CM_OK && m->words < SEARCH_TOOL_WORDS &&
	       json_next(&it, &key, &v)) {
		if (is_key(key, "properties"))
			read_parameters(m, v, level);
		else if (is_key(key, "description"))
			read_json_text(m, v, FIELD_ABOUT, false);
		else if (is_key(key, "enum"))
			read_strings(m, v);
		else if (is_key(key, "items"))
			read_schema(m, v, level + 1);
		else if (is_key(key, "anyOf") || is_key(key, "oneOf") ||
			 is_key(key, "allOf"))
			read_choices(m, v, level);
	}
}

/* Where the first sentence ends. */
static size_t
head_end(text t)
{
	size_t line = text_find(t, TEXT("\n"), 0);
	size_t sentence = text_find(t, TEXT(". "), 0);
	size_t end = line < sentence ? line : sentence;

	return end < t.len ? end : text_head(t, HEAD_BYTES).len;
}

static void
read_doc(making *m, search_doc d)
{
	text about = text_trim(d.description);
	size_t head = head_end(about);

	m->first = m->len;
	m->words = 0;
	m->s->reads[m->doc] = d.reads;
	read_field(m, d.name, FIELD_NAME, true);
	read_field(m, d.space, FIELD_SPACE, true);
	read_field(m, text_sub(about, 0, head), FIELD_HEAD, false);
	read_schema(m, d.input, 0);
	read_field(m, text_sub(about, head, about.len), FIELD_BODY, false);
	for (int f = 0; f < FIELDS; f++)
		m->total[f] += m->length[m->doc].words[f];
}

/* ---------------------------------------------------------- the whole index */

static void
make_index(making *m, search_doc_at *at, const void *docs, size_t n)
{
	enter_fixed_words(m);
	for (size_t i = 0; i < sizeof(alike_words) / sizeof(*alike_words); i++)
		enter_alike(m, (uint16_t)i);
	for (size_t i = 0; i < n && m->bad == CM_OK; i++) {
		m->doc = (uint32_t)i;
		read_doc(m, at(docs, i));
	}
	if (m->bad == CM_OK)
		weigh_entries(m);
}

cm_status
search_new(const cm_alloc *alloc, search_doc_at *at, const void *docs, size_t n,
    search_index **out)
{
	search_index *s = mem_new(alloc, sizeof(*s));
	making m = {.s = s, .unescaped = BUF_INIT(alloc, STRING_MAX)};

	if (s == NULL)
		return CM_ENOMEM;
	s->alloc = alloc != NULL ? *alloc : mem_system;
	s->docs = n;
	s->made = ARENA_INIT(&s->alloc, TEXTS_MAX);
	s->spellings = s->stems = MAP_INIT(&s->alloc);
	s->names = mem_new(&s->alloc, n + 1);
	s->reads = mem_new(&s->alloc, n + 1);
	m.length = mem_new(&s->alloc, (n + 1) * sizeof(*m.length));
	if (s->names == NULL || s->reads == NULL || m.length == NULL)
		m.bad = CM_ENOMEM;
	else
		make_index(&m, at, docs, n);
	mem_free(&s->alloc, m.length, (n + 1) * sizeof(*m.length));
	mem_free(&s->alloc, m.entry, m.cap * sizeof(*m.entry));
	buf_fini(&m.unescaped);
	if (m.bad == CM_OK)
		*out = s;
	else
		search_free(s);
	return m.bad;
}

void
search_free(search_index *s)
{
	cm_alloc a;

	if (s == NULL)
		return;
	a = s->alloc;
	mem_free(&a, s->names, s->docs + 1);
	mem_free(&a, s->reads, s->docs + 1);
	mem_free(&a, s->posting, (s->posting_len + 1) * sizeof(*s->posting));
	mem_free(&a, s->stem, s->stem_cap * sizeof(*s->stem));
	mem_free(&a, s->spelling, s->spelling_cap * sizeof(*s->spelling));
	mem_free(&a, s->alike, s->alike_cap * sizeof(*s->alike));
	map_fini(&s->spellings);
	map_fini(&s->stems);
	arena_fini(&s->made);
	mem_free(&a, s, sizeof(*s));
}
