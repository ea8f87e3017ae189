/* A password that user add and user passwd read from the standard input (etcd: user_command.go,
 * readPasswordInteractive).  Here the lines below the command are what is typed. */
#ifndef CMD_PASSWORD_H
#define CMD_PASSWORD_H

#include "cmd/command.h"

/* The flags of both begin with it. */
enum { USER_INTERACTIVE, USER_NEW_PASSWORD, USER_NO_PASSWORD, USER_ADD_FLAGS };

/* How many lines such a command reads: two at a prompt, one with --interactive=false, 0: none. */
unsigned password_lines(const struct parsed *p);
/* Reads them, and prints what etcdctl asks; the password is kept in j->lines.  False: it has
 * failed. */
bool password_read(struct shell *s, struct job *j, const struct parsed *p);

#endif
