/* Directives that step one local message (etcd-io/raft: rafttest/interaction_env_handler_*.go). */
#include "env.h"

static struct raft *raft_of(struct env *e, const struct dd_case *c)
{
	return env_node(e, arg_number(c, 0))->raft;
}

const char *campaign(struct env *e, const struct dd_case *c)
{
	return env_error(raft_campaign(raft_of(e, c)));
}

/* An entry without place, in the heap. */
static const struct entry *new_entry(struct env *e, enum entry_type type, struct bytes data)
{
	struct entry *entry = heap_alloc(e->heap, sizeof *entry);

	*entry = (struct entry){
	    .type = (uint8_t)type,
	    .data = heap_dup(e->heap, data.p, data.n),
	    .size = (uint32_t)data.n,
	    .has_data = true,
	};
	return entry;
}

const char *propose(struct env *e, const struct dd_case *c)
{
	struct bytes data = bytes_of(c->args.v[1].key);

	return env_error(raft_propose(raft_of(e, c), new_entry(e, ENTRY_NORMAL, data)));
}

static enum conf_change_transition transition_of(const char *name)
{
	if (strcmp(name, "implicit") == 0)
		return CONF_CHANGE_TRANSITION_JOINT_IMPLICIT;
	if (strcmp(name, "explicit") == 0)
		return CONF_CHANGE_TRANSITION_JOINT_EXPLICIT;
	check_that(strcmp(name, "auto") == 0);
	return CONF_CHANGE_TRANSITION_AUTO;
}

const char *propose_conf_change(struct env *e, const struct dd_case *c)
{
	struct conf_change cc = {.transition = transition_of(dd_value(c, "transition", "auto"))};
	bool v1 = option_bool(c, "v1");
	struct buf data = {0};

	cc.nchanges = parse_changes(c->input, cc.changes);
	conf_change_encode(&data, &cc, v1);
	const struct entry *entry =
	    new_entry(e, v1 ? ENTRY_CONF_CHANGE : ENTRY_CONF_CHANGE_V2, buf_bytes(&data));

	buf_free(&data);
	return env_error(raft_propose_conf_change(raft_of(e, c), entry));
}

static const char *ticks(struct raft *r, uint64_t n)
{
	while (n-- > 0)
		raft_tick(r);
	return NULL;
}

const char *tick_heartbeat(struct env *e, const struct dd_case *c)
{
	return ticks(raft_of(e, c), env_node(e, arg_number(c, 0))->config.heartbeat_tick);
}

const char *tick_election(struct env *e, const struct dd_case *c)
{
	return ticks(raft_of(e, c), env_node(e, arg_number(c, 0))->config.election_tick);
}

const char *tick(struct env *e, const struct dd_case *c)
{
	return ticks(raft_of(e, c), arg_number(c, 1));
}

const char *set_timeout(struct env *e, const struct dd_case *c)
{
	raft_set_randomized_timeout(raft_of(e, c), (uint32_t)option_number(c, "timeout", 0));
	return NULL;
}

const char *transfer_leadership(struct env *e, const struct dd_case *c)
{
	struct node *from = env_node(e, option_number(c, "from", 0));

	raft_transfer_leader(from->raft, option_number(c, "to", 0));
	return NULL;
}

const char *forget_leader(struct env *e, const struct dd_case *c)
{
	raft_forget_leader(raft_of(e, c));
	return NULL;
}

const char *report_unreachable(struct env *e, const struct dd_case *c)
{
	raft_report_unreachable(raft_of(e, c), arg_number(c, 1));
	return NULL;
}

const char *report_snapshot(struct env *e, const struct dd_case *c)
{
	raft_report_snapshot(raft_of(e, c), arg_number(c, 1), strcmp(c->args.v[2].key, "ok") == 0);
	return NULL;
}

const char *read_index(struct env *e, const struct dd_case *c)
{
	raft_read_index(raft_of(e, c), bytes_of(c->args.v[1].key));
	return NULL;
}
