/* SPDX-License-Identifier: MIT */
/*
 * test_search.c -- which tools fit a question, word by word. How well that does
 * for many questions and tools is measured in test/search.
 */
#include "unit.h"

#include "search/search.h"
#include "search/search_words.h"

/* ------------------------------------------------------------------ words */

static void
words_are(const char *written, bool whole, const char *want)
{
	word_reader r = {.src = text_of(written), .whole = whole};
	buf got = BUF_INIT(NULL, 1000);
	word w;

	while (search_word_next(&r, &w)) {
		buf_str(&got, got.len > 0 ? " " : "");
		buf_text(&got, word_text(&w));
	}
	assert_str(buf_view(&got), want);
	buf_fini(&got);
}

static void
names_are_taken_apart(void **state)
{
	(void)state;
	words_are("create_issue", false, "create issue");
	words_are("create-issue", false, "create issue");
	words_are("createIssue", false, "create issue");
	words_are("localStorage.getItem", true,
	    "local storage localstorage get item getitem");
	words_are("XMLHttpRequest", false, "xml http request");
	words_are("getHTTP", false, "get http");
	words_are("base64 oauth2Token S3", false, "base64 oauth2 token s3");
	words_are("the user's 3 files", false, "the user 3 files");
	words_are("", true, "");
	words_are(" ,;", true, "");
}

static void
letters_of_all_scripts(void **state)
{
	(void)state;
	words_are("ÜBERSETZE Öl_straße", false, "übersetze öl straße");
	words_are("ΑΝΟΙΞΕ Файл", false, "ανοιξε файл");
	words_are("删除文件 now", false, "删除 除文 文件 now");
	words_are("文", false, "文");
	words_are("ファイルopen", false, "ファ ァイ イル open");
}

static void
words_have_a_length(void **state)
{
	char name[200];
	word_reader r = {.src = {name, sizeof(name)}, .whole = true};
	word w;

	(void)state;
	memset(name, 'a', sizeof(name));
	assert_true(search_word_next(&r, &w));
	assert_int_equal(w.len, WORD_MAX);
	assert_false(search_word_next(&r, &w));
}

static void
stem_is(const char *written, const char *want)
{
	word w = {.len = strlen(written)};

	memcpy(w.bytes, written, w.len);
	word_stem(&w);
	assert_str(word_text(&w), want);
}

static void
forms_have_one_stem(void **state)
{
	static const char *const forms[][5] = {
	    {"creat", "create", "creates", "creating", "creation"},
	    {"delet", "delete", "deleted", "deletion", "deleting"},
	    {"stop", "stop", "stops", "stopped", "stopping"},
	    {"branch", "branch", "branches", "branch", "branched"},
	    {"queri", "query", "queries", "query", "queries"},
	    {"issu", "issue", "issues", "issued", "issuing"},
	    {"status", "status", "statuses", "status", "status"},
	    {"process", "process", "processes", "processed", "processing"},
	    {"navig", "navigate", "navigation", "navigating", "navigates"},
	    {"configur", "configure", "configuration", "configured",
		"configures"}};

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		for (size_t k = 1; k < 5; k++)
			stem_is(forms[i][k], forms[i][0]);
	stem_is("is", "is");
	stem_is("bus", "bus");
	stem_is("red", "red");
	stem_is("string", "string");
	stem_is("größen", "größen");
}

/* ------------------------------------------------------------------ tools */

static const search_doc tools[] = {
    {TEXT_INIT("bugs"), TEXT_INIT("createIssue"),
	TEXT_INIT("Opens a new issue."),
	TEXT_INIT("{\"properties\":{\"assignee\":{\"description\":\"Who "
		  "works on it\"},\"severity\":{\"enum\":[\"blocker\","
		  "\"minor\"]}}}"),
	false},
    {TEXT_INIT("bugs"), TEXT_INIT("delete-issue"),
	TEXT_INIT("Removes an issue for ever."), TEXT_INIT("{}"), false},
    {TEXT_INIT("bugs"), TEXT_INIT("list_issue_types"),
	TEXT_INIT("The types that an issue can have."), TEXT_INIT("{}"), true},
    {TEXT_INIT("bugs"), TEXT_INIT("list_issues"),
	TEXT_INIT("All open issues. Sorted by age."), TEXT_INIT("{}"), true},
    {TEXT_INIT("code"), TEXT_INIT("merge_pull_request"),
	TEXT_INIT("Merges it."), TEXT_INIT("{}"), false},
    {TEXT_INIT("code"), TEXT_INIT("search_repositories"),
	TEXT_INIT("Finds repositories."),
	TEXT_INIT("{\"properties\":{\"filter\":{\"properties\":{"
		  "\"starsAtLeast\":{}}}}}"),
	true},
    {TEXT_INIT("web"), TEXT_INIT("localstorage_get"),
	TEXT_INIT("Reads a value."), TEXT_INIT("{}"), true},
    {TEXT_INIT("web"), TEXT_INIT("take_screenshot"),
	TEXT_INIT("Photographs the page."), TEXT_INIT("{}"), true},
};
enum { TOOLS = sizeof(tools) / sizeof(*tools) };

static search_doc
tool_of(const void *docs, size_t i)
{
	return ((const search_doc *)docs)[i];
}

static search_index *
made(const cm_alloc *alloc)
{
	search_index *s = NULL;

	assert_int_equal(search_new(alloc, tool_of, tools, TOOLS, &s), CM_OK);
	return s;
}

/* The name of the first tool that is found for a question; "" for none. */
static void
first_is(const char *question, const char *want)
{
	search_index *s = made(NULL);
	search_hit hit[TOOLS];
	size_t found = 99;

	assert_int_equal(
	    search_query(s, text_of(question), 0, TOOLS, hit, TOOLS, &found),
	    CM_OK);
	assert_true(found <= TOOLS);
	if (!text_eq(
		found > 0 ? tools[hit[0].doc].name : TEXT_NONE, text_of(want)))
		print_error("question: %s\n", question);
	assert_str(found > 0 ? tools[hit[0].doc].name : TEXT_NONE, want);
	search_free(s);
}

static void
what_is_found(void **state)
{
	(void)state;
	first_is("create issue", "createIssue");
	first_is("Please create an issue for me", "createIssue");
	first_is("creating issues", "createIssue");
	first_is("blocker", "createIssue");
	first_is("assignee", "createIssue");
	first_is("stars at least", "search_repositories");
	first_is("age", "list_issues");
}

static void
exact_names_come_first(void **state)
{
	(void)state;
	first_is("list_issues", "list_issues");
	first_is("bugs.list_issues", "list_issues");
	first_is("listIssues", "list_issues");
	first_is("list_issue_types", "list_issue_types");
	first_is("LIST-ISSUES", "list_issues");
}

static void
words_that_are_alike(void **state)
{
	(void)state;
	first_is("add a ticket", "createIssue");
	first_is("remove a bug", "delete-issue");
	first_is("merge PR", "merge_pull_request");
	first_is("find repos", "search_repositories");
	first_is("picture of the website", "take_screenshot");
	first_is("local storage", "localstorage_get");
	first_is("screen shot", "take_screenshot");
}

static void
mistyped_words(void **state)
{
	(void)state;
	first_is("list isues", "list_issues");
	first_is("serach reposiotries", "search_repositories");
	first_is("screnshot", "take_screenshot");
	/* A short word is not one that was mistyped. */
	first_is("ags", "");
}

static void
nonsense_finds_nothing(void **state)
{
	(void)state;
	first_is("xyzzy", "");
	first_is("weather in paris tomorrow", "");
	first_is("the of and", "");
	first_is("?!", "");
	first_is("issue qwertz asdfgh yxcvb", "");
}

/* No tool has most of its words, and still it says what is wanted. */
static void
a_long_question(void **state)
{
	(void)state;
	first_is("My colleagues and I prepare the quarterly review for our "
		 "customers in Norway, who complained about slow answers. "
		 "Before lunch, could somebody fork over a list of issues by "
		 "their age, so that the board sees the trend?",
	    "list_issues");
}

static void
an_empty_question_lists(void **state)
{
	search_index *s = made(NULL);
	search_hit hit[3];
	size_t found;

	(void)state;
	assert_int_equal(
	    search_query(s, TEXT("  "), 4, TOOLS - 4, hit, 3, &found), CM_OK);
	assert_int_equal(found, 3);
	assert_int_equal(hit[0].doc, 4);
	assert_int_equal(hit[2].doc, 6);
	assert_int_equal(
	    search_query(s, TEXT_NONE, 7, 1, hit, 3, &found), CM_OK);
	assert_int_equal(found, 1);
	search_free(s);
}

static void
only_a_part_is_searched(void **state)
{
	search_index *s = made(NULL);
	search_hit hit[TOOLS];
	size_t found;

	(void)state;
	assert_int_equal(
	    search_query(s, TEXT("issue"), 1, 2, hit, TOOLS, &found), CM_OK);
	assert_int_equal(found, 2);
	assert_true(hit[0].doc >= 1 && hit[0].doc <= 2);
	assert_int_equal(
	    search_query(s, TEXT("issue"), 4, 4, hit, TOOLS, &found), CM_OK);
	assert_int_equal(found, 0);
	assert_int_equal(
	    search_query(s, TEXT("issue"), 0, TOOLS, hit, 0, &found), CM_OK);
	assert_int_equal(found, 0);
	search_free(s);
}

/* Numbers that any machine must come to. */
static void
scores_are_the_same_everywhere(void **state)
{
	search_index *s = made(NULL);
	search_hit hit[TOOLS];
	size_t found;

	(void)state;
	assert_int_equal(search_query(s, TEXT("list of issues"), 0, TOOLS, hit,
			     TOOLS, &found),
	    CM_OK);
	assert_int_equal(found, 5);
	assert_int_equal(hit[0].doc, 3);
	assert_int_equal(hit[0].score, 1074000440);
	assert_int_equal(hit[1].doc, 2);
	assert_int_equal(hit[1].score, 189631);
	search_free(s);
}

static search_doc
same_tool(const void *docs, size_t i)
{
	(void)docs, (void)i;
	return (search_doc){.name = TEXT("ping")};
}

static void
equal_scores_keep_their_order(void **state)
{
	search_index *s = NULL;
	search_hit hit[5];
	size_t found;

	(void)state;
	assert_int_equal(search_new(NULL, same_tool, NULL, 100, &s), CM_OK);
	assert_int_equal(
	    search_query(s, TEXT("ping"), 0, 100, hit, 5, &found), CM_OK);
	assert_int_equal(found, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(hit[i].doc, i);
	search_free(s);
}

static void
nearest_words_are_named(void **state)
{
	search_index *s = made(NULL);
	buf near = BUF_INIT(NULL, 1000);

	(void)state;
	search_nearest_words(s, TEXT("the repositry of isue"), &near);
	assert_str(buf_view(&near), "repositories, issue, issues");
	buf_clear(&near);
	search_nearest_words(s, TEXT("xyzzy issue"), &near);
	assert_str(buf_view(&near), "");
	buf_fini(&near);
	search_free(s);
}

/* ------------------------------------------------------------------ bounds */

static search_doc
wordy_tool(const void *docs, size_t i)
{
	(void)i;
	return (search_doc){
	    .name = TEXT("wordy"), .description = *(const text *)docs};
}

static void
a_tool_is_read_to_a_bound(void **state)
{
	buf words = BUF_INIT(NULL, 1 << 20);
	search_index *s = NULL;
	search_hit hit;
	size_t found;
	text about;

	(void)state;
	for (int i = 0; i < 2 * SEARCH_TOOL_WORDS; i++)
		buf_printf(&words, "word%d ", i);
	buf_str(&words, "unreachable");
	about = buf_view(&words);
	assert_int_equal(search_new(NULL, wordy_tool, &about, 1, &s), CM_OK);
	assert_int_equal(
	    search_query(s, TEXT("word7"), 0, 1, &hit, 1, &found), CM_OK);
	assert_int_equal(found, 1);
	assert_int_equal(
	    search_query(s, TEXT("unreachable"), 0, 1, &hit, 1, &found), CM_OK);
	assert_int_equal(found, 0);
	/* So is a question. */
	assert_int_equal(search_query(s, about, 0, 1, &hit, 1, &found), CM_OK);
	search_free(s);
	buf_fini(&words);
}

static void
no_tools(void **state)
{
	search_index *s = NULL;
	search_hit hit;
	size_t found;

	(void)state;
	assert_int_equal(search_new(NULL, tool_of, tools, 0, &s), CM_OK);
	assert_int_equal(
	    search_query(s, TEXT("issue"), 0, 0, &hit, 1, &found), CM_OK);
	assert_int_equal(found, 0);
	search_free(s);
}

static void
memory_runs_out(void **state)
{
	(void)state;
	for (size_t left = 0;; left++) {
		struct hoard c = {.left = left};
		cm_alloc alloc = HOARD_ALLOC(&c);
		search_index *s = NULL;
		search_hit hit;
		size_t found;
		cm_status r = search_new(&alloc, tool_of, tools, TOOLS, &s);

		if (r == CM_OK)
			r = search_query(
			    s, TEXT("issue"), 0, TOOLS, &hit, 1, &found);
		search_free(s);
		assert_int_equal(c.bytes, 0);
		if (r == CM_OK)
			break;
		assert_int_equal(r, CM_ENOMEM);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_are_taken_apart),
	    cmocka_unit_test(letters_of_all_scripts),
	    cmocka_unit_test(words_have_a_length),
	    cmocka_unit_test(forms_have_one_stem),
	    cmocka_unit_test(what_is_found),
	    cmocka_unit_test(exact_names_come_first),
	    cmocka_unit_test(words_that_are_alike),
	    cmocka_unit_test(mistyped_words),
	    cmocka_unit_test(nonsense_finds_nothing),
	    cmocka_unit_test(a_long_question),
	    cmocka_unit_test(an_empty_question_lists),
	    cmocka_unit_test(only_a_part_is_searched),
	    cmocka_unit_test(scores_are_the_same_everywhere),
	    cmocka_unit_test(equal_scores_keep_their_order),
	    cmocka_unit_test(nearest_words_are_named),
	    cmocka_unit_test(a_tool_is_read_to_a_bound),
	    cmocka_unit_test(no_tools),
	    cmocka_unit_test(memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
