/* SPDX-License-Identifier: MIT */
/*
 * test_http_url.c -- which URLs are of one origin, which addresses are of an
 * internal network, and what is shown of a URL.
 */
#include "../unit/unit.h"

#include "http.h"
#include "http_url.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <time.h>

static void
one_origin(void **state)
{
	static const char *const same[][2] = {
	    {"http://a.b/x", "http://a.b:80/y?q#f"},
	    {"https://A.b/", "https://a.B:443"},
	    {"http://[::1]:80/", "http://[::1]/x"},
	    {"http://u:p@a.b/", "http://a.b/"},
	    {"unix:///run/s#/a", "unix:///run/s#/b"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		assert_true(http_same_origin(same[i][0], same[i][1]));
}

static void
two_origins(void **state)
{
	static const char *const differ[][2] = {
	    {"http://a.b/", "https://a.b/"},
	    {"http://a.b/", "http://a.b:81/"},
	    {"http://a.b/", "http://a.c/"},
	    {"http://a.b/", "http://a.b.c/"},
	    {"http://a.b/", "http://a.b@c/"},
	    {"http://a.b/", "http://c/?http://a.b/"},
	    {"http://localhost/", "unix:///run/s#/"},
	    {"unix:///run/s#/", "unix:///run/t#/"},
	    {"http://a.b/", "nonsense"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(differ) / sizeof(differ[0]); i++) {
		assert_false(http_same_origin(differ[i][0], differ[i][1]));
		assert_false(http_same_origin(differ[i][1], differ[i][0]));
	}
}

static bool
is_internal(const char *address)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};

	if (inet_pton(AF_INET, address, &v4.sin_addr) == 1)
		return address_reach((struct sockaddr *)&v4) != REACH_PUBLIC;
	assert_int_equal(inet_pton(AF_INET6, address, &v6.sin6_addr), 1);
	return address_reach((struct sockaddr *)&v6) != REACH_PUBLIC;
}

static void
internal_addresses(void **state)
{
	static const char *const internal[] = {"0.0.0.0", "10.1.2.3",
	    "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254",
	    "172.16.0.1", "172.31.255.255", "192.168.1.1", "198.18.0.1",
	    "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1",
	    "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
	    "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "::127.0.0.1"};
	static const char *const outside[] = {"1.1.1.1", "9.255.255.255",
	    "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.0.0.1",
	    "172.15.0.1", "172.32.0.1", "192.167.0.1", "223.255.255.255",
	    "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::808:808",
	    "2002:101:101::"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(internal) / sizeof(internal[0]); i++)
		assert_true(is_internal(internal[i]));
	for (i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
		assert_false(is_internal(outside[i]));
}

static void
this_machine(void **state)
{
	(void)state;
	assert_true(http_is_loopback("http://localhost:1/"));
	assert_true(http_is_loopback("http://LOCALHOST/"));
	assert_true(http_is_loopback("http://a.localhost/"));
	assert_true(http_is_loopback("http://127.0.0.9/"));
	assert_true(http_is_loopback("http://[::1]/"));
	assert_true(http_is_loopback("unix:///run/s#/"));
	assert_false(http_is_loopback("http://localhost.example/"));
	assert_false(http_is_loopback("http://128.0.0.1/"));
	assert_false(http_is_loopback("http://127.0.0.1.example/"));
	assert_false(http_is_loopback("http://[::2]/"));
	assert_false(http_is_loopback("nonsense"));
}

static void
shows(const char *url, const char *want)
{
	buf out = BUF_INIT(NULL, 1000);

	http_printable(url, &out);
	assert_str(buf_view(&out), want);
	buf_fini(&out);
}

static void
what_is_shown_has_no_secrets(void **state)
{
	(void)state;
	shows("https://u:p@a.b:8/c/d?key=1#f", "https://a.b:8/c/d");
	shows("http://a.b", "http://a.b/");
	shows("unix:///run/s#/x", "unix:///run/s#/x");
}

static void
resolves(const char *base, const char *reference, const char *want)
{
	buf out = BUF_INIT(NULL, 1000);
	bool ok = http_resolve(base, text_of(reference), &out);

	assert_int_equal(ok, want != NULL);
	if (want)
		assert_str(buf_view(&out), want);
	buf_fini(&out);
}

static void
references(void **state)
{
	(void)state;
	resolves("http://a.b/x/sse", "/m?s=1", "http://a.b/m?s=1");
	resolves("http://a.b/x/sse", "m", "http://a.b/x/m");
	resolves("http://a.b/x/sse", "https://c/", "https://c/");
	resolves("http://a.b/x/sse", "//c/y", "http://c/y");
	resolves("unix:///run/s#/sse", "/m", "unix:///run/s#/m");
	resolves("unix:///run/s#/sse", "http://c/", NULL);
}

static void
headers_of_one_name(void **state)
{
	text head = TEXT("A: 1\nab: x\nB:2\na:  3 \nA1: y\n");
	buf out = BUF_INIT(NULL, 1000);

	(void)state;
	assert_str(http_header(head, "a", &out), "1, 3");
	assert_str(http_header(head, "B", &out), "2");
	assert_str(http_header(head, "c", &out), "");
	buf_fini(&out);
}

static void
times_to_wait(void **state)
{
	char line[100];
	time_t soon = time(NULL) + 100;
	uint64_t ms;

	(void)state;
	assert_true(http_retry_after(TEXT("retry-after: 7\n"), &ms));
	assert_int_equal(ms, 7000);
	strftime(line, sizeof(line), "Retry-After: %a, %d %b %Y %H:%M:%S GMT\n",
	    gmtime(&soon));
	assert_true(http_retry_after(text_of(line), &ms));
	assert_in_range(ms, 50000, 100000);
	assert_true(http_retry_after(
	    TEXT("Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\n"), &ms));
	assert_int_equal(ms, 0);
	assert_false(http_retry_after(TEXT("Retry-After: soon\n"), &ms));
	assert_false(http_retry_after(TEXT("Retry-After:\n"), &ms));
	assert_false(http_retry_after(TEXT("A: 1\n"), &ms));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_origin),
	    cmocka_unit_test(two_origins),
	    cmocka_unit_test(internal_addresses),
	    cmocka_unit_test(this_machine),
	    cmocka_unit_test(what_is_shown_has_no_secrets),
	    cmocka_unit_test(references),
	    cmocka_unit_test(headers_of_one_name),
	    cmocka_unit_test(times_to_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
