/* Themes: what a file may say, how mistakes are told, and the measures of the built-in ones
 * (screen-design.md A). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ui/color.h"
#include "ui/theme.h"

static void assert_same_looks(const struct theme *a, const struct theme *b)
{
	for (int i = 0; i < STYLE_COUNT; i++) {
		assert_int_equal(a->look[i].fg, b->look[i].fg);
		assert_int_equal(a->look[i].bg, b->look[i].bg);
		assert_int_equal(a->look[i].attr, b->look[i].attr);
	}
}

static void close_to(double a, double b, double by)
{
	if (fabs(a - b) > by)
		fail_msg("%f is not %f", a, b);
}

/* Pairs of Sharma, Wu and Dalal's test data would need Lab input; these are the figures that the
 * design states. */
static void figures_of_the_design(void **state)
{
	struct theme t;

	(void)state;
	assert_true(theme_builtin(&t, "dark"));
	close_to(color_contrast(color_linear(0x87d7ff), color_linear(0)), 13.2, 0.05);
	close_to(color_contrast(color_linear(0xffffff), color_linear(0x00875f)), 4.5, 0.05);
	/* t4/t7 16.9, t5/t7 14.2 (protanopia), t1/t6 14.3 (tritanopia), t8/t1 49.8 */
	close_to(color_distance(color_linear(0x870087), color_linear(0x8700ff)), 16.9, 0.1);
	close_to(color_distance(color_seen(color_linear(0xd75fff), VISION_PROTANOPIA),
				color_seen(color_linear(0x8700ff), VISION_PROTANOPIA)),
		 14.2, 0.1);
	close_to(color_distance(color_seen(color_linear(0x87d7ff), VISION_TRITANOPIA),
				color_seen(color_linear(0x00af87), VISION_TRITANOPIA)),
		 14.3, 0.1);
	double least = 100;
	for (int v = 0; v < VISION_COUNT; v++)
		least =
		    fmin(least, color_distance(color_seen(color_linear(0xaf8700), (enum vision)v),
					       color_seen(color_linear(0x87d7ff), (enum vision)v)));
	close_to(least, 49.8, 0.2);
}

static void built_in_themes_pass(void **state)
{
	(void)state;
	for (int i = 0; theme_names[i]; i++) {
		struct theme t;
		struct buf out = {0};
		assert_true(theme_builtin(&t, theme_names[i]));
		int warnings = theme_check(&t, &out);
		if (warnings && strcmp(theme_names[i], "page") != 0)
			fail_msg("%s", buf_str(&out));
		buf_free(&out);
	}
}

/* The files that a user copies from say what the program does. */
static void files_are_the_built_in_themes(void **state)
{
	(void)state;
	for (int i = 0; theme_names[i]; i++) {
		struct theme t, f;
		struct buf text = {0}, err = {0};
		char path[128];
		snprintf(path, sizeof path, "themes/%s.json", theme_names[i]);
		assert_int_equal(buf_read_file(&text, path), 0);
		theme_builtin(&t, theme_names[i]);
		theme_builtin(&f, "dark");
		if (!theme_parse(&f, path, buf_str(&text), &err))
			fail_msg("%s", buf_str(&err));
		assert_same_looks(&t, &f);
		buf_free(&text);
		buf_free(&err);
	}
}

static void refused(const char *text, const char *message)
{
	struct theme t, before;
	struct buf err = {0};

	theme_builtin(&t, "dark");
	before = t;
	assert_false(theme_parse(&t, "mine.json", text, &err));
	if (!strstr(buf_str(&err), message))
		fail_msg("%s\n  has no: %s", buf_str(&err), message);
	assert_null(strchr(buf_str(&err), '\n'));
	assert_same_looks(&t, &before);
	buf_free(&err);
}

static void mistakes_are_told(void **state)
{
	(void)state;
	refused("{\n\"leader\": {\"fg\": 1},\n\"down\": {\n\"bg\": 300}}",
		"mine.json:4: \"bg\": 300 is no colour: default, 0 to 255, \"#rrggbb\", black or "
		"white");
	refused("{\"leader\": {\"fg\": \"#12345\"}}",
		"mine.json:1: \"fg\": \"#12345\" is no colour");
	refused("{\"leader\": {\"fg\": 1.5}}", "is no colour");
	refused("{\"leader\": {\"fg\": -1}}", "is no colour");
	refused("{\"leader\": {\"fg\": null}}", "is no colour");
	refused("{\n\n\"leeder\": {}}", "mine.json:3: unknown item \"leeder\": header");
	refused("{\"leader\": {\"gb\": 1}}",
		"unknown field 1 \"gb\" of \"leader\": fg, bg and attr are known");
	refused("{\"leader\": {\"attr\": \"bold blink\"}}",
		"is no attribute: bold, underline, reverse, dim");
	refused("{\"leader\": 7}", "must be an object");
	refused("[]", "one JSON object");
	refused("{\"leader\": {}\n\"down\": {}}", "mine.json:2: this is no JSON");
	refused("", "mine.json:1: this is no JSON");
	refused("{} x", "this is no JSON");
}

static void what_is_not_named_stays(void **state)
{
	struct theme t, dark;
	struct buf err = {0};

	(void)state;
	theme_builtin(&t, "dark");
	theme_builtin(&dark, "dark");
	assert_true(theme_parse(
	    &t, "f",
	    "{\"term1\": {\"fg\": \"white\", \"bg\": \"#5f0000\", \"attr\": \"bold  dim\"}}",
	    &err));
	assert_int_equal(t.look[STYLE_TERM1].fg, 231);
	assert_int_equal(t.look[STYLE_TERM1].bg, COLOR_RGB | 0x5f0000);
	assert_int_equal(t.look[STYLE_TERM1].attr, ATTR_BOLD | ATTR_DIM);
	assert_int_equal(t.look[STYLE_LEADER].bg, dark.look[STYLE_LEADER].bg);
	assert_int_equal(theme_look(&t, STYLE_TERM1, DEPTH_256).bg, 52);
	assert_int_equal(theme_look(&t, STYLE_TERM1, DEPTH_MONO).bg, COLOR_DEFAULT);
}

/* Without colour leader, follower, candidate, down, committed and uncommitted still look different
 * (A.2), and terms that follow each other do at every depth of colour. */
static void depths_keep_things_apart(void **state)
{
	static const enum depth depths[] = {DEPTH_8, DEPTH_16, DEPTH_256};
	static const enum style roles[] = {STYLE_LEADER, STYLE_FOLLOWER, STYLE_CANDIDATE,
					   STYLE_PRE_CANDIDATE, STYLE_DOWN};
	struct theme t;

	(void)state;
	theme_builtin(&t, "dark");
	for (int i = 0; i < 5; i++)
		for (int j = i + 1; j < 5; j++) {
			struct look a = theme_look(&t, roles[i], DEPTH_MONO),
				    b = theme_look(&t, roles[j], DEPTH_MONO);
			assert_int_not_equal(a.attr, b.attr);
		}
	assert_int_not_equal(theme_look(&t, STYLE_TERM1, DEPTH_MONO).attr,
			     theme_look(&t, STYLE_UNCOMMITTED, DEPTH_MONO).attr);
	for (int d = 0; d < 3; d++)
		for (int i = 0; i < STYLE_TERMS; i++)
			for (int j = i + 1; j < STYLE_TERMS; j++) {
				struct look a =
				    theme_look(&t, STYLE_TERM1 + (enum style)i, depths[d]);
				struct look b =
				    theme_look(&t, STYLE_TERM1 + (enum style)j, depths[d]);
				assert_true(a.bg != b.bg || a.attr != b.attr);
				assert_true(a.bg < (int)depths[d] && a.fg < (int)depths[d]);
			}
}

static void loading(void **state)
{
	struct theme t;
	struct buf err = {0};

	(void)state;
	assert_false(theme_load(&t, "nonesuch", &err));
	assert_non_null(strstr(
	    buf_str(&err), "there is no theme nonesuch: auto, dark, light, contrast, mono, page"));
	buf_clear(&err);
	assert_false(theme_load(&t, "/nonexistent/x.json", &err));
	assert_non_null(strstr(buf_str(&err), "/nonexistent/x.json: No such file"));
	buf_clear(&err);
	assert_true(theme_load(&t, "auto", &err));
	assert_true(theme_load(&t, "contrast", &err));
	assert_string_equal(t.name, "contrast");
	buf_free(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(figures_of_the_design),
	    cmocka_unit_test(built_in_themes_pass),
	    cmocka_unit_test(files_are_the_built_in_themes),
	    cmocka_unit_test(mistakes_are_told),
	    cmocka_unit_test(what_is_not_named_stays),
	    cmocka_unit_test(depths_keep_things_apart),
	    cmocka_unit_test(loading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
