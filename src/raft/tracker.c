/* Configuration, progress, votes (etcd-io/raft: tracker/tracker.go). */
#include "raft/tracker.h"

void tracker_init(struct tracker *t, uint32_t max_inflight_msgs, uint64_t max_inflight_bytes)
{
	*t = (struct tracker){
	    .max_inflight_msgs = max_inflight_msgs,
	    .max_inflight_bytes = max_inflight_bytes,
	};
}

void tracker_free(struct tracker *t)
{
	for (size_t i = 0; i < t->nprogress; i++)
		inflights_free(&t->progress[i].inflights);
	t->nprogress = 0;
}

void tracker_copy(struct tracker *dst, const struct tracker *src)
{
	for (size_t i = 0; i < src->nprogress; i++)
		inflights_copy(&dst->progress[i].inflights, &src->progress[i].inflights);
}

struct progress *tracker_add(struct tracker *t, uint64_t id)
{
	size_t i = t->nprogress++;

	check_that(i < TRACKER_MAX);
	for (; i > 0 && t->progress[i - 1].id > id; i--)
		t->progress[i] = t->progress[i - 1];
	t->progress[i] = (struct progress){.id = id};
	inflights_init(&t->progress[i].inflights, t->max_inflight_msgs, t->max_inflight_bytes);
	return &t->progress[i];
}

void tracker_remove(struct tracker *t, uint64_t id)
{
	struct progress *p = tracker_find(t, id);

	if (!p)
		return;
	t->nprogress--;
	memmove(p, p + 1, (size_t)(t->progress + t->nprogress - p) * sizeof *p);
}

/* Both the half and the progresses ascend, so one walk meets all. */
static uint64_t half_committed(const struct tracker *t, const uint64_t *half, size_t n)
{
	uint64_t acked[CONF_MAX];
	const struct progress *p = t->progress, *end = p + t->nprogress;

	for (size_t i = 0; i < n; i++) {
		while (p < end && p->id < half[i])
			p++;
		acked[i] = p < end && p->id == half[i] ? p->match : 0;
	}
	return quorum_committed(acked, n);
}

uint64_t tracker_committed(const struct tracker *t)
{
	uint64_t in = half_committed(t, t->conf.voters, t->conf.nvoters);

	if (!conf_is_joint(&t->conf))
		return in;
	uint64_t out = half_committed(t, t->conf.outgoing, t->conf.noutgoing);

	return in < out ? in : out;
}

static const struct vote *vote_of(const struct vote *votes, size_t n, uint64_t id)
{
	for (size_t i = 0; i < n; i++)
		if (votes[i].id == id)
			return &votes[i];
	return NULL;
}

static enum vote_result half_vote(const uint64_t *half, size_t n, const struct vote *votes,
				  size_t nvotes)
{
	size_t yes = 0, missing = 0;

	for (size_t i = 0; i < n; i++) {
		const struct vote *v = vote_of(votes, nvotes, half[i]);

		missing += !v;
		yes += v && v->granted;
	}
	return quorum_vote(n, yes, missing);
}

static enum vote_result vote_result(const struct conf_state *c, const struct vote *votes, size_t n)
{
	return quorum_joint_vote(half_vote(c->voters, c->nvoters, votes, n),
				 half_vote(c->outgoing, c->noutgoing, votes, n));
}

bool tracker_quorum_active(const struct tracker *t, uint64_t self)
{
	struct vote active[TRACKER_MAX];
	size_t n = 0;

	for (size_t i = 0; i < t->nprogress; i++) {
		const struct progress *p = &t->progress[i];

		if (!p->is_learner)
			active[n++] = (struct vote){p->id, p->recent_active || p->id == self};
	}
	return vote_result(&t->conf, active, n) == VOTE_WON;
}

void tracker_record_vote(struct tracker *t, uint64_t id, bool granted)
{
	if (t->nvotes < TRACKER_MAX && !vote_of(t->votes, t->nvotes, id))
		t->votes[t->nvotes++] = (struct vote){id, granted};
}

enum vote_result tracker_tally(const struct tracker *t, size_t *granted, size_t *rejected)
{
	*granted = *rejected = 0;
	for (size_t i = 0; i < t->nprogress; i++) {
		const struct vote *v = vote_of(t->votes, t->nvotes, t->progress[i].id);

		if (!v || t->progress[i].is_learner)
			continue;
		*granted += v->granted;
		*rejected += !v->granted;
	}
	return vote_result(&t->conf, t->votes, t->nvotes);
}
