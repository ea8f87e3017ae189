/* The bytes of an answer as it came over the wire, and no newline (etcd: printer.go, pbPrinter).
 * Of the answers that the client library hands on in structs of its own only the header has a
 * marshaler. */
#include "api/pb.h"
#include "cmd/print.h"

/* A message inside another one, that is there although it may be empty. */
static void put_message(struct buf *out, unsigned field, struct buf *message)
{
	pb_put_bytes(out, field, buf_bytes(message));
	buf_free(message);
}

static void put_header(struct buf *out, const struct response_header *h)
{
	pb_put_nonzero(out, 1, h->cluster_id);
	pb_put_nonzero(out, 2, h->member_id);
	pb_put_nonzero(out, 3, (uint64_t)h->revision);
	pb_put_nonzero(out, 4, h->raft_term);
}

static void put_kv(struct buf *out, unsigned field, const struct row *row, bool keys_only)
{
	struct buf kv = {0};

	pb_put_nonempty(&kv, 1, row_key(row));
	pb_put_nonzero(&kv, 2, (uint64_t)row->create);
	pb_put_nonzero(&kv, 3, (uint64_t)row->main);
	pb_put_nonzero(&kv, 4, row->version);
	if (!keys_only)
		pb_put_nonempty(&kv, 5, row_value(row));
	pb_put_nonzero(&kv, 6, (uint64_t)row->lease);
	put_message(out, field, &kv);
}

static void put_range(struct buf *out, const struct response *r, const struct request *req)
{
	for (size_t i = 0; i < r->range.n; i++)
		put_kv(out, 2, r->range.kvs[i], req->range.keys_only);
	pb_put_nonzero(out, 3, r->range.more);
	pb_put_nonzero(out, 4, (uint64_t)r->range.count);
}

static void put_deleted(struct buf *out, const struct response *r)
{
	pb_put_nonzero(out, 2, (uint64_t)r->del.deleted);
	for (size_t i = 0; i < r->del.nprevs; i++)
		put_kv(out, 3, r->del.prevs[i], false);
}

static void put_body(struct buf *out, const struct response *r, const struct request *req);

static void put_answer(struct buf *out, const struct response_header *h, const struct response *r,
		       const struct request *req)
{
	struct buf header = {0};

	put_header(&header, h);
	put_message(out, 1, &header);
	put_body(out, r, req);
}

/* Inside a transaction a header has nothing but the revision. */
static void put_op(struct buf *out, const struct response *r, const struct request *req)
{
	unsigned field = r->kind == REQ_RANGE	       ? 1
			 : r->kind == REQ_PUT	       ? 2
			 : r->kind == REQ_DELETE_RANGE ? 3
						       : 4;
	struct response_header h = {.revision = r->header.revision};
	struct buf op = {0}, answer = {0};

	put_answer(&answer, &h, r, req);
	put_message(&op, field, &answer);
	put_message(out, 3, &op);
}

static void put_txn(struct buf *out, const struct response *r, const struct request *req)
{
	const struct request *branch = r->txn.succeeded ? req->txn.success : req->txn.failure;

	pb_put_nonzero(out, 2, r->txn.succeeded);
	for (size_t i = 0; i < r->txn.n; i++)
		put_op(out, &r->txn.responses[i], &branch[i]);
}

static void put_member(struct buf *out, unsigned field, const struct member_info *m)
{
	struct buf b = {0};

	pb_put_nonzero(&b, 1, m->id);
	pb_put_nonempty(&b, 2, bytes_of(m->name));
	pb_put_bytes(&b, 3, bytes_of(m->peer_url));
	pb_put_nonempty(&b, 4, bytes_of(m->client_url));
	pb_put_nonzero(&b, 5, m->is_learner);
	put_message(out, field, &b);
}

static void put_members(struct buf *out, unsigned field, const struct response *r)
{
	for (size_t i = 0; i < r->member_list.n; i++)
		put_member(out, field, &r->member_list.members[i]);
}

static void put_alarms(struct buf *out, const struct response *r)
{
	for (size_t i = 0; i < r->alarms.n; i++) {
		struct buf b = {0};
		pb_put_nonzero(&b, 1, r->alarms.v[i].member_id);
		pb_put_nonzero(&b, 2, r->alarms.v[i].kind);
		put_message(out, 2, &b);
	}
}

/* Names of users or roles, or a role's permissions. */
static void put_auth(struct buf *out, const struct response *r)
{
	for (size_t i = 0; i < r->auth.n; i++)
		pb_put_bytes(out, 2, r->auth.names[i]);
	for (size_t i = 0; i < r->auth.npermissions; i++) {
		const struct permission *p = &r->auth.permissions[i];
		struct buf b = {0};
		pb_put_nonzero(&b, 1, p->kind);
		pb_put_nonempty(&b, 2, p->range.key);
		pb_put_nonempty(&b, 3, p->range.end);
		put_message(out, 2, &b);
	}
}

/* Everything but the header. */
static void put_body(struct buf *out, const struct response *r, const struct request *req)
{
	switch (r->kind) {
	case REQ_PUT:
		if (r->put.prev)
			put_kv(out, 2, r->put.prev, false);
		break;
	case REQ_RANGE:
		put_range(out, r, req);
		break;
	case REQ_DELETE_RANGE:
		put_deleted(out, r);
		break;
	case REQ_TXN:
		put_txn(out, r, req);
		break;
	case REQ_MEMBER_ADD:
		put_member(out, 2, r->member_list.added);
		put_members(out, 3, r);
		break;
	case REQ_MEMBER_LIST:
	case REQ_MEMBER_REMOVE:
	case REQ_MEMBER_UPDATE:
	case REQ_MEMBER_PROMOTE:
		put_members(out, 2, r);
		break;
	case REQ_ALARM_LIST:
	case REQ_ALARM_DEACTIVATE:
		put_alarms(out, r);
		break;
	default: /* of the rest the header is all */
		if (request_is_auth(req))
			put_auth(out, r);
		break;
	}
}

static bool has_only_a_header(enum request_kind k)
{
	return k == REQ_LEASE_GRANT || k == REQ_LEASE_KEEP_ALIVE || k == REQ_LEASE_TIME_TO_LIVE ||
	       k == REQ_LEASE_LEASES;
}

void print_protobuf(struct buf *out, const struct response *r, const struct request *req)
{
	if (has_only_a_header(r->kind))
		put_header(out, &r->header);
	else if (r->header.cluster_id && r->kind != REQ_MOVE_LEADER)
		put_answer(out, &r->header, r, req);
	else
		put_body(out, r, req); /* these have none: see print_json.c */
}
