/* The script format (.scope): one grammar for hand-written scripts, demos, recordings and cases (design.md 6).
 *
 *   # narration      #? a question: begins a step      #= its answer
 *   command          (a txn block runs to its line `end`)
 *   | output         recorded for the command above      |"..." a line with bytes that text cannot hold
 *   ~ 1.000 S2 ...   a trace line recorded for the command above
 */
#ifndef SCRIPT_SCOPE_H
#define SCRIPT_SCOPE_H

#include "base/buf.h"
#include "base/bytes.h"
#include "base/vec.h"

enum item_kind { ITEM_COMMAND, ITEM_NARRATION, ITEM_QUESTION, ITEM_ANSWER, ITEM_BLANK };

struct item {
	enum item_kind kind;
	size_t line;         /* in the file, from 1 */
	struct bytes text;   /* without its mark; a block with its lines and `end`, separated by newlines */
	struct bytes output; /* recorded lines as they stand in the file, marks included; n == 0: none */
	struct bytes trace;
	bool ends_open;      /* a block whose `end` is missing */
};

struct scope {
	const char *name;    /* for messages */
	struct bytes text;   /* the file; items point into it */
	VEC(struct item) items;
	bool has_output, has_trace; /* anything recorded at all */
	size_t steps;        /* number of #? lines, else of commands */
	bool has_questions;
};

/* Cuts a text (which must outlive the scope) into items.  False: *err gets "NAME:LINE: what is wrong: what would
 * be right"; what stood before the line is in the scope all the same. */
bool scope_parse(struct scope *s, const char *name, struct bytes text, struct buf *err);
void scope_free(struct scope *s);

/* A line of output as a recording has it: "| text", "|" or |"...". */
void scope_put_output(struct buf *out, struct bytes line);

#endif
