/* A member's life: made, started, copied, crashed (etcd: etcdserver/server.go, bootstrap; design.md
 * 4). */
#include "server/private.h"

#include <stdlib.h>

void server_write_first(struct member *m, const struct entry *const *e, size_t n)
{
	storage_append(&m->storage, m->heap, e, n);
	m->storage.hard_state = (struct hard_state){.term = 1, .vote = 0, .commit = n};
	for (size_t i = 0; i < n; i++)
		wal_add_entry(&m->wal, e[i]);
	wal_add_state(&m->wal, 1, 0, n);
	wal_sync(&m->wal);
}

struct member *server_new_added(unsigned number, uint64_t id, struct heap *h,
				const struct origin *origin)
{
	struct member *m = xcalloc(1, sizeof *m);

	m->condition = MEMBER_UNSTARTED;
	m->touched = 1;
	m->number = number;
	m->id = id;
	m->cluster_id = origin->cluster_id ? origin->cluster_id : CLUSTER_ID;
	m->heap = m->answers = h;
	m->leaderless_since_ms = INT64_MAX;
	m->next_context = 1;
	m->auth.revision = 1;
	wal_init(&m->wal, h);
	storage_init(&m->storage);
	mvcc_init(&m->store, h);
	m->file_size = server_file_size(0);
	watchable_init(&m->watchable, h);
	lessor_init(&m->lessor, h, 2);
	m->elected_ms = m->publish_ms = INT64_MIN;
	m->stop_ms = INT64_MAX;
	compactor_stop(&m->compactor);
	m->storage.snapshot.conf = origin->conf;
	m->membership = origin->membership;
	return m;
}

/* Entry 1 of term 1, the first leader's empty entry, is durable and applied everywhere. */
struct member *server_new(unsigned number, uint64_t id, struct heap *h, const struct origin *origin)
{
	struct member *m = server_new_added(number, id, h, origin);
	struct entry *e = heap_alloc(h, sizeof *e);
	const struct entry *one = e;

	*e = (struct entry){.term = 1, .index = 1, .type = ENTRY_NORMAL};
	server_write_first(m, &one, 1);
	m->applied = m->applied_term = 1;
	return m;
}

struct member *server_new_booted(unsigned number, uint64_t id, struct heap *h,
				 const struct entry *const *first, size_t n)
{
	struct member *m = server_new_added(number, id, h, &(struct origin){0});

	server_write_first(m, first, n);
	return m;
}

static void free_volatile(struct member *m)
{
	raft_free(m->raft);
	m->raft = NULL;
	watchable_free(&m->watchable);
	vec_free(&m->cycle.entries);
	vec_free(&m->cycle.messages);
	vec_free(&m->to_apply);
	vec_free(&m->snapshots);
	vec_free(&m->reports);
	vec_free(&m->waiting);
	vec_free(&m->held);
	compactor_stop(&m->compactor);
}

void server_free(struct member *m)
{
	if (!m)
		return;
	free_volatile(m);
	lessor_free(&m->lessor);
	heap_free(m->unheard);
	free(m);
}

struct member *server_copy(const struct member *from)
{
	struct member *m = xmalloc(sizeof *m);

	*m = *from;
	m->unheard = NULL;
	if (from->raft)
		m->raft = raft_copy(from->raft, &m->storage);
	lessor_copy(&m->lessor, &from->lessor);
	watchable_copy(&m->watchable, &from->watchable);
	vec_copy(&m->cycle.entries, &from->cycle.entries);
	vec_copy(&m->cycle.messages, &from->cycle.messages);
	vec_copy(&m->to_apply, &from->to_apply);
	vec_copy(&m->snapshots, &from->snapshots);
	vec_copy(&m->reports, &from->reports);
	vec_copy(&m->waiting, &from->waiting);
	vec_copy(&m->held, &from->held);
	vec_copy(&m->compactor.revs, &from->compactor.revs);
	return m;
}

/* The smallest TTL (cluster-facts E1): ceil(heartbeat x floor(3 x ticks / 2)), in seconds. */
static int64_t min_ttl(const struct raft_config *cfg, int64_t tick_ms)
{
	int64_t ms = tick_ms * (3 * cfg->election_tick / 2);

	return (ms + 999) / 1000;
}

void server_set_bugs(struct member *m, uint32_t bugs)
{
	m->bugs = m->store.bugs = m->watchable.bugs = bugs;
	if (m->raft)
		raft_set_bugs(m->raft, bugs);
}

void server_start(struct member *m, const struct raft_config *cfg, struct raft_logger logger,
		  uint64_t leader, int64_t now_ms, int64_t extend_ms)
{
	m->touched++;
	m->raft = raft_new(cfg, &m->storage, m->heap, logger);
	server_set_bugs(m, m->bugs);
	m->condition = MEMBER_UP;
	m->silent = m->given_up = false;
	m->failure = NULL;
	m->disk.empty = false;
	m->since_ms = m->started_ms = now_ms;
	m->ids = 0;
	m->lessor.min_ttl = min_ttl(cfg, extend_ms / cfg->election_tick);
	m->leaderless_since_ms = leader ? INT64_MAX : now_ms;
	if (!leader)
		return;
	raft_start_settled(m->raft, leader);
	m->lead_seen = leader;
	m->role_seen = raft_role(m->raft);
	m->was_ready = true;
	if (leader == m->id)
		lessor_promote(&m->lessor, now_ms, extend_ms);
}

/* An entry replaces what stood at its index and after, also where the snapshot has its index. */
static void read_entry(struct member *m, const struct entry *e)
{
	struct storage *s = &m->storage;

	if (e->index <= s->dummy_index)
		pvec_truncate(&s->entries, s->dummy_index + 1);
	else
		storage_append(s, m->heap, &e, 1);
}

/* What restart reads: the newest snapshot that was released to, then the WAL's records in order, as
 * etcd's ReadAll does.  A snapshot from the leader replaces everything before it; one of its own
 * changes nothing in the log. Committed is the larger of the last synced hard state and the applied
 * index (design.md 3). */
void server_read_wal(struct member *m)
{
	struct conf_state conf = m->storage.snapshot.conf;
	struct hard_state hs = {m->wal.base_term, m->wal.base_vote, m->wal.base_commit};
	uint64_t applied = m->applied;

	storage_init(&m->storage);
	if (m->wal.base)
		storage_apply_snapshot(&m->storage, m->wal.base);
	for (uint64_t i = m->wal.records.first; i < m->wal.synced; i++) {
		const struct wal_record *r = pvec_get(&m->wal.records, i);
		if (r->type == WAL_ENTRY) {
			read_entry(m, r->entry);
		} else if (r->type == WAL_STATE) {
			hs = (struct hard_state){r->state.term, r->state.vote, r->state.commit};
		} else if (r->received) {
			storage_init(&m->storage);
			storage_apply_snapshot(&m->storage, r->snapshot);
		}
	}
	/* A snapshot that was written, but whose store was not in place yet. */
	if (m->storage.snapshot.data && m->storage.snapshot.index > applied)
		server_load_image(m, &m->storage.snapshot);
	else
		m->storage.snapshot.conf = conf;
	m->storage.to_send = m->storage.snapshot;
	if (hs.commit < m->applied)
		hs.commit = m->applied;
	if (hs.commit > storage_last_index(&m->storage)) /* the log has lost what was applied */
		hs.commit = storage_last_index(&m->storage);
	m->storage.hard_state = hs;
}

/* What a member forgets with some mistakes. */
static void forget(struct member *m)
{
	uint64_t rows = mvcc_row_count(&m->store);

	if (bug_on(m->bugs, BUG_APPLY_TWICE)) {
		m->applied = m->storage.dummy_index;
		m->applied_term = m->storage.dummy_term;
	}
	if (bug_on(m->bugs, BUG_REVISION_AFTER_CRASH))
		m->store.current_rev = rows ? mvcc_row(&m->store, rows - 1)->main : 1;
}

void server_crash(struct member *m, struct prng *prng)
{
	m->touched++;
	free_volatile(m);
	m->cycle = (struct ready_cycle){0};
	m->apply_head = m->events_caused = 0;
	m->victims_due = false;
	m->read_context = 0;
	m->life++;
	m->lead_seen = 0;
	m->role_seen = STATE_FOLLOWER;
	m->was_ready = m->published = m->unguarded = false;
	m->kill_at = 0;
	m->install = NULL;
	m->compact_pause_ms = 0;
	m->elected_ms = m->publish_ms = INT64_MIN;
	m->stop_ms = INT64_MAX;
	watchable_init(&m->watchable, m->heap);
	lessor_demote(&m->lessor);
	lessor_forget_checkpoints(
	    &m->lessor); /* they are not in the file (etcd 3.4; cluster-facts E8) */
	server_lose_unsynced(m, prng);
	server_read_wal(m);
	if (m->bugs)
		forget(m);
}

int64_t server_file_size(int64_t row_bytes)
{
	return 20480 + (row_bytes + 4095) / 4096 * 4096;
}

struct response_header server_header(const struct member *m)
{
	return (struct response_header){m->cluster_id, m->id, m->store.current_rev,
					m->applied_term};
}
