/* The line editor with keys from a script: no terminal is needed. */
#include <locale.h>
#include <setjmp.h>
#include <stdio.h>
#include <wchar.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "line/line.h"

/* libedit asks terminfo about its private terminal and keeps the answer for ever. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:_nc_setupterm\nleak:libtinfo\n";
}

struct typist {
	struct line *line;
	const wchar_t *keys;
	char seen[4096]; /* candidates when the keys ran out or at a \x01 key */
	wchar_t prompt[256];
};

static int next_key(void *arg, wchar_t *c)
{
	struct typist *t = arg;

	while (*t->keys == 1) { /* look at the view */
		struct line_view v = line_look(t->line);
		snprintf(t->seen, sizeof t->seen, "%s", v.candidates);
		wcscpy(t->prompt, v.prompt);
		t->keys++;
	}
	if (!*t->keys)
		return 0;
	*c = *t->keys++;
	return 1;
}

static void complete(void *arg, struct bytes line, size_t cursor, size_t *start, struct buf *out)
{
	static const char *const words[] = {"put", "pause",	    "partition",
					    "get", "/a/b\xc3\xa4r", "/a/b\xc3\xb6r"};
	size_t from = cursor;

	(void)arg;
	while (from > 0 && line.p[from - 1] != ' ')
		from--;
	*start = from;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (bytes_starts(bytes_of(words[i]), (struct bytes){line.p + from, cursor - from}))
			buf_printf(out, "%s\n", words[i]);
}

static struct typist typist;

static int setup(void **state)
{
	struct line_calls calls = {next_key, complete, &typist};

	(void)state;
	unsetenv("EDITRC");
	setenv("HOME", "/nonexistent", 1);
	typist = (struct typist){.keys = L""};
	typist.line = line_open(&calls, NULL);
	assert_non_null(typist.line);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	line_close(typist.line);
	return 0;
}

/* Types the keys and returns the line. */
static const char *typed(const wchar_t *keys, int expect)
{
	static struct buf out;

	typist.keys = keys;
	assert_int_equal(line_read(typist.line, &out), expect);
	static char copy[8192];
	snprintf(copy, sizeof copy, "%s", buf_str(&out));
	buf_free(&out);
	return copy;
}

static void plain_text(void **state)
{
	(void)state;
	assert_string_equal(typed(L"put a 1\n", 1), "put a 1");
	assert_string_equal(typed(L"put \xe4\u4e2d x\n", 1), "put \xc3\xa4\xe4\xb8\xad x");
	assert_string_equal(typed(L"\n", 1), "");
	typed(L"", 0);
}

static void editing(void **state)
{
	wchar_t keys[64];

	(void)state;
	swprintf(keys, 64, L"puta 1%lc%lc%lc \n", LINE_LEFT, LINE_LEFT, LINE_LEFT);
	assert_string_equal(typed(keys, 1), "put a 1");
	swprintf(keys, 64, L"ut a%lcp\n", LINE_HOME);
	assert_string_equal(typed(keys, 1), "put a");
	swprintf(keys, 64, L"xput%lc%lc\n", LINE_HOME, LINE_DELETE);
	assert_string_equal(typed(keys, 1), "put");
	assert_string_equal(typed(L"put a b\x17"
				  L"c\n",
				  1),
			    "put a c");
}

static void cancelling(void **state)
{
	wchar_t keys[64];

	(void)state;
	struct buf out = {0};
	swprintf(keys, 64, L"put a%lcget a\n", LINE_CANCEL);
	typed(keys, -1);
	assert_int_equal(line_read(typist.line, &out), 1); /* what follows is the next line */
	assert_string_equal(buf_str(&out), "get a");
	buf_free(&out);
}

static void history_is_unique(void **state)
{
	wchar_t keys[64];

	(void)state;
	line_history_add(typist.line, "put a 1");
	line_history_add(typist.line, "get a");
	line_history_add(typist.line, "put a 1");
	line_history_add(typist.line, " secret");
	swprintf(keys, 64, L"%lc\n", LINE_UP);
	assert_string_equal(typed(keys, 1), "put a 1");
	swprintf(keys, 64, L"%lc%lc\n", LINE_UP, LINE_UP);
	assert_string_equal(typed(keys, 1), "get a");
	swprintf(keys, 64, L"%lc%lc%lc%lc\n", LINE_UP, LINE_UP, LINE_UP, LINE_DOWN);
	assert_string_equal(typed(keys, 1), "put a 1");
}

static void history_survives(void **state)
{
	char path[] = "/tmp/etcdscope-history-XXXXXX";
	wchar_t keys[8];

	(void)state;
	close(mkstemp(path));
	line_history_add(typist.line, "put \xc3\xa4 'b c'");
	assert_true(line_history_save(typist.line, path));
	teardown(NULL);
	setup(NULL);
	line_history_load(typist.line, path);
	swprintf(keys, 8, L"%lc\n", LINE_UP);
	assert_string_equal(typed(keys, 1), "put \xc3\xa4 'b c'");
	assert_false(line_history_save(typist.line, "/nonexistent/history"));
	unlink(path);
}

static void completion(void **state)
{
	(void)state;
	assert_string_equal(typed(L"ge\t/x\n", 1), "get /x");
	assert_string_equal(typed(L"p\t\t\x01u\t1\n", 1), "put 1");
	assert_string_equal(typist.seen, "put\npause\npartition\n");
	/* two candidates that differ inside a character of two bytes */
	assert_string_equal(typed(L"get /\t\x01\n", 1), "get /a/b");
}

static void search(void **state)
{
	(void)state;
	line_history_add(typist.line, "put alpha 1");
	line_history_add(typist.line, "put beta 2");
	assert_string_equal(typed(L"\x12"
				  L"alp\x01\n",
				  1),
			    "put alpha 1");
	assert_true(wcscmp(typist.prompt, L"(i-search)`alp': ") == 0);
	assert_string_equal(typed(L"\x12put\x12\n", 1), "put alpha 1");
	assert_string_equal(typed(L"keep\x12zzz\x01\x07\n", 1), "keep");
	assert_true(wcscmp(typist.prompt, L"(failed i-search)`zzz': ") == 0);
	assert_string_equal(typed(L"\x12\x17x\n", 1), "x");
}

static void long_lines(void **state)
{
	static wchar_t keys[3002];
	wchar_t paste[1500];

	(void)state;
	wmemset(keys, L'x', 3000);
	wcscpy(keys + 3000, L"\n");
	assert_int_equal(strlen(typed(keys, 1)), 1000);
	wmemset(paste, L'y', 1499);
	paste[1499] = 0;
	line_paste(typist.line, paste);
	swprintf(keys, 16, L"ab%lc\n", LINE_PASTE);
	assert_int_equal(strlen(typed(keys, 1)), 1000);
	line_paste(typist.line, L"put a\nb\x1b[31m\x9b");
	swprintf(keys, 16, L"%lc\n", LINE_PASTE);
	assert_string_equal(typed(keys, 1), "put a b [31m ");
	assert_int_equal(strlen(typed(L"\x1b"
				      L"5555555x\n",
				      1)),
			 555);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(plain_text, setup, teardown),
	    cmocka_unit_test_setup_teardown(editing, setup, teardown),
	    cmocka_unit_test_setup_teardown(cancelling, setup, teardown),
	    cmocka_unit_test_setup_teardown(history_is_unique, setup, teardown),
	    cmocka_unit_test_setup_teardown(history_survives, setup, teardown),
	    cmocka_unit_test_setup_teardown(completion, setup, teardown),
	    cmocka_unit_test_setup_teardown(search, setup, teardown),
	    cmocka_unit_test_setup_teardown(long_lines, setup, teardown),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
