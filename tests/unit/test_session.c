/* A session: what is typed is kept, comes back after a crash, and can be written down and run
 * again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "script/rerun.h"
#include "session/demos.h"
#include "session/session.h"
#include "session/settings.h"

static char home[] = "/tmp/sessionXXXXXX";

static int make_home(void **state)
{
	(void)state;
	if (!mkdtemp(home) || chdir(home) < 0)
		return -1;
	setenv("HOME", home, 1);
	unsetenv("XDG_STATE_HOME");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_DATA_HOME");
	return 0;
}

static int remove_home(void **state)
{
	char command[100];

	(void)state;
	snprintf(command, sizeof command, "chmod -R u+w %s; rm -rf %s", home, home);
	return system(command);
}

static struct session *begin(bool restore, struct buf *err)
{
	struct session_options o = {.restore = restore, .journal = true};

	config_init(&o.cfg);
	return session_new(&o, err);
}

static struct session *begin_quietly(void)
{
	struct buf err = {0};
	struct session *s = begin(false, &err);

	assert_string_equal(buf_str(&err), "");
	return s;
}

/* Types a line; *out is what it printed, and its message if it has one. */
static enum session_result exec(struct session *s, const char *line, struct buf *out)
{
	struct buf err = {0};

	buf_clear(out);
	enum session_result result = session_exec(s, bytes_of(line), out, &err);
	buf_put_bytes(out, buf_bytes(&err));
	buf_free(&err);
	return result;
}

static void assert_exec(struct session *s, const char *line, const char *want)
{
	struct buf out = {0};

	assert_int_equal(exec(s, line, &out), SESSION_OK);
	assert_string_equal(buf_str(&out), want);
	buf_free(&out);
}

static size_t journals(void)
{
	DIR *d = opendir(".local/state/etcdscope");
	size_t n = 0;

	for (struct dirent *e; d && (e = readdir(d));)
		n += strncmp(e->d_name, "journal-", 8) == 0;
	if (d)
		closedir(d);
	return n;
}

/* The notice, as a pattern. */
static void assert_notice(struct session *s, const char *pattern)
{
	if (fnmatch(pattern, session_notice(s), 0) != 0)
		fail_msg("the notice is: %s", session_notice(s));
}

static uint64_t hash_of(struct session *s)
{
	return world_hash(player_world(session_player(s)));
}

/* --- */

static void lines_give_output_messages_and_questions(void **state)
{
	struct session *s = begin_quietly();
	struct buf out = {0};

	(void)state;
	assert_exec(s, "put a 1", "OK\n");
	assert_int_equal(exec(s, "pit a", &out), SESSION_ERROR);
	assert_true(out.n > 0);
	assert_int_equal(exec(s, "txn", &out), SESSION_MORE);
	assert_int_equal(exec(s, "", &out), SESSION_MORE);
	assert_int_equal(exec(s, "put b 2", &out), SESSION_MORE);
	assert_int_equal(exec(s, "", &out), SESSION_MORE);
	assert_int_equal(exec(s, "end", &out), SESSION_OK);
	assert_string_equal(buf_str(&out), "SUCCESS\n\nOK\n");
	assert_int_equal(exec(s, "txn", &out), SESSION_MORE);
	session_cancel_block(s);
	assert_exec(s, "get b", "b\n2\n");
	assert_int_equal(exec(s, "# a comment", &out), SESSION_OK);
	assert_int_equal(exec(s, "focus store", &out), SESSION_SCREEN);
	assert_int_equal(exec(s, "quit", &out), SESSION_QUIT);
	buf_free(&out);
	session_free(s);
}

static void a_good_end_leaves_no_journal(void **state)
{
	struct session *s = begin_quietly(), *other = begin_quietly();

	(void)state;
	assert_int_equal(journals(), 2); /* one for each running session */
	assert_exec(s, "put a 1", "OK\n");
	session_free(s);
	assert_int_equal(journals(), 1);
	session_free(other);
	assert_int_equal(journals(), 0);
}

/* A process that is killed while a command runs. */
static void die_in_a_wait(void)
{
	struct buf out = {0};
	struct session *s = begin_quietly();

	exec(s, "put a 1", &out);
	exec(s, "put a 2", &out);
	player_back(session_player(s)); /* as a key does it: not a command */
	exec(s, "put a other", &out);
	exec(s, "txn", &out);
	exec(s, "", &out);
	exec(s, "put b 3", &out);
	exec(s, "", &out);
	exec(s, "end", &out);
	exec(s, "wait 100000000", &out);
	_exit(0);
}

static void a_crash_is_brought_back_up_to_the_command_that_never_ended(void **state)
{
	struct buf err = {0}, out = {0};
	pid_t child = fork();

	(void)state;
	if (child == 0) {
		alarm(1);
		die_in_a_wait();
	}
	waitpid(child, NULL, 0);
	assert_int_equal(journals(), 1);
	struct session *s = begin(true, &err);
	assert_string_equal(buf_str(&err), "");
	assert_notice(s, "restored 4 commands of the session journal-*; "
			 "stopped before `wait 100000000`, which never ended");
	assert_string_equal(player_branch_name(session_player(s)), "b");
	assert_exec(s, "get a", "a\nother\n");
	assert_exec(s, "get b", "b\n3\n");
	assert_exec(s, "branch main", "");
	assert_exec(s, "goto 2", "");
	assert_exec(s, "get a", "a\n2\n");
	assert_int_equal(journals(), 1); /* the old one has been taken over */
	session_free(s);
	assert_int_equal(journals(), 0);
	buf_clear(&err);
	s = begin(true, &err);
	assert_non_null(strstr(buf_str(&err), "nothing to restore"));
	assert_int_equal(exec(s, "put a 1", &out), SESSION_OK);
	session_free(s);
	buf_free(&err);
	buf_free(&out);
}

static void a_session_that_was_abandoned_can_be_restored(void **state)
{
	struct buf err = {0};
	struct session *s = begin_quietly();

	(void)state;
	assert_exec(s, "put a 1", "OK\n");
	uint64_t hash = hash_of(s);
	session_abandon(s);
	s = begin(true, &err);
	assert_string_equal(buf_str(&err), "");
	assert_notice(s, "restored 1 command of the session journal-*");
	assert_int_equal(hash_of(s), hash);
	session_free(s);
	buf_free(&err);
}

/* A key lets time go on in free play: that is a command, too. */
static void steps_of_time_are_restored(void **state)
{
	struct buf err = {0};
	struct session *s = begin_quietly();

	(void)state;
	assert_exec(s, "put a 1", "OK\n");
	assert_true(player_step(session_player(s)));
	assert_true(player_step(session_player(s)));
	uint64_t hash = hash_of(s);
	session_abandon(s);
	s = begin(true, &err);
	assert_notice(s, "restored 3 commands *");
	assert_int_equal(hash_of(s), hash);
	session_free(s);
	buf_free(&err);
}

/* What was typed into a demo is there again, and the rest of the demo ahead. */
static void a_demo_with_commands_typed_into_it_is_restored(void **state)
{
	struct buf err = {0};
	struct session *s = begin_quietly();

	(void)state;
	assert_exec(s, "demo 1", "");
	player_step(session_player(s));
	player_step(session_player(s));
	assert_exec(s, "kill S3", "");
	assert_exec(s, "why", "No command has failed so far.\n");
	uint64_t hash = hash_of(s);
	size_t end = player_end(session_player(s)).input;
	session_abandon(s);
	s = begin(true, &err);
	assert_int_equal(hash_of(s), hash);
	assert_int_equal(player_step_number(session_player(s)), 2);
	assert_int_equal(player_end(session_player(s)).input, end);
	assert_string_equal(player_branch_name(session_player(s)), "main");
	session_free(s);
	buf_free(&err);
}

static void a_journal_of_a_running_session_is_left_alone(void **state)
{
	struct buf err = {0};
	struct session *running = begin_quietly(), *s;

	(void)state;
	assert_exec(running, "put a 1", "OK\n");
	s = begin(true, &err);
	assert_non_null(strstr(buf_str(&err), "nothing to restore"));
	session_free(s);
	session_free(running);
	buf_free(&err);
}

static void without_a_journal_there_is_one_message(void **state)
{
	struct buf err = {0}, out = {0};
	char full[200];

	(void)state;
	setenv("XDG_STATE_HOME", "/proc/nowhere", 1);
	struct session *s = begin(false, &err);
	assert_non_null(strstr(buf_str(&err), "cannot be written"));
	assert_null(strchr(buf_str(&err), '\n'));
	assert_exec(s, "put a 1", "OK\n");
	/* An unwritable folder for save: a message, and the session goes on. */
	snprintf(full, sizeof full, "save /proc/nowhere/x");
	assert_int_equal(exec(s, full, &out), SESSION_ERROR);
	assert_non_null(strstr(buf_str(&out), "/proc/nowhere/x cannot be written"));
	assert_int_equal(exec(s, "save /dev/full", &out), SESSION_ERROR);
	assert_exec(s, "get a", "a\n1\n");
	session_free(s);
	unsetenv("XDG_STATE_HOME");
	buf_free(&err);
	buf_free(&out);
}

static void assert_verifies(const char *file)
{
	struct run_options o = {.format = "simple", .mode = RUN_VERIFY};
	struct buf text = {0}, out = {0}, err = {0};

	config_init(&o.cfg);
	assert_int_equal(buf_read_file(&text, file), 0);
	assert_int_equal(rerun(&o, file, buf_bytes(&text), &out, NULL, &err), RERUN_SAME);
	assert_string_equal(buf_str(&out), "");
	assert_string_equal(buf_str(&err), "");
	buf_free(&text);
	buf_free(&out);
	buf_free(&err);
}

static void what_is_saved_runs_to_the_same_bytes(void **state)
{
	struct session *s = begin_quietly();
	struct buf out = {0}, text = {0};

	(void)state;
	exec(s, "new --members=5 --seed=7", &out);
	exec(s, "watch a", &out);
	exec(s, "put a \"x\\x1b[1m\"", &out);
	exec(s, "put a 2", &out);
	exec(s, "back", &out);
	exec(s, "get a -w json", &out);
	assert_exec(s, "save one.scope --all", "");
	assert_verifies("one.scope");
	assert_verifies("one-main.scope");
	assert_int_equal(buf_read_file(&text, "one.scope"), 0);
	assert_non_null(strstr(buf_str(&text), "new --members=5 --seed=7\n"));
	assert_null(strstr(buf_str(&text), "back"));
	session_free(s);
	buf_free(&out);
	buf_free(&text);
}

static void a_recording_is_written_when_it_ends(void **state)
{
	struct session *s = begin_quietly();
	struct buf text = {0};

	(void)state;
	assert_exec(s, "put a 1", "OK\n");
	assert_null(session_recording(s));
	assert_exec(s, "record r.scope", "");
	assert_notice(s, "recording to r.scope: *");
	assert_string_equal(session_recording(s), "r.scope");
	assert_false(session_unsaved(s));
	assert_exec(s, "show counters",
		    "t 0.000 term 1 leader S1 log 2 committed 2 applied 2 revision 2 events 0\n");
	assert_false(session_unsaved(s));
	assert_exec(s, "put a 2", "OK\n");
	assert_string_equal(session_notice(s), "");
	assert_true(session_unsaved(s));
	assert_exec(s, "save s.scope", "");
	assert_notice(s, "saved 2 commands to s.scope");
	assert_true(session_unsaved(s));
	assert_exec(s, "record", "");
	assert_notice(s, "recorded 2 commands in r.scope");
	assert_null(session_recording(s));
	assert_false(session_unsaved(s));
	assert_int_equal(buf_read_file(&text, "r.scope"), 0);
	assert_string_equal(buf_str(&text), "put a 1\n| OK\nput a 2\n| OK\n");
	session_free(s);
	buf_free(&text);
}

static void a_script_can_be_sourced_and_loaded(void **state)
{
	struct session *s = begin_quietly();
	struct buf out = {0}, err = {0};
	FILE *f = fopen("s.scope", "w");

	(void)state;
	fputs("# Demo 9: Title - one, two\n#? why\nput a 1\n| OK\nput b 2\n", f);
	fclose(f);
	assert_exec(s, "source s.scope", "OK\nOK\n");
	assert_int_equal(exec(s, "source nowhere", &out), SESSION_ERROR);
	assert_true(session_load_file(s, "s.scope", &err));
	assert_string_equal(player_title(session_player(s)), "Demo 9 Title");
	assert_int_equal(player_steps(session_player(s)), 1);
	assert_exec(s, "get a", "");
	f = fopen("bad.scope", "w");
	fputs("put a 1\ntxn\n", f);
	fclose(f);
	assert_int_equal(exec(s, "source bad.scope", &out), SESSION_ERROR);
	assert_string_equal(
	    buf_str(&out),
	    "bad.scope:2: the command is not finished: a block ends with a line `end`");
	session_free(s);
	buf_free(&out);
	buf_free(&err);
}

/* What fn says on standard error. */
static void heard(void (*fn)(struct session *s), struct session *s, struct buf *text)
{
	int was = dup(STDERR_FILENO);

	assert_non_null(freopen("stderr.txt", "w", stderr));
	fn(s);
	fflush(stderr);
	dup2(was, STDERR_FILENO);
	close(was);
	assert_int_equal(buf_read_file(text, "stderr.txt"), 0);
}

/* Neither the recording nor the journal would be left. */
static void a_recording_that_cannot_be_written_leaves_the_journal(void **state)
{
	struct session *s = begin_quietly();
	struct buf text = {0}, err = {0};

	(void)state;
	mkdir("d", 0700);
	assert_exec(s, "record d/x.scope", "");
	assert_exec(s, "put a 1", "OK\n");
	uint64_t hash = hash_of(s);
	assert_int_equal(system("rm -r d"), 0);
	heard(session_free, s, &text);
	assert_non_null(strstr(buf_str(&text), "d/x.scope cannot be written"));
	assert_non_null(strstr(buf_str(&text), ".local/state/etcdscope/journal-"));
	assert_int_equal(journals(), 1);
	s = begin(true, &err);
	assert_notice(s, "restored 1 command of the session journal-*; nothing is being recorded: "
			 "*/d/x.scope cannot be written*");
	assert_int_equal(hash_of(s), hash);
	session_free(s);
	assert_int_equal(journals(), 0);
	buf_free(&text);
	buf_free(&err);
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void files_are_found_from_another_folder(void **state)
{
	struct session *s = begin_quietly();
	struct buf err = {0}, want = {0};

	(void)state;
	write_file("lesson.scope", "put b 2\n");
	assert_true(session_load_file(s, "lesson.scope", &err));
	assert_true(player_step(session_player(s)));
	assert_exec(s, "record rec.scope", "");
	assert_exec(s, "put a 1", "OK\n");
	uint64_t hash = hash_of(s);
	session_abandon(s);
	mkdir("elsewhere", 0700);
	assert_int_equal(chdir("elsewhere"), 0);
	s = begin(true, &err);
	assert_int_equal(chdir(home), 0);
	assert_string_equal(buf_str(&err), "");
	assert_notice(s, "restored 2 commands of the session journal-*[0-9]");
	assert_int_equal(hash_of(s), hash);
	buf_printf(&want, "%s/rec.scope", home);
	assert_string_equal(session_recording(s), buf_str(&want));
	session_free(s);
	assert_int_equal(journals(), 0);
	buf_free(&err);
	buf_free(&want);
}

/* What was sourced is in the journal itself, so the file may change or go. */
static void a_file_that_was_sourced_is_not_needed_again(void **state)
{
	struct session *s = begin_quietly();
	struct buf err = {0};

	(void)state;
	write_file("x.scope", "put a 1\ntxn\n\nput b 2\n\nend\n");
	assert_exec(s, "source x.scope", "OK\nSUCCESS\n\nOK\n");
	assert_exec(s, "put c 3", "OK\n");
	uint64_t hash = hash_of(s);
	session_abandon(s);
	write_file("x.scope", "put a other\n");
	s = begin(true, &err);
	assert_notice(s, "restored 3 commands of the session journal-*[0-9]");
	assert_int_equal(hash_of(s), hash);
	session_free(s);
	assert_int_equal(journals(), 0);
	buf_free(&err);
}

static void what_cannot_be_restored_is_said_and_kept(void **state)
{
	struct session *s = begin_quietly();
	struct buf err = {0}, out = {0};

	(void)state;
	assert_exec(s, "put a 1", "OK\n");
	assert_int_equal(exec(s, "pit a", &out), SESSION_ERROR);
	assert_int_equal(exec(s, "branch nowhere", &out), SESSION_ERROR); /* refused then, too */
	write_file("gone.scope", "put b 2\n");
	assert_true(session_load_file(s, "gone.scope", &err));
	assert_exec(s, "put c 3", "OK\n");
	session_abandon(s);
	unlink("gone.scope");
	s = begin(true, &err);
	assert_notice(s, "restored 1 command of the session journal-*, which stays; stopped at "
			 "`*/gone.scope`: *cannot be read*");
	assert_exec(s, "get c", "");
	session_free(s);
	assert_int_equal(journals(), 1);
	write_file("gone.scope", "put b 2\n");
	s = begin(true, &err);
	assert_notice(s, "restored 2 commands of the session journal-*[0-9]");
	assert_exec(s, "get c", "c\n3\n");
	session_free(s);
	assert_int_equal(journals(), 0);
	buf_free(&err);
	buf_free(&out);
}

static volatile sig_atomic_t flag;

static void an_interrupted_command_is_restored_and_saved(void **state)
{
	struct session *s = begin_quietly();
	struct buf err = {0}, out = {0};

	(void)state;
	player_interrupt_on(session_player(s), &flag);
	assert_exec(s, "put a 1", "OK\n");
	flag = 1;
	exec(s, "wait 100000000", &out);
	flag = 0;
	exec(s, "kill S1 S2", &out);
	flag = 1;
	exec(s, "get a", &out);
	assert_int_equal(flag, 0);
	assert_exec(s, "restart S1 S2", "");
	assert_exec(s, "wait 3s", "");
	uint64_t hash = hash_of(s);
	assert_exec(s, "save i.scope", "");
	assert_verifies("i.scope");
	session_abandon(s);
	s = begin(true, &err);
	assert_string_equal(buf_str(&err), "");
	assert_int_equal(hash_of(s), hash);
	assert_true(player_world(session_player(s))->now_ms < 60000);
	session_free(s);
	assert_int_equal(journals(), 0);
	buf_free(&err);
	buf_free(&out);
}

/* The rest of a script runs by a key, not by a command. */
static void an_interrupted_line_of_a_script_is_restored(void **state)
{
	struct session *s = begin_quietly();
	struct buf err = {0};

	(void)state;
	player_interrupt_on(session_player(s), &flag);
	write_file("long.scope", "#? one\nwait 100000000\n#? two\nput b 2\n");
	assert_true(session_load_file(s, "long.scope", &err));
	flag = 1;
	player_step(session_player(s));
	assert_int_equal(flag, 0);
	assert_exec(s, "put a 1", "OK\n");
	player_step(session_player(s));
	assert_exec(s, "get b", "b\n2\n");
	uint64_t hash = hash_of(s);
	session_abandon(s);
	s = begin(true, &err);
	assert_string_equal(buf_str(&err), "");
	assert_int_equal(hash_of(s), hash);
	assert_true(player_world(session_player(s))->now_ms < 60000);
	session_free(s);
	assert_int_equal(journals(), 0);
	buf_free(&err);
}

static void a_demo_describes_itself(void **state)
{
	struct demo d = {0};

	(void)state;
	demos_describe(
	    &d, BYTES("# Demo 12: Write path - put, commit - apply\nx\n#? a\nput a b\n#? b\n"));
	assert_int_equal(d.number, 12);
	assert_string_equal(d.title, "Write path");
	assert_string_equal(d.summary, "put, commit - apply");
	assert_int_equal(d.steps, 2);
}

static void demos_are_found_by_number_and_name(void **state)
{
	struct session *s = begin_quietly();
	const struct demo *list;
	struct buf err = {0};
	size_t n = session_demos(s, &list);

	(void)state;
	assert_true(n >= 8);
	assert_true(session_load_demo(s, "3", &err));
	assert_true(session_load_demo(s, list[1].title, &err));
	assert_non_null(strstr(player_title(session_player(s)), "Demo 2 "));
	assert_false(session_load_demo(s, "999", &err));
	assert_non_null(strstr(buf_str(&err), "there is no demo 999"));
	session_free(s);
	buf_free(&err);
}

/* A demo takes the place of what was typed: that goes into a file first, a branch each. */
static void what_was_typed_survives_a_demo(void **state)
{
	struct session *s = begin_quietly();
	struct buf out = {0}, err = {0}, file = {0};

	(void)state;
	assert_int_equal(system("rm -f .local/state/etcdscope/work-*"), 0); /* of other tests */
	assert_true(session_load_demo(s, "1", &err));
	assert_string_equal(buf_str(&err), "");
	session_free(s);
	s = begin_quietly();
	assert_exec(s, "put keep 1", "OK\n");
	assert_exec(s, "put keep 2", "OK\n");
	assert_exec(s, "back", "");
	assert_exec(s, "put other 3", "OK\n");
	assert_int_equal(exec(s, "demo 999", &out), SESSION_ERROR); /* nothing is loaded */
	assert_int_equal(access(".local/state/etcdscope/work-1.scope", F_OK), -1);
	assert_int_equal(exec(s, "demo 2", &out), SESSION_OK);
	assert_non_null(strstr(buf_str(&out), "Your 3 commands are kept: `new`, then `source "));
	assert_int_equal(buf_read_file(&file, ".local/state/etcdscope/work-1.scope"), 0);
	assert_string_equal(buf_str(&file), "put keep 1\n| OK\nput keep 2\n| OK\n");
	buf_clear(&file);
	assert_int_equal(buf_read_file(&file, ".local/state/etcdscope/work-1-b.scope"), 0);
	assert_string_equal(buf_str(&file), "put keep 1\n| OK\nput other 3\n| OK\n");
	assert_int_equal(exec(s, "demo 3", &out), SESSION_OK); /* nothing was typed since */
	assert_string_equal(buf_str(&out), "");
	assert_exec(s, "new", "");
	assert_int_equal(exec(s, "source .local/state/etcdscope/work-1.scope", &out), SESSION_OK);
	assert_exec(s, "get keep", "keep\n2\n");
	session_abandon(s);
	struct session *again = begin(true, &err); /* what is restored was kept then */
	assert_exec(again, "get keep", "keep\n2\n");
	assert_int_equal(access(".local/state/etcdscope/work-2.scope", F_OK), -1);
	session_free(again);
	buf_free(&out);
	buf_free(&err);
	buf_free(&file);
}

static void settings_are_kept_and_mistakes_named(void **state)
{
	struct session *s = begin_quietly();
	struct settings bad = {0};
	struct buf err = {0}, want = {0};

	(void)state;
	assert_null(session_setting(s, "theme"));
	assert_true(session_set_setting(s, "theme", "light \"x\"", &err));
	session_free(s);
	s = begin_quietly();
	assert_string_equal(session_setting(s, "theme"), "light \"x\"");
	session_free(s);
	FILE *f = fopen(".config/etcdscope/settings.json", "w");
	fputs("{\n  \"theme\": \"dark\",\n  \"layout\": 3\n}\n", f);
	fclose(f);
	assert_false(settings_load(&bad, &err));
	buf_printf(&want,
		   "%s/.config/etcdscope/settings.json:3: the value of \"layout\" is no string: "
		   "put it in double quotes",
		   home);
	assert_string_equal(buf_str(&err), buf_str(&want));
	settings_free(&bad);
	f = fopen(".config/etcdscope/settings.json", "w");
	fputs("{\n  \"theme\": \"dark\"\n  \"layout\": \"x\"\n}\n", f);
	fclose(f);
	buf_clear(&err);
	assert_false(settings_load(&bad, &err));
	assert_non_null(strstr(buf_str(&err), "settings.json:3: this is not JSON"));
	settings_free(&bad);
	unlink(".config/etcdscope/settings.json");
	buf_free(&err);
	buf_free(&want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_give_output_messages_and_questions),
	    cmocka_unit_test(a_good_end_leaves_no_journal),
	    cmocka_unit_test(a_crash_is_brought_back_up_to_the_command_that_never_ended),
	    cmocka_unit_test(a_session_that_was_abandoned_can_be_restored),
	    cmocka_unit_test(steps_of_time_are_restored),
	    cmocka_unit_test(a_demo_with_commands_typed_into_it_is_restored),
	    cmocka_unit_test(a_journal_of_a_running_session_is_left_alone),
	    cmocka_unit_test(without_a_journal_there_is_one_message),
	    cmocka_unit_test(what_is_saved_runs_to_the_same_bytes),
	    cmocka_unit_test(a_recording_is_written_when_it_ends),
	    cmocka_unit_test(a_script_can_be_sourced_and_loaded),
	    cmocka_unit_test(a_recording_that_cannot_be_written_leaves_the_journal),
	    cmocka_unit_test(files_are_found_from_another_folder),
	    cmocka_unit_test(a_file_that_was_sourced_is_not_needed_again),
	    cmocka_unit_test(what_cannot_be_restored_is_said_and_kept),
	    cmocka_unit_test(an_interrupted_command_is_restored_and_saved),
	    cmocka_unit_test(an_interrupted_line_of_a_script_is_restored),
	    cmocka_unit_test(a_demo_describes_itself),
	    cmocka_unit_test(demos_are_found_by_number_and_name),
	    cmocka_unit_test(what_was_typed_survives_a_demo),
	    cmocka_unit_test(settings_are_kept_and_mistakes_named),
	};

	return cmocka_run_group_tests_name("session", tests, make_home, remove_home);
}
