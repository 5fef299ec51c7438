/* SPDX-License-Identifier: MIT */
/*
 * search_query.c -- documents are scored against a question.
 *
 * Each word of the question counts once: of its forms the one that a document
 * has the most of. Then a document gains by the part of its name that the
 * question names, and loses by the words of the question that it does not have.
 */
#include "search_asked.h"

/* Chosen by half of test/search/questions.txt, in 1/WHOLE. */
enum {
	NAMED = 228,  /* gain of a tool whose whole name is asked for */
	READS = 40,   /* gain of a tool that only reads */
	FLOOR = 100,  /* of a score, with none of the question's words */
	ENOUGH = 110, /* of what is asked, in the best document */
	TAIL = 60,    /* the same, in each hit */
	WEAK = 16 /* a hit's score is at least the best divided by so much */
};

enum {
	LONG = 4,       /* rare words: a question that has more is a long one */
	EXACT = 1 << 30 /* the score of a tool that is asked for by its name */
};

/* What a document has of the question. */
typedef struct tally {
	uint32_t score;
	uint32_t covered; /* of the mass */
	uint32_t named;   /* factors of the words that its name has */
	uint32_t exact;   /* words that its name or its server's has as asked */

	/* Of the word that is looked at. */
	uint32_t best;         /* score */
	uint16_t factor;       /* of a form that it has somewhere */
	uint16_t named_factor; /* of a form that its name has */
	bool is_exact;
} tally;

typedef struct scoring {
	const search_index *s;
	question asked;
	tally *tally; /* of documents first to first + n - 1 */
	size_t first, n;
} scoring;

/* The first of a stem's postings that is of a document of the query. */
static const posting *
first_posting(const scoring *q, const stem *t)
{
	const posting *p = q->s->posting + t->from;
	size_t low = 0, high = t->len;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (p[middle].doc < q->first)
			low = middle + 1;
		else
			high = middle;
	}
	return p + low;
}

static void
tally_posting(tally *d, const posting *p, uint32_t rarity, uint32_t factor)
{
	uint32_t score =
	    (uint32_t)((uint64_t)rarity * p->weight * factor / WHOLE / 16);

	if (score > d->best)
		d->best = score;
	if (factor > d->factor)
		d->factor = (uint16_t)factor;
	if ((p->named & NAMED_TOOL) && factor > d->named_factor)
		d->named_factor = (uint16_t)factor;
	if (p->named != 0 && factor == WHOLE)
		d->is_exact = true;
}

static void
close_word(tally *d, uint32_t mass)
{
	d->score += d->best;
	d->covered += mass * d->factor / WHOLE;
	d->named += d->named_factor;
	d->exact += d->is_exact;
	d->best = 0;
	d->factor = d->named_factor = 0;
	d->is_exact = false;
}

/* A form is as rare as it is, but not rarer than the word that was written: a
 * rare word for a common thing must not win. closes: adds up what the forms of
 * the word gave, in the documents that have this one. */
static void
tally_form(scoring *q, const asked *a, const form *f, bool closes)
{
	const stem *t = &q->s->stem[f->stem];
	const posting *end = q->s->posting + t->from + t->len;
	uint32_t rarity = t->rarity;

	if (is_asked_as_written(a) && a->mass < rarity)
		rarity = a->mass;
	for (const posting *p = first_posting(q, t);
	     p < end && p->doc < q->first + q->n; p++) {
		tally *d = &q->tally[p->doc - q->first];

		if (closes)
			close_word(d, a->mass);
		else
			tally_posting(d, p, rarity, f->factor);
	}
}

static void
tally_word(scoring *q, const asked *a)
{
	for (unsigned k = 0; k < a->forms; k++)
		tally_form(q, a, &a->form[k], false);
	for (unsigned k = 0; k < a->forms; k++)
		tally_form(q, a, &a->form[k], true);
}

/* What a document is held against. Nothing has most words of a question of
 * several sentences: a few rare ones are enough. */
static uint64_t
counted_mass(const scoring *q)
{
	uint64_t few = (uint64_t)LONG * q->s->rarest;

	return q->asked.mass < few ? q->asked.mass : few;
}

/* The score of a document; 0: it has too little of the question. */
static uint32_t
judge_doc(const scoring *q, size_t i)
{
	const tally *d = &q->tally[i];
	uint64_t mass = q->asked.mass, score = d->score;
	uint32_t words = q->s->names[q->first + i];

	if ((uint64_t)d->covered * WHOLE < counted_mass(q) * TAIL)
		return 0;
	score = score *
		(FLOOR + (WHOLE - FLOOR) * (uint64_t)d->covered / mass) / WHOLE;
	if (words > 0)
		score += score * NAMED * d->named / words / WHOLE / WHOLE;
	if (q->s->reads[q->first + i])
		score += score * READS / WHOLE;
	if (words > 0 && d->named == words * WHOLE && d->exact == q->asked.len)
		score += EXACT;
	return score < UINT32_MAX ? (uint32_t)score : UINT32_MAX;
}

/* ----------------------------------------------------------------- the best */

static bool
is_better(search_hit a, search_hit b)
{
	return a.score > b.score || (a.score == b.score && a.doc < b.doc);
}

/* Keeps the best `limit` in out, in order. */
static void
place_hit(search_hit hit, search_hit *out, size_t limit, size_t *found)
{
	size_t i = *found;

	if (i == limit && (limit == 0 || !is_better(hit, out[i - 1])))
		return;
	if (i < limit)
		(*found)++;
	else
		i--;
	for (; i > 0 && is_better(hit, out[i - 1]); i--)
		out[i] = out[i - 1];
	out[i] = hit;
}

/* Does some document have enough of what is asked? */
static bool
is_answered(const scoring *q)
{
	uint64_t most = 0, enough = counted_mass(q) * ENOUGH;

	for (size_t i = 0; i < q->n; i++)
		if (q->tally[i].covered > most)
			most = q->tally[i].covered;
	return most * WHOLE >= enough;
}

static void
take_best(const scoring *q, search_hit *out, size_t limit, size_t *found)
{
	for (size_t i = 0; i < q->n; i++) {
		search_hit hit = {(uint32_t)(q->first + i), 0};

		if (q->tally[i].score > 0)
			hit.score = judge_doc(q, i);
		if (hit.score > 0)
			place_hit(hit, out, limit, found);
	}
	while (*found > 0 &&
	       out[*found - 1].score % EXACT < out[0].score % EXACT / WEAK)
		(*found)--;
}

static void
list_docs(size_t first, size_t n, search_hit *out, size_t limit, size_t *found)
{
	for (; *found < n && *found < limit; (*found)++)
		out[*found] = (search_hit){(uint32_t)(first + *found), 0};
}

cm_status
search_query(const search_index *s, text words, size_t first, size_t n,
    search_hit *out, size_t limit, size_t *found)
{
	scoring q = {.s = s, .first = first, .n = n};

	*found = 0;
	if (text_trim(words).len == 0)
		list_docs(first, n, out, limit, found);
	ask_question(s, words, &q.asked);
	if (q.asked.mass == 0 || n == 0)
		return CM_OK;
	q.tally = mem_new(&s->alloc, n * sizeof(*q.tally));
	if (q.tally == NULL)
		return CM_ENOMEM;
	for (unsigned i = 0; i < q.asked.len; i++)
		tally_word(&q, &q.asked.asked[i]);
	if (is_answered(&q))
		take_best(&q, out, limit, found);
	mem_free(&s->alloc, q.tally, n * sizeof(*q.tally));
	return CM_OK;
}
