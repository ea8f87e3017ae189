/* How far a mistyped name is from one that exists. */
#ifndef BASE_MISTAKES_H
#define BASE_MISTAKES_H

#include <stdbool.h>

#include "base/bytes.h"

/* Typing mistakes between two names: a letter wrong, missing, too many, or two exchanged counts one
 * (optimal string alignment).  Names of more than 31 letters are far from everything. */
size_t mistakes_between(struct bytes a, struct bytes b);
/* Can a word have been meant for a name that is so far from it?  One mistake in up to four letters,
 * two in a longer word. */
bool mistakes_are_few(struct bytes word, size_t mistakes);

#endif
