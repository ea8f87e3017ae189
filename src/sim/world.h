/* The world as a value: configuration, clock, generator, members, network, clients, watchers,
 * requests.
 *
 * sim.h steps it; everybody else reads it through const.  What does not change lives in the heap
 * and is shared between a world and its past states.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include "api/entry.h"
#include "api/request.h"
#include "base/heap.h"
#include "base/prng.h"
#include "base/vec.h"
#include "lease/lessor.h"
#include "mvcc/mvcc.h"
#include "raft/raft.h"
#include "server/server.h"
#include "sim/config.h"
#include "sim/trace.h"
#include "watch/watchable.h"

/* The ends of links: numbers of members, and one for all clients. */
enum { LINK_CLIENT = 0, LINK_ENDS = MEMBERS_MAX + 1 };

/* How a link carries what is sent over it, in one direction; all 0: at once, and all of it. */
struct link {
	int32_t delay_ms, delay_max_ms; /* drawn from this range; two equal numbers: always that */
	uint8_t loss;			/* percent that never arrive */
	uint8_t duplicate;		/* percent that arrive twice */
	uint8_t reorder;		/* percent that overtake what is under way */
};
bool link_is_set(const struct link *l);

/* A message under way between members. */
struct flight {
	struct message m;
	uint8_t from, to; /* 1..9 */
	bool copy;	  /* it was sent once and arrives twice: the second one */
	int64_t due_ms;
	uint64_t number; /* in order of sending */
};

enum call_state { CALL_OPEN, CALL_DONE };

/* A request of a client and what became of it. */
struct call {
	uint64_t id;	    /* unique in the world */
	uint64_t number;    /* rN; 0: it takes no number (set-up, an informer's list) */
	const char *client; /* "kube-apiserver", "node-a"; in the heap */
	const char *text; /* the command as typed, for the client pane; in the heap; may be NULL */
	const struct request *req;
	uint8_t asked[MEMBERS_MAX], nasked; /* endpoints, in the order given; at least one */
	uint8_t at;			    /* the member that has it now */
	enum call_state state;
	bool follows_leader; /* no endpoint was given: the client finds the leader */
	bool arrived;	     /* it has reached a member */
	bool parked;	     /* no member that it may ask is up */
	bool under_way;	     /* the request is */
	int64_t due_ms;	     /* when the request that is under way arrives */
	bool replied;	     /* the reply is under way */
	int64_t gives_up_ms; /* request or reply is lost: when the client notices the silence of its
				connection; 0: nothing is lost */
	int64_t start_ms, deadline_ms; /* of the client; INT64_MAX: none */
	int64_t end_ms;
	int64_t rev_before,
	    rev_after; /* the store's revision as the request and the reply saw it */
	uint64_t log_before, log_after; /* end of the leader's log likewise */
	uint64_t term;
	uint64_t index;			 /* log index its entry got; 0: none (yet) */
	uint64_t done_event;		 /* event number at which it ended */
	const struct response *response; /* set when done; error inside */
};

enum watch_state { WATCH_LIVE, WATCH_REPLAYING, WATCH_IS_CUT, WATCH_IS_CANCELED, WATCH_WAITING };

/* An event as its watcher got it; at: number of the world's event, for the marks of the screen. */
struct got_event {
	struct event e;
	uint64_t at;
};

enum { WATCH_SHOWN = 64 };

/* A watcher as its client sees it. */
struct watch_client {
	uint32_t number; /* w1, w2, ... */
	const char *client;
	const char *name; /* watcher --name; NULL: none */
	bool informer;
	bool gone; /* unwatched: keeps its number */
	struct key_range range;
	struct bytes user;  /* who has logged in; n == 0: nobody */
	struct bytes shown; /* the key or prefix as typed */
	bool prev_kv, no_put, no_delete, fragment, progress_notify;
	bool stalled;	  /* its client does not read */
	uint32_t session; /* watchers of one stream (watch -i): the number of the first; 0: alone */
	int64_t asked_rev;  /* --rev; 0: none */
	int64_t from;	    /* revision of its present connection's start */
	int64_t seen;	    /* last revision received */
	uint64_t nevents;   /* received since it began */
	uint64_t nprogress; /* reports of progress likewise */
	enum watch_state state;
	enum error cancel_reason;
	int64_t cancel_compact;		    /* revision told with the cancellation; 0: none */
	uint8_t asked[MEMBERS_MAX], nasked; /* --endpoints; none: it follows the leader */
	uint8_t at;			    /* member that serves it; 0: none */
	uint8_t moved_from;		    /* member it was moved away from last; 0: never */
	int64_t moved_ms;
	uint64_t listed_count; /* informer: of its newest list */
	int64_t listed_rev;
	uint32_t nlists;
	uint64_t list_call;    /* informer: the list under way; 0: none */
	uint64_t stream;       /* of its present connection, unique in the world; 0: none */
	int64_t retry_ms;      /* when its client makes a new connection; 0: no need */
	bool waits_for_leader; /* its member has started again and has no leader yet, or is a
				  learner */
	bool told_created;     /* its client has been told that it exists */
	VEC(struct got_event) shown_events; /* the newest WATCH_SHOWN */
	VEC(const struct event *)
	parts;			       /* of a response whose last fragment is still to come */
	VEC(const struct row *) cache; /* informer: existing objects in order of key */
};

/* What a watcher's client would print, in order of arrival; the command layer empties it. */
enum watch_note_kind {
	NOTE_CREATED,
	NOTE_EVENT,
	NOTE_CANCELED,
	NOTE_LISTED,
	NOTE_PROGRESS,
	NOTE_FRAGMENT
};
struct watch_note {
	uint32_t watcher;
	enum watch_note_kind kind;
	struct event event;
	enum error reason;
	int64_t revision; /* NOTE_CANCELED: compact revision; NOTE_LISTED: of the list;
			     NOTE_PROGRESS: complete up to it */
	uint64_t count;	  /* NOTE_LISTED: of keys; NOTE_FRAGMENT: of events */
};

/* A lease that has ended lately, for the screen. */
struct ended_lease {
	int64_t id;
	int64_t ms;
	bool expired; /* else revoked by a client */
	uint64_t at;  /* event number */
};

/* Stages of a request's path (screen-design.md B.3). */
enum path_kind {
	PATH_NONE,
	PATH_WRITE,
	PATH_WRITE_FORWARDED,
	PATH_READ_LINEARIZABLE,
	PATH_READ_SERIALIZABLE,
	PATH_KEEP_ALIVE,
	PATH_EXPIRY,
	PATH_ELECTION,
	PATH_REPAIR,
	PATH_SNAPSHOT, /* repair by a snapshot: the entries that a member lacks are gone */
	PATH_RESUME,
	PATH_KIND_COUNT
};

struct path {
	enum path_kind kind;
	uint64_t call;	      /* 0: none (election, expiry, repair) */
	uint64_t index;	      /* log index it is about */
	uint32_t done;	      /* bit i: stage i has happened */
	int8_t current;	      /* newest stage; -1: none */
	int8_t failed;	      /* stage at which it failed; -1 */
	uint8_t member;	      /* member asked, campaigning, or under repair */
	uint8_t acks, needed; /* where a stage counts towards a majority */
	uint16_t acked;	      /* bit i: member i + 1 has been counted */
};
/* Names of the stages of a kind, in order, as the strip writes them; NULL-terminated. */
const char *const *path_stages(enum path_kind k);
/* Does the stage (a position in that list) count acknowledgements? */
bool path_stage_counts(enum path_kind k, int stage);

/* An API server that compacts (sim/kube.c). */
enum { KUBE_MAX = 3 };
struct kube_compactor {
	int64_t next_ms;   /* of its next turn; INT64_MAX: none */
	int64_t time, rev; /* version of compact_rev_key, and the revision, as it knows them */
	uint64_t call;	   /* under way; 0: none */
};

/* A file on the world's own disk: the snapshot of a database. */
struct world_file {
	const char *name; /* in the heap */
	const struct store_image *image;
	const struct store_image *written; /* what its digest was made of; not the same: damaged */
};

/* A data directory, made by restoring a snapshot. */
struct data_dir {
	const char *name; /* in the heap, as all strings here */
	uint64_t id;	  /* of the member that it makes */
	const char *member_name, *peer_url;
	const struct origin *origin; /* the cluster that it belongs to; in the heap */
	const struct store_image *image;
	uint32_t batch;	  /* directories that were made together */
	uint32_t cluster; /* of the member that has started from it; 0: none has */
	bool unfinished;  /* restoring has failed when the database was there, and no log */
};

struct world {
	struct heap *heap;   /* shared by the family */
	struct trace *trace; /* shared; NULL: nobody looks */
	struct config cfg;
	struct server_settings settings; /* what members read of it */
	struct prng prng;
	int64_t now_ms;
	uint64_t events; /* events stepped since the start */
	uint64_t ntrace; /* trace records made since the start */
	uint32_t nmembers;
	struct member *members[MEMBERS_MAX]; /* S1 is members[0]; owned */
	bool faulty;			/* a link has been cut or set: else nobody needs to look */
	bool cut[LINK_ENDS][LINK_ENDS]; /* [from][to] */
	int64_t cut_ms[LINK_ENDS][LINK_ENDS];	     /* when the cut began */
	struct link link[LINK_ENDS][LINK_ENDS];	     /* [from][to] */
	int64_t link_last_ms[LINK_ENDS][LINK_ENDS];  /* when the last thing sent arrives */
	struct origin origin;			     /* what a member that is added begins with */
	struct peer peers[MEMBERS_MAX];		     /* who S1, S2, ... are */
	int64_t active_ms[MEMBERS_MAX][MEMBERS_MAX]; /* since when peers are connected, but for what
							is cut or down */

	/* One instant: first ticks, lessors, limits; then local work; then messages. */
	struct {
		uint8_t stage;	/* enum instant_stage (sim.c) */
		uint8_t member; /* next member of the stage */
	} instant;
	int64_t next_tick_ms, next_lessor_ms; /* of members whose clock is right */
	uint32_t npaused, nskewed;	      /* members that stand still; whose clock is wrong */
	struct kube_compactor kube[KUBE_MAX];
	struct work_list work; /* local work due now, oldest first, from work_head on */
	size_t work_head;
	struct work_list later; /* work that takes time: due at a later instant; by time, then in
				   order of causing */
	struct work_list aside; /* work of members that stand still, in order of causing */
	VEC(struct flight) net; /* messages in order of arrival, from net_head on */
	size_t net_head;
	uint64_t nflights; /* sent since the start; the latest has this number */

	uint64_t next_call, next_number, next_stream;
	uint64_t calls_ended;		  /* how many, since the start */
	int64_t next_lease;		  /* id that the next granted lease gets */
	bool numbering;			  /* client requests take numbers now (not in set-up) */
	VEC(struct call) calls;		  /* open ones and the latest finished ones, oldest first */
	VEC(struct watch_client) watches; /* w1 is watches.v[0] */
	VEC(struct watch_note) notes;
	VEC(struct ended_lease) ended_leases; /* the latest 16 */
	VEC(struct world_file) files;	      /* in the order of their beginnings, as these: */
	VEC(struct data_dir) dirs;
	uint32_t cluster;   /* the one that lives now: the newest */
	uint32_t nclusters; /* how many have begun after the first */
	uint32_t booted;    /* the one that wiped members have begun last; 0: none */
	bool publish;	    /* members that come now publish their names through the log */
	struct path path;
};

/* Looking. */
static inline struct member *world_member(const struct world *w, unsigned number)
{
	return w->members[number - 1];
}
/* The member that leads in the highest term; 0: none. */
unsigned world_leader(const struct world *w);
/* The member whose numbers the counters show: the leader, else the one with the highest commit
 * index. */
unsigned world_counters_member(const struct world *w);
/* The member that the next request without --endpoints goes to. */
unsigned world_default_endpoint(const struct world *w);
/* The member whose store is shown. */
unsigned world_view(const struct world *w);
/* 1..9 for "S1".."S9", a member's name, its id in hexadecimal, or its client URL; 0: no such
 * member. */
unsigned world_member_named(const struct world *w, struct bytes name);
unsigned world_member_with_id(const struct world *w, uint64_t id);
const struct call *world_call(const struct world *w, uint64_t id);
const struct watch_client *world_watch(const struct world *w, uint32_t number);
/* A digest of everything that decides the future and the picture: equal worlds have equal hashes.
 */
uint64_t world_hash(const struct world *w);

/* The configuration as the member that the counters show has applied it. */
const struct conf_state *world_conf(const struct world *w);
/* How many voters make a majority now ("2 of 3": world_quorum of world_conf(w)->nvoters). */
unsigned world_quorum(const struct world *w);

#endif
