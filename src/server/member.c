/* A member's life: made, started, copied, crashed (etcd: etcdserver/server.go, bootstrap; design.md 4). */
#include "server/private.h"

#include <stdlib.h>

/* Entry 1 of term 1, the first leader's empty entry, is durable and applied everywhere. */
static void write_start_state(struct member *m, const struct conf_state *conf)
{
	struct entry *e = heap_alloc(m->heap, sizeof *e);
	const struct entry *one = e;

	*e = (struct entry){.term = 1, .index = 1, .type = ENTRY_NORMAL};
	storage_append(&m->storage, m->heap, &one, 1);
	m->storage.hard_state = (struct hard_state){.term = 1, .vote = 0, .commit = 1};
	m->storage.snapshot.conf = *conf;
	wal_add_entry(&m->wal, one);
	wal_add_state(&m->wal, 1, 0, 1);
	wal_sync(&m->wal);
	m->applied = m->applied_term = 1;
}

struct member *server_new(unsigned number, uint64_t id, struct heap *h, const struct conf_state *conf)
{
	struct member *m = xcalloc(1, sizeof *m);

	m->number = number;
	m->id = id;
	m->heap = h;
	m->leaderless_since_ms = INT64_MAX;
	m->next_context = 1;
	wal_init(&m->wal, h);
	storage_init(&m->storage);
	mvcc_init(&m->store, h);
	m->file_size = server_file_size(0);
	watchable_init(&m->watchable, h);
	lessor_init(&m->lessor, h, 2);
	write_start_state(m, conf);
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
	vec_free(&m->waiting);
	vec_free(&m->held);
}

void server_free(struct member *m)
{
	if (!m)
		return;
	free_volatile(m);
	lessor_free(&m->lessor);
	free(m);
}

struct member *server_copy(const struct member *from)
{
	struct member *m = xmalloc(sizeof *m);

	*m = *from;
	if (from->raft)
		m->raft = raft_copy(from->raft, &m->storage);
	lessor_copy(&m->lessor, &from->lessor);
	watchable_copy(&m->watchable, &from->watchable);
	vec_copy(&m->cycle.entries, &from->cycle.entries);
	vec_copy(&m->cycle.messages, &from->cycle.messages);
	vec_copy(&m->to_apply, &from->to_apply);
	vec_copy(&m->waiting, &from->waiting);
	vec_copy(&m->held, &from->held);
	return m;
}

/* The smallest TTL (cluster-facts E1): ceil(heartbeat x floor(3 x ticks / 2)), in seconds. */
static int64_t min_ttl(const struct raft_config *cfg, int64_t tick_ms)
{
	int64_t ms = tick_ms * (3 * cfg->election_tick / 2);

	return (ms + 999) / 1000;
}

void server_start(struct member *m, const struct raft_config *cfg, struct raft_logger logger,
		  uint64_t leader, int64_t now_ms, int64_t extend_ms)
{
	m->raft = raft_new(cfg, &m->storage, m->heap, logger);
	m->condition = MEMBER_UP;
	m->silent = false;
	m->since_ms = now_ms;
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

/* What restart reads: the WAL's records in order, as etcd's ReadAll does.  Committed is the larger of the last
 * synced hard state and the applied index (design.md 3). */
static void read_wal(struct member *m)
{
	struct conf_state conf = m->storage.snapshot.conf;
	struct hard_state hs = {0};

	storage_init(&m->storage);
	m->storage.snapshot.conf = conf;
	for (uint64_t i = m->wal.records.first; i < m->wal.records.end; i++) {
		const struct wal_record *r = pvec_get(&m->wal.records, i);
		if (r->type == WAL_ENTRY)
			storage_append(&m->storage, m->heap, &r->entry, 1);
		else if (r->type == WAL_STATE)
			hs = (struct hard_state){r->state.term, r->state.vote, r->state.commit};
		else
			storage_apply_snapshot(&m->storage, r->snapshot);
	}
	if (hs.commit < m->applied)
		hs.commit = m->applied;
	m->storage.hard_state = hs;
}

void server_crash(struct member *m)
{
	free_volatile(m);
	m->cycle = (struct ready_cycle){0};
	m->apply_head = m->events_caused = 0;
	m->read_context = 0;
	m->life++;
	m->lead_seen = 0;
	m->role_seen = STATE_FOLLOWER;
	m->was_ready = false;
	m->kill_at = 0;
	watchable_init(&m->watchable, m->heap);
	lessor_demote(&m->lessor);
	wal_crash(&m->wal);
	read_wal(m);
}

int64_t server_file_size(int64_t row_bytes)
{
	return 20480 + (row_bytes + 4095) / 4096 * 4096;
}

struct response_header server_header(const struct member *m)
{
	return (struct response_header){17237436991929493444u, m->id, m->store.current_rev, m->applied_term};
}
