/* Which mode: the screen, the prompt, scripts, random faults, a theme. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "explore/explore.h"
#include "session/options.h"
#include "repl/repl.h"
#include "ui/picture.h"
#include "ui/ui.h"

#define VERSION "0.1.0"

static int message(const struct buf *text, int status)
{
	fprintf(stderr, "etcdscope: %s\n", buf_str(text));
	return status;
}

/* Standard output may be closed or full; that is found out here at the latest. */
static int print(const char *text)
{
	if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
		return 0;
	perror("etcdscope: standard output cannot be written");
	return 1;
}

static struct session *new_session(const struct options *o, bool screen)
{
	struct session_options so = {
	    .cfg = o->run.cfg, .format = o->run.format, .restore = o->restore, .journal = true};
	struct buf err = {0};

	/* A script or a demo brings its own informer; alone, the screen begins with one (design.md
	 * 4). */
	so.informer = screen && o->mode == MODE_SCREEN && o->nwords == 0;
	struct session *s = session_new(&so, &err);
	if (!err.n)
		buf_puts(&err, session_notice(s));
	if (err.n)
		message(&err, 0);
	buf_free(&err);
	struct shell_hooks hooks = {.picture = screen_picture_hook, .arg = session_player(s)};
	player_set_hooks(session_player(s), hooks, o->run.format);
	return s;
}

/* What the screen is to begin with.  Without a name `demo` shows the first one. */
static bool load(struct session *s, const struct options *o, struct buf *err)
{
	if (o->mode == MODE_DEMO)
		return session_load_demo(s, o->nwords ? o->words[0] : "1", err);
	return o->nwords == 0 || session_load_file(s, o->words[0], err);
}

static int show(const struct options *o)
{
	struct session *s = new_session(o, true);
	struct buf err = {0};
	struct ui_options uo = {.theme = o->theme, .color = o->color, .ascii = o->ascii};
	int status;

	if (!load(s, o, &err)) {
		status = message(&err, STATUS_USAGE);
		session_free(s);
		buf_free(&err);
		return status;
	}
	status = o->plain || !ui_can_draw() ? ui_plain(s, &uo) : ui_run(s, &uo);
	/* 128 + n: a signal ended it, so there is something to restore. */
	if (status > 128)
		session_abandon(s);
	else
		session_free(s);
	return status;
}

int main(int argc, char **argv)
{
	struct options o;
	struct buf err = {0};

	setlocale(LC_CTYPE, "");
	if (argc > 1 && strcmp(argv[1], "sim") == 0)
		return explore_main(argc - 1, argv + 1);
	if (!options_parse(&o, argc, argv, &err)) {
		int status = message(&err, STATUS_USAGE);
		buf_free(&err);
		return status;
	}
	switch (o.mode) {
	case MODE_HELP:
		return print(options_help);
	case MODE_VERSION:
		return print("etcdscope " VERSION " (etcd 3.4.23)\n");
	case MODE_THEME:
		return ui_theme_check(o.words[0]);
	case MODE_RUN:
		o.run.picture = screen_picture;
		return run_files(&o.run, o.words, o.nwords);
	case MODE_REPL:
		return repl_run(new_session(&o, false));
	default:
		return show(&o);
	}
}
