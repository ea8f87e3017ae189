/* The commands that only a session has: demo, source, record, save, export, share, history, quit.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/go_quote.h"
#include "script/drive.h"
#include "script/replace.h"
#include "session/files.h"
#include "session/session_state.h"

/* What a command's function gets. */
struct typed {
	const struct command_row *row;
	const struct bytes *words; /* behind the name */
	size_t n;
	struct buf *out, *err;
};

static bool usage(const struct typed *t)
{
	buf_printf(t->err, "%s is not used like that: %s", t->row->name, t->row->usage);
	return false;
}

static char *word(const struct typed *t, size_t i)
{
	char *p = xmalloc(t->words[i].n + 1);

	if (t->words[i].n)
		memcpy(p, t->words[i].p, t->words[i].n);
	p[t->words[i].n] = 0;
	return p;
}

/* --- demo, source */

static bool list_demos(struct session *s, const struct typed *t)
{
	const struct demo *list;
	size_t n = session_demos(s, &list), w = 0;

	for (size_t i = 0; i < n; i++)
		w = strlen(list[i].title) > w ? strlen(list[i].title) : w;
	for (size_t i = 0; i < n; i++)
		buf_printf(t->out, "%2d  %-*s  %2zu steps  %s\n", list[i].number, (int)w,
			   list[i].title, list[i].steps, list[i].summary);
	return true;
}

static bool run_demo(struct session *s, const struct typed *t)
{
	struct buf which = {0};

	if (t->n == 0)
		return list_demos(s, t);
	for (size_t i = 0; i < t->n; i++) {
		if (i)
			buf_putc(&which, ' ');
		buf_put_bytes(&which, t->words[i]);
	}
	bool ok = session_load_demo(s, buf_str(&which), t->err);
	buf_free(&which);
	return ok;
}

/* Every command of a parsed script, as if typed. */
static bool source_items(struct session *s, const struct scope *scope, const struct typed *t)
{
	uint64_t before = player_interrupts(s->player);
	struct buf what = {0};
	bool ok = true;

	for (size_t i = 0; ok && i < scope->items.n; i++) {
		const struct scope_item *it = &scope->items.v[i];
		if (it->kind != ITEM_COMMAND)
			continue;
		const struct command_row *row = drive_row(it->text);
		if (row && strcmp(row->name, "source") == 0)
			buf_puts(&what, "source does not nest: type its commands, or source the "
					"files one by one");
		else if (session_run_noted(s, it->text, t->out, &what) == SESSION_QUIT)
			break;
		else if (player_interrupts(s->player) != before)
			buf_puts(&what, "interrupted: what follows has not run");
		ok = what.n == 0;
		if (!ok)
			scope_error(t->err, scope->name, it->line, buf_str(&what));
	}
	buf_free(&what);
	return ok;
}

static bool run_source(struct session *s, const struct typed *t)
{
	struct buf text = {0};
	struct scope scope;

	if (t->n != 1)
		return usage(t);
	char *path = word(t, 0);
	bool ok = buf_read_file(&text, path) == 0;
	if (!ok)
		buf_printf(t->err, "%s cannot be read: %s", path, strerror(errno));
	if (ok) {
		ok = scope_parse(&scope, path, buf_bytes(&text), t->err);
		ok = ok && source_items(s, &scope, t);
		scope_free(&scope);
	}
	buf_free(&text);
	free(path);
	return ok;
}

/* --- save, record */

bool session_write_branch(struct session *s, const char *path, struct buf *err)
{
	struct buf text = {0};

	player_write_all(s->player, &text);
	bool ok = replace_file(path, buf_bytes(&text), err);
	buf_free(&text);
	return ok;
}

static bool write_branch(struct session *s, const char *path, struct buf *err)
{
	bool ok = session_write_branch(s, path, err);

	if (ok) {
		size_t n = player_commands(s->player);
		buf_clear(&s->notice);
		buf_printf(&s->notice, "saved %zu command%s to %s", n, n == 1 ? "" : "s", path);
	}
	return ok;
}

/* dir/FILE.scope and branch b: dir/FILE-b.scope. */
static void branch_path(struct buf *out, const char *path, const char *branch)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	size_t n =
	    dot && (!slash || dot > slash + 1) && dot != path ? (size_t)(dot - path) : strlen(path);

	buf_add(out, path, n);
	buf_printf(out, "-%s.scope", branch);
}

static bool save_others(struct session *s, const char *path, struct buf *err)
{
	struct buf here = {0}, other = {0};
	bool ok = true;

	buf_puts(&here, player_branch_name(s->player));
	for (size_t i = 0; ok && i < player_branches(s->player); i++) {
		const char *name = player_branch_at(s->player, i);
		if (strcmp(name, buf_str(&here)) == 0)
			continue;
		buf_clear(&other);
		branch_path(&other, path, name);
		player_switch(s->player, name);
		ok = write_branch(s, buf_str(&other), err);
	}
	player_switch(s->player, buf_str(&here));
	buf_free(&here);
	buf_free(&other);
	return ok;
}

static bool run_save(struct session *s, const struct typed *t)
{
	bool all = false;
	char *path = NULL;
	bool ok = true;

	for (size_t i = 0; ok && i < t->n; i++) {
		if (bytes_is(t->words[i], "--all"))
			all = true;
		else if (!path && t->words[i].n && t->words[i].p[0] != '-')
			path = word(t, i);
		else
			ok = false;
	}
	if (!ok || !path)
		ok = usage(t);
	else
		ok = write_branch(s, path, t->err) && (!all || save_others(s, path, t->err));
	free(path);
	return ok;
}

static bool write_recording(struct session *s, const char *path, struct buf *err)
{
	bool ok = write_branch(s, path, err);

	if (!ok)
		return false;
	s->recording_behind = false;
	s->recorded_commands = player_commands(s->player);
	snprintf(s->recorded_branch, sizeof s->recorded_branch, "%s",
		 player_branch_name(s->player));
	return true;
}

bool session_write_recording(struct session *s, struct buf *err)
{
	return !session_unsaved(s) || write_recording(s, buf_str(&s->recording), err);
}

static bool stop_recording(struct session *s, struct buf *err)
{
	if (!session_write_recording(s, err))
		return false;
	buf_clear(&s->notice);
	if (s->recording.n)
		buf_printf(&s->notice, "recorded %zu commands in %s", s->recorded_commands,
			   buf_str(&s->recording));
	buf_clear(&s->recording);
	return true;
}

static void note_recording(struct session *s)
{
	struct buf command = {0}, whole = {0};

	buf_puts(&command, "record ");
	files_absolute(&whole, buf_str(&s->recording));
	if (s->recording.n)
		go_quote(&command, buf_bytes(&whole));
	else
		buf_puts(&command, "off");
	session_note(s, buf_bytes(&command));
	buf_free(&command);
	buf_free(&whole);
}

/* The file is written at once, so that one hears now if it cannot be, and again when the recording
 * ends. */
static bool run_record(struct session *s, const struct typed *t)
{
	bool off = t->n == 0 || (t->n == 1 && bytes_is(t->words[0], "off"));

	if (t->n > 1)
		return usage(t);
	if (off && !s->recording.n) {
		buf_puts(t->err, "nothing is being recorded: record FILE begins");
		return false;
	}
	if (!stop_recording(s, t->err))
		return false;
	if (off) {
		note_recording(s);
		return true;
	}
	char *path = word(t, 0);
	bool ok = write_recording(s, path, t->err);
	if (ok) {
		buf_puts(&s->recording, path);
		buf_clear(&s->notice);
		buf_printf(&s->notice, "recording to %s: `record off` ends it", path);
		note_recording(s);
	}
	free(path);
	return ok;
}

/* --- export, share, history */

/* What the ending of a file's name says, NULL: nothing. */
static const char *form_of(const char *path)
{
	static const char *const forms[] = {"txt", "ans", "svg", "cast", "scope"};
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');

	for (size_t i = 0; dot && i < sizeof forms / sizeof *forms; i++)
		if (strcmp(dot + 1, forms[i]) == 0)
			return forms[i];
	return NULL;
}

static bool export_picture(struct session *s, const char *path, const char *form, struct buf *err)
{
	struct buf text = {0};
	bool ok = s->export && s->export(s->export_arg, form, &text);

	if (!ok)
		buf_puts(err, "there is no picture to export here: it takes the screen");
	ok = ok && replace_file(path, buf_bytes(&text), err);
	if (ok)
		buf_printf(&s->notice, "exported the screen to %s", path);
	buf_free(&text);
	return ok;
}

static bool run_export(struct session *s, const struct typed *t)
{
	if (t->n != 1)
		return usage(t);
	char *path = word(t, 0);
	const char *form = form_of(path);
	bool ok = form != NULL;

	if (!form)
		buf_printf(t->err,
			   "the ending of %s says no form: .txt, .ans (with colours), .svg, "
			   ".cast (steps up to here) and .scope (the script) do",
			   path);
	else if (strcmp(form, "scope") == 0)
		ok = write_branch(s, path, t->err);
	else
		ok = export_picture(s, path, form, t->err);
	free(path);
	return ok;
}

static bool run_share(struct session *s, const struct typed *t)
{
	if (t->n)
		return usage(t);
	player_write(s->player, t->out, false);
	return true;
}

/* A line for each command; of a block the first one and three dots. */
static void list_commands(const struct scope *scope, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < scope->items.n; i++) {
		struct bytes rest = scope->items.v[i].text, line;
		if (scope->items.v[i].kind != ITEM_COMMAND || !scope_next_line(&rest, &line))
			continue;
		buf_printf(out, "%5zu  ", ++n);
		buf_put_bytes(out, line);
		buf_puts(out, rest.n ? " ...\n" : "\n");
	}
}

static bool run_history(struct session *s, const struct typed *t)
{
	struct buf text = {0};
	struct scope scope;

	if (t->n)
		return usage(t);
	player_write(s->player, &text, false);
	if (scope_parse(&scope, "history", buf_bytes(&text), t->err))
		list_commands(&scope, t->out);
	scope_free(&scope);
	buf_free(&text);
	return true;
}

/* --- */

static const struct {
	const char *name;
	bool (*run)(struct session *s, const struct typed *t);
} commands[] = {
    {.name = "demo", .run = run_demo},	     {.name = "source", .run = run_source},
    {.name = "save", .run = run_save},	     {.name = "record", .run = run_record},
    {.name = "export", .run = run_export},   {.name = "share", .run = run_share},
    {.name = "history", .run = run_history},
};

enum session_result session_command(struct session *s, const struct command_row *row,
				    struct bytes text, struct buf *out, struct buf *err)
{
	struct line line = {0};
	struct buf ignored = {0};
	size_t used = 0;
	enum session_result result = SESSION_ERROR;

	if (strcmp(row->name, "quit") == 0)
		return SESSION_QUIT;
	if (line_parse(&line, text, err) &&
	    command_find(line.words.v, line.words.n, &used, &ignored)) {
		struct typed t = {row, line.words.v + used, line.words.n - used, out, err};
		for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
			if (strcmp(commands[i].name, row->name) == 0)
				result = commands[i].run(s, &t) ? SESSION_OK : SESSION_ERROR;
		if (result == SESSION_ERROR && !err->n)
			buf_printf(err, "%s does nothing here: `help` lists what does", row->name);
	}
	line_free(&line);
	buf_free(&ignored);
	return result;
}
