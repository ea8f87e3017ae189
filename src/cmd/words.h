/* A command line cut into words (conformance/README.md, "Words of a command line"), and what a line
 * pasted from a page or a shell brings along.
 *
 *   ETCDCTL_API=3 etcdctl get "my key" | head -1        words: get, my key; filter: head -1
 *   put a @repeat(1000,x) &                             words: put, a, xxx...; background
 */
#ifndef CMD_WORDS_H
#define CMD_WORDS_H

#include "base/buf.h"
#include "base/vec.h"

enum pipe_kind { PIPE_HEAD, PIPE_TAIL, PIPE_GREP, PIPE_GREP_NOT, PIPE_COUNT, PIPE_CAT };

struct pipe {
	enum pipe_kind kind;
	uint64_t count;	   /* of head and tail */
	struct bytes text; /* of grep; points like a word */
};

enum { PIPES_MAX = 4 };

struct line {
	VEC(struct bytes) words; /* of the command; point into the line or into text */
	struct pipe pipes[PIPES_MAX];
	size_t npipes;
	bool background;   /* ended in & */
	struct bytes rest; /* what stood behind the first line of the text: the lines of a block */
	struct buf text;   /* words that had quotes, and joined lines */
	VEC(bool) owned;   /* word i: its p is an offset into text until the end */
};

void line_free(struct line *l);
/* Cuts a text; its first line (with those that it continues on after a last word \) is the command.
 * The text must outlive the line.  What was in l before is forgotten, its memory used again. False:
 * err gets one message. */
bool line_parse(struct line *l, struct bytes text, struct buf *err);
/* Does the line go on in the next one? (its last word is a single backslash) */
bool line_continues(struct bytes line);
/* Appends s with every @repeat(N,TEXT) in it expanded: a line of a transaction block. */
void line_expand(struct buf *out, struct bytes s);

#endif
