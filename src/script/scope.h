/* The script format (.scope): one grammar for hand-written scripts, demos, recordings and cases
 * (design.md 6).
 *
 *   # narration      #? a question: begins a step      #= its answer
 *   command          (a txn block runs to its line `end`; a trailing \ continues a line)
 *   | output         recorded for the command above      |"..." a line with bytes that text cannot
 * hold ~ 1.000 S2 ...   a trace line recorded for the command above
 *
 * The first characters of a line say what it is, so a script can be read a line at a time
 * (reader.h) as well as in one piece (scope_parse).
 */
#ifndef SCRIPT_SCOPE_H
#define SCRIPT_SCOPE_H

#include "base/buf.h"
#include "base/bytes.h"
#include "base/vec.h"

enum line_kind {
	LINE_BLANK,
	LINE_NARRATION,
	LINE_QUESTION,
	LINE_ANSWER,
	LINE_OUTPUT,
	LINE_TRACE,
	LINE_COMMAND,
	LINE_CR,   /* not a record, and its last byte is a carriage return: another command */
	LINE_WRONG /* `|x`, `~x`: neither a command nor a record */
};

enum line_kind scope_line_kind(struct bytes line);
/* What is said of a LINE_CR. */
extern const char scope_cr[];
/* Cuts the next line, without its newline, off the front of a text; false at its end. */
bool scope_next_line(struct bytes *rest, struct bytes *line);
/* Do the lines of a command so far want more: an open block, or a trailing backslash? */
bool scope_wants_more(struct bytes text);
/* What is wrong if they want more and there is none. */
const char *scope_unfinished(struct bytes text);
/* "NAME:LINE: text" */
void scope_error(struct buf *err, const char *name, size_t line, const char *text);

enum item_kind { ITEM_COMMAND, ITEM_NARRATION, ITEM_QUESTION, ITEM_ANSWER, ITEM_BLANK };

struct scope_item {
	enum item_kind kind;
	size_t line; /* in the file, from 1 */
	struct bytes
	    text; /* without its mark; a block with its lines and `end`, separated by newlines */
	/* From the first recorded line to the last, as they stand in the file, marks included; n ==
	 * 0: none.  Lines of another kind may stand in between. */
	struct bytes output;
	struct bytes trace;
};

struct scope {
	const char *name;  /* for messages */
	struct bytes text; /* the file; items point into it */
	VEC(struct scope_item) items;
	bool has_output, has_trace; /* anything recorded at all */
	size_t steps;		    /* number of #? lines, else of commands */
	bool has_questions;
};

/* Cuts a text (which must outlive the scope) into items.  False: *err gets "NAME:LINE: what is
 * wrong: what would be right"; what stood before the broken line is in the scope all the same, and
 * s->text ends there. */
bool scope_parse(struct scope *s, const char *name, struct bytes text, struct buf *err);
void scope_free(struct scope *s);

/* A line of output as a recording has it, with its newline: "| text", "|" or |"...". */
void scope_put_output(struct buf *out, struct bytes line);
/* The same for every line of a text. */
void scope_put_outputs(struct buf *out, struct bytes text);

#endif
