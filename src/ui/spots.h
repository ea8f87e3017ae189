/* Where the mouse can press: rectangles with the command that each is short for.
 *
 * Whoever draws a thing says what pressing it does.  They are asked for when somebody presses, and
 * not for each frame.
 */
#ifndef UI_SPOTS_H
#define UI_SPOTS_H

#include "base/vec.h"
#include "ui/canvas.h"

enum { SPOT_COMMAND = 48 };

struct spot {
	struct rect r;
	char command[SPOT_COMMAND];
};

struct spots {
	VEC(struct spot) v;
};

/* spots may be NULL: nobody asks. */
void spots_add(struct spots *spots, struct rect r, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The command at a place, "" if there is none; of several the one that was added last. */
const char *spots_at(const struct spots *spots, int x, int y);

#endif
