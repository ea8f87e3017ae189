/* What goes wrong can be seen, with a word or a glyph, at every size and in ASCII. */
#include "support.h"

#include <stdio.h>
#include <string.h>

static const int sizes[][2] = {{60, 20}, {80, 24}, {100, 30}, {120, 40}, {160, 50}};

static void draw(struct rig *r, size_t i, bool ascii)
{
	r->c.ascii = ascii;
	rig_draw(r, sizes[i][0], sizes[i][1]);
}

static void faults_are_seen(void **state)
{
	struct rig r;

	(void)state;
	rig_open_bare(&r, 3);
	rig_type(&r, "put a 1");
	rig_type(&r, "disk S2 --delay=20ms");
	rig_type(&r, "clock S1 --skew=+10%");
	rig_type(&r, "pause-member S3");
	rig_type(&r, "net S1 S2 --delay=50ms --loss=10%");
	rig_type(&r, "bug commit-half");
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		draw(&r, i, false);
		assert_true(rig_shows(&r, "S3 PAUSED"));
		assert_true(rig_shows(&r, "+10%"));
		assert_true(rig_shows(&r, sizes[i][0] < 80 ? "▤" : "▤20ms"));
		assert_true(rig_shows(&r, "BUG: commit-half"));
		if (sizes[i][0] >= 80)
			assert_true(rig_shows(&r, "links: 1 slow 1 lossy"));
		draw(&r, i, true);
		assert_true(rig_shows(&r, sizes[i][0] < 80 ? "S2 follower Dt1" : "D:20ms"));
		for (size_t k = 0; k < r.picture.n; k++)
			assert_in_range((unsigned char)r.picture.p[k], '\n', '~');
	}
	rig_close(&r);
}

/* A broken rule stays until it is dismissed; before it, nothing is said. */
static void broken_rules_are_told(void **state)
{
	struct rig r;
	struct config cfg;

	(void)state;
	rig_open_bare(&r, 3);
	player_free(r.p);
	config_init(&cfg);
	cfg.members = 3;
	cfg.check = CHECK_STEP;
	r.p = player_new(&cfg);
	rig_type(&r, "bug commit-half");
	rig_type(&r, "partition S1");
	rig_draw(&r, 80, 24);
	assert_null(scene_violation(&r.s));
	rig_type(&r, "put b 2 &");
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		draw(&r, i, i & 1);
		const struct violation *v = scene_violation(&r.s);
		assert_non_null(v);
		assert_true(rig_shows(&r, "INVARIANT Committed Is Durable"));
	}
	rig_draw(&r, 80, 24);
	const char *title = strstr(buf_str(&r.picture), "5 STORY");
	assert_true(strncmp(title + strcspn(title, "I"), "INVARIANT Committed Is Durable ", 31) ==
		    0);
	int y = 0;
	while (!strstr(rig_row(&r, y), "5 STORY"))
		y++;
	assert_int_equal(canvas_at(&r.c, 76, y)->style, STYLE_ERROR);
	r.v.dismissed = 1;
	assert_non_null(scene_violation(&r.s)); /* another one was dismissed */
	player_back(r.p);
	rig_draw(&r, 80, 24);
	assert_false(rig_shows(&r, "INVARIANT"));
	rig_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(faults_are_seen),
	    cmocka_unit_test(broken_rules_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
