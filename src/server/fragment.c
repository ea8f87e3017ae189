/* Responses that are too large for one message go out in parts, if the watcher allows it (etcd:
 * api/v3rpc/watch.go, sendFragments).  Sizes are those of the protobuf messages.
 */
#include "server/private.h"

#include "api/pb.h"

/* etcd adds that much to the request limit (grpcOverheadBytes). */
enum { OVERHEAD_BYTES = 512 * 1024 };

/* Of a field with a number below 16, which protobuf leaves out if it is 0. */
static size_t number_size(uint64_t v)
{
	return v ? 1 + pb_varint_size(v) : 0;
}

static size_t text_size(size_t n)
{
	return n ? 1 + pb_varint_size(n) + n : 0;
}

/* mvccpb.KeyValue, as a field. */
static size_t pair_size(const struct row *r)
{
	size_t n = text_size(row_key(r).n) + number_size((uint64_t)r->main);

	if (!row_is_tombstone(r))
		n += number_size((uint64_t)r->create) + number_size(r->version) +
		     text_size(row_value(r).n) + number_size((uint64_t)r->lease);
	return 1 + pb_varint_size(n) + n;
}

static size_t event_size(const struct event *e)
{
	size_t n = number_size(row_is_tombstone(e->row)) + pair_size(e->row) +
		   (e->prev ? pair_size(e->prev) : 0);

	return 1 + pb_varint_size(n) + n;
}

/* A response without its events: the header, and the mark of a fragment. */
static size_t frame_size(const struct member *m, const struct watch_response *r)
{
	struct response_header h = server_header(m);
	size_t n = number_size(h.cluster_id) + number_size(h.member_id) +
		   number_size((uint64_t)r->revision) + number_size(h.raft_term);

	return 1 + pb_varint_size(n) + n + number_size(true);
}

/* How many events go into the first part: as many as stay below the limit, and always one. */
static size_t first_part(const struct member *m, const struct server_env *env,
			 const struct watch_response *r)
{
	size_t limit = (size_t)env->set->max_request_bytes + OVERHEAD_BYTES,
	       size = frame_size(m, r);
	size_t n = 0;

	while (n < r->nevents) {
		size += event_size(&r->events[n]);
		if (n && size >= limit)
			return n;
		n++;
	}
	return n;
}

bool server_split(const struct member *m, const struct server_env *env, struct watch_response *r,
		  struct watch_response *part)
{
	size_t n = first_part(m, env, r);

	if (n == r->nevents)
		return false;
	part->nevents = n;
	part->fragment = true;
	r->events += n;
	r->nevents -= n;
	return true;
}
