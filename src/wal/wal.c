#include "wal/wal.h"

void wal_init(struct wal *w, struct heap *h)
{
	*w = (struct wal){.heap = h};
	pvec_init(&w->records, 0);
}

/* A new record, as long as what its type needs of it. */
static struct wal_record *add(struct wal *w, enum wal_type type, size_t size)
{
	struct wal_record *r = heap_alloc(w->heap, size);

	r->type = type;
	r->received = false;
	pvec_push(&w->records, w->heap, r);
	return r;
}

#define up_to(field) (offsetof(struct wal_record, field) + sizeof((struct wal_record *)NULL)->field)

void wal_add_entry(struct wal *w, const struct entry *e)
{
	add(w, WAL_ENTRY, up_to(entry))->entry = e;
	w->last = e->index;
}

void wal_add_state(struct wal *w, uint64_t term, uint64_t vote, uint64_t commit)
{
	struct wal_record *r = add(w, WAL_STATE, up_to(state));

	r->state.term = term;
	r->state.vote = vote;
	r->state.commit = commit;
}

void wal_add_snapshot(struct wal *w, const struct snapshot *s, bool received)
{
	struct wal_record *r = add(w, WAL_SNAPSHOT, up_to(snapshot));

	r->received = received;
	r->snapshot = s;
	if (received)
		w->last = s->index;
}

void wal_sync(struct wal *w)
{
	w->synced = w->records.end;
	w->durable = w->last;
}

bool wal_has_unsynced(const struct wal *w)
{
	return w->synced < w->records.end;
}

uint64_t wal_commit(const struct wal *w)
{
	for (uint64_t i = w->records.end; i > w->records.first; i--) {
		const struct wal_record *r = pvec_get(&w->records, i - 1);
		if (r->type == WAL_STATE)
			return r->state.commit;
	}
	return w->base_commit;
}

void wal_crash(struct wal *w)
{
	pvec_truncate(&w->records, w->synced);
	w->last = w->durable;
}

static uint64_t last_index(const struct wal *w, uint64_t end)
{
	for (uint64_t i = end; i > w->records.first; i--) {
		const struct wal_record *r = pvec_get(&w->records, i - 1);
		if (r->type == WAL_ENTRY)
			return r->entry->index;
		if (r->type == WAL_SNAPSHOT && r->received)
			return r->snapshot->index;
	}
	return w->base ? w->base->index : 0;
}

static void keep_damages(struct wal *w, uint64_t first, uint64_t end)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->ndamages; i++)
		if (w->damages[i].record >= first && w->damages[i].record < end)
			w->damages[n++] = w->damages[i];
	w->ndamages = n;
}

void wal_keep(struct wal *w, uint64_t end)
{
	w->synced = end;
	w->durable = last_index(w, end);
	keep_damages(w, 0, end);
}

void wal_tear(struct wal *w, uint32_t n)
{
	pvec_truncate(&w->records, w->synced + 1);
	w->last = w->durable;
	wal_damage(w, (struct wal_damage){WAL_CUT, w->synced, n});
}

bool wal_damage(struct wal *w, struct wal_damage d)
{
	if (w->ndamages == WAL_DAMAGES)
		return false;
	w->damages[w->ndamages++] = d;
	return true;
}

/* The last hard state before a position. */
static void keep_state(struct wal *w, uint64_t end)
{
	for (uint64_t i = end; i > w->records.first; i--) {
		const struct wal_record *r = pvec_get(&w->records, i - 1);
		if (r->type != WAL_STATE)
			continue;
		w->base_term = r->state.term;
		w->base_vote = r->state.vote;
		w->base_commit = r->state.commit;
		return;
	}
}

/* Looks from the end, where little stands that is above the snapshot; what an entry below it has
 * replaced is not needed either. */
void wal_release(struct wal *w, const struct snapshot *s)
{
	uint64_t keep = w->synced;

	for (; keep > w->records.first; keep--) {
		const struct wal_record *r = pvec_get(&w->records, keep - 1);
		if (r->type == WAL_ENTRY && r->entry->index <= s->index)
			break;
	}
	keep_state(w, keep);
	pvec_drop_front(&w->records, keep);
	keep_damages(w, keep, UINT64_MAX);
	w->base = s;
}
