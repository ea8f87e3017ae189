/* The one stream of records of everything that happens.
 *
 * Records are small and hold numbers and pointers to immutable things; text is made only when
 * somebody looks (trace_print).  Scripts print them as `~ ` lines, the screen draws from them,
 * checkers read them.
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/entry.h"
#include "base/buf.h"
#include "base/heap.h"
#include "base/vec.h"

enum trace_kind {
	/* level story */
	TRACE_REQUEST, /* call a arrives at member */
	TRACE_APPEND,  /* entries a..b of term c handed to the WAL; p: first entry */
	TRACE_FSYNC,  /* the WAL of member is durable up to index a; 0: only its hard state, term b,
			 vote c */
	TRACE_SEND,   /* msg to peer */
	TRACE_RECV,   /* msg from peer */
	TRACE_LOST,   /* msg to peer will not arrive: the link is cut, or the peer is down */
	TRACE_COMMIT, /* a: new commit index */
	TRACE_APPLY,  /* entry a (p; NULL: a snapshot up to a) applied; b: revision afterwards, c:
			 revision before */
	TRACE_REPLY,  /* call a answered by member (0: by its own limit); p: struct response */
	TRACE_EVENT,  /* watcher a got an event; p: struct event; b: its revision */
	TRACE_ROLE,   /* a: enum raft_state, b: term, c: leader's id */
	TRACE_LEASE,  /* lease a; b: enum lease_news; c: seconds */
	TRACE_TRUNCATE, /* entries a..b of term c thrown away by member */
	TRACE_WATCH,	/* watcher a; b: enum watch_news; c: revision */
	TRACE_FAULT,	/* a: enum fault_kind; peer: other member or 0; p: a text or NULL */
	/* level raft */
	TRACE_LOG, /* p: NUL-terminated line of raft's own log, in the heap */
	/* level all */
	TRACE_TICK,
	TRACE_HARD_STATE /* a term, b vote, c commit written to the WAL */
};

enum trace_level { TRACE_NONE, TRACE_STORY, TRACE_RAFT, TRACE_ALL };

enum lease_news { LEASE_GRANTED, LEASE_RENEWED, LEASE_EXPIRED, LEASE_REVOKED, LEASE_PROMOTED };
enum watch_news {
	WATCH_CREATED,
	WATCH_CANCELED,
	WATCH_CUT,
	WATCH_RESUMED,
	WATCH_MOVED,
	WATCH_SYNCED,
	WATCH_TOLD_PROGRESS, /* level raft */
	WATCH_STALLED,	     /* the client does not read; level raft */
	WATCH_READS	     /* it does again; level raft */
};
enum fault_kind {
	FAULT_KILL,
	FAULT_POWER,
	FAULT_TERM,
	FAULT_RESTART,
	FAULT_PARTITION,
	FAULT_CUT,
	FAULT_HEAL,
	FAULT_START,
	FAULT_REMOVED,
	FAULT_FATAL,   /* the process ends by itself; p: why */
	FAULT_REFUSED, /* it refuses to start; p: why */
	FAULT_DISK,    /* something is done to the disk; p: what */
	FAULT_PAUSE,
	FAULT_RESUME,
	FAULT_CLOCK,	    /* p: its skew */
	FAULT_RESTORE,	    /* a cluster begins from a snapshot of revision b; c are forgotten */
	FAULT_ALONE,	    /* --force-new-cluster; b: entries thrown away, c: revisions
			       forgotten */
	FAULT_NET,	    /* p: struct link_change */
	FAULT_LOST_REQUEST, /* b: its number; 0: it has none */
	FAULT_LOST_REPLY,
	FAULT_LOST_WATCH, /* b: the watcher: its connection is broken */
};

/* What a message record keeps of its message. */
struct trace_msg {
	uint8_t type; /* enum message_type */
	bool reject, has_context,
	    no_effect; /* no_effect: a heartbeat that changes nothing: level all */
	uint64_t term, index, log_term, commit, hint;
	uint64_t first, last; /* entries; first > last: none */
};

struct trace_record {
	int64_t ms;
	uint64_t event; /* number of the event during which it was made */
	uint8_t kind;	/* enum trace_kind */
	uint8_t level;	/* enum trace_level */
	uint8_t member; /* 1..9; 0: the client's side */
	uint8_t peer;
	union {
		struct {
			uint64_t a, b, c;
			const void *p;
		};
		struct trace_msg msg;
	};
};

enum { TRACE_RING = 1 << 16 };

struct trace;

struct trace_sink { /* where raft's log lines of one member go */
	struct trace *trace;
	uint8_t member;
};

/* The newest TRACE_RING records.  It is not part of a world (records are made again by replay); the
 * world only counts them. */
struct trace {
	enum trace_level level; /* records above it are not made */
	int64_t now_ms;		/* of the event under way: set by the simulation */
	uint64_t event;
	struct heap *heap; /* where log lines are kept */
	struct trace_sink sinks[10];
	uint64_t first, end; /* numbers of the records kept: first .. end - 1 */
	VEC(struct trace_record) ring;
};

struct trace *trace_new(enum trace_level level);
void trace_free(struct trace *t);
/* Does somebody look that closely?  t may be NULL: nobody looks at all. */
static inline bool trace_wants(const struct trace *t, unsigned level)
{
	return t && level <= t->level;
}
/* Adds a record, if somebody wants it; time and event are those of the trace. */
void trace_add(struct trace *t, const struct trace_record *r);
/* Room for one more record, to be filled in by the caller. */
struct trace_record *trace_next(struct trace *t);
const struct trace_record *trace_get(const struct trace *t, uint64_t i);
/* Going back: forgets the records from end on. */
void trace_truncate(struct trace *t, uint64_t end);

/* The text of a record without the leading "~ ": "1.000 S2 commit 2". */
void trace_print(struct buf *out, const struct trace_record *r);
/* "append", "send" ... */
const char *trace_kind_name(enum trace_kind k);
/* "story", "raft", "all" to a level; -1 if it is none. */
int trace_level_of(const char *name);
/* What an entry holds in a word or two: "put /a", "empty", "compact 5", "lease grant 1". */
void trace_print_entry(struct buf *out, const struct entry *e);

#endif
