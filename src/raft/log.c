/* The log: storage plus the unstable part (etcd-io/raft: log.go, log_unstable.go). */
#include "raft/log.h"

#include "raft/storage.h"

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void log_init(struct raft_log *l, struct storage *storage, const struct raft_logger *logger,
	      uint64_t max_applying)
{
	uint64_t before_first = storage_first_index(storage) - 1;
	uint64_t next = storage_last_index(storage) + 1;

	*l = (struct raft_log){
	    .storage = storage,
	    .logger = logger,
	    .offset = next,
	    .in_progress = next,
	    .committed = before_first,
	    .applying = before_first,
	    .applied = before_first,
	    .max_applying = max_applying,
	};
}

void log_free(struct raft_log *l)
{
	vec_free(&l->unstable);
}

void log_copy(struct raft_log *dst, const struct raft_log *src)
{
	vec_copy(&dst->unstable, &src->unstable);
}

static const struct entry *const *unstable_at(const struct raft_log *l, uint64_t i)
{
	return l->unstable.v + l->head + (i - l->offset);
}

/* Terms */

enum storage_error log_term(const struct raft_log *l, uint64_t i, uint64_t *term)
{
	size_t n = log_unstable_count(l);

	*term = 0;
	if (n && i >= l->offset) {
		if (i - l->offset >= n)
			return STORAGE_UNAVAILABLE;
		*term = (*unstable_at(l, i))->term;
		return STORAGE_OK;
	}
	if (!l->snapshot)
		return storage_term(l->storage, i, term);
	/* A snapshot stands in the place of storage; its own position is the only one that is
	 * known. */
	if (i != l->snapshot->index)
		return i < l->snapshot->index ? STORAGE_COMPACTED : STORAGE_UNAVAILABLE;
	*term = l->snapshot->term;
	return STORAGE_OK;
}

uint64_t log_term_or_0(const struct raft_log *l, uint64_t i)
{
	uint64_t term;

	log_term(l, i, &term);
	return term;
}

uint64_t log_last_term(const struct raft_log *l)
{
	if (log_unstable_count(l))
		return l->unstable.v[l->unstable.n - 1]->term;
	return log_term_or_0(l, log_last_index(l));
}

bool log_match_term(const struct raft_log *l, uint64_t i, uint64_t term)
{
	uint64_t ours;

	return log_term(l, i, &ours) == STORAGE_OK && ours == term;
}

const struct entry *log_entry(const struct raft_log *l, uint64_t i)
{
	if (i < log_first_index(l) || i > log_last_index(l))
		return NULL;
	return i >= l->offset ? *unstable_at(l, i) : storage_entry(l->storage, i);
}

bool log_is_up_to_date(const struct raft_log *l, uint64_t term, uint64_t index)
{
	uint64_t ours = log_last_term(l);

	return term > ours || (term == ours && index >= log_last_index(l));
}

/* Reading */

/* As many of the unstable entries lo .. hi - 1 as fit, at least one; returns their size. */
static uint64_t add_unstable(const struct raft_log *l, uint64_t lo, uint64_t hi, uint64_t max_size,
			     struct entry_list *out)
{
	uint64_t size = 0;

	for (uint64_t i = lo; i < hi; i++) {
		const struct entry *e = *unstable_at(l, i);
		uint64_t one = entry_size(e);

		if (i > lo && size + one > max_size)
			break;
		size += one;
		vec_push(out, e);
	}
	return size;
}

enum storage_error log_slice(const struct raft_log *l, uint64_t lo, uint64_t hi, uint64_t max_size,
			     struct entry_list *out)
{
	if (lo < log_first_index(l))
		return STORAGE_COMPACTED;
	if (lo >= hi)
		return STORAGE_OK;
	if (lo >= l->offset && hi - lo == 1) {
		vec_push(out, *unstable_at(l, lo));
		return STORAGE_OK;
	}
	if (lo >= l->offset) {
		add_unstable(l, lo, hi, max_size, out);
		return STORAGE_OK;
	}
	size_t before = out->n;
	uint64_t cut = min_u64(hi, l->offset);
	enum storage_error err = storage_entries(l->storage, lo, cut, max_size, out);

	/* Fewer than asked: the next one would not have fitted. */
	if (err || hi <= l->offset || out->n - before < cut - lo)
		return err;
	uint64_t size = entries_size(out->v + before, out->n - before);
	if (size >= max_size)
		return STORAGE_OK;
	before = out->n;
	/* Only a single entry may exceed the rest of the limit: it is left for the next time. */
	if (size + add_unstable(l, l->offset, hi, max_size - size, out) > max_size)
		out->n = before;
	return STORAGE_OK;
}

/* Appending */

/* Entries before head go when they are the larger part, so that moving the others costs nothing on
 * average. */
static void drop_acknowledged(struct raft_log *l)
{
	size_t n = log_unstable_count(l);

	if (l->head < 16 || l->head < n)
		return;
	memmove(l->unstable.v, l->unstable.v + l->head, n * sizeof *l->unstable.v);
	l->unstable.n = n;
	l->head = 0;
}

static void truncate_and_append(struct raft_log *l, const struct entry *const *e, size_t n)
{
	uint64_t from = e[0]->index;
	uint64_t end = l->offset + log_unstable_count(l);

	check_that(from <= end);
	if (from <= l->offset) {
		if (from < l->offset || end > l->offset)
			LOG_LINE(l->logger, LOG_INFO,
				 "replace the unstable entries from index " U64, from);
		l->unstable.n = l->head = 0;
		l->offset = l->in_progress = from;
	} else if (from < end) {
		LOG_LINE(l->logger, LOG_INFO, "truncate the unstable entries before index " U64,
			 from);
		l->unstable.n = l->head + (size_t)(from - l->offset);
		l->in_progress = min_u64(l->in_progress, from);
	}
	drop_acknowledged(l);
	for (size_t i = 0; i < n; i++)
		vec_push(&l->unstable, e[i]);
}

void log_append(struct raft_log *l, const struct entry *const *e, size_t n)
{
	check_that(n > 0 && e[0]->index > l->committed);
	truncate_and_append(l, e, n);
}

/* The first entry that we lack or have with another term; n if there is none. */
static size_t find_conflict(const struct raft_log *l, const struct entry *const *e, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (log_match_term(l, e[i]->index, e[i]->term))
			continue;
		if (e[i]->index <= log_last_index(l))
			LOG_LINE(l->logger, LOG_INFO,
				 "found conflict at index " U64 " [existing term: " U64
				 ", conflicting term: " U64 "]",
				 e[i]->index, log_term_or_0(l, e[i]->index), e[i]->term);
		return i;
	}
	return n;
}

static inline void take_entries(struct raft_log *l, const struct message *m, uint64_t *last_new)
{
	size_t known = find_conflict(l, m->entries, m->nentries);

	if (known < m->nentries)
		log_append(l, m->entries + known, m->nentries - known);
	*last_new = m->index + m->nentries;
	log_commit_to(l, min_u64(m->commit, *last_new));
}

bool log_maybe_append(struct raft_log *l, const struct message *m, uint64_t *last_new)
{
	if (!log_match_term(l, m->index, m->log_term))
		return false;
	take_entries(l, m, last_new);
	return true;
}

bool log_append_unchecked(struct raft_log *l, const struct message *m, uint64_t *last_new)
{
	if (!m->nentries || m->index > log_last_index(l))
		return false;
	take_entries(l, m, last_new);
	return true;
}

uint64_t log_find_conflict_by_term(const struct raft_log *l, uint64_t index, uint64_t term,
				   uint64_t *found)
{
	for (; index > 0; index--)
		if (log_term(l, index, found) != STORAGE_OK || *found <= term)
			return index;
	*found = 0;
	return 0;
}

void log_commit_to(struct raft_log *l, uint64_t i)
{
	if (i <= l->committed)
		return;
	check_that(i <= log_last_index(l));
	l->committed = i;
}

bool log_maybe_commit(struct raft_log *l, uint64_t index, uint64_t term)
{
	if (index <= l->committed || !log_match_term(l, index, term))
		return false;
	log_commit_to(l, index);
	return true;
}

void log_restore(struct raft_log *l, const struct snapshot *s)
{
	LOG_LINE(l->logger, LOG_INFO,
		 "log [committed=" U64 ", applied=" U64 ", applying=" U64 ", unstable.offset=" U64
		 ", unstable.offsetInProgress=" U64 ", len(unstable.Entries)=%zu] starts to restore"
		 " snapshot [index: " U64 ", term: " U64 "]",
		 l->committed, l->applied, l->applying, l->offset, l->in_progress,
		 log_unstable_count(l), s->index, s->term);
	l->committed = s->index;
	l->unstable.n = l->head = 0;
	l->offset = l->in_progress = s->index + 1;
	l->snapshot = s;
	l->snapshot_in_progress = false;
}

/* Writing */

const struct entry *const *log_next_unstable(const struct raft_log *l, size_t *n)
{
	*n = (size_t)(l->offset + log_unstable_count(l) - l->in_progress);
	return *n ? unstable_at(l, l->in_progress) : NULL;
}

void log_accept_unstable(struct raft_log *l)
{
	l->in_progress = l->offset + log_unstable_count(l);
	l->snapshot_in_progress = l->snapshot != NULL;
}

static void log_stable_ignored(const struct raft_log *l, uint64_t term, uint64_t index,
			       uint64_t ours)
{
	LOG_LINE(l->logger, LOG_INFO,
		 "entry at (index,term)=(" U64 "," U64 ") mismatched with entry at (" U64 "," U64
		 ") in unstable log; ignoring",
		 index, term, index, ours);
}

void log_stable_to(struct raft_log *l, uint64_t term, uint64_t index)
{
	if (l->snapshot && index == l->snapshot->index) {
		LOG_LINE(l->logger, LOG_INFO,
			 "entry at index " U64 " matched unstable snapshot; ignoring", index);
		return;
	}
	if (index < l->offset || index - l->offset >= log_unstable_count(l)) {
		LOG_LINE(l->logger, LOG_INFO,
			 "entry at index " U64 " missing from unstable log; ignoring", index);
		return;
	}
	uint64_t ours = (*unstable_at(l, index))->term;

	if (ours != term) {
		log_stable_ignored(l, term, index, ours);
		return;
	}
	l->head += (size_t)(index + 1 - l->offset);
	l->offset = index + 1;
	l->in_progress = max_u64(l->in_progress, l->offset);
	if (l->head == l->unstable.n)
		l->unstable.n = l->head = 0;
}

void log_stable_snapshot(struct raft_log *l, uint64_t index)
{
	if (l->snapshot && l->snapshot->index == index) {
		l->snapshot = NULL;
		l->snapshot_in_progress = false;
	}
}

/* Applying */

void log_next_committed(const struct raft_log *l, bool allow_unstable, struct entry_list *out)
{
	if (!log_has_next_committed(l, allow_unstable))
		return;
	enum storage_error err =
	    log_slice(l, l->applying + 1, log_max_appliable(l, allow_unstable) + 1,
		      l->max_applying - l->applying_size, out);

	check_that(err == STORAGE_OK);
}

void log_accept_applying(struct raft_log *l, uint64_t i, uint64_t size, bool allow_unstable)
{
	l->applying = i;
	l->applying_size += size;
	l->applying_paused =
	    l->applying_size >= l->max_applying || i < log_max_appliable(l, allow_unstable);
}

void log_applied_to(struct raft_log *l, uint64_t i, uint64_t size)
{
	check_that(l->applied <= i && i <= l->committed);
	l->applied = i;
	l->applying = max_u64(l->applying, i);
	l->applying_size -= min_u64(l->applying_size, size);
	l->applying_paused = l->applying_size >= l->max_applying;
}

uint64_t entries_size(const struct entry *const *e, size_t n)
{
	uint64_t size = 0;

	for (size_t i = 0; i < n; i++)
		size += entry_size(e[i]);
	return size;
}

uint64_t entries_payload(const struct entry *const *e, size_t n)
{
	uint64_t size = 0;

	for (size_t i = 0; i < n; i++)
		size += e[i]->size;
	return size;
}
