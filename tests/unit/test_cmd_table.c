/* The table of commands: names and their short forms, flags, help, completion and hints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/parse.h"
#include "shell_help.h"

static size_t split(const char *line, struct bytes *words)
{
	size_t n = 0;

	for (const char *p = line; *p && n < 8;) {
		size_t len = strcspn(p, " ");
		words[n++] = (struct bytes){p, len};
		p += len + (p[len] == ' ');
	}
	return n;
}

/* The name that a line's words find, or "! message". */
static const char *found(struct buf *out, const char *line)
{
	struct bytes words[8];
	size_t n = split(line, words), used;

	buf_clear(out);
	struct buf err = {0};
	const struct command_row *row = command_find(words, n, &used, &err);
	if (row)
		buf_printf(out, "%s %zu", row->name, used);
	else
		buf_printf(out, "! %s", buf_str(&err));
	buf_free(&err);
	return buf_str(out);
}

static void names_and_short_names(void **state)
{
	static const char *const pairs[][2] = {
	    {"put", "put 1"},
	    {"p", "put 1"},
	    {"compact", "compaction 1"},
	    {"compac", "compaction 1"},
	    {"lease grant", "lease grant 2"},
	    {"lease g 60", "lease grant 2"},
	    {"le rev 1", "lease revoke 2"},
	    {"lease t", "lease timetolive 2"},
	    {"w", "watch 1"},
	    {"watcher", "watcher 1"},
	    {"wai", "wait 1"},
	    {"en st", "endpoint status 2"},
	    {"endpoint ha", "endpoint hashkv 2"},
	    {"t", "txn 1"},
	    {"mov", "move-leader 1"},
	    {"step", "step 1"},
	    {"stepp", "stepping 1"},
	    {"exit", "quit 1"},
	    {"part", "partition 1"},
	};
	struct buf out = {0};

	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		assert_string_equal(found(&out, pairs[i][0]), pairs[i][1]);
	buf_free(&out);
}

/* etcdctl has make-mirror, member, migrate and move-leader; defrag and del; endpoint and elect. */
static void ambiguous_and_unknown_names(void **state)
{
	static const char *const lines[][2] = {
	    {"m", "ambiguous"},
	    {"de", "ambiguous"},
	    {"e", "ambiguous"},
	    {"pit", "did you mean put?"},
	    {"sliip", "unknown command \"sliip\""},
	    {"lease", "which one?"},
	    {"lease x", "which one?"},
	    {"endpoint h", "health, hashkv"},
	    {"make-mirror a", "not in this version"},
	    {"snapshot x", "save, status, restore"},
	    {"qitu", "unknown command"},
	    {"hlep", "did you mean help?"},
	    {"foo", "\"foo\": `help` lists"}, /* two of three letters are wrong in goto */
	    {"partiton", "did you mean partition?"},
	};
	struct buf out = {0};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		const char *got = found(&out, lines[i][0]);
		assert_memory_equal(got, "! ", 2);
		assert_non_null(strstr(got, lines[i][1]));
	}
	buf_free(&out);
}

static const struct command_row *row_of(const char *line)
{
	struct bytes words[8];
	size_t n = split(line, words), used;
	struct buf err = {0};
	const struct command_row *row = command_find(words, n, &used, &err);

	buf_free(&err);
	assert_non_null(row);
	return row;
}

/* "[arg][arg] --flag=number" of what was set, or pflag's text. */
static const char *parsed(struct buf *out, const char *line)
{
	struct bytes words[8];
	size_t n = split(line, words);
	struct parsed p = {0};
	struct buf err = {0};
	const struct command_row *row = row_of(line);

	buf_clear(out);
	if (parse_flags(&p, row, words + 1, n - 1, &err)) {
		for (size_t i = 0; i < p.args.n; i++)
			buf_printf(out, "[%.*s]", (int)p.args.v[i].n, p.args.v[i].p);
		for (size_t i = 0; i < row->nflags; i++)
			if (p.own[i].set)
				buf_printf(out, " %s=%.*s", row->flags[i].name,
					   (int)p.own[i].text.n, p.own[i].text.p);
		for (size_t i = 0; i < GLOBAL_COUNT; i++)
			if (p.global[i].set)
				buf_printf(out, " %s=%.*s", global_flags[i].name,
					   (int)p.global[i].text.n, p.global[i].text.p);
	} else {
		buf_put_bytes(out, buf_bytes(&err));
	}
	buf_free(&err);
	parsed_free(&p);
	return buf_str(out);
}

static void flags(void **state)
{
	static const char *const pairs[][2] = {
	    {"get k --rev=3", "[k] rev=3"},
	    {"get --rev 3 k", "[k] rev=3"},
	    {"get k -w json", "[k] write-out=json"},
	    {"get k -wjson", "[k] write-out=json"},
	    {"get k -w=json", "[k] write-out=json"},
	    {"get k --prefix", "[k] prefix=true"},
	    {"get k --prefix=false", "[k] prefix=false"},
	    {"get k --prefix false", "[k][false] prefix=true"},
	    {"get -- --rev=2 -x", "[--rev=2][-x]"},
	    {"get - k", "[-][k]"},
	    {"get k --rev=2 --rev=5", "[k] rev=5"},
	    {"get k --foo", "unknown flag: --foo"},
	    {"get k --foo=1", "unknown flag: --foo"},
	    {"get k -x", "unknown shorthand flag: 'x' in -x"},
	    {"get k -xw", "unknown shorthand flag: 'x' in -xw"},
	    {"txn -iw", "flag needs an argument: 'w' in -w"},
	    {"txn -iw json", " interactive=true write-out=json"},
	    {"get k --rev", "flag needs an argument: --rev"},
	    {"get k --=3", "bad flag syntax: --=3"},
	    {"get k ---rev", "bad flag syntax: ---rev"},
	    {"get k --command-timeout=5", "invalid argument \"5\" for \"--command-timeout\" flag: "
					  "time: missing unit in duration \"5\""},
	    {"txn -i=x", "invalid argument \"x\" for \"-i, --interactive\" flag: "
			 "strconv.ParseBool: parsing \"x\": invalid syntax"},
	    {"kill S1 --endpoints=S2", "unknown flag: --endpoints"},
	};
	struct buf out = {0};

	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		assert_string_equal(parsed(&out, pairs[i][0]), pairs[i][1]);
	buf_free(&out);
}

/* Every row can be found by its name, explains itself, and its example begins with it. */
static void every_row_is_complete(void **state)
{
	(void)state;
	assert_int_equal(global_flag_count(), GLOBAL_COUNT);
	for (size_t i = 0; i < command_count(); i++) {
		const struct command_row *r = command_table[i];
		struct buf help = {0};

		assert_ptr_equal(row_of(r->name), r);
		assert_true(strncmp(r->usage, r->name, strlen(r->name)) == 0);
		assert_ptr_equal(row_of(r->example), r);
		assert_true(r->nflags <= OWN_FLAGS_MAX);
		assert_int_equal(r->run != NULL, r->layer == LAYER_SHELL);
		for (size_t k = 0; k < r->nflags; k++)
			assert_true(r->flags[k].name && r->flags[k].help && r->flags[k].fallback);
		command_help(bytes_of(r->name), &help);
		assert_non_null(strstr(buf_str(&help), r->summary));
		assert_non_null(strstr(buf_str(&help), r->example));
		buf_free(&help);
	}
}

/* Examples work on a cluster in the start state (or say so with etcd's own words). */
static void examples_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < command_count(); i++) {
		const struct command_row *r = command_table[i];
		struct shell *s = shell_with(3);
		const char *got = say(s, r->example);

		if (r->layer == LAYER_SHELL)
			assert_true(got[0] != '!');
		else
			assert_string_equal(got, "! not here");
		assert_null(strstr(got, "unknown flag"));
		assert_null(strstr(got, "for example"));
		shell_free(s);
	}
}

static const char *complete(struct buf *out, struct shell *s, const char *line)
{
	size_t start;

	buf_clear(out);
	command_complete(s->w, bytes_of(line), strlen(line), &start, out);
	assert_true(start <= strlen(line));
	return buf_str(out);
}

static void completion(void **state)
{
	struct shell *s = shell_with(3);
	struct buf out = {0};

	(void)state;
	say(s, "put /registry/a 1");
	say(s, "put /registry/b 1");
	say(s, "put '/registry/with space' 1");
	say(s, "lease grant 60");
	say(s, "watch /registry/a");
	assert_string_equal(complete(&out, s, "ge"), "get\n");
	assert_string_equal(complete(&out, s, "lease t"), "timetolive\n");
	assert_string_equal(complete(&out, s, "get /reg"), "/registry/a\n/registry/b\n");
	assert_string_equal(complete(&out, s, "get /registry/b"), "/registry/b\n");
	assert_string_equal(complete(&out, s, "kill "), "S1\nS2\nS3\n");
	assert_string_equal(complete(&out, s, "kill S1 S2"), "S2\n");
	assert_string_equal(complete(&out, s, "lease revoke "), "1\n");
	assert_string_equal(complete(&out, s, "unwatch "), "w1\n");
	assert_string_equal(complete(&out, s, "get a --pri"), "--print-value-only\n");
	assert_string_equal(complete(&out, s, "get a -w "), "simple\njson\nfields\ntable\n");
	assert_string_equal(complete(&out, s, "get a --write-out=j"), "--write-out=json\n");
	assert_string_equal(complete(&out, s, "put a b --endpoints=S"),
			    "--endpoints=S1\n--endpoints=S2\n--endpoints=S3\n");
	assert_string_equal(complete(&out, s, "set leader-s"), "leader-send\n");
	assert_string_equal(complete(&out, s, "as node-a pu"), "put\n");
	assert_string_equal(complete(&out, s, "nonsense x"), "");
	shell_free(s);
	buf_free(&out);
}

static void hints(void **state)
{
	static const char *const pairs[][2] = {
	    {"put", " [options] <key> <value>"},
	    {"put ", "[options] <key> <value>"},
	    {"put a", " <value>"},
	    {"put a ", "<value>"},
	    {"put a b", ""},
	    {"zz", ""},
	    {"", ""},
	    {"lease grant ", "<ttl>"},
	    {"kill ", "[--power | --term] [--at=POINT] <member>... | kill <rN>"},
	    {"kill S", " <member>..."},
	    {"kill S1 S2", " <member>..."},
	    {"cut S1", " <end> [--oneway]"},
	    {"cut S1 S2", " [--oneway]"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct buf out = {0};
		command_hint(bytes_of(pairs[i][0]), &out);
		assert_string_equal(buf_str(&out), pairs[i][1]);
		buf_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_and_short_names),
	    cmocka_unit_test(ambiguous_and_unknown_names),
	    cmocka_unit_test(flags),
	    cmocka_unit_test(every_row_is_complete),
	    cmocka_unit_test(examples_run),
	    cmocka_unit_test(completion),
	    cmocka_unit_test(hints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
