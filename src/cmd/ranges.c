/* Ranges of keys as etcd's client library makes them (etcd: clientv3/op.go), and sizes of requests
 * as gRPC's client measures them. */
#include <inttypes.h>

#include "api/pb.h"
#include "cmd/command.h"

/* The smallest key above all that begin with the prefix; "\0" (to the end of the store) if there is
 * none. */
struct bytes command_prefix_end(struct shell *s, struct bytes prefix)
{
	size_t n = prefix.n;

	while (n > 0 && (unsigned char)prefix.p[n - 1] == 0xff)
		n--;
	char *end = heap_dup(s->w->heap, n ? prefix.p : "", n ? n : 1);
	if (n == 0)
		return (struct bytes){end, 1};
	end[n - 1] = (char)(end[n - 1] + 1);
	return (struct bytes){end, n};
}

struct key_range command_prefix(struct shell *s, struct bytes prefix)
{
	if (prefix.n == 0)
		return command_from_key(s, prefix);
	return (struct key_range){command_keep(s, prefix), command_prefix_end(s, prefix)};
}

struct key_range command_from_key(struct shell *s, struct bytes key)
{
	struct bytes zero = {"", 1};

	return (struct key_range){key.n ? command_keep(s, key) : zero, zero};
}

static size_t bytes_size(size_t n)
{
	return n ? 1 + pb_varint_size(n) + n : 0;
}

static size_t number_size(int64_t v)
{
	return v ? 1 + pb_varint_size((uint64_t)v) : 0;
}

/* The message that the client sends (etcdserverpb: PutRequest, TxnRequest ...), for the kinds that
 * can be large. */
static size_t message_size(const struct request *r)
{
	size_t n = 0;

	if (r->kind == REQ_PUT)
		return bytes_size(r->put.key.n) + bytes_size(r->put.value.n) +
		       number_size(r->put.lease) +
		       2 * ((size_t)r->put.prev_kv + r->put.ignore_value + r->put.ignore_lease);
	if (r->kind == REQ_DELETE_RANGE)
		return bytes_size(r->del.range.key.n) + bytes_size(r->del.range.end.n) +
		       (r->del.prev_kv ? 2 : 0);
	if (r->kind == REQ_RANGE)
		return bytes_size(r->range.range.key.n) + bytes_size(r->range.range.end.n) +
		       number_size(r->range.limit) + number_size(r->range.revision);
	if (r->kind != REQ_TXN)
		return 0;
	for (size_t i = 0; i < r->txn.ncompares; i++) {
		const struct compare *c = &r->txn.compares[i];
		size_t inner =
		    bytes_size(c->range.key.n) + number_size(c->result) + number_size(c->target) +
		    (c->target == COMPARE_VALUE ? 1 + pb_varint_size(c->value.n) + c->value.n
						: 1 + pb_varint_size((uint64_t)c->number));
		n += bytes_size(inner);
	}
	for (size_t i = 0; i < r->txn.nsuccess + r->txn.nfailure; i++) {
		const struct request *op =
		    i < r->txn.nsuccess ? &r->txn.success[i] : &r->txn.failure[i - r->txn.nsuccess];
		n += bytes_size(bytes_size(message_size(op)));
	}
	return n;
}

bool command_too_large(struct shell *s, struct job *j, const struct request *req)
{
	enum { LIMIT = 2 * 1024 * 1024 };
	size_t n = message_size(req);

	if (n <= LIMIT)
		return false;
	command_fail(s, j, STATUS_ERROR, "%s (%zu vs. %d)", error_text(ERR_MESSAGE_TOO_LARGE), n,
		     LIMIT);
	return true;
}
