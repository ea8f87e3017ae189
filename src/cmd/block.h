/* Lines that belong to the command above them: a transaction's and those of watch -i, which end
 * with `end`, and a password's, which are one or two. */
#ifndef CMD_BLOCK_H
#define CMD_BLOCK_H

#include "cmd/shell.h"

struct command_row;

/* Is there a word that could be a command with a block, or short for it?  Nearly every line has
 * none, and need not be cut. */
bool block_may_open(struct bytes line);
/* The block of a command, from the words behind its name. */
enum shell_block block_opens(const struct command_row *row, const struct bytes *words, size_t n);
/* The block's lines in what follows the command's own line.  False: err says what is missing. */
bool block_take(struct bytes *block, struct bytes rest, enum shell_block kind, struct buf *err);

#endif
