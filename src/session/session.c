/* A session: lines in, output and messages out, and a journal so that nothing is lost. */
#include "session/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"
#include "base/message.h"
#include "script/drive.h"
#include "session/files.h"
#include "session/session_state.h"

#define INFORMER "informer /registry/pods/"

/* --- the journal follows */

/* A journal that cannot be written any more leaves one message and is forgotten; the session goes
 * on. */
static void check_journal(struct session *s, bool ok)
{
	if (ok)
		return;
	journal_close(s->journal, true);
	s->journal = NULL;
}

static void remember_place(struct session *s)
{
	snprintf(s->seen_branch, sizeof s->seen_branch, "%s", player_branch_name(s->player));
	s->seen = player_at(s->player);
}

/* Moves of the screen are not commands; where they led is written down before the next command. */
static void write_place(struct session *s, struct buf *err)
{
	struct player_position at = player_at(s->player);
	const char *branch = player_branch_name(s->player);

	if (strcmp(branch, s->seen_branch) == 0 && at.input == s->seen.input &&
	    at.event == s->seen.event)
		return;
	check_journal(s, journal_position(s->journal, branch, at, err));
}

static void write_settings(struct session *s, const struct session_options *o, struct buf *err)
{
	struct config plain;
	struct buf value = {0}, usual = {0};

	config_init(&plain);
	for (size_t i = 0; i < config_nsettings(); i++) {
		const char *name = config_setting(i)->name;
		buf_clear(&value);
		buf_clear(&usual);
		config_get(&o->cfg, name, &value);
		config_get(&plain, name, &usual);
		if (strcmp(buf_str(&value), buf_str(&usual)) != 0)
			check_journal(s, journal_setting(s->journal, name, buf_str(&value), err));
	}
	if (o->informer)
		check_journal(s, journal_setting(s->journal, "informer", "on", err));
	buf_free(&value);
	buf_free(&usual);
}

/* --- birth and death */

void session_note(struct session *s, struct bytes command)
{
	struct buf ignored = {0};

	write_place(s, &ignored);
	remember_place(s);
	check_journal(s, journal_begin(s->journal, command, &ignored));
	check_journal(s, journal_end(s->journal, false, &ignored));
	buf_free(&ignored);
}

/* A step of time that a key made. */
static void write_step_of_time(void *arg, struct bytes command)
{
	struct session *s = arg;

	if (!s->executing)
		session_note(s, command);
}

static void write_interrupt(void *arg, bool typed, struct player_position at)
{
	struct session *s = arg;
	struct buf ignored = {0};
	const char *branch = typed && s->executing ? NULL : player_branch_name(s->player);

	check_journal(s, journal_interrupt(s->journal, branch, at, &ignored));
	buf_free(&ignored);
}

static void begin_player(struct session *s, const struct session_options *o)
{
	struct buf err = {0};
	struct shell_hooks none = {0};

	s->player = player_new(&o->cfg);
	player_set_hooks(s->player, none, o->format ? o->format : "simple");
	if (o->informer)
		player_set_up(s->player, BYTES(INFORMER), &err);
	player_on_step_of_time(s->player, write_step_of_time, s);
	player_on_interrupt(s->player, write_interrupt, s);
	remember_place(s);
	buf_free(&err);
}

struct session *session_new(const struct session_options *options, struct buf *err)
{
	struct session *s = xcalloc(1, sizeof *s);
	struct session_options o = *options;
	struct left_journal left = {.fd = -1};
	bool restore = o.restore && journal_find(&left, err);

	o.cfg.history = true;
	settings_load(&s->settings, err);
	bool known = !restore || session_take_settings(&o, &left, &s->notice);
	if (o.journal)
		s->journal = journal_open(err);
	write_settings(s, &o, err);
	begin_player(s, &o);
	if (restore) {
		bool all = known && session_bring_back(s, &left);
		journal_forget(&left, all && s->journal != NULL);
	}
	return s;
}

static void end(struct session *s, bool keep_journal)
{
	struct buf err = {0};

	if (!session_write_recording(s, &err)) {
		keep_journal = true;
		if (s->journal)
			buf_printf(&err,
				   "; the session is kept in %s: `etcdscope --restore` brings it "
				   "back",
				   journal_path(s->journal));
		message_printf("%s", buf_str(&err));
	}
	journal_close(s->journal, keep_journal);
	player_free(s->player);
	settings_free(&s->settings);
	vec_free(&s->demos.v);
	buf_free(&s->block);
	buf_free(&s->recording);
	buf_free(&s->notice);
	buf_free(&err);
	free(s);
}

void session_free(struct session *s)
{
	if (s)
		end(s, false);
}

void session_abandon(struct session *s)
{
	if (s)
		end(s, true);
}

struct player *session_player(struct session *s)
{
	return s->player;
}

bool session_unsaved(const struct session *s)
{
	return s->recording.n &&
	       (s->recording_behind || player_commands(s->player) != s->recorded_commands ||
		strcmp(player_branch_name(s->player), s->recorded_branch) != 0);
}

const char *session_notice(const struct session *s)
{
	return buf_str(&s->notice);
}

const char *session_recording(const struct session *s)
{
	return s->recording.n ? buf_str(&s->recording) : NULL;
}

const char *session_setting(const struct session *s, const char *name)
{
	return settings_get(&s->settings, name);
}

bool session_set_setting(struct session *s, const char *name, const char *value, struct buf *err)
{
	settings_set(&s->settings, name, value);
	return settings_save(&s->settings, err);
}

void session_on_export(struct session *s, session_export *draw, void *arg)
{
	s->export = draw;
	s->export_arg = arg;
}

/* --- scripts and demos */

static void set_title(struct session *s, int number, const char *title)
{
	char text[96];

	if (number)
		snprintf(text, sizeof text, "Demo %d %s", number, title);
	else
		snprintf(text, sizeof text, "%s", title);
	player_set_title(s->player, text);
}

static bool load_text(struct session *s, const char *name, struct bytes text, struct buf *err)
{
	struct scope scope;
	struct demo d = {0};
	struct buf kept = {0};
	bool ok = scope_parse(&scope, name, text, err) && player_check(s->player, &scope, err);

	if (ok) {
		session_keep_typed(s, &kept);
		ok = player_load(s->player, &scope, err);
	}
	scope_free(&scope);
	if (ok)
		buf_put_bytes(err, buf_bytes(&kept));
	buf_free(&kept);
	if (!ok)
		return false;
	demos_describe(&d, text);
	const char *slash = strrchr(name, '/');
	s->recording_behind = true;
	set_title(s, d.number, d.title[0] ? d.title : slash ? slash + 1 : name);
	return true;
}

static void wrote_load(struct session *s, const char *path, struct buf *err)
{
	struct buf whole = {0};

	files_absolute(&whole, path);
	if (!s->executing)
		check_journal(s, journal_load(s->journal, buf_str(&whole), err));
	remember_place(s);
	buf_free(&whole);
}

bool session_load_file(struct session *s, const char *path, struct buf *err)
{
	struct buf text = {0};
	bool ok = buf_read_file(&text, path) == 0;

	if (!ok)
		buf_printf(err,
			   "%s:1: the script cannot be read (%s): name a file that can; "
			   "etcdscope --help says what else there is",
			   path, strerror(errno));
	ok = ok && load_text(s, path, buf_bytes(&text), err);
	if (ok)
		wrote_load(s, path, err);
	buf_free(&text);
	return ok;
}

size_t session_demos(struct session *s, const struct demo **list)
{
	if (!s->looked_for_demos)
		demos_find(&s->demos);
	s->looked_for_demos = true;
	*list = s->demos.v.v;
	return s->demos.v.n;
}

bool session_load_demo(struct session *s, const char *which, struct buf *err)
{
	const struct demo *list;
	struct buf text = {0}, command = {0};

	session_demos(s, &list);
	const struct demo *d = demos_named(&s->demos, which, err);
	bool ok = d && demos_read(d, &text, err) && load_text(s, d->path, buf_bytes(&text), err);
	if (ok && !s->executing) {
		buf_printf(&command, "demo %s", which);
		check_journal(s, journal_begin(s->journal, buf_bytes(&command), err));
		check_journal(s, journal_end(s->journal, false, err));
	}
	if (ok)
		remember_place(s);
	buf_free(&text);
	buf_free(&command);
	return ok;
}

/* --- one line */

enum session_result session_run(struct session *s, struct bytes text, struct buf *out,
				struct buf *err)
{
	enum shell_result result = player_line(s->player, text, out, err);

	if (result != SHELL_NOT_HERE)
		return result == SHELL_OK ? SESSION_OK : SESSION_ERROR;
	const struct command_row *row = drive_row(text);
	if (row->layer == LAYER_SCREEN)
		return SESSION_SCREEN;
	if (row->layer == LAYER_PLAYER)
		return player_command(s->player, text, out, err) == SHELL_OK ? SESSION_OK
									     : SESSION_ERROR;
	return session_command(s, row, text, out, err);
}

/* What changes nothing that a restored session would have.  `source` is the commands that it runs,
 * and `record` writes itself down, with the whole name of its file. */
static bool leaves_no_trace(struct bytes text)
{
	static const char *const names[] = {"quit",    "save",	 "export", "share",
					    "history", "source", "record"};
	const struct command_row *row = drive_row(text);

	if (!row || row->layer == LAYER_SCREEN)
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(row->name, names[i]) == 0)
			return true;
	return false;
}

enum session_result session_run_noted(struct session *s, struct bytes text, struct buf *out,
				      struct buf *err)
{
	struct buf warning = {0};
	bool noted = !leaves_no_trace(text), was_executing = s->executing;

	if (noted) {
		write_place(s, &warning);
		check_journal(s, journal_begin(s->journal, text, &warning));
	}
	s->executing = true;
	enum session_result result = session_run(s, text, out, err);
	s->executing = was_executing;
	if (noted) {
		check_journal(s, journal_end(s->journal, result == SESSION_ERROR, &warning));
		remember_place(s);
	}
	if (!err->n)
		buf_put_bytes(err, buf_bytes(&warning));
	buf_free(&warning);
	return result;
}

void session_cancel_block(struct session *s)
{
	buf_clear(&s->block);
}

enum session_result session_exec(struct session *s, struct bytes line, struct buf *out,
				 struct buf *err)
{
	bool opened = s->block.n > 0;
	enum line_kind kind = scope_line_kind(line);

	buf_clear(&s->notice);
	if (kind == LINE_CR) {
		buf_puts(err, scope_cr);
		return SESSION_ERROR;
	}
	/* A line of a script that was pasted: what is no command is passed over. */
	if (!opened && kind != LINE_COMMAND && kind != LINE_WRONG)
		return SESSION_OK;
	if (opened)
		buf_putc(&s->block, '\n');
	buf_put_bytes(&s->block, line);
	if (scope_wants_more(buf_bytes(&s->block)))
		return SESSION_MORE;
	struct buf text = s->block;
	s->block = (struct buf){0};
	enum session_result result = session_run_noted(s, buf_bytes(&text), out, err);
	buf_free(&text);
	return result;
}
