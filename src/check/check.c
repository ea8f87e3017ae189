/* One look at the world, in the order in which a rule may rely on another: what is on the disks,
 * what the members' rafts have done with it, what they have promised, what they have applied, what
 * clients were told.
 */
#include "check/private.h"

#include <stdarg.h>
#include <stdio.h>

void check_break(struct checker *c, const char *rule, unsigned members, const char *fmt, ...)
{
	bool known = c->lost_logs || (members & c->bad_stores);
	struct violation *v = known ? &c->damage : &c->violation;
	va_list ap;

	if (c->broken)
		return;
	c->broken = !known || c->lost_logs;
	if (v->rule)
		return;
	v->rule = rule;
	v->members = (uint16_t)members;
	v->known = known;
	va_start(ap, fmt);
	vsnprintf(v->text, sizeof v->text, fmt, ap);
	va_end(ap);
}

static void meet_nobody(struct seen_member *s)
{
	*s = (struct seen_member){0};
	pvec_init(&s->log, 1);
	pvec_init(&s->disk, 1);
}

/* What is on its disk when it is seen for the first time is taken as it is. */
static void meet_member(struct checker *c, struct seen_member *s, const struct member *m)
{
	const struct storage *disk = &m->storage;

	meet_nobody(s);
	s->id = m->id;
	pvec_init(&s->disk, disk->dummy_index + 1);
	for (uint64_t i = disk->dummy_index + 1; i <= storage_last_index(disk); i++)
		pvec_push(&s->disk, c->heap, pvec_get(&disk->entries, i));
	s->disk_term = disk->hard_state.term;
	s->disk_vote = disk->hard_state.vote;
	s->wal_read = m->wal.synced;
}

/* Members as bits: those to which something was done since the last look, and of them those whose
 * disk and store have gone on. */
struct changes {
	unsigned touched, written, applied;
};

static void find_damage(struct checker *c, const struct member *m)
{
	uint16_t bit = (uint16_t)member_bit(m->number);

	c->bad_stores = (uint16_t)(has_bad_store(m) ? c->bad_stores | bit : c->bad_stores & ~bit);
	c->lost_logs |= has_lost_log(m);
}

/* Rows are durable, so not even a crash takes a store back. */
static void revision_went_back(struct checker *c, const struct member *m,
			       const struct seen_member *s)
{
	check_break(c, "Revisions Never Go Back", 1u << (m->number - 1),
		    "S%u was at revision %lld, now %lld", m->number, (long long)s->rev,
		    (long long)m->store.current_rev);
}

/* Members are added while the world runs, and one may get the number of another that was removed.
 */
static void look_at(struct checker *c, const struct member *m, struct changes *new)
{
	unsigned i = m->number - 1;
	struct seen_member *s = &c->members[i];

	c->touched[i] = m->touched;
	if (s->id != m->id || s->wiped != m->disk.wiped)
		meet_member(c, s, m);
	s->wiped = m->disk.wiped;
	if (has_bad_store(m) || has_lost_log(m) || c->bad_stores)
		find_damage(c, m);
	if (m->clock.rate_ppm || c->clocks.n)
		check_clock(c, m);
	new->written |= (unsigned)(m->wal.synced != s->wal_read) << i;
	new->applied |= (unsigned)(m->applied != s->applied) << i;
	if (m->store.current_rev < s->rev)
		revision_went_back(c, m, s);
	s->rev = m->store.current_rev;
}

static inline struct changes find_changes(struct checker *c, const struct world *w)
{
	struct changes new = {0};

	for (unsigned i = 0; i < w->nmembers; i++)
		new.touched |= (unsigned)(w->members[i]->touched != c->touched[i]) << i;
	for (unsigned left = new.touched; left; left &= left - 1) {
		const struct member *m = w->members[__builtin_ctz(left)];
		if (is_watched(c, m))
			look_at(c, m, &new);
		else
			new.touched &= ~member_bit(m->number);
	}
	return new;
}

/* A rule about members is asked of all of them before the next rule; mostly that is one member. */
static inline void check_each(struct checker *c, const struct world *w, unsigned members,
			      void (*rule)(struct checker *, const struct world *, unsigned))
{
	for (; members && !c->broken; members &= members - 1) /* drops the lowest bit */
		rule(c, w, 1 + (unsigned)__builtin_ctz(members));
}

struct checker *check_new(const struct world *w)
{
	struct checker *c = xcalloc(1, sizeof *c);

	c->heap = heap_new();
	c->next_call = w->next_call;
	c->calls_ended = w->calls_ended;
	c->known_rev = 1;
	c->deposed_ms = c->emptied_ms = -1;
	c->nflights = w->nflights;
	pvec_init(&c->entries, 1);
	pvec_init(&c->facts, 1);
	model_init(&c->model, c->heap, w->members[0]->lessor.min_ttl);
	c->model.keep_tombstone_at_compact = w->members[0]->store.keep_tombstone_at_compact;
	for (unsigned i = 0; i < MEMBERS_MAX; i++)
		meet_nobody(&c->members[i]);
	check_step(c, w);
	return c;
}

/* ---- another cluster takes the place of the one that was watched ---- */

static const struct member *first_of(const struct world *w, uint32_t cluster)
{
	for (unsigned i = 0; i < w->nmembers; i++)
		if (w->members[i]->cluster == cluster)
			return w->members[i];
	return NULL;
}

/* What its first member has applied, or has on its disk as committed, is what there is; nobody asks
 * how it came to be. */
static void begin_facts(struct checker *c, const struct world *w, const struct member *m)
{
	struct entry *e = heap_alloc(c->heap, sizeof *e);
	struct fact *f = heap_alloc(c->heap, sizeof *f);

	*e = (struct entry){.term = m->applied_term, .index = m->applied};
	*f = (struct fact){
	    .entry = e, .commit_term = m->applied_term, .out = model_outcome(&c->model)};
	pvec_init(&c->entries, 1);
	pvec_init(&c->facts, m->applied);
	pvec_push(&c->facts, c->heap, f);
	const struct storage *disk = &m->storage;
	for (uint64_t i = m->applied + 1; i <= disk->hard_state.commit; i++)
		check_new_fact(c, w, disk->hard_state.term, pvec_get(&disk->entries, i));
}

static void begin_model(struct checker *c, const struct member *m)
{
	model_free(&c->model);
	model_init(&c->model, c->heap, m->lessor.min_ttl);
	c->model.keep_tombstone_at_compact = m->store.keep_tombstone_at_compact;
	for (uint64_t i = 0; i < mvcc_row_count(&m->store); i++)
		model_take_row(&c->model, mvcc_row(&m->store, i));
	for (size_t i = 0; i < m->lessor.leases.n; i++)
		model_take_lease(&c->model, m->lessor.leases.v[i]);
	model_take_rest(&c->model, &m->store, &m->auth, &m->alarms);
	c->model.unguarded = m->unguarded;
}

/* Clients that are still connected go on; what they have seen of the old cluster binds nobody. */
static void begin_anew(struct checker *c, const struct world *w)
{
	const struct member *m = first_of(w, w->cluster);

	c->cluster = w->cluster;
	c->broken = c->lost_logs = false;
	c->bad_stores = 0;
	for (unsigned i = 0; i < MEMBERS_MAX; i++)
		meet_nobody(&c->members[i]);
	begin_model(c, m);
	begin_facts(c, w, m);
	c->leaders.n = c->open.n = 0;
	c->next_call = w->next_call;
	c->calls_ended = w->calls_ended;
	c->known_rev = m->store.current_rev;
	c->nflights = w->nflights;
	for (size_t i = 0; i < c->watches.n; i++) {
		struct seen_watch *s = &c->watches.v[i];
		s->started = false;
		s->elsewhere = true; /* until it is connected to the new cluster */
		s->stream = w->watches.v[i].stream;
		s->nevents = w->watches.v[i].nevents;
	}
}

struct checker *check_copy(struct checker *c)
{
	struct checker *d = xmalloc(sizeof *d);

	heap_freeze(c->heap);
	heap_share(c->heap);
	*d = *c;
	vec_copy(&d->leaders, &c->leaders);
	vec_copy(&d->clocks, &c->clocks);
	vec_copy(&d->open, &c->open);
	vec_copy(&d->watches, &c->watches);
	model_copy(&d->model, &c->model);
	return d;
}

void check_free(struct checker *c)
{
	if (!c)
		return;
	model_free(&c->model);
	vec_free(&c->leaders);
	vec_free(&c->clocks);
	vec_free(&c->open);
	vec_free(&c->watches);
	heap_free(c->heap);
	free(c);
}

static void date(struct violation *v, const struct world *w)
{
	if (!v->rule || v->event)
		return;
	v->event = w->events;
	v->ms = w->now_ms;
}

static bool holds(const struct checker *c)
{
	return !c->violation.rule;
}

static bool end_look(struct checker *c, const struct world *w)
{
	if (!c->violation.rule && !c->damage.rule)
		return true;
	date(&c->violation, w);
	date(&c->damage, w);
	return holds(c);
}

bool check_step(struct checker *c, const struct world *w)
{
	if (w->cluster != c->cluster && holds(c))
		begin_anew(c, w);
	if (c->broken)
		return holds(c);
	c->now_ms = w->now_ms;
	struct changes new = find_changes(c, w);
	if (w->next_call != c->next_call)
		check_calls_begin(c, w);
	check_each(c, w, new.written, check_disk);
	check_each(c, w, new.touched, check_raft);
	if (w->nflights != c->nflights)
		check_messages(c, w);
	check_each(c, w, new.applied, check_store);
	if (w->calls_ended != c->calls_ended)
		check_calls(c, w);
	if (w->watches.n)
		check_watches(c, w);
	return end_look(c, w);
}

bool check_end(struct checker *c, const struct world *w)
{
	if (!check_step(c, w) || c->broken)
		return holds(c);
	for (unsigned i = 0; i < w->nmembers && !c->broken; i++)
		if (is_watched(c, w->members[i]))
			check_store_end(c, w->members[i]);
	check_watches_end(c, w);
	return end_look(c, w);
}

const struct violation *check_violation(const struct checker *c)
{
	return c->violation.rule ? &c->violation : NULL;
}

const struct violation *check_known_damage(const struct checker *c)
{
	return c->damage.rule ? &c->damage : NULL;
}
