/* A unified diff that is written while the new text is being made.
 *
 * A script that is run again differs from its file only in recorded blocks; so instead of comparing
 * two whole texts the caller says what stays and which block became which.  Hunks have three lines
 * of context.
 */
#ifndef SCRIPT_DIFF_H
#define SCRIPT_DIFF_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/vec.h"

struct diff {
	const char *name;
	struct buf *out;	   /* where hunks are added; not owned */
	bool any;		   /* something differed */
	struct bytes kept;	   /* lines that stay and that nobody has looked at yet */
	size_t old_line, new_line; /* lines before those */
	VEC(struct bytes) before;  /* the last lines of context, not yet in a hunk */
	struct buf hunk;	   /* the hunk under way; empty: none */
	size_t old_start, new_start, old_count, new_count;
	size_t after; /* lines of context behind the last change in the hunk */
};

void diff_init(struct diff *d, const char *name, struct buf *out);
/* Lines that are the same in both texts.  The text must live until diff_end. */
void diff_keep(struct diff *d, struct bytes text);
/* A block that became another one; what both share is found out.  Both must live until diff_end. */
void diff_replace(struct diff *d, struct bytes old, struct bytes new);
/* Writes what is left and frees. */
void diff_end(struct diff *d);

#endif
