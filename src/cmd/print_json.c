/* The form of encoding/json over etcd's protobuf structs (etcd: printer_json.go): bytes in base64,
 * zero fields left out, numbers exact. */
#include <inttypes.h>

#include "cmd/go_quote.h"
#include "cmd/print.h"

/* The object under way: a comma before every field but the first. */
struct object {
	struct buf *out;
	bool any;
};

static struct object open_object(struct buf *out)
{
	buf_putc(out, '{');
	return (struct object){out, false};
}

static void close_object(struct object *o)
{
	buf_putc(o->out, '}');
}

static void field(struct object *o, const char *name)
{
	buf_puts(o->out, o->any ? ",\"" : "\"");
	buf_puts(o->out, name);
	buf_puts(o->out, "\":");
	o->any = true;
}

static void put_number(struct object *o, const char *name, int64_t v)
{
	field(o, name);
	buf_put_i64(o->out, v);
}

static void put_unsigned(struct object *o, const char *name, uint64_t v)
{
	if (v == 0)
		return;
	field(o, name);
	buf_put_u64(o->out, v);
}

static void put_nonzero(struct object *o, const char *name, int64_t v)
{
	if (v != 0)
		put_number(o, name, v);
}

static void put_true(struct object *o, const char *name, bool v)
{
	if (!v)
		return;
	field(o, name);
	buf_puts(o->out, "true");
}

static void put_base64(struct object *o, const char *name, struct bytes s)
{
	if (s.n == 0)
		return;
	field(o, name);
	buf_putc(o->out, '"');
	go_put_base64(o->out, s);
	buf_putc(o->out, '"');
}

static void put_string(struct object *o, const char *name, const char *s)
{
	field(o, name);
	go_put_json_string(o->out, bytes_of(s));
}

static void header_fields(struct object *o, const struct response_header *h)
{
	put_unsigned(o, "cluster_id", h->cluster_id);
	put_unsigned(o, "member_id", h->member_id);
	put_nonzero(o, "revision", h->revision);
	put_unsigned(o, "raft_term", h->raft_term);
}

void print_header_json(struct buf *out, const struct response_header *h)
{
	struct object o = open_object(out);

	header_fields(&o, h);
	close_object(&o);
}

static void put_header(struct object *o, const struct response_header *h)
{
	field(o, "header");
	print_header_json(o->out, h);
}

static void put_kv(struct buf *out, const struct row *row, bool keys_only)
{
	struct object o = open_object(out);

	put_base64(&o, "key", row_key(row));
	put_nonzero(&o, "create_revision", row->create);
	put_nonzero(&o, "mod_revision", row->main);
	put_nonzero(&o, "version", row->version);
	if (!keys_only)
		put_base64(&o, "value", row_value(row));
	put_nonzero(&o, "lease", row->lease);
	close_object(&o);
}

static void put_kvs(struct object *o, const char *name, const struct row *const *rows, size_t n,
		    bool keys_only)
{
	if (n == 0)
		return;
	field(o, name);
	buf_putc(o->out, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_putc(o->out, ',');
		put_kv(o->out, rows[i], keys_only);
	}
	buf_putc(o->out, ']');
}

static void put_range(struct object *o, const struct response *r, const struct request *req)
{
	put_kvs(o, "kvs", r->range.kvs, r->range.n, req->range.keys_only);
	put_true(o, "more", r->range.more);
	put_nonzero(o, "count", r->range.count);
}

static void put_put(struct object *o, const struct response *r)
{
	if (!r->put.prev)
		return;
	field(o, "prev_kv");
	put_kv(o->out, r->put.prev, false);
}

static void put_deleted(struct object *o, const struct response *r)
{
	put_nonzero(o, "deleted", r->del.deleted);
	put_kvs(o, "prev_kvs", r->del.prevs, r->del.nprevs, false);
}

static void put_body(struct object *o, const struct response *r, const struct request *req);

/* The answers inside a transaction have a header with nothing but the revision. */
static void put_inner(struct buf *out, const struct response *r, const struct request *req)
{
	const char *name = r->kind == REQ_PUT	  ? "ResponsePut"
			   : r->kind == REQ_RANGE ? "ResponseRange"
			   : r->kind == REQ_TXN	  ? "ResponseTxn"
						  : "ResponseDeleteRange";
	struct object outer = open_object(out);

	field(&outer, "Response");
	struct object middle = open_object(out);
	field(&middle, name);
	struct object o = open_object(out);
	put_header(&o, &(struct response_header){.revision = r->header.revision});
	put_body(&o, r, req);
	close_object(&o);
	close_object(&middle);
	close_object(&outer);
}

static void put_txn(struct object *o, const struct response *r, const struct request *req)
{
	const struct request *branch = r->txn.succeeded ? req->txn.success : req->txn.failure;

	put_true(o, "succeeded", r->txn.succeeded);
	if (r->txn.n == 0)
		return;
	field(o, "responses");
	buf_putc(o->out, '[');
	for (size_t i = 0; i < r->txn.n; i++) {
		if (i)
			buf_putc(o->out, ',');
		put_inner(o->out, &r->txn.responses[i], &branch[i]);
	}
	buf_putc(o->out, ']');
}

static void put_member(struct buf *out, const struct member_info *m)
{
	struct object o = open_object(out);

	put_unsigned(&o, "ID", m->id);
	if (*m->name)
		put_string(&o, "name", m->name);
	field(&o, "peerURLs");
	buf_putc(out, '[');
	go_put_json_string(out, bytes_of(m->peer_url));
	buf_putc(out, ']');
	if (*m->client_url) {
		field(&o, "clientURLs");
		buf_putc(out, '[');
		go_put_json_string(out, bytes_of(m->client_url));
		buf_putc(out, ']');
	}
	put_true(&o, "isLearner", m->is_learner);
	close_object(&o);
}

static void put_members(struct object *o, const struct response *r)
{
	field(o, "members");
	buf_putc(o->out, '[');
	for (size_t i = 0; i < r->member_list.n; i++) {
		if (i)
			buf_putc(o->out, ',');
		put_member(o->out, &r->member_list.members[i]);
	}
	buf_putc(o->out, ']');
}

static void put_alarms(struct object *o, const struct response *r)
{
	if (r->alarms.n)
		field(o, "alarms");
	for (size_t i = 0; i < r->alarms.n; i++)
		buf_printf(o->out, "%s{\"memberID\":%" PRIu64 ",\"alarm\":%d}", i ? "," : "[",
			   r->alarms.v[i].member_id, (int)r->alarms.v[i].kind);
	if (r->alarms.n)
		buf_putc(o->out, ']');
}

/* Everything but the header. */
static void put_body(struct object *o, const struct response *r, const struct request *req)
{
	switch (r->kind) {
	case REQ_PUT:
		put_put(o, r);
		break;
	case REQ_RANGE:
		put_range(o, r, req);
		break;
	case REQ_DELETE_RANGE:
		put_deleted(o, r);
		break;
	case REQ_TXN:
		put_txn(o, r, req);
		break;
	case REQ_MEMBER_ADD:
		field(o, "member");
		put_member(o->out, r->member_list.added);
		put_members(o, r);
		break;
	case REQ_MEMBER_LIST:
	case REQ_MEMBER_REMOVE:
	case REQ_MEMBER_UPDATE:
	case REQ_MEMBER_PROMOTE:
		put_members(o, r);
		break;
	case REQ_ALARM_LIST:
	case REQ_ALARM_DEACTIVATE:
		put_alarms(o, r);
		break;
	default: /* of the rest the header is all */
		if (request_is_auth(req))
			print_auth_json(o->out, r);
		break;
	}
}

static void put_lease_list(struct object *o, const struct response *r)
{
	field(o, "leases");
	buf_putc(o->out, '[');
	for (size_t i = 0; i < r->leases.n; i++) {
		buf_puts(o->out, i ? ",{\"id\":" : "{\"id\":");
		buf_put_i64(o->out, r->leases.ids[i]);
		buf_putc(o->out, '}');
	}
	buf_putc(o->out, ']');
}

static void put_time_to_live(struct object *o, const struct response *r)
{
	put_number(o, "id", r->time_to_live.id);
	put_number(o, "ttl", r->time_to_live.ttl);
	put_number(o, "granted-ttl", r->time_to_live.granted_ttl);
	field(o, "keys");
	if (r->time_to_live.nkeys == 0) {
		buf_puts(o->out, "null");
		return;
	}
	for (size_t i = 0; i < r->time_to_live.nkeys; i++) {
		buf_puts(o->out, i ? ",\"" : "[\"");
		go_put_base64(o->out, r->time_to_live.keys[i]);
		buf_putc(o->out, '"');
	}
	buf_putc(o->out, ']');
}

/* Answers that the client library hands on in structs of its own: the header's fields stand among
 * theirs. */
static bool put_flat(struct object *o, const struct response *r)
{
	switch (r->kind) {
	case REQ_LEASE_GRANT:
		header_fields(o, &r->header);
		put_number(o, "ID", r->grant.id);
		put_number(o, "TTL", r->grant.ttl);
		put_string(o, "Error", "");
		return true;
	case REQ_LEASE_KEEP_ALIVE:
		header_fields(o, &r->header);
		put_number(o, "ID", r->keep_alive.id);
		put_number(o, "TTL", r->keep_alive.ttl);
		return true;
	case REQ_LEASE_TIME_TO_LIVE:
		header_fields(o, &r->header);
		put_time_to_live(o, r);
		return true;
	case REQ_LEASE_LEASES:
		header_fields(o, &r->header);
		put_lease_list(o, r);
		return true;
	default:
		return false;
	}
}

void print_json(struct buf *out, const struct response *r, const struct request *req)
{
	struct object o = open_object(out);

	if (!put_flat(&o, r)) {
		/* The answer to move-leader has none, and that to alarm list none before 3.5. */
		if (r->header.cluster_id && r->kind != REQ_MOVE_LEADER)
			put_header(&o, &r->header);
		put_body(&o, r, req);
	}
	close_object(&o);
	buf_putc(out, '\n');
}
