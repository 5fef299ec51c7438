/* SPDX-License-Identifier: MIT */
/*
 * credentials.c -- see credentials.h.
 *
 * The command that prints a token runs when the first request needs it, and
 * again when the server refuses what it printed. Requests wait for it; the loop
 * does not.
 */
#include "credentials.h"

#include "oauth/oauth.h"

#include <signal.h>
#include <stdlib.h>

enum {
	TOKEN_MAX = 64 << 10,    /* bytes of what the command prints */
	TOKEN_COMMAND_MS = 30000 /* it may take so long */
};

struct credentials {
	uv_loop_t *loop;
	const server_config *server;
	auth *login; /* NULL: there is none */
	buf header;  /* "Authorization: Bearer x"; empty: none */
	buf refused; /* the header that the server refused */
	/* The headers that server->secrets has: the current one, and the
	 * previous one, which answers may still contain. */
	buf hidden, hidden_before;

	uv_timer_t timer; /* ends waits, and a command that takes too long */
	uv_process_t process;
	uv_pipe_t pipe;
	unsigned handles; /* open or closing */
	bool running;     /* the command */
	bool freed;
	buf printed;
	char chunk[4096];
	int64_t status; /* of the command; -1: a signal ended it */
	unsigned left;  /* of the command: the process and its pipe */

	auth_wait *first; /* that wait */
	bool ok;          /* what they will be told */
	const char *why;
};

static void
free_when_closed(credentials *c)
{
	if (!c->freed || c->handles > 0)
		return;
	buf_fini(&c->header);
	buf_fini(&c->refused);
	buf_fini(&c->hidden);
	buf_fini(&c->hidden_before);
	buf_fini(&c->printed);
	free(c);
}

static void
on_credentials_closed(uv_handle_t *handle)
{
	credentials *c = handle->data;

	c->handles--;
	free_when_closed(c);
}

/* -------------------------------------------------------------------- waits */

static void
end_waits(credentials *c)
{
	auth_wait *w = c->first;

	c->first = NULL;
	while (w) {
		auth_wait *next = w->next;

		w->done(w, c->ok, text_of(c->why));
		w = next;
	}
}

static void
on_waits_due(uv_timer_t *timer)
{
	end_waits(timer->data);
}

/* Tells all that wait, from the loop. */
static void
settle(credentials *c, bool ok, const char *why)
{
	c->ok = ok;
	c->why = why;
	uv_timer_start(&c->timer, on_waits_due, 0, 0);
}

static void
add_wait(credentials *c, auth_wait *w)
{
	w->next = c->first;
	c->first = w;
}

void
credentials_leave(credentials *c, auth_wait *w)
{
	auth_wait **at;

	if (c->login) {
		auth_leave(c->login, w);
		return;
	}
	for (at = &c->first; *at; at = &(*at)->next) {
		if (*at == w) {
			*at = w->next;
			return;
		}
	}
}

/* ------------------------------------------------------------- the command */

static bool
is_bearer_token(text t)
{
	size_t i;

	for (i = 0; i < t.len; i++)
		if (t.ptr[i] < '!' || t.ptr[i] > '~')
			return false;
	return t.len > 0;
}

static void
set_token(credentials *c, text token)
{
	buf_clear(&c->header);
	buf_str(&c->header, "Authorization: Bearer ");
	buf_text(&c->header, token);
}

/* Its process and its output are over. */
static void
end_token_command(credentials *c)
{
	text token = text_trim(buf_view(&c->printed));

	if (--c->left > 0)
		return;
	c->running = false;
	if (c->freed)
		return;
	if (c->status != 0) {
		settle(c, false, "its token command failed");
	} else if (!is_bearer_token(token) || c->printed.bad) {
		settle(c, false, "its token command printed no token");
	} else {
		set_token(c, token);
		if (text_eq(buf_view(&c->header), buf_view(&c->refused)))
			settle(c, false,
			    "it refuses the token that the token command "
			    "prints");
		else
			settle(c, true, "");
	}
	buf_clear(&c->printed);
}

static void
alloc_token(uv_handle_t *handle, size_t hint, uv_buf_t *to)
{
	credentials *c = handle->data;

	(void)hint;
	*to = uv_buf_init(c->chunk, sizeof(c->chunk));
}

static void
on_token_read(uv_stream_t *pipe, ssize_t n, const uv_buf_t *from)
{
	credentials *c = pipe->data;

	if (n > 0)
		buf_add(&c->printed, from->base, (size_t)n);
	if (n >= 0)
		return;
	uv_close((uv_handle_t *)pipe, on_credentials_closed);
	end_token_command(c);
}

static void
on_command_exit(uv_process_t *process, int64_t status, int sig)
{
	credentials *c = process->data;

	c->status = sig ? -1 : status;
	uv_close((uv_handle_t *)process, on_credentials_closed);
	end_token_command(c);
}

static void
on_command_late(uv_timer_t *timer)
{
	credentials *c = timer->data;

	uv_process_kill(&c->process, SIGKILL);
}

static void
start_token_command(credentials *c)
{
	uv_stdio_container_t stdio[3] = {{.flags = UV_IGNORE},
	    {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE,
		.data.stream = (uv_stream_t *)&c->pipe},
	    {.flags = UV_INHERIT_FD, .data.fd = 2}};
	const uv_process_options_t options = {.exit_cb = on_command_exit,
	    .file = c->server->auth.token_command[0],
	    .args = c->server->auth.token_command,
	    .stdio_count = 3,
	    .stdio = stdio};

	uv_pipe_init(c->loop, &c->pipe, 0);
	c->pipe.data = c->process.data = c;
	c->handles += 2;
	c->running = true;
	c->left = 2;
	if (uv_spawn(c->loop, &c->process, &options) != 0) {
		c->running = false;
		uv_close((uv_handle_t *)&c->pipe, on_credentials_closed);
		uv_close((uv_handle_t *)&c->process, on_credentials_closed);
		settle(c, false, "its token command cannot be started");
		return;
	}
	uv_read_start((uv_stream_t *)&c->pipe, alloc_token, on_token_read);
	uv_timer_start(&c->timer, on_command_late, TOKEN_COMMAND_MS, 0);
}

/* ------------------------------------------------------------------ headers */

/* The token of a header, with any scheme. */
static text
token_of_header(const buf *header)
{
	text t = buf_view(header);
	size_t colon = text_find(t, TEXT(": "), 0);
	size_t blank = text_find(t, TEXT(" "), colon + 2);

	return colon == SIZE_MAX || blank == SIZE_MAX
		   ? TEXT_NONE
		   : text_sub(t, blank + 1, t.len);
}

/* Adds the header to the secrets. The current and the previous header are
 * secrets; the one before that is removed. */
static void
hide_header(credentials *c, text header)
{
	const server_secrets *s = c->server->secrets;
	buf last = c->hidden_before;

	if (s == NULL || text_eq(header, buf_view(&c->hidden)))
		return;
	c->hidden_before = c->hidden;
	c->hidden = BUF_INIT(NULL, OAUTH_BODY_MAX);
	buf_text(&c->hidden, header);
	s->learn(s->ctx, token_of_header(&last), token_of_header(&c->hidden));
	buf_fini(&last);
}

static bool
has_header(credentials *c, auth_wait *w, text *header)
{
	if (c->login)
		return auth_header(c->login, w, header);
	*header = buf_view(&c->header);
	if (!c->server->auth.token_command || (header->len > 0 && !c->running))
		return true;
	add_wait(c, w);
	if (!c->running)
		start_token_command(c);
	return false;
}

bool
credentials_header(credentials *c, auth_wait *w, text *header)
{
	bool has = has_header(c, w, header);

	/* A token of the configuration is a secret already. */
	if (has && (c->login || c->server->auth.token_command))
		hide_header(c, *header);
	return has;
}

void
credentials_add_proof(
    credentials *c, text header, const char *method, const char *url, buf *out)
{
	if (c->login)
		auth_add_proof(c->login, header, method, url, out);
}

void
credentials_set_nonce(credentials *c, text nonce)
{
	if (c->login)
		auth_set_nonce(c->login, nonce);
}

void
credentials_challenged(credentials *c, text header, int status,
    text www_authenticate, auth_wait *w)
{
	if (c->login) {
		auth_challenged(c->login, header, status, www_authenticate, w);
		return;
	}
	add_wait(c, w);
	if (!c->server->auth.token_command) {
		settle(c, false,
		    header.len > 0 ? "it refuses the token of the configuration"
				   : "it refuses the request, and no login is "
				     "configured");
	} else if (!text_eq(header, buf_view(&c->header))) {
		if (!c->running) /* there is another token already */
			settle(c, true, "");
	} else if (!c->running) {
		buf_clear(&c->refused);
		buf_text(&c->refused, header);
		start_token_command(c);
	}
}

/* -------------------------------------------------------------------- life */

credentials *
credentials_new(uv_loop_t *loop, const server_config *server)
{
	credentials *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->loop = loop;
	c->server = server;
	c->header = BUF_INIT(NULL, TOKEN_MAX + 64);
	c->refused = BUF_INIT(NULL, TOKEN_MAX + 64);
	c->printed = BUF_INIT(NULL, TOKEN_MAX);
	c->hidden = c->hidden_before = BUF_INIT(NULL, OAUTH_BODY_MAX);
	uv_timer_init(loop, &c->timer);
	c->timer.data = c;
	c->handles = 1;
	if (server->auth.token && is_bearer_token(text_of(server->auth.token)))
		set_token(c, text_of(server->auth.token));
	if (auth_applies(server)) {
		c->login = auth_new(loop, server, NULL);
		if (!c->login) {
			credentials_free(c);
			return NULL;
		}
	}
	return c;
}

void
credentials_free(credentials *c)
{
	if (!c)
		return;
	hide_header(c, TEXT_NONE);
	hide_header(c, TEXT(" "));
	auth_free(c->login);
	c->login = NULL;
	c->first = NULL;
	c->freed = true;
	uv_close((uv_handle_t *)&c->timer, on_credentials_closed);
	if (!c->running)
		return;
	if (!uv_is_closing((uv_handle_t *)&c->process)) {
		uv_process_kill(&c->process, SIGKILL);
		uv_close((uv_handle_t *)&c->process, on_credentials_closed);
	}
	if (!uv_is_closing((uv_handle_t *)&c->pipe))
		uv_close((uv_handle_t *)&c->pipe, on_credentials_closed);
}
