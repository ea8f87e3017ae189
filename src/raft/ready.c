/* Handing out the work (etcd-io/raft: rawnode.go).
 *
 * A Ready says what to write, what to send and what to apply.  Synchronous mode: the caller does
 * all of it and says so with Advance; only then the member hears its own answers, that its entries
 * are written, and that the committed ones are applied.  Messages and ticks may be stepped in
 * between: Advance acknowledges what was true when the Ready was taken.  Asynchronous mode: the
 * same work as messages to two local threads, whose answers come as messages too.
 */
#include "raft/raft_private.h"

static struct soft_state soft_state(const struct raft *r)
{
	return (struct soft_state){r->lead, r->state};
}

static struct hard_state hard_state(const struct raft *r)
{
	return (struct hard_state){r->term, r->vote, r->log.committed};
}

static bool soft_equal(struct soft_state a, struct soft_state b)
{
	return a.lead == b.lead && a.state == b.state;
}

static bool hard_equal(struct hard_state a, struct hard_state b)
{
	return a.term == b.term && a.vote == b.vote && a.commit == b.commit;
}

static bool hard_empty(struct hard_state h)
{
	return h.term == 0 && h.vote == 0 && h.commit == 0;
}

/* Entries may be applied here before they are written here, if the caller writes before it applies.
 */
static bool apply_unstable(const struct raft *r)
{
	return !r->cfg.async_storage_writes;
}

void ready_init(struct raft *r)
{
	r->ready.prev_soft = soft_state(r);
	r->ready.prev_hard = hard_state(r);
}

void ready_free(struct ready_state *s)
{
	vec_free(&s->messages);
	vec_free(&s->entries);
	vec_free(&s->committed);
	vec_free(&s->reads);
	vec_free(&s->own);
}

/* The lists of the Ready lie in buffers that are used again for the next one. */
static void point_to_buffers(struct ready_state *s)
{
	s->rd.messages = s->messages.v;
	s->rd.nmessages = s->messages.n;
	s->rd.entries = s->entries.v;
	s->rd.nentries = s->entries.n;
	s->rd.committed = s->committed.v;
	s->rd.ncommitted = s->committed.n;
	s->rd.read_states = s->reads.v;
	s->rd.nread_states = s->reads.n;
}

void ready_copy(struct ready_state *dst, const struct ready_state *src)
{
	vec_copy(&dst->messages, &src->messages);
	vec_copy(&dst->entries, &src->entries);
	vec_copy(&dst->committed, &src->committed);
	vec_copy(&dst->reads, &src->reads);
	vec_copy(&dst->own, &src->own);
	point_to_buffers(dst);
}

bool raft_has_ready(const struct raft *r)
{
	struct hard_state h = hard_state(r);

	return r->msgs.n || r->msgs_after_append.n || log_has_next_unstable(&r->log) ||
	       log_has_next_committed(&r->log, apply_unstable(r)) || r->read_states.n ||
	       log_next_snapshot(&r->log) || !soft_equal(soft_state(r), r->ready.prev_soft) ||
	       (!hard_empty(h) && !hard_equal(h, r->ready.prev_hard));
}

/* What the storage acknowledges once it has all that is unstable now; false: nothing. */
static bool append_ack(const struct raft *r, const struct snapshot *snapshot,
		       struct append_ack *ack)
{
	bool unstable = log_unstable_count(&r->log) > 0;

	*ack = (struct append_ack){.term = r->term, .snapshot = snapshot};
	if (unstable) {
		ack->index = log_last_index(&r->log);
		ack->log_term = log_last_term(&r->log);
	}
	return unstable || snapshot;
}

static struct message append_ack_message(const struct raft *r, const struct append_ack *ack)
{
	return (struct message){
	    .type = MSG_STORAGE_APPEND_RESP,
	    .to = r->cfg.id,
	    .from = RAFT_APPEND_THREAD,
	    .term = ack->term,
	    .index = ack->index,
	    .log_term = ack->log_term,
	    .snapshot = ack->snapshot,
	};
}

static struct message apply_ack_message(const struct raft *r, const struct entry *const *e,
					size_t n)
{
	return (struct message){
	    .type = MSG_STORAGE_APPLY_RESP,
	    .to = r->cfg.id,
	    .from = RAFT_APPLY_THREAD,
	    .entries = e,
	    .nentries = n,
	};
}

/* Filling a Ready */

static void take_entries(struct raft *r)
{
	struct ready_state *s = &r->ready;
	size_t n;
	const struct entry *const *e = log_next_unstable(&r->log, &n);

	s->entries.n = s->committed.n = 0;
	for (size_t i = 0; i < n; i++)
		vec_push(&s->entries, e[i]);
	log_next_committed(&r->log, apply_unstable(r), &s->committed);
}

static void take_states(struct raft *r)
{
	struct ready_state *s = &r->ready;
	struct ready *rd = &s->rd;
	struct soft_state soft = soft_state(r);
	struct hard_state hard = hard_state(r);

	rd->has_soft_state = !soft_equal(soft, s->prev_soft);
	rd->has_hard_state = !hard_empty(hard) && !hard_equal(hard, s->prev_hard);
	rd->must_sync =
	    s->entries.n > 0 || hard.term != s->prev_hard.term || hard.vote != s->prev_hard.vote;
	rd->soft_state = soft;
	rd->hard_state = rd->has_hard_state ? hard : (struct hard_state){0};
	rd->snapshot = log_next_snapshot(&r->log);
	s->prev_soft = soft;
	if (!hard_empty(hard))
		s->prev_hard = hard;
}

static void take_messages(struct raft *r)
{
	struct message_list free_list = r->ready.messages;
	struct read_state_list free_reads = r->ready.reads;

	r->ready.messages = r->msgs;
	r->ready.reads = r->read_states;
	r->msgs = free_list;
	r->read_states = free_reads;
	r->msgs.n = r->read_states.n = 0;
}

/* Answers to others go out with the Ready, behind the write; those to oneself wait for Advance. */
static void finish_sync(struct raft *r)
{
	struct ready_state *s = &r->ready;

	s->own.n = 0;
	for (size_t i = 0; i < r->msgs_after_append.n; i++) {
		const struct message *m = &r->msgs_after_append.v[i];

		if (m->to == r->cfg.id)
			vec_push(&s->own, *m);
		else
			vec_push(&s->messages, *m);
	}
	s->has_append_ack = append_ack(r, s->rd.snapshot, &s->append_ack);
	s->under_way = true;
}

static struct message *heap_messages(struct raft *r, const struct message *m, size_t n, size_t room)
{
	struct message *copy = heap_alloc(r->heap, (n + room) * sizeof *copy);

	if (n)
		memcpy(copy, m, n * sizeof *copy);
	return copy;
}

static struct message storage_append_message(struct raft *r)
{
	const struct ready_state *s = &r->ready;
	const struct message_list *after = &r->msgs_after_append;
	struct message *responses = heap_messages(r, after->v, after->n, 1);
	size_t n = after->n;
	struct append_ack ack;

	if (append_ack(r, s->rd.snapshot, &ack))
		responses[n++] = append_ack_message(r, &ack);
	return (struct message){
	    .type = MSG_STORAGE_APPEND,
	    .to = RAFT_APPEND_THREAD,
	    .from = r->cfg.id,
	    .term = s->rd.hard_state.term,
	    .vote = s->rd.hard_state.vote,
	    .commit = s->rd.hard_state.commit,
	    .entries = raft_heap_entries(r, s->entries.v, s->entries.n),
	    .nentries = s->entries.n,
	    .snapshot = s->rd.snapshot,
	    .responses = responses,
	    .nresponses = n,
	};
}

static struct message storage_apply_message(struct raft *r)
{
	size_t n = r->ready.committed.n;
	const struct entry *const *e = raft_heap_entries(r, r->ready.committed.v, n);
	struct message ack = apply_ack_message(r, e, n);

	return (struct message){
	    .type = MSG_STORAGE_APPLY,
	    .to = RAFT_APPLY_THREAD,
	    .from = r->cfg.id,
	    .entries = e,
	    .nentries = n,
	    .responses = heap_messages(r, &ack, 1, 0),
	    .nresponses = 1,
	};
}

static void finish_async(struct raft *r)
{
	struct ready_state *s = &r->ready;

	if (s->entries.n || s->rd.has_hard_state || s->rd.snapshot || r->msgs_after_append.n)
		vec_push(&s->messages, storage_append_message(r));
	if (s->committed.n)
		vec_push(&s->messages, storage_apply_message(r));
}

static void accept_entries(struct raft *r)
{
	const struct entry_list *c = &r->ready.committed;

	log_accept_unstable(&r->log);
	r->ready.committed_size = entries_size(c->v, c->n);
	if (c->n)
		log_accept_applying(&r->log, c->v[c->n - 1]->index, r->ready.committed_size,
				    apply_unstable(r));
}

void raft_ready(struct raft *r, struct ready *rd)
{
	check_that(!r->ready.under_way);
	take_entries(r);
	take_states(r);
	take_messages(r);
	if (r->cfg.async_storage_writes)
		finish_async(r);
	else
		finish_sync(r);
	r->msgs_after_append.n = 0;
	accept_entries(r);
	point_to_buffers(&r->ready);
	*rd = r->ready.rd;
}

bool raft_ready_under_way(const struct raft *r, struct ready *rd)
{
	if (r->ready.under_way)
		*rd = r->ready.rd;
	return r->ready.under_way;
}

/* Messages may have raised the term since: then the answer is one of the past like any other. */
static void acknowledge_append(struct raft *r, const struct append_ack *ack)
{
	if (ack->term == r->term) {
		raft_storage_appended(r, ack);
	} else {
		struct message m = append_ack_message(r, ack);

		raft_step_any(r, &m);
	}
}

void raft_advance(struct raft *r)
{
	struct ready_state *s = &r->ready;

	check_that(s->under_way);
	for (size_t i = 0; i < s->own.n; i++)
		raft_step_any(r, &s->own.v[i]);
	if (s->has_append_ack)
		acknowledge_append(r, &s->append_ack);
	if (s->committed.n)
		raft_storage_applied(r, s->committed.v, s->committed.n, s->committed_size);
	s->under_way = false;
}
