/* What the commands about snapshots share. */
#ifndef CMD_SNAPSHOT_H
#define CMD_SNAPSHOT_H

#include "cmd/command.h"
#include "cmd/scratch.h"
#include "server/database.h"

/* Since 3.5 etcdctl says that etcdutl is to be used. */
void snapshot_deprecated(struct shell *s, const char *what);

#endif
