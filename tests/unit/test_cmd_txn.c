/* Lines of a transaction as etcdctl reads them: its regular expression for words, Go's Sscanf for
 * compares; and the one-line form, which is ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/txn_parse.h"
#include "shell_help.h"

static const char *cut(struct buf *out, const char *line)
{
	struct txn_words w = {0};

	buf_clear(out);
	if (txn_cut_words(&w, bytes_of(line)))
		for (size_t i = 0; i < w.words.n; i++)
			buf_printf(out, "[%.*s]", (int)w.words.v[i].n, w.words.v[i].p);
	else
		buf_puts(out, "! bad");
	txn_words_free(&w);
	return buf_str(out);
}

static void words_of_an_operation(void **state)
{
	static const char *const lines[][2] = {
	    {"put a b", "[put][a][b]"},
	    {"put  \"a b\"\tc", "[put][a b][c]"},
	    {"put a \"x\\ty\\u00e9\"", "[put][a][x\tyé]"},
	    {"put a wo\"rd it's", "[put][a][wo\"rd][it's]"},
	    {"put a 'b c'", "[put][a][b c]"},
	    {"put a 'x\\n'", "[put][a][x\\n]"},
	    {"put a \"b\"c", "[put][a][b][c]"},
	    {"put a \"", "[put][a]"},
	    {"put a \"bc", "[put][a][bc]"},
	    {"put a \"\"", "[put][a][]"},
	    {"put a \"\\q\"", "! bad"},
	    {"", ""},
	};
	struct buf out = {0};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_string_equal(cut(&out, lines[i][0]), lines[i][1]);
	buf_free(&out);
}

static void compares(void **state)
{
	static const char *const lines[][2] = {
	    {"txn if 'val( \"k\")   =   \"v\" trailing' then 'put a 1'", "SUCCESS\n\nOK\n"},
	    {"txn if 'mod(\"k\") = \"2\"' 'ver(\"k\") = \"1\"' then 'get k'", "SUCCESS\n\nk\nv\n"},
	    {"txn if 'mod(\"k\") > \"2\"' then 'get k'", "FAILURE\n"},
	    {"txn if 'lease(\"k\") = \"0\"' then 'get k'", "SUCCESS\n\nk\nv\n"},
	    {"txn if 'lease(\"k\") = \"zz\"' then 'get k'",
	     "Error: invalid txn compare request: lease(\"k\") = \"zz\"\n"},
	    {"txn if 'val(\"k\") == \"v\"' then 'get k'",
	     "Error: unknown operator == at column 10 of val(\"k\") == \"v\": = != < > exist\n"},
	    {"txn if 'val(`k`) = `v`' then 'get k'", "SUCCESS\n\nk\nv\n"},
	    {"txn if 'val(\"k\")' then 'get k'",
	     "Error: malformed comparison: val(\"k\"); got val(\"k\")  \"\"\n"},
	    {"txn if 'val(\"k\") =' then 'get k'",
	     "Error: malformed comparison: val(\"k\") =; got val(\"k\") = \"\"\n"},
	    {"txn if 'val(\"k\\q\") = \"v\"' then 'get k'",
	     "Error: malformed comparison: val(\"k\\q\") = \"v\"; got val(\"\")  \"\"\n"},
	    {"txn if 'x' then 'get k'", "Error: malformed comparison: x\n"},
	};
	struct shell *s = shell_with(1);

	(void)state;
	say(s, "put k v");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_string_equal(say(s, lines[i][0]), lines[i][1]);
	shell_free(s);
}

static void operations(void **state)
{
	struct shell *s = shell_with(1);

	(void)state;
	assert_string_equal(say(s, "txn then 'put a 1' 'p b 2' 'g a' 'd c'"),
			    "SUCCESS\n\nOK\n\nOK\n\na\n1\n\n0\n");
	assert_string_equal(
	    say(s, "txn then 'put a'"),
	    "Error: put command needs 1 argument and input from stdin or 2 arguments\n");
	assert_int_equal(s->exit_status, 128);
	assert_string_equal(say(s, "txn then 'x a b'"), "Error: invalid txn request: x a b\n");
	assert_int_equal(s->exit_status, 3);
	assert_string_equal(say(s, "txn then"), "SUCCESS\n");
	assert_string_equal(say(s, "txn if 'ver(\"zz\") > \"0\"' else 'get a'"),
			    "FAILURE\n\na\n1\n");
	shell_free(s);
}

static void blocks(void **state)
{
	struct shell *s = shell_with(1);

	(void)state;
	assert_true(shell_opens_block(BYTES("txn")));
	assert_true(shell_opens_block(BYTES("as x txn -w json")));
	assert_true(shell_opens_block(BYTES("etcdctl --endpoints S1 t -i")));
	assert_true(shell_opens_block(BYTES("txn --foo")));
	assert_false(shell_opens_block(BYTES("txn if 'x'")));
	assert_false(shell_opens_block(BYTES("txn -w json then 'put a b'")));
	assert_false(shell_opens_block(BYTES("put txn txn")));
	assert_false(shell_opens_block(BYTES("")));
	assert_false(shell_opens_block(BYTES("put t")));
	assert_false(shell_opens_block(BYTES("put txnx t x")));
	assert_true(shell_opens_block(BYTES("  tx")));
	assert_int_equal(shell_opens_block(BYTES("user add bob")), BLOCK_PASSWORD_TWICE);
	assert_int_equal(shell_opens_block(BYTES("as x user passwd bob")), BLOCK_PASSWORD_TWICE);
	assert_int_equal(shell_opens_block(BYTES("user add bob --interactive=false")),
			 BLOCK_PASSWORD);
	assert_false(shell_opens_block(BYTES("user add bob:pw")));
	assert_false(shell_opens_block(BYTES("user add bob --no-password")));
	assert_false(shell_opens_block(BYTES("user passwd")));
	assert_false(shell_opens_block(BYTES("user passwd bob --help")));
	assert_false(shell_opens_block(BYTES("user list")));
	assert_string_equal(say(s, "txn\n\nput a @repeat(3,xy)\n\nend"), "SUCCESS\n\nOK\n");
	assert_string_equal(say(s, "get a"), "a\nxyxyxy\n");
	assert_string_equal(say(s, "txn\nend"), "Error: EOF\n");
	assert_string_equal(say(s, "txn\n\nput a 1\nend"), "Error: EOF\n");
	assert_string_equal(say(s, "txn\n\n\nend"), "SUCCESS\n");
	assert_string_equal(say(s, "txn foo\n\n\nend"),
			    "Error: txn command does not accept argument\n");
	assert_non_null(strstr(say(s, "txn\n\nput a 1"), "`end` is missing"));
	assert_non_null(strstr(say(s, "put a 1\nput b 2"), "only txn and watch -i take a block"));
	shell_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_of_an_operation),
	    cmocka_unit_test(compares),
	    cmocka_unit_test(operations),
	    cmocka_unit_test(blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
