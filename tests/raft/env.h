/* The environment of the suite: simulated members, their storage, and the messages in flight
 * between them (etcd-io/raft: rafttest/interaction_env.go; described in rafttest/README.md).
 */
#ifndef TESTS_RAFT_ENV_H
#define TESTS_RAFT_ENV_H

#include "datadriven.h"
#include "raft/raft_private.h"

struct node {
	struct raft_config config;
	struct storage storage;
	struct raft *raft;
	struct message_list append_work, apply_work; /* asynchronous storage writes only */
	VEC(struct snapshot) history;		     /* the state after each applied entry */
};

struct world {
	VEC(struct node *) nodes;
	struct message_list messages; /* in flight, oldest first */
};

struct env {
	struct heap *heap;
	struct world now, past; /* past: at the last checkpoint */
	struct buf out;		/* of the present directive */
	enum log_level level;
	/* of the folder confchange/ */
	struct tracker tracker;
	uint64_t last_index;
};

void env_init(struct env *e);
void env_free(struct env *e);
/* Runs one directive; the output is complete, with its final newline. */
struct bytes env_run(struct env *e, const struct dd_case *c);

/* A directive: NULL, or the text of the error that it returns. */
typedef const char *env_directive(struct env *e, const struct dd_case *c);

/* env.c */
struct node *env_node(struct env *e, uint64_t id);
struct raft_logger env_logger(struct env *e);
void env_set_level(struct env *e, enum log_level level);
/* The text between is indented by two blanks: size_t mark = env_indent(e); ...; env_unindent(e,
 * mark). */
size_t env_indent(struct env *e);
void env_unindent(struct env *e, size_t mark);
const char *env_error(enum raft_error err);

/* copies.c */
void node_free(struct node *n);
void world_free(struct world *w);
/* Every node is replaced by its copy, which must live on as if nothing had happened. */
void env_replace_by_copy(struct env *e);
env_directive checkpoint, back;

/* own_steps.c */
env_directive take_ready, finish_ready, has_ready_directive, add_settled, show_clock, show_indexes,
    draw_timeouts;

/* Arguments */
uint64_t arg_number(const struct dd_case *c, size_t i);
uint64_t option_number(const struct dd_case *c, const char *key, uint64_t fallback);
bool option_bool(const struct dd_case *c, const char *key);
uint64_t number_of(const char *text);
/* "v1 l2 r3 u4"; returns how many. */
size_t parse_changes(struct bytes input, struct conf_change_single *out);

/* nodes.c */
struct raft_config parse_config(const struct dd_case *c);
/* A node without Raft, with the next id. */
struct node *new_node(struct env *e, const struct raft_config *cfg, const struct snapshot *snap);
env_directive add_nodes, restart, raft_log_directive, raft_state_directive, status_directive,
    compact_directive;

/* process.c */
env_directive process_ready, process_append_thread, process_apply_thread, stabilize;
/* Does what a Ready says; in synchronous mode all of it, and Advance. */
const char *do_ready(struct env *e, struct node *n, const struct ready *rd);
/* The newest snapshot in the history is what a leader sends. */
void node_remember(struct node *n, struct snapshot s);

/* network.c */
env_directive deliver_msgs, drop_pending, duplicate_msgs, reverse_msgs, send_snapshot;
/* Messages to a node are there. */
bool env_has_messages(const struct env *e, uint64_t id);
void env_deliver_all(struct env *e, uint64_t id);

/* steps.c */
env_directive campaign, propose, propose_conf_change, tick_heartbeat, tick_election, tick,
    set_timeout, transfer_leadership, forget_leader, report_unreachable, report_snapshot,
    read_index;

/* ready_text.c */
void print_ready(struct buf *out, const struct ready *rd);
void print_entries_lines(struct buf *out, const struct entry *const *e, size_t n);

/* pure.c: the folders quorum/ and confchange/ */
env_directive committed, vote, simple, enter_joint, leave_joint;

#endif
