/* Messages between members, as the wire column writes them. */
#ifndef UI_WIRE_H
#define UI_WIRE_H

#include "ui/scene.h"

/* One way to write messages for all members of a screen. */
enum wire_form { WIRE_FULL, WIRE_SHORT, WIRE_BARE };

/* What a message is about: "MsgApp 3..4", "MsgAppResp 2", "MsgVote t2".  brief: without "Msg", and
 * Beat for heartbeats. */
void put_message(struct buf *out, const struct trace_msg *m, bool brief);
/* The longest form in which what every member shows fits in w columns. */
enum wire_form wire_form(const struct scene *s, const struct canvas *c, int w);
/* The newest message to or from a member that has not arrived, in w columns at (x, y). */
void draw_wire(const struct scene *s, struct canvas *c, int x, int y, int w, unsigned member,
	       enum wire_form form);
/* A second line about it: "prev 2/t1   commit 4"; nothing if there is nothing to say. */
void draw_wire_details(const struct scene *s, struct canvas *c, int x, int y, int w,
		       unsigned member);
/* One row with everything under way. */
/* Does a message stand where the faults of the member's links would? */
bool shows_message(const struct scene *s, unsigned member);
/* Cuts and faults of its links. */
void draw_links(const struct scene *s, struct canvas *c, int x, int y, int w, unsigned member);
/* ", links: 2 slow 1 cut"; nothing if all are in order. */
void put_link_counts(struct buf *out, const struct world *w);
void draw_flights(const struct scene *s, struct canvas *c, int x, int y, int w);

#endif
