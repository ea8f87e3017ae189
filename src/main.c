/* Which mode: the screen, the prompt, scripts, random faults, a theme. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "explore/explore.h"
#include "session/options.h"
#include "repl/repl.h"
#include "ui/export.h"
#include "ui/picture.h"
#include "ui/ui.h"

#define VERSION "0.1.0"

/* A standard descriptor that is closed would be the number of the next file that is opened: results
 * would land in the journal.  What is put there instead cannot be read or written, so that whoever
 * tries is told; only messages go nowhere. */
static void fill_descriptors(void)
{
	static const int mode[] = {O_WRONLY, O_RDONLY, O_WRONLY};

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", mode[fd]) != fd)
			_exit(STATUS_FAILED);
}

static int message(const struct buf *text, int status)
{
	message_printf("%s", buf_str(text));
	return status;
}

/* Standard output may be closed or full; that is found out here at the latest. */
static int finish(int status)
{
	errno = 0;
	bool written = fflush(stdout) == 0 && !ferror(stdout);

	if (written)
		return status;
	message_printf("standard output cannot be written%s%s", errno ? ": " : "",
		       errno ? strerror(errno) : "");
	return STATUS_FAILED;
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
	session_on_export(s, screen_export, session_player(s));
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
	buf_free(&err); /* at the start there is nothing typed that could be told of */
	status = o->plain || !ui_can_draw() ? ui_plain(s, &uo) : ui_run(s, &uo);
	/* 128 + n: a signal ended it, so there is something to restore. */
	if (status > 128)
		session_abandon(s);
	else
		session_free(s);
	return status;
}

static int start(struct options *o)
{
	switch (o->mode) {
	case MODE_HELP:
		fputs(options_help, stdout);
		return 0;
	case MODE_VERSION:
		puts("etcdscope " VERSION " (etcd 3.4.23)");
		return 0;
	case MODE_THEME:
		return ui_theme_check(o->words[0]);
	case MODE_RUN:
		o->run.picture = screen_picture;
		return run_files(&o->run, o->words, o->nwords);
	case MODE_REPL:
		return repl_run(new_session(o, false));
	default:
		return show(o);
	}
}

/* Whatever the mode: a theme that is named must be there. */
static bool understand(struct options *o, int argc, char **argv, struct buf *err)
{
	return options_parse(o, argc, argv, err) && (!o->theme || ui_theme_known(o->theme, err));
}

int main(int argc, char **argv)
{
	struct options o;
	struct buf err = {0};

	fill_descriptors();
	setlocale(LC_CTYPE, "");
	if (argc > 1 && strcmp(argv[1], "sim") == 0)
		return finish(explore_main(argc - 1, argv + 1));
	if (!understand(&o, argc, argv, &err)) {
		int status = message(&err, STATUS_USAGE);
		buf_free(&err);
		return status;
	}
	return finish(start(&o));
}
