/* SPDX-License-Identifier: MIT */
/*
 * http_serve_listen.c -- the socket of `serve --http`.
 *
 * Scripts can do whatever the servers behind them can, so an address that other
 * machines reach needs a token, unless the caller says otherwise.
 */
#include "http_serve_parts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <unistd.h>

enum { BACKLOG = 128, ADDRESS_MAX = 256 };

/* "host:port", "[host]:port", ":port" or "port" in its parts. False: it is none
 * of these. */
static bool
split_address(const char *address, char *host, const char **port)
{
	const char *colon = strrchr(address, ':');
	size_t len = colon != NULL ? (size_t)(colon - address) : 0;
	const char *begin = address;

	*port = colon != NULL ? colon + 1 : address;
	if (len >= 2 && *begin == '[' && begin[len - 1] == ']') {
		begin++;
		len -= 2;
	} else if (memchr(begin, ':', len) != NULL) {
		return false;
	}
	if (len >= ADDRESS_MAX || **port == '\0' ||
	    strspn(*port, "0123456789") != strlen(*port))
		return false;
	memcpy(host, begin, len);
	host[len] = '\0';
	if (len == 0 || strcmp(host, "localhost") == 0)
		strcpy(host, "127.0.0.1");
	return true;
}

static bool
is_loopback(const struct sockaddr *a)
{
	const struct sockaddr_in *four = (const void *)a;
	const struct sockaddr_in6 *six = (const void *)a;

	if (a->sa_family == AF_INET)
		return ntohl(four->sin_addr.s_addr) >> 24 == 127;
	return a->sa_family == AF_INET6 &&
	       IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

static int
listen_at(const struct addrinfo *a)
{
	const int on = 1;
	int fd = socket(
	    a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, a->ai_addr, a->ai_addrlen) == 0 &&
	    listen(fd, BACKLOG) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Sets the address on which it listens, with the port that it got. */
static void
read_place(int fd, http_serve_place *place)
{
	struct sockaddr_storage at;
	socklen_t len = sizeof(at);
	char host[NI_MAXHOST] = "", port[NI_MAXSERV] = "";

	getsockname(fd, (struct sockaddr *)&at, &len);
	getnameinfo((struct sockaddr *)&at, len, host, sizeof(host), port,
	    sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(place->name, sizeof(place->name),
	    at.ss_family == AF_INET6 ? "[%.60s]" : "%.60s", host);
	snprintf(place->url, sizeof(place->url), "http://%s:%.8s/mcp",
	    place->name, port);
}

int
http_serve_listen(const http_serve_options *o, http_serve_place *place, say *s)
{
	const struct addrinfo hints = {
	    .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
	struct addrinfo *found = NULL;
	char host[ADDRESS_MAX];
	const char *port;
	int fd = -1, r;

	if (!split_address(o->address, host, &port)) {
		say_line(s,
		    "--http %s: write ADDRESS:PORT, for example "
		    "127.0.0.1:8080 or [::1]:8080",
		    o->address);
		return -1;
	}
	r = getaddrinfo(host, port, &hints, &found);
	if (r != 0)
		say_line(s, "--http %s: %s", o->address, gai_strerror(r));
	else if (!is_loopback(found->ai_addr) && o->token == NULL &&
		 o->oauth.issuer == NULL && !o->open)
		say_line(s,
		    "--http %s: other machines can reach this address, "
		    "so a token is needed: --http-token-file FILE, "
		    "CODEMODE_HTTP_TOKEN, or --oauth-issuer URL; --http-open "
		    "does without",
		    o->address);
	else if ((fd = listen_at(found)) < 0)
		say_line(s, "--http %s: %s", o->address, strerror(errno));
	else
		read_place(fd, place);
	if (found != NULL)
		freeaddrinfo(found);
	return fd;
}
