/* SPDX-License-Identifier: MIT */
/*
 * mcp_client.c -- fuzz target: a server that says anything at any time. Each
 * call is answered once at most, and at the end all are; what we say is JSON in
 * lines; the machine never asks for time that is over.
 */
#include "fuzz.h"

#include "mcp/client.h"

enum { CALLS = 8 };

/* One run: the machine, and which calls are open. */
typedef struct play {
	mcp_client *c;
	uint64_t now;
	uint64_t id; /* of the latest request that was sent */
	bool open[CALLS];
	bool down;
} play;

static void
take_said(play *p)
{
	text said = mcp_client_out(p->c), line;
	size_t len = said.len;
	buf headers = BUF_INIT(NULL, 1 << 20);
	json v;

	HOLDS(len == 0 || text_ends(said, TEXT("\n")));
	while (text_line(&said, &line)) {
		mcp_line what = mcp_client_line_kind(p->c, line);

		HOLDS(json_check(line, JSON_DEPTH, &v, NULL));
		mcp_client_headers(p->c, line, &headers);
		if (what.kind == MCP_LINE_REQUEST)
			p->id = what.id;
	}
	buf_fini(&headers);
	mcp_client_sent(p->c, len);
}

static void
take_events(play *p)
{
	mcp_event e;

	while (mcp_client_next(p->c, &e)) {
		HOLDS(
		    !p->down || e.kind == MCP_ANSWER || e.kind == MCP_WARNING);
		if (e.kind == MCP_DOWN)
			p->down = true;
		if (e.kind == MCP_ASKED && (e.asked & 1))
			mcp_client_answer(p->c, e.asked, TEXT("{}"), TEXT_NONE);
		if (e.kind != MCP_ANSWER)
			continue;
		HOLDS(e.call < CALLS && p->open[e.call]);
		HOLDS(e.answer.ok || e.answer.message.len > 0);
		if (e.answer.ok)
			HOLDS(json_check(
			    e.answer.value, UINT32_MAX, &(json){0}, NULL));
		p->open[e.call] = false;
	}
	take_said(p);
}

static void
feed_text(play *p, text t)
{
	while (t.len) {
		size_t n;
		char *room = mcp_client_room(p->c, &n);

		HOLDS(room != NULL);
		n = n < t.len ? n : t.len;
		memcpy(room, t.ptr, n);
		mcp_client_fed(p->c, n);
		take_events(p);
		t = text_sub(t, n, t.len);
	}
}

/* "@" stands for the id of the request that was sent last. */
static void
feed_reply(play *p, text t)
{
	buf line = BUF_INIT(NULL, 1 << 20);
	size_t i;

	for (i = 0; i < t.len; i++) {
		if (t.ptr[i] == '@')
			buf_printf(&line, "%llu", (unsigned long long)p->id);
		else
			buf_byte(&line, t.ptr[i]);
	}
	buf_byte(&line, '\n');
	feed_text(p, buf_view(&line));
	buf_fini(&line);
}

static void
begin_one(play *p, text *in)
{
	unsigned what = fuzz_byte(in);
	uint32_t call = what % CALLS;
	cm_status r;

	r = what & 64 ? mcp_client_read(p->c, call, TEXT("x:"), 0)
		      : mcp_client_call(p->c, call,
			    what & 32 ? TEXT("b") : TEXT("a"), TEXT("{}"), 0);
	HOLDS((r == CM_OK) == !p->open[call]);
	p->open[call] = true;
}

static void
fail_one(play *p, text *in)
{
	const mcp_failure why = {
	    (int)fuzz_byte(in) * 2, fuzz_text(in), TEXT("it failed")};

	mcp_client_failed(p->c, p->id, &why);
}

static void
step(play *p, text *in)
{
	unsigned call;

	switch (fuzz_byte(in) % 8) {
	case 0:
	case 1:
		feed_reply(p, fuzz_text(in));
		break;
	case 2:
		feed_text(p, fuzz_text(in));
		break;
	case 3:
		begin_one(p, in);
		break;
	case 4:
		p->now += fuzz_byte(in) * 40u;
		mcp_client_tick(p->c, p->now);
		break;
	case 5:
		call = fuzz_byte(in) % CALLS;
		mcp_client_cancel(p->c, call, TEXT_NONE);
		p->open[call] = false;
		break;
	case 6:
		fail_one(p, in);
		break;
	case 7:
		mcp_client_again(p->c);
		break;
	}
	take_events(p);
}

/* Lists of an earlier program may be anything; what is taken of them is written
 * and taken again the same. */
static void
recall_lists(text in)
{
	mcp_client *c = mcp_client_recall(in), *again;
	buf first = BUF_INIT(NULL, 1 << 20), second = first;

	if (c == NULL)
		return;
	mcp_client_write_lists(c, &first);
	again = mcp_client_recall(buf_view(&first));
	HOLDS(again != NULL && mcp_client_out(c).len == 0);
	mcp_client_write_lists(again, &second);
	HOLDS(text_eq(buf_view(&first), buf_view(&second)));
	buf_fini(&first);
	buf_fini(&second);
	mcp_client_free(again);
	mcp_client_free(c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text in = {(const char *)bytes, len};
	unsigned flags = fuzz_byte(&in);
	const mcp_client_options opts = {.era = (mcp_era)(flags % 3),
	    .over_http = flags & 8,
	    .offers = flags >> 4};
	play p = {.c = mcp_client_new(&opts)};
	uint32_t i;

	recall_lists(in);
	take_events(&p);
	while (in.len)
		step(&p, &in);
	mcp_client_close(p.c, TEXT("end"));
	take_events(&p);
	HOLDS(p.down);
	for (i = 0; i < CALLS; i++)
		HOLDS(!p.open[i]);
	mcp_client_free(p.c);
	return 0;
}
