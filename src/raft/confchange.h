/* Changes of the configuration: their encoding as the data of an entry, and what they do
 * (raftpb/confchange.go, raftpb/raft.proto).
 */
#ifndef RAFT_CONFCHANGE_H
#define RAFT_CONFCHANGE_H

#include "api/entry.h"
#include "base/buf.h"
#include "base/bytes.h"

enum conf_change_type {
	CONF_CHANGE_ADD_NODE,
	CONF_CHANGE_REMOVE_NODE,
	CONF_CHANGE_UPDATE_NODE,
	CONF_CHANGE_ADD_LEARNER,
};

enum conf_change_transition {
	CONF_CHANGE_TRANSITION_AUTO,	       /* joint only if needed, left automatically */
	CONF_CHANGE_TRANSITION_JOINT_IMPLICIT, /* joint, left automatically */
	CONF_CHANGE_TRANSITION_JOINT_EXPLICIT, /* joint, left by another change */
};

enum { CONF_CHANGE_MAX = 32 }; /* changes in one */

struct conf_change_single {
	enum conf_change_type type;
	uint64_t node;
};

/* Version 1 (one change, the only kind that an etcd server makes) or 2.  A version-2 change without
 * changes and with the auto transition leaves the joint configuration. */
struct conf_change {
	enum conf_change_transition transition;
	struct conf_change_single changes[CONF_CHANGE_MAX];
	size_t nchanges;
	uint64_t id;	      /* version 1: the server's request; 0: absent */
	struct bytes context; /* the server's description of the member; n 0: absent */
};

/* The data of an entry of type ENTRY_CONF_CHANGE (v1: exactly one change, auto transition) or
 * ENTRY_CONF_CHANGE_V2. */
void conf_change_encode(struct buf *out, const struct conf_change *cc, bool v1);
/* Reads the data of an entry of either type; context points into data.  False if it is malformed.
 */
bool conf_change_decode(struct conf_change *cc, enum entry_type type, struct bytes data);

/* The change in an entry; it must be one. */
struct conf_change conf_change_of(const struct entry *e);

bool conf_change_leaves_joint(const struct conf_change *cc);
/* Must it go through a joint configuration?  Then *auto_leave says whether that is left by itself.
 */
bool conf_change_enters_joint(const struct conf_change *cc, bool *auto_leave);

/* "v1 l2 r3 u4" */
void conf_change_print(struct buf *out, const struct conf_change *cc);

#endif
