/* The file format of etcd's data-driven tests: directives with arguments and input, each with its
 * expected output (github.com/cockroachdb/datadriven).
 */
#ifndef TESTS_RAFT_DATADRIVEN_H
#define TESTS_RAFT_DATADRIVEN_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/heap.h"
#include "base/vec.h"

/* key, key=value, key=(v1,v2) */
struct dd_arg {
	const char *key;
	VEC(const char *) values;
};

struct dd_case {
	int line; /* of the directive, from 1 */
	const char *command;
	VEC(struct dd_arg) args;
	struct bytes input, expected;
	struct bytes
	    before; /* the text from the end of the last case up to and including the line "----" */
};

struct dd_file {
	struct heap *heap; /* of the words */
	struct buf text;
	VEC(struct dd_case) cases;
	struct bytes rest; /* behind the last case */
};

/* Reads and parses a file; false: it cannot be read.  Free with dd_free. */
bool dd_read(struct dd_file *f, const char *path);
void dd_free(struct dd_file *f);

/* An argument by its key; NULL if it is not there. */
const struct dd_arg *dd_find(const struct dd_case *c, const char *key);
/* Its first value; "" if it has none, fallback if the argument is not there. */
const char *dd_value(const struct dd_case *c, const char *key, const char *fallback);

/* One case of a rewritten file. */
void dd_write_case(struct buf *out, const struct dd_case *c, struct bytes output);

#endif
