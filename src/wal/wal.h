/* A member's write-ahead log: what survives a crash (etcd: server/storage/wal).
 *
 * Records are appended and become durable with the next sync; a crash loses the unsynced tail.
 * Restart reads the records in order, as etcd's ReadAll does: an entry replaces what stood at its
 * index and after. A value: copying the struct copies the log once heap_freeze() was called.
 */
#ifndef WAL_WAL_H
#define WAL_WAL_H

#include "api/entry.h"
#include "base/heap.h"
#include "base/pvec.h"

enum wal_type { WAL_ENTRY, WAL_STATE, WAL_SNAPSHOT };

struct wal_record {
	enum wal_type type;
	bool received; /* of a snapshot: from the leader, so what stands before it is void; else
			  taken here */
	union {
		const struct entry *entry;
		struct {
			uint64_t term, vote, commit;
		} state;
		const struct snapshot *snapshot;
	};
};

/* What has been done to the bytes of a record, counted from its end.  Records become bytes only
 * where there is some of it (server/disk.h). */
enum wal_damage_kind {
	WAL_FLIPPED, /* one bit of the n-th byte from the end is another */
	WAL_ZEROED,  /* the last n bytes are zero */
	WAL_CUT	     /* the file ends n bytes before the record's frame does */
};
struct wal_damage {
	enum wal_damage_kind kind;
	uint64_t record;
	uint32_t n;
};
enum { WAL_DAMAGES = 4 };

struct wal {
	struct heap *heap;
	/* What the records begin from: the newest snapshot of those that were released, and the
	 * state before it. */
	const struct snapshot *base; /* NULL: nothing was released */
	uint64_t base_term, base_vote, base_commit;
	struct pvec records; /* struct wal_record * */
	uint64_t synced;     /* records before this position are durable */
	uint64_t last,
	    durable; /* index of the entry written last, and of the last one that is synced */
	struct wal_damage damages[WAL_DAMAGES];
	uint32_t ndamages;
};

void wal_init(struct wal *w, struct heap *h);
void wal_add_entry(struct wal *w, const struct entry *e);
void wal_add_state(struct wal *w, uint64_t term, uint64_t vote, uint64_t commit);
void wal_add_snapshot(struct wal *w, const struct snapshot *s, bool received);
void wal_sync(struct wal *w);
bool wal_has_unsynced(const struct wal *w);
/* The commit index that the last hard state tells. */
uint64_t wal_commit(const struct wal *w);
/* A crash: the unsynced tail is gone. */
void wal_crash(struct wal *w);
/* Everything before a position is durable, also what was not synced, and nothing from there on. */
void wal_keep(struct wal *w, uint64_t end);
/* A crash: of the first record that is not durable the last n bytes are missing, and all others. */
void wal_tear(struct wal *w, uint32_t n);
/* False: there is too much of it already. */
bool wal_damage(struct wal *w, struct wal_damage d);
/* A durable snapshot, the newest record but for what was written behind it: the records up to the
 * last entry that it holds are not needed any more. */
void wal_release(struct wal *w, const struct snapshot *s);

#endif
