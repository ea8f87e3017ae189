/* Files that are compiled in as a last resort: tables that tests/tools/embed.sh makes from demos/
 * and themes/. */
#ifndef SESSION_BUILTIN_H
#define SESSION_BUILTIN_H

#include <stddef.h>

struct builtin {
	const char *name; /* "01-write-path.scope" */
	const char *text;
	size_t length;
};

extern const struct builtin builtin_demos[];
extern const size_t builtin_ndemos;

#endif
