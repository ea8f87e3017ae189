/* Reading entries out of storage; the rest of its interface is in raft.h. */
#ifndef RAFT_STORAGE_H
#define RAFT_STORAGE_H

#include "raft/log.h"

/* NULL if it is compacted or beyond the end. */
const struct entry *storage_entry(const struct storage *s, uint64_t i);
/* Adds entries lo .. hi - 1 to out: as many as fit into max_size bytes, at least one. */
enum storage_error storage_entries(const struct storage *s, uint64_t lo, uint64_t hi,
				   uint64_t max_size, struct entry_list *out);

#endif
