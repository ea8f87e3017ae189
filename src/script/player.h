/* A script or a session that can be moved through: forward, back, and off into branches.
 *
 * What is to be done is a list of inputs (commands, narration, questions); a position is how many
 * of them have run, and how many events of the one that is under way.  Every position can be
 * reached again, bit for bit: the player keeps sparse checkpoints (copies that share what does not
 * change) and runs again from the nearest one.
 *
 * Steps (design.md 3): a step begins at a `#?` line; in a script without any each command is a
 * step, and so is each command that was typed.  What stands before the first step is set-up.  A
 * position lies in the step that has begun before it: after step 3 has run, and until step 4
 * begins, it lies in step 3.
 */
#ifndef SCRIPT_PLAYER_H
#define SCRIPT_PLAYER_H

#include <signal.h>

#include "cmd/shell.h"
#include "script/scope.h"

struct drive; /* script/drive.h */
struct player;

struct player_position {
	size_t input;	/* inputs that have run completely */
	uint64_t event; /* events of the input under way */
};

/* Numbers of the world at the beginning of the step (in free play: of the command) that the
 * position lies in: what is newer is marked on the screen. */
struct player_mark {
	uint64_t events;			/* w->events then */
	uint64_t ntrace;			/* number of the next trace record then */
	int64_t rev;				/* highest store revision of any member */
	uint64_t term, log, committed, applied; /* as the counters showed them */
	unsigned leader;
	int64_t ms; /* the clock then */
};

struct player *player_new(const struct config *cfg);
/* A player whose past begins with a shell that has run already: shell and trace are the player's
 * from now on. */
struct player *player_adopt(const struct drive *d);
void player_free(struct player *p);
/* A player that has no past and may only be looked at, around a drive that stays the caller's (a
 * picture of a script that is run); free with player_release. */
struct player *player_around(const struct drive *d);
void player_release(struct player *p);

/* A script ready to be stepped through: a new world; lines before the first #? have run.  A line
 * that is wrong, wherever it stands, is told (NAME:LINE: ...), and nothing changes.  The scope's
 * text is copied.  A demo begins with the recorded line `informer /registry/pods/`, which
 * is in the script. */
bool player_load(struct player *p, const struct scope *s, struct buf *err);
/* Would it be loaded? */
bool player_check(const struct player *p, const struct scope *s, struct buf *err);

/* Runs a command at the present position, to its end (or first event with `stepping on`).  If
 * nothing that follows has run yet, it is inserted there, inside the present step, and the rest of
 * a script stays ahead.  If something has run, that future is kept in its branch, and a new one
 * ends behind the command.  In the middle of a command it is a new branch as well.  SHELL_NOT_HERE:
 * it belongs to player_command, to the session or to the screen; SHELL_MALFORMED: err says why;
 * nothing has changed then. */
enum shell_result player_type(struct player *p, struct bytes text, struct buf *err);
/* The same for a line that a person types; output goes to out.  What changes nothing (show, why,
 * help, `set NAME`, a mistake that is refused before anything began) is printed and is no input:
 * position, steps, branch and future stay.  `new` where a script is shown begins a branch of free
 * play with a world of its own. */
enum shell_result player_line(struct player *p, struct bytes text, struct buf *out,
			      struct buf *err);
/* The same for what is there before the first step: it begins none. */
enum shell_result player_set_up(struct player *p, struct bytes text, struct buf *err);
/* A `#?` line of a script that is read line by line: begins a step. */
void player_ask(struct player *p, struct bytes text);

/* A command that runs while *flag is set is interrupted, as by Ctrl-C, and the flag cleared.  NULL:
 * none. */
void player_interrupt_on(struct player *p, volatile sig_atomic_t *flag);
/* Told when one is: the input that it was, and how many events of it had run; typed: it was typed
 * just now.  Handed over again, the same happens again. */
void player_on_interrupt(struct player *p,
			 void (*told)(void *arg, bool typed, struct player_position at), void *arg);
void player_interrupt_typed(struct player *p, uint64_t events); /* the command typed next */
bool player_interrupt_at(struct player *p, struct player_position at);
/* How many were: what runs several of them stops when there is one more. */
uint64_t player_interrupts(const struct player *p);

/* A step at the end of free play is a command (`wait 100ms`) that nobody has typed: told before it
 * runs. */
void player_on_step_of_time(struct player *p, void (*told)(void *arg, struct bytes command),
			    void *arg);

/* Moving; each returns false if there is nothing in that direction. */
bool player_step(struct player *p); /* to the end of the next step; free play: next instant */
bool player_step_event(struct player *p);
bool player_step_command(struct player *p);
bool player_back(struct player *p); /* to the beginning of this step, or of the one before */
bool player_back_event(struct player *p);
bool player_back_command(struct player *p);
/* To the end of a step, or to its first, second ... event; step 0: the start, event UINT64_MAX: its
 * beginning. */
bool player_goto(struct player *p, size_t step, uint64_t event);
bool player_seek(struct player *p, struct player_position at);
struct player_position player_at(const struct player *p);
struct player_position player_end(const struct player *p);

/* Commands of LAYER_PLAYER: back, goto, continue, branch.  Output goes to out. */
enum shell_result player_command(struct player *p, struct bytes line, struct buf *out,
				 struct buf *err);

/* Going back runs things again, and what ran before leaves its bytes behind.  When the world's heap
 * is larger than this (256 MiB, or three times what the present needs) everything is run once more
 * from the start, and they are free. */
void player_limit_memory(struct player *p, size_t bytes);

/* Looking. */
struct shell *player_shell(struct player *p); /* another one after each move back */
const struct world *player_world(const struct player *p);
const struct trace *player_trace(const struct player *p);
struct player_mark player_mark(const struct player *p);
size_t player_step_number(const struct player *p); /* k of n; 0: before the first step */
size_t player_steps(const struct player *p);	   /* 0: free play */
const char *player_title(const struct player *p);  /* "Demo 1 Write path", "free play" */
void player_set_title(struct player *p, const char *title);
/* Story of the present step: question, narration, answer; "" where there is none.  Valid until the
 * next move. */
const char *player_question(const struct player *p);
const char *player_narration(const struct player *p);
const char *player_answer(const struct player *p);
/* Of the next step: a question is asked before it; "" if there is none. */
const char *player_next_question(const struct player *p);
const char *player_next_answer(const struct player *p);
/* "" or what to say when nothing is left to step to: "This is the end of branch b: `branch main`
 * goes back to the demo." */
const char *player_end_text(const struct player *p);
/* The command that runs or ran last, and what it has printed so far. */
const char *player_command_text(const struct player *p);
struct bytes player_output(const struct player *p);
/* The next command of the script, "" at the end. */
const char *player_next_text(const struct player *p);
/* The commands of the next step, a line each; "" if there is none. */
const char *player_next_commands(const struct player *p);
const char *player_next_command(const struct player *p); /* the last of them */
const char *player_branch_name(const struct player *p);	 /* "main", "b", ... */
size_t player_branches(const struct player *p);
const char *player_branch_at(const struct player *p, size_t i); /* its name */
/* Where one stands in it, how long it is and where it left its parent, as `branch` prints it. */
void player_branch_describe(const struct player *p, size_t i, struct buf *out);
bool player_switch(struct player *p, const char *branch);

/* Hooks and output format of every shell from now on. */
void player_set_hooks(struct player *p, struct shell_hooks hooks, const char *format);

/* The inputs of the present branch from the start to its end, as a script (for save and record).
 * Outputs need everything to have run: player_write_all goes ahead for that, and what it ran counts
 * as not run yet. */
void player_write(const struct player *p, struct buf *out, bool with_output);
void player_write_all(struct player *p, struct buf *out);
/* The number of commands of the present branch. */
size_t player_commands(const struct player *p);
/* How many commands of branch i a person typed since it left its parent: nobody else can bring them
 * back. */
size_t player_branch_typed(const struct player *p, size_t i);
/* The same of all branches. */
size_t player_typed(const struct player *p);

#endif
