/* Inside a session; only the files of this folder know it. */
#ifndef SESSION_SESSION_STATE_H
#define SESSION_SESSION_STATE_H

#include "cmd/table.h"
#include "cmd/words.h"
#include "session/demos.h"
#include "session/journal.h"
#include "session/session.h"
#include "session/settings.h"

struct session {
	struct player *player;
	struct journal *journal;
	struct settings settings;
	struct demo_list demos;
	bool looked_for_demos;
	session_export *export; /* NULL: nobody draws */
	void *export_arg;
	bool restoring;	  /* what a journal holds is run again */
	bool executing;	  /* session_exec has written the command down already */
	struct buf block; /* lines of a command that is not finished */
	struct buf notice;
	struct buf recording; /* file that `record` named; empty: none */
	/* What it held when it was written. */
	char recorded_branch[24];
	size_t recorded_commands;
	bool recording_behind; /* another script was loaded since */
	/* Where the journal believes the player to be. */
	char seen_branch[24];
	struct player_position seen;
};

/* Runs what a journal that was left behind holds, up to a command that never ended; the notice says
 * how far it came.  False: something could not be done again. */
bool session_bring_back(struct session *s, const struct left_journal *l);
/* The settings that a journal begins with become the session's.  False: one of them cannot, and the
 * notice says so. */
bool session_take_settings(struct session_options *o, const struct left_journal *l,
			   struct buf *notice);
/* Before another script takes the player's place: what a person typed goes into files of the state
 * folder, a branch each; told says how it comes back, or that it is lost. */
void session_keep_typed(struct session *s, struct buf *told);
/* The present branch with its outputs, as a script. */
bool session_write_branch(struct session *s, const char *path, struct buf *err);
/* A command of LAYER_SESSION. */
enum session_result session_command(struct session *s, const struct command_row *row,
				    struct bytes text, struct buf *out, struct buf *err);
/* Writes the recording, if there is one and it is behind. */
bool session_write_recording(struct session *s, struct buf *err);
/* Runs a command that is whole, without writing it down. */
enum session_result session_run(struct session *s, struct bytes text, struct buf *out,
				struct buf *err);
/* The same, written down before it runs, and written down that it has ended. */
enum session_result session_run_noted(struct session *s, struct bytes text, struct buf *out,
				      struct buf *err);
/* Writes down a command that has run already, here. */
void session_note(struct session *s, struct bytes command);

#endif
