/* Two ways to begin a cluster anew with what an old one has left: a data directory made from a
 * snapshot (etcd: clientv3/snapshot/v3_snapshot.go, Restore), and a member that is told to go on
 * alone (etcd: etcdserver/raft.go, restartAsStandaloneNode).
 */
#include "server/private.h"

#include "base/die.h"

static struct request *about(struct member *m, enum request_kind kind, uint64_t id)
{
	struct request *req = heap_alloc(m->heap, sizeof *req);

	*req = (struct request){.kind = kind, .member = {.id = id}};
	return req;
}

/* ---- from a snapshot ---- */

/* Term 1 begins with an entry for each member. */
static void write_members(struct member *m)
{
	const struct entry *first[CONF_MAX];
	size_t n = m->membership.n;

	check_that(n <= CONF_MAX);
	for (size_t i = 0; i < n; i++) {
		const struct member_info *info = &m->membership.members[i];
		struct request *req = about(m, REQ_MEMBER_ADD, info->id);
		req->member.peer_url = info->peer_url;
		first[i] = server_first_entry(m, req, i + 1);
	}
	server_write_first(m, first, n);
}

/* And a snapshot stands behind them: nobody will ask for these entries. */
static void end_log(struct member *m)
{
	struct snapshot *s = heap_alloc(m->heap, sizeof *s);

	*s = (struct snapshot){
	    .index = m->membership.n, .term = 1, .conf = m->storage.snapshot.conf};
	wal_add_snapshot(&m->wal, s, false);
	wal_sync(&m->wal);
	wal_release(&m->wal, s);
	storage_compact(&m->storage, s->index);
	m->storage.to_send = *s;
	m->snap_index = m->applied = m->consistent_index = s->index;
	m->applied_term = s->term;
}

struct member *server_new_restored(unsigned number, uint64_t id, struct heap *h,
				   const struct origin *origin, const struct store_image *image)
{
	struct member *m = server_new_added(number, id, h, origin);

	write_members(m);
	end_log(m);
	server_load_store(m, image);
	return m;
}

/* ---- alone ---- */

/* What is thrown away has perhaps been applied: the store keeps it, the log does not. */
static uint64_t discard_uncommitted(struct member *m)
{
	uint64_t commit = wal_commit(&m->wal), last = storage_last_index(&m->storage);

	if (commit < m->storage.dummy_index)
		commit = m->storage.dummy_index;
	if (commit >= last)
		return 0;
	pvec_truncate(&m->storage.entries, commit + 1);
	if (m->applied > commit) {
		m->applied = commit;
		m->store_ahead = true;
		storage_term(&m->storage, commit, &m->applied_term);
	}
	return last - commit;
}

static void remove_member(struct member *m, uint64_t id)
{
	uint64_t index = storage_last_index(&m->storage) + 1;
	struct entry *e = heap_alloc(m->heap, sizeof *e);
	const struct entry *one = e;

	*e = *server_first_entry(m, about(m, REQ_MEMBER_REMOVE, id), index);
	e->term = m->storage.hard_state.term;
	storage_append(&m->storage, m->heap, &one, 1);
	wal_add_entry(&m->wal, e);
}

uint64_t server_force_new_cluster(struct member *m)
{
	uint64_t discarded = discard_uncommitted(m);

	for (size_t i = 0; i < m->membership.n; i++)
		if (m->membership.members[i].id != m->id)
			remove_member(m, m->membership.members[i].id);
	wal_sync(&m->wal);
	m->storage.hard_state.commit = storage_last_index(&m->storage);
	return discarded;
}
