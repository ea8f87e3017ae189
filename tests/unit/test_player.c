/* Time travel: every position has one state, one output, one mark and one trace, whichever way one
 * came. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/prng.h"
#include "explore/seed.h"
#include "script/player.h"

static struct player *load(const char *text)
{
	struct config cfg;
	struct scope s;
	struct buf err = {0};

	config_init(&cfg);
	struct player *p = player_new(&cfg);
	assert_true(scope_parse(&s, "test.scope", bytes_of(text), &err));
	assert_true(player_load(p, &s, &err));
	scope_free(&s);
	return p;
}

static struct player *free_play(void)
{
	struct config cfg;

	config_init(&cfg);
	return player_new(&cfg);
}

static void type(struct player *p, const char *line)
{
	struct buf err = {0};

	if (player_type(p, bytes_of(line), &err) != SHELL_OK)
		fail_msg("%s: %s", line, buf_str(&err));
	buf_free(&err);
}

static uint64_t hash_now(const struct player *p)
{
	return world_hash(player_world(p));
}

static void assert_output(const struct player *p, const char *want)
{
	char *got = strndup(player_output(p).p, player_output(p).n);

	assert_string_equal(got, want);
	free(got);
}

/* --- what is to be the same at a position */

struct seen {
	struct player_position at;
	uint64_t hash;
	struct player_mark mark;
	struct buf text; /* output of the command, and the trace of the step */
};

struct seen_list {
	VEC(struct seen) v;
};

static void look(const struct player *p, struct seen *s)
{
	const struct trace *t = player_trace(p);

	s->at = player_at(p);
	s->hash = hash_now(p);
	s->mark = player_mark(p);
	buf_clear(&s->text);
	buf_printf(&s->text, "%zu %s\n", player_step_number(p), player_command_text(p));
	buf_put_bytes(&s->text, player_output(p));
	if (player_step_number(p) == 0)
		return;
	assert_true(t->first <= s->mark.ntrace || t->end - t->first == TRACE_RING);
	for (uint64_t i = s->mark.ntrace; i < t->end; i++) {
		trace_print(&s->text, trace_get(t, i));
		buf_putc(&s->text, '\n');
	}
}

static void note(struct seen_list *list, const struct player *p)
{
	struct seen s = {0};

	look(p, &s);
	vec_push(&list->v, s);
}

/* Goes forward event by event and notes what is seen. */
static void explore(struct seen_list *list, struct player *p)
{
	note(list, p);
	while (player_at(p).input < player_end(p).input && player_step_event(p))
		note(list, p);
}

static const struct seen *find(const struct seen_list *list, struct player_position at)
{
	for (size_t i = 0; i < list->v.n; i++)
		if (list->v.v[i].at.input == at.input && list->v.v[i].at.event == at.event)
			return &list->v.v[i];
	return NULL;
}

static void compare_marks(const struct player_mark *a, const struct player_mark *b)
{
	assert_int_equal(a->events, b->events);
	assert_int_equal(a->ntrace, b->ntrace);
	assert_int_equal(a->rev, b->rev);
	assert_int_equal(a->term, b->term);
	assert_int_equal(a->log, b->log);
	assert_int_equal(a->committed, b->committed);
	assert_int_equal(a->applied, b->applied);
	assert_int_equal(a->leader, b->leader);
}

/* A position that explore did not stop at (between two lines of narration) is passed over. */
static void compare(const struct seen_list *list, const struct player *p, const char *move)
{
	const struct seen *want = find(list, player_at(p));
	struct seen got = {0};

	if (!want)
		return;
	look(p, &got);
	if (want->hash != got.hash)
		fail_msg("after %s: another state at %zu.%llu", move, got.at.input,
			 (unsigned long long)got.at.event);
	compare_marks(&want->mark, &got.mark);
	assert_string_equal(buf_str(&want->text), buf_str(&got.text));
	buf_free(&got.text);
}

static void forget(struct seen_list *list)
{
	for (size_t i = 0; i < list->v.n; i++)
		buf_free(&list->v.v[i].text);
	vec_free(&list->v);
}

static const char *random_move(struct player *p, struct prng *r, const struct seen_list *list)
{
	size_t target = (size_t)prng_below(r, list->v.n);

	switch (prng_below(r, 9)) {
	case 0:
		if (player_at(p).input < player_end(p).input)
			player_step(p);
		return "step";
	case 1:
		if (player_at(p).input < player_end(p).input)
			player_step_event(p);
		return "step event";
	case 2:
		if (player_at(p).input < player_end(p).input)
			player_step_command(p);
		return "step command";
	case 3:
		player_back(p);
		return "back";
	case 4:
	case 5:
		player_back_event(p);
		return "back event";
	case 6:
		player_back_command(p);
		return "back command";
	case 7:
		player_goto(p, (size_t)prng_below(r, player_steps(p) + 1), 0);
		return "goto";
	default:
		player_seek(p, list->v.v[target].at);
		return "seek";
	}
}

static void wander_within(const char *script, int moves, uint64_t seed, size_t memory)
{
	struct player *p = load(script);
	struct seen_list list = {0};
	struct prng r = {seed};

	explore(&list, p);
	if (memory)
		player_limit_memory(p, memory);
	for (int i = 0; i < moves; i++)
		compare(&list, p, random_move(p, &r, &list));
	player_seek(p, player_end(p));
	while (player_back_event(p))
		compare(&list, p, "back event, all the way");
	forget(&list);
	player_free(p);
}

static void wander(const char *script, int moves, uint64_t seed)
{
	wander_within(script, moves, seed, 0);
}

/* --- tests */

static const char lesson[] = "# A lesson\n"
			     "informer /registry/pods/\n"
			     "#? first\n#= yes\n# narration one\n# and two\n"
			     "put /registry/pods/a 1\n"
			     "#? second\n"
			     "stepping on\nput /registry/pods/b 2\n"
			     "#? third\n"
			     "step\n"
			     "#? fourth: nothing happens\n"
			     "#? fifth\n"
			     "step command\nstepping off\nget /registry/pods/ --prefix\n"
			     "#? sixth\n"
			     "kill S1 --power\nwait 3\n"
			     "put /registry/pods/c 3\n"
			     "#? seventh\n"
			     "restart S1\nwait 1\nlease grant 5\nput /x y --lease=1\nwait 8\n"
			     "#? eighth: records that no event of the world makes\n"
			     "partition S3\nwait 5\nheal\nwait 300ms\n";

static void random_moves_through_a_lesson(void **state)
{
	(void)state;
	wander(lesson, 1500, 1);
}

/* Some hundred commands, so that there are checkpoints to begin from. */
static void random_moves_through_a_long_script(void **state)
{
	struct buf text = {0};
	struct prng r = {3};

	(void)state;
	for (int i = 0; i < 300; i++) {
		int key = (int)prng_below(&r, 20);
		switch (prng_below(&r, 6)) {
		case 0:
			buf_printf(&text, "del /k%d\n", key);
			break;
		case 1:
			buf_printf(&text, "wait %dms\n", (int)prng_below(&r, 700));
			break;
		case 2:
			buf_printf(&text, "get /k --prefix\n");
			break;
		default:
			buf_printf(&text, "put /k%d v%d\n", key, i);
		}
	}
	wander(buf_str(&text), 1500, 4);
	buf_free(&text);
}

/* What was run before is thrown away, and the past made anew. */
static void random_moves_in_little_memory(void **state)
{
	(void)state;
	wander_within(lesson, 1500, 8, 1);
	wander_within("put a 1\nnew --members=5\nput b 1\nwait 30\nput b 2\n", 1500, 9, 1);
}

static void memory_is_given_back(void **state)
{
	struct player *p = free_play();
	struct prng r = {2};
	size_t most = 0;

	(void)state;
	for (int i = 0; i < 400; i++)
		type(p, "put a 1");
	player_back(p);
	type(p, "put a branch");
	player_switch(p, "main");
	player_limit_memory(p, 4 << 20);
	for (int i = 0; i < 500; i++) {
		player_goto(p, 1 + (size_t)prng_below(&r, 400), 0);
		size_t used = player_world(p)->heap->used;
		most = used > most ? used : most;
	}
	assert_true(most < 8 << 20);
	player_switch(p, "b");
	type(p, "get a");
	assert_output(p, "a\nbranch\n");
	player_free(p);
}

static void random_moves_through_a_new_world(void **state)
{
	(void)state;
	wander(
	    "put a 1\nput a 2\nnew --members=5\nput b 1\nwait 30\nput b 2\nnew\nget b\nput c 1\n",
	    600, 5);
}

static void a_long_wait_has_checkpoints_inside(void **state)
{
	(void)state;
	wander("put a 1\nwait 300\nput a 2\n", 150, 6);
}

/* Every kind of fault, and what ends it. */
static const char faults[] =
    "new --members=5 --election=random --snapshot-count=4\n"
    "net --delay=5-40ms --loss=5% --duplicate=10% --reorder=20%\n"
    "net client S2 --delay=30ms --loss=20%\n"
    "disk S2 S3 --delay=10-60ms --lose-unsynced=part\nput a 1\n"
    "clock S3 --skew=+50%\nclock S4 --skew=-20%\nlease grant 3\nput b 1 --lease=1 &\n"
    "watch a &\npause-member S1\nput a 2 --endpoints=S2 &\nwait 3\n"
    "kill S2 --power --at=fsync\nput a 3 --endpoints=S3 &\nwait 1\nresume-member S1\n"
    "restart S2\ndisk S4 --full\nput a 4 &\nwait 2\ndisk S4 --reset\nrestart S4\n"
    "bug read-unconfirmed\ncut S5 S1 --oneway\nget a &\nwait 1\nbug read-unconfirmed --off\n"
    "partition S1,S2 S3,S4,S5\nput a 5 &\nwait 3\ncut client S3\nheal\nnet --reset\n"
    "net client S2 --reset\nclock S3 --skew=0\nwait 5\nmember add S6 "
    "--peer-urls=http://127.0.0.1:62380 &\nwait 1\nstart S6\nkill S3 --term\nwait 2\nget a &\n"
    "disk S3 --wipe\nwait 1\n";

/* A step every few lines: what is compared of a position is the trace of its step. */
static void wander_in_steps(const char *script, size_t lines, int moves, uint64_t seed)
{
	struct buf text = {0};
	size_t n = 0;

	for (const char *at = script; *at; n++) {
		size_t length = strcspn(at, "\n") + 1;
		if (n % lines == 0)
			buf_puts(&text, "#? what now?\n");
		buf_add(&text, at, length);
		at += length;
	}
	wander(buf_str(&text), moves, seed);
	buf_free(&text);
}

static void random_moves_through_faults(void **state)
{
	(void)state;
	wander_in_steps(faults, 1, 200, 13);
}

/* What `etcdscope sim` would run, as scripts. */
static void random_moves_through_random_scripts(void **state)
{
	const struct seed_options options = {.events = 200, .classes = CLASSES_ALL};

	(void)state;
	for (uint64_t i = 1; i <= 20; i++) {
		struct buf text = {0};
		struct seed s;
		seed_draw(&s, i, &options);
		s.settles = false; /* a long wait, and each of its positions is compared */
		seed_run(&s, false, NULL);
		seed_print(&text, &s, NULL);
		wander_in_steps(buf_str(&text), 10, 50, i);
		buf_free(&text);
		seed_free(&s);
	}
}

static void steps_are_counted_as_the_design_says(void **state)
{
	struct player *p = load(lesson);

	(void)state;
	assert_int_equal(player_steps(p), 8);
	assert_int_equal(player_step_number(p), 0);
	assert_string_equal(player_next_question(p), "first");
	assert_string_equal(player_question(p), "");
	assert_false(player_back(p));
	assert_false(player_back_event(p));
	assert_true(player_step(p));
	assert_int_equal(player_step_number(p), 1);
	assert_string_equal(player_question(p), "first");
	assert_string_equal(player_answer(p), "yes");
	assert_string_equal(player_narration(p), "narration one\nand two");
	assert_string_equal(player_command_text(p), "put /registry/pods/a 1");
	assert_string_equal(player_next_text(p), "stepping on");
	/* At the end of step 1 the way back leads to its beginning. */
	assert_true(player_back(p));
	assert_int_equal(player_step_number(p), 0);
	/* In the middle of it, to its beginning as well; and a step goes to its end. */
	assert_true(player_step_event(p));
	assert_int_equal(player_step_number(p), 1);
	assert_true(player_step(p));
	assert_int_equal(player_step_number(p), 1);
	assert_output(p, "OK\nw1: PUT /registry/pods/a 1 (create 2 mod 2 version 1 lease 0)\n");
	for (int i = 2; i <= 8; i++) {
		assert_true(player_step(p));
		assert_int_equal(player_step_number(p), i);
	}
	assert_false(player_step(p));
	assert_string_equal(player_next_text(p), "");
	player_free(p);
}

static void goto_finds_steps_and_events(void **state)
{
	struct player *p = load(lesson);
	uint64_t before = hash_now(p);

	(void)state;
	assert_true(player_goto(p, 1, 3));
	assert_int_equal(player_step_number(p), 1);
	uint64_t third = hash_now(p);
	assert_true(player_goto(p, 6, 0));
	assert_int_equal(player_step_number(p), 6);
	assert_true(player_goto(p, 0, 0));
	assert_int_equal(hash_now(p), before);
	assert_true(player_step_event(p) && player_step_event(p) && player_step_event(p));
	assert_int_equal(hash_now(p), third);
	assert_false(player_goto(p, 9, 0));
	assert_true(player_goto(p, 2, UINT64_MAX));
	assert_int_equal(player_step_number(p), 1);
	player_free(p);
}

static void in_free_play_each_command_is_a_step(void **state)
{
	struct player *p = free_play();

	(void)state;
	assert_int_equal(player_steps(p), 0);
	type(p, "put a 1");
	uint64_t one = hash_now(p);
	type(p, "put a 2");
	assert_int_equal(player_step_number(p), 2);
	assert_int_equal(player_mark(p).rev, 2);
	assert_true(player_back(p));
	assert_int_equal(hash_now(p), one);
	assert_output(p, "OK\n");
	assert_true(player_step(p));
	type(p, "get a");
	assert_output(p, "a\n2\n");
	player_free(p);
}

static void at_the_end_of_free_play_time_goes_on(void **state)
{
	struct player *p = free_play();
	int64_t now = player_world(p)->now_ms;

	(void)state;
	assert_true(player_step(p));
	assert_true(player_world(p)->now_ms > now);
	assert_true(player_back(p));
	assert_int_equal(player_world(p)->now_ms, now);
	player_free(p);
}

static void typing_in_the_past_begins_a_branch(void **state)
{
	struct player *p = free_play();

	(void)state;
	type(p, "put a 1");
	type(p, "put a 2");
	uint64_t future = hash_now(p);
	player_back(p);
	assert_string_equal(player_branch_name(p), "main");
	type(p, "put a other");
	assert_string_equal(player_branch_name(p), "b");
	assert_int_equal(player_branches(p), 2);
	uint64_t other = hash_now(p);
	assert_true(player_switch(p, "main"));
	assert_true(player_step(p));
	assert_int_equal(hash_now(p), future);
	type(p, "get a");
	assert_output(p, "a\n2\n");
	assert_int_equal(player_branches(p), 2); /* nothing followed: main goes on */
	assert_true(player_switch(p, "b"));
	assert_int_equal(hash_now(p), other);
	type(p, "get a");
	assert_output(p, "a\nother\n");
	assert_false(player_switch(p, "c"));
	player_free(p);
}

/* What if a member had died in the middle of a put? */
static void typing_inside_a_command_keeps_what_happened_so_far(void **state)
{
	struct player *p = load("put a 1\nput a 2\n");

	(void)state;
	player_step(p);
	for (int i = 0; i < 4; i++)
		player_step_event(p);
	uint64_t events = player_world(p)->events;
	type(p, "kill S2");
	assert_string_equal(player_branch_name(p), "b");
	assert_int_equal(player_world(p)->events, events);
	assert_int_equal(world_member(player_world(p), 2)->condition, MEMBER_DOWN);
	player_switch(p, "main");
	assert_int_equal(world_member(player_world(p), 2)->condition, MEMBER_UP);
	player_free(p);
}

static void what_is_no_command_changes_nothing(void **state)
{
	struct player *p = free_play();
	struct buf err = {0};

	(void)state;
	type(p, "put a 1");
	uint64_t before = hash_now(p);
	assert_int_equal(player_type(p, BYTES("pit a b"), &err), SHELL_MALFORMED);
	assert_true(err.n > 0);
	buf_clear(&err);
	assert_int_equal(player_type(p, BYTES("put \"a"), &err), SHELL_MALFORMED);
	buf_clear(&err);
	assert_int_equal(player_type(p, BYTES("back"), &err), SHELL_NOT_HERE);
	assert_int_equal(player_type(p, BYTES("save x"), &err), SHELL_NOT_HERE);
	assert_int_equal(hash_now(p), before);
	assert_int_equal(player_end(p).input, 1);
	assert_output(p, "OK\n");
	buf_free(&err);
	player_free(p);
}

/* --- a person types where a script is shown */

/* Types a line and compares what it prints. */
static void line(struct player *p, const char *text, const char *want)
{
	struct buf out = {0}, err = {0};

	if (player_line(p, bytes_of(text), &out, &err) != SHELL_OK)
		fail_msg("%s: %s", text, buf_str(&err));
	if (want)
		assert_string_equal(buf_str(&out), want);
	buf_free(&out);
	buf_free(&err);
}

static const char story[] = "put /a 0\n"
			    "#? one?\n#= one.\n#= and more.\n# tells of one\nput /a 1\n"
			    "#? two?\n#= two.\nput /a 2\n"
			    "#? three?\nget /a\n";

static void lines_that_change_nothing_are_no_inputs(void **state)
{
	static const char *const lines[] = {
	    "show counters", "trace",	      "why",	  "help",	"help put",
	    "version",	     "set",	      "set seed", "put --help", "put /a",
	    "kill S9",	     "put --bogus x", "get",	  "set seed 7", NULL};
	struct player *p = load(story);
	struct buf before = {0}, after = {0};

	(void)state;
	player_step(p);
	player_write(p, &before, false);
	/* Once between two commands, once in the middle of one. */
	for (int round = 0; round < 2; round++) {
		struct seen was = {0}, is = {0};
		look(p, &was);
		for (size_t i = 0; lines[i]; i++) {
			line(p, lines[i], NULL);
			look(p, &is);
			if (was.at.input != is.at.input || was.at.event != is.at.event)
				fail_msg("%s is an input", lines[i]);
			assert_true(was.hash == is.hash);
			compare_marks(&was.mark, &is.mark);
			assert_string_equal(buf_str(&was.text), buf_str(&is.text));
		}
		assert_int_equal(player_branches(p), 1);
		assert_string_equal(player_next_text(p), round ? "get /a" : "put /a 2");
		player_write(p, &after, false);
		assert_string_equal(buf_str(&before), buf_str(&after));
		buf_clear(&after);
		buf_free(&was.text);
		buf_free(&is.text);
		player_step_event(p);
		player_step_event(p);
	}
	buf_free(&before);
	buf_free(&after);
	player_free(p);
}

static void why_explains_what_was_refused(void **state)
{
	struct player *p = load(story);
	struct buf out = {0}, err = {0};

	(void)state;
	for (int round = 0; round < 2; round++) {
		line(p, "put /a --leese=1", "Error: unknown flag: --leese\n");
		buf_clear(&out);
		assert_int_equal(player_line(p, BYTES("why"), &out, &err), SHELL_OK);
		assert_non_null(strstr(buf_str(&out), "The nearest flag is --lease"));
		player_step(p);
		player_step_event(p);
		player_step_event(p);
		line(p, "get /nothing --rev=99", NULL);
	}
	buf_free(&out);
	buf_free(&err);
	player_free(p);
}

static void a_mistake_in_the_middle_of_a_command_begins_no_branch(void **state)
{
	struct player *p = load(story);
	struct buf out = {0}, err = {0};

	(void)state;
	player_step(p);
	player_step_event(p);
	player_step_event(p);
	assert_int_equal(player_line(p, BYTES("pit"), &out, &err), SHELL_MALFORMED);
	assert_int_equal(player_line(p, BYTES("save x"), &out, &err), SHELL_NOT_HERE);
	assert_int_equal(player_line(p, BYTES("new --bogus=1"), &out, &err), SHELL_MALFORMED);
	assert_int_equal(player_branches(p), 1);
	assert_int_equal(player_at(p).event, 2);
	buf_free(&out);
	buf_free(&err);
	player_free(p);
}

static void what_is_typed_at_the_front_is_inserted(void **state)
{
	struct player *p = load(story);
	struct buf text = {0};

	(void)state;
	player_set_title(p, "Demo");
	line(p, "put /b start", "OK\n");
	assert_int_equal(player_step_number(p), 0);
	assert_true(player_back(p)); /* and is taken back at the start, too */
	assert_false(player_back(p));
	player_step(p); /* to the end of the set-up */
	player_step(p);
	line(p, "put /b here", "OK\n");
	assert_int_equal(player_step_number(p), 1);
	assert_int_equal(player_mark(p).rev, player_world(p)->members[0]->store.current_rev - 1);
	line(p, "put /b twice", "OK\n");
	assert_int_equal(player_branches(p), 1);
	assert_int_equal(player_steps(p), 3);
	assert_string_equal(player_title(p), "Demo");
	assert_string_equal(player_narration(p), "tells of one");
	assert_string_equal(player_next_question(p), "two?");
	assert_string_equal(player_next_answer(p), "two.");
	assert_true(player_step(p));
	assert_int_equal(player_step_number(p), 2);
	assert_string_equal(player_command_text(p), "put /a 2");
	uint64_t two = hash_now(p);
	assert_true(player_back(p) && player_step(p));
	assert_int_equal(hash_now(p), two);
	assert_true(player_step(p));
	assert_output(p, "/a\n2\n");
	line(p, "get /b", "/b\ntwice\n");
	assert_int_equal(player_step_number(p), 3);
	assert_false(player_step(p)); /* a script ends; it never waits */
	assert_string_equal(player_end_text(p), "This is the end.");
	player_write(p, &text, false);
	assert_string_equal(buf_str(&text),
			    "put /a 0\nput /b start\n"
			    "#? one?\n#= one.\n#= and more.\n# tells of one\nput /a 1\n"
			    "put /b here\nput /b twice\n"
			    "#? two?\n#= two.\nput /a 2\n"
			    "#? three?\nget /a\nget /b\n");
	buf_free(&text);
	player_free(p);
}

static void random_moves_where_something_was_inserted(void **state)
{
	struct player *p = load(lesson);
	struct seen_list list = {0};
	struct prng r = {11};
	int typed = 0;

	(void)state;
	while (player_at(p).input < player_end(p).input) {
		player_step_command(p);
		if (++typed % 3 == 0)
			line(p, typed % 2 ? "put /inserted 1" : "wait 1", NULL);
	}
	player_goto(p, 0, UINT64_MAX);
	explore(&list, p);
	for (int i = 0; i < 800; i++)
		compare(&list, p, random_move(p, &r, &list));
	forget(&list);
	player_free(p);
}

static void what_is_typed_in_the_past_is_a_what_if(void **state)
{
	struct player *p = load(story);

	(void)state;
	player_set_title(p, "Demo");
	player_step(p);
	player_step(p);
	uint64_t two = hash_now(p);
	player_back(p);
	line(p, "put /a other", "OK\n");
	assert_string_equal(player_branch_name(p), "b");
	assert_string_equal(player_title(p), "Demo");
	assert_int_equal(player_step_number(p), 1);
	assert_int_equal(player_steps(p), 3);
	assert_string_equal(player_next_question(p), "");
	assert_false(player_step(p));
	assert_false(player_step_event(p));
	assert_string_equal(player_end_text(p),
			    "This is the end of branch b: `branch main` goes back.");
	line(p, "get /a", "/a\nother\n");
	assert_int_equal(player_branches(p), 2);
	player_switch(p, "main");
	assert_string_equal(player_end_text(p), "");
	player_step(p);
	assert_int_equal(hash_now(p), two);
	/* main is at its front again. */
	line(p, "put /b 1", "OK\n");
	assert_int_equal(player_branches(p), 2);
	player_step(p);
	assert_int_equal(player_step_number(p), 3);
	assert_output(p, "/a\n2\n");
	player_free(p);
}

static void saving_does_not_count_as_having_run(void **state)
{
	struct player *p = load(story);
	struct buf text = {0}, again = {0};

	(void)state;
	player_step(p);
	uint64_t one = hash_now(p);
	player_write_all(p, &text);
	assert_non_null(strstr(buf_str(&text), "get /a\n| /a\n| 2\n"));
	assert_int_equal(hash_now(p), one);
	line(p, "put /b 1", "OK\n");
	assert_int_equal(player_branches(p), 1);
	player_write_all(p, &again);
	assert_non_null(strstr(buf_str(&again), "put /b 1\n| OK\n#? two?"));
	player_step(p);
	player_step(p);
	assert_output(p, "/a\n2\n");
	buf_free(&text);
	buf_free(&again);
	player_free(p);
}

static void new_leaves_the_script_for_free_play(void **state)
{
	struct player *p = load(story);
	struct buf text = {0};

	(void)state;
	player_set_title(p, "Demo");
	player_step(p);
	line(p, "new --members=5", "");
	assert_string_equal(player_branch_name(p), "b");
	assert_string_equal(player_title(p), "free play");
	assert_int_equal(player_steps(p), 0);
	assert_int_equal(player_step_number(p), 0);
	assert_int_equal(player_world(p)->nmembers, 5);
	line(p, "put /x 1 &", "r1: OK\n");
	assert_int_equal(player_step_number(p), 1);
	assert_true(player_step(p)); /* time goes on */
	assert_true(player_back(p) && player_back(p));
	assert_false(player_back(p));
	assert_int_equal(player_world(p)->nmembers, 5);
	player_seek(p, player_end(p));
	player_write(p, &text, false);
	assert_true(bytes_starts(buf_bytes(&text), BYTES("new --members=5\nput /x 1 &\nwait ")));
	player_switch(p, "main");
	assert_string_equal(player_title(p), "Demo");
	assert_int_equal(player_step_number(p), 1);
	assert_int_equal(player_world(p)->nmembers, 3);
	assert_true(player_step(p));
	buf_free(&text);
	player_free(p);
}

static void mistakes_are_told_when_a_script_is_opened(void **state)
{
	static const struct {
		const char *script, *want;
	} cases[] = {
	    {"put a 1\n\n#? q\npit a\n", "t.scope:4: "},
	    {"put a 1\nput \"b\n", "t.scope:2: "},
	    {"#? q\nnew --bogus=1\n", "t.scope:2: "},
	    {"put a 1\nsave x\n", "t.scope:2: save is a command of a session"},
	    {"# nothing\n-w json pit\n", "t.scope:2: "},
	};
	struct player *p = load(story);
	struct config cfg;

	(void)state;
	config_init(&cfg);
	player_step(p);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct scope s;
		struct buf err = {0};
		assert_true(scope_parse(&s, "t.scope", bytes_of(cases[i].script), &err));
		assert_false(player_load(p, &s, &err));
		if (strncmp(buf_str(&err), cases[i].want, strlen(cases[i].want)) != 0)
			fail_msg("%s: %s", cases[i].script, buf_str(&err));
		scope_free(&s);
		buf_free(&err);
	}
	assert_int_equal(player_step_number(p), 1); /* as it was */
	player_free(p);
	player_free(load("as a put a 1\n--endpoints=S2 get a\nfocus store\nquit\n"
			 "txn\n\nput a 1\n\n\nend\nnew --members=5\nback\n"));
}

static void command_line(struct player *p, const char *line, enum shell_result want,
			 const char *out, const char *err)
{
	struct buf o = {0}, e = {0};

	assert_int_equal(player_command(p, bytes_of(line), &o, &e), want);
	assert_string_equal(buf_str(&o), out);
	assert_string_equal(buf_str(&e), err);
	buf_free(&o);
	buf_free(&e);
}

static void the_commands_that_move(void **state)
{
	struct player *p = load("put a 1\nput a 2\nput a 3\nput a 4\n");

	(void)state;
	command_line(p, "continue 3", SHELL_MALFORMED, "",
		     "continue is not used like that: continue");
	assert_int_equal(player_step_number(p), 0);
	for (int i = 0; i < 3; i++)
		command_line(p, "continue", SHELL_OK, "", "");
	assert_int_equal(player_step_number(p), 3);
	command_line(p, "back 2", SHELL_OK, "", "");
	assert_int_equal(player_step_number(p), 1);
	command_line(p, "goto 4", SHELL_OK, "", "");
	command_line(p, "back command", SHELL_OK, "", "");
	assert_int_equal(player_step_number(p), 3);
	command_line(p, "back event 2", SHELL_OK, "", "");
	command_line(p, "goto 2.1", SHELL_OK, "", "");
	assert_int_equal(player_at(p).event, 1);
	command_line(p, "goto 9", SHELL_MALFORMED, "", "there is no step 9: the last one is 4");
	command_line(p, "branch", SHELL_OK, "* main: step 2 of 4, 4 commands\n", "");
	command_line(p, "branch x", SHELL_MALFORMED, "", "there is no branch x: there is main");
	type(p, "put a x");
	command_line(p, "branch", SHELL_OK,
		     "  main: step 2 of 4, 4 commands\n"
		     "* b: step 2 of 4, 4 commands; left main in step 2, after `put a 1`\n",
		     "");
	command_line(p, "continue", SHELL_MALFORMED, "",
		     "This is the end of branch b: `branch main` goes back.");
	command_line(p, "goto 4", SHELL_MALFORMED, "",
		     "branch b ends in step 2: `branch main` goes back");
	command_line(p, "branch main", SHELL_OK, "", "");
	assert_string_equal(player_branch_name(p), "main");
	player_free(p);
}

/* The script that a session leaves behind makes the same world. */
static void what_is_written_runs_to_the_same_state(void **state)
{
	struct player *p = load(lesson), *q;
	struct buf text = {0}, again = {0};

	(void)state;
	player_seek(p, player_end(p));
	type(p, "txn\nmod(\"/registry/pods/a\") = \"2\"\n\nput /registry/pods/a 9\n\n\nend");
	player_write(p, &text, true);
	q = load(buf_str(&text));
	player_seek(q, player_end(q));
	assert_int_equal(hash_now(p), hash_now(q));
	player_write(q, &again, true);
	assert_string_equal(buf_str(&text), buf_str(&again));
	buf_free(&text);
	buf_free(&again);
	player_free(p);
	player_free(q);
}

static volatile sig_atomic_t flag;

static void an_interrupt_comes_again_at_the_same_place(void **state)
{
	struct player *p = free_play();

	(void)state;
	player_interrupt_on(p, &flag);
	type(p, "put a 1");
	flag = 1;
	type(p, "wait 1000000000");
	assert_int_equal(flag, 0);
	assert_true(player_world(p)->now_ms < 1000000);
	uint64_t hash = hash_now(p);
	player_back(p);
	player_step(p);
	assert_int_equal(hash_now(p), hash);
	player_free(p);
}

static void cut_off(struct player *p)
{
	type(p, "watch a");
	type(p, "put a 1");
	type(p, "kill S1 S2");
}

/* Types a command that is interrupted when so many events have run, and goes on; what is written
 * down then runs to the same world.  Returns whether it was interrupted. */
static bool interrupted_and_written(const char *command, uint64_t events)
{
	struct player *p = free_play(), *again;
	struct buf text = {0}, err = {0}, out = {0};
	struct scope s;

	cut_off(p);
	player_interrupt_typed(p, events);
	assert_int_equal(player_line(p, bytes_of(command), &out, &err), SHELL_OK);
	bool was = player_interrupts(p) > 0;
	uint64_t stopped = hash_now(p);
	struct player_position at = player_at(p);
	type(p, "restart S1 S2");
	type(p, "wait 5s");
	player_write_all(p, &text);
	again = free_play();
	assert_true(scope_parse(&s, "again", buf_bytes(&text), &err));
	assert_true(player_load(again, &s, &err));
	player_seek(again, player_end(again));
	if (hash_now(again) != hash_now(p))
		fail_msg("%s after %llu events is written as\n%s", command,
			 (unsigned long long)events, buf_str(&text));
	player_seek(p, at);
	if (hash_now(p) != stopped)
		fail_msg("%s after %llu events: another world on the way back\n%s", command,
			 (unsigned long long)events, buf_str(&text));
	scope_free(&s);
	player_free(again);
	player_free(p);
	buf_free(&text);
	buf_free(&err);
	buf_free(&out);
	return was;
}

static void what_was_interrupted_is_written_as_it_was(void **state)
{
	static const char *const commands[] = {"wait 1000000",
					       "wait leader",
					       "get a",
					       "put b 2 --command-timeout=100s",
					       "txn\n\nput c 3\n\nend",
					       "watch b --endpoints=S2",
					       "lock x",
					       "lease grant 10",
					       "step until commit"};

	(void)state;
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		size_t n = 0;
		for (uint64_t events = 1; events < 60; events += 1 + events / 3)
			n += interrupted_and_written(commands[i], events);
		if (!n)
			fail_msg("%s was never interrupted", commands[i]);
	}
}

static const char lesson_that_goes_back[] = "put a 1\n"
					    "#? one\nput a 2\nput a 3\n"
					    "#? two\nback command 2\nget a\nput a 4\n"
					    "#? three\nnew\nput a 5\nwait 2\n"
					    "#? four\ngoto 2\nget a\nput a 6\n"
					    "#? five\nback command 2\nback command\nget a\n";

/* What `run` prints for the same lines, after `set history on`. */
static void back_in_a_script_goes_back(void **state)
{
	(void)state;
	struct player *p = load(lesson_that_goes_back);

	assert_true(player_step(p) && player_step(p));
	assert_int_equal(world_member(player_world(p), 1)->store.current_rev, 3);
	assert_true(player_goto(p, 2, 0) && player_back_command(p));
	assert_output(p, "a\n1\n");
	assert_true(player_goto(p, 4, 0) && player_back_command(p));
	assert_output(p, "a\n4\n");
	assert_true(player_step(p) && player_step(p));
	assert_output(p, "a\n1\n");
	player_free(p);
}

static void back_in_a_script_says_what_it_takes(void **state)
{
	(void)state;
	struct player *p = load("#? one\nput a 1\nback event\nback 9\ngoto 7\nbranch x\n");
	static const char *const want[] = {
	    "takes back [step|command] [N]",
	    "nothing before this",
	    "takes goto K",
	    "branch has no effect",
	};

	assert_true(player_step_command(p));
	for (size_t i = 0; i < 4; i++) {
		assert_true(player_step_command(p));
		char *got = strndup(player_output(p).p, player_output(p).n);
		if (!strstr(got, want[i]))
			fail_msg("\"%s\" is not said: %s", want[i], got);
		free(got);
	}
	player_free(p);
}

static void random_moves_where_a_script_goes_back(void **state)
{
	(void)state;
	wander(lesson_that_goes_back, 400, 11);
	wander_within(lesson_that_goes_back, 200, 12, 1 << 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(steps_are_counted_as_the_design_says),
	    cmocka_unit_test(goto_finds_steps_and_events),
	    cmocka_unit_test(in_free_play_each_command_is_a_step),
	    cmocka_unit_test(at_the_end_of_free_play_time_goes_on),
	    cmocka_unit_test(typing_in_the_past_begins_a_branch),
	    cmocka_unit_test(typing_inside_a_command_keeps_what_happened_so_far),
	    cmocka_unit_test(what_is_no_command_changes_nothing),
	    cmocka_unit_test(lines_that_change_nothing_are_no_inputs),
	    cmocka_unit_test(why_explains_what_was_refused),
	    cmocka_unit_test(a_mistake_in_the_middle_of_a_command_begins_no_branch),
	    cmocka_unit_test(what_is_typed_at_the_front_is_inserted),
	    cmocka_unit_test(random_moves_where_something_was_inserted),
	    cmocka_unit_test(what_is_typed_in_the_past_is_a_what_if),
	    cmocka_unit_test(saving_does_not_count_as_having_run),
	    cmocka_unit_test(new_leaves_the_script_for_free_play),
	    cmocka_unit_test(mistakes_are_told_when_a_script_is_opened),
	    cmocka_unit_test(the_commands_that_move),
	    cmocka_unit_test(what_is_written_runs_to_the_same_state),
	    cmocka_unit_test(an_interrupt_comes_again_at_the_same_place),
	    cmocka_unit_test(what_was_interrupted_is_written_as_it_was),
	    cmocka_unit_test(back_in_a_script_goes_back),
	    cmocka_unit_test(back_in_a_script_says_what_it_takes),
	    cmocka_unit_test(random_moves_where_a_script_goes_back),
	    cmocka_unit_test(random_moves_through_a_lesson),
	    cmocka_unit_test(random_moves_through_a_long_script),
	    cmocka_unit_test(random_moves_through_a_new_world),
	    cmocka_unit_test(random_moves_through_faults),
	    cmocka_unit_test(random_moves_through_random_scripts),
	    cmocka_unit_test(random_moves_in_little_memory),
	    cmocka_unit_test(memory_is_given_back),
	    cmocka_unit_test(a_long_wait_has_checkpoints_inside),
	};

	return cmocka_run_group_tests_name("player", tests, NULL, NULL);
}
