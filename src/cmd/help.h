/* Help in etcdctl's layout. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd/table.h"

/* What `etcdctl help COMMAND` prints for a command of the table that is etcdctl's. */
void help_like_etcdctl(struct buf *out, const struct command_row *r);

#endif
