#include "cmd/login.h"

#include "cmd/rows.h"

/* name:password, or a name and --password.  etcdctl would ask for a missing one, but no terminal is
 * here to ask at. */
static bool read_user(struct shell *s, struct job *j, const struct parsed *p, struct request *req)
{
	struct bytes user = p->global[GLOBAL_USER].text, password = p->global[GLOBAL_PASSWORD].text;
	const char *colon = user.n ? memchr(user.p, ':', user.n) : NULL;

	if (password.n == 0 && !colon) {
		command_fail(s, j, STATUS_ERROR,
			     "nobody is asked for a password here: give --user=NAME:PASSWORD, or "
			     "--password");
		return false;
	}
	if (password.n == 0) {
		password = (struct bytes){colon + 1, (size_t)(user.p + user.n - colon - 1)};
		user.n = (size_t)(colon - user.p);
	}
	req->auth.user = command_keep(s, user);
	req->auth.password = command_keep(s, password);
	return true;
}

/* Where authentication is off a user's name is passed over. */
static void logged_in(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];
	bool refused = r->error && r->error != ERR_AUTH_NOT_ENABLED;

	if (refused && j->row != &cmd_endpoint_health) {
		bool snapshot = j->row == &cmd_snapshot_save; /* its errors have one status */
		command_fail(s, j, snapshot ? STATUS_INTERRUPTED : STATUS_BAD_CONNECTION, "%s",
			     error_text(r->error));
		return;
	}
	if (!r->error) {
		j->auth = command_asked(s, j);
		j->user = j->auth->auth.user;
	}
	if (refused)
		j->login = LOGIN_REFUSED;
	else
		j->login = j->login == LOGIN_NOT && j->row->stream ? LOGIN_STREAM : LOGIN_DONE;
	j->ncalls = 0;
	j->nshown = 0;
	command_end(j);
	shell_run_again(s, j);
}

bool command_login(struct shell *s, struct job *j, const struct parsed *p)
{
	struct request *req;

	if (j->login >= LOGIN_DONE || p->global[GLOBAL_USER].text.n == 0)
		return true;
	req = command_request(s, REQ_AUTHENTICATE);
	if (!read_user(s, j, p, req))
		return false;
	if (req->auth.user.n == 0 || req->auth.password.n == 0)
		return true; /* clientv3 logs in only with both */
	j->text = command_keep(s, j->text);
	j->user = (struct bytes){0};
	command_call_unnumbered(s, j, req, logged_in);
	return false;
}

static void dialed(struct shell *s, struct job *j);

static void dial(struct shell *s, struct job *j)
{
	struct dial *d = &j->dial;

	if (d->logins == 0) {
		command_call_endpoint(s, j, d->req, d->endpoint, d->resume);
		return;
	}
	d->logins--;
	command_call_login(s, j, j->auth, d->endpoint, dialed);
}

/* One that fails is what the call itself ends with. */
static void dialed(struct shell *s, struct job *j)
{
	enum error e = j->results[j->ncalls - 1]->error;

	if (e && e != ERR_AUTH_NOT_ENABLED) {
		j->dial.resume(s, j);
		return;
	}
	j->ncalls--;
	dial(s, j);
}

void login_and_call(struct shell *s, struct job *j, unsigned logins, const struct request *req,
		    size_t endpoint, void (*resume)(struct shell *, struct job *))
{
	j->dial = (struct dial){.req = req,
				.resume = resume,
				.endpoint = (uint8_t)endpoint,
				.logins = j->user.n ? (uint8_t)logins : 0};
	dial(s, j);
}

unsigned login_maintenance(const struct shell *s)
{
	return s->w->cfg.etcd_version < 35 ? 1 : 0;
}
