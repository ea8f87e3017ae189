/* --user: the client logs in before its first request, by a request of its own (etcd: client.go,
 * getToken).  Then the command begins once more, as somebody. */
#ifndef CMD_LOGIN_H
#define CMD_LOGIN_H

#include "cmd/command.h"

enum login { LOGIN_NOT, LOGIN_STREAM, LOGIN_DONE, LOGIN_REFUSED };

/* False: it is under way, or has failed.  A command whose row says `stream` logs in twice: the
 * stream does so by itself when it is opened (etcd: clientv3/retry_interceptor.go).  endpoint
 * health goes on when it has failed (LOGIN_REFUSED; results[0] says why), and tells it of each
 * endpoint. */
bool command_login(struct shell *s, struct job *j, const struct parsed *p);

/* As command_call_endpoint, but on a client or connection of its own, which has to log in too, so
 * many times: each login is an entry.  Without --user it makes no difference. */
void login_and_call(struct shell *s, struct job *j, unsigned logins, const struct request *req,
		    size_t endpoint, void (*resume)(struct shell *, struct job *));
/* Maintenance requests are made on a connection of their own, which logs in under 3.4 (etcd:
 * clientv3, Client.Dial).  How many logins that is for an endpoint. */
unsigned login_maintenance(const struct shell *s);

#endif
