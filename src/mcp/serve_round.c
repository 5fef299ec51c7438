/* SPDX-License-Identifier: MIT */
/*
 * serve_round.c -- questions to a client of the era without greeting.
 *
 * Such a client cannot be sent a request. The call is answered with the
 * question (resultType "input_required") and a state, a random word. The client
 * asks its person and makes the call again, with the answers and the state. For
 * the owner it stays one call: between the two requests it is parked, and its
 * result is kept.
 *
 * 	call ─► open ── mcp_server_ask ──► parked ── the call again ──► open
 * 	                                     └─ an answer is kept for that
 */
#include "base/map.h"
#include "serve_machine.h"

#include <stdio.h>

enum {
	STATE_BYTES = 16,
	STATE_MAX = 2 * STATE_BYTES,
	ASKS_MAX = 16,            /* of one request at a time */
	KEPT_ANSWERS = 16,        /* of all requests */
	ROUND_MAX_BYTES = 8 << 20 /* of questions */
};

struct serve_round {
	bool parked;
	char state[STATE_MAX];
	uint64_t arguments;       /* hash of those of the call */
	uint32_t asked[ASKS_MAX]; /* numbers of questions without an answer */
	size_t asks;
	size_t told;  /* how many of .asked the client has */
	buf requests; /* the others, as members of inputRequests */
	buf kept;     /* the answer, as members of a result; or empty */
};

static uint64_t
hash_of_call(json params)
{
	return text_hash(json_get(params, TEXT("arguments")), 0);
}

/* NULL: no memory. */
serve_round *
serve_round_new(mcp_server *s, json params)
{
	serve_round *round = mem_new(s->alloc, sizeof(*round));

	if (round == NULL)
		return NULL;
	*round = (serve_round){.arguments = hash_of_call(params),
	    .requests = BUF_INIT(s->alloc, ROUND_MAX_BYTES),
	    .kept = BUF_INIT(s->alloc, SIZE_MAX / 2)};
	return round;
}

void
serve_round_free(mcp_server *s, serve_round *round)
{
	if (round == NULL)
		return;
	buf_fini(&round->requests);
	buf_fini(&round->kept);
	mem_free(s->alloc, round, sizeof(*round));
}

bool
serve_is_parked(const request *r)
{
	return r->round != NULL && r->round->parked;
}

/* ------------------------------------------------------------------ parking */

static void
make_state(mcp_server *s, serve_round *round)
{
	unsigned char bytes[STATE_BYTES];

	s->random(bytes, sizeof(bytes));
	for (size_t i = 0; i < STATE_BYTES; i++) {
		round->state[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		round->state[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
}

/* Answers the request with the questions that it has. */
static void
park(mcp_server *s, request *r)
{
	serve_round *round = r->round;
	buf b = BUF_INIT(s->alloc, ROUND_MAX_BYTES + 1024);

	make_state(s, round);
	buf_str(&b, "\"resultType\":\"input_required\",\"inputRequests\":{");
	buf_text(&b, buf_view(&round->requests));
	buf_printf(&b, "},\"requestState\":\"%.*s\"", STATE_MAX, round->state);
	s->to = r->from;
	if (b.bad != CM_OK ||
	    serve_say_members(s, serve_id(r), true, buf_view(&b)) != CM_OK)
		serve_say_error(s, serve_id(r), SERVE_BROKEN,
		    TEXT("There is no room for the question"));
	s->to = (serve_where){0, 0};
	r->from = (serve_where){0, 0};
	round->parked = true;
	round->told = round->asks;
	buf_clear(&round->requests);
	buf_fini(&b);
}

uint32_t
serve_round_ask(mcp_server *s, request *r, const char *method, json params)
{
	serve_round *round = r->round;
	size_t before;

	if (s->random == NULL || round == NULL || round->asks == ASKS_MAX)
		return 0;
	before = round->requests.len;
	buf_printf(&round->requests,
	    "%s\"%u\":{\"method\":\"%s\",\"params\":", before > 0 ? "," : "",
	    s->last_asked + 1, method);
	buf_text(&round->requests, params);
	buf_byte(&round->requests, '}');
	if (round->requests.bad != CM_OK) {
		buf_clear(&round->requests);
		return 0;
	}
	round->asked[round->asks++] = ++s->last_asked;
	if (!round->parked)
		park(s, r);
	return s->last_asked;
}

/* Drops the oldest kept answer when there are too many. */
static void
drop_oldest_kept(mcp_server *s)
{
	size_t n = 0, oldest = s->len;

	for (size_t i = s->len; i-- > 0;) {
		if (!serve_is_parked(&s->open[i]) ||
		    s->open[i].round->kept.len == 0)
			continue;
		n++;
		oldest = i;
	}
	if (n > KEPT_ANSWERS)
		serve_drop(s, &s->open[oldest]);
}

cm_status
serve_round_keep(mcp_server *s, request *r, text members)
{
	buf *kept = &r->round->kept;

	buf_text(kept, members);
	if (kept->bad != CM_OK) {
		serve_drop(s, r);
		return CM_ENOMEM;
	}
	drop_oldest_kept(s);
	return CM_OK;
}

/* ------------------------------------------------------------ the call again */

static request *
parked_with(mcp_server *s, json state)
{
	text word = text_sub(state, 1, state.len - 1);

	if (json_kind_of(state) != JSON_STRING || word.len != STATE_MAX)
		return NULL;
	for (size_t i = 0; i < s->len; i++)
		if (serve_is_parked(&s->open[i]) &&
		    memcmp(s->open[i].round->state, word.ptr, STATE_MAX) == 0)
			return &s->open[i];
	return NULL;
}

/* Gives r the id and the reply path of the new request, and frees the new
 * entry. False: no room, and the client was told. */
static request *
take_place(mcp_server *s, uint32_t number, const asking *a)
{
	request *now = serve_open(s, a, REQUEST_CALL), *r, old;
	uint32_t entry;

	if (now == NULL)
		return NULL;
	entry = now->number;
	r = serve_numbered(s, number);
	old = *r;
	r->words = now->words;
	r->id_len = now->id_len;
	r->token_len = now->token_len;
	r->from = now->from;
	r->level = now->level;
	r->progress = -1;
	now->words = old.words;
	now->id_len = old.id_len;
	now->token_len = old.token_len;
	serve_drop(s, serve_numbered(s, entry));
	return serve_numbered(s, number);
}

serve_again
serve_round_again(mcp_server *s, const asking *a)
{
	json state = json_get(a->params, TEXT("requestState"));
	request *r = a->modern ? parked_with(s, state) : NULL;

	/* Without rounds of the machine the state is its owner's. */
	if (!a->modern || !json_present(state) || s->random == NULL)
		return SERVE_ANOTHER;
	if (r == NULL) {
		serve_say_error(s, a->id, SERVE_BAD_PARAMS,
		    TEXT("Invalid params: nothing waits with this "
			 "requestState"));
		return SERVE_AGAIN;
	}
	if (r->round->arguments != hash_of_call(a->params))
		return SERVE_ANOTHER; /* another script: a call of its own */
	r = take_place(s, r->number, a);
	if (r == NULL)
		return SERVE_AGAIN;
	r->round->parked = false;
	s->answering = r->number;
	s->responses = json_get(a->params, TEXT("inputResponses"));
	return SERVE_AGAIN;
}

/* All answers were passed on: send a kept answer or new questions. */
static void
end_round(mcp_server *s, request *r)
{
	s->answering = 0;
	if (r->round->kept.len > 0) {
		s->to = r->from;
		serve_say_members(
		    s, serve_id(r), true, buf_view(&r->round->kept));
		s->to = (serve_where){s->posted_channel, 0};
		serve_drop(s, r);
	} else if (r->round->asks > 0) {
		park(s, r);
	}
}

bool
serve_round_next(mcp_server *s, mcp_asked *out)
{
	request *r = s->answering ? serve_numbered(s, s->answering) : NULL;
	serve_round *round;
	char key[16];

	if (r == NULL) {
		s->answering = 0;
		return false;
	}
	round = r->round;
	if (round->told == 0) {
		end_round(s, r);
		return false;
	}
	snprintf(key, sizeof(key), "%u", round->asked[0]);
	*out = (mcp_asked){.kind = MCP_ASKED_REPLY,
	    .request = round->asked[0],
	    .result = json_get(s->responses, text_of(key))};
	round->asks--;
	round->told--;
	memmove(round->asked, round->asked + 1,
	    round->asks * sizeof(*round->asked));
	return true;
}
