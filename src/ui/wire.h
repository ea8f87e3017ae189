/* Messages between members, as the wire column writes them. */
#ifndef UI_WIRE_H
#define UI_WIRE_H

#include "ui/scene.h"

/* What a message is about: "MsgApp 3..4", "MsgAppResp 2", "MsgVote t2".  brief: without "Msg". */
void put_message(struct buf *out, const struct trace_msg *m, bool brief);
/* The newest message to or from a member that has not arrived, in w columns at (x, y). */
void draw_wire(const struct scene *s, struct canvas *c, int x, int y, int w, unsigned member);
/* A second line about it: "prev 2/t1   commit 4"; nothing if there is nothing to say. */
void draw_wire_details(const struct scene *s, struct canvas *c, int x, int y, int w,
		       unsigned member);
/* One row with everything under way. */
void draw_flights(const struct scene *s, struct canvas *c, int x, int y, int w);

#endif
