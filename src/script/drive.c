/* Driving a shell through a script: new worlds, settings of the start, numbering. */
#include "script/drive.h"

#include "cmd/words.h"

static struct shell *new_shell(struct drive *d, const struct config *cfg)
{
	struct shell *sh = shell_new(cfg, d->trace);

	sh->format = d->format;
	sh->hooks = d->hooks;
	sh->w->numbering = d->numbering;
	return sh;
}

void drive_init(struct drive *d, const struct config *cfg, struct trace *trace, bool numbering)
{
	*d = (struct drive){.trace = trace,
			    .base = *cfg,
			    .format = "simple",
			    .fresh = true,
			    .numbering = numbering};
	d->sh = new_shell(d, cfg);
}

void drive_free(struct drive *d)
{
	shell_free(d->sh);
	d->sh = NULL;
}

void drive_question(struct drive *d)
{
	d->numbering = true;
	d->sh->w->numbering = true;
}

/* --- words */

const struct command_row *drive_row(struct bytes text)
{
	struct line line = {0};
	struct buf ignored = {0};
	size_t used = 0;
	const struct command_row *row = NULL;

	if (line_parse(&line, text, &ignored) && line.words.n)
		row = command_find(line.words.v, line.words.n, &used, &ignored);
	line_free(&line);
	buf_free(&ignored);
	return row;
}

/* --- new worlds */

void drive_reset_trace(struct trace *t, uint64_t n)
{
	if (!t)
		return;
	t->first = t->end = n;
}

static void replace_world(struct drive *d, const struct config *cfg)
{
	struct shell *old = d->sh;

	drive_reset_trace(d->trace, 0);
	d->sh = new_shell(d, cfg);
	d->fresh = true;
	d->worlds++;
	shell_free(old);
}

static bool set_word(struct config *cfg, struct bytes name, struct bytes value, struct buf *err)
{
	struct buf n = {0}, v = {0};

	buf_put_bytes(&n, name);
	buf_put_bytes(&v, value);
	bool ok = config_set(cfg, buf_str(&n), buf_str(&v), err);
	buf_free(&n);
	buf_free(&v);
	return ok;
}

/* Settings of `new --NAME=VALUE --NAME VALUE ...`. */
static bool set_flags(struct config *cfg, const struct bytes *words, size_t n, struct buf *err)
{
	for (size_t i = 0; i < n; i++) {
		struct bytes w = words[i];
		const char *eq = memchr(w.p, '=', w.n);
		size_t len = eq ? (size_t)(eq - w.p) : w.n;
		if (len <= 2 || w.p[0] != '-' || w.p[1] != '-' || (!eq && i + 1 == n)) {
			buf_printf(
			    err,
			    "new does not take \"%.*s\": new --NAME=VALUE, as in new --members=5",
			    (int)w.n, w.p);
			return false;
		}
		struct bytes value = eq ? (struct bytes){eq + 1, w.n - len - 1} : words[++i];
		if (!set_word(cfg, (struct bytes){w.p + 2, len - 2}, value, err))
			return false;
	}
	return true;
}

static bool read_new(struct config *cfg, struct bytes text, struct buf *err)
{
	struct line line = {0};
	bool ok = line_parse(&line, text, err) &&
		  set_flags(cfg, line.words.v + 1, line.words.n - 1, err) && config_check(cfg, err);

	line_free(&line);
	return ok;
}

bool drive_check_new(const struct drive *d, struct bytes text, struct buf *err)
{
	struct config cfg = d->base;

	return read_new(&cfg, text, err);
}

static enum drive_result begin_new(struct drive *d, struct bytes text, struct buf *err)
{
	struct config cfg = d->base;
	bool ok = read_new(&cfg, text, err);

	if (ok)
		replace_world(d, &cfg);
	return ok ? DRIVE_DONE : DRIVE_MALFORMED;
}

/* `set NAME VALUE` of a setting that shapes a world from its start? */
static bool is_start_setting(const struct line *line)
{
	struct buf name = {0};

	if (line->words.n != 3)
		return false;
	buf_put_bytes(&name, line->words.v[1]);
	int i = config_find(buf_str(&name));
	buf_free(&name);
	return i >= 0 && config_setting((size_t)i)->when == SETTING_START;
}

/* A `set` in a fresh world.  DRIVE_BEGUN: nothing was done, the shell is to run it. */
static enum drive_result begin_setting(struct drive *d, struct bytes text, struct buf *err)
{
	struct line line = {0};
	struct config cfg = d->sh->w->cfg;
	enum drive_result result = DRIVE_BEGUN;

	if (line_parse(&line, text, err) && is_start_setting(&line)) {
		bool ok = set_word(&cfg, line.words.v[1], line.words.v[2], err) &&
			  config_check(&cfg, err);
		if (ok)
			replace_world(d, &cfg);
		result = ok ? DRIVE_DONE : DRIVE_MALFORMED;
	}
	line_free(&line);
	return result;
}

/* --- one command */

static enum drive_result begin_elsewhere(struct drive *d, struct bytes text, struct buf *err)
{
	const struct command_row *row = drive_row(text);

	if (!row) {
		buf_puts(err, "no such command: `help` lists all");
		return DRIVE_MALFORMED;
	}
	if (strcmp(row->name, "new") == 0)
		return begin_new(d, text, err);
	if (strcmp(row->name, "quit") == 0)
		return DRIVE_QUIT;
	if (row->layer == LAYER_PLAYER)
		return DRIVE_PLAYER;
	return row->layer == LAYER_SCREEN ? DRIVE_SCREEN : DRIVE_SESSION;
}

bool drive_check(const struct drive *d, struct bytes text, struct buf *err)
{
	enum shell_result result = shell_check(text, err);

	if (result != SHELL_NOT_HERE)
		return result == SHELL_OK;
	const struct command_row *row = drive_row(text);
	if (!row) {
		buf_puts(err, "no such command: `help` lists all");
		return false;
	}
	if (strcmp(row->name, "new") == 0)
		return drive_check_new(d, text, err);
	if (row->layer != LAYER_SESSION || strcmp(row->name, "quit") == 0)
		return true;
	buf_printf(err, "%s is a command of a session: leave it out of a script", row->name);
	return false;
}

static bool is_set(struct bytes text)
{
	const struct command_row *row = drive_row(text);

	return row && strcmp(row->name, "set") == 0;
}

enum drive_result drive_begin(struct drive *d, struct bytes text, struct buf *err)
{
	bool setting = d->fresh && is_set(text);

	if (setting) {
		enum drive_result result = begin_setting(d, text, err);
		if (result != DRIVE_BEGUN)
			return result;
		buf_clear(err);
	}
	switch (shell_begin(d->sh, text, err)) {
	case SHELL_OK:
		d->fresh = d->fresh && setting;
		return DRIVE_BEGUN;
	case SHELL_NOT_HERE:
		return begin_elsewhere(d, text, err);
	default:
		return DRIVE_MALFORMED;
	}
}
