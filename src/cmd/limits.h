/* The limits of etcd, as one page. */
#ifndef CMD_LIMITS_H
#define CMD_LIMITS_H

#include "base/buf.h"
#include "sim/world.h"

void limits_print(struct buf *out, const struct config *c);

#endif
