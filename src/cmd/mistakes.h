/* How far a mistyped name is from one that exists. */
#ifndef CMD_MISTAKES_H
#define CMD_MISTAKES_H

#include "base/bytes.h"

/* Typing mistakes between two names: a letter wrong, missing, too many, or two exchanged counts one
 * (optimal string alignment).  Names of more than 31 letters are far from everything. */
size_t mistakes_between(struct bytes a, struct bytes b);

#endif
