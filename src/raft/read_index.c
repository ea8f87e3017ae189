/* Linearizable reads without a log entry (etcd-io/raft 3.7: read_only.go; Raft dissertation,
 * section 6.4).
 *
 * The leader notes its commit index, confirms by a round of heartbeats that it still leads, and
 * answers with the index.  Reads are numbered from the last change of role on; a heartbeat carries
 * the number of the newest one, and whoever answers it confirms all up to that number:
 *
 *     confirmed 2    queue: 3 4 5    heartbeats say 5    answers 5 and 4 of three: 4 (a majority)
 * are confirmed
 */
#include "raft/raft_private.h"

void read_only_reset(struct read_only *ro)
{
	ro->queue.n = 0;
	ro->confirmed = 0;
	ro->nacks = 0;
}

void read_only_free(struct read_only *ro)
{
	vec_free(&ro->queue);
}

void read_only_copy(struct read_only *dst, const struct read_only *src)
{
	vec_copy(&dst->queue, &src->queue);
}

bool read_only_context(const struct read_only *ro, uint64_t *context)
{
	*context = ro->queue.n ? ro->confirmed + ro->queue.n : 0;
	return ro->queue.n > 0;
}

static struct read_ack *find_ack(struct read_only *ro, uint64_t id)
{
	for (size_t i = 0; i < ro->nacks; i++)
		if (ro->acks[i].id == id)
			return &ro->acks[i];
	return NULL;
}

static void record_ack(struct read_only *ro, uint64_t id, uint64_t count)
{
	struct read_ack *a = find_ack(ro, id);

	if (a)
		a->count = count > a->count ? count : a->count;
	else if (ro->nacks < TRACKER_MAX)
		ro->acks[ro->nacks++] = (struct read_ack){id, count};
}

static uint64_t half_confirmed(struct read_only *ro, const uint64_t *half, size_t n)
{
	uint64_t acked[CONF_MAX];

	for (size_t i = 0; i < n; i++) {
		const struct read_ack *a = find_ack(ro, half[i]);

		acked[i] = a ? a->count : 0;
	}
	return quorum_committed(acked, n);
}

static uint64_t confirmed_reads(struct read_only *ro, const struct conf_state *c)
{
	uint64_t in = half_confirmed(ro, c->voters, c->nvoters);
	uint64_t out = half_confirmed(ro, c->outgoing, c->noutgoing);

	return in < out ? in : out;
}

static void answer(struct raft *r, const struct message *request, uint64_t index)
{
	if (request->from == 0 || request->from == r->cfg.id) {
		raft_add_read_state(r, index, request);
		return;
	}
	struct message *m = raft_message(r, MSG_READ_INDEX_RESP, request->from);

	m->index = index;
	m->entries = request->entries;
	m->nentries = request->nentries;
}

/* A copy of a request whose list of entries outlives the call. */
static struct message kept(struct raft *r, const struct message *m)
{
	struct message copy = *m;

	copy.entries = raft_heap_entries(r, m->entries, m->nentries);
	return copy;
}

/* m is a copy made by kept(). */
static void start_round(struct raft *r, const struct message *m)
{
	uint64_t context;

	if (r->cfg.read_only == READ_ONLY_LEASE_BASED) {
		answer(r, m, r->log.committed);
		return;
	}
	vec_push(&r->read_only.queue, (struct read_request){r->log.committed, *m});
	read_only_context(&r->read_only, &context);
	record_ack(&r->read_only, r->cfg.id, context);
	raft_bcast_heartbeat(r);
}

static bool committed_in_own_term(const struct raft *r)
{
	return log_term_or_0(&r->log, r->log.committed) == r->term;
}

void raft_step_read_index(struct raft *r, const struct message *m)
{
	struct message request = kept(r, m);

	check_that(m->nentries > 0);
	if (tracker_is_singleton(&r->trk))
		answer(r, &request, r->log.committed);
	else if (!committed_in_own_term(r))
		/* What older leaders committed may be more than we know. */
		vec_push(&r->pending_read_index, request);
	else
		start_round(r, &request);
}

void raft_release_pending_reads(struct raft *r)
{
	size_t n = r->pending_read_index.n;

	if (n == 0 || !committed_in_own_term(r))
		return;
	for (size_t i = 0; i < n; i++)
		start_round(r, &r->pending_read_index.v[i]);
	r->pending_read_index.n = 0;
}

void raft_ack_reads(struct raft *r, uint64_t from, uint64_t context)
{
	struct read_only *ro = &r->read_only;
	size_t ready = 0;

	record_ack(ro, from, context);
	uint64_t confirmed = confirmed_reads(ro, &r->trk.conf);

	for (; ready < ro->queue.n && ro->confirmed < confirmed; ready++, ro->confirmed++)
		answer(r, &ro->queue.v[ready].request, ro->queue.v[ready].index);
	if (ready == 0)
		return;
	ro->queue.n -= ready;
	memmove(ro->queue.v, ro->queue.v + ready, ro->queue.n * sizeof *ro->queue.v);
}
