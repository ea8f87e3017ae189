/* Requests as etcd writes them into its log (etcdserverpb: raft_internal.proto, rpc.proto).
 *
 *     100 header {1 id, 2 user, 3 auth revision}   and one of
 *     3 range   4 put   5 delete range   6 txn   7 compaction   8 lease grant   9 lease revoke
 *     10 alarm   11 lease checkpoint   1000... authentication, users and roles
 *
 * A member's name and the cluster's version are bare requests of the old API in 3.4
 * (etcdserver.proto, Request), of which every field is written.
 */
#include "api/request.h"

#include "api/pb.h"

static void put_request(struct buf *out, const struct request *r);

static void put_range(struct buf *out, const struct range_request *r)
{
	pb_put_nonempty(out, 1, r->range.key);
	pb_put_nonempty(out, 2, r->range.end);
	pb_put_nonzero(out, 3, (uint64_t)r->limit);
	pb_put_nonzero(out, 4, (uint64_t)r->revision);
	pb_put_nonzero(out, 5, r->sort_order);
	pb_put_nonzero(out, 6, r->sort_target);
	pb_put_nonzero(out, 7, r->serializable);
	pb_put_nonzero(out, 8, r->keys_only);
	pb_put_nonzero(out, 9, r->count_only);
	pb_put_nonzero(out, 10, (uint64_t)r->min_mod);
	pb_put_nonzero(out, 11, (uint64_t)r->max_mod);
	pb_put_nonzero(out, 12, (uint64_t)r->min_create);
	pb_put_nonzero(out, 13, (uint64_t)r->max_create);
}

static void put_put(struct buf *out, const struct put_request *r)
{
	pb_put_nonempty(out, 1, r->key);
	pb_put_nonempty(out, 2, r->value);
	pb_put_nonzero(out, 3, (uint64_t)r->lease);
	pb_put_nonzero(out, 4, r->prev_kv);
	pb_put_nonzero(out, 5, r->ignore_value);
	pb_put_nonzero(out, 6, r->ignore_lease);
}

static void put_delete(struct buf *out, const struct delete_request *r)
{
	pb_put_nonempty(out, 1, r->range.key);
	pb_put_nonempty(out, 2, r->range.end);
	pb_put_nonzero(out, 3, r->prev_kv);
}

/* What is compared with is one of a group of which the chosen member is always there. */
static void put_compare(struct buf *out, const struct compare *c)
{
	static const unsigned field[] = {[COMPARE_VERSION] = 4,
					 [COMPARE_CREATE] = 5,
					 [COMPARE_MOD] = 6,
					 [COMPARE_VALUE] = 7,
					 [COMPARE_LEASE] = 8};

	pb_put_nonzero(out, 1, c->result);
	pb_put_nonzero(out, 2, c->target);
	pb_put_nonempty(out, 3, c->range.key);
	if (c->target == COMPARE_VALUE)
		pb_put_bytes(out, 7, c->value);
	else
		pb_put_number(out, field[c->target], (uint64_t)c->number);
	pb_put_nonempty(out, 64, c->range.end);
}

static void put_nested(struct buf *out, unsigned field, struct buf *inner)
{
	pb_put_bytes(out, field, buf_bytes(inner));
	buf_free(inner);
}

static void put_operations(struct buf *out, unsigned field, const struct request *ops, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct buf op = {0}, inner = {0};
		static const unsigned kinds[] = {
		    [REQ_RANGE] = 1, [REQ_PUT] = 2, [REQ_TXN] = 4, [REQ_DELETE_RANGE] = 3};
		put_request(&inner, &ops[i]);
		put_nested(&op, kinds[ops[i].kind], &inner);
		put_nested(out, field, &op);
	}
}

static void put_txn(struct buf *out, const struct txn_request *t)
{
	for (size_t i = 0; i < t->ncompares; i++) {
		struct buf compare = {0};
		put_compare(&compare, &t->compares[i]);
		put_nested(out, 1, &compare);
	}
	put_operations(out, 2, t->success, t->nsuccess);
	put_operations(out, 3, t->failure, t->nfailure);
}

static void put_checkpoints(struct buf *out, const struct lease_checkpoint *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct buf one = {0};
		pb_put_nonzero(&one, 1, (uint64_t)v[i].id);
		pb_put_nonzero(&one, 2, (uint64_t)v[i].remaining_ttl);
		put_nested(out, 1, &one);
	}
}

static void put_alarm(struct buf *out, unsigned action, const struct alarm *a)
{
	pb_put_nonzero(out, 1, action);
	pb_put_nonzero(out, 2, a->member_id);
	pb_put_nonzero(out, 3, a->kind);
}

static void put_permission(struct buf *out, unsigned field, const struct permission *p)
{
	struct buf inner = {0};

	pb_put_nonzero(&inner, 1, p->kind);
	pb_put_nonempty(&inner, 2, p->range.key);
	pb_put_nonempty(&inner, 3, p->range.end);
	put_nested(out, field, &inner);
}

/* Which of user, role and password a request has follows from its kind; they are numbered in this
 * order. */
static void put_auth(struct buf *out, const struct request *r)
{
	switch (r->kind) {
	case REQ_USER_ADD:
		pb_put_nonempty(out, 1, r->auth.user);
		pb_put_nonempty(out, 2, r->auth.password);
		if (r->auth.no_password)
			pb_put_bytes(out, 3, BYTES("\x08\x01"));
		break;
	case REQ_ROLE_GRANT_PERMISSION:
		pb_put_nonempty(out, 1, r->auth.role);
		put_permission(out, 2, &r->auth.permission);
		break;
	case REQ_ROLE_REVOKE_PERMISSION:
		pb_put_nonempty(out, 1, r->auth.role);
		pb_put_nonempty(out, 2, r->auth.permission.range.key);
		pb_put_nonempty(out, 3, r->auth.permission.range.end);
		break;
	default: {
		unsigned field = 1;
		if (r->auth.user.n)
			pb_put_bytes(out, field++, r->auth.user);
		if (r->auth.role.n)
			pb_put_bytes(out, field++, r->auth.role);
		pb_put_nonempty(out, field, r->auth.password);
	}
	}
}

/* The fields of a request, without the tag that says which one it is. */
static void put_request(struct buf *out, const struct request *r)
{
	switch (r->kind) {
	case REQ_RANGE:
		put_range(out, &r->range);
		break;
	case REQ_PUT:
		put_put(out, &r->put);
		break;
	case REQ_DELETE_RANGE:
		put_delete(out, &r->del);
		break;
	case REQ_TXN:
		put_txn(out, &r->txn);
		break;
	case REQ_COMPACTION:
		pb_put_nonzero(out, 1, (uint64_t)r->compaction.revision);
		pb_put_nonzero(out, 2, r->compaction.physical);
		break;
	case REQ_LEASE_GRANT:
		pb_put_nonzero(out, 1, (uint64_t)r->grant.ttl);
		pb_put_nonzero(out, 2, (uint64_t)r->grant.id);
		break;
	case REQ_LEASE_REVOKE:
		pb_put_nonzero(out, 1, (uint64_t)r->revoke.id);
		break;
	case REQ_LEASE_CHECKPOINT:
		put_checkpoints(out, r->checkpoint.v, r->checkpoint.n);
		break;
	case REQ_ALARM_ACTIVATE:
		put_alarm(out, 1, &r->alarm);
		break;
	case REQ_ALARM_DEACTIVATE:
		put_alarm(out, 2, &r->alarm);
		break;
	default:
		if (request_is_auth(r))
			put_auth(out, r);
	}
}

static const unsigned request_fields[REQ_KIND_COUNT] = {
    [REQ_RANGE] = 3,
    [REQ_PUT] = 4,
    [REQ_DELETE_RANGE] = 5,
    [REQ_TXN] = 6,
    [REQ_COMPACTION] = 7,
    [REQ_LEASE_GRANT] = 8,
    [REQ_LEASE_REVOKE] = 9,
    [REQ_ALARM_LIST] = 10,
    [REQ_ALARM_ACTIVATE] = 10,
    [REQ_ALARM_DEACTIVATE] = 10,
    [REQ_LEASE_CHECKPOINT] = 11,
    [REQ_AUTH_ENABLE] = 1000,
    [REQ_AUTH_DISABLE] = 1011,
    [REQ_AUTHENTICATE] = 1012,
    [REQ_USER_ADD] = 1100,
    [REQ_USER_DELETE] = 1101,
    [REQ_USER_GET] = 1102,
    [REQ_USER_PASSWD] = 1103,
    [REQ_USER_GRANT_ROLE] = 1104,
    [REQ_USER_REVOKE_ROLE] = 1105,
    [REQ_USER_LIST] = 1106,
    [REQ_ROLE_LIST] = 1107,
    [REQ_ROLE_ADD] = 1200,
    [REQ_ROLE_DELETE] = 1201,
    [REQ_ROLE_GET] = 1202,
    [REQ_ROLE_GRANT_PERMISSION] = 1203,
    [REQ_ROLE_REVOKE_PERMISSION] = 1204,
};

/* The old API's PUT of a path (etcdserver.proto: all but two fields are always written). */
static void put_v2(struct buf *out, uint64_t id, const char *path, const char *value)
{
	static const unsigned zero[] = {5, 7, 9, 10, 11, 12, 13, 14, 15, 16};

	pb_put_number(out, 1, id);
	pb_put_bytes(out, 2, BYTES("PUT"));
	pb_put_bytes(out, 3, bytes_of(path));
	pb_put_bytes(out, 4, bytes_of(value));
	for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) {
		pb_put_number(out, zero[i], 0);
		if (zero[i] == 5)
			pb_put_bytes(out, 6, (struct bytes){0}); /* the previous value */
	}
}

static void put_publish(struct buf *out, const struct request *r, uint64_t id)
{
	struct buf path = {0}, value = {0};

	if (r->kind == REQ_PUBLISH) {
		buf_printf(&path, "/0/members/%llx/attributes", (unsigned long long)r->member.id);
		buf_printf(&value, "{\"name\":\"%s\",\"clientURLs\":[\"%s\"]}", r->member.name,
			   r->member.client_url);
	} else {
		buf_puts(&path, "/0/version");
		buf_printf(&value, "%llu.%llu.0", (unsigned long long)r->member.id / 10,
			   (unsigned long long)r->member.id % 10);
	}
	put_v2(out, id, buf_str(&path), buf_str(&value));
	buf_free(&path);
	buf_free(&value);
}

void request_encode(struct buf *out, const struct request *r, uint64_t id, uint64_t auth_revision)
{
	struct buf header = {0}, body = {0};

	if (r->kind == REQ_PUBLISH || r->kind == REQ_CLUSTER_VERSION) {
		put_publish(out, r, id);
		return;
	}
	put_request(&body, r);
	if (request_fields[r->kind] && request_fields[r->kind] < 100)
		put_nested(out, request_fields[r->kind], &body);
	pb_put_nonzero(&header, 1, id);
	pb_put_nonempty(&header, 2, r->user);
	if (r->user.n)
		pb_put_nonzero(&header, 3, auth_revision);
	put_nested(out, 100, &header);
	if (request_fields[r->kind] > 100)
		put_nested(out, request_fields[r->kind], &body);
	buf_free(&body);
}
