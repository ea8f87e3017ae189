/* One field a line (etcd: printer_fields.go). */
#include <inttypes.h>

#include "cmd/go_quote.h"
#include "cmd/print.h"

/* What --keys-only shows in a value's place. */
static const struct bytes no_value = {0};

static void put_number(struct buf *out, const char *prefix, const char *name, int64_t v)
{
	buf_putc(out, '"');
	buf_puts(out, prefix);
	buf_puts(out, name);
	buf_puts(out, "\" : ");
	buf_put_i64(out, v);
	buf_putc(out, '\n');
}

static void put_quoted(struct buf *out, const char *prefix, const char *name, struct bytes v)
{
	buf_printf(out, "\"%s%s\" : ", prefix, name);
	go_quote(out, v);
	buf_putc(out, '\n');
}

static void put_bool(struct buf *out, const char *name, bool v)
{
	buf_printf(out, "\"%s\" : %s\n", name, v ? "true" : "false");
}

void print_header_fields(struct buf *out, const struct response_header *h)
{
	buf_printf(out,
		   "\"ClusterID\" : %" PRIu64 "\n\"MemberID\" : %" PRIu64
		   "\n\"Revision\" : %" PRId64 "\n\"RaftTerm\" : %" PRIu64 "\n",
		   h->cluster_id, h->member_id, h->revision, h->raft_term);
}

static void put_kv(struct buf *out, const char *prefix, const struct row *row, bool keys_only)
{
	put_quoted(out, prefix, "Key", row_key(row));
	put_number(out, prefix, "CreateRevision", row->create);
	put_number(out, prefix, "ModRevision", row->main);
	put_number(out, prefix, "Version", row->version);
	put_quoted(out, prefix, "Value", keys_only ? no_value : row_value(row));
	put_number(out, prefix, "Lease", row->lease);
}

static void put_range(struct buf *out, const struct response *r, const struct request *req)
{
	for (size_t i = 0; i < r->range.n; i++)
		put_kv(out, "", r->range.kvs[i], req->range.keys_only);
	put_bool(out, "More", r->range.more);
	put_number(out, "", "Count", r->range.count);
}

static void put_deleted(struct buf *out, const struct response *r)
{
	put_number(out, "", "Deleted", r->del.deleted);
	for (size_t i = 0; i < r->del.nprevs; i++)
		put_kv(out, "Prev", r->del.prevs[i], false);
}

static bool put_body(struct buf *out, const struct response *r, const struct request *req);

static void put_txn(struct buf *out, const struct response *r, const struct request *req)
{
	const struct request *branch = r->txn.succeeded ? req->txn.success : req->txn.failure;

	put_bool(out, "Succeeded", r->txn.succeeded);
	for (size_t i = 0; i < r->txn.n; i++) {
		const struct response *inner = &r->txn.responses[i];
		print_header_fields(out,
				    &(struct response_header){.revision = inner->header.revision});
		put_body(out, inner, &branch[i]);
	}
}

static void put_time_to_live(struct buf *out, const struct response *r)
{
	put_number(out, "", "ID", r->time_to_live.id);
	put_number(out, "", "TTL", r->time_to_live.ttl);
	put_number(out, "", "GrantedTTL", r->time_to_live.granted_ttl);
	for (size_t i = 0; i < r->time_to_live.nkeys; i++)
		put_quoted(out, "", "Key", r->time_to_live.keys[i]);
}

static void put_members(struct buf *out, const struct response *r)
{
	for (size_t i = 0; i < r->member_list.n; i++) {
		const struct member_info *m = &r->member_list.members[i];
		buf_printf(out, "\"ID\" : %" PRIu64 "\n", m->id);
		put_quoted(out, "", "Name", bytes_of(m->name));
		put_quoted(out, "", "PeerURL", bytes_of(m->peer_url));
		if (*m->client_url)
			put_quoted(out, "", "ClientURL", bytes_of(m->client_url));
		put_bool(out, "IsLearner", m->is_learner);
		buf_putc(out, '\n');
	}
}

static void put_lease(struct buf *out, int64_t id, int64_t ttl)
{
	put_number(out, "", "ID", id);
	put_number(out, "", "TTL", ttl);
}

/* Everything but the header; false: there is no such form. */
static bool put_body(struct buf *out, const struct response *r, const struct request *req)
{
	switch (r->kind) {
	case REQ_PUT:
		if (r->put.prev)
			put_kv(out, "Prev", r->put.prev, false);
		return true;
	case REQ_RANGE:
		return put_range(out, r, req), true;
	case REQ_DELETE_RANGE:
		return put_deleted(out, r), true;
	case REQ_TXN:
		return put_txn(out, r, req), true;
	case REQ_LEASE_GRANT:
		return put_lease(out, r->grant.id, r->grant.ttl), true;
	case REQ_LEASE_KEEP_ALIVE:
		return put_lease(out, r->keep_alive.id, r->keep_alive.ttl), true;
	case REQ_LEASE_TIME_TO_LIVE:
		return put_time_to_live(out, r), true;
	case REQ_LEASE_LEASES:
		for (size_t i = 0; i < r->leases.n; i++)
			put_number(out, "", "ID", r->leases.ids[i]);
		return true;
	case REQ_MEMBER_LIST:
		return put_members(out, r), true;
	case REQ_ALARM_LIST:
	case REQ_ALARM_DEACTIVATE:
		for (size_t i = 0; i < r->alarms.n; i++)
			buf_printf(out, "\"MemberID\" : %" PRIu64 "\n\"AlarmType\" : %s\n\n",
				   r->alarms.v[i].member_id, print_alarm_name(r->alarms.v[i].kind));
		return true;
	case REQ_LEASE_REVOKE:
		return true;
	default:
		if (request_is_auth(req))
			print_auth_fields(out, r);
		return request_is_auth(req);
	}
}

bool print_fields(struct buf *out, const struct response *r, const struct request *req)
{
	if (r->kind == REQ_MOVE_LEADER || r->kind == REQ_USER_GET || r->kind == REQ_USER_LIST)
		return false;
	print_header_fields(out, &r->header);
	return put_body(out, r, req);
}
