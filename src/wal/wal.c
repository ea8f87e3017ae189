#include "wal/wal.h"

void wal_init(struct wal *w, struct heap *h)
{
	*w = (struct wal){.heap = h};
	pvec_init(&w->records, 0);
}

static void add(struct wal *w, struct wal_record r)
{
	struct wal_record *copy = heap_alloc(w->heap, sizeof *copy);

	*copy = r;
	pvec_push(&w->records, w->heap, copy);
}

void wal_add_entry(struct wal *w, const struct entry *e)
{
	add(w, (struct wal_record){.type = WAL_ENTRY, .entry = e});
}

void wal_add_state(struct wal *w, uint64_t term, uint64_t vote, uint64_t commit)
{
	add(w, (struct wal_record){.type = WAL_STATE, .state = {term, vote, commit}});
}

void wal_add_snapshot(struct wal *w, const struct snapshot *s, bool received)
{
	add(w, (struct wal_record){.type = WAL_SNAPSHOT, .received = received, .snapshot = s});
}

void wal_sync(struct wal *w)
{
	w->synced = w->records.end;
}

bool wal_has_unsynced(const struct wal *w)
{
	return w->synced < w->records.end;
}

void wal_crash(struct wal *w)
{
	pvec_truncate(&w->records, w->synced);
}

void wal_release(struct wal *w, const struct snapshot *s)
{
	uint64_t keep = w->records.first;

	for (; keep < w->synced; keep++) {
		const struct wal_record *r = pvec_get(&w->records, keep);
		if ((r->type == WAL_ENTRY && r->entry->index > s->index) ||
		    (r->type == WAL_SNAPSHOT && r->snapshot == s))
			break;
		if (r->type == WAL_STATE) {
			w->base_term = r->state.term;
			w->base_vote = r->state.vote;
			w->base_commit = r->state.commit;
		}
	}
	pvec_drop_front(&w->records, keep);
	w->base = s;
}
