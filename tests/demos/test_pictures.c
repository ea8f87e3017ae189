/* A position in a demo has one picture and one state, whichever way one came to it: forward by
 * steps, back by steps, forward and back by events. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "demo.h"
#include "ui/picture.h"

static const struct {
	int columns, rows;
} sizes[] = {{.columns = 80, .rows = 24}, {.columns = 120, .rows = 40}};

enum { SIZES = sizeof sizes / sizeof *sizes };

struct seen {
	struct player_position at;
	uint64_t hash;
	struct buf picture[SIZES];
	size_t visits;
};

struct album {
	struct demo_rig d;
	VEC(struct seen) pages;
};

static void take(struct demo_rig *d, struct seen *s)
{
	*s = (struct seen){.at = player_at(d->player), .hash = world_hash(player_world(d->player))};
	for (int i = 0; i < SIZES; i++)
		assert_true(screen_picture(d->player, "screen", sizes[i].columns, sizes[i].rows,
					   &s->picture[i]));
}

static void drop(struct seen *s)
{
	for (int i = 0; i < SIZES; i++)
		buf_free(&s->picture[i]);
}

static struct seen *page_at(struct album *a, struct player_position at)
{
	for (size_t i = 0; i < a->pages.n; i++)
		if (a->pages.v[i].at.input == at.input && a->pages.v[i].at.event == at.event)
			return &a->pages.v[i];
	return NULL;
}

static void must_equal(const struct seen *before, const struct seen *now, const char *way)
{
	for (int i = 0; i < SIZES; i++)
		if (strcmp(buf_str(&before->picture[i]), buf_str(&now->picture[i])) != 0)
			fail_msg("input %zu, event %llu differs %s:\n%s\nwas:\n%s", now->at.input,
				 (unsigned long long)now->at.event, way, buf_str(&now->picture[i]),
				 buf_str(&before->picture[i]));
	if (before->hash != now->hash)
		fail_msg("input %zu, event %llu: another state %s", now->at.input,
			 (unsigned long long)now->at.event, way);
}

/* The first visit of a position is kept, later ones are compared with it. */
static void visit(struct album *a, const char *way, bool keep)
{
	struct seen *known = page_at(a, player_at(a->d.player)), now;

	if (!known && !keep)
		return;
	take(&a->d, &now);
	if (!known) {
		now.visits = 1;
		vec_push(&a->pages, now);
		return;
	}
	must_equal(known, &now, way);
	known->visits++;
	drop(&now);
}

static void walk(struct album *a, bool (*move)(struct player *), const char *way, bool keep)
{
	visit(a, way, keep);
	while (move(a->d.player))
		visit(a, way, keep);
}

static void every_page_was_visited(const struct album *a, size_t times)
{
	for (size_t i = 0; i < a->pages.n; i++)
		if (a->pages.v[i].visits < times)
			fail_msg("input %zu, event %llu was passed %zu times of %zu",
				 a->pages.v[i].at.input, (unsigned long long)a->pages.v[i].at.event,
				 a->pages.v[i].visits, times);
}

static void close_album(struct album *a)
{
	for (size_t i = 0; i < a->pages.n; i++)
		drop(&a->pages.v[i]);
	vec_free(&a->pages);
	demo_close(&a->d);
}

static void by_steps(void **state)
{
	(void)state;
	for (const int *n = demo_numbers; *n; n++) {
		struct album a = {0};

		demo_open(&a.d, *n);
		walk(&a, player_step, "forward by steps", true);
		assert_int_equal(a.pages.n, player_steps(a.d.player) + 1);
		walk(&a, player_back, "back by steps", false);
		every_page_was_visited(&a, 2);
		walk(&a, player_step, "forward by steps again", false);
		every_page_was_visited(&a, 3);
		close_album(&a);
	}
}

/* Half an hour of heartbeats: too many events to draw each of them. */
enum { LONG_DEMO = 21 };

/* The page of a step's end; pages[0] is the beginning, so it is the page of that number. */
static void must_end_like(const struct album *a, size_t step, const struct seen *now)
{
	must_equal(&a->pages.v[step], now, "by events");
	a->pages.v[step].visits++;
}

/* Where a step ends by events, it is as it is where it ends by steps.  (A step without an event of
 * its own, which only asks a question, is passed over.) */
static void by_events(void **state)
{
	(void)state;
	for (const int *n = demo_numbers; *n && *n != LONG_DEMO; n++) {
		struct album a = {0};
		struct seen last, now;
		size_t step = 0;

		demo_open(&a.d, *n);
		walk(&a, player_step, "forward by steps", true);
		assert_true(player_goto(a.d.player, 0, 0));
		take(&a.d, &last);
		for (bool more = true; more;) {
			more = player_step_event(a.d.player);
			if (!more || player_step_number(a.d.player) != step)
				must_end_like(&a, step, &last);
			step = player_step_number(a.d.player);
			take(&a.d, &now);
			drop(&last);
			last = now;
		}
		drop(&last);
		for (size_t i = 1; i < a.pages.n; i++)
			if (a.pages.v[i].hash != a.pages.v[i - 1].hash)
				assert_true(a.pages.v[i].visits >= 2);
		close_album(&a);
	}
}

static bool is_a_state_of(const struct album *a, uint64_t hash)
{
	for (size_t i = 0; i < a->pages.n; i++)
		if (a->pages.v[i].hash == hash)
			return true;
	return false;
}

/* Back by events: every state was there on the way forward, and a position in the middle of a
 * command has the same picture.  (Between commands there are several positions for one state: the
 * lines of narration.) */
static void back_by_events(void **state)
{
	(void)state;
	for (const int *n = demo_numbers; *n && *n != LONG_DEMO; n++) {
		struct album a = {0};

		demo_open(&a.d, *n);
		walk(&a, player_step_event, "forward by events", true);
		visit(&a, "at the end", false);
		while (player_back_event(a.d.player)) {
			assert_true(is_a_state_of(&a, world_hash(player_world(a.d.player))));
			visit(&a, "back by events", false);
		}
		assert_true(world_hash(player_world(a.d.player)) == a.pages.v[0].hash);
		for (size_t i = 0; i < a.pages.n; i++)
			assert_true(a.pages.v[i].at.event == 0 || a.pages.v[i].visits >= 2);
		close_album(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(by_steps),
	    cmocka_unit_test(by_events),
	    cmocka_unit_test(back_by_events),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
