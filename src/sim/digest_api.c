/* Digests of what clients ask and are answered. */
#include "sim/digest.h"

#include <string.h>

void digest_add(struct digest *d, uint64_t v)
{
	d->h = (d->h ^ v) * 0x9e3779b97f4a7c15u;
	d->h ^= d->h >> 29;
}

void digest_int(struct digest *d, int64_t v)
{
	digest_add(d, (uint64_t)v);
}

void digest_bytes(struct digest *d, struct bytes s)
{
	digest_add(d, s.n);
	for (size_t i = 0; i < s.n; i += sizeof(uint64_t)) {
		uint64_t word = 0;
		memcpy(&word, s.p + i, s.n - i < sizeof word ? s.n - i : sizeof word);
		digest_add(d, word);
	}
}

void digest_text(struct digest *d, const char *s)
{
	digest_add(d, s != NULL);
	if (s)
		digest_bytes(d, bytes_of(s));
}

void digest_range(struct digest *d, struct key_range r)
{
	digest_bytes(d, r.key);
	digest_bytes(d, r.end);
}

void digest_row(struct digest *d, const struct row *r)
{
	digest_add(d, r != NULL);
	if (!r)
		return;
	digest_int(d, r->main);
	digest_add(d, r->sub);
	digest_int(d, r->create);
	digest_int(d, r->lease);
	digest_add(d, r->version);
	digest_add(d, row_is_tombstone(r));
	digest_bytes(d, row_key(r));
	digest_bytes(d, row_value(r));
}

static void digest_rows(struct digest *d, const struct row *const *v, size_t n)
{
	digest_add(d, n);
	for (size_t i = 0; i < n; i++)
		digest_row(d, v[i]);
}

void digest_event(struct digest *d, const struct event *e)
{
	digest_row(d, e->row);
	digest_row(d, e->prev);
}

void digest_member_info(struct digest *d, const struct member_info *m)
{
	digest_add(d, m->id);
	digest_text(d, m->name);
	digest_text(d, m->peer_url);
	digest_text(d, m->client_url);
	digest_add(d, m->is_learner);
}

void digest_permissions(struct digest *d, const struct permission *v, size_t n)
{
	digest_add(d, n);
	for (size_t i = 0; i < n; i++) {
		digest_add(d, v[i].kind);
		digest_range(d, v[i].range);
	}
}

static void digest_names(struct digest *d, const struct bytes *v, size_t n)
{
	digest_add(d, n);
	for (size_t i = 0; i < n; i++)
		digest_bytes(d, v[i]);
}

/* ---- requests ---- */

static void range_request(struct digest *d, const struct range_request *q)
{
	digest_range(d, q->range);
	digest_int(d, q->limit);
	digest_int(d, q->revision);
	digest_add(d, (uint64_t)q->sort_order << 8 | q->sort_target);
	digest_add(d, q->serializable | 2u * q->keys_only | 4u * q->count_only);
	digest_int(d, q->min_mod);
	digest_int(d, q->max_mod);
	digest_int(d, q->min_create);
	digest_int(d, q->max_create);
}

static void put_request(struct digest *d, const struct put_request *q)
{
	digest_bytes(d, q->key);
	digest_bytes(d, q->value);
	digest_int(d, q->lease);
	digest_add(d, q->prev_kv | 2u * q->ignore_value | 4u * q->ignore_lease);
}

static void requests(struct digest *d, const struct request *v, size_t n)
{
	digest_add(d, n);
	for (size_t i = 0; i < n; i++)
		digest_request(d, &v[i]);
}

static void txn_request(struct digest *d, const struct txn_request *q)
{
	digest_add(d, q->ncompares);
	for (size_t i = 0; i < q->ncompares; i++) {
		const struct compare *c = &q->compares[i];
		digest_add(d, (uint64_t)c->result << 8 | c->target);
		digest_range(d, c->range);
		digest_int(d, c->number);
		digest_bytes(d, c->value);
	}
	requests(d, q->success, q->nsuccess);
	requests(d, q->failure, q->nfailure);
}

static void auth_request(struct digest *d, const struct request *q)
{
	digest_bytes(d, q->auth.user);
	digest_bytes(d, q->auth.role);
	digest_bytes(d, q->auth.password);
	digest_add(d, q->auth.no_password);
	digest_permissions(d, &q->auth.permission, 1);
}

static void lease_request(struct digest *d, const struct request *q)
{
	switch (q->kind) {
	case REQ_LEASE_GRANT:
		digest_int(d, q->grant.id);
		digest_int(d, q->grant.ttl);
		break;
	case REQ_LEASE_TIME_TO_LIVE:
		digest_int(d, q->time_to_live.id);
		digest_add(d, q->time_to_live.keys);
		break;
	case REQ_LEASE_CHECKPOINT:
		digest_add(d, q->checkpoint.n);
		for (size_t i = 0; i < q->checkpoint.n; i++) {
			digest_int(d, q->checkpoint.v[i].id);
			digest_int(d, q->checkpoint.v[i].remaining_ttl);
		}
		break;
	default:
		digest_int(d, q->revoke.id);
	}
}

static void member_request(struct digest *d, const struct request *q)
{
	digest_add(d, q->member.id);
	digest_text(d, q->member.peer_url);
	digest_text(d, q->member.name);
	digest_text(d, q->member.client_url);
	digest_add(d, q->member.is_learner);
}

static void request_body(struct digest *d, const struct request *q)
{
	switch (q->kind) {
	case REQ_RANGE:
		range_request(d, &q->range);
		break;
	case REQ_PUT:
		put_request(d, &q->put);
		break;
	case REQ_DELETE_RANGE:
		digest_range(d, q->del.range);
		digest_add(d, q->del.prev_kv);
		break;
	case REQ_TXN:
		txn_request(d, &q->txn);
		break;
	case REQ_COMPACTION:
		digest_int(d, q->compaction.revision);
		digest_add(d, q->compaction.physical);
		break;
	case REQ_LEASE_GRANT:
	case REQ_LEASE_REVOKE:
	case REQ_LEASE_KEEP_ALIVE:
	case REQ_LEASE_TIME_TO_LIVE:
	case REQ_LEASE_CHECKPOINT:
		lease_request(d, q);
		break;
	case REQ_HASH_KV:
		digest_int(d, q->hash_kv.revision);
		break;
	case REQ_MOVE_LEADER:
		digest_add(d, q->move_leader.target);
		break;
	case REQ_ALARM_ACTIVATE:
	case REQ_ALARM_DEACTIVATE:
		digest_add(d, q->alarm.member_id);
		digest_add(d, q->alarm.kind);
		break;
	case REQ_MEMBER_ADD:
	case REQ_MEMBER_REMOVE:
	case REQ_MEMBER_UPDATE:
	case REQ_MEMBER_PROMOTE:
	case REQ_PUBLISH:
	case REQ_CLUSTER_VERSION:
		member_request(d, q);
		break;
	default:
		if (request_is_auth(q))
			auth_request(d, q);
	}
}

void digest_request(struct digest *d, const struct request *q)
{
	digest_add(d, q ? q->kind : REQ_KIND_COUNT);
	if (!q)
		return;
	digest_bytes(d, q->user);
	request_body(d, q);
}

/* ---- responses ---- */

static void status_response(struct digest *d, const struct member_status *s)
{
	digest_text(d, s->version);
	digest_int(d, s->db_size);
	digest_int(d, s->db_size_in_use);
	digest_add(d, s->leader);
	digest_add(d, s->raft_index);
	digest_add(d, s->raft_applied_index);
	digest_add(d, s->raft_term);
	digest_add(d, s->is_learner);
	digest_add(d, s->nerrors);
	for (size_t i = 0; i < s->nerrors; i++)
		digest_text(d, s->errors[i]);
}

static void txn_response(struct digest *d, const struct response *r)
{
	digest_add(d, r->txn.succeeded);
	digest_add(d, r->txn.n);
	for (size_t i = 0; i < r->txn.n; i++)
		digest_response(d, &r->txn.responses[i]);
}

static void time_to_live_response(struct digest *d, const struct response *r)
{
	digest_int(d, r->time_to_live.id);
	digest_int(d, r->time_to_live.ttl);
	digest_int(d, r->time_to_live.granted_ttl);
	digest_names(d, r->time_to_live.keys, r->time_to_live.nkeys);
}

static void key_response(struct digest *d, const struct response *r)
{
	switch (r->kind) {
	case REQ_RANGE:
		digest_rows(d, r->range.kvs, r->range.n);
		digest_add(d, r->range.more);
		digest_int(d, r->range.count);
		break;
	case REQ_PUT:
		digest_row(d, r->put.prev);
		break;
	case REQ_DELETE_RANGE:
		digest_int(d, r->del.deleted);
		digest_rows(d, r->del.prevs, r->del.nprevs);
		break;
	default:
		txn_response(d, r);
	}
}

static void alarm_response(struct digest *d, const struct response *r)
{
	digest_alarms(d, &(struct alarm_list){.v = r->alarms.v, .n = r->alarms.n});
}

static void member_response(struct digest *d, const struct response *r)
{
	digest_add(d, r->member_list.n);
	for (size_t i = 0; i < r->member_list.n; i++)
		digest_member_info(d, &r->member_list.members[i]);
	digest_add(d, r->member_list.added ? r->member_list.added->id : 0);
}

static void response_body(struct digest *d, const struct response *r)
{
	switch (r->kind) {
	case REQ_RANGE:
	case REQ_PUT:
	case REQ_DELETE_RANGE:
	case REQ_TXN:
		key_response(d, r);
		break;
	case REQ_LEASE_GRANT:
	case REQ_LEASE_KEEP_ALIVE:
		digest_int(d, r->grant.id);
		digest_int(d, r->grant.ttl);
		break;
	case REQ_LEASE_TIME_TO_LIVE:
		time_to_live_response(d, r);
		break;
	case REQ_LEASE_LEASES:
		digest_add(d, r->leases.n);
		for (size_t i = 0; i < r->leases.n; i++)
			digest_int(d, r->leases.ids[i]);
		break;
	case REQ_STATUS:
		if (r->status) /* none beside an error */
			status_response(d, r->status);
		break;
	case REQ_HASH_KV:
		digest_add(d, r->hash_kv.hash);
		digest_int(d, r->hash_kv.compact_revision);
		break;
	case REQ_SNAPSHOT:
		digest_image(d, r->snapshot.image);
		break;
	case REQ_MEMBER_LIST:
	case REQ_MEMBER_ADD:
	case REQ_MEMBER_REMOVE:
	case REQ_MEMBER_UPDATE:
	case REQ_MEMBER_PROMOTE:
		member_response(d, r);
		break;
	case REQ_ALARM_LIST:
	case REQ_ALARM_ACTIVATE:
	case REQ_ALARM_DEACTIVATE:
		alarm_response(d, r);
		break;
	case REQ_USER_GET:
	case REQ_USER_LIST:
	case REQ_ROLE_GET:
	case REQ_ROLE_LIST:
		digest_names(d, r->auth.names, r->auth.n);
		digest_permissions(d, r->auth.permissions, r->auth.npermissions);
		break;
	default: /* it says no more than its header */
		break;
	}
}

void digest_response(struct digest *d, const struct response *r)
{
	digest_add(d, r ? r->kind : REQ_KIND_COUNT);
	if (!r)
		return;
	digest_add(d, r->error);
	digest_add(d, r->header.cluster_id);
	digest_add(d, r->header.member_id);
	digest_int(d, r->header.revision);
	digest_add(d, r->header.raft_term);
	if (!r->error)
		response_body(d, r);
}
