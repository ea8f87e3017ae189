/* set: lists, shows and changes settings (sim/config.h has the table). */
#include "cmd/command.h"
#include "cmd/screen_setting.h"
#include "cmd/rules.h"

static void list(struct shell *s)
{
	struct buf *out = command_out(s), value = {0};

	for (size_t i = 0; i < config_nsettings(); i++) {
		const struct setting *row = config_setting(i);
		buf_clear(&value);
		config_get(&s->w->cfg, row->name, &value);
		buf_printf(out, "%-26s %-14s %s (default %s%s)\n", row->name, buf_str(&value),
			   row->meaning, row->fallback,
			   row->when == SETTING_START ? "; only before the first command" : "");
	}
	buf_free(&value);
}

static const struct setting *find(struct shell *s, struct job *j, const char *name)
{
	int i = config_find(name);
	struct buf near = {0};

	if (i >= 0)
		return config_setting((size_t)i);
	for (size_t k = 0; k < config_nsettings(); k++)
		buf_printf(&near, "%s%s", k ? ", " : "", config_setting(k)->name);
	command_fail(s, j, STATUS_BAD_ARGS, "no setting \"%s\": there are %s", name,
		     buf_str(&near));
	buf_free(&near);
	return NULL;
}

static void change(struct shell *s, struct job *j, const struct setting *row, const char *value)
{
	struct config cfg = s->w->cfg;
	struct buf err = {0};

	if (row->when == SETTING_START && !rules_may_begin(s)) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "%s shapes the cluster from its start: new --%s=%s begins a fresh one",
			     row->name, row->name, value);
		return;
	}
	if (!config_set(&cfg, row->name, value, &err))
		command_fail(s, j, STATUS_BAD_ARGS, "%s", buf_str(&err));
	else {
		if (!cfg.stepping)
			shell_release_held(s);
		sim_configure(s->w, &cfg);
		if (row->when == SETTING_START)
			rules_begin(s);
	}
	buf_free(&err);
}

/* Here is no screen that could show it; the value is looked at all the same. */
static void look_at_screen(struct shell *s, struct job *j, const struct screen_setting *row,
			   const struct parsed *p)
{
	struct buf err = {0};

	if (p->args.n < 2)
		buf_printf(command_out(s), "%s: %s\n", row->name, row->meaning);
	else if (!screen_setting_takes(row, p->args.v[1], &err))
		command_fail(s, j, STATUS_BAD_ARGS, "%s", buf_str(&err));
	buf_free(&err);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	command_end(j);
	if (p->args.n == 0) {
		list(s);
		return;
	}
	if (!command_arguments(s, j, p, 0, 2))
		return;
	const char *name = command_keep(s, p->args.v[0]).p;
	const struct screen_setting *screen = screen_setting(name);
	if (screen) {
		look_at_screen(s, j, screen, p);
		return;
	}
	const struct setting *row = find(s, j, name);
	if (!row)
		return;
	if (p->args.n == 2) {
		change(s, j, row, command_keep(s, p->args.v[1]).p);
		return;
	}
	config_get(&s->w->cfg, row->name, command_out(s));
	buf_putc(command_out(s), '\n');
}

const struct command_row cmd_set = {
    .name = "set",
    .group = GROUP_SESSION,
    .usage = "set [name [value]]",
    .summary = "Lists the settings, shows one, or changes it",
    .example = "set election random",
    .arguments = "@setting @value",
    .run = run,
};
