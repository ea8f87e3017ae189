/* What a player remembers: inputs, branches of them, and checkpoints.
 *
 * A branch is a list of inputs from the start.  Branches that part share their inputs up to there,
 * and so what is known of them: an input is always reached through the same ones before it, and the
 * world is deterministic, so its output, its events and the numbers before it are the same however
 * often it runs.
 */
#ifndef SCRIPT_HISTORY_H
#define SCRIPT_HISTORY_H

#include "script/drive.h"
#include "script/player.h"
#include "script/scope.h"

struct input {
	enum item_kind kind;
	bool typed;	  /* at the prompt; else a line of a script */
	bool setup;	  /* begins no step */
	bool begun, done; /* what follows is known from then on */
	bool new_world;	  /* it began one: its mark is that one's start */
	bool rewinds;	  /* back or goto of a script: the world is that before input rewind_to */
	bool free_play;	  /* it ends a script: requests take numbers from here on */
	uint32_t refs;	  /* branches that hold it */
	size_t rewind_to;
	size_t line; /* in its script */
	char *text, *output;
	size_t ntext, noutput;
	uint64_t work;		 /* done from the start of the branch until it began */
	uint64_t events;	 /* shell_step was called so often until its end */
	uint64_t stop_at;	 /* interrupted after so many; UINT64_MAX: never */
	struct player_mark mark; /* before it */
};

struct checkpoint {
	struct player_position at;
	uint64_t work;
	/* Of the trace, which is not part of a world. */
	uint64_t ntrace, trace_event;
	int64_t trace_ms;
	enum trace_level level;
	bool under_way; /* in the middle of its input */
	bool passing;	/* made on the way back, thrown away when there are too many */
	uint32_t refs;
	struct drive drive;
};

struct branch {
	char name[24];
	bool script;	  /* its steps are those of the script that was loaded; else free play */
	char parent[24];  /* "" for main */
	size_t from_step; /* where it left its parent */
	size_t from_input;
	VEC(struct input *) inputs;
	VEC(size_t) starts;		 /* index of the input at which step 1, 2, ... begins */
	VEC(struct checkpoint *) points; /* by position; the first is the start */
	struct player_position left_at;	 /* when it was left for another branch */
};

struct input *input_new(enum item_kind kind, struct bytes text, size_t line);
struct bytes input_text(const struct input *in);
void input_set_text(struct input *in, struct bytes text);

int position_cmp(struct player_position a, struct player_position b);

/* A branch without inputs. */
struct branch *branch_new(const char *name);
void branch_free(struct branch *b);
/* The same inputs and checkpoints up to a position between two inputs. */
struct branch *branch_fork(const struct branch *b, const char *name, struct player_position at);
/* Takes over the input, which becomes number i; what followed comes after it, in the steps that it
 * was in. */
void branch_insert(struct branch *b, size_t i, struct input *in, bool begins_step);
/* Forgets the checkpoints behind the beginning of input i. */
void branch_drop_points(struct branch *b, size_t i);
/* Input i and what follows are as if they had never run; none of them is in another branch. */
void branch_forget(struct branch *b, size_t i);
/* The first input that has not begun. */
size_t branch_fresh(const struct branch *b);
/* The step that a position lies in (0: before the first): it began before, or there is an event of
 * it. */
size_t branch_step(const struct branch *b, struct player_position at);
/* Where step k begins (1 ..), and where it ends. */
struct player_position branch_step_begin(const struct branch *b, size_t k);
struct player_position branch_step_end(const struct branch *b, size_t k);

/* Index of the last checkpoint at or before a position. */
size_t branch_point(const struct branch *b, struct player_position at);
/* Takes over the checkpoint; its position must not have one yet. */
void branch_add_point(struct branch *b, struct checkpoint *c);
void checkpoint_drop(struct checkpoint *c);

#endif
