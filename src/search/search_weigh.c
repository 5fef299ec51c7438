/* SPDX-License-Identifier: MIT */
/*
 * search_weigh.c -- what a word counts in a document.
 *
 * The weights are those of BM25F: how often the word stands in each field, times
 * what the field counts, against how long the field is for one of its kind. All
 * numbers are integers, so that the order is the same on every machine.
 */
#include "search_make.h"

/* What a word in a field counts, and how much the length of the field takes off
 * that; both in 1/256. Chosen by half of test/search/questions.txt. */
static const struct {
	uint16_t weight;
	uint16_t by_length;
} fields[FIELDS] = {
    [FIELD_NAME] = {1328, 248},
    [FIELD_SPACE] = {1888, 0},
    [FIELD_HEAD] = {688, 200},
    [FIELD_BODY] = {184, 256},
    [FIELD_PARAM] = {96, 184},
    [FIELD_ABOUT] = {112, 24},
};

enum {
	FULL = 4096, /* the weight that no document reaches */
	HALF = 1032  /* a sum of fields that gives half of it, in 1/256 */
};

/* log2(of / part) in 1/256, for of >= part > 0. */
static uint32_t
log2_of(uint64_t of, uint64_t part)
{
	uint64_t x = (of << 24) / part; /* 24 bits behind the point */
	uint32_t whole = 0, fraction = 0;

	for (; x >= UINT64_C(2) << 24; x >>= 1)
		whole++;
	for (int i = 0; i < 8; i++) {
		x = x * x >> 24;
		fraction <<= 1;
		if (x >= UINT64_C(2) << 24) {
			x >>= 1;
			fraction |= 1;
		}
	}
	return whole << 8 | fraction;
}

/* What a word counts that stands so often in a field, in 1/256. */
static uint64_t
field_weight(const making *m, const entry *e, int f)
{
	uint64_t times = e->times >> (f * TIMES_BITS) & TIMES_MAX;
	uint64_t words = m->length[e->doc].words[f];
	uint64_t off = fields[f].by_length, norm;

	if (times == 0)
		return 0;
	if (f == FIELD_NAME)
		times = 1;
	norm = 256 - off + off * words * m->s->docs / (m->total[f] + 1);
	return times * fields[f].weight * 256 / (norm + 1);
}

static posting
weigh_entry(const making *m, const entry *e)
{
	posting p = {.doc = e->doc};
	uint64_t sum = 0;

	for (int f = 0; f < FIELDS; f++)
		sum += field_weight(m, e, f);
	p.weight = (uint16_t)(FULL * sum / (sum + HALF));
	if (e->times >> (FIELD_NAME * TIMES_BITS) & TIMES_MAX)
		p.named |= NAMED_TOOL;
	if (e->times >> (FIELD_SPACE * TIMES_BITS) & TIMES_MAX)
		p.named |= NAMED_SPACE;
	return p;
}

/* Gives each stem its place among the postings. */
static void
place_stems(search_index *s)
{
	uint32_t from = 0;

	for (size_t i = 0; i < s->stem_len; i++) {
		stem *t = &s->stem[i];

		t->from = t->last = from;
		from += t->len;
		t->rarity = log2_of(2 * s->docs + 2, 2 * t->len + 1);
	}
	s->rarest = log2_of(2 * s->docs + 2, 3);
}

void
weigh_entries(making *m)
{
	search_index *s = m->s;

	s->posting = mem_new(&s->alloc, (m->len + 1) * sizeof(*s->posting));
	if (s->posting == NULL) {
		m->bad = CM_ENOMEM;
		return;
	}
	s->posting_len = m->len;
	place_stems(s);
	for (size_t i = 0; i < m->len; i++)
		s->posting[s->stem[m->entry[i].stem].last++] =
		    weigh_entry(m, &m->entry[i]);
}
