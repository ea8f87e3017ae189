/* Driving a shell through a script: what a shell alone cannot do, since it replaces the shell.
 *
 * `new` begins a fresh world, settings that shape a world from its start may be set until its first
 * command, and clients' requests take numbers from the first question on.  Commands of the screen
 * do nothing here.
 */
#ifndef SCRIPT_DRIVE_H
#define SCRIPT_DRIVE_H

#include "cmd/shell.h"
#include "cmd/table.h"

struct drive {
	struct shell *sh;    /* owned */
	struct trace *trace; /* not owned */
	struct config base;  /* what `new` begins with */
	const char *format;  /* -w of the program */
	struct shell_hooks hooks;
	uint32_t worlds; /* `new` and settings that began a world so far */
	bool fresh;	 /* nothing but settings has run in this world */
	bool numbering;
};

enum drive_result {
	DRIVE_BEGUN,	 /* step it with shell_step while shell_busy */
	DRIVE_DONE,	 /* nothing is left to do */
	DRIVE_MALFORMED, /* a script error; err holds "what is wrong: what would be right" */
	DRIVE_PLAYER,	 /* back, goto, continue, branch: the caller's business */
	DRIVE_SESSION,	 /* a command that only a session has */
	DRIVE_SCREEN,	 /* focus, zoom, theme ...: nothing, where there is no screen */
	DRIVE_QUIT
};

/* A fresh world in the start state. */
void drive_init(struct drive *d, const struct config *cfg, struct trace *trace, bool numbering);
void drive_free(struct drive *d);

enum drive_result drive_begin(struct drive *d, struct bytes text, struct buf *err);
/* Would drive_begin take this `new ...`?  Nothing is done. */
bool drive_check_new(const struct drive *d, struct bytes text, struct buf *err);
/* Is it a line that a script may have?  Else err says what is wrong with it. */
bool drive_check(const struct drive *d, struct bytes text, struct buf *err);
/* A `#?` line was passed. */
void drive_question(struct drive *d);
/* The ring holds nothing but what comes after record number n. */
void drive_reset_trace(struct trace *t, uint64_t n);

/* The row of a command line, NULL if there is none; what a pasted line brings along is passed over.
 */
const struct command_row *drive_row(struct bytes text);
#endif
