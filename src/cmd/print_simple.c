/* The form a person reads (etcd: printer_simple.go). */
#include <inttypes.h>

#include "cmd/print.h"

#include "cmd/go_number.h"
#include "cmd/go_quote.h"

/* What --keys-only shows in a value's place. */
static const struct bytes no_value = {0};

static void put_line(struct buf *out, struct bytes s, bool hex)
{
	if (hex)
		go_put_hex_bytes(out, s);
	else
		buf_put_bytes(out, s);
	buf_putc(out, '\n');
}

static void put_row(struct buf *out, const struct row *row, bool keys_only,
		    const struct print_options *o)
{
	if (!o->value_only)
		put_line(out, row_key(row), o->hex);
	put_line(out, keys_only ? no_value : row_value(row), o->hex);
}

static void put_prev(struct buf *out, const struct row *row, const struct print_options *o)
{
	if (row)
		put_row(out, row, false, o);
}

static void put_range(struct buf *out, const struct response *r, const struct request *req,
		      const struct print_options *o)
{
	for (size_t i = 0; i < r->range.n; i++)
		put_row(out, r->range.kvs[i], req->range.keys_only, o);
}

static void put_deleted(struct buf *out, const struct response *r, const struct print_options *o)
{
	buf_put_i64(out, r->del.deleted);
	buf_putc(out, '\n');
	for (size_t i = 0; i < r->del.nprevs; i++)
		put_row(out, r->del.prevs[i], false, o);
}

static void put_txn(struct buf *out, const struct response *r, const struct request *req,
		    const struct print_options *o)
{
	struct print_options inner = *o;
	const struct request *branch = r->txn.succeeded ? req->txn.success : req->txn.failure;

	inner.value_only = false;
	buf_puts(out, r->txn.succeeded ? "SUCCESS\n" : "FAILURE\n");
	for (size_t i = 0; i < r->txn.n; i++) {
		buf_putc(out, '\n');
		print_simple(out, &r->txn.responses[i], &branch[i], &inner);
	}
}

static void put_lease(struct buf *out, int64_t id)
{
	buf_puts(out, "lease ");
	go_put_hex16(out, id);
}

static void put_time_to_live(struct buf *out, const struct response *r,
			     const struct print_options *o)
{
	put_lease(out, r->time_to_live.id);
	if (r->time_to_live.granted_ttl == 0 && r->time_to_live.ttl == -1) {
		buf_puts(out, " already expired\n");
		return;
	}
	buf_printf(out, " granted with TTL(%" PRId64 "s), remaining(%" PRId64 "s)",
		   r->time_to_live.granted_ttl, r->time_to_live.ttl);
	if (o->keys) {
		buf_puts(out, ", attached keys([");
		for (size_t i = 0; i < r->time_to_live.nkeys; i++) {
			if (i)
				buf_putc(out, ' ');
			buf_put_bytes(out, r->time_to_live.keys[i]);
		}
		buf_puts(out, "])");
	}
	buf_putc(out, '\n');
}

static void put_leases(struct buf *out, const struct response *r)
{
	buf_printf(out, "found %zu leases\n", r->leases.n);
	for (size_t i = 0; i < r->leases.n; i++) {
		go_put_hex16(out, r->leases.ids[i]);
		buf_putc(out, '\n');
	}
}

static void put_alarms(struct buf *out, const struct response *r)
{
	for (size_t i = 0; i < r->alarms.n; i++)
		buf_printf(out, "memberID:%" PRIu64 " alarm:%s \n", r->alarms.v[i].member_id,
			   print_alarm_name(r->alarms.v[i].kind));
}

static void put_members(struct buf *out, const struct response *r)
{
	for (size_t i = 0; i < r->member_list.n; i++) {
		const struct member_info *m = &r->member_list.members[i];
		buf_printf(out, "%" PRIx64 ", %s, %s, %s, %s, %s\n", m->id,
			   *m->name ? "started" : "unstarted", m->name, m->peer_url, m->client_url,
			   m->is_learner ? "true" : "false");
	}
}

static void put_member_news(struct buf *out, const struct response *r, const struct request *req)
{
	static const char *const news[] = {[REQ_MEMBER_ADD] = "added to",
					   [REQ_MEMBER_REMOVE] = "removed from",
					   [REQ_MEMBER_UPDATE] = "updated in",
					   [REQ_MEMBER_PROMOTE] = "promoted in"};
	uint64_t id = r->kind == REQ_MEMBER_ADD ? r->member_list.added->id : req->member.id;

	buf_printf(out, "Member %16" PRIx64 " %s cluster %16" PRIx64 "\n", id, news[r->kind],
		   r->header.cluster_id);
}

static void put_lease_news(struct buf *out, const struct response *r, const struct print_options *o)
{
	if (r->kind == REQ_LEASE_GRANT) {
		put_lease(out, r->grant.id);
		buf_printf(out, " granted with TTL(%" PRId64 "s)\n", r->grant.ttl);
	} else if (r->kind == REQ_LEASE_REVOKE) {
		put_lease(out, o->id);
		buf_puts(out, " revoked\n");
	} else {
		put_lease(out, o->id);
		buf_printf(out, " keepalived with TTL(%" PRId64 ")\n", r->keep_alive.ttl);
	}
}

void print_simple(struct buf *out, const struct response *r, const struct request *req,
		  const struct print_options *o)
{
	switch (r->kind) {
	case REQ_PUT:
		buf_puts(out, "OK\n");
		put_prev(out, r->put.prev, o);
		break;
	case REQ_RANGE:
		put_range(out, r, req, o);
		break;
	case REQ_DELETE_RANGE:
		put_deleted(out, r, o);
		break;
	case REQ_TXN:
		put_txn(out, r, req, o);
		break;
	case REQ_LEASE_GRANT:
	case REQ_LEASE_REVOKE:
	case REQ_LEASE_KEEP_ALIVE:
		put_lease_news(out, r, o);
		break;
	case REQ_LEASE_TIME_TO_LIVE:
		put_time_to_live(out, r, o);
		break;
	case REQ_LEASE_LEASES:
		put_leases(out, r);
		break;
	case REQ_MEMBER_LIST:
		put_members(out, r);
		break;
	case REQ_MEMBER_ADD:
	case REQ_MEMBER_REMOVE:
	case REQ_MEMBER_UPDATE:
	case REQ_MEMBER_PROMOTE:
		put_member_news(out, r, req);
		break;
	case REQ_MOVE_LEADER:
		buf_printf(out, "Leadership transferred from %" PRIx64 " to %" PRIx64 "\n",
			   (uint64_t)o->id, (uint64_t)o->target);
		break;
	case REQ_ALARM_LIST:
	case REQ_ALARM_DEACTIVATE:
		put_alarms(out, r);
		break;
	default:
		if (request_is_auth(req))
			print_auth(out, r, req);
		break; /* the others have printers of their own */
	}
}
