/* Random clusters, clients and faults with every rule watched; and that a seed means one run,
 * whoever runs it. That the rules can fail is shown by tests/check/mutants.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "explore/seed.h"
#include "script/runner.h"

static const struct seed_options options = {.events = 1000, .classes = CLASSES_ALL, .check = true};

static struct seed_result run(uint64_t number, bool check, struct buf *story)
{
	struct seed s;

	seed_draw(&s, number, &options);
	struct seed_result r = seed_run(&s, check, story);
	seed_free(&s);
	return r;
}

static void three_hundred_seeds_break_no_rule(void **state)
{
	(void)state;
	for (uint64_t i = 1; i <= 300; i++) {
		struct seed_result r = run(i, true, NULL);
		if (r.broken)
			fail_msg("seed %llu: %s: %s", (unsigned long long)i, r.violation.rule,
				 r.violation.text);
	}
}

static void a_seed_is_one_run(void **state)
{
	struct buf a = {0}, b = {0};

	(void)state;
	for (uint64_t i = 1; i <= 20; i++) {
		struct seed_result first = run(i, true, &a), again = run(i, true, &b);
		assert_int_equal(first.hash, again.hash);
		assert_int_equal(first.events, again.events);
		assert_string_equal(buf_str(&a), buf_str(&b));
		buf_clear(&a);
		buf_clear(&b);
	}
	buf_free(&a);
	buf_free(&b);
}

/* Whoever watches changes nothing. */
static void watching_changes_nothing(void **state)
{
	(void)state;
	for (uint64_t i = 1; i <= 50; i++)
		assert_int_equal(run(i, true, NULL).hash, run(i, false, NULL).hash);
}

static void go_on(struct world *w, struct checker *c, errand_list *e, const struct seed *s,
		  size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		for (uint32_t k = 0; k < s->actions.v[i].events; k++) {
			if (!sim_step(w)) {
				sim_advance(w, sim_next_ms(w));
				sim_step(w);
			}
			if (!check_step(c, w))
				fail_msg("%s: %s", check_violation(c)->rule,
					 check_violation(c)->text);
			w->notes.n = 0;
			errands_go_on(w, e);
		}
		action_do(w, &s->actions.v[i], e);
	}
}

/* A world and its checker go back together, and both futures are watched. */
static void a_checker_goes_back_with_its_world(void **state)
{
	(void)state;
	for (uint64_t i = 1; i <= 30; i++) {
		struct seed s;
		seed_draw(&s, i, &options);
		struct world *w = world_new(&s.cfg, NULL);
		struct checker *c = check_new(w);
		errand_list e = {0}, e2 = {0};
		size_t half = s.actions.n / 2;
		go_on(w, c, &e, &s, 0, half);
		struct world *w2 = world_copy(w);
		struct checker *c2 = check_copy(c);
		vec_copy(&e2, &e);
		go_on(w, c, &e, &s, half, s.actions.n);
		go_on(w2, c2, &e2, &s, half, s.actions.n);
		assert_int_equal(world_hash(w), world_hash(w2));
		vec_free(&e);
		vec_free(&e2);
		check_free(c2);
		check_free(c);
		world_free(w);
		world_free(w2);
		seed_free(&s);
	}
}

/* The world that a script ends in. */
static uint64_t hash_of_script(const struct buf *text)
{
	struct run_options o = {.format = "simple"};
	struct scope scope;
	struct runner r;
	struct buf err = {0};

	config_init(&o.cfg);
	assert_true(scope_parse(&scope, "seed", buf_bytes(text), &err));
	runner_init(&r, &o, true, false);
	for (size_t i = 0; i < scope.items.n; i++)
		if (scope.items.v[i].kind == ITEM_COMMAND &&
		    !runner_command(&r, scope.items.v[i].text, &err))
			fail_msg("%s", buf_str(&err));
	uint64_t hash = world_hash(r.drive.sh->w);
	runner_free(&r);
	scope_free(&scope);
	return hash;
}

/* Runs the seed, and its script: the same world?  (`stepping` is a setting, and in the hash.) */
static bool script_repeats(struct seed *s)
{
	struct buf text = {0};
	uint64_t hash = seed_run(s, false, NULL).hash;

	seed_print(&text, s, NULL);
	buf_puts(&text, "stepping off\n");
	bool same = hash_of_script(&text) == hash;
	buf_free(&text);
	return same;
}

/* Settling starts members again and again; the script says when. */
static void a_seed_is_repeated_by_its_script(void **state)
{
	size_t settled = 0, started = 0;

	(void)state;
	for (uint64_t i = 1; i <= 300; i++) {
		struct seed s;
		seed_draw(&s, i, &options);
		if (!script_repeats(&s))
			fail_msg("seed %llu is another run as a script", (unsigned long long)i);
		settled += s.settles;
		started += s.settling.n;
		seed_free(&s);
	}
	assert_true(settled > 20 && started > settled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(three_hundred_seeds_break_no_rule),
	    cmocka_unit_test(a_seed_is_one_run),
	    cmocka_unit_test(watching_changes_nothing),
	    cmocka_unit_test(a_seed_is_repeated_by_its_script),
	    cmocka_unit_test(a_checker_goes_back_with_its_world),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
