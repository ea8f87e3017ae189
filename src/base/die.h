/* What only a bug or an exhausted machine can cause: the program ends in one place.
 *
 * A user's mistake is never handled here; it is a value with a text (api/error.h).
 */
#ifndef BASE_DIE_H
#define BASE_DIE_H

#include <stddef.h>

/* Called once before the program aborts, to put the terminal right.  Async-signal-safe. */
void die_set_hook(void (*hook)(void));

/* Prints "etcdscope: FILE:LINE: text" and aborts, after the hook. */
_Noreturn void die_at(const char *file, int line, const char *text);

#define die(text) die_at(__FILE__, __LINE__, text)

/* An assertion that stays on in every build. */
#define check_that(cond) ((cond) ? (void)0 : die_at(__FILE__, __LINE__, "broken: " #cond))

/* malloc, calloc, realloc that end the program when memory is out.  The caller frees. */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);
char *xstrdup(const char *s);

#endif
