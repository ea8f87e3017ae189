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
	ACT_AUTH, /* a user, a role, turning authentication on and off */
	ACT_DEFRAG,
	ACT_DISARM,
	ACT_MOVE_LEADER,
	ACT_MEMBER_ADD,
	ACT_MEMBER_REMOVE,
	ACT_MEMBER_PROMOTE,
	ACT_START,
	ACT_KILL, /* this and the rest: faults, and their end */
	ACT_RESTART,
	ACT_PARTITION,
	ACT_CUT,
	ACT_HEAL,
	ACT_TIMEOUT,
	ACT_LINK,
	ACT_DISK,
	ACT_PAUSE,
	ACT_GO_ON,
	ACT_CLOCK,
	ACT_KINDS
};

enum { ACT_KEYS = 6, ACT_RANGES = 4, ACT_GROUPS = 3 };

/* Users: nobody, root, and one that may do something; their passwords are their names. */
enum { ACT_NOBODY, ACT_ROOT, ACT_USER, ACT_USERS };

/* Which links an ACT_LINK is about. */
enum { LINK_AT_ALL, LINK_AT_MEMBER, LINK_AT_PAIR, LINK_AT_CLIENT };

struct action {
	enum action_kind kind;
	uint32_t events;   /* that run before it: steps, each of one event at most */
	uint8_t key, key2; /* numbers of keys */
	uint8_t range;	   /* 0: one key; else a prefix */
	uint8_t member;	   /* endpoint, or who is hit; 0: the leader, wherever it is */
	uint8_t peer;	   /* the other one; ACT_PARTITION: how many members there may be */
	uint8_t group[MEMBERS_MAX];
	uint8_t how, at;  /* enum kill_how, kill_point */
	uint8_t user;	  /* who has logged in */
	bool flag, flag2; /* serializable, prev_kv, one way ... */
	uint32_t value;	  /* v17 */
	int64_t number;	  /* a revision, a TTL, a watcher's number */
	int64_t lease;
	int64_t limit;
	union {
		struct {
			uint8_t fields; /* LINK_DELAY ...; 0: --reset */
			struct link link;
		} net;
		struct disk_change disk;
	};
};

typedef VEC(struct action) action_list;

/* What can go wrong, by the names that --faults takes. */
enum fault_class {
	CLASS_ALWAYS, /* no fault, or what ends one */
	CLASS_KILL,
	CLASS_POWER,
	CLASS_PARTITION,
	CLASS_CUT,
	CLASS_NET,
	CLASS_DISK,
	CLASS_PAUSE,
	CLASS_CLOCK,
	CLASS_TIMEOUT,
	CLASS_MEMBERS,
	CLASSES
};
enum { CLASSES_NONE = 1 << CLASS_ALWAYS, CLASSES_ALL = (1 << CLASSES) - 1 };
/* NULL for CLASS_ALWAYS. */
const char *action_class_name(enum fault_class c);

/* What may be drawn. */
struct plan {
	uint64_t events;  /* of the world, in the whole run */
	unsigned allowed; /* classes of faults, as bits */
	unsigned usual;	  /* those of them that this schedule is mostly made of */
	bool membership;  /* members come and go */
	bool contest;	  /* leaders come and go */
	bool auth;	  /* there are users */
	bool quota;	  /* there is little room */
	uint32_t members;
};

/* The schedule that a seed means. */
void action_draw(action_list *list, const struct plan *plan, struct prng *g);

/* A command of several requests, under way: the next one goes out when this one is answered. */
struct errand {
	uint64_t call;
	struct action a;
	uint8_t stage;		       /* what is waited for (errand.c) */
	uint8_t next;		       /* alarm to clear; logins done */
	uint64_t target;	       /* whom move-leader names */
	const struct response *alarms; /* those that alarm disarm found */
};
typedef VEC(struct errand) errand_list;

/* Does it to the world; what makes no sense now is left out.  Who the leader is, or which request
 * is the newest, is written into the action, so that it means the same as a command. */
void action_do(struct world *w, struct action *a, errand_list *e);
/* After an event: the commands that have got an answer go on. */
void errands_go_on(struct world *w, errand_list *e);
/* Begins one; false: its request is alone. */
bool errand_begin(struct world *w, const struct action *a, errand_list *e);

const char *action_key(unsigned i);
/* The key or prefix that it names. */
const char *action_prefix(const struct action *a);
const char *action_user(unsigned user);
/* ACT_AUTH: the command in words, and its request. */
enum { ACT_AUTH_STEPS = 10, ACT_AUTH_ENABLE = 7 };
const char *action_auth(unsigned step, struct request *q);
static inline bool action_is_fault(enum action_kind k)
{
	return k >= ACT_KILL && k < ACT_KINDS;
}
/* The command, as typed; its line ends with a newline. */
void action_print(struct buf *out, const struct action *a);
void action_print_fault(struct buf *out, const struct action *a);

#endif
