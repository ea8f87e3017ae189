/* What the files of this folder share. */
#ifndef SIM_PRIVATE_H
#define SIM_PRIVATE_H

#include "sim/sim.h"

enum instant_stage { STAGE_TICKS, STAGE_LESSORS, STAGE_LIMITS, STAGE_COMPACTORS, STAGE_REST };

/* KILL_TERM of a leader: it dies when it has handed its leadership over; of one that stands still:
 * it learns of it when it goes on. */
enum { KILL_WHEN_FOLLOWER = 100, KILL_WHEN_RESUMED };

/* etcd's limit for reading from a peer and writing to it: a silent connection counts as lost then.
 */
enum { NOTICE_MS = 5000 };

/* How long TCP goes on sending on a link whose other direction is cut: its first retransmission
 * timeout, and a heartbeat. */
enum { STALL_MS = 300 };

/* How long a client waits for a sign of life (gRPC's smallest time between pings, and etcdctl's
 * --keepalive-timeout): then it closes the connection and looks for another member. */
enum { CLIENT_NOTICE_MS = 10000 + 6000 };

/* Its process runs. */
static inline bool member_up(const struct member *m)
{
	return m->condition == MEMBER_UP;
}

/* There is a process, if only one that stands still: its connections are open. */
static inline bool member_alive(const struct member *m)
{
	return m->condition == MEMBER_UP || m->condition == MEMBER_PAUSED;
}

/* The surroundings of a member, for one event. */
struct server_env sim_env(struct world *w);
void sim_cause(struct world *w, enum work_kind kind, unsigned member, uint64_t arg);
/* Due at a later instant; member 0: it is on its way, and nobody's death makes it void. */
void sim_cause_at(struct world *w, enum work_kind kind, unsigned member, uint64_t arg,
		  int64_t due_ms);
struct raft_config sim_raft_config(const struct world *w, unsigned number);
struct raft_logger sim_logger(struct world *w, unsigned number);

/* net.c */
void net_send_ready(struct world *w, struct member *m);
bool net_pending(const struct world *w);
/* Index of the next flight that can be delivered; SIZE_MAX: none. */
size_t net_next(const struct world *w);
/* Delivers a flight; returns the member that it was for. */
unsigned net_deliver(struct world *w, size_t flight);
/* A member that has started connects to the others. */
void net_introduce(struct world *w, struct member *m);
void net_send_snapshot(struct world *w, struct member *m);
void net_report_snapshot(struct world *w, struct member *sender, uint64_t to, bool ok);
bool heartbeat_has_no_effect(const struct world *w, const struct message *m, unsigned to);

/* pause.c */
/* Its work does not go on, and messages to it wait. */
static inline bool stands_still(const struct world *w, unsigned member)
{
	return member && w->npaused && world_member(w, member)->condition == MEMBER_PAUSED;
}
/* Keeps work of a member that stands still until it goes on. */
void pause_put_aside(struct world *w, const struct work *k);
/* The process goes on, or is gone: what was put aside is work again, or void. */
void pause_end(struct world *w, struct member *m);
/* Has the sender as many messages waiting for it as it keeps? */
bool pause_is_full(const struct world *w, unsigned from, unsigned to);
/* When clients notice next that a member does not answer; INT64_MAX: never. */
int64_t pause_next_notice(const struct world *w);
void pause_run_notice(struct world *w);

/* clock.c */
/* When the member's next tick, and its lessor's next look, are due. */
int64_t clock_next_tick(const struct world *w, const struct member *m);
int64_t clock_next_look(const struct world *w, const struct member *m);
/* What wrong clocks had to do at this instant is done, or missed. */
void clock_end_instant(struct world *w);

/* link.c: ends are numbers of members, or LINK_CLIENT */
bool net_connected(const struct world *w, unsigned a, unsigned b);
bool link_hears_no_more(const struct world *w, unsigned from, unsigned to);
static inline bool link_is_cut(const struct world *w, unsigned from, unsigned to)
{
	return w->faulty && link_hears_no_more(w, from, to);
}
/* Is nothing set, in either direction? */
bool link_is_plain(const struct world *w, unsigned a, unsigned b);
/* When a client gives its connection to the member up, because the link is cut; INT64_MAX: it is
 * not. */
int64_t link_client_notices_ms(const struct world *w, unsigned member);
/* Has no client given its connections to the member up, because of a cut? */
static inline bool link_client_reaches(const struct world *w, unsigned member)
{
	return !w->faulty || link_client_notices_ms(w, member) > w->now_ms;
}
/* What becomes of something that is sent now. */
struct fate {
	bool lost;
	bool ahead; /* it overtakes what is under way */
	bool twice;
	int64_t due_ms, copy_ms;
};
struct fate link_fate(struct world *w, unsigned from, unsigned to);
static inline struct fate link_send(struct world *w, unsigned from, unsigned to)
{
	return w->faulty ? link_fate(w, from, to) : (struct fate){.due_ms = w->now_ms};
}

/* forward.c */
/* Something on its way between two members. */
struct forward {
	uint64_t call;
	unsigned from, to;	       /* the member that asks, the leader */
	uint32_t life;		       /* of the one that asks */
	const struct response *answer; /* NULL: on its way to the leader */
};
void client_answer_leases(struct world *w, struct member *m);
/* What a member has forwarded to the leader arrives there, or the answer comes back. */
void forward_arrive(struct world *w, uint64_t arg);

/* client.c */
/* A reply that takes its time. */
struct reply {
	uint64_t call;
	const struct response *response;
	unsigned from;
};
struct call *client_call(struct world *w, uint64_t id);
/* The request reaches a member. */
void client_arrive(struct world *w, unsigned member, uint64_t call);
/* The member answers. */
void client_reply(struct world *w, struct member *m, uint64_t call);
/* The reply reaches the client. */
void client_reply_arrives(struct world *w, uint64_t arg);
void client_fail(struct world *w, struct call *c, enum error e);
/* Its member has gone: reads try another, writes end with the Unavailable text. */
void client_member_died(struct world *w, unsigned member);
/* It stops in good order: what it has taken is not answered, and the client waits for its own limit
 * (cluster-facts M5). */
void client_member_removed(struct world *w, unsigned member);
void client_member_started(struct world *w);
/* Its member does not answer, and the connection is closed: the same for what has reached it. */
void client_member_silent(struct world *w, unsigned member);
int64_t client_next_limit(const struct world *w);
bool client_limit_due(const struct world *w);
void client_run_limit(struct world *w);
/* A link to or from clients is another now, or cuts are undone. */
void client_links_changed(struct world *w);

/* kube.c: who compacts by himself, the members' compactors and API servers. */
int64_t kube_next_ms(const struct world *w);
/* The next one that is due takes its turn. */
void kube_run(struct world *w);
void kube_answered(struct world *w, const struct call *c);
/* Settings have changed, or a member has started. */
void kube_configure(struct world *w, int64_t old_interval_ms, uint32_t old_servers);
void kube_configure_member(struct world *w, struct member *m);

/* watcher.c */
struct watch_client *watcher_named(struct world *w, uint32_t number);
/* NULL: the connection has been given up meanwhile. */
struct watch_client *watcher_of_stream(struct world *w, uint64_t stream);
void watcher_note(struct world *w, struct watch_note n);
/* The watch is over; an informer lists again if its history is gone. */
void watcher_cancel(struct world *w, struct watch_client *c, enum error reason, int64_t compact);
/* The member to connect to: the first of its endpoints that is up, without any the member that
 * requests go to. */
uint8_t watcher_choose(const struct world *w, const struct watch_client *c);
/* A client's question arrives. */
void watcher_ask_progress(struct world *w, struct member *m, uint64_t stream);
/* A learner turns streams away, and the client tries again and again without a word: the watch is
 * there and shows nothing (cluster-facts M4). */
void watcher_wait_for_promotion(struct world *w, struct watch_client *c);
/* One that is bound to no member is nowhere until somebody leads, and goes on there (design.md 4).
 */
void watcher_wait_for_leader(struct world *w, struct watch_client *c);
bool watcher_is_connected(const struct watch_client *c);
/* From last seen + 1, where requests go now. */
void watcher_reconnect(struct world *w, struct watch_client *c);
void watcher_listed(struct world *w, struct call *c);
/* Watchers whose member is gone or has no leader move to the leader, if there is one. */
void watcher_move_all(struct world *w);
void watcher_member_died(struct world *w, unsigned member);
void watcher_member_started(struct world *w, unsigned member);
/* Its clients have closed their connections and try to come back. */
void watcher_member_silent(struct world *w, unsigned member);
/* A member that has had no leader for three election timeouts cancels its watchers (cluster-facts
 * V2); those that were not bound to it look for another one. */
void watcher_check_leader(struct world *w, struct member *m);

/* watch_receive.c: what a response means to the client. */
void watcher_take(struct world *w, struct watch_client *c, struct member *m,
		  const struct watch_response *r);
/* Watchers that had nothing to replay are live at once. */
void watcher_synced(struct world *w, struct member *m);

/* stream.c */
/* A response on its way to its client. */
struct delivery {
	struct watch_response r; /* of which watcher is the stream */
	enum error refused;
	unsigned from;
};
void watcher_connect(struct world *w, struct watch_client *c);
/* The member ends it with an error. */
void watcher_refuse(struct world *w, struct watch_client *c, enum error reason);
/* Is a response of the stream on its way to the client? */
bool watcher_is_under_way(const struct world *w, uint64_t stream);
/* The request of a connection arrives; void if the watcher has another one by now. */
void watcher_arrive(struct world *w, uint64_t stream);
/* The client asks its member how far it is. */
void watcher_send_question(struct world *w, struct watch_client *c);
/* The member sends its oldest watch response. */
void watcher_send(struct world *w, struct member *m);
/* A watch response reaches the client. */
void watcher_receive(struct world *w, uint64_t arg);
/* Broken connections are made again when their time has come. */
int64_t watcher_next_broken(const struct world *w);
static inline int64_t watcher_next_retry(const struct world *w)
{
	return w->faulty ? watcher_next_broken(w) : INT64_MAX;
}
void watcher_retry(struct world *w);
void watcher_links_changed(struct world *w);

/* roster.c */
void roster_begin(struct world *w);
/* The surroundings of a member for an event that may ask for its connections. */
struct server_env roster_env(struct world *w, unsigned member, int64_t active[MEMBERS_MAX]);
/* Since when `from` has its connection to `to`; NOT_CONNECTED: it has none. */
int64_t roster_active_since(const struct world *w, unsigned from, unsigned to);
void roster_connect_all(struct world *w, unsigned member);
/* Before the link is cut, or all are healed. */
void roster_cut(struct world *w, unsigned a, unsigned b);
void roster_heal(struct world *w);
/* A member goes on that had stood still: whoever had given it up is connected anew. */
void roster_resume(struct world *w, const struct member *m);
/* Somebody comes to a number in place of who is there (nobody, if the number is new): another
 * member, on the same machine; or the same one with other data. */
enum successor { OTHER_MEMBER, SAME_MEMBER };
void roster_replace(struct world *w, struct member *m, enum successor who);
/* There are numbers up to this one now. */
void roster_reach(struct world *w, unsigned number);
/* An entry has been applied: it may have added a member. */
void roster_learn(struct world *w, const struct member *m, const struct entry *e);
int64_t roster_next_stop(const struct world *w);
void roster_run_stop(struct world *w);
/* The member's data directory is emptied, while it is down. */
void roster_wipe(struct world *w, struct member *m);
/* It boots as all members of the start once did: nobody tells it that they have. */
void roster_boot_again(struct world *w, unsigned member);
/* Was it one of the cluster's first members? */
bool roster_is_first(const struct world *w, unsigned member);

/* fault.c */
void fault_start(struct world *w, unsigned member, enum fault_kind kind);
void fault_die(struct world *w, struct member *m, enum kill_how how);
/* Ends a process that cannot go on.  True: it has. */
bool fault_ends(struct world *w, struct member *m);
void fault_terminate(struct world *w, struct member *m);
/* Does the member die just before it would do this? Then it is done. */
bool fault_strikes(struct world *w, struct member *m, enum kill_point point);

/* disk.c */
/* May a process start from this disk?  What has to be repaired is.  False: it has a failure. */
bool disk_lets_start(struct world *w, struct member *m);
/* The same of one with nothing on it, for a process that takes its cluster to be new, or to exist.
 * A new one may be made anew. */
bool disk_lets_join(struct world *w, struct member *m, bool existing);

/* observe.c: what has happened becomes trace records and moves the path strip. */
struct observed {
	struct raft_view raft;
	uint32_t life;
};
struct observed observe_before(const struct member *m);
/* What a change of a member's raft brings with it; called at the end of every event that may bring
 * one. */
void sim_changed(struct world *w, struct member *m, const struct observed *before);
/* True if the member's role, term or leader is another. */
bool observe_after(struct world *w, struct member *m, const struct observed *before);
void observe_request(struct world *w, const struct call *c, unsigned member);
void observe_append(struct world *w, struct member *m);
void observe_fsync(struct world *w, struct member *m);
void observe_message(struct world *w, enum trace_kind kind, unsigned member, unsigned peer,
		     const struct message *m);
void observe_apply(struct world *w, struct member *m, const struct entry *e, int64_t rev_before);
void observe_install(struct world *w, struct member *m, const struct snapshot *s,
		     int64_t rev_before);
/* A line of the server's own log. */
void observe_log(struct world *w, const struct member *m, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void observe_reply(struct world *w, const struct call *c);
void observe_event(struct world *w, const struct watch_client *c, const struct event *e);
void observe_stall(struct world *w, const struct watch_client *c);
void observe_progress(struct world *w, const struct watch_client *c, int64_t rev);
void observe_watch(struct world *w, const struct watch_client *c, enum watch_news news,
		   int64_t rev);
void observe_lease(struct world *w, unsigned member, int64_t id, enum lease_news news,
		   int64_t seconds);
void observe_truncate(struct world *w, struct member *m, const struct message *msg);
void observe_fault(struct world *w, enum fault_kind kind, unsigned member, unsigned peer);
/* text: in the heap, or constant; NULL: none. */
void observe_fault_text(struct world *w, enum fault_kind kind, unsigned member, const char *text);
void observe_link(struct world *w, const struct link_change *c);
/* Something between a client and a member is lost: number of the request or of the watcher. */
void observe_client_lost(struct world *w, enum fault_kind kind, unsigned member, uint64_t number);
/* FAULT_RESTORE, FAULT_ALONE, with their numbers. */
void observe_new_cluster(struct world *w, enum fault_kind kind, unsigned member, int64_t b,
			 int64_t c);
void observe_tick(struct world *w, unsigned member);

/* path.c */
enum path_stage {
	STEP_CLIENT,
	STEP_FORWARD,
	STEP_APPEND,
	STEP_FSYNC,
	STEP_MSGAPP,
	STEP_ACK,
	STEP_COMMIT,
	STEP_APPLY,
	STEP_REPLY,
	STEP_WATCH,
	STEP_READ_INDEX,
	STEP_HEARTBEAT,
	STEP_MAJORITY,
	STEP_APPLIED,
	STEP_READ,
	STEP_LESSOR,
	STEP_EXPIRY,
	STEP_TIMEOUT,
	STEP_PRE_VOTE,
	STEP_VOTE,
	STEP_LEADER,
	STEP_EMPTY,
	STEP_CONFLICT,
	STEP_TRUNCATE,
	STEP_MSGSNAP,
	STEP_RESTORE,
	STEP_CUT,
	STEP_RECONNECT,
	STEP_REPLAY,
	STEP_LIVE,
	STEP_COUNT
};
void path_begin(struct world *w, enum path_kind kind, uint64_t call, unsigned member);
/* The stage has happened, if the present path has it. */
void path_mark(struct world *w, enum path_stage s);
void path_fail(struct world *w, enum path_stage s);
/* One more acknowledgement of what the path is about. */
void path_ack(struct world *w, unsigned member);
bool path_done(const struct world *w, enum path_stage s);

#endif
