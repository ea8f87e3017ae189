/* The canvas: clipping, wide characters, marks, ASCII twins, shortening. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ui/canvas.h"

static struct canvas c;
static struct buf out;

static int setup(void **state)
{
	(void)state;
	canvas_init(&c, 10, 3, false);
	out = (struct buf){0};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	canvas_free(&c);
	buf_free(&out);
	return 0;
}

static const char *printed(void)
{
	buf_clear(&out);
	canvas_print(&c, &out);
	return buf_str(&out);
}

static void text_is_cut_at_the_edges(void **state)
{
	(void)state;
	assert_int_equal(canvas_puts(&c, 6, 0, STYLE_NORMAL, "abcdefgh"), 14);
	canvas_puts(&c, -2, 1, STYLE_NORMAL, "abcd");
	canvas_puts(&c, 0, 7, STYLE_NORMAL, "below");
	canvas_puts(&c, 0, -1, STYLE_NORMAL, "above");
	assert_string_equal(printed(), "      abcd\ncd\n\n");
}

static void clip_keeps_the_rest(void **state)
{
	(void)state;
	struct rect before = canvas_clip(&c, (struct rect){2, 1, 3, 1});
	canvas_puts(&c, 0, 0, STYLE_NORMAL, "xxxxx");
	canvas_puts(&c, 0, 1, STYLE_NORMAL, "abcdefgh");
	canvas_clip(&c, before);
	canvas_puts(&c, 9, 2, STYLE_NORMAL, "z");
	assert_string_equal(printed(), "\n  cde\n         z\n");
}

static void wide_characters_own_two_cells(void **state)
{
	(void)state;
	assert_int_equal(canvas_puts(&c, 0, 0, STYLE_NORMAL,
				     "a\xe4\xb8\xad"
				     "b"),
			 4);
	assert_int_equal(canvas_at(&c, 2, 0)->code, 0);
	/* half of one is a blank */
	canvas_puts(&c, 2, 0, STYLE_NORMAL, "x");
	assert_string_equal(printed(), "a xb\n\n\n");
	/* at the last column there is room for no more than a blank */
	canvas_puts(&c, 9, 1, STYLE_NORMAL, "\xe4\xb8\xad");
	assert_int_equal(canvas_at(&c, 9, 1)->code, ' ');
}

static void marks_stand_on_their_character(void **state)
{
	(void)state;
	assert_int_equal(canvas_puts(&c, 0, 0, STYLE_NORMAL, "e\xcc\x81\xcc\x82\xcc\x83x"), 2);
	assert_string_equal(printed(), "e\xcc\x81\xcc\x82x\n\n\n"); /* two at most */
}

static void ascii_has_twins(void **state)
{
	(void)state;
	c.ascii = true;
	assert_int_equal(canvas_width(&c, BYTES("…►")), 3);
	canvas_puts(&c, 0, 0, STYLE_NORMAL, "►NOW◄…");
	canvas_puts(&c, 0, 1, STYLE_NORMAL, "\xc3\xa4");
	assert_string_equal(printed(), ">NOW<..\n\\u00e4\n\n");
}

static const char *shortened(const char *text, int w, bool keep_end)
{
	buf_clear(&out);
	canvas_shorten(&c, &out, bytes_of(text), w, keep_end);
	return buf_str(&out);
}

static void shortening_says_where(void **state)
{
	(void)state;
	assert_string_equal(shortened("/registry/pods/web-1", 8, true), "../web-1");
	assert_string_equal(shortened("/registry/pods/web-1", 8, false), "/regis..");
	assert_string_equal(shortened("short", 8, true), "short");
	assert_string_equal(shortened("abcdef", 1, true), ".");
	assert_string_equal(shortened("abcdef", 0, true), "");
	for (int w = 0; w < 12; w++) {
		shortened("\xe4\xb8\xad\xe4\xb8\xad"
			  "a\xe4\xb8\xad\xe4\xb8\xad",
			  w, w & 1);
		assert_true(canvas_width(&c, buf_bytes(&out)) <= w);
	}
}

static void any_size_is_a_canvas(void **state)
{
	(void)state;
	for (int w = -1; w < 5; w++)
		for (int h = -1; h < 5; h++) {
			canvas_reset(&c, w, h);
			canvas_puts(&c, 0, 0, STYLE_NORMAL, "hello");
			canvas_fill(&c, (struct rect){-5, -5, 100, 100}, STYLE_ERROR, 'x');
			canvas_restyle(&c, (struct rect){-5, -5, 100, 100}, STYLE_KEY, ATTR_BOLD);
		}
	assert_int_equal(canvas_at(&c, 3, 3)->style, STYLE_KEY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(text_is_cut_at_the_edges, setup, teardown),
	    cmocka_unit_test_setup_teardown(clip_keeps_the_rest, setup, teardown),
	    cmocka_unit_test_setup_teardown(wide_characters_own_two_cells, setup, teardown),
	    cmocka_unit_test_setup_teardown(marks_stand_on_their_character, setup, teardown),
	    cmocka_unit_test_setup_teardown(ascii_has_twins, setup, teardown),
	    cmocka_unit_test_setup_teardown(shortening_says_where, setup, teardown),
	    cmocka_unit_test_setup_teardown(any_size_is_a_canvas, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
