/* SPDX-License-Identifier: MIT */
/*
 * http_serve.c -- clients that come by HTTP: which session a request belongs
 * to, and which stream an answer.
 *
 * Each POST is a channel of a machine (mcp_serve.h). Its response is one JSON
 * object when the answer is all there is to say, and a stream of events from the
 * first notification on, or when the answer takes longer than a beat. A client
 * of the era without greeting that closes the stream cancels the request; one
 * with a session does not, as its revisions want it: it can come back with the id
 * of the last event that it has seen (Last-Event-ID), and gets the rest.
 */
#include "common/monotonic.h"
#include "http_serve_parts.h"
#include "http_serve_stream.h"

#include "mcp/serve_http.h"

#include <sys/random.h>
#include <unistd.h>

enum {
	BODIES_MAX = 64 << 20, /* bytes of requests that are being read */
	CONNECTIONS = 1000,
	RESPONSES_MAX = 256 << 20, /* bytes that clients have not read */
	BEAT_MS = 5000,
	SESSION_BYTES = 16
};

typedef struct client {
	struct client *next;
	char id[2 * SESSION_BYTES +
		1]; /* empty: the shared session of a subject */
	unsigned char
	    subject[TOKEN_DIGEST]; /* a digest of the owner of the session */
	void *owner;               /* the owner of the hooks */
	mcp_server *machine;
	stream *streams;
	uint64_t used_ms; /* when the latest request came or was answered */
} client;

struct http_serve {
	main_loop *loop;
	http_serve_options options;
	http_serve_hooks hooks;
	door *door;
	http_serve_guard guard;
	http_serve_place place; /* address and port on which it listens */
	client *clients;
	size_t sessions; /* how many, without the shared ones */
	uint32_t last_channel;
	uv_timer_t beat;
	bool beat_due, beat_open;
};

/* ---------------------------------------------------------------- clients */

static bool
make_id(char id[2 * SESSION_BYTES + 1])
{
	unsigned char random[SESSION_BYTES];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return false;
	for (size_t i = 0; i < SESSION_BYTES; i++)
		snprintf(id + 2 * i, 3, "%02x", random[i]);
	return true;
}

/* Without OAuth there is one shared client, which is never freed. */
static bool
is_for_all(const client *c)
{
	static const unsigned char no_subject[TOKEN_DIGEST];

	return c->id[0] == '\0' &&
	       memcmp(c->subject, no_subject, TOKEN_DIGEST) == 0;
}

/* NULL: no memory. */
static client *
open_client_of(http_serve *h, const unsigned char *subject, bool shared)
{
	client *c = mem_new(NULL, sizeof(*c));

	if (c == NULL)
		return NULL;
	memcpy(c->subject, subject, TOKEN_DIGEST);
	if ((shared || make_id(c->id)) &&
	    (c->owner = h->hooks.open(h->hooks.ctx, shared)) != NULL) {
		c->machine = h->hooks.machine(c->owner);
		c->used_ms = monotonic_ms();
		c->next = h->clients;
		h->clients = c;
		h->sessions += !is_for_all(c);
		return c;
	}
	mem_free(NULL, c, sizeof(*c));
	return NULL;
}

/* Finds a session of the subject; id "": the one for its requests without a
 * session. Sessions of other subjects are not found. */
static client *
client_of_session(
    const http_serve *h, const unsigned char *subject, const char *id)
{
	client *c = h->clients;

	while (c != NULL && (strcmp(c->id, id) != 0 ||
				memcmp(c->subject, subject, TOKEN_DIGEST) != 0))
		c = c->next;
	return c;
}

/* ---------------------------------------------------------------- streams */

static void
remove_stream(stream *st)
{
	stream **at = &((client *)st->client)->streams;

	while (*at != st)
		at = &(*at)->next;
	*at = st->next;
	stream_free(st);
}

static stream *
stream_of_channel(const client *c, uint32_t channel)
{
	stream *st = c->streams;

	while (st != NULL && st->channel != channel)
		st = st->next;
	return st;
}

/* Brings what the machine says to its streams. */
static void
flush_client(client *c)
{
	mcp_said said;

	while (mcp_server_line(c->machine, &said)) {
		stream *st = stream_of_channel(c, said.channel);

		c->used_ms = monotonic_ms();
		if (st != NULL)
			stream_say(st, &said,
			    mcp_server_waits(c->machine, said.channel) == 0);
		mcp_server_sent(c->machine, said.line.len + 1);
	}
	for (stream *st = c->streams; st != NULL; st = st->next)
		if (st->channel != 0 &&
		    mcp_server_waits(c->machine, st->channel) == 0)
			stream_finish(st);
}

/* NULL: there is no memory, and the visit was refused. */
static stream *
add_stream(client *c, visit *v, uint32_t channel, bool resumable)
{
	stream *st = stream_new(v, channel, c->id, resumable);

	if (st == NULL) {
		http_serve_refuse(v, 500, "Out of memory", NULL, NULL);
		return NULL;
	}
	st->client = c;
	st->next = c->streams;
	c->streams = st;
	return st;
}

static void
close_client_of(http_serve *h, client *c)
{
	client **at = &h->clients;

	while (c->streams != NULL) {
		stream_cut(c->streams);
		remove_stream(c->streams);
	}
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	h->sessions -= !is_for_all(c);
	h->hooks.close(c->owner);
	mem_free(NULL, c, sizeof(*c));
}

/* --------------------------------------------------------------- requests */

static void
refuse_post(visit *v, unsigned status, const buf *body)
{
	door_header headers[REPLY_HEADERS];

	http_serve_headers(v, headers);
	visit_reply(v, status, buf_view(body), headers);
}

/* The session that a header names; NULL: there is none, and the client was
 * told. */
static client *
named_client(const http_serve *h, visit *v, const unsigned char *subject)
{
	const char *id = visit_header(v, "Mcp-Session-Id");
	client *c = id != NULL && id[0] != '\0'
			? client_of_session(h, subject, id)
			: NULL;

	if (id == NULL)
		http_serve_refuse(v, 400,
		    "Bad request: the header Mcp-Session-Id is missing", NULL,
		    NULL);
	else if (c == NULL)
		http_serve_refuse(v, 404, "Session not found", NULL, NULL);
	else
		c->used_ms = monotonic_ms();
	return c;
}

static client *
new_client(http_serve *h, visit *v, const unsigned char *subject, bool shared)
{
	uint64_t most =
	    h->options.sessions != 0 ? h->options.sessions : HTTP_SESSIONS;
	client *c = NULL;

	if (h->sessions >= most && !(shared && h->guard.issuer == NULL))
		http_serve_refuse(v, 503,
		    "Too many sessions (codemode serve --http-sessions)",
		    "Retry-After", "10");
	else if ((c = open_client_of(h, subject, shared)) == NULL)
		http_serve_refuse(v, 500, "Out of memory", NULL, NULL);
	return c;
}

static client *
client_of_post(http_serve *h, visit *v, const unsigned char *subject,
    const serve_post *post)
{
	client *c;

	if (!post->modern)
		return post->initialize ? new_client(h, v, subject, false)
					: named_client(h, v, subject);
	c = client_of_session(h, subject, "");
	if (c == NULL)
		return new_client(h, v, subject, true);
	c->used_ms = monotonic_ms();
	return c;
}

static void
on_post(http_serve *h, visit *v, const unsigned char *subject)
{
	const serve_headers headers = {visit_header(v, "MCP-Protocol-Version"),
	    visit_header(v, "Mcp-Method"), visit_header(v, "Mcp-Name")};
	buf refusal = BUF_INIT(NULL, MCP_ASKED_MAX);
	serve_post post;
	unsigned status =
	    serve_http_check(&headers, buf_view(&v->body), &post, &refusal);
	client *c = NULL;
	stream *st = NULL;

	if (status != 0)
		refuse_post(v, status, &refusal);
	else
		c = client_of_post(h, v, subject, &post);
	buf_fini(&refusal);
	if (c != NULL)
		st = add_stream(c, v, ++h->last_channel, !post.modern);
	if (st == NULL)
		return;
	st->modern = post.modern;
	st->primes = headers.version != NULL &&
		     strcmp(headers.version, "2025-11-25") >= 0 && !st->modern;
	mcp_server_post(c->machine, buf_view(&v->body), st->channel);
	h->hooks.obey(c->owner);
	visit_drop_body(v);
	flush_client(c);
}

/* The stream of which the client has seen the event id last; NULL: none. */
static stream *
stream_to_resume(const client *c, const char *id)
{
	text t = id != NULL ? text_of(id) : TEXT_NONE;
	size_t at = 0;
	uint64_t channel = text_decimal(t, &at);

	if (channel == 0 || channel > UINT32_MAX)
		return NULL;
	return stream_of_channel(c, (uint32_t)channel);
}

/* One such stream a session; a client that comes again may have lost the first. */
static void
begin_general_stream(client *c, visit *v)
{
	stream *st = stream_of_channel(c, 0);

	if (st != NULL) {
		stream_cut(st);
		remove_stream(st);
	}
	if ((st = add_stream(c, v, 0, false)) != NULL)
		stream_beat(st);
}

static void
on_get(http_serve *h, visit *v, const unsigned char *subject)
{
	client *c = named_client(h, v, subject);
	const char *id = visit_header(v, "Last-Event-ID");
	stream *st;

	if (c == NULL)
		return;
	if (!serve_http_accepts(
		visit_header(v, "Accept"), TEXT("text/event-stream")))
		http_serve_refuse(
		    v, 406, "Accept must have text/event-stream", NULL, NULL);
	else if ((st = stream_to_resume(c, id)) != NULL)
		stream_resume(st, v, id);
	else
		begin_general_stream(c, v);
}

static void
on_delete(http_serve *h, visit *v, const unsigned char *subject)
{
	client *c = named_client(h, v, subject);
	door_header headers[REPLY_HEADERS];

	if (c == NULL)
		return;
	close_client_of(h, c);
	http_serve_headers(v, headers);
	headers[3].value = NULL;
	visit_reply(v, 200, TEXT_NONE, headers);
}

static void
on_headers(void *ctx, visit *v)
{
	const http_serve *h = ctx;

	http_serve_admit(&h->guard, v);
	if (v->response == NULL && http_serve_is_method(v, "POST") &&
	    door_unsent(h->door) > RESPONSES_MAX)
		http_serve_refuse(v, 503, "Too many answers were not read yet",
		    "Retry-After", "1");
}

static void
on_visit_request(void *ctx, visit *v)
{
	http_serve *h = ctx;
	const char *version = visit_header(v, "MCP-Protocol-Version");
	unsigned char subject[TOKEN_DIGEST];

	if (!http_serve_subject(&h->guard, v, subject))
		return;
	if (http_serve_is_method(v, "POST"))
		on_post(h, v, subject);
	else if (version != NULL && strcmp(version, MCP_MODERN) == 0)
		http_serve_refuse(v, 405,
		    "There are no sessions in " MCP_MODERN, "Allow", "POST");
	else if (version != NULL && !mcp_server_speaks(text_of(version)))
		http_serve_refuse(v, 400,
		    "Bad request: the version in MCP-Protocol-Version is not "
		    "supported",
		    NULL, NULL);
	else if (http_serve_is_method(v, "GET"))
		on_get(h, v, subject);
	else
		on_delete(h, v, subject);
}

static void
on_visit_over(void *ctx, visit *v)
{
	http_serve *h = ctx;
	stream *st = v->owner;
	client *c = st != NULL ? st->client : NULL;
	uint32_t channel = st != NULL ? st->channel : 0;
	bool cancel = st != NULL && st->modern;

	if (st == NULL)
		return;
	if (!v->complete && stream_can_resume(st)) {
		stream_break(st);
		return;
	}
	remove_stream(st);
	if (!cancel)
		return;
	mcp_server_hang_up(c->machine, channel);
	h->hooks.obey(c->owner);
}

/* ------------------------------------------------------------------- beats */

/* Proxies and clients give up on a response that says nothing for long. */
static void
keep_streams_alive(client *c, uint64_t now)
{
	stream *next;

	for (stream *st = c->streams; st != NULL; st = next) {
		next = st->next;
		if (stream_is_stale(st, now))
			remove_stream(st);
		else if (now - st->last_ms >= BEAT_MS)
			stream_beat(st);
	}
}

static void
end_idle_sessions(http_serve *h, uint64_t now)
{
	uint64_t idle =
	    h->options.idle_ms != 0 ? h->options.idle_ms : HTTP_IDLE_MS;
	client *next;

	for (client *c = h->clients; c != NULL; c = next) {
		next = c->next;
		if (!is_for_all(c) && c->streams == NULL &&
		    mcp_server_pending(c->machine) == 0 &&
		    now - c->used_ms >= idle)
			close_client_of(h, c);
	}
}

static void
on_beat(uv_timer_t *beat)
{
	http_serve *h = beat->data;

	h->beat_due = true;
	main_loop_due(beat->loop);
}

static void
do_beat(http_serve *h)
{
	uint64_t now = monotonic_ms();

	h->beat_due = false;
	for (client *c = h->clients; c != NULL; c = c->next)
		keep_streams_alive(c, now);
	end_idle_sessions(h, now);
}

/* ---------------------------------------------------------- for the owner */

static void
turn_http_serve(http_serve *h)
{
	door_turn(h->door);
	if (h->guard.issuer != NULL && issuer_has_news(h->guard.issuer))
		door_ask_again(h->door);
	for (client *c = h->clients; c != NULL; c = c->next)
		flush_client(c);
	if (h->beat_due)
		do_beat(h);
	door_turn(h->door);
}

static void
on_beat_closed(uv_handle_t *handle)
{
	http_serve *h = handle->data;

	h->beat_open = false;
}

static void
close_http_serve(http_serve *h)
{
	while (h->clients != NULL)
		close_client_of(h, h->clients);
	door_turn(h->door);
	door_close(h->door);
	issuer_close(h->guard.issuer);
	uv_close((uv_handle_t *)&h->beat, on_beat_closed);
	while (h->beat_open)
		uv_run(&h->loop->uv, UV_RUN_ONCE);
	mem_free(NULL, h, sizeof(*h));
}

static void
set_guard(http_serve *h)
{
	const opt_values *names = h->options.names;

	h->guard.token = h->options.token;
	h->guard.names[h->guard.count++] = text_of(h->place.name);
	for (size_t i = 0; i < names->len && h->guard.count < HTTP_SERVE_NAMES;
	     i++)
		h->guard.names[h->guard.count++] =
		    text_of(names->value[i].text);
}

static void
set_beat(http_serve *h)
{
	uint64_t ms = BEAT_MS, idle = h->options.idle_ms;

	if (idle != 0 && idle < 2 * ms)
		ms = idle / 2 + 1;
	uv_timer_init(&h->loop->uv, &h->beat);
	h->beat.data = h;
	h->beat_open = true;
	uv_timer_start(&h->beat, on_beat, ms, ms);
}

/* False: the reason was printed. */
static bool
open_door(http_serve *h, say *s)
{
	const http_serve_options *o = &h->options;
	door_options d = {.body_max = MCP_ASKED_MAX,
	    .bodies_max = BODIES_MAX,
	    .connections = CONNECTIONS};

	d.fd = http_serve_listen(o, &h->place, s);
	if (d.fd < 0)
		return false;
	if (o->oauth.issuer != NULL && (h->guard.issuer = issuer_open(h->loop,
					    o, h->place.url, s)) == NULL) {
		close(d.fd);
		return false;
	}
	h->door = door_open(h->loop, &d,
	    (door_hooks){h, on_headers, on_visit_request, on_visit_over});
	if (h->door == NULL)
		say_line(s, "the HTTP server cannot be set up");
	return h->door != NULL;
}

static http_serve *
open_http_serve(main_loop *l, const http_serve_options *o,
    const http_serve_hooks *hooks, say *s)
{
	http_serve *h = mem_new(NULL, sizeof(*h));

	if (h == NULL) {
		say_line(s, "out of memory");
		return NULL;
	}
	*h = (http_serve){.loop = l, .options = *o, .hooks = *hooks};
	if (!open_door(h, s)) {
		issuer_close(h->guard.issuer);
		mem_free(NULL, h, sizeof(*h));
		return NULL;
	}
	set_guard(h);
	set_beat(h);
	say_line(s, "serving MCP at %s", h->place.url);
	return h;
}

const http_serve_parts http_serve_functions = {
    open_http_serve, turn_http_serve, close_http_serve};
