/* What the commands that change the members have in common. */
#ifndef CMD_MEMBER_ARG_H
#define CMD_MEMBER_ARG_H

#include "cmd/command.h"

/* The one argument of member remove, update and promote: an id in hexadecimal or a member's name.
 * False: it has failed. */
bool member_argument(struct shell *s, struct job *j, const struct parsed *p, uint64_t *id);

#endif
