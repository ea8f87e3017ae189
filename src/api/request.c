/* Sizes follow the protobuf encoding of etcdserverpb (rpc.proto, raft_internal.proto): a field that
 * is zero or empty is absent, but a member of a oneof is always there.
 */
#include "api/request.h"

#include "api/pb.h"

enum { HEADER_FIELD = 100, REQUEST_ID_MAX = 10 }; /* a request's id takes up to ten bytes */

static size_t tag_size(unsigned field)
{
	return pb_varint_size((uint64_t)field << 3);
}

static size_t number_size(unsigned field, int64_t v)
{
	return v ? tag_size(field) + pb_varint_size((uint64_t)v) : 0;
}

/* A sub-message, or a string that is there although it may be empty. */
static size_t nested_size(unsigned field, size_t n)
{
	return tag_size(field) + pb_varint_size(n) + n;
}

static size_t bytes_size(unsigned field, struct bytes s)
{
	return s.n ? nested_size(field, s.n) : 0;
}

static size_t range_size(const struct range_request *r)
{
	return bytes_size(1, r->range.key) + bytes_size(2, r->range.end) +
	       number_size(3, r->limit) + number_size(4, r->revision) +
	       number_size(5, r->sort_order) + number_size(6, r->sort_target) +
	       number_size(7, r->serializable) + number_size(8, r->keys_only) +
	       number_size(9, r->count_only) + number_size(10, r->min_mod) +
	       number_size(11, r->max_mod) + number_size(12, r->min_create) +
	       number_size(13, r->max_create);
}

static size_t put_size(const struct put_request *r)
{
	return bytes_size(1, r->key) + bytes_size(2, r->value) + number_size(3, r->lease) +
	       number_size(4, r->prev_kv) + number_size(5, r->ignore_value) +
	       number_size(6, r->ignore_lease);
}

static size_t delete_size(const struct delete_request *r)
{
	return bytes_size(1, r->range.key) + bytes_size(2, r->range.end) +
	       number_size(3, r->prev_kv);
}

static size_t compare_size(const struct compare *c)
{
	static const unsigned field[] = {[COMPARE_VERSION] = 4,
					 [COMPARE_CREATE] = 5,
					 [COMPARE_MOD] = 6,
					 [COMPARE_VALUE] = 7,
					 [COMPARE_LEASE] = 8};
	unsigned f = field[c->target];
	size_t operand = c->target == COMPARE_VALUE
			     ? nested_size(f, c->value.n)
			     : tag_size(f) + pb_varint_size((uint64_t)c->number);

	/* etcd's targets are numbered version 0, create 1, mod 2, value 3, lease 4, as ours are */
	return number_size(1, c->result) + number_size(2, c->target) + bytes_size(3, c->range.key) +
	       operand + bytes_size(64, c->range.end);
}

static size_t txn_size(const struct txn_request *t);

static size_t op_size(const struct request *op)
{
	switch (op->kind) {
	case REQ_RANGE:
		return nested_size(1, range_size(&op->range));
	case REQ_PUT:
		return nested_size(2, put_size(&op->put));
	case REQ_DELETE_RANGE:
		return nested_size(3, delete_size(&op->del));
	case REQ_TXN:
		return nested_size(4, txn_size(&op->txn));
	default:
		return 0;
	}
}

static size_t txn_size(const struct txn_request *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->ncompares; i++)
		n += nested_size(1, compare_size(&t->compares[i]));
	for (size_t i = 0; i < t->nsuccess; i++)
		n += nested_size(2, op_size(&t->success[i]));
	for (size_t i = 0; i < t->nfailure; i++)
		n += nested_size(3, op_size(&t->failure[i]));
	return n;
}

static size_t checkpoints_size(const struct lease_checkpoint *v, size_t n)
{
	size_t size = 0;

	for (size_t i = 0; i < n; i++)
		size +=
		    nested_size(1, number_size(1, v[i].id) + number_size(2, v[i].remaining_ttl));
	return size;
}

static size_t alarm_size(int64_t action, const struct alarm *a)
{
	return number_size(1, action) + number_size(2, (int64_t)a->member_id) +
	       number_size(3, a->kind);
}

/* The fields of all these are numbered in this order, none has all of them. */
static size_t auth_size(const struct request *r)
{
	return bytes_size(1, r->auth.user) + bytes_size(2, r->auth.role) +
	       bytes_size(2, r->auth.password) + bytes_size(2, r->auth.permission.range.key) +
	       bytes_size(3, r->auth.permission.range.end);
}

static size_t body_size(const struct request *r)
{
	switch (r->kind) {
	case REQ_RANGE:
		return nested_size(3, range_size(&r->range));
	case REQ_PUT:
		return nested_size(4, put_size(&r->put));
	case REQ_DELETE_RANGE:
		return nested_size(5, delete_size(&r->del));
	case REQ_TXN:
		return nested_size(6, txn_size(&r->txn));
	case REQ_COMPACTION:
		return nested_size(7, number_size(1, r->compaction.revision) +
					  number_size(2, r->compaction.physical));
	case REQ_LEASE_GRANT:
		return nested_size(8, number_size(1, r->grant.ttl) + number_size(2, r->grant.id));
	case REQ_LEASE_REVOKE:
		return nested_size(9, number_size(1, r->revoke.id));
	case REQ_LEASE_CHECKPOINT:
		return nested_size(11, checkpoints_size(r->checkpoint.v, r->checkpoint.n));
	case REQ_ALARM_LIST:
		return nested_size(10, 0);
	case REQ_ALARM_ACTIVATE:
		return nested_size(10, alarm_size(1, &r->alarm));
	case REQ_ALARM_DEACTIVATE:
		return nested_size(10, alarm_size(2, &r->alarm));
	default: /* what concerns users is small; the rest is never in the log */
		return request_is_auth(r) ? nested_size(1000, auth_size(r)) : 0;
	}
}

size_t request_size(const struct request *r)
{
	size_t header = tag_size(1) + REQUEST_ID_MAX + bytes_size(2, r->user);

	return nested_size(HEADER_FIELD, header) + body_size(r);
}

static bool only_ranges(const struct request *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ops[i].kind != REQ_RANGE)
			return false;
	return true;
}

bool request_is_conf_change(const struct request *r)
{
	switch (r->kind) {
	case REQ_MEMBER_ADD:
	case REQ_MEMBER_REMOVE:
	case REQ_MEMBER_UPDATE:
	case REQ_MEMBER_PROMOTE:
		return true;
	default:
		return false;
	}
}

bool request_is_auth(const struct request *r)
{
	return r->kind >= REQ_AUTHENTICATE && r->kind <= REQ_ROLE_REVOKE_PERMISSION;
}

bool request_is_write(const struct request *r)
{
	switch (r->kind) {
	case REQ_PUT:
	case REQ_DELETE_RANGE:
	case REQ_COMPACTION:
	case REQ_LEASE_GRANT:
	case REQ_LEASE_REVOKE:
	case REQ_ALARM_LIST: /* goes through the log although it only reads */
	case REQ_ALARM_ACTIVATE:
	case REQ_ALARM_DEACTIVATE:
	case REQ_LEASE_CHECKPOINT:
	case REQ_PUBLISH:
	case REQ_CLUSTER_VERSION:
		return true;
	case REQ_TXN:
		return !only_ranges(r->txn.success, r->txn.nsuccess) ||
		       !only_ranges(r->txn.failure, r->txn.nfailure);
	default:
		return request_is_conf_change(r) || request_is_auth(r); /* lists and gets too */
	}
}
