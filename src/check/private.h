/* What the files of this folder share. */
#ifndef CHECK_PRIVATE_H
#define CHECK_PRIVATE_H

#include "check/check.h"
#include "check/model.h"

/* An entry that was seen in some log.  Index and term name it (Log Matching). */
struct seen_entry {
	const struct entry *entry;
	uint64_t prev_term;
	const struct seen_entry *next; /* another one at this index, of another term */
};

/* A committed entry, and what the model made of it. */
struct fact {
	const struct entry *entry;
	uint64_t commit_term; /* the term of the member that committed it first */
	struct outcome out;
};

/* A member as it was after the event before. */
struct seen_member {
	uint64_t id;
	uint32_t wiped; /* how often its disk was emptied */
	bool up;
	uint32_t life;
	struct raft_view raft;
	uint64_t applied;
	int64_t rev;
	struct pvec
	    log; /* const struct entry *, by index: as raft has it, or the disk of a dead member */
	struct pvec disk;  /* the same, of what is durable */
	uint64_t wal_read; /* records of the WAL that went into disk */
	uint64_t disk_term, disk_vote;
	int64_t term_ms; /* when that term was written */
};

/* A request of a client that has no answer yet. */
struct open_call {
	uint64_t id;
	int64_t floor_rev; /* the newest revision that anybody had seen when it began */
	uint64_t index;	   /* of its entry; 0: none is committed */
};

/* A member's clock, from the moment at which its rate was set. */
struct wrong_clock {
	unsigned member;
	struct clock clock;
};

/* A watcher's connection, and how far its events have come. */
struct seen_watch {
	uint64_t stream, nevents, nprogress;
	uint32_t nlists;
	bool placed;	  /* the revision from which the connection begins is known */
	bool started;	  /* next_rev is known */
	bool elsewhere;	  /* what it has is of a cluster that is no more */
	int64_t next_rev; /* what it has is complete below this revision */
	int64_t told_rev; /* that it is complete up to here it was told last; 0: never */
	uint64_t pos;	  /* place in the model's changes from which on the next event must be */
};

struct checker {
	struct heap *heap;		    /* shared by copies */
	uint32_t cluster;		    /* the world's cluster that is watched: the newest */
	struct violation violation, damage; /* damage: the first that is known */
	bool broken;
	uint16_t bad_stores;	       /* members whose stores were changed on purpose, as bits */
	bool lost_logs;		       /* some member has lost some of its log, or all */
	uint64_t touched[MEMBERS_MAX]; /* as each member counted it when it was looked at */
	struct seen_member members[MEMBERS_MAX];
	VEC(uint8_t) leaders; /* by term; 0: nobody was seen to lead in it */
	int64_t deposed_ms;   /* when a member last ceased to lead */
	int64_t emptied_ms;   /* when an empty entry was last committed that began no term */
	struct pvec entries;  /* struct seen_entry *, by index */
	struct pvec facts;    /* struct fact *, by index */
	struct model model;
	int64_t now_ms;			 /* of this look */
	uint64_t nflights;		 /* messages sent, as seen last */
	uint64_t next_call, calls_ended; /* of the world, as seen last */
	int64_t known_rev;		 /* the newest revision that a client has seen */
	VEC(struct wrong_clock) clocks;	 /* in order of time */
	VEC(struct open_call) open;
	VEC(struct seen_watch) watches;
};

/* Has something been done to the disk that no promise covers? */
static inline bool has_bad_store(const struct member *m)
{
	return m->disk.store_damaged || m->store_behind;
}

static inline bool has_lost_log(const struct member *m)
{
	return m->disk.log_damaged || m->disk.wiped;
}

/* Notes that a rule is broken, if none was before.  members: bits; ends the look, unless it is
 * known damage of a store. */
void check_break(struct checker *c, const char *rule, unsigned members, const char *fmt, ...)
    __attribute__((cold, format(printf, 4, 5)));

static inline unsigned member_bit(unsigned number)
{
	return 1u << (number - 1);
}

/* Members of a cluster that another has taken the place of are none of the checker's business. */
static inline bool is_watched(const struct checker *c, const struct member *m)
{
	return m->cluster == c->cluster;
}

static inline const struct fact *fact_at(const struct checker *c, uint64_t index)
{
	if (index < c->facts.first || index >= c->facts.end)
		return NULL;
	return pvec_get(&c->facts, index);
}

/* raft.c: what is known of an entry that some log has or had. */
const struct seen_entry *check_seen_entry(const struct checker *c, const struct entry *e);
/* What has become durable; then a member after an event, by the rules of the Raft paper. */
void check_disk(struct checker *c, const struct world *w, unsigned number);
void check_raft(struct checker *c, const struct world *w, unsigned number);
/* An entry is committed, in this term. */
void check_new_fact(struct checker *c, const struct world *w, uint64_t term, const struct entry *e);
/* Messages that have been sent promise nothing that is not durable. */
void check_messages(struct checker *c, const struct world *w);

/* store.c: the member has applied an entry; its store must be what the model was after it. */
void check_store(struct checker *c, const struct world *w, unsigned number);
/* Everything that is in the store, at rest. */
void check_store_end(struct checker *c, const struct member *m);

/* linear.c: requests begin, take effect, end. */
void check_calls_begin(struct checker *c, const struct world *w);
void check_calls(struct checker *c, const struct world *w);
/* The entry of a request has been committed. */
void check_call_committed(struct checker *c, const struct fact *f);
/* Nobody may learn later of less than this. */
void check_seen_rev(struct checker *c, int64_t rev);

/* lease.c */
/* A member to which something was done: its clock may have been set. */
void check_clock(struct checker *c, const struct member *m);
/* Before the model carries out a revocation. */
void check_lease_committed(struct checker *c, const struct world *w, const struct entry *e);
void check_lease_reply(struct checker *c, const struct world *w, const struct call *call);
void check_leases(struct checker *c, const struct member *m, const struct fact *f);

/* watch.c */
void check_watches(struct checker *c, const struct world *w);
void check_watches_end(struct checker *c, const struct world *w);

#endif
