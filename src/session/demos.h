/* The demos that can be shown: those of the build tree, else the user's, else the installed ones,
 * else the ones compiled in. */
#ifndef SESSION_DEMOS_H
#define SESSION_DEMOS_H

#include "base/vec.h"
#include "session/session.h"

struct demo_list {
	VEC(struct demo) v;
};

void demos_find(struct demo_list *list);
/* By number, by title or its beginning, or by the file's name; NULL: err lists what there is. */
const struct demo *demos_named(const struct demo_list *list, const char *which, struct buf *err);
/* Its text; false: err says why it cannot be read. */
bool demos_read(const struct demo *d, struct buf *text, struct buf *err);
/* Takes number, title, summary and steps from a script that begins with "# Demo 1: Write path -
 * put, commit". */
void demos_describe(struct demo *d, struct bytes text);

#endif
