/* The log of a member as its Raft sees it: what storage has, and the unstable part behind it
 * (etcd-io/raft: log.go, log_unstable.go).
 *
 *     snapshot | ............ storage ............ | ... unstable entries ...
 *              first      applied <= applying <= committed          last
 *                                                  offset   in_progress
 *
 * Entries from offset on are not acknowledged as written; those below in_progress have been handed
 * out for writing.  Storage may hold other entries at those positions: the unstable ones count.
 */
#ifndef RAFT_LOG_H
#define RAFT_LOG_H

#include "raft/logger.h"
#include "raft/raft.h"

/* A growing list of entries; the fields are those of VEC. */
struct entry_list {
	const struct entry **v;
	size_t n, cap;
};

struct raft_log {
	struct storage *storage;
	const struct raft_logger *logger;

	const struct snapshot *snapshot; /* received, not yet in storage; NULL: none */
	bool snapshot_in_progress;	 /* handed out for writing */
	struct entry_list unstable;	 /* those before head have been acknowledged */
	size_t head;
	uint64_t offset, in_progress;

	uint64_t committed, applying, applied;
	uint64_t max_applying,
	    applying_size; /* bytes handed out for applying and not acknowledged */
	bool applying_paused;
};

void log_init(struct raft_log *l, struct storage *storage, const struct raft_logger *logger,
	      uint64_t max_applying);
void log_free(struct raft_log *l);
/* Gives dst, a struct copy of src, its own memory. */
void log_copy(struct raft_log *dst, const struct raft_log *src);

static inline size_t log_unstable_count(const struct raft_log *l)
{
	return l->unstable.n - l->head;
}

static inline uint64_t log_first_index(const struct raft_log *l)
{
	return l->snapshot ? l->snapshot->index + 1 : storage_first_index(l->storage);
}

static inline uint64_t log_last_index(const struct raft_log *l)
{
	if (log_unstable_count(l))
		return l->offset + log_unstable_count(l) - 1;
	return l->snapshot ? l->snapshot->index : storage_last_index(l->storage);
}

/* The term at a position from first - 1 to last. */
enum storage_error log_term(const struct raft_log *l, uint64_t i, uint64_t *term);
/* The same, 0 where it is unknown. */
uint64_t log_term_or_0(const struct raft_log *l, uint64_t i);
uint64_t log_last_term(const struct raft_log *l);
bool log_match_term(const struct raft_log *l, uint64_t i, uint64_t term);
/* NULL if it is compacted or beyond the end. */
const struct entry *log_entry(const struct raft_log *l, uint64_t i);
/* Is a log that ends with this entry at least as new as ours?  (Raft paper, 5.4.1) */
bool log_is_up_to_date(const struct raft_log *l, uint64_t term, uint64_t index);

/* Adds entries lo .. hi - 1 to out: as many as fit into max_size bytes, at least one. */
enum storage_error log_slice(const struct raft_log *l, uint64_t lo, uint64_t hi, uint64_t max_size,
			     struct entry_list *out);

/* Adds one or more entries behind the committed ones; from the first one's index on they replace
 * what is there.
 */
void log_append(struct raft_log *l, const struct entry *const *e, size_t n);
/* The receiver's half of AppendEntries: if we have (index, term), takes the entries that are new,
 * commits up to committed and returns true with the index of the last entry of the message. */
bool log_maybe_append(struct raft_log *l, const struct message *m, uint64_t *last_new);
/* The mistake append-unchecked: the same, whatever the term of the entry before is. */
bool log_append_unchecked(struct raft_log *l, const struct message *m, uint64_t *last_new);
/* Going down from index: the first place whose term is at most term or unknown (*found 0). */
uint64_t log_find_conflict_by_term(const struct raft_log *l, uint64_t index, uint64_t term,
				   uint64_t *found);
void log_commit_to(struct raft_log *l, uint64_t i);
/* Commits up to index if that is new and of the given term. */
bool log_maybe_commit(struct raft_log *l, uint64_t index, uint64_t term);
/* A snapshot replaces everything. */
void log_restore(struct raft_log *l, const struct snapshot *s);

/* Handing out for writing, and the acknowledgement. */
static inline bool log_has_next_unstable(const struct raft_log *l)
{
	return l->in_progress < l->offset + log_unstable_count(l);
}
const struct entry *const *log_next_unstable(const struct raft_log *l, size_t *n);
static inline const struct snapshot *log_next_snapshot(const struct raft_log *l)
{
	return l->snapshot_in_progress ? NULL : l->snapshot;
}
void log_accept_unstable(struct raft_log *l);
void log_stable_to(struct raft_log *l, uint64_t term, uint64_t index);
void log_stable_snapshot(struct raft_log *l, uint64_t index);

/* Handing out for applying, and the acknowledgement.  allow_unstable: entries that are not yet
 * written here may be applied too. */
static inline uint64_t log_max_appliable(const struct raft_log *l, bool allow_unstable)
{
	return allow_unstable || l->committed < l->offset ? l->committed : l->offset - 1;
}
static inline bool log_has_next_committed(const struct raft_log *l, bool allow_unstable)
{
	return l->applying < log_max_appliable(l, allow_unstable) && !l->applying_paused &&
	       !l->snapshot && l->applying_size < l->max_applying;
}
void log_next_committed(const struct raft_log *l, bool allow_unstable, struct entry_list *out);
void log_accept_applying(struct raft_log *l, uint64_t i, uint64_t size, bool allow_unstable);
void log_applied_to(struct raft_log *l, uint64_t i, uint64_t size);

/* Sum of the encoded sizes, and of the data alone. */
uint64_t entries_size(const struct entry *const *e, size_t n);
uint64_t entries_payload(const struct entry *const *e, size_t n);

#endif
