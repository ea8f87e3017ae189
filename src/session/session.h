/* What a person at the keyboard has and a script has not: a journal, settings, demos, recordings.
 *
 * The screen and the REPL hand every typed line to session_exec and draw what the player shows.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "script/player.h"

struct session;

struct session_options {
	struct config cfg;
	const char *format; /* -w of the program; NULL: simple */
	bool informer; /* begins with the recorded line `informer /registry/pods/`, as the screen
			  does */
	bool restore;  /* --restore: bring the last journal back */
	bool journal;  /* write one */
};

/* Never NULL.  What goes wrong on the way (no journal can be written, nothing to restore) leaves a
 * session that can be used, and one message in err.  What was restored session_notice says.  Free
 * with session_free, which ends the journal in good order. */
struct session *session_new(const struct session_options *o, struct buf *err);
void session_free(struct session *s);
/* The same, but the journal stays for --restore: the terminal has vanished, or somebody killed the
 * program. */
void session_abandon(struct session *s);
struct player *session_player(struct session *s);

enum session_result {
	SESSION_OK, /* err may hold a message all the same, such as a journal that can no longer be
		       written */
	SESSION_ERROR,	/* err holds one message; nothing changed */
	SESSION_MORE,	/* the line opens a block: hand over more lines until `end` (session_exec
			   collects) */
	SESSION_SCREEN, /* a command of the screen (focus, zoom, theme ...): the caller does it */
	SESSION_QUIT
};

/* Runs one typed line to its end.  Output of the command goes to out, a message to err. */
enum session_result session_exec(struct session *s, struct bytes line, struct buf *out,
				 struct buf *err);
/* Gives up a block that was begun (Ctrl-C). */
void session_cancel_block(struct session *s);

/* Loads a script file, or a demo by number or name, ready to be stepped through.  What was typed
 * before is kept in a file: err says in which, though it is no failure. */
bool session_load_file(struct session *s, const char *path, struct buf *err);
bool session_load_demo(struct session *s, const char *which, struct buf *err);

/* The demos found (build tree, user's, installed, compiled in), in order. */
struct demo {
	int number;
	char title[64];	  /* "Write path" */
	char summary[96]; /* "put, commit, apply, reply, watch" */
	size_t steps;
	char path[512];
};
size_t session_demos(struct session *s, const struct demo **list);

/* Who draws for `export FILE`: form is "txt", "ans", "svg" or "cast"; false: there is no such
 * picture. */
typedef bool session_export(void *arg, const char *form, struct buf *out);
void session_on_export(struct session *s, session_export *draw, void *arg);

/* What is to be said, not printed, after the last line or at the start: "saved 4 commands to FILE",
 * "restored 4 commands of the session journal-123; stopped before `CMD`, which never ended"; "".
 * Until the next line. */
const char *session_notice(const struct session *s);
/* The file that `record` named; NULL: nothing is being recorded. */
const char *session_recording(const struct session *s);
/* Is there a recording that was not saved? (`q` asks once then) */
bool session_unsaved(const struct session *s);

/* What the person has chosen for good, such as "theme"; NULL: nothing.  Setting it writes the
 * settings file. */
const char *session_setting(const struct session *s, const char *name);
bool session_set_setting(struct session *s, const char *name, const char *value, struct buf *err);

#endif
