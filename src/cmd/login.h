/* --user: the client logs in before its first request, by a request of its own (etcd: client.go,
 * getToken).  Then the command begins once more, as somebody. */
#ifndef CMD_LOGIN_H
#define CMD_LOGIN_H

#include "cmd/command.h"

enum login { LOGIN_NOT, LOGIN_DONE };

/* False: it is under way, or has failed. */
bool command_login(struct shell *s, struct job *j, const struct parsed *p);

#endif
