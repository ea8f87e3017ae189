/* A script or a session that can be moved through: forward, back, and off into branches.
 *
 * What is to be done is a list of inputs (commands, narration, questions); a position is how many of them have
 * run, and how many events of the one that is under way.  Every position can be reached again, bit for bit: the
 * player keeps sparse checkpoints (copies that share what does not change) and runs again from the nearest one.
 */
#ifndef SCRIPT_PLAYER_H
#define SCRIPT_PLAYER_H

#include "cmd/shell.h"
#include "script/scope.h"

struct player;

struct player_position {
	size_t input;   /* inputs that have run completely */
	uint64_t event; /* events of the input under way */
};

/* Numbers of the world at the beginning of the step (in free play: of the command) that the position lies in:
 * what is newer is marked on the screen. */
struct player_mark {
	uint64_t events;   /* w->events then */
	uint64_t ntrace;   /* w->ntrace then */
	int64_t rev;       /* highest store revision of any member */
	uint64_t term, log, committed, applied; /* as the counters showed them */
	unsigned leader;
};

struct player *player_new(const struct config *cfg);
void player_free(struct player *p);

/* A script ready to be stepped through: a new world; lines before the first #? have run.  The scope's text is
 * copied.  A demo begins with the recorded line `informer /registry/pods/`, which is in the script. */
bool player_load(struct player *p, const struct scope *s, struct buf *err);

/* Types a command at the present position.  If something else followed there, the old future becomes a branch.
 * The same result codes as shell_begin; runs to its end (or first event with `stepping on`). */
enum shell_result player_type(struct player *p, struct bytes text, struct buf *err);

/* Moving; each returns false if there is nothing in that direction. */
bool player_step(struct player *p);           /* to the end of the next step; free play: next instant */
bool player_step_event(struct player *p);
bool player_step_command(struct player *p);
bool player_back(struct player *p);           /* to the beginning of this step, or of the one before */
bool player_back_event(struct player *p);
bool player_back_command(struct player *p);
bool player_goto(struct player *p, size_t step, uint64_t event); /* step 0: the start */
bool player_seek(struct player *p, struct player_position at);
struct player_position player_at(const struct player *p);
struct player_position player_end(const struct player *p);

/* Commands of LAYER_PLAYER: back, goto, continue, branch.  Output goes to out. */
enum shell_result player_command(struct player *p, struct bytes line, struct buf *out, struct buf *err);

/* Looking. */
struct shell *player_shell(struct player *p);
const struct world *player_world(const struct player *p);
const struct trace *player_trace(const struct player *p);
struct player_mark player_mark(const struct player *p);
size_t player_step_number(const struct player *p); /* k of n; 0: before the first step */
size_t player_steps(const struct player *p);       /* 0: free play */
const char *player_title(const struct player *p);  /* "Demo 1 Write path", "free play" */
/* Story of the present step: question, narration, answer; "" where there is none.  Valid until the next move. */
const char *player_question(const struct player *p);
const char *player_narration(const struct player *p);
const char *player_answer(const struct player *p);
/* The command that runs or ran last, and what it has printed so far. */
const char *player_command_text(const struct player *p);
struct bytes player_output(const struct player *p);
/* The next command of the script, "" at the end. */
const char *player_next_text(const struct player *p);
const char *player_branch_name(const struct player *p); /* "main", "b", ... */
size_t player_branches(const struct player *p);
bool player_switch(struct player *p, const char *branch);

/* The inputs of the present branch from the start to its end, as a script (for save and record). */
void player_write(const struct player *p, struct buf *out, bool with_output);

#endif
