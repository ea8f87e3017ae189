/* Words of a command line, as conformance/README.md has them, and what a pasted line brings along.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/words.h"

/* "[a][b c]" for a line's words; "! message" for a bad one. */
static const char *cut(struct buf *out, const char *text)
{
	struct line l = {0};
	struct buf err = {0};

	buf_clear(out);
	if (line_parse(&l, bytes_of(text), &err))
		for (size_t i = 0; i < l.words.n; i++)
			buf_printf(out, "[%.*s]", (int)l.words.v[i].n, l.words.v[i].p);
	else
		buf_printf(out, "! %s", buf_str(&err));
	line_free(&l);
	buf_free(&err);
	return buf_str(out);
}

static void words_and_quotes(void **state)
{
	static const char *const lines[][2] = {
	    {"put a b", "[put][a][b]"},
	    {"  put\ta   b ", "[put][a][b]"},
	    {"", ""},
	    {"put 'a b' \"c d\"", "[put][a b][c d]"},
	    {"get --rev=\"3 \" a\" \"b", "[get][--rev=3 ][a b]"},
	    {"put \"\" ''", "[put][][]"},
	    {"put $HOME * a\\b #x {\"a\":1}", "[put][$HOME][*][a\\b][#x][{a:1}]"},
	    {"put 'it\"s' \"it's\"", "[put][it\"s][it's]"},
	    {"put \"a\\\"b\\\\c\\x41\" 'a\\n'", "[put][a\"b\\cA][a\\n]"},
	    {"put a=b c", "[put][a=b][c]"},
	    {"put a &b & c", "[put][a][&b][&][c]"},
	    {"put a b\\", "[put][a][b\\]"},
	};
	struct buf out = {0};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_string_equal(cut(&out, lines[i][0]), lines[i][1]);
	buf_free(&out);
}

static void zero_bytes_and_newlines(void **state)
{
	struct line l = {0};
	struct buf err = {0};

	(void)state;
	assert_true(line_parse(&l, BYTES("put \"a\\x00b\" \"\\n\\t\\r\""), &err));
	assert_int_equal(l.words.n, 3);
	assert_true(bytes_eq(l.words.v[1], BYTES("a\0b")));
	assert_true(bytes_is(l.words.v[2], "\n\t\r"));
	line_free(&l);
	buf_free(&err);
}

static void bad_lines(void **state)
{
	static const char *const lines[] = {
	    "put 'a",	  "put \"a",	     "put \"a\\q\"",	    "put \"\\x4\"",
	    "put \"\\",	  "put \"\\u0041\"", "get a | sort",	    "get a |",
	    "get a | wc", "get a | head x",  "get a | cat | tee b", "get a | grep",
	};
	struct buf out = {0};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_memory_equal(cut(&out, lines[i]), "! ", 2);
	assert_non_null(strstr(cut(&out, "get a | sort -u"), "\"sort\""));
	assert_non_null(strstr(cut(&out, "put \"\\q\""), "\\q"));
	buf_free(&out);
}

static void repeats(void **state)
{
	struct buf out = {0};

	(void)state;
	assert_string_equal(cut(&out, "put @repeat(3,ab) x"), "[put][ababab][x]");
	assert_string_equal(cut(&out, "put @repeat(0,ab) @repeat(2,)"), "[put][][]");
	assert_string_equal(cut(&out, "put \"@repeat(3,ab)\" x@repeat(2,a)"),
			    "[put][@repeat(3,ab)][x@repeat(2,a)]");
	assert_string_equal(cut(&out, "put @repeat(x,ab) @repeat(2,a"),
			    "[put][@repeat(x,ab)][@repeat(2,a]");
	assert_string_equal(cut(&out, "put @repeat(99999999999,ab)"),
			    "[put][@repeat(99999999999,ab)]");
	buf_clear(&out);
	line_expand(&out, BYTES("put a@repeat(2,xy)b @ @repeat(1,z)"));
	assert_string_equal(buf_str(&out), "put axyxyb @ z");
	buf_free(&out);
}

static void pasted_lines(void **state)
{
	struct buf out = {0};

	(void)state;
	assert_string_equal(cut(&out, "ETCDCTL_API=3 etcdctl get a"), "[get][a]");
	assert_string_equal(cut(&out, "$ etcdctl put a b"), "[put][a][b]");
	assert_string_equal(cut(&out, "A=1 B_2=x get a"), "[get][a]");
	assert_string_equal(cut(&out, "etcdctl --endpoints=S1 get a \\\n  --prefix"),
			    "[--endpoints=S1][get][a][--prefix]");
	assert_string_equal(cut(&out, "put etcdctl a=b"), "[put][etcdctl][a=b]");
	assert_true(line_continues(BYTES("get a \\")));
	assert_true(line_continues(BYTES("get a \\ \t")));
	assert_false(line_continues(BYTES("get a\\")));
	assert_false(line_continues(BYTES("get a")));
	buf_free(&out);
}

static void filters_and_background(void **state)
{
	struct line l = {0};
	struct buf err = {0};

	(void)state;
	assert_true(
	    line_parse(&l,
		       BYTES("get a --prefix | grep -v 'x y' | head -3 | tail -n 2 | wc -l | cat"),
		       &err) == false);
	buf_clear(&err);
	assert_true(
	    line_parse(&l, BYTES("get a |grep -v 'x y' | head -3 | tail -n 2 | wc -l"), &err));
	assert_int_equal(l.words.n, 2);
	assert_int_equal(l.npipes, 4);
	assert_int_equal(l.pipes[0].kind, PIPE_GREP_NOT);
	assert_true(bytes_is(l.pipes[0].text, "x y"));
	assert_int_equal(l.pipes[1].kind, PIPE_HEAD);
	assert_int_equal(l.pipes[1].count, 3);
	assert_int_equal(l.pipes[2].count, 2);
	assert_int_equal(l.pipes[3].kind, PIPE_COUNT);
	assert_false(l.background);
	assert_true(line_parse(&l, BYTES("put a 'x | y' | cat &"), &err));
	assert_int_equal(l.npipes, 1);
	assert_true(l.background);
	assert_true(line_parse(&l, BYTES("put a '&'"), &err));
	assert_false(l.background);
	line_free(&l);
	buf_free(&err);
}

static void rest_of_a_block(void **state)
{
	struct line l = {0};
	struct buf err = {0};

	(void)state;
	assert_true(line_parse(&l, BYTES("txn -i\nver(\"a\") = \"0\"\n\nend"), &err));
	assert_int_equal(l.words.n, 2);
	assert_true(bytes_is(l.rest, "\nver(\"a\") = \"0\"\n\nend"));
	line_free(&l);
	buf_free(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_and_quotes), cmocka_unit_test(zero_bytes_and_newlines),
	    cmocka_unit_test(bad_lines),	cmocka_unit_test(repeats),
	    cmocka_unit_test(pasted_lines),	cmocka_unit_test(filters_and_background),
	    cmocka_unit_test(rest_of_a_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
