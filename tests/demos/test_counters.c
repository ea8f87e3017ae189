/* After every step of every demo the counters are those of the storyboards (counters.tsv). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "demo.h"

enum { T, TERM, LEADER, LOG, COMMITTED, REVISION, EVENTS, SEEN, EVENTS2, REVISION3, COLUMNS };

/* The first ones are words of `show counters`, the others are looked up in the world. */
static const char *const column_names[COLUMNS] = {
    "t",	"term",	  "leader", "log",	 "committed",
    "revision", "events", "seen",   "w2 events", "S3 revision",
};

struct line {
	int demo, step;
	char cell[COLUMNS][16];
};

static struct line lines[256];
static size_t nlines;

static int read_table(void **state)
{
	char text[256];
	FILE *f = fopen("tests/demos/counters.tsv", "r");

	(void)state;
	if (!f)
		return -1;
	while (fgets(text, sizeof text, f)) {
		struct line *l = &lines[nlines];
		char *save = NULL;

		if (*text == '#')
			continue;
		l->demo = atoi(strtok_r(text, "\t\n", &save));
		l->step = atoi(strtok_r(NULL, "\t\n", &save));
		for (int c = 0; c < COLUMNS; c++) {
			const char *word = strtok_r(NULL, "\t\n", &save);

			if (!word)
				return -1;
			snprintf(l->cell[c], sizeof l->cell[c], "%s", word);
		}
		nlines++;
	}
	fclose(f);
	return nlines > 0 ? 0 : -1;
}

/* What `show counters` prints, asked of a copy, so that the demo does not notice. */
static void show_counters(const struct demo_rig *d, struct buf *out)
{
	struct shell *s = shell_copy(player_shell(d->player));
	const char *command = "show counters";
	struct buf err = {0};
	const struct bytes text = {.p = command, .n = strlen(command)};

	buf_clear(&s->out);
	s->w->cfg.stepping = false;
	assert_int_equal(shell_begin(s, text, &err), SHELL_OK);
	while (shell_busy(s))
		shell_step(s);
	/* below lines of a request that was left open, if any */
	const char *from = strstr(buf_str(&s->out), "t ");
	buf_clear(out);
	buf_puts(out, from ? from : "");
	shell_free(s);
	buf_free(&err);
}

/* The word behind NAME in a line like "t 0.000 term 1 leader S1". */
static void word_after(const char *text, const char *name, char word[16])
{
	char copy[256], *save = NULL;

	snprintf(copy, sizeof copy, "%s", text);
	*word = '\0';
	for (char *w = strtok_r(copy, " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
		char *value = strtok_r(NULL, " \n", &save);

		if (strcmp(w, name) == 0 && value)
			snprintf(word, 16, "%s", value);
	}
}

static void look_up(const struct world *w, int column, char word[16])
{
	long long n = -1;

	if (column == REVISION3)
		n = world_member(w, 3)->store.current_rev;
	else if (column == SEEN && world_watch(w, 1))
		n = world_watch(w, 1)->seen;
	else if (column == EVENTS2 && world_watch(w, 2))
		n = (long long)world_watch(w, 2)->nevents;
	snprintf(word, 16, "%lld", n);
}

static size_t compare(const struct demo_rig *d, const struct line *l)
{
	struct buf text = {0};
	size_t wrong = 0;

	show_counters(d, &text);
	for (int c = 0; c < COLUMNS; c++) {
		char word[16];

		if (strcmp(l->cell[c], "-") == 0)
			continue;
		if (c < SEEN)
			word_after(buf_str(&text), column_names[c], word);
		else
			look_up(player_world(d->player), c, word);
		if (strcmp(word, l->cell[c]) == 0)
			continue;
		print_error("demo %d step %d: %s is %s, the storyboard says %s\n", l->demo, l->step,
			    column_names[c], word, l->cell[c]);
		wrong++;
	}
	buf_free(&text);
	return wrong;
}

static void check_demo(int number)
{
	struct demo_rig d;
	size_t steps = 0, wrong = 0;

	demo_open(&d, number);
	for (size_t i = 0; i < nlines; i++) {
		if (lines[i].demo != number)
			continue;
		if (!player_step(d.player))
			fail_msg("demo %d ends before step %d", number, lines[i].step);
		assert_int_equal(player_step_number(d.player), lines[i].step);
		wrong += compare(&d, &lines[i]);
		steps++;
	}
	assert_int_equal(player_steps(d.player), steps);
	assert_int_equal(wrong, 0);
	demo_close(&d);
}

#define DEMO(n, name)                                                                              \
	static void name(void **state)                                                             \
	{                                                                                          \
		(void)state;                                                                       \
		check_demo(n);                                                                     \
	}

DEMO(1, one_put_moves_the_log_before_the_commit_before_the_revision)
DEMO(2, every_change_is_a_revision_and_reads_are_none)
DEMO(3, a_compaction_takes_an_entry_and_no_revision)
DEMO(4, a_resumed_watch_misses_nothing_until_it_is_compacted)
DEMO(5, a_failed_compare_takes_an_entry_and_no_revision)
DEMO(6, a_lease_that_ends_deletes_its_keys_in_one_revision)
DEMO(7, reads_move_nothing)
DEMO(8, an_election_moves_the_term_and_the_log_but_not_the_revision)
DEMO(9, a_write_that_failed_is_there_when_a_majority_is_back)
DEMO(10, no_space_needs_three_steps)
DEMO(11, a_snapshot_brings_a_follower_from_2_to_12)
DEMO(12, a_learner_counts_for_nothing_until_it_is_promoted)
DEMO(17, a_token_refuses_the_old_holder)
DEMO(18, a_follower_answers_after_it_has_applied)
DEMO(19, a_write_on_a_majority_survives_its_leader)
DEMO(20, of_two_leaders_one_commits)
DEMO(21, a_checkpoint_shortens_what_a_new_leader_gives)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_put_moves_the_log_before_the_commit_before_the_revision),
	    cmocka_unit_test(every_change_is_a_revision_and_reads_are_none),
	    cmocka_unit_test(a_compaction_takes_an_entry_and_no_revision),
	    cmocka_unit_test(a_resumed_watch_misses_nothing_until_it_is_compacted),
	    cmocka_unit_test(a_failed_compare_takes_an_entry_and_no_revision),
	    cmocka_unit_test(a_lease_that_ends_deletes_its_keys_in_one_revision),
	    cmocka_unit_test(reads_move_nothing),
	    cmocka_unit_test(an_election_moves_the_term_and_the_log_but_not_the_revision),
	    cmocka_unit_test(a_write_that_failed_is_there_when_a_majority_is_back),
	    cmocka_unit_test(no_space_needs_three_steps),
	    cmocka_unit_test(a_snapshot_brings_a_follower_from_2_to_12),
	    cmocka_unit_test(a_learner_counts_for_nothing_until_it_is_promoted),
	    cmocka_unit_test(a_token_refuses_the_old_holder),
	    cmocka_unit_test(a_follower_answers_after_it_has_applied),
	    cmocka_unit_test(a_write_on_a_majority_survives_its_leader),
	    cmocka_unit_test(of_two_leaders_one_commits),
	    cmocka_unit_test(a_checkpoint_shortens_what_a_new_leader_gives),
	};
	return cmocka_run_group_tests(tests, read_table, NULL);
}
