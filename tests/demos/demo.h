/* A demo, loaded into a player. */
#ifndef TESTS_DEMO_H
#define TESTS_DEMO_H

#include "script/player.h"

/* The numbers of the demos, in order; 0 ends the list. */
extern const int demo_numbers[];

struct demo_rig {
	struct buf text;
	struct scope scope;
	struct player *player;
};

/* A demo at its beginning.  Run from the root of the project; a failure ends the test. */
void demo_open(struct demo_rig *d, int number);
void demo_close(struct demo_rig *d);

#endif
