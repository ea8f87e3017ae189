/* Pictures for files (B.11, key E): each form says what the screen says. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "ui/export.h"

/* The text without its escape sequences, and without blanks at the ends of lines. */
static void strip(struct buf *out, const char *p)
{
	for (; *p; p++) {
		if (p[0] == '\033' && p[1] == '[') {
			for (p += 2; *p >= '0' && *p <= ';'; p++)
				;
			continue;
		}
		while (*p == '\n' && out->n && out->p[out->n - 1] == ' ')
			out->n--;
		buf_putc(out, *p);
	}
}

static void text_with_colours_is_the_text(void **state)
{
	struct rig r;
	struct theme t;
	struct buf ans = {0}, plain = {0}, txt = {0};

	(void)state;
	assert_true(theme_builtin(&t, "dark"));
	rig_open_demo(&r, 8);
	player_goto(r.p, 6, 0);
	rig_draw(&r, 80, 24);
	assert_true(export_canvas(&r.c, &t, "txt", &txt));
	assert_string_equal(buf_str(&txt), buf_str(&r.picture));
	assert_true(export_canvas(&r.c, &t, "ans", &ans));
	strip(&plain, buf_str(&ans));
	assert_string_equal(buf_str(&plain), buf_str(&txt));
	assert_non_null(strstr(buf_str(&ans), "\033[0;1;38;5;231;48;5;29m")); /* LEADER */
	assert_non_null(strstr(buf_str(&ans), "48;5;117m[ 1 ][ 2 ]"));	      /* term 1 */
	assert_false(export_canvas(&r.c, &t, "gif", &txt));
	buf_free(&ans);
	buf_free(&plain);
	buf_free(&txt);
	rig_close(&r);
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	while ((text = strstr(text, what)) != NULL)
		text += strlen(what), n++;
	return n;
}

static void svg_has_every_word(void **state)
{
	struct rig r;
	struct theme t;
	struct buf svg = {0};

	(void)state;
	theme_builtin(&t, "dark");
	rig_open_bare(&r, 3);
	rig_type(&r, "put /a <&>");
	rig_draw(&r, 80, 24);
	assert_true(export_canvas(&r.c, &t, "svg", &svg));
	const char *text = buf_str(&svg);
	assert_non_null(strstr(text, ">&lt;&amp;&gt;</text>"));
	assert_null(strstr(text, "<&"));
	assert_non_null(strstr(text, ">S1&gt;</text>"));
	assert_non_null(strstr(text, "width=\"720\" height=\"432\""));
	assert_non_null(strstr(text, "fill=\"#00875f\"/>")); /* the leader's badge */
	assert_int_equal(count(text, "<text "), count(text, "</text>\n"));
	assert_int_equal(count(text, "<svg "), 1);
	assert_int_equal(count(text, "</svg>\n"), 1);
	buf_free(&svg);
	rig_close(&r);
}

/* A frame for the start and each step up to here; the player stands where it stood. */
static void casts_go_from_the_start_to_here(void **state)
{
	struct rig r;
	struct buf before = {0}, cast = {0};

	(void)state;
	rig_open_demo(&r, 6);
	player_goto(r.p, 4, 0);
	buf_puts(&before, rig_draw(&r, 80, 24));
	assert_true(screen_export(r.p, "cast", &cast));
	assert_string_equal(rig_draw(&r, 80, 24), buf_str(&before));
	assert_int_equal(count(buf_str(&cast), "\n"), 6);
	assert_int_equal(strncmp(buf_str(&cast), "{\"version\": 2, \"width\": 80, ", 28), 0);
	for (int step = 0; step <= 4; step++) {
		char text[64];
		snprintf(text, sizeof text, "\n[%d.0, \"o\", \"", 2 * step);
		char *frame = strstr(buf_str(&cast), text);
		assert_non_null(frame);
		snprintf(text, sizeof text, "step %d of 9", step);
		assert_non_null(strstr(frame, text));
		assert_true(strstr(frame, text) < frame + 1 + strcspn(frame + 1, "\n"));
	}
	buf_clear(&cast);
	player_goto(r.p, 0, UINT64_MAX);
	screen_export(r.p, "cast", &cast);
	assert_int_equal(count(buf_str(&cast), "\n"), 2);
	buf_free(&before);
	buf_free(&cast);
	rig_close(&r);
}

/* In free play a frame for each command. */
static void casts_of_free_play(void **state)
{
	struct rig r;
	struct buf cast = {0};

	(void)state;
	rig_open_bare(&r, 3);
	rig_type(&r, "put a 1");
	rig_type(&r, "put b 2");
	rig_type(&r, "wait 1");
	struct player_position here = player_at(r.p);
	assert_true(screen_export(r.p, "cast", &cast));
	assert_int_equal(count(buf_str(&cast), "\n"), 5);
	assert_int_equal(player_at(r.p).input, here.input);
	assert_int_equal(player_at(r.p).event, here.event);
	assert_int_equal(count(buf_str(&cast), "> put b 2"), 1);
	buf_free(&cast);
	rig_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_with_colours_is_the_text),
	    cmocka_unit_test(svg_has_every_word),
	    cmocka_unit_test(casts_go_from_the_start_to_here),
	    cmocka_unit_test(casts_of_free_play),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
