/* Members of the environment: made, restarted, looked at (etcd-io/raft: rafttest/
 * interaction_env_handler_add_nodes.go and others). */
#include "env.h"

static size_t option_ids(const struct dd_case *c, const char *key, uint64_t *out)
{
	const struct dd_arg *a = dd_find(c, key);

	for (size_t i = 0; a && i < a->values.n; i++)
		out[i] = number_of(a->values.v[i]);
	return a ? a->values.n : 0;
}

static struct snapshot bootstrap_snapshot(const struct dd_case *c)
{
	struct snapshot s = {.index = option_number(c, "index", 0)};

	s.conf.nvoters = (uint8_t)option_ids(c, "voters", s.conf.voters);
	s.conf.nlearners = (uint8_t)option_ids(c, "learners", s.conf.learners);
	return s;
}

struct raft_config parse_config(const struct dd_case *c)
{
	struct raft_config cfg = {
	    .election_tick = (uint32_t)option_number(c, "election-tick", 3),
	    .heartbeat_tick = (uint32_t)option_number(c, "heartbeat-tick", 1),
	    .applied = option_number(c, "index", 0),
	    .max_size_per_msg = option_number(c, "max-size-per-msg", UINT64_MAX),
	    .max_uncommitted_size = option_number(c, "max-uncommitted-size", 0),
	    .max_inflight_msgs = (uint32_t)option_number(c, "inflight", INT32_MAX),
	    .max_inflight_bytes = option_number(c, "inflight-bytes", 0),
	    .check_quorum = option_bool(c, "checkquorum"),
	    .pre_vote = option_bool(c, "prevote"),
	    .async_storage_writes = option_bool(c, "async-storage-writes"),
	    .disable_proposal_forwarding = option_bool(c, "disable-proposal-forwarding"),
	    .disable_conf_change_validation = option_bool(c, "disable-conf-change-validation"),
	    .step_down_on_removal = option_bool(c, "step-down-on-removal"),
	};

	cfg.max_committed_size_per_ready = option_number(c, "max-committed-size-per-ready", 0);
	if (strcmp(dd_value(c, "read-only", "safe"), "lease-based") == 0)
		cfg.read_only = READ_ONLY_LEASE_BASED;
	return cfg;
}

/* Without chance: node i draws (i - 1) modulo the election tick. */
static uint32_t fixed_timeout(const struct raft_config *cfg)
{
	return cfg->election_tick + (uint32_t)((cfg->id - 1) % cfg->election_tick);
}

struct node *new_node(struct env *e, const struct raft_config *cfg, const struct snapshot *snap)
{
	struct node *n = xcalloc(1, sizeof *n);

	n->config = *cfg;
	n->config.id = e->now.nodes.n + 1;
	n->config.fixed_election_timeout = fixed_timeout(&n->config);
	storage_init(&n->storage);
	node_remember(n, *snap);
	vec_push(&e->now.nodes, n);
	return n;
}

static void add_node(struct env *e, const struct raft_config *cfg, const struct snapshot *snap,
		     bool bootstrap)
{
	struct node *n = new_node(e, cfg, snap);

	if (bootstrap)
		storage_apply_snapshot(&n->storage, snap);
	n->raft = raft_new(&n->config, &n->storage, e->heap, env_logger(e));
}

const char *add_nodes(struct env *e, const struct dd_case *c)
{
	struct raft_config cfg = parse_config(c);
	struct snapshot snap = bootstrap_snapshot(c);
	bool bootstrap = dd_find(c, "voters") || dd_find(c, "learners") || dd_find(c, "index") ||
			 dd_find(c, "content");
	uint64_t count = arg_number(c, 0);

	if (bootstrap && snap.index <= 1)
		return "index must be specified as > 1 due to bootstrap";
	snap.term = bootstrap ? 1 : 0;
	for (uint64_t i = 0; i < count; i++)
		add_node(e, &cfg, &snap, bootstrap);
	return NULL;
}

/* A crash loses what was under way inside the node, and nothing that had left it. */
static void lose_own_messages(struct env *e, uint64_t id)
{
	size_t kept = 0;

	for (size_t i = 0; i < e->now.messages.n; i++) {
		const struct message *m = &e->now.messages.v[i];
		bool own =
		    m->from == id || m->from == RAFT_APPEND_THREAD || m->from == RAFT_APPLY_THREAD;

		if (m->to != id || !own)
			e->now.messages.v[kept++] = *m;
	}
	e->now.messages.n = kept;
}

const char *restart(struct env *e, const struct dd_case *c)
{
	uint64_t id = arg_number(c, 0);
	struct node *n = env_node(e, id);
	const struct snapshot *state = &n->history.v[n->history.n - 1];

	n->append_work.n = n->apply_work.n = 0;
	lose_own_messages(e, id);
	raft_free(n->raft);
	n->config.applied = state->index;
	n->config.conf = &state->conf;
	n->raft = raft_new(&n->config, &n->storage, e->heap, env_logger(e));
	n->config.conf = NULL;
	return NULL;
}

/* Looking */

static void print_log(struct env *e, const struct storage *s)
{
	uint64_t first = storage_first_index(s), last = storage_last_index(s);

	if (last < first)
		buf_printf(&e->out, "log is empty: first index=" U64 ", last index=" U64, first,
			   last);
	for (uint64_t i = first; i <= last; i++) {
		raft_print_entry(&e->out, pvec_get(&s->entries, i));
		buf_putc(&e->out, '\n');
	}
}

const char *raft_log_directive(struct env *e, const struct dd_case *c)
{
	print_log(e, &env_node(e, arg_number(c, 0))->storage);
	return NULL;
}

const char *compact_directive(struct env *e, const struct dd_case *c)
{
	struct node *n = env_node(e, arg_number(c, 0));

	if (storage_compact(&n->storage, arg_number(c, 1)) == STORAGE_COMPACTED)
		return "requested index is unavailable due to compaction";
	print_log(e, &n->storage);
	return NULL;
}

const char *raft_state_directive(struct env *e, const struct dd_case *c)
{
	(void)c;
	for (size_t i = 0; i < e->now.nodes.n; i++) {
		const struct raft *r = e->now.nodes.v[i]->raft;
		bool voter = conf_is_voter(raft_conf(r), raft_id(r));

		buf_printf(&e->out, U64 ": %s (%s) Term:" U64 " Lead:" U64 "\n", raft_id(r),
			   raft_state_name(raft_role(r)), voter ? "Voter" : "Non-Voter",
			   raft_term(r), raft_lead(r));
	}
	return NULL;
}

const char *status_directive(struct env *e, const struct dd_case *c)
{
	const struct raft *r = env_node(e, arg_number(c, 0))->raft;

	for (size_t i = 0; raft_role(r) == STATE_LEADER && i < raft_nprogress(r); i++) {
		buf_printf(&e->out, U64 ": ", raft_progress(r, i).id);
		raft_print_progress(&e->out, r, i);
		buf_putc(&e->out, '\n');
	}
	return NULL;
}
