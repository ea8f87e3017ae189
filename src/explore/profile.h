/* The settings of a seed's cluster, and what its schedule is made of. */
#ifndef EXPLORE_PROFILE_H
#define EXPLORE_PROFILE_H

#include "explore/seed.h"

/* Draws both; what is the seed's own is drawn first. */
void profile_draw(struct config *cfg, struct plan *plan, const struct seed_options *o,
		  struct prng *g);
/* The settings as commands: `new` and `bug`. */
void profile_print(struct buf *out, const struct config *c);

#endif
