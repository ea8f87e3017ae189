/* The script format: what each line is, what belongs to what, and how output is written down. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "script/reader.h"
#include "script/scope.h"

static struct scope parsed(const char *text, struct buf *err)
{
	struct scope s;

	scope_parse(&s, "t.scope", bytes_of(text), err);
	return s;
}

static void assert_bytes(struct bytes got, const char *want)
{
	char *copy = strndup(got.p ? got.p : "", got.n);

	assert_string_equal(copy, want);
	free(copy);
}

static void the_first_characters_say_what_a_line_is(void **state)
{
	static const struct {
		const char *line;
		enum line_kind kind;
	} lines[] = {{"", LINE_BLANK},		{"  \t", LINE_BLANK},	 {"# x", LINE_NARRATION},
		     {"#", LINE_NARRATION},	{"#? x", LINE_QUESTION}, {"#= x", LINE_ANSWER},
		     {"| x", LINE_OUTPUT},	{"|", LINE_OUTPUT},	 {"|\"x\"", LINE_OUTPUT},
		     {"|x", LINE_WRONG},	{"~ 1", LINE_TRACE},	 {"~1", LINE_WRONG},
		     {"put a b", LINE_COMMAND}, {" # x", LINE_COMMAND}};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_int_equal(scope_line_kind(bytes_of(lines[i].line)), lines[i].kind);
}

static void items_lose_their_marks_and_keep_their_lines(void **state)
{
	struct buf err = {0};
	struct scope s = parsed("# Demo\n\n#? why\n#= so\nput a b\n| OK\n", &err);

	(void)state;
	assert_string_equal(buf_str(&err), "");
	assert_int_equal(s.items.n, 5);
	assert_bytes(s.items.v[0].text, "Demo");
	assert_int_equal(s.items.v[1].kind, ITEM_BLANK);
	assert_bytes(s.items.v[2].text, "why");
	assert_bytes(s.items.v[3].text, "so");
	assert_bytes(s.items.v[4].text, "put a b");
	assert_int_equal(s.items.v[4].line, 5);
	assert_bytes(s.items.v[4].output, "| OK");
	assert_true(s.has_output && !s.has_trace && s.has_questions);
	assert_int_equal(s.steps, 1);
	scope_free(&s);
}

static void without_questions_each_command_is_a_step(void **state)
{
	struct buf err = {0};
	struct scope s = parsed("put a b\n# x\nget a\nget b", &err);

	(void)state;
	assert_int_equal(s.steps, 3);
	assert_false(s.has_questions);
	assert_bytes(s.items.v[3].text, "get b");
	scope_free(&s);
}

static void a_block_runs_to_its_end_and_may_hold_anything_else(void **state)
{
	struct buf err = {0};
	struct scope s =
	    parsed("txn\nmod(\"a\") = \"1\"\n\nput a # b\n\n|\nend\n| SUCCESS\nget a\n", &err);

	(void)state;
	assert_string_equal(buf_str(&err), "");
	assert_int_equal(s.items.n, 2);
	assert_bytes(s.items.v[0].text, "txn\nmod(\"a\") = \"1\"\n\nput a # b\n\n|\nend");
	assert_bytes(s.items.v[0].output, "| SUCCESS");
	assert_int_equal(s.items.v[1].line, 9);
	scope_free(&s);
}

static void a_one_line_transaction_has_no_block(void **state)
{
	struct buf err = {0};
	struct scope s = parsed("txn if 'mod(\"a\") = \"1\"' then 'put a b'\nget a\n", &err);

	(void)state;
	assert_int_equal(s.items.n, 2);
	scope_free(&s);
}

static void a_lone_backslash_continues_a_line(void **state)
{
	struct buf err = {0};
	struct scope s = parsed("put a \\\n  b\n| OK\n", &err);

	(void)state;
	assert_int_equal(s.items.n, 1);
	assert_bytes(s.items.v[0].text, "put a \\\n  b");
	scope_free(&s);
}

static void mistakes_name_their_line(void **state)
{
	static const struct {
		const char *text, *message;
		size_t items, kept; /* what stood before is there */
	} cases[] = {
	    {"put a b\ntxn\nput a b\n| OK\n",
	     "t.scope:2: the command is not finished: a block ends with a line `end`", 1, 8},
	    {"txn\n\n~ 1.000 S1\n",
	     "t.scope:1: the command is not finished: a block ends with a line `end`", 0, 0},
	    {"txn\nput a b\n",
	     "t.scope:1: the command is not finished: a block ends with a line `end`", 0, 0},
	    {"# x\n| OK\n",
	     "t.scope:2: a recorded line without a command: it stands below its command", 1, 4},
	    {"put a b\n|OK\n",
	     "t.scope:2: neither a command nor a recorded line: those begin with `| ` or `~ `", 1,
	     8},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf err = {0};
		struct scope s = parsed(cases[i].text, &err);
		assert_string_equal(buf_str(&err), cases[i].message);
		assert_int_equal(s.items.n, cases[i].items);
		assert_int_equal(s.text.n, cases[i].kept);
		scope_free(&s);
		buf_free(&err);
	}
}

static void output_is_written_as_the_format_says(void **state)
{
	static const struct {
		struct bytes line;
		const char *want;
	} cases[] = {
	    {{"", 0}, "|\n"},
	    {{" x ", 3}, "|  x \n"},
	    {{"a\tb", 3}, "| a\tb\n"},
	    {{"\"q\" \\", 5}, "| \"q\" \\\n"},
	    {{"gr\xc3\xbc\xc3\x9f", 6}, "| gr\xc3\xbc\xc3\x9f\n"},
	    {{"a\0b", 3}, "|\"a\\x00b\"\n"},
	    {{"\x1b[1m \"\\\t\r\x7f", 10}, "|\"\\x1b[1m \\\"\\\\\\t\\r\\x7f\"\n"},
	    {{"\xc3\xbc\xff", 3}, "|\"\xc3\xbc\\xff\"\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = {0};
		scope_put_output(&out, cases[i].line);
		assert_string_equal(buf_str(&out), cases[i].want);
		buf_free(&out);
	}
}

/* --- the same, a line at a time */

static int pipe_with(const char *text)
{
	int fd[2];

	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], text, strlen(text)), (ssize_t)strlen(text));
	close(fd[1]);
	return fd[0];
}

static void a_reader_hands_out_questions_and_commands(void **state)
{
	struct reader r;
	struct scope_item it;
	struct buf err = {0};
	int fd = pipe_with("# x\n#? why\ntxn\n\nput a b\n\nend\n| SUCCESS\n~ 0.000 S1\n\nget a");

	(void)state;
	reader_init(&r, "pipe", fd);
	assert_int_equal(reader_next(&r, &it, &err), 1);
	assert_int_equal(it.kind, ITEM_QUESTION);
	assert_int_equal(reader_next(&r, &it, &err), 1);
	assert_bytes(it.text, "txn\n\nput a b\n\nend");
	assert_int_equal(it.line, 3);
	assert_int_equal(reader_next(&r, &it, &err), 1);
	assert_bytes(it.text, "get a");
	assert_int_equal(it.line, 11);
	assert_int_equal(reader_next(&r, &it, &err), 0);
	reader_free(&r);
	close(fd);
}

static void a_reader_finds_the_same_mistakes(void **state)
{
	struct reader r;
	struct scope_item it;
	struct buf err = {0};
	int fd = pipe_with("get a\ntxn\nput a b\n");

	(void)state;
	reader_init(&r, "pipe", fd);
	assert_int_equal(reader_next(&r, &it, &err), 1);
	assert_int_equal(reader_next(&r, &it, &err), -1);
	assert_string_equal(buf_str(&err),
			    "pipe:2: the command is not finished: a block ends with a line `end`");
	reader_free(&r);
	buf_free(&err);
	close(fd);
}

/* Lines and blocks that cross the borders of what one read gives. */
static void a_reader_puts_together_what_was_read_in_pieces(void **state)
{
	char name[] = "/tmp/readerXXXXXX";
	int fd = mkstemp(name);
	struct reader r;
	struct scope_item it;
	struct buf err = {0}, text = {0};

	(void)state;
	for (int i = 0; i < 30000; i++)
		buf_printf(&text, i % 3 ? "put key-%d value\n| OK\n" : "txn\n\nput key-%d\n\nend\n",
			   i);
	assert_int_equal(write(fd, text.p, text.n), (ssize_t)text.n);
	lseek(fd, 0, SEEK_SET);
	reader_init(&r, name, fd);
	for (int i = 0; i < 30000; i++) {
		struct buf want = {0};
		buf_printf(&want, i % 3 ? "put key-%d value" : "txn\n\nput key-%d\n\nend", i);
		assert_int_equal(reader_next(&r, &it, &err), 1);
		assert_bytes(it.text, buf_str(&want));
		buf_free(&want);
	}
	assert_int_equal(reader_next(&r, &it, &err), 0);
	reader_free(&r);
	buf_free(&text);
	close(fd);
	unlink(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_characters_say_what_a_line_is),
	    cmocka_unit_test(items_lose_their_marks_and_keep_their_lines),
	    cmocka_unit_test(without_questions_each_command_is_a_step),
	    cmocka_unit_test(a_block_runs_to_its_end_and_may_hold_anything_else),
	    cmocka_unit_test(a_one_line_transaction_has_no_block),
	    cmocka_unit_test(a_lone_backslash_continues_a_line),
	    cmocka_unit_test(mistakes_name_their_line),
	    cmocka_unit_test(output_is_written_as_the_format_says),
	    cmocka_unit_test(a_reader_hands_out_questions_and_commands),
	    cmocka_unit_test(a_reader_finds_the_same_mistakes),
	    cmocka_unit_test(a_reader_puts_together_what_was_read_in_pieces),
	};

	return cmocka_run_group_tests_name("scope", tests, NULL, NULL);
}
