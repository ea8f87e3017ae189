/* A member's own clock: its ticks and its leases go by it.
 *
 * It goes as the world's does until it is skewed; from then on it runs at its own rate, and what it
 * is ahead or behind it stays when it is set right again (a clock that only measures how much time
 * passes is not set back).
 */
#ifndef SERVER_CLOCK_H
#define SERVER_CLOCK_H

#include "base/buf.h"

/* Parts in a million: at twice that, two seconds pass here in one of the world's. */
enum { CLOCK_RIGHT = 1000000 };

struct clock {
	int64_t rate_ppm;	  /* 0: right */
	int64_t from_ms, said_ms; /* what it said when its rate was set */
	int64_t tick_ms, look_ms; /* of a wrong one: its next tick, its lessor's next look */
};

/* What it says at an instant of the world. */
int64_t clock_own_ms(const struct clock *c, int64_t now_ms);
/* The first instant of the world at which it says that much. */
int64_t clock_world_ms(const struct clock *c, int64_t own_ms);
/* From now on it runs at this rate. */
void clock_set_rate(struct clock *c, int64_t now_ms, int64_t rate_ppm);
/* "+10%", "-2.5%", "0" if it is right. */
void clock_put_skew(struct buf *out, const struct clock *c);

#endif
