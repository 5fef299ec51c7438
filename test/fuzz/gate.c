/* SPDX-License-Identifier: MIT */
/*
 * gate.c -- fuzz target: the gate. No sequence of messages gets more through
 * than the limits say, and what gets through is what it has to be.
 */
#include "fuzz.h"

#include "base/json.h"
#include "gate/gate.h"

static const gate_limits limits = {.tools = 3,
    .calls = 20,
    .output = 100,
    .items = 8,
    .value = 60,
    .args = 40};

static said
next_message(text *in)
{
	said m = {.kind = (said_kind)(fuzz_byte(in) % (SAID_KINDS + 1))};

	switch (m.kind) {
#define N32(member, field) m.u.member.field = (uint32_t)fuzz_number(in);
#define N64(member, field) m.u.member.field = fuzz_number(in);
#define TXT(member, field) m.u.member.field = fuzz_text(in);
#define SAID(KIND, member, most, about, fields) \
	case SAID_##KIND:                       \
		fields break;
#include "gate/said.def"
#undef SAID
#undef N32
#undef N64
#undef TXT
	case SAID_KINDS:
		break;
	}
	return m;
}

static bool
is_value(text t)
{
	json v;

	return json_check(t, GATE_DEPTH, &v, NULL) && text_eq(v, t);
}

static void
look_at_writes(json writes)
{
	json_iter it = json_each(writes);
	json entry;

	HOLDS(json_kind_of(writes) == JSON_ARRAY);
	while (json_next(&it, NULL, &entry))
		HOLDS(json_kind_of(json_at(entry, 0)) == JSON_STRING);
}

/* What may be said of a message that passed. */
static void
look_at(const said *m)
{
	switch (m->kind) {
	case SAID_CALL:
		HOLDS(m->u.call.tool < limits.tools);
		HOLDS(m->u.call.args.len == 0 || is_value(m->u.call.args));
		break;
	case SAID_PRINT:
		HOLDS(utf8_bad(m->u.print.text) == SIZE_MAX);
		HOLDS(m->u.print.kind <= PRINT_RESOURCE);
		break;
	case SAID_SITES:
		HOLDS(is_value(m->u.sites.json));
		break;
	case SAID_WARN:
		HOLDS(is_value(m->u.warn.json));
		break;
	case SAID_DONE:
		HOLDS(m->u.done.value.len == 0 || is_value(m->u.done.value));
		look_at_writes(m->u.done.writes);
		break;
	case SAID_FAIL:
		HOLDS(is_value(m->u.fail.json));
		break;
	case SAID_GROUP:
		HOLDS(is_value(m->u.group.calls));
		HOLDS(json_len(m->u.group.calls) > 0);
		break;
	case SAID_PREPARED:
	case SAID_CANCEL:
	case SAID_TIMER:
	case SAID_CLEAR:
	case SAID_UNSEEN:
	case SAID_OBSERVED:
	case SAID_KINDS:
		break;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text in = {(const char *)bytes, len};
	bool ended = false;
	verdict v;
	gate g;

	gate_init(&g, &limits);
	while (in.len > 0) {
		said m = next_message(&in);
		gate_answer a = gate_check(&g, &m, &v);

		HOLDS((a == GATE_REFUSED || a == GATE_BROKEN) ==
		      (v.code != NULL));
		HOLDS(!ended || a == GATE_BROKEN);
		if (a == GATE_PASS)
			look_at(&m);
		ended = ended || (a == GATE_PASS && (m.kind == SAID_DONE ||
							m.kind == SAID_FAIL));
		HOLDS(g.ended == ended);
		HOLDS(g.calls <= limits.calls && g.output <= limits.output);
		HOLDS(g.items <= limits.items);
		HOLDS(g.grouped <= g.calls);
		HOLDS(g.args <= limits.args * GATE_ARGS);
		HOLDS(g.timers - g.timers_over <= GATE_TIMERS);
	}
	return 0;
}
