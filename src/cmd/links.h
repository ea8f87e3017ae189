/* Links on the command line: their ends, and how they are shown. */
#ifndef CMD_LINKS_H
#define CMD_LINKS_H

#include "cmd/job.h"

/* Reads a member, or client.  False: the job has failed. */
bool command_link_end(struct shell *s, struct job *j, struct bytes name, unsigned *end);

/* The links that are cut or set, one a line; "" if there is none.  json: an object a line, a
 * direction each. */
void links_print(struct buf *out, const struct world *w, bool json);

#endif
