/* What etcd promises, watched from outside while the world runs.
 *
 * A checker looks at a world through const after every event and keeps its own notes of what it
 * saw: who led in which term, what is durable where, which entries are committed, and a small model
 * of the store to which the committed entries are given in order.  It knows the rules, not the
 * code, and nothing that it watches ever asks it.  The cost of a look follows what has changed
 * since the last one, never the length of a log.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "sim/world.h"

/* A promise that was broken. */
struct violation {
	const char
	    *rule; /* its name in the Raft paper or in etcd's documentation: "Election Safety" */
	uint16_t members; /* bit i: member i + 1 is concerned */
	uint64_t event;	  /* number of the world's event after which it was seen */
	int64_t ms;	  /* and the time */
	char text[240];	  /* one sentence with numbers */
	bool known;	  /* it follows from what was done to a disk on purpose */
};

struct checker;

/* Begins to watch a world in its start state (nothing may have been stepped yet).  What the checker
 * notes points into the world's heap: some world of the family must live as long.  Free with
 * check_free. */
struct checker *check_new(const struct world *w);
/* A copy that goes on independently, to go with a copy of the world. */
struct checker *check_copy(struct checker *c);
void check_free(struct checker *c);

/* To be called after every event.  False: a rule is broken, by more than known damage; then it
 * stays false, whatever comes. */
bool check_step(struct checker *c, const struct world *w);
/* To be called when nothing is pending (sim_pending is false): also what must be true at rest. */
bool check_end(struct checker *c, const struct world *w);
/* The rules that a single state can break, without a checker: who leads, which entries the logs
 * have in common, what the stores hold.  Costs as much as there is.  False: *v says which one, and
 * whether it is known damage. */
bool check_now(const struct world *w, struct violation *v);
/* The first rule that was broken; NULL: none. */
const struct violation *check_violation(const struct checker *c);
/* The first that was broken because somebody has changed a database, cut a log or emptied a disk:
 * no cluster promises to survive that, so it is no violation.  NULL: none.  What a changed value
 * brings with it is passed over; after a lost log nothing more is checked. */
const struct violation *check_known_damage(const struct checker *c);

#endif
