/* SPDX-License-Identifier: MIT */
/*
 * test_oauth_url.c -- which URLs are read, and which may be used.
 */
#include "unit.h"

#include "oauth/oauth_url.h"

static oauth_url
url_of(const char *t)
{
	oauth_url u;
	const char *why = oauth_url_read(text_of(t), &u);

	if (why)
		print_error("%s: %s\n", t, why);
	assert_null(why);
	return u;
}

static void
parts(void **state)
{
	oauth_url u = url_of("https://Example.com:8443/a/b?c=d#e");

	(void)state;
	assert_str(u.origin, "https://Example.com:8443");
	assert_str(u.host, "Example.com");
	assert_str(u.path, "/a/b");
	assert_str(u.query, "c=d");
	assert_str(u.whole, "https://Example.com:8443/a/b?c=d");
	assert_int_equal(u.port, 8443);
	assert_true(u.https);
	u = url_of("http://[::1]");
	assert_str(u.host, "[::1]");
	assert_str(u.path, "");
	assert_int_equal(u.port, 80);
	assert_int_equal(u.reach, REACH_LOOPBACK);
	u = url_of("https://x?q");
	assert_str(u.origin, "https://x");
	assert_str(u.path, "");
	assert_str(u.query, "q");
}

static void
odd_ones_are_refused(void **state)
{
	static const char *const odd[] = {"", "x", "/x", "ftp://x/",
	    "javascript:alert(1)", "file:///etc/passwd", "https://",
	    "https:///x", "https://u@x/", "https://u:p@x/", "https://x:/",
	    "https://x:0/", "https://x:65536/", "https://x:8a/", "https://x y/",
	    "https://x/\n", "https://x\\@y/", "https://[::1/",
	    "https://[::1]x/", "https://[fe80::1%25eth0]/", "http://127.1/",
	    "http://0x7f.0.0.1/", "http://2130706433/", "http://0177.0.0.1/",
	    "http://127.0.0.1.:80x/", "https://x%2ey/",
	    "https://\xc3\xa4.example/", "https://1.2.3.4.5/",
	    "https://256.1.1.1/", "https://1.1.1.0001/", "https://x.9/",
	    "https://9/", "https://0/"};
	oauth_url u;

	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		if (oauth_url_read(text_of(odd[i]), &u) == NULL)
			print_error("read: %s\n", odd[i]);
		assert_non_null(oauth_url_read(text_of(odd[i]), &u));
	}
}

static void
reaches(void **state)
{
	static const struct {
		const char *host;
		oauth_reach reach;
	} known[] = {
	    {"example.com", REACH_PUBLIC},
	    {"8.8.8.8", REACH_PUBLIC},
	    {"172.15.0.1", REACH_PUBLIC},
	    {"172.32.0.1", REACH_PUBLIC},
	    {"192.167.0.1", REACH_PUBLIC},
	    {"1.168.0.1", REACH_PUBLIC},
	    {"100.63.0.1", REACH_PUBLIC},
	    {"100.128.0.1", REACH_PUBLIC},
	    {"1.64.0.1", REACH_PUBLIC},
	    {"1.254.0.1", REACH_PUBLIC},
	    {"169.253.0.1", REACH_PUBLIC},
	    {"223.255.255.255", REACH_PUBLIC},
	    {"localhost.example", REACH_PUBLIC},
	    {"internal", REACH_PUBLIC},
	    {"[3fff::1]", REACH_PUBLIC},
	    {"[2606:4700::1111]", REACH_PUBLIC},
	    {"localhost", REACH_LOOPBACK},
	    {"LOCALHOST.", REACH_LOOPBACK},
	    {"a.localhost", REACH_LOOPBACK},
	    {"127.0.0.1", REACH_LOOPBACK},
	    {"127.255.0.9", REACH_LOOPBACK},
	    {"0.0.0.0", REACH_LOOPBACK},
	    {"[::1]", REACH_LOOPBACK},
	    {"[::ffff:127.0.0.1]", REACH_LOOPBACK},
	    {"10.1.2.3", REACH_PRIVATE},
	    {"172.16.0.1", REACH_PRIVATE},
	    {"172.31.0.1", REACH_PRIVATE},
	    {"192.168.1.1", REACH_PRIVATE},
	    {"100.64.0.1", REACH_PRIVATE},
	    {"[fd00::1]", REACH_PRIVATE},
	    {"metadata.google.internal", REACH_PRIVATE},
	    {"printer.local", REACH_PRIVATE},
	    {"169.254.169.254", REACH_LINK_LOCAL},
	    {"224.0.0.1", REACH_LINK_LOCAL},
	    {"[fe80::1]", REACH_LINK_LOCAL},
	    {"[::]", REACH_LINK_LOCAL},
	    {"[4000::1]", REACH_LINK_LOCAL},
	    {"[2::1]", REACH_LINK_LOCAL},
	    {"[ff02::1]", REACH_LINK_LOCAL},
	    {"[::7f00:1]", REACH_LINK_LOCAL},
	    {"[64:ff9b::7f00:1]", REACH_LINK_LOCAL},
	    {"[2002:7f00:1::]", REACH_LINK_LOCAL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		char url[100];

		snprintf(url, sizeof(url), "https://%s/", known[i].host);
		if (url_of(url).reach != known[i].reach)
			print_error("%s\n", url);
		assert_int_equal(url_of(url).reach, known[i].reach);
	}
}

static void
what_a_server_may_name(void **state)
{
	oauth_url public = url_of("https://mcp.example/mcp");
	oauth_url here = url_of("http://localhost:3000/mcp");
	oauth_url inside = url_of("https://10.0.0.1/mcp");
	oauth_url u;

	(void)state;
	u = url_of("https://login.example/");
	assert_null(oauth_url_refused(&u, &public));
	assert_null(oauth_url_refused(&u, &here));
	u = url_of("http://login.example/");
	assert_non_null(oauth_url_refused(&u, &public));
	assert_non_null(oauth_url_refused(&u, &here));
	u = url_of("http://127.0.0.1:9/");
	assert_non_null(oauth_url_refused(&u, &public));
	assert_non_null(oauth_url_refused(&u, &inside));
	assert_null(oauth_url_refused(&u, &here));
	u = url_of("https://169.254.169.254/");
	assert_non_null(oauth_url_refused(&u, &public));
	assert_non_null(oauth_url_refused(&u, &here));
	assert_non_null(oauth_url_refused(&u, &inside));
	u = url_of("https://10.9.9.9/");
	assert_non_null(oauth_url_refused(&u, &public));
	assert_null(oauth_url_refused(&u, &inside));
}

static bool
below(const char *inner, const char *outer)
{
	oauth_url a = url_of(inner), b = url_of(outer);

	return oauth_url_below(&a, &b);
}

static void
paths_below(void **state)
{
	(void)state;
	assert_true(below("https://x/mcp", "https://x/mcp"));
	assert_true(below("https://x/mcp", "https://X:443/"));
	assert_true(below("https://x/mcp", "https://x"));
	assert_true(below("https://x/mcp/", "https://x/mcp"));
	assert_true(below("https://x/mcp", "https://x/mcp/"));
	assert_true(below("https://x/a/b", "https://x/a"));
	assert_false(below("https://x/ab", "https://x/a"));
	assert_false(below("https://x/a", "https://x/a/b"));
	assert_false(below("https://x/mcp", "https://y/mcp"));
	assert_false(below("https://x/mcp", "http://x:443/mcp"));
	assert_false(below("https://x:1/mcp", "https://x:2/mcp"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(parts),
	    cmocka_unit_test(odd_ones_are_refused),
	    cmocka_unit_test(reaches),
	    cmocka_unit_test(what_a_server_may_name),
	    cmocka_unit_test(paths_below),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
