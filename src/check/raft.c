/* The rules of the Raft paper (figure 3) and what makes them hold on disks (Raft
 * dissertation 3.8, 10.2.1).
 *
 * A log is never read as a whole.  Log Matching is kept as an induction: an entry's name is (index,
 * term), and whoever has it must have the same entry with the same term before it; so two logs that
 * agree in one place agree in all places before.  Then one look at the last committed entry tells
 * whether a new leader has all of them, and one at the newest entry whether a leader has changed
 * what it had.
 */
#include "check/private.h"

#include "raft/conf_set.h"

#define U(x) ((unsigned long long)(x))

static bool same_entry(const struct entry *a, const struct entry *b)
{
	return a == b || (a->term == b->term && a->index == b->index && a->type == b->type &&
			  a->payload == b->payload && a->size == b->size && a->data == b->data);
}

/* ---- Log Matching ---- */

const struct seen_entry *check_seen_entry(const struct checker *c, const struct entry *e)
{
	const struct seen_entry *s =
	    e->index < c->entries.end ? pvec_get(&c->entries, e->index) : NULL;

	while (s && s->entry->term != e->term)
		s = s->next;
	return s;
}

static void meet_entry(struct checker *c, unsigned number, const struct entry *e,
		       uint64_t prev_term)
{
	while (c->entries.end <= e->index)
		pvec_push(&c->entries, c->heap, NULL);
	const struct seen_entry *s = check_seen_entry(c, e);
	if (!s) {
		struct seen_entry *new = heap_alloc(c->heap, sizeof *new);
		*new = (struct seen_entry){e, prev_term, pvec_get(&c->entries, e->index)};
		pvec_set(&c->entries, c->heap, e->index, new);
	} else if (s->prev_term != prev_term || !same_entry(s->entry, e)) {
		check_break(
		    c, "Log Matching", member_bit(number),
		    "S%u has entry %llu of term %llu behind one of term %llu; elsewhere %s %llu",
		    number, U(e->index), U(e->term), U(prev_term),
		    s->prev_term != prev_term ? "it stands behind term"
					      : "it is another entry of size",
		    U(s->prev_term != prev_term ? s->prev_term : s->entry->size));
	}
}

static uint64_t term_in(const struct pvec *log, uint64_t index)
{
	if (index < log->first || index >= log->end)
		return 0;
	return ((const struct entry *)pvec_get(log, index))->term;
}

/* A log kept here begins anew behind a snapshot, or where the member has thrown its front away. */
static void restart_log(struct pvec *log, uint64_t first)
{
	pvec_init(log, first);
}

/* ---- what is durable ---- */

/* A leader that was replaced and has not heard of it may still overwrite what was committed since,
 * where nobody else has heard of it either: such a copy was never counted.  Whoever is in the term
 * of the commit has heard. */
static bool is_behind(const struct seen_member *s, const struct fact *f, const struct entry *e)
{
	return s->disk_term < f->commit_term && e->term < f->commit_term;
}

static void durable_entry(struct checker *c, unsigned number, struct seen_member *s,
			  const struct entry *e)
{
	const struct fact *f = fact_at(c, e->index);

	if (e->index < s->disk.first || e->index > s->disk.end) {
		restart_log(&s->disk, e->index);
	} else {
		if (e->index > s->disk.first)
			meet_entry(c, number, e, term_in(&s->disk, e->index - 1));
		if (f && term_in(&s->disk, e->index) == f->entry->term &&
		    e->term != f->entry->term && !is_behind(s, f, e))
			check_break(c, "Committed Is Durable", member_bit(number),
				    "S%u overwrites committed entry %llu of term %llu with one of "
				    "term %llu",
				    number, U(e->index), U(f->entry->term), U(e->term));
		pvec_truncate(&s->disk, e->index);
	}
	pvec_push(&s->disk, c->heap, (void *)(uintptr_t)e);
}

static void durable_state(struct checker *c, unsigned number, struct seen_member *s, uint64_t term,
			  uint64_t vote)
{
	if (term < s->disk_term)
		check_break(c, "Terms Never Go Back", member_bit(number),
			    "S%u wrote term %llu after term %llu", number, U(term),
			    U(s->disk_term));
	else if (term == s->disk_term && s->disk_vote && vote != s->disk_vote)
		check_break(c, "One Vote A Term", member_bit(number),
			    "S%u voted for %llx in term %llu, in which it had voted for %llx",
			    number, U(vote), U(term), U(s->disk_vote));
	if (term > s->disk_term)
		s->term_ms = c->now_ms;
	s->disk_term = term;
	s->disk_vote = vote;
}

void check_disk(struct checker *c, const struct world *w, unsigned number)
{
	const struct member *m = world_member(w, number);
	struct seen_member *s = &c->members[number - 1];
	const struct wal *wal = &m->wal;

	if (wal->synced < s->wal_read)
		check_break(c, "Durable Stays Durable", member_bit(m->number),
			    "S%u has lost synced records %llu to %llu of its log", m->number,
			    U(wal->synced), U(s->wal_read - 1));
	if (s->wal_read < wal->records.first)
		s->wal_read = wal->records.first;
	for (; s->wal_read < wal->synced; s->wal_read++) {
		const struct wal_record *r = pvec_get(&wal->records, s->wal_read);
		if (r->type == WAL_ENTRY)
			durable_entry(c, m->number, s, r->entry);
		else if (r->type == WAL_STATE)
			durable_state(c, m->number, s, r->state.term, r->state.vote);
		else if (r->received) /* it replaces everything */
			restart_log(&s->disk, r->snapshot->index + 1);
	}
}

static bool is_durable_at(const struct checker *c, unsigned number, const struct entry *e)
{
	const struct pvec *disk = &c->members[number - 1].disk;

	return e->index < disk->first || term_in(disk, e->index) == e->term;
}

static bool quorum_has(const struct checker *c, const struct world *w, const uint64_t *ids,
		       size_t n, const struct entry *e)
{
	size_t have = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned number = world_member_with_id(w, ids[i]);
		have += number && is_durable_at(c, number, e);
	}
	return n == 0 || have > n / 2;
}

/* ---- commit ---- */

/* Has a member started again since the alarm went on?  It asks for users again; who still does not
 * will differ from it, as in etcd. */
static bool somebody_asks(const struct world *w)
{
	for (unsigned i = 1; i <= w->nmembers; i++) {
		const struct member *m = world_member(w, i);
		if (m->alarms.n && !m->unguarded && alarms_have(&m->alarms, ALARM_NO_SPACE))
			return true;
	}
	return false;
}

void check_new_fact(struct checker *c, const struct world *w, uint64_t term, const struct entry *e)
{
	struct fact *f = heap_alloc(c->heap, sizeof *f);
	const struct proposal *p = e->payload;

	*f = (struct fact){.entry = e, .commit_term = term};
	if (!p && e->type == ENTRY_NORMAL && check_seen_entry(c, e) &&
	    check_seen_entry(c, e)->prev_term == e->term)
		c->emptied_ms = w->now_ms;
	if (p && p->req->kind == REQ_LEASE_REVOKE)
		check_lease_committed(c, w, e);
	if (c->model.unguarded && somebody_asks(w))
		c->model.unguarded = false;
	f->out = model_apply(&c->model, e, p ? p->req : NULL, w->now_ms, p && p->call == 0);
	pvec_push(&c->facts, c->heap, f);
	if (p && p->call)
		check_call_committed(c, f);
}

/* Of one that is in a newer term a leader may be told late what it had before: by now that may have
 * been replaced. */
static void check_match(struct checker *c, const struct world *w, const struct member *m)
{
	for (size_t i = 0; i < raft_nprogress(m->raft); i++) {
		struct progress_view p = raft_progress(m->raft, i);
		const struct entry *e = raft_entry(m->raft, p.match);
		unsigned peer = world_member_with_id(w, p.id);
		if (e && peer && c->members[peer - 1].disk_term <= raft_term(m->raft) &&
		    !is_durable_at(c, peer, e))
			check_break(c, "Match Is Durable", member_bit(m->number) | member_bit(peer),
				    "S%u counts entry %llu of term %llu as written by S%u, whose "
				    "disk ends at %llu",
				    m->number, U(p.match), U(e->term), peer,
				    U(c->members[peer - 1].disk.end - 1));
	}
}

static void check_commit(struct checker *c, const struct world *w, const struct member *m,
			 struct seen_member *s)
{
	uint64_t commit = raft_commit(m->raft), known = c->facts.end;

	if (commit < s->raft.commit)
		check_break(c, "Commit Never Goes Back", member_bit(m->number),
			    "S%u had committed %llu, now %llu", m->number, U(s->raft.commit),
			    U(commit));
	if (commit > raft_last_index(m->raft))
		check_break(c, "Commit Is In The Log", member_bit(m->number),
			    "S%u has committed %llu, its log ends at %llu", m->number, U(commit),
			    U(raft_last_index(m->raft)));
	for (uint64_t i = s->raft.commit + 1; i <= commit && !c->broken; i++) {
		const struct entry *e = raft_entry(m->raft, i);
		const struct fact *f = fact_at(c, i);
		if (!e)
			continue; /* it came with a snapshot */
		if (f && f->entry->term != e->term)
			check_break(
			    c, "State Machine Safety", member_bit(m->number),
			    "S%u commits entry %llu of term %llu; committed was one of term %llu",
			    m->number, U(i), U(e->term), U(f->entry->term));
		else if (i == c->facts.end)
			check_new_fact(c, w, raft_term(m->raft), e);
	}
	s->raft.commit = commit;
	if (raft_role(m->raft) == STATE_LEADER)
		check_match(c, w, m);
	if (c->facts.end == known || c->broken)
		return;
	const struct conf_state *conf = raft_conf(m->raft);
	const struct entry *e = ((const struct fact *)pvec_get(&c->facts, c->facts.end - 1))->entry;
	if (!quorum_has(c, w, conf->voters, conf->nvoters, e) ||
	    !quorum_has(c, w, conf->outgoing, conf->noutgoing, e))
		check_break(
		    c, "Committed Is Durable", member_bit(m->number),
		    "S%u commits entry %llu of term %llu, which is not on the disks of a majority",
		    m->number, U(e->index), U(e->term));
}

/* ---- the log in memory ---- */

/* The last place at which the log is what it was. */
static uint64_t last_equal(const struct member *m, const struct pvec *log)
{
	uint64_t i = raft_last_index(m->raft);

	if (i >= log->end)
		i = log->end - 1;
	while (i >= log->first) {
		const struct entry *e = raft_entry(m->raft, i);
		if (!e || same_entry(e, pvec_get(log, i)))
			break;
		i--;
	}
	return i;
}

static void check_log(struct checker *c, const struct member *m, struct seen_member *s,
		      bool leads_on)
{
	uint64_t first = raft_first_index(m->raft), last = raft_last_index(m->raft);

	if (first >= s->log.end || last + 1 < s->log.first)
		restart_log(&s->log, first);
	else if (first > s->log.first)
		pvec_drop_front(&s->log, first);
	uint64_t equal = last_equal(m, &s->log);
	if (leads_on && equal + 1 < s->log.end)
		check_break(c, "Leader Append-Only", member_bit(m->number),
			    "S%u leads in term %llu and has changed its log from entry %llu on, "
			    "which ended at %llu",
			    m->number, U(s->raft.term), U(equal + 1), U(s->log.end - 1));
	if (equal + 1 < s->log.end)
		pvec_truncate(&s->log, equal + 1);
	for (uint64_t i = equal + 1; i <= last; i++) {
		const struct entry *e = raft_entry(m->raft, i);
		if (!e)
			break;
		meet_entry(c, m->number, e,
			   i > s->log.first ? term_in(&s->log, i - 1)
					    : raft_entry_term(m->raft, i - 1));
		pvec_push(&s->log, c->heap, (void *)(uintptr_t)e);
	}
}

/* ---- elections ---- */

/* All entries that were committed in earlier terms; the newest of them stands for all. */
static void check_completeness(struct checker *c, const struct member *m)
{
	uint64_t term = raft_term(m->raft), i = c->facts.end - 1;

	while (i >= c->facts.first && fact_at(c, i)->commit_term >= term)
		i--;
	const struct fact *f = fact_at(c, i);
	if (!f || i < raft_first_index(m->raft))
		return;
	if (raft_entry_term(m->raft, i) != f->entry->term)
		check_break(c, "Leader Completeness", member_bit(m->number),
			    "S%u leads in term %llu without entry %llu of term %llu, which was "
			    "committed in term %llu",
			    m->number, U(term), U(i), U(f->entry->term), U(f->commit_term));
}

static void check_election(struct checker *c, const struct member *m, const struct seen_member *s)
{
	uint64_t term = raft_term(m->raft);

	if (s->disk_term < term) /* it has voted for itself */
		check_break(c, "Promised After Written", member_bit(m->number),
			    "S%u leads in term %llu; its disk says term %llu", m->number, U(term),
			    U(s->disk_term));

	while (c->leaders.n <= term)
		vec_push(&c->leaders, 0);
	unsigned other = c->leaders.v[term];
	if (other && other != m->number)
		check_break(c, "Election Safety", member_bit(m->number) | member_bit(other),
			    "S%u and S%u both became leader in term %llu", other, m->number,
			    U(term));
	c->leaders.v[term] = (uint8_t)m->number;
	check_completeness(c, m);
}

/* ---- one member ---- */

static void begin_life(struct seen_member *s, const struct member *m, struct checker *c)
{
	s->up = true;
	s->life = m->life;
	s->raft.role = STATE_FOLLOWER;
	if (raft_term(m->raft) < s->disk_term)
		check_break(c, "Terms Never Go Back", member_bit(m->number),
			    "S%u started with term %llu; its disk says %llu", m->number,
			    U(raft_term(m->raft)), U(s->disk_term));
	s->raft.term = raft_term(m->raft);
	s->raft.commit = 0;
}

static inline void leads_no_more(struct checker *c, const struct world *w, struct seen_member *s)
{
	if (s->raft.role == STATE_LEADER)
		c->deposed_ms = w->now_ms;
	s->raft.role = STATE_FOLLOWER;
}

static inline bool log_moved(const struct member *m, const struct seen_member *s)
{
	const struct entry *last = raft_last_entry(m->raft);

	if (!last || pvec_len(&s->log) == 0)
		return raft_last_index(m->raft) != s->log.end - 1;
	return last != pvec_get(&s->log, s->log.end - 1);
}

static void check_state(struct checker *c, const struct world *w, const struct member *m,
			struct seen_member *s)
{
	struct raft_view now = raft_view(m->raft);
	bool leads = now.role == STATE_LEADER;
	bool leads_on = leads && s->raft.role == STATE_LEADER && now.term == s->raft.term;

	if (now.term < s->raft.term)
		check_break(c, "Terms Never Go Back", member_bit(m->number),
			    "S%u was in term %llu, now %llu", m->number, U(s->raft.term),
			    U(now.term));
	if (log_moved(m, s))
		check_log(c, m, s, leads_on);
	s->raft.term = now.term;
	if (!leads)
		leads_no_more(c, w, s);
	s->raft.role = now.role;
	s->raft.lead = now.lead;
	if (leads && !leads_on)
		check_election(c, m, s);
	if (now.commit != s->raft.commit)
		check_commit(c, w, m, s);
}

/* Most events change nothing that a rule is about. */
static bool is_as_seen(const struct member *m, const struct seen_member *s)
{
	return s->up && s->life == m->life && raft_view_holds(m->raft, &s->raft) &&
	       !log_moved(m, s);
}

static __attribute__((noinline)) void look_at_raft(struct checker *c, const struct world *w,
						   const struct member *m, struct seen_member *s)
{
	if (!m->raft || s->life != m->life)
		leads_no_more(c, w, s);
	if (!m->raft) {
		s->up = false;
		return;
	}
	if (!s->up || s->life != m->life)
		begin_life(s, m, c);
	check_state(c, w, m, s);
}

void check_raft(struct checker *c, const struct world *w, unsigned number)
{
	const struct member *m = world_member(w, number);
	struct seen_member *s = &c->members[number - 1];

	if (!m->raft || !is_as_seen(m, s))
		look_at_raft(c, w, m, s);
}

/* ---- promises ---- */

static void check_promise(struct checker *c, const struct flight *f)
{
	const struct seen_member *s = &c->members[f->from - 1];
	const struct message *m = &f->m;

	if (m->reject || (m->type != MSG_APP_RESP && m->type != MSG_VOTE_RESP) || s->id != m->from)
		return;
	if (m->term > s->disk_term)
		check_break(c, "Promised After Written", member_bit(f->from),
			    "S%u answers in term %llu; its disk says term %llu", f->from,
			    U(m->term), U(s->disk_term));
	else if (m->type == MSG_APP_RESP && m->index >= s->disk.end)
		check_break(c, "Promised After Written", member_bit(f->from),
			    "S%u acknowledges entry %llu; its disk ends at %llu", f->from,
			    U(m->index), U(s->disk.end - 1));
	else if (m->type == MSG_VOTE_RESP && m->term == s->disk_term && m->to != s->disk_vote)
		check_break(c, "Promised After Written", member_bit(f->from),
			    "S%u grants S%u a vote in term %llu that its disk does not know of",
			    f->from, f->to, U(m->term));
}

void check_messages(struct checker *c, const struct world *w)
{
	uint64_t new = w->nflights - c->nflights;

	/* Those that were sent just now are not the last ones where a link is slow. */
	for (size_t i = w->net.n; new &&i-- > w->net_head;) {
		if (w->net.v[i].number <= c->nflights)
			continue;
		check_promise(c, &w->net.v[i]);
		new --;
	}
	c->nflights = w->nflights;
}
