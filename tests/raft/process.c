/* Doing what a Ready says, and the work of the two storage threads (etcd-io/raft: rafttest/
 * interaction_env_handler_process_ready.go, ..._process_append_thread.go, ..._stabilize.go). */
#include "env.h"

/* Writing and applying */

void node_remember(struct node *n, struct snapshot s)
{
	vec_push(&n->history, s);
	n->storage.to_send = s;
}

static const char *write_to_storage(struct env *e, struct node *n, const struct hard_state *hs,
				    const struct snapshot *snap, const struct entry *const *entries,
				    size_t nentries)
{
	if (hs->term || hs->vote || hs->commit)
		n->storage.hard_state = *hs;
	if (!snap) {
		storage_append(&n->storage, e->heap, entries, nentries);
		return NULL;
	}
	check_that(nentries == 0);
	if (storage_apply_snapshot(&n->storage, snap) != STORAGE_OK)
		return "requested index is older than the existing snapshot";
	node_remember(n, *snap);
	return NULL;
}

static void apply(struct node *n, const struct entry *e)
{
	struct snapshot s = n->history.v[n->history.n - 1];

	if (e->type != ENTRY_NORMAL) {
		struct conf_change cc = conf_change_of(e);

		s.conf = raft_apply_conf_change(n->raft, &cc);
	}
	s.index = e->index;
	s.term = e->term;
	node_remember(n, s);
}

static void apply_all(struct node *n, const struct entry *const *e, size_t count)
{
	for (size_t i = 0; i < count; i++)
		apply(n, e[i]);
}

/* Ready */

static void hand_out(struct env *e, struct node *n, const struct message *m)
{
	if (m->to == RAFT_APPEND_THREAD)
		vec_push(&n->append_work, *m);
	else if (m->to == RAFT_APPLY_THREAD)
		vec_push(&n->apply_work, *m);
	else
		vec_push(&e->now.messages, *m);
}

const char *do_ready(struct env *e, struct node *n, const struct ready *rd)
{
	bool sync = !n->config.async_storage_writes;

	if (sync) {
		const char *err = write_to_storage(e, n, &rd->hard_state, rd->snapshot, rd->entries,
						   rd->nentries);

		if (err)
			return err;
		apply_all(n, rd->committed, rd->ncommitted);
	}
	for (size_t i = 0; i < rd->nmessages; i++)
		hand_out(e, n, &rd->messages[i]);
	if (sync)
		raft_advance(n->raft);
	return NULL;
}

static const char *process_ready_of(struct env *e, uint64_t id)
{
	struct node *n = env_node(e, id);
	struct ready rd;

	raft_ready(n->raft, &rd);
	print_ready(&e->out, &rd);
	return do_ready(e, n, &rd);
}

/* Threads */

static struct message take_first(struct message_list *list)
{
	struct message m = list->v[0];

	vec_remove(list, 0);
	return m;
}

static void print_line(struct env *e, const struct message *m)
{
	raft_print_message(&e->out, m);
	buf_putc(&e->out, '\n');
}

static void print_work(struct env *e, const struct message *work)
{
	struct message bare = *work;

	bare.responses = NULL;
	bare.nresponses = 0;
	buf_puts(&e->out, "Processing:\n");
	print_line(e, &bare);
}

static void respond(struct env *e, const struct message *work)
{
	buf_puts(&e->out, "Responses:\n");
	for (size_t i = 0; i < work->nresponses; i++) {
		print_line(e, &work->responses[i]);
		vec_push(&e->now.messages, work->responses[i]);
	}
}

static const char *append_one(struct env *e, uint64_t id)
{
	struct node *n = env_node(e, id);

	if (n->append_work.n == 0) {
		buf_puts(&e->out, "no append work to perform");
		return NULL;
	}
	struct message m = take_first(&n->append_work);
	struct hard_state hs = {m.term, m.vote, m.commit};

	print_work(e, &m);
	const char *err = write_to_storage(e, n, &hs, m.snapshot, m.entries, m.nentries);

	if (!err)
		respond(e, &m);
	return err;
}

static const char *apply_one(struct env *e, uint64_t id)
{
	struct node *n = env_node(e, id);

	if (n->apply_work.n == 0) {
		buf_puts(&e->out, "no apply work to perform");
		return NULL;
	}
	struct message m = take_first(&n->apply_work);

	print_work(e, &m);
	apply_all(n, m.entries, m.nentries);
	respond(e, &m);
	return NULL;
}

/* Directives */

typedef const char *node_work(struct env *e, uint64_t id);

static const char *indented(struct env *e, uint64_t id, node_work *work)
{
	size_t mark = env_indent(e);
	const char *err = work(e, id);

	env_unindent(e, mark);
	return err;
}

/* For several nodes each has a header and is indented. */
static const char *for_each_id(struct env *e, const struct dd_case *c, node_work *work,
			       const char *header)
{
	const char *err = NULL;

	if (c->args.n == 1)
		return work(e, arg_number(c, 0));
	for (size_t i = 0; i < c->args.n && !err; i++) {
		buf_printf(&e->out, "> " U64 " %s\n", arg_number(c, i), header);
		err = indented(e, arg_number(c, i), work);
	}
	return err;
}

const char *process_ready(struct env *e, const struct dd_case *c)
{
	return for_each_id(e, c, process_ready_of, "handling Ready");
}

const char *process_append_thread(struct env *e, const struct dd_case *c)
{
	return for_each_id(e, c, append_one, "processing append thread");
}

const char *process_apply_thread(struct env *e, const struct dd_case *c)
{
	return for_each_id(e, c, apply_one, "processing apply thread");
}

/* Stabilize: four kinds of work, in passes over the nodes, until a round finds none. */

static const char *deliver(struct env *e, uint64_t id)
{
	env_deliver_all(e, id);
	return NULL;
}

static const char *append_until_done(struct env *e, uint64_t id)
{
	const char *err = NULL;

	while (!err && env_node(e, id)->append_work.n)
		err = append_one(e, id);
	return err;
}

static const char *apply_until_done(struct env *e, uint64_t id)
{
	const char *err = NULL;

	while (!err && env_node(e, id)->apply_work.n)
		err = apply_one(e, id);
	return err;
}

static bool has_ready(const struct env *e, uint64_t id)
{
	return raft_has_ready(e->now.nodes.v[id - 1]->raft);
}

static bool has_append_work(const struct env *e, uint64_t id)
{
	return e->now.nodes.v[id - 1]->append_work.n > 0;
}

static bool has_apply_work(const struct env *e, uint64_t id)
{
	return e->now.nodes.v[id - 1]->apply_work.n > 0;
}

static const struct pass {
	const char *header;
	bool (*wanted)(const struct env *e, uint64_t id);
	node_work *work;
} passes[] = {
    {"handling Ready", has_ready, process_ready_of},
    {"receiving messages", env_has_messages, deliver},
    {"processing append thread", has_append_work, append_until_done},
    {"processing apply thread", has_apply_work, apply_until_done},
};

struct id_list {
	uint64_t *v;
	size_t n, cap;
};

static const char *run_pass(struct env *e, const struct id_list *ids, const struct pass *pass,
			    bool *did_something)
{
	const char *err = NULL;

	for (size_t i = 0; i < ids->n && !err; i++) {
		if (!pass->wanted(e, ids->v[i]))
			continue;
		buf_printf(&e->out, "> " U64 " %s\n", ids->v[i], pass->header);
		err = indented(e, ids->v[i], pass->work);
		*did_something = true;
	}
	return err;
}

static void nodes_of(const struct env *e, const struct dd_case *c, struct id_list *ids)
{
	for (size_t i = 0; i < c->args.n; i++)
		if (c->args.v[i].values.n == 0)
			vec_push(ids, arg_number(c, i));
	if (ids->n)
		return;
	for (uint64_t id = 1; id <= e->now.nodes.n; id++)
		vec_push(ids, id);
}

const char *stabilize(struct env *e, const struct dd_case *c)
{
	struct id_list ids = {0};
	const char *err = NULL;
	bool did_something = true;

	nodes_of(e, c, &ids);
	while (did_something && !err) {
		did_something = false;
		for (size_t i = 0; i < sizeof passes / sizeof *passes && !err; i++)
			err = run_pass(e, &ids, &passes[i], &did_something);
	}
	vec_free(&ids);
	return err;
}
