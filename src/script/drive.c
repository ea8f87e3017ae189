/* Driving a shell through a script: new worlds, settings of the start, numbering. */
#include "script/drive.h"

enum { WORDS_MAX = 32 };

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
	*d = (struct drive){.trace = trace, .base = *cfg, .format = "simple", .fresh = true,
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

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* NAME=VALUE before a command, as a shell has it; a flag or a compare is none. */
static bool is_assignment(struct bytes word)
{
	const char *eq = memchr(word.p, '=', word.n);

	if (!eq || eq == word.p)
		return false;
	for (const char *c = word.p; c < eq; c++)
		if (!((*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') || *c == '_' ||
		      (*c >= '0' && *c <= '9' && c > word.p)))
			return false;
	return true;
}

size_t drive_words(struct bytes text, struct bytes *words, size_t max)
{
	size_t n = 0, i = 0;
	bool leading = true;

	while (n < max) {
		while (i < text.n && is_blank(text.p[i]))
			i++;
		if (i == text.n)
			break;
		size_t begin = i;
		while (i < text.n && !is_blank(text.p[i]))
			i++;
		struct bytes word = {text.p + begin, i - begin};
		if (leading && (is_assignment(word) || bytes_is(word, "etcdctl")))
			continue;
		leading = false;
		words[n++] = word;
	}
	return n;
}

const struct command_row *drive_row(struct bytes text)
{
	struct bytes words[4];
	size_t n = drive_words(text, words, 4), used = 0;
	struct buf ignored = {0};
	const struct command_row *row = n ? command_find(words, n, &used, &ignored) : NULL;

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

static enum drive_result begin_new(struct drive *d, struct bytes text, struct buf *err)
{
	struct bytes words[WORDS_MAX];
	size_t n = drive_words(text, words, WORDS_MAX);
	struct config cfg = d->base;

	for (size_t i = 1; i < n; i++) {
		struct bytes w = words[i];
		const char *eq = memchr(w.p, '=', w.n);
		size_t len = eq ? (size_t)(eq - w.p) : w.n;
		if (len <= 2 || w.p[0] != '-' || w.p[1] != '-' || (!eq && i + 1 == n)) {
			buf_printf(err, "new does not take \"%.*s\": new --NAME=VALUE, as in new --members=5",
				   (int)w.n, w.p);
			return DRIVE_MALFORMED;
		}
		struct bytes value = eq ? (struct bytes){eq + 1, w.n - len - 1} : words[++i];
		if (!set_word(&cfg, (struct bytes){w.p + 2, len - 2}, value, err))
			return DRIVE_MALFORMED;
	}
	replace_world(d, &cfg);
	return DRIVE_DONE;
}

/* `set NAME VALUE` of a setting that shapes a world from its start; false: it is something else. */
static bool is_start_setting(const struct bytes *words, size_t n)
{
	struct buf name = {0};

	if (n != 3)
		return false;
	buf_put_bytes(&name, words[1]);
	int i = config_find(buf_str(&name));
	buf_free(&name);
	return i >= 0 && config_setting((size_t)i)->when == SETTING_START;
}

static enum drive_result begin_start_setting(struct drive *d, const struct bytes *words, struct buf *err)
{
	struct config cfg = d->sh->w->cfg;

	if (!set_word(&cfg, words[1], words[2], err))
		return DRIVE_MALFORMED;
	replace_world(d, &cfg);
	return DRIVE_DONE;
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
	return row->layer == LAYER_SCREEN ? DRIVE_DONE : DRIVE_SESSION;
}

enum drive_result drive_begin(struct drive *d, struct bytes text, struct buf *err)
{
	bool setting = false;

	if (d->fresh) {
		struct bytes words[4];
		size_t n = drive_words(text, words, 4);
		const struct command_row *row = drive_row(text);
		setting = row && strcmp(row->name, "set") == 0;
		if (setting && is_start_setting(words, n))
			return begin_start_setting(d, words, err);
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
