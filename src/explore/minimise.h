/* Making a failing schedule small. */
#ifndef EXPLORE_MINIMISE_H
#define EXPLORE_MINIMISE_H

#include "explore/seed.h"

/* How a run in a process of its own ended. */
struct verdict {
	bool failed;
	int signal; /* it crashed; 0: it did not */
	struct seed_result result;
};

/* Runs a seed in a child, so that a crash is a result too. */
struct verdict seed_try(struct seed *s, bool check);

/* Leaves out actions and events as long as the run still fails in the same way.  The verdict is
 * that of what is left. */
struct verdict seed_minimise(struct seed *s, bool check);

#endif
