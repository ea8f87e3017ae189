/* What happens to a cluster from outside: a request, a watcher, a fault; each can be written as a
 * command.
 *
 * A whole schedule is drawn before the run, and no action depends on what the world does.  So some
 * actions can be left out and the others are still the same: that is how a failure is made small.
 */
#ifndef EXPLORE_ACTION_H
#define EXPLORE_ACTION_H

#include "base/buf.h"
#include "base/prng.h"
#include "base/vec.h"
#include "sim/sim.h"

enum action_kind {
	ACT_NOTHING, /* only the events before it */
	ACT_PUT,
	ACT_GET,
	ACT_DELETE,
	ACT_TXN,
	ACT_COMPACT,
	ACT_GRANT,
	ACT_REVOKE,
	ACT_KEEP_ALIVE,
	ACT_TIME_TO_LIVE,
	ACT_WATCH,
	ACT_INFORMER,
	ACT_DROP,
	ACT_RESUME,
	ACT_UNWATCH,
	ACT_STALL,
	ACT_READ_ON,
	ACT_PROGRESS,
	ACT_INTERRUPT,
	ACT_MEMBER_ADD,
	ACT_MEMBER_REMOVE,
	ACT_MEMBER_PROMOTE,
	ACT_START,
	ACT_KILL,
	ACT_RESTART,
	ACT_PARTITION,
	ACT_CUT,
	ACT_HEAL,
	ACT_TIMEOUT,
	ACT_KINDS
};

enum { ACT_KEYS = 6, ACT_RANGES = 4 };

struct action {
	enum action_kind kind;
	uint32_t events;   /* that run before it: steps, each of one event at most */
	uint8_t key, key2; /* numbers of keys */
	uint8_t range;	   /* 0: one key; else a prefix */
	uint8_t member;	   /* endpoint, or who is hit; 0: the leader, wherever it is */
	uint8_t peer;	   /* the other one; ACT_PARTITION: how many members there may be */
	uint8_t group[MEMBERS_MAX];
	uint8_t how, at;  /* enum kill_how, kill_point */
	bool flag, flag2; /* serializable, prev_kv, one way ... */
	uint32_t value;	  /* v17 */
	int64_t number;	  /* a revision, a TTL, a watcher's number */
	int64_t lease;
	int64_t limit;
};

typedef VEC(struct action) action_list;

/* What may be drawn. */
struct plan {
	uint64_t events; /* of the world, in the whole run */
	bool faults;
	bool membership; /* members come and go */
	bool contest;	 /* leaders come and go */
	uint32_t members;
};

/* The schedule that a seed means. */
void action_draw(action_list *list, const struct plan *plan, struct prng *g);
/* Does it to the world; what makes no sense now is left out.  Who the leader is, or which request
 * is the newest, is written into the action, so that it means the same as a command. */
void action_do(struct world *w, struct action *a);
const char *action_key(unsigned i);
/* The key or prefix that it names. */
const char *action_prefix(const struct action *a);
/* The command, as typed; its line ends with a newline. */
void action_print(struct buf *out, const struct action *a);

#endif
