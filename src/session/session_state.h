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
	bool executing;	       /* session_exec has written the command down already */
	struct buf block;      /* lines of a command that is not finished */
	struct buf recording;  /* file that `record` named; empty: none */
	bool recording_behind; /* commands have run since it was written */
	/* Where the journal believes the player to be. */
	char seen_branch[24];
	struct player_position seen;
};

/* A command of LAYER_SESSION. */
enum session_result session_command(struct session *s, const struct command_row *row,
				    struct bytes text, struct buf *out, struct buf *err);
/* Writes the recording, if there is one and it is behind. */
bool session_write_recording(struct session *s, struct buf *err);
/* Runs a command that is whole, without writing it down. */
enum session_result session_run(struct session *s, struct bytes text, struct buf *out,
				struct buf *err);

#endif
