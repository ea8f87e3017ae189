/* A unified diff of two short texts. */
#ifndef TESTS_RAFT_DIFF_H
#define TESTS_RAFT_DIFF_H

#include <stdio.h>

#include "base/bytes.h"

/* Prints the lines that differ, with three lines around them. */
void print_diff(FILE *out, struct bytes expected, struct bytes actual);

#endif
