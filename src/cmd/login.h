/* --user: the client logs in before its first request, by a request of its own (etcd: client.go,
 * getToken).  Then the command begins once more, as somebody. */
#ifndef CMD_LOGIN_H
#define CMD_LOGIN_H

#include "cmd/command.h"

enum login { LOGIN_NOT, LOGIN_DONE };

/* False: it is under way, or has failed. */
bool command_login(struct shell *s, struct job *j, const struct parsed *p);

/* As command_call_endpoint, but on a client or connection of its own, which has to log in too, so
 * many times: each login is an entry.  Without --user it makes no difference. */
void login_and_call(struct shell *s, struct job *j, unsigned logins, const struct request *req,
		    size_t endpoint, void (*resume)(struct shell *, struct job *));
/* Maintenance requests are made on a connection of their own, which logs in under 3.4 (etcd:
 * clientv3, Client.Dial); with --cluster so does the client that has asked for the members.  How
 * many logins that is for the endpoint that is asked now. */
unsigned login_maintenance(const struct shell *s, const struct job *j, bool cluster);

#endif
