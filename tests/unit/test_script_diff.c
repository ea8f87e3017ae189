/* A diff that is written while the new text is made is the diff that diff -u writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "base/prng.h"
#include "script/diff.h"

static void nothing_is_written_for_equal_texts(void **state)
{
	struct buf out = {0};
	struct diff d;

	(void)state;
	diff_init(&d, "f", &out);
	diff_keep(&d, BYTES("a\nb\nc\n"));
	diff_replace(&d, BYTES("x\ny\n"), BYTES("x\ny\n"));
	diff_end(&d);
	assert_int_equal(out.n, 0);
	assert_false(d.any);
}

static void a_hunk_has_three_lines_of_context(void **state)
{
	struct buf out = {0};
	struct diff d;

	(void)state;
	diff_init(&d, "f", &out);
	diff_keep(&d, BYTES("1\n2\n3\n4\n5\n"));
	diff_replace(&d, BYTES("| a\n| b\n| c\n"), BYTES("| a\n| B\n| c\n"));
	diff_keep(&d, BYTES("9\n10\n11\n12\n"));
	diff_end(&d);
	assert_string_equal(
	    buf_str(&out),
	    "--- f\n+++ f (as it runs now)\n@@ -4,7 +4,7 @@\n 4\n 5\n | a\n-| b\n+| B\n | c\n"
	    " 9\n 10\n");
	buf_free(&out);
}

static void new_lines_and_lost_lines_count(void **state)
{
	struct buf out = {0};
	struct diff d;

	(void)state;
	diff_init(&d, "f", &out);
	diff_replace(&d, BYTES(""), BYTES("| new\n"));
	diff_keep(&d, BYTES("1\n2\n3\n4\n5\n6\n7\n8\n"));
	diff_replace(&d, BYTES("| old\n"), BYTES(""));
	diff_end(&d);
	assert_string_equal(buf_str(&out),
			    "--- f\n+++ f (as it runs now)\n@@ -1,3 +1,4 @@\n+| new\n 1\n 2\n 3\n"
			    "@@ -6,4 +7,3 @@\n 6\n 7\n 8\n-| old\n");
	buf_free(&out);
}

/* --- against patch */

static void write_file(const char *name, struct bytes text)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	fwrite(text.p, 1, text.n, f);
	fclose(f);
}

static void some_lines(struct prng *r, struct buf *out, uint64_t most)
{
	for (uint64_t n = prng_below(r, most + 1); n > 0; n--)
		buf_printf(out, "line %d\n", (int)prng_below(r, 4));
}

/* Random texts: what patch makes of the old one is the new one. */
static void patch_makes_the_new_text_of_the_old(void **state)
{
	char folder[] = "/tmp/diffXXXXXX";
	struct prng r;

	(void)state;
	if (system("command -v patch >/dev/null 2>&1") != 0)
		skip();
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	r = (struct prng){7};
	for (int round = 0; round < 40; round++) {
		struct buf old = {0}, new = {0}, out = {0}, part[24] = {{0}};
		struct diff d;
		diff_init(&d, "f", &out);
		for (int i = 0; i < 24; i += 3) {
			some_lines(&r, &part[i], 9);
			some_lines(&r, &part[i + 1], 4);
			some_lines(&r, &part[i + 2], 4);
			buf_put_bytes(&old, buf_bytes(&part[i]));
			buf_put_bytes(&new, buf_bytes(&part[i]));
			buf_put_bytes(&old, buf_bytes(&part[i + 1]));
			buf_put_bytes(&new, buf_bytes(&part[i + 2]));
			diff_keep(&d, buf_bytes(&part[i]));
			diff_replace(&d, buf_bytes(&part[i + 1]), buf_bytes(&part[i + 2]));
		}
		diff_end(&d);
		write_file("f", buf_bytes(&old));
		write_file("want", buf_bytes(&new));
		write_file("patch", buf_bytes(&out));
		assert_int_equal(
		    system("{ [ ! -s patch ] || patch -s -F0 f patch; } && cmp f want"), 0);
		for (int i = 0; i < 24; i++)
			buf_free(&part[i]);
		buf_free(&old);
		buf_free(&new);
		buf_free(&out);
	}
	assert_int_equal(system("rm -f f want patch f.orig && rmdir \"$PWD\""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_is_written_for_equal_texts),
	    cmocka_unit_test(a_hunk_has_three_lines_of_context),
	    cmocka_unit_test(new_lines_and_lost_lines_count),
	    cmocka_unit_test(patch_makes_the_new_text_of_the_old),
	};

	return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
