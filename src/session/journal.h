/* Every command of a session, written down before it runs, so that a crash or a killed terminal
 * loses nothing (design.md 9).
 *
 * A text file, one line a record, appended with one write each:
 *
 *   etcdscope journal 1
 *   = members 5            a setting of the session's start
 *   @ main 12 0            the player stands here: branch, inputs, events
 *   > txn                  a command begins ...
 *   + mod("a") = "1"       ... and has more lines
 *   .                      it has ended
 *   > wait 1000            a command begins ...
 *   % 345                  ... and was interrupted after so many events
 *   .
 *   ^ main 12 345          so was input 12 of a script that was loaded
 *   > pit a                a command begins ...
 *   !                      ... and was refused: nothing changed
 *   < demos/x.scope        a script was loaded
 *
 * A journal is locked as long as its session runs.
 */
#ifndef SESSION_JOURNAL_H
#define SESSION_JOURNAL_H

#include "base/vec.h"
#include "script/player.h"

struct journal;

/* Begins a journal in the state folder.  NULL: *err says why; the session goes on without. */
struct journal *journal_open(struct buf *err);
const char *journal_path(const struct journal *j);
/* Ends it.  keep: the file stays, for --restore. */
void journal_close(struct journal *j, bool keep);

/* Each returns false once, with a message, when the journal can no longer be written. */
bool journal_setting(struct journal *j, const char *name, const char *value, struct buf *err);
bool journal_position(struct journal *j, const char *branch, struct player_position at,
		      struct buf *err);
bool journal_begin(struct journal *j, struct bytes text, struct buf *err);
/* branch NULL: the command that has begun; else an input of a script. */
bool journal_interrupt(struct journal *j, const char *branch, struct player_position at,
		       struct buf *err);
bool journal_load(struct journal *j, const char *path, struct buf *err);
/* refused: it changed nothing, and is not run again. */
bool journal_end(struct journal *j, bool refused, struct buf *err);

enum record_kind { RECORD_SETTING, RECORD_POSITION, RECORD_INTERRUPT, RECORD_COMMAND, RECORD_LOAD };

struct record {
	enum record_kind kind;
	struct bytes name; /* of a setting, a branch */
	struct buf text;   /* value, command, path */
	struct player_position at;
	uint64_t stop; /* a command was interrupted after so many events; UINT64_MAX: never */
	bool ended, refused;
};

/* A journal that was left behind. */
struct left_journal {
	struct buf path, text;
	int fd; /* holds its lock */
	VEC(struct record) records;
};

/* The newest journal whose session is gone; false: there is none, err says so. */
bool journal_find(struct left_journal *l, struct buf *err);
/* Frees; done: it has been taken over, and its file goes. */
void journal_forget(struct left_journal *l, bool done);

#endif
