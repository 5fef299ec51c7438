/* SPDX-License-Identifier: MIT */
/*
 * search_asked.c -- a question is read: each word of it, and the forms that it
 * may have in a document.
 *
 * These are the word itself, words that are alike (ALIKE), two words for one
 * and one for two, and, for a word that no document has, what it was mistyped
 * for.
 */
#include "search_asked.h"

#include "base/distance.h"
#include "base/nearest.h"

/* Chosen by half of test/search/questions.txt, in 1/WHOLE. */
enum {
	SLIP = 120,   /* a word that was mistyped */
	JOINED = 200, /* two words that documents write as one */
	HALF = 128,   /* each half of a word that documents write as two */
	UNKNOWN = 190 /* what a word that no document has says, against one that
	                 a single document has */
};

enum {
	SLIP_MIN = 4,     /* bytes of a word that may have a slip */
	SLIP_TWO_MIN = 7, /* that may have two */
	HALF_MIN = 3      /* bytes of each half of a word that is taken apart */
};

static bool
is_in_use(const search_index *s, uint32_t of)
{
	return of < s->stem_len && s->stem[of].len > 0;
}

static void
add_word_form(asked *a, uint32_t of, uint32_t factor)
{
	for (unsigned i = 0; i < a->forms; i++)
		if (a->form[i].stem == of) {
			if (a->form[i].factor < factor)
				a->form[i].factor = factor;
			return;
		}
	if (a->forms < FORMS_MAX)
		a->form[a->forms++] = (form){of, factor};
}

/* The stem of a word that some document has or ALIKE lists; STEM_NOISE,
 * STEM_SHORT or MAP_NONE. */
static uint32_t
known_stem(const search_index *s, word w)
{
	uint32_t of = map_get(&s->spellings, word_text(&w));

	if (of != MAP_NONE)
		return s->spelling[of].stem;
	word_stem(&w);
	return map_get(&s->stems, word_text(&w));
}

/* ------------------------------------------------------------------ forms */

static void
add_group(const search_index *s, asked *a, uint32_t of, uint16_t group)
{
	for (size_t i = 0; i < s->alike_len; i++) {
		const alike *other = &s->alike[i];

		if (other->group == group && other->stem != of &&
		    is_in_use(s, other->stem))
			add_word_form(a, other->stem,
			    (uint32_t)other->percent * WHOLE / 100);
	}
}

static void
add_alike(const search_index *s, asked *a, uint32_t of)
{
	for (size_t i = 0; i < s->alike_len; i++)
		if (s->alike[i].stem == of)
			add_group(s, a, of, s->alike[i].group);
}

static uint32_t
count_bits(uint32_t x)
{
	uint32_t n = 0;

	for (; x != 0; x &= x - 1)
		n++;
	return n;
}

/* Can at most so many slips lie between them? Cheap, and never wrong with no. */
static bool
may_be_near(const spelling *p, text w, uint32_t mask, size_t most)
{
	return p->stem < STEM_SHORT && p->text.len + most >= w.len &&
	       w.len + most >= p->text.len && p->text.ptr[0] == w.ptr[0] &&
	       count_bits(p->mask ^ mask) <= 2 * most;
}

/* Adds all words of the index that are nearest to the word, if any is near. */
static void
add_mistyped(const search_index *s, asked *a)
{
	text w = word_text(&a->word);
	size_t most = w.len < SLIP_MIN ? 0 : w.len < SLIP_TWO_MIN ? 1 : 2;
	uint32_t mask = letter_mask(w);

	for (size_t i = 0; most > 0 && i < s->spelling_len; i++) {
		const spelling *p = &s->spelling[i];
		size_t d = most + 1;

		if (may_be_near(p, w, mask, most))
			d = text_distance(w, p->text, most);
		if (d > most)
			continue;
		if (d < most)
			a->forms = 0;
		most = d;
		add_word_form(a, p->stem, SLIP);
	}
}

/* "localstorage" for documents that write "local storage". */
static void
add_halves(const search_index *s, asked *a)
{
	text w = word_text(&a->word);

	for (size_t i = HALF_MIN; i + HALF_MIN <= w.len && a->forms == 0; i++) {
		word left = {.len = i}, right = {.len = w.len - i};
		uint32_t l, r;

		memcpy(left.bytes, w.ptr, i);
		memcpy(right.bytes, w.ptr + i, w.len - i);
		l = known_stem(s, left);
		r = known_stem(s, right);
		if (!is_in_use(s, l) || !is_in_use(s, r))
			continue;
		add_word_form(a, l, HALF);
		add_word_form(a, r, HALF);
	}
}

/* "local storage" for documents that write "localstorage". */
static void
add_neighbours(const search_index *s, asked *a, asked *b)
{
	word both = a->word;
	uint32_t of;

	if (both.len + b->word.len > WORD_MAX)
		return;
	memcpy(both.bytes + both.len, b->word.bytes, b->word.len);
	both.len += b->word.len;
	of = known_stem(s, both);
	if (!is_in_use(s, of))
		return;
	add_word_form(a, of, JOINED);
	add_word_form(b, of, JOINED);
}

/* ------------------------------------------------------------------ words */

static bool
question_has(const question *q, const word *w)
{
	for (unsigned i = 0; i < q->len; i++)
		if (text_eq(word_text(&q->asked[i].word), word_text(w)))
			return true;
	return false;
}

static void ask_words(const search_index *s, text words, question *q);

static void
ask_word(const search_index *s, const word *w, question *q)
{
	uint32_t of = known_stem(s, *w);
	asked *a;

	if (of == STEM_SHORT)
		ask_words(s, words_for(word_text(w)), q);
	if (of == STEM_SHORT || of == STEM_NOISE ||
	    q->len == SEARCH_QUERY_WORDS || question_has(q, w))
		return;
	a = &q->asked[q->len++];
	a->word = *w;
	a->forms = 0;
	if (is_in_use(s, of))
		add_word_form(a, of, WHOLE);
	if (of != MAP_NONE)
		add_alike(s, a, of);
	if (a->forms == 0)
		add_halves(s, a);
	if (a->forms == 0)
		add_mistyped(s, a);
}

static void
ask_words(const search_index *s, text words, question *q)
{
	word_reader r = {.src = words};
	word w;

	while (search_word_next(&r, &w))
		ask_word(s, &w, q);
}

bool
is_asked_as_written(const asked *a)
{
	return a->forms > 0 && a->form[0].factor == WHOLE;
}

/* A word says as much as it is rare; one that no document has, as its most
 * common form. */
static uint32_t
mass_of_word(const search_index *s, const asked *a)
{
	uint32_t least = UINT32_MAX;

	if (a->forms == 0)
		return s->rarest * UNKNOWN / WHOLE;
	if (is_asked_as_written(a))
		return s->stem[a->form[0].stem].rarity;
	for (unsigned k = 0; k < a->forms; k++)
		if (s->stem[a->form[k].stem].rarity < least)
			least = s->stem[a->form[k].stem].rarity;
	return least;
}

void
ask_question(const search_index *s, text words, question *q)
{
	ask_words(s, text_head(words, SEARCH_QUERY_BYTES), q);
	for (unsigned i = 0; i + 1 < q->len; i++)
		add_neighbours(s, &q->asked[i], &q->asked[i + 1]);
	for (unsigned i = 0; i < q->len; i++) {
		q->asked[i].mass = mass_of_word(s, &q->asked[i]);
		q->mass += q->asked[i].mass;
	}
}

/* ---------------------------------------------------------- nearest words */

static text
spelling_at(const void *names, size_t i)
{
	const search_index *s = names;

	return s->spelling[i].stem < STEM_SHORT ? s->spelling[i].text
						: TEXT_NONE;
}

void
search_nearest_words(const search_index *s, text words, buf *out)
{
	enum { LOOKED_AT = 4 }; /* each takes a pass over all words */
	word_reader r = {.src = text_head(words, SEARCH_QUERY_BYTES)};
	size_t near[NEAREST_MAX], n, from = out->len;
	word w;

	for (int i = 0; i < LOOKED_AT && search_word_next(&r, &w); i++) {
		if (is_in_use(s, known_stem(s, w)))
			continue;
		n = nearest(
		    word_text(&w), spelling_at, s, s->spelling_len, near);
		for (size_t k = 0; k < n; k++) {
			buf_str(out, out->len > from ? ", " : "");
			buf_text(out, s->spelling[near[k]].text);
		}
	}
}
