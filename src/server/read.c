/* Linearizable reads (etcd: v3_server.go, linearizableReadLoop; Raft dissertation 6.4): a member asks the leader how
 * far it has to be, waits until it has applied that much, and answers from its own store.  One question is under
 * way at a time; every read that came before it was asked rides on it.
 */
#include "server/private.h"

void server_ask_read_index(struct member *m, struct server_env *env)
{
	bool any = false;

	for (size_t i = 0; i < m->waiting.n; i++)
		any |= m->waiting.v[i].phase == WAIT_READ;
	if (!any) {
		m->read_context = 0;
		return;
	}
	m->read_context = m->next_context++;
	m->read_asked_ms = env->now_ms;
	for (size_t i = 0; i < m->waiting.n; i++)
		if (m->waiting.v[i].phase == WAIT_READ)
			m->waiting.v[i].read_index = 0;
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
	server_serve_reads(m, env);
}

void server_serve_reads(struct member *m, struct server_env *env)
{
	for (size_t i = 0; i < m->waiting.n; i++) {
		struct waiting *w = &m->waiting.v[i];
		if (w->phase == WAIT_APPLIED && m->applied >= w->read_index)
			server_reply(m, env, w, server_execute(m, env, w->req, NULL));
	}
}
