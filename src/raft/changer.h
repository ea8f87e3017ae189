/* Applying changes to a configuration and its progresses (etcd-io/raft: confchange/confchange.go,
 * restore.go).
 *
 * Each function either does all and returns NULL, or does nothing and returns etcd's text of the
 * reason. last_index is the leader's: where a new peer's probing begins.
 */
#ifndef RAFT_CHANGER_H
#define RAFT_CHANGER_H

#include "raft/confchange.h"
#include "raft/tracker.h"

const char *changer_simple(struct tracker *t, uint64_t last_index,
			   const struct conf_change_single *c, size_t n);
const char *changer_enter_joint(struct tracker *t, uint64_t last_index, bool auto_leave,
				const struct conf_change_single *c, size_t n);
const char *changer_leave_joint(struct tracker *t);
/* Brings an empty tracker to a stored configuration. */
const char *changer_restore(struct tracker *t, uint64_t last_index, const struct conf_state *c);

#endif
