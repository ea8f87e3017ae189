/* Where results go: a descriptor with a large buffer before it.  On a terminal everything is made
 * safe, to a file or pipe the bytes go as they are (design.md 7, Bytes).  The first error is kept;
 * ask once at the end. */
#ifndef SCRIPT_SINK_H
#define SCRIPT_SINK_H

#include <stdbool.h>

#include "base/buf.h"

struct sink {
	int fd;
	bool terminal;
	int error; /* errno of the first write that failed; 0: none */
	struct buf buf;
};

void sink_init(struct sink *s, int fd);
void sink_put(struct sink *s, struct bytes text);
void sink_flush(struct sink *s);
/* Flushes and frees; returns error. */
int sink_end(struct sink *s);

#endif
