/* Linearizable reads (etcd: v3_server.go, linearizableReadLoop; Raft dissertation 6.4): a member
 * asks the leader how far it has to be, waits until it has applied that much, and answers from its
 * own store.  One question is under way at a time; every read that came before it was asked rides
 * on it.  One that came later must not: the index on its way may be older than a write that has
 * been confirmed since.
 */
#include "server/private.h"

/* All reads that have no index ride on the question that is asked now. */
static size_t board(struct member *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->waiting.n; i++) {
		enum waiting_phase *phase = &m->waiting.v[i].phase;
		if (*phase == WAIT_READ_NEXT)
			*phase = WAIT_READ;
		n += *phase == WAIT_READ;
	}
	return n;
}

/* A leader that is the only voter answers a ReadIndex at once, even before it has committed
 * anything in its own term (etcd-io/raft: raft.go, stepLeader, MsgReadIndex), when it may not know
 * yet what it has confirmed to clients before. etcd's server is not ready by then, unless the
 * others have just been removed; ours asks later in either case. */
static bool must_commit_first(const struct member *m)
{
	const struct conf_state *c = raft_conf(m->raft);

	return c->nvoters == 1 && c->noutgoing == 0 && raft_role(m->raft) == STATE_LEADER &&
	       raft_entry_term(m->raft, raft_commit(m->raft)) != raft_term(m->raft);
}

void server_ask_read_index(struct member *m, struct server_env *env)
{
	if (board(m) == 0 || must_commit_first(m)) {
		m->read_context = 0;
		return;
	}
	m->read_context = m->next_context++;
	m->ids++; /* each question has one, as each proposal */
	m->read_asked_ms = env->now_ms;
	uint64_t *context = heap_alloc(m->heap, sizeof *context);
	*context = m->read_context;
	raft_read_index(m->raft, (struct bytes){(const char *)context, sizeof *context});
}

void server_read_states(struct member *m, struct server_env *env, const struct ready *rd)
{
	uint64_t context;

	if (!rd->nread_states)
		return;
	const struct read_state *rs = &rd->read_states[rd->nread_states - 1];
	if (rs->context.n != sizeof context)
		return;
	memcpy(&context, rs->context.p, sizeof context);
	if (context != m->read_context)
		return; /* an answer to a question that was asked again since */
	m->read_context = 0;
	for (size_t i = 0; i < m->waiting.n; i++)
		if (m->waiting.v[i].phase == WAIT_READ) {
			m->waiting.v[i].phase = WAIT_APPLIED;
			m->waiting.v[i].read_index = rs->index;
		}
	server_ask_read_index(m, env); /* for those that came meanwhile */
	server_serve_reads(m, env);
}

void server_serve_reads(struct member *m, struct server_env *env)
{
	for (size_t i = 0; i < m->waiting.n; i++) {
		struct waiting *w = &m->waiting.v[i];
		if (w->phase == WAIT_APPLIED && m->applied >= w->read_index)
			server_answer_read(m, env, w);
	}
}
