/* One seed: a cluster, a schedule, a run with every rule watched. */
#ifndef EXPLORE_SEED_H
#define EXPLORE_SEED_H

#include "check/check.h"
#include "explore/action.h"

struct seed_options {
	uint64_t events;  /* of a run */
	uint32_t members; /* 0: three or five, drawn */
	unsigned classes; /* of faults (enum fault_class), as bits */
	bool check;
	uint32_t bugs; /* mistakes that are switched on (api/bug.h) */
};

/* What a seed means. */
struct seed {
	uint64_t number;
	struct config cfg;
	action_list actions;
	bool settles; /* at the end everything is healed and the members must come to agree */
	/* What the latest run did for that: whom it started, and how much time it let pass then. */
	action_list settling;
	int64_t settling_ms;
};

struct seed_result {
	uint64_t hash, events;
	uint64_t steps; /* one for each event, and for each instant without any */
	int64_t ms;	/* virtual time that passed */
	bool broken;
	struct violation violation;
};

void seed_draw(struct seed *s, uint64_t number, const struct seed_options *o);
void seed_free(struct seed *s);
/* Runs it, notes in it what settling took, with every rule watched or none.  story (may be NULL)
 * gets the newest trace lines.  The same seed gives the same result, always. */
struct seed_result seed_run(struct seed *s, bool check, struct buf *story);
/* The latest run as a script; then (may be NULL) what it is to show. */
void seed_print(struct buf *out, const struct seed *s, const struct seed_result *r);

#endif
