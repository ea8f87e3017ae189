/* A script read from a descriptor, an item at a time: ten million lines take no more memory than
 * the longest. */
#ifndef SCRIPT_READER_H
#define SCRIPT_READER_H

#include "script/scope.h"

struct reader {
	const char *name; /* for messages */
	int fd;		  /* not owned */
	char *buf;
	size_t start;	/* of the item handed out last */
	size_t at, end; /* unread bytes */
	size_t cap;
	size_t line; /* number of the line that was cut last */
	bool eof, has_command;
};

void reader_init(struct reader *r, const char *name, int fd);
void reader_free(struct reader *r);

/* The next question or command; recorded lines, narration, answers and blank lines are passed over.
 * it->text is valid until the next call.  1: an item; 0: the end; -1: *err has "NAME:LINE: ...". */
int reader_next(struct reader *r, struct scope_item *it, struct buf *err);

/* Is a whole line at hand, so that reader_next need not wait for one? */
bool reader_has_line(const struct reader *r);

#endif
