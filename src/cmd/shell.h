/* The command interpreter: a command line goes in, runs over events of the world, and prints.
 *
 * A command is not finished when it begins: it may wait for an answer, for time, for a leader.  So
 * a shell is a value like the world: it can be copied in the middle of a command and goes on from
 * there.  Output is collected in `out`; whoever drives the shell takes it from there.
 */
#ifndef CMD_SHELL_H
#define CMD_SHELL_H

#include "sim/sim.h"

struct job;	/* cmd/job.h: a command under way */
struct checker; /* check/check.h */
struct violation;
struct scratch; /* cmd/scratch.h: memory that is used again from command to command */

/* What commands need from layers above them; any may be NULL. */
struct shell_hooks {
	/* A pane or the whole screen as text: what is "screen", "store", "watch", "leases", "path",
	 * "members", "S1" ... False: no such picture. */
	bool (*picture)(void *arg, const char *what, int columns, int rows, struct buf *out);
	void *arg;
	/* Called before the watchers' notes are printed and forgotten (w->notes): an observer that
	 * reads them looks here, since they are gone when shell_step returns. */
	void (*notes)(void *arg, const struct world *w);
	void *notes_arg;
};

/* How far a `step` goes. */
enum step_kind { STEP_EVENT, STEP_REQUEST, STEP_COMMAND, STEP_UNTIL };
struct step_goal {
	enum step_kind kind;
	uint8_t until;	  /* STEP_UNTIL: an enum trace_kind */
	uint32_t events;  /* STEP_EVENT: so many */
	int64_t limit_ms; /* it gives up when the clock gets here */
};

/* `watch KEY -- COMMAND`: what is run at each event (watch_command.c). */
struct watch_command {
	uint32_t watcher;
	uint32_t runs; /* in the instant at_ms */
	int64_t at_ms;
	struct bytes line; /* in the world's heap */
};

struct shell {
	struct world *w;     /* owned */
	struct trace *trace; /* not owned; shared with the world */
	struct shell_hooks hooks;
	const char *format; /* -w of the program: "simple", "json", "fields", "table" */
	struct buf out;	    /* what the command under way has printed so far */
	struct job *fg;	    /* the command under way; NULL: none */
	VEC(struct job *)
	bg;	       /* requests left pending (`&`, stepping, a limit), oldest first; owned */
	bool settling; /* the command has its reply; the instant is being run to its end */
	bool held;     /* with `stepping on`: fg is open and waits for `step` */
	bool in_step;  /* a `step` command drives */
	struct step_goal goal; /* where it stops */
	struct buf late; /* lines of requests answered under another command, not yet in out */
	uint64_t last_error_call; /* for `why`; 0: none */
	struct buf last_error;	  /* the text of the last error */
	int exit_status;	  /* of the last command, as etcdctl's */
	uint32_t
	    started_watch; /* by the last command: its status is 5 if that is canceled at once */
	int status_before; /* of the last one that did more than look (show exit) */
	bool looked;	   /* the last one only looked */
	VEC(struct watch_command) on_event;
	struct checker *checker; /* set check step: owned; NULL: nobody watches */
	bool violated;		 /* a rule was broken; the shell has stopped there once */
	struct scratch *scratch; /* owned, not part of the state */
};

struct shell *shell_new(const struct config *cfg, struct trace *trace);
/* A checkpoint.  Freezes the heap, so both go on independently. */
struct shell *shell_copy(struct shell *s);
void shell_free(struct shell *s);

/* Does a command line open a block: one that ends with `end` (txn without if/then, watch -i), or
 * the line or two of a password (user add, user passwd)? */
enum shell_block { BLOCK_NONE, BLOCK_TXN, BLOCK_WATCH, BLOCK_PASSWORD, BLOCK_PASSWORD_TWICE };
enum shell_block shell_opens_block(struct bytes line);
/* Does it need another line?  rest: what stands behind the command line so far. */
bool shell_block_goes_on(enum shell_block kind, struct bytes rest);
/* Does it go on in the next line (a lone backslash at its end)?  Then the two are one text, newline
 * between. */
bool shell_continues(struct bytes line);

enum shell_result {
	SHELL_OK,	 /* begun; drive it with shell_step while shell_busy */
	SHELL_MALFORMED, /* a script error: unknown command, unknown escape, open quote, missing
			    `end`; nothing changed */
	SHELL_NOT_HERE	 /* the command belongs to a layer above (back, goto, save, quit ...): see
			    cmd/table.h */
};

/* Begins a command; text is the line, or the line, the block's lines and `end`, separated by
 * newlines.  A server's or etcdctl's error is a result and printed; SHELL_MALFORMED puts one
 * message into err. */
enum shell_result shell_begin(struct shell *s, struct bytes text, struct buf *err);
/* What shell_begin would say; nothing is begun. */
enum shell_result shell_check(struct bytes text, struct buf *err);
/* Is the command still under way (or its instant not at rest)? */
bool shell_busy(const struct shell *s);
/* Runs one event for the command under way, moving the clock first if its command waits for
 * something and nothing is pending.  With `stepping on` a command that was begun stays open after
 * each event; then shell_busy is false between events and the next `step` goes on. */
void shell_step(struct shell *s);
/* Ctrl-C for the command in the foreground. */
void shell_interrupt(struct shell *s);

/* Prints what came in since (late replies as rN:, then the watchers' lines w1, w2, ...) into out.
 * Called at the end of each command by shell_step; callers need it only after stepping events by
 * hand. */
void shell_flush_notes(struct shell *s);

/* The rule that was broken; NULL: none, or nobody watches. */
const struct violation *shell_violation(const struct shell *s);
/* At the end: also what holds only then (unless `set check off`).  False: *v says what is broken.
 */
bool shell_check_end(struct shell *s, struct violation *v);

/* The last error in plain words: cause with numbers, then what to do.  False: nothing has failed.
 */
bool shell_explain(const struct shell *s, struct buf *out);

#endif
