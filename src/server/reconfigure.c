/* Changing the members, and handing over the leadership (etcd: etcdserver/server.go, AddMember and
 * its kin, MoveLeader, applyConfChange; strict reconfiguration check on, as is etcd's default).
 *
 * A change is looked at three times: by the member that receives it, which knows its own
 * connections; by raft, which allows one at a time; and by every member that applies it.
 */
#include "server/private.h"

#include <stdlib.h>

#include "base/die.h"
#include "base/sha1.h"
#include "raft/confchange.h"

enum { HEALTHY_MS = 5000, STOP_DELAY_MS = 1000 };

/* ---- who is there ---- */

static const struct peer *peer_of(const struct server_env *env, uint64_t id)
{
	for (unsigned i = 0; i < env->npeers; i++)
		if (env->peers[i].id == id)
			return &env->peers[i];
	return NULL;
}

/* By default a started member's name is known without going through the log (design.md 8). */
static struct member_info as_listed(const struct server_env *env, const struct member_info *m)
{
	const struct peer *p = *m->name ? NULL : peer_of(env, m->id);
	struct member_info info = *m;

	if (p && p->started && !p->publishes) {
		info.name = p->name;
		info.client_url = p->client_url;
	}
	return info;
}

struct response *server_member_list(struct member *m, const struct server_env *env,
				    enum request_kind kind)
{
	struct response *r = server_response(m, kind);
	struct member_info *v = heap_alloc(m->heap, (m->membership.n + 1) * sizeof *v);

	for (size_t i = 0; i < m->membership.n; i++)
		v[i] = as_listed(env, &m->membership.members[i]);
	r->member_list.members = v;
	r->member_list.n = m->membership.n;
	r->header.revision = 0; /* the cluster's API does not look at the store */
	return r;
}

/* ---- connections ---- */

bool server_connected_since(const struct member *m, const struct server_env *env, uint64_t id,
			    int64_t ms)
{
	const struct peer *p = peer_of(env, id);

	check_that(env->active_since);
	if (id == m->id)
		return true;
	return p && env->active_since[p - env->peers] < ms;
}

static size_t connected_voters(const struct member *m, const struct server_env *env, int64_t ms)
{
	size_t n = 0;

	for (size_t i = 0; i < m->membership.n; i++) {
		const struct member_info *peer = &m->membership.members[i];
		n += !peer->is_learner && server_connected_since(m, env, peer->id, ms);
	}
	return n;
}

bool server_connected_to_quorum_since(const struct member *m, const struct server_env *env,
				      int64_t ms)
{
	size_t n = 0;

	for (size_t i = 0; i < m->membership.n; i++)
		n += server_connected_since(m, env, m->membership.members[i].id, ms);
	return n >= m->membership.n / 2 + 1;
}

/* ---- before raft ---- */

/* Voters, and how many of them have started, without one and with so many more. */
static bool enough_started(const struct member *m, const struct server_env *env, uint64_t without,
			   size_t members, size_t started)
{
	for (size_t i = 0; i < m->membership.n; i++) {
		struct member_info info = as_listed(env, &m->membership.members[i]);
		if (info.is_learner || info.id == without)
			continue;
		members++;
		started += *info.name != 0;
	}
	/* Adding a second member to a cluster of one must be possible. */
	if (!without && started == 1 && members == 2)
		return true;
	return started >= members / 2 + 1;
}

static size_t voters(const struct member *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->membership.n; i++)
		n += !m->membership.members[i].is_learner;
	return n;
}

static enum error may_add(const struct member *m, const struct server_env *env, bool learner)
{
	if (!learner && !enough_started(m, env, 0, 1, 0))
		return ERR_NOT_ENOUGH_STARTED;
	return connected_voters(m, env, env->now_ms - HEALTHY_MS) == voters(m) ? ERR_NONE
									       : ERR_UNHEALTHY;
}

static enum error may_remove(const struct member *m, const struct server_env *env, uint64_t id)
{
	const struct member_info *info = membership_find(&m->membership, id);
	size_t active;

	if (info && info->is_learner)
		return ERR_NONE;
	if (!enough_started(m, env, id, 0, 0))
		return ERR_NOT_ENOUGH_STARTED;
	/* Who is not connected is no part of what works. */
	if (!server_connected_since(m, env, id, NOT_CONNECTED))
		return ERR_NONE;
	active = connected_voters(m, env, env->now_ms - HEALTHY_MS);
	return active >= 2 + (voters(m) - 1) / 2 ? ERR_NONE : ERR_UNHEALTHY;
}

/* A learner must have nine tenths of the leader's log.  Whether there is such a learner is asked
 * when the change is applied. */
static enum error may_promote(const struct member *m, const struct server_env *env, uint64_t id)
{
	uint64_t last = 0, match = UINT64_MAX;

	for (size_t i = 0; i < raft_nprogress(m->raft); i++) {
		struct progress_view p = raft_progress(m->raft, i);
		if (p.id == m->id)
			last = p.match;
		if (p.id == id)
			match = p.match;
	}
	if (match < UINT64_MAX && 10 * match < 9 * last)
		return ERR_LEARNER_NOT_READY;
	return enough_started(m, env, 0, 1, 1) ? ERR_NONE : ERR_NOT_ENOUGH_STARTED;
}

/* ---- proposing ---- */

/* The known URLs have the known ids as long as these are free; others get etcd's: of URL and
 * second. */
static uint64_t new_id(const struct member *m, const struct server_env *env, const char *url)
{
	unsigned known = member_with_peer_url(url);
	struct buf text = {0};

	if (known && !membership_find(&m->membership, member_ids[known - 1]) &&
	    !membership_is_removed(&m->membership, member_ids[known - 1]))
		return member_ids[known - 1];
	buf_puts(&text, url);
	buf_put_i64(&text, EPOCH_S + env->now_ms / 1000);
	uint64_t id = sha1_id(buf_bytes(&text));
	buf_free(&text);
	return id;
}

static void propose_change(struct member *m, struct server_env *env, struct waiting *w)
{
	w->phase = WAIT_PROPOSE;
	server_cause(m, env, WORK_PROPOSE,
		     (uint64_t)(uintptr_t)server_proposal(m, w->call, w->req));
}

static void add(struct member *m, struct server_env *env, struct waiting *w)
{
	enum error e = may_add(m, env, w->req->member.is_learner);
	struct request *req = heap_alloc(m->heap, sizeof *req);

	if (e) {
		server_reply_error(m, env, w, e);
		return;
	}
	*req = *w->req;
	req->member.id = new_id(m, env, req->member.peer_url);
	w->req = req;
	propose_change(m, env, w);
}

void server_change_members(struct member *m, struct server_env *env, struct waiting *w)
{
	enum error e = ERR_NONE;

	w->limit_ms = INT64_MAX; /* the client's limit is the only one */
	if (w->req->kind == REQ_MEMBER_ADD) {
		add(m, env, w);
		return;
	}
	if (w->req->kind == REQ_MEMBER_PROMOTE) {
		w->phase = WAIT_PROMOTE;
		return;
	}
	if (w->req->kind == REQ_MEMBER_REMOVE)
		e = may_remove(m, env, w->req->member.id);
	if (e)
		server_reply_error(m, env, w, e);
	else
		propose_change(m, env, w);
}

bool server_promote(struct member *leader, struct server_env *env, struct member *from,
		    struct server_env *from_env, uint64_t call)
{
	struct waiting *w = server_waiting(from, call);

	if (raft_role(leader->raft) != STATE_LEADER || !w || w->phase != WAIT_PROMOTE)
		return false;
	enum error e = may_promote(leader, env, w->req->member.id);
	if (e) {
		server_reply_error(from, from_env, w, e);
		return true;
	}
	/* The leader proposes; the reply is made where the request came in. */
	w->phase = WAIT_APPLY;
	server_cause(leader, env, WORK_PROPOSE,
		     (uint64_t)(uintptr_t)server_proposal(from, call, w->req));
	return true;
}

static const struct proposal *own_proposal(struct member *m, struct request body)
{
	struct request *req = heap_alloc(m->heap, sizeof *req);

	*req = body;
	return server_proposal(m, 0, req);
}

void server_publish(struct member *m, struct server_env *env)
{
	const struct peer *self = peer_of(env, m->id);

	if (!self->publishes)
		return;
	const struct proposal *p = own_proposal(
	    m, (struct request){
		   .kind = REQ_PUBLISH,
		   .member = {.id = m->id, .name = self->name, .client_url = self->client_url}});

	m->publish_ms = env->now_ms;
	server_cause(m, env, WORK_PROPOSE, (uint64_t)(uintptr_t)p);
}

void server_propose_version(struct member *m, struct server_env *env)
{
	const struct proposal *p =
	    own_proposal(m, (struct request){.kind = REQ_CLUSTER_VERSION,
					     .member = {.id = env->set->etcd_version}});

	server_cause(m, env, WORK_PROPOSE, (uint64_t)(uintptr_t)p);
}

/* ---- applying ---- */

const struct response *server_apply_conf_change(struct member *m, struct server_env *env,
						const struct entry *e)
{
	const struct proposal *p = e->payload;
	struct conf_change cc = conf_change_of(e);
	enum error err = membership_check(&m->membership, p->req);

	/* What is not valid is still applied by raft, as a change that concerns nobody. */
	if (err)
		cc.changes[0].node = 0;
	m->storage.snapshot.conf = raft_apply_conf_change(m->raft, &cc);
	if (!err)
		membership_apply(&m->membership, m->heap, p->req);
	if (!err && p->req->kind == REQ_MEMBER_REMOVE && p->req->member.id == m->id)
		m->stop_ms = env->now_ms + STOP_DELAY_MS;
	struct response *r = server_member_list(m, env, p->req->kind);
	r->error = err;
	if (!err && p->req->kind == REQ_MEMBER_ADD)
		for (size_t i = 0; i < r->member_list.n; i++)
			if (r->member_list.members[i].id == p->req->member.id)
				r->member_list.added = &r->member_list.members[i];
	return r;
}

/* ---- handing over ---- */

static bool has_transferred(const struct member *m, const struct waiting *w)
{
	return w->req->kind == REQ_MOVE_LEADER && w->phase == WAIT_TRANSFER &&
	       raft_lead(m->raft) == w->req->move_leader.target;
}

void server_transferred(struct member *m, struct server_env *env)
{
	for (size_t i = 0; i < m->waiting.n; i++)
		if (has_transferred(m, &m->waiting.v[i]))
			server_reply(m, env, &m->waiting.v[i], server_response(m, REQ_MOVE_LEADER));
}

void server_move_leader(struct member *m, struct server_env *env, struct waiting *w)
{
	const struct member_info *target =
	    membership_find(&m->membership, w->req->move_leader.target);

	if (raft_lead(m->raft) != m->id) {
		server_reply_error(m, env, w, ERR_NOT_LEADER);
		return;
	}
	if (!target || target->is_learner) {
		server_reply_error(m, env, w, ERR_BAD_TRANSFEREE);
		return;
	}
	w->phase = WAIT_TRANSFER;
	w->limit_ms = INT64_MAX;
	raft_transfer_leader(m->raft, target->id);
	server_transferred(m, env);
}

/* ---- looking ---- */

bool server_is_removed(const struct member *m)
{
	return membership_is_removed(&m->membership, m->id);
}

bool server_is_learner(const struct member *m)
{
	const struct member_info *own = membership_find(&m->membership, m->id);

	return own && own->is_learner;
}

const struct conf_state *server_conf(const struct member *m)
{
	return &m->storage.snapshot.conf;
}

uint64_t server_first_index(const struct member *m)
{
	return m->raft ? raft_first_index(m->raft) : storage_first_index(&m->storage);
}

uint64_t server_last_index(const struct member *m)
{
	return m->raft ? raft_last_index(m->raft) : storage_last_index(&m->storage);
}

uint64_t server_pending_conf(const struct member *m)
{
	for (uint64_t i = m->applied + 1; m->raft && i <= raft_last_index(m->raft); i++) {
		const struct entry *e = raft_entry(m->raft, i);
		if (e && e->type != ENTRY_NORMAL)
			return i;
	}
	return 0;
}
