/* Inside a player; only the files player*.c know it. */
#ifndef SCRIPT_PLAYER_STATE_H
#define SCRIPT_PLAYER_STATE_H

#include "script/history.h"

/* Texts that looking functions hand out. */
struct looks {
	struct buf question, narration, answer, next_answer, next_commands, title, end;
};

/* A command that was interrupted, and is still to be written as commands of a script. */
struct stopped {
	bool is;
	size_t input;
	uint64_t request; /* rN of the command; 0: none */
	uint32_t watcher;
};

struct player {
	struct config cfg;
	struct drive drive;
	struct trace *trace; /* owned */
	VEC(struct branch *) branches;
	struct branch *b; /* the present one */
	size_t nsteps;	  /* of the script */
	char *name;	  /* of the script, for messages; NULL: none was loaded */

	struct player_position at;
	bool under_way; /* the input at `at` has begun and not ended */
	uint64_t work;	/* inputs begun and events since the start of the branch */

	uint64_t next_point; /* work at which a checkpoint may be due */
	uint64_t next_passing,
	    goal_work; /* on a way back: the next checkpoint in passing, and the end of the way */

	/* What ran before and runs again leaves its old bytes in the heap.  Above the limit, and
	 * above three times what running everything once needed, the past is made anew. */
	size_t memory_limit, needed, used_before;
	bool from_start; /* the past begins with a new world, which can be made again */
	bool numbering;	 /* as that world began */

	volatile sig_atomic_t *interrupt;
	uint64_t interrupts;
	uint64_t stop_typed; /* what is typed next is interrupted after so many events */
	struct stopped stopped;
	bool aside; /* what runs now will be as if it had not */
	void (*told_interrupt)(void *arg, bool typed, struct player_position at);
	void *told_interrupt_arg;
	void (*told)(void *arg, struct bytes command);
	void *told_arg;
	struct looks *looks;
};

/* The numbers of the world now. */
struct player_mark player_look(const struct player *p);
/* The input whose mark holds for a position: its step's first one, or a later one that began a
 * world; NULL: none, since the position lies before the first step. */
const struct input *player_marked(const struct player *p, struct player_position at);
/* Begins the next input if none is under way, and runs one event of it.  False: the branch is at
 * its end. */
bool player_advance(struct player *p);
/* A branch that begins with the present one's inputs up to a position between two of them; it is
 * the present one from now on. */
void player_fork(struct player *p, struct player_position at);
/* The input at `at` has been begun, in the world of that number; ends it if the shell has nothing
 * left to do. */
void player_enter(struct player *p, bool shell_began, uint32_t world);
/* Goes on to a position that is not behind. */
void player_run_to(struct player *p, struct player_position target);
/* Goes anywhere in the present branch; afresh: nothing of what is there now can be used (another
 * branch). */
void player_jump(struct player *p, struct player_position target, bool afresh);
/* player_rewind.c: back and goto as lines of a script.  False: the input is none of them. */
bool player_begin_rewind(struct player *p, struct input *in);
/* Continues from a checkpoint, with an empty trace. */
void player_restore(struct player *p, const struct checkpoint *c);
/* A new world in the start state, as the player's past begins; the old one goes. */
void player_begin_world(struct player *p, bool numbering);
/* player_interrupt.c: before an event of an input, Ctrl-C for it if there was one; afterwards, what
 * it has become in the script. */
void player_consider_interrupt(struct player *p, struct input *in);
void player_write_interrupt(struct player *p);
/* Keeps a checkpoint of the present position. */
void player_save_point(struct player *p, bool passing);
/* The first position that one can go back to: behind the set-up. */
struct player_position player_floor(const struct player *p);

#endif
