#include "server/membership.h"

#include <string.h>

enum { MOST_LEARNERS = 1 };

const struct member_info *membership_find(const struct membership *c, uint64_t id)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->members[i].id == id)
			return &c->members[i];
	return NULL;
}

bool membership_is_removed(const struct membership *c, uint64_t id)
{
	for (size_t i = 0; i < c->nremoved; i++)
		if (c->removed[i] == id)
			return true;
	return false;
}

void membership_set(struct membership *c, struct heap *h, const struct member_info *m)
{
	struct member_info *v = heap_alloc(h, (c->n + 1) * sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < c->n && c->members[i].id < m->id; i++)
		v[n++] = c->members[i];
	v[n++] = *m;
	for (size_t i = 0; i < c->n; i++)
		if (c->members[i].id > m->id)
			v[n++] = c->members[i];
	c->members = v;
	c->n = n;
}

static void take_out(struct membership *c, struct heap *h, uint64_t id)
{
	struct member_info *v = heap_alloc(h, (c->n + 1) * sizeof *v);
	uint64_t *removed = heap_alloc(h, (c->nremoved + 1) * sizeof *removed);
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (c->members[i].id != id)
			v[n++] = c->members[i];
	if (c->nremoved)
		memcpy(removed, c->removed, c->nremoved * sizeof *removed);
	removed[c->nremoved++] = id;
	c->removed = removed;
	c->members = v;
	c->n = n;
}

/* ---- what may be done ---- */

static bool url_in_use(const struct membership *c, const char *url, uint64_t except)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->members[i].id != except && strcmp(c->members[i].peer_url, url) == 0)
			return true;
	return false;
}

static enum error check_add(const struct membership *c, const struct request *req)
{
	size_t learners = 0;

	if (membership_find(c, req->member.id))
		return ERR_MEMBER_EXISTS;
	if (url_in_use(c, req->member.peer_url, 0))
		return ERR_PEER_URL_EXISTS;
	for (size_t i = 0; i < c->n; i++)
		learners += c->members[i].is_learner;
	return req->member.is_learner && learners >= MOST_LEARNERS ? ERR_TOO_MANY_LEARNERS
								   : ERR_NONE;
}

enum error membership_check(const struct membership *c, const struct request *req)
{
	const struct member_info *m = membership_find(c, req->member.id);

	if (membership_is_removed(c, req->member.id))
		return ERR_MEMBER_NOT_FOUND;
	if (req->kind == REQ_MEMBER_ADD)
		return check_add(c, req);
	if (!m)
		return ERR_MEMBER_NOT_FOUND;
	if (req->kind == REQ_MEMBER_PROMOTE && !m->is_learner)
		return ERR_NOT_LEARNER;
	if (req->kind == REQ_MEMBER_UPDATE && url_in_use(c, req->member.peer_url, m->id))
		return ERR_PEER_URL_EXISTS;
	return ERR_NONE;
}

/* ---- doing it ---- */

static void change(struct membership *c, struct heap *h, const struct request *req)
{
	const struct member_info *old = membership_find(c, req->member.id);

	if (!old)
		return; /* a member that was removed before its name came */
	struct member_info m = *old;
	if (req->kind == REQ_MEMBER_UPDATE) {
		m.peer_url = req->member.peer_url;
	} else if (req->kind == REQ_MEMBER_PROMOTE) {
		m.is_learner = false;
	} else {
		m.name = req->member.name;
		m.client_url = req->member.client_url;
	}
	membership_set(c, h, &m);
}

void membership_apply(struct membership *c, struct heap *h, const struct request *req)
{
	switch (req->kind) {
	case REQ_MEMBER_ADD:
		membership_set(c, h,
			       &(struct member_info){.id = req->member.id,
						     .name = "",
						     .peer_url = req->member.peer_url,
						     .client_url = "",
						     .is_learner = req->member.is_learner});
		break;
	case REQ_MEMBER_REMOVE:
		take_out(c, h, req->member.id);
		break;
	case REQ_CLUSTER_VERSION:
		c->version = (uint32_t)req->member.id;
		break;
	default:
		change(c, h, req);
	}
}
