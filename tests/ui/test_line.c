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
#include <sys/stat.h>
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
	const wchar_t *paste; /* what a LINE_PASTE among the keys pastes */
	struct buf why;	      /* it was refused */
	int full, first_full;
};

static int next_key(void *arg, wchar_t *c)
{
	struct typist *t = arg;

	if ((*c = line_pasted_key(t->line)))
		return 1;
	while (*t->keys == 1) { /* look at the view */
		struct line_view v = line_look(t->line);
		snprintf(t->seen, sizeof t->seen, "%s", v.candidates);
		wcscpy(t->prompt, v.prompt);
		t->keys++;
	}
	if (!*t->keys)
		return 0;
	*c = *t->keys++;
	if (*c != LINE_PASTE)
		return 1;
	line_paste(t->line, t->paste, wcslen(t->paste), &t->why);
	return next_key(arg, c);
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

static void full(void *arg, bool first)
{
	struct typist *t = arg;

	t->full++;
	t->first_full += first;
}

static struct typist typist;

static int setup(void **state)
{
	struct line_calls calls = {
	    .key = next_key, .complete = complete, .full = full, .arg = &typist};

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
	buf_free(&typist.why);
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

	(void)state;
	wmemset(keys, L'x', 3000);
	wcscpy(keys + 3000, L"\n");
	assert_int_equal(strlen(typed(keys, 1)), 1000);
	assert_int_equal(typist.full, 2000);
	assert_int_equal(typist.first_full, 1);
	assert_int_equal(strlen(typed(L"\x1b"
				      L"5555555x\n",
				      1)),
			 555);
}

/* Pastes text where keys has a LINE_PASTE. */
static const char *pasted(const wchar_t *text, const wchar_t *keys, int expect)
{
	typist.paste = text;
	return typed(keys, expect);
}

static void pasting(void **state)
{
	static const wchar_t here[] = {LINE_PASTE, 0},
			     inside[] = {'a', 'b', LINE_LEFT, LINE_PASTE, '\n', 0};
	static const wchar_t searching[] = {0x12, 'x', LINE_PASTE, '\n', 0};
	static const wchar_t after_escape[] = {0x1b, LINE_PASTE, '\n', 0};

	(void)state;
	assert_string_equal(pasted(L"put a 1\nput b\t2\r\n\rget \x1b[31m\x9b", here, 1), "put a 1");
	assert_string_equal(typed(L"", 1), "put b 2");
	assert_string_equal(typed(L"", 1), "");
	assert_string_equal(typed(L"x\n", 1), "get  [31m x"); /* no newline: it was under edit */
	assert_string_equal(pasted(L"1\n2", inside, 1), "a1b");
	assert_string_equal(typed(L"\n", 1), "2");
	assert_string_equal(pasted(L"\n\n", here, 1), "");
	assert_string_equal(typed(L"", 1), "");
	typed(L"", 0);
	assert_string_equal(pasted(L"yz", searching, 1), "yz");
	assert_string_equal(pasted(L"put a", after_escape, 1), "put a");
}

static void pastes_that_do_not_fit(void **state)
{
	static wchar_t text[1101], keys[] = {'a', 'b', LINE_PASTE, 'c', '\n', 0};

	(void)state;
	wmemset(text, L'y', 1000);
	assert_string_equal(pasted(text, keys, 1), "abc");
	assert_string_equal(buf_str(&typist.why),
			    "pasted line has 1002 characters, 1000 fit: use source FILE");
	text[998] = 0;
	assert_int_equal(strlen(pasted(text, keys, 1)), 1000); /* the c did not fit */
	buf_clear(&typist.why);
	wmemset(text, L'y', 1100);
	text[10] = L'\n';
	assert_string_equal(pasted(text, keys, 1), "abc");
	assert_string_equal(buf_str(&typist.why),
			    "pasted line has 1089 characters, 1000 fit: use source FILE");
	typed(L"", 0); /* nothing of it waits */
}

static void cancelling_a_paste(void **state)
{
	static const wchar_t keys[] = {LINE_PASTE, LINE_CANCEL, 0};

	(void)state;
	assert_string_equal(pasted(L"put a 1\nput b 2\nput c", keys, 1), "put a 1");
	line_drop_pasted(typist.line);
	typed(L"", 0);
	typist.keys = L"get a\n";
	assert_string_equal(typed(L"get a\n", 1), "get a");
}

/* A pipe could keep us waiting for ever, a device has no end. */
static void settings_from_a_device(void **state)
{
	struct line_calls calls = {.key = next_key, .arg = &typist};

	(void)state;
	setenv("EDITRC", "/dev/zero", 1);
	struct line *l = line_open(&calls, NULL);
	assert_non_null(l);
	line_history_load(l, "/dev/zero");
	line_close(l);
	char folder[] = "/tmp/etcdscope-fifo-XXXXXX", path[64];
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/fifo", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	setenv("EDITRC", path, 1);
	l = line_open(&calls, NULL);
	assert_non_null(l);
	line_history_load(l, path);
	line_close(l);
	unlink(path);
	rmdir(folder);
	unsetenv("EDITRC");
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
	    cmocka_unit_test_setup_teardown(pasting, setup, teardown),
	    cmocka_unit_test_setup_teardown(pastes_that_do_not_fit, setup, teardown),
	    cmocka_unit_test_setup_teardown(cancelling_a_paste, setup, teardown),
	    cmocka_unit_test_setup_teardown(settings_from_a_device, setup, teardown),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
