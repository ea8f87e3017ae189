/* The plain form: no escape sequence, ENTER alone goes through a demo, every change is named (check
 * 10). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"

static char state_dir[] = "/tmp/etcdscope-test-XXXXXX";
static struct buf out;

static const char *program(void)
{
	static char path[4096];
	const char *named = getenv("ETCDSCOPE");
	ssize_t n;

	if (named)
		return named;
	n = readlink("/proc/self/exe", path, sizeof path - 32); /* BUILD/tests/ui/test_plain */
	assert_true(n > 0);
	path[n] = 0;
	for (int i = 0; i < 3; i++)
		*strrchr(path, '/') = 0;
	strcat(path, "/etcdscope");
	return path;
}

/* Runs the program on some input, and returns what it said. */
static const char *said(const char *args, const char *input)
{
	char command[8192];

	snprintf(command, sizeof command, "printf '%%b' '%s' | XDG_STATE_HOME=%s %s %s 2>&1", input,
		 state_dir, program(), args);
	FILE *f = popen(command, "r");
	assert_non_null(f);
	buf_clear(&out);
	assert_int_equal(buf_read_fd(&out, fileno(f)), 0);
	assert_int_equal(pclose(f), 0);
	return buf_str(&out);
}

static size_t occurrences(const char *text, const char *of)
{
	size_t n = 0;

	for (; (text = strstr(text, of)) != NULL; text++)
		n++;
	return n;
}

static void enter_goes_through_a_demo(void **state)
{
	const char *text =
	    said("demo 1", "\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n");

	(void)state;
	assert_int_equal(occurrences(text, "Demo 1 Write path. Step "), 10);
	assert_non_null(strstr(text, "Step 10 of 10."));
	assert_int_equal(occurrences(text, "Question: "), occurrences(text, "Answer: "));
	assert_non_null(strstr(text, "S1 committed entry 2.\n"));
	assert_non_null(
	    strstr(text, "S1: leader, term 1, last 2, committed 2, applied 1, revision 1.\n"));
	assert_null(strchr(text, '\033'));
}

static void a_demo_without_input_is_told(void **state)
{
	(void)state;
	assert_non_null(strstr(said("demo 8", ""), "Step 10 of 10."));
}

static void errors_are_explained(void **state)
{
	const char *text = said(
	    "--plain", "put /a 1\\nget /a --rev=9\\nput \"/x\" \"\\\\x1b[31m\\\\x9b\"\\nget /x\\n");

	(void)state;
	assert_non_null(strstr(text,
			       "Error: etcdserver: mvcc: required revision is a future revision\n"
			       "Why: The store is at revision 2; 9 does not exist yet.\n"));
	for (const unsigned char *p = (const unsigned char *)text; *p; p++)
		assert_true(*p == '\n' || (*p >= 0x20 && *p != 0x7f));
	assert_non_null(strstr(text, "\\x1b[31m\\x9b"));
}

static void only_what_changed_is_said(void **state)
{
	const char *text = said("--plain", "put /a 1\\nget /a\\n");

	(void)state;
	assert_int_equal(
	    occurrences(text, "S2: follower, term 1, last 2, committed 2, applied 2, revision 2."),
	    1);
}

static int prepare(void **state)
{
	(void)state;
	return mkdtemp(state_dir) ? 0 : -1;
}

static int clean_up(void **state)
{
	char command[128];

	(void)state;
	buf_free(&out);
	snprintf(command, sizeof command, "rm -rf %s", state_dir);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(enter_goes_through_a_demo),
	    cmocka_unit_test(a_demo_without_input_is_told),
	    cmocka_unit_test(errors_are_explained),
	    cmocka_unit_test(only_what_changed_is_said),
	};

	return cmocka_run_group_tests(tests, prepare, clean_up);
}
