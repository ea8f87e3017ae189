/* Stepping the world.  Nothing else changes it.
 *
 * One event at a time: one message delivered, one write synced, one entry applied, one tick, one
 * reply.  The order inside an instant is that of design.md 3.  All functions are deterministic.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim/world.h"

/* A world in the start state of design.md 4; trace may be NULL.  Free with world_free, which frees
 * the heap only if it was the last of its family (family: copies made with world_copy). */
struct world *world_new(const struct config *cfg, struct trace *trace);
/* A checkpoint: independent from now on, sharing what is immutable. */
struct world *world_copy(struct world *w);
void world_free(struct world *w);

/* Runs the next event of this instant.  False: nothing more can happen before the clock moves. */
bool sim_step(struct world *w);
/* Whether sim_step would do something. */
bool sim_pending(const struct world *w);
/* The next time at which something happens by itself (a tick, a limit, a delayed delivery). */
int64_t sim_next_ms(const struct world *w);
/* Moves the clock, to sim_next_ms at most, and begins that instant.  Only when nothing is pending.
 */
void sim_advance(struct world *w, int64_t ms);

/* What the next event will be, for the screen's "next" and the bold message; false if nothing is
 * pending. */
bool sim_describe_next(const struct world *w, struct buf *out);

/* Clients. */
struct call_options {
	const char *client;			    /* NULL: kube-apiserver */
	struct bytes text;			    /* as typed */
	uint8_t endpoints[MEMBERS_MAX], nendpoints; /* 0: the default endpoint */
	int64_t timeout_ms;			    /* INT64_MAX: none */
	bool numbered;				    /* takes an rN, if the world numbers now */
};
/* Starts a request (in the heap, immutable); returns the call's id.  The next event brings it to
 * its member. */
uint64_t sim_call(struct world *w, const struct request *req, const struct call_options *o);
/* The client gives up (Ctrl-C): the call ends with ERR_CANCELED. */
void sim_call_cancel(struct world *w, uint64_t call);

struct watch_options {
	const char *client;
	struct bytes name; /* n == 0: none */
	struct key_range range;
	struct bytes user; /* who has logged in; n == 0: nobody */
	struct bytes shown;
	int64_t rev; /* 0: from now */
	bool prev_kv, no_put, no_delete, informer;
	bool fragment; /* a large response may come in parts */
	bool progress_notify;
	uint32_t session; /* a watcher whose stream it shares; 0: it has one of its own */
	uint8_t endpoints[MEMBERS_MAX], nendpoints; /* 0: it follows the leader */
};
/* Starts a watcher; returns its number.  Its notes tell what it gets. */
uint32_t sim_watch(struct world *w, const struct watch_options *o);
void sim_unwatch(struct world *w, uint32_t watcher);
void sim_drop(struct world *w, uint32_t watcher);
void sim_resume(struct world *w, uint32_t watcher);
/* Its client stops reading, or reads on. */
void sim_stall(struct world *w, uint32_t watcher, bool stalled);
/* Asks how far the watchers of its stream are. */
void sim_progress(struct world *w, uint32_t watcher);

/* Faults.  The command layer has checked the arguments. */
enum kill_how {
	KILL_PROCESS,
	KILL_POWER,
	KILL_TERM,
	KILL_REMOVED,
	KILL_FATAL /* it ends by itself: failure of the member says why */
};
enum kill_point {
	KILL_NOW,
	KILL_APPEND,
	KILL_FSYNC,
	KILL_SEND,
	KILL_COMMIT,
	KILL_APPLY,
	KILL_REPLY
};
void sim_kill(struct world *w, unsigned member, enum kill_how how, enum kill_point at);
/* "fsync"; "" for KILL_NOW. */
const char *kill_point_name(enum kill_point at);
/* A member that has been removed for good does not come back; one whose disk it cannot use stays
 * down, and its failure says why. */
void sim_restart(struct world *w, unsigned member);
/* The same where the data directory is empty, for a process that was told that its cluster exists
 * already (etcd: --initial-cluster-state=existing): it joins with nothing in its log. */
void sim_restart_existing(struct world *w, unsigned member);
/* "all", "none", "part" for an enum lose_unsynced. */
extern const char *const lose_names[];
/* The same with --force-new-cluster: it goes on alone, as another cluster. */
void sim_restart_alone(struct world *w, unsigned member);
/* Starts a member, which is not running, from a directory of this world of which nobody has made
 * use yet. */
void sim_start_from(struct world *w, unsigned member, const struct data_dir *d);
/* What may be done to a disk; what is not asked for stays as it is. */
struct disk_change {
	bool reset; /* delay, full and lose first go back to what they are at the start */
	bool set_delay, set_full, set_lose, full;
	uint32_t delay_ms, delay_most_ms; /* an fsync takes a time from here to there */
	enum lose_unsynced lose;
	bool flip_wal, flip_db; /* a bit of the newest entry; the last byte of the newest value */
	uint32_t zero_tail,
	    cut_tail; /* so many bytes at the end of the log become zero, or are gone */
	bool wipe;    /* the data directory is emptied */
};
/* Why it cannot be done to a member in this condition (constant); NULL: it can. */
const char *sim_disk_why_not(const struct world *w, unsigned member, const struct disk_change *c);
/* Does it; false: it cannot be done, and *why says why.  One damage at a time. */
bool sim_disk(struct world *w, unsigned member, const struct disk_change *c, const char **why);
/* Starts a member that was added; false: it has been started before, or there is none of that
 * number. */
bool sim_start(struct world *w, unsigned member);
/* group[i]: which part member i+1 is in; members of different parts do not hear each other. */
void sim_partition(struct world *w, const uint8_t group[MEMBERS_MAX]);
/* From and to: members' numbers, or LINK_CLIENT. */
void sim_cut(struct world *w, unsigned from, unsigned to, bool oneway);
/* Undoes partitions and cuts; what sim_set_link has done stays. */
void sim_heal(struct world *w);
/* Other values for links.  LINK_MEMBERS stands for every member, those added later too. */
enum { LINK_MEMBERS = LINK_ENDS };
enum { LINK_DELAY = 1, LINK_LOSS = 2, LINK_DUPLICATE = 4, LINK_REORDER = 8, LINK_ALL = 15 };
struct link_change {
	uint8_t from, to; /* LINK_CLIENT, a member's number, LINK_MEMBERS */
	bool oneway;	  /* else the other direction too */
	uint8_t fields;	  /* LINK_DELAY | ...: which of them change */
	struct link link;
};
void sim_set_link(struct world *w, const struct link_change *c);
/* " delay 20-80ms loss 5%": the fields that are named. */
void link_print(struct buf *out, const struct link *l, unsigned fields);
void sim_timeout(struct world *w, unsigned member);
/* SIGSTOP: the process of a running member stands still, and keeps its memory and its connections.
 * SIGCONT: it goes on with what it was doing, then with what has come meanwhile. */
void sim_pause_member(struct world *w, unsigned member);
void sim_resume_member(struct world *w, unsigned member);
/* The member's clock runs at that rate from now on, in parts in a million (CLOCK_RIGHT: right); of
 * 100000 to 10000000. */
void sim_skew(struct world *w, unsigned member, int64_t rate_ppm);
/* Settings take effect (config_set has been done on a copy).  Those of the start only while nothing
 * has happened yet: then the cluster begins anew. */
void sim_configure(struct world *w, const struct config *cfg);

/* `wait quiet`: is anything but heartbeats under way? */
bool sim_quiet(const struct world *w);
/* Is anything on its way, or at work, that arrives or ends at a later instant? Heartbeats do not
 * count. */
bool sim_under_way(const struct world *w);
/* Has a leader committed an entry of its own term? (`wait leader`) */
bool sim_has_leader(const struct world *w);

#endif
