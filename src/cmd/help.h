/* Help in etcdctl's layout. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd/table.h"

/* What `etcdctl help COMMAND` prints for a command of the table that is etcdctl's. */
void help_like_etcdctl(struct buf *out, const struct command_row *r);
/* `etcdctl help GROUP`, of its commands that are here; false: it has no such group. */
bool help_group_like_etcdctl(struct buf *out, struct bytes name);

#endif
