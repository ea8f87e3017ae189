/* What is said to a person beside the results: one text on standard error.
 *
 * A message quotes what came from outside (arguments, names of files, lines of a script); so it is
 * always made safe, wherever it goes.
 */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include "base/buf.h"

/* Prints the text, safe, and a newline. */
void message_put(struct bytes text);
/* The same with the program's name before it: "etcdscope: ...". */
void message_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
