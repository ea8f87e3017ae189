/* What the files of this folder share about actions. */
#ifndef EXPLORE_PRIVATE_H
#define EXPLORE_PRIVATE_H

#include "explore/action.h"

/* action.c: the request of an action that has one, as its user; returns the call's id. */
uint64_t action_request(struct world *w, const struct action *a);
/* How its first request is sent. */
struct call_options action_call_options(const struct action *a);
void action_watch(struct world *w, const struct action *a);

/* fault.c */
void action_fault(struct world *w, struct action *a);

/* draw.c and draw_fault.c: how far the schedule has come, numbers that later actions may mention.
 */
struct drawing {
	struct prng *g;
	const struct plan *plan;
	unsigned members; /* with those that may have been added */
	uint32_t nwrites, nleases, nwatches, nauth;
	const struct sequel *sequel; /* NULL: none is under way */
	unsigned place;		     /* in it */
	uint8_t stalled;	     /* the watcher that was stalled last */
	uint8_t pinned, struck; /* who serves the latest watch; who was hit last; 0: not known */
};

struct weight {
	enum action_kind kind;
	unsigned weight;
	unsigned class; /* enum fault_class: only where that is usual */
};

static inline unsigned draw_below(struct drawing *d, unsigned n)
{
	return (unsigned)prng_below(d->g, n);
}

static inline uint8_t draw_member(struct drawing *d)
{
	return (uint8_t)(1 + draw_below(d, d->members));
}

enum action_kind draw_weighted(struct drawing *d, const struct weight *w, size_t n);
/* A kind of fault, or of what ends one. */
enum action_kind draw_fault_kind(struct drawing *d);
/* Fills in the rest. */
void draw_fault(struct drawing *d, struct action *a);
/* The class that must be allowed for it. */
enum fault_class draw_class(const struct action *a);

/* What often follows an action, since only together they matter. */
struct sequel {
	enum action_kind kinds[12]; /* up to ACT_KINDS */
	uint32_t least, below;	    /* events before each of them */
	uint32_t first; /* at least so many before the first of them; 0: as for others */
};
/* What follows the action, if anything does. */
const struct sequel *draw_sequel(struct drawing *d, const struct action *a);

#endif
