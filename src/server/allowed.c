/* Where users are asked what they may (etcd: etcdserver/apply_auth.go, v3_server.go,
 * api/v3rpc/maintenance.go, watch.go): writes when they are applied, everywhere alike; reads when
 * they are answered; what does not go through the log when it arrives.
 */
#include "server/private.h"

enum error server_check_user(const struct member *m, const struct request *req)
{
	enum error e = ERR_NONE;

	if (!m->auth.enabled)
		return ERR_NONE;
	if (request_is_conf_change(req) || req->kind == REQ_HASH_KV ||
	    req->kind == REQ_DEFRAGMENT || req->kind == REQ_SNAPSHOT)
		e = auth_check_admin(&m->auth, req->user);
	if (e && !request_is_conf_change(req))
		return e == ERR_USER_EMPTY ? ERR_MAINTENANCE_NO_USER : ERR_MAINTENANCE_DENIED;
	return e;
}

enum error server_check_read(const struct member *m, const struct request *req)
{
	return auth_check_keys(&m->auth, req, m->auth.revision);
}

enum error server_check_watch(const struct member *m, struct bytes user, struct key_range range)
{
	enum error e = auth_check_range(&m->auth, user, m->auth.revision, range);

	if (!e)
		return ERR_NONE;
	return e == ERR_USER_EMPTY ? ERR_WATCH_NO_USER : ERR_WATCH_DENIED;
}

/* A lease may be used by who may write all its keys. */
static enum error check_lease(const struct member *m, const struct proposal *p, int64_t id)
{
	const struct lease *l = id ? lessor_find(&m->lessor, id) : NULL;
	enum error e = ERR_NONE;

	for (size_t i = 0; l && i < l->keys.n && !e; i++)
		e = auth_check_key(&m->auth, p->req->user, p->auth_revision, l->keys.v[i]);
	return e;
}

enum error server_check_entry(const struct member *m, const struct proposal *p)
{
	enum error e;

	if (!m->auth.enabled || !p->call) /* the servers themselves may everything */
		return ERR_NONE;
	e = auth_check_admin_entry(&m->auth, p->req);
	if (!e)
		e = auth_check_keys(&m->auth, p->req, p->auth_revision);
	if (!e && p->req->kind == REQ_LEASE_REVOKE)
		e = check_lease(m, p, p->req->revoke.id);
	return e;
}

struct response *server_apply_auth(struct member *m, const struct request *req)
{
	struct response *r = server_response(m, req->kind);

	uint64_t before = m->auth.revision;

	r->error = auth_apply(&m->auth, m->heap, req, r);
	if (m->auth.revision != before)
		m->consistent_index = m->applied;
	return r;
}

/* The password is looked at before the login goes through the log. */
static enum error check_before_answer(const struct member *m, const struct request *req)
{
	if (req->kind == REQ_AUTHENTICATE)
		return auth_check_password(&m->auth, req->auth.user, req->auth.password);
	return server_check_read(m, req);
}

void server_answer_read(struct member *m, struct server_env *env, struct waiting *w)
{
	enum error e = check_before_answer(m, w->req);

	if (e)
		server_reply_error(m, env, w, e);
	else if (w->req->kind == REQ_AUTHENTICATE)
		server_begin_write(m, env, w);
	else
		server_reply(m, env, w, server_execute(m, env, w->req, NULL));
}
