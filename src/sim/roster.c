/* Which processes there are: the members of the start, those that are added while the world runs,
 * and those that stop because they have been removed; and since when they are connected.
 *
 * A number (S1, S2, ...) is a place on the screen and keeps its lane.  A member that is added takes
 * the number of its peer URL or of its name if that is free, else the next one.
 */
#include "sim/private.h"

#include <stdio.h>

#define LONG_AGO (INT64_MIN / 2)

/* ---- connections ---- */

int64_t roster_active_since(const struct world *w, unsigned from, unsigned to)
{
	const struct member *peer = world_member(w, to);
	int64_t since = w->active_ms[from - 1][to - 1], lost = INT64_MAX;

	if (from == to)
		return LONG_AGO;
	if (!member_up(peer))
		lost = peer->silent || member_alive(peer) ? peer->still_ms : LONG_AGO;
	else if (!net_connected(w, from, to))
		lost = w->cut_ms[from][to];
	return lost == INT64_MAX || w->now_ms - lost < NOTICE_MS ? since : NOT_CONNECTED;
}

void roster_connect_all(struct world *w, unsigned member)
{
	for (unsigned i = 0; i < MEMBERS_MAX; i++)
		w->active_ms[member - 1][i] = w->active_ms[i][member - 1] = w->now_ms;
}

void roster_cut(struct world *w, unsigned a, unsigned b)
{
	w->faulty = true;
	if (net_connected(w, a, b))
		w->cut_ms[a][b] = w->cut_ms[b][a] = w->now_ms;
}

void roster_heal(struct world *w)
{
	for (unsigned a = 1; a <= w->nmembers; a++)
		for (unsigned b = 1; b <= w->nmembers; b++)
			if (!net_connected(w, a, b) && w->now_ms - w->cut_ms[a][b] >= NOTICE_MS)
				w->active_ms[a - 1][b - 1] = w->now_ms;
}

void roster_resume(struct world *w, const struct member *m)
{
	if (w->now_ms - m->still_ms >= NOTICE_MS)
		roster_connect_all(w, m->number);
}

struct server_env roster_env(struct world *w, unsigned member, int64_t active[MEMBERS_MAX])
{
	struct server_env env = sim_env(w);

	for (unsigned i = 1; i <= w->nmembers; i++)
		active[i - 1] = roster_active_since(w, member, i);
	env.active_since = active;
	return env;
}

/* ---- who is at a number ---- */

/* What every process of this world is given. */
static void configure(const struct world *w, struct member *m)
{
	m->store.keep_tombstone_at_compact = w->cfg.etcd_version >= 35;
	server_set_bugs(m, w->cfg.bugs);
}

/* The machine stays what it is, whoever runs on it. */
static void keep_machine(struct member *m, const struct member *old)
{
	m->clock = old->clock;
	m->disk.delay_ms = old->disk.delay_ms;
	m->disk.delay_most_ms = old->disk.delay_most_ms;
	m->disk.full = old->disk.full;
	m->disk.lose = old->disk.lose;
}

/* What the others know of it, and what has become of its data. */
static void keep_member(struct member *m, const struct member *old)
{
	m->cluster = old->cluster;
	m->store_behind = old->store_behind;
	m->condition = old->condition;
	m->since_ms = old->since_ms;
	m->silent = old->silent;
	m->still_ms = old->still_ms;
	m->disk = old->disk;
}

void roster_replace(struct world *w, struct member *m, enum successor who)
{
	struct member *old = m->number <= w->nmembers ? world_member(w, m->number) : NULL;

	configure(w, m);
	m->since_ms = w->now_ms;
	m->touched = old ? old->touched + 1 : 1; /* another one, for those who look */
	m->life = old ? old->life + 1 : 0;
	if (old)
		keep_machine(m, old);
	if (old && who == SAME_MEMBER)
		keep_member(m, old);
	server_free(old);
	w->members[m->number - 1] = m;
}

/* ---- the start ---- */

static void introduce(struct world *w, unsigned number)
{
	w->peers[number - 1] = (struct peer){.id = member_ids[number - 1],
					     .name = member_name(number),
					     .peer_url = member_peer_url(number),
					     .client_url = member_client_url(number),
					     .started = true,
					     .publishes = w->publish};
}

/* The member's number at a place in the order of ids. */
static unsigned in_order_of_id(const struct world *w, unsigned place)
{
	for (unsigned n = 1; n <= w->cfg.members; n++) {
		unsigned below = 0;
		for (unsigned i = 0; i < w->cfg.members; i++)
			below += member_ids[i] < member_ids[n - 1];
		if (below == place)
			return n;
	}
	return 0;
}

static void start(struct world *w, unsigned number, const struct raft_config *cfg, uint64_t leader)
{
	configure(w, w->members[number - 1]);
	server_start(w->members[number - 1], cfg, sim_logger(w, number), leader, w->now_ms,
		     w->cfg.election_ms);
}

/* S1 leads, entry 1 is applied everywhere (design.md 4). */
static void settled_start(struct world *w)
{
	w->origin.membership.version = w->cfg.etcd_version;
	for (unsigned i = 0; i < w->nmembers; i++) {
		unsigned n = in_order_of_id(w, i);
		w->origin.conf.voters[i] = member_ids[n - 1];
		membership_set(&w->origin.membership, w->heap,
			       &(struct member_info){.id = member_ids[n - 1],
						     .name = member_name(n),
						     .peer_url = member_peer_url(n),
						     .client_url = member_client_url(n)});
	}
	w->origin.conf.nvoters = (uint8_t)w->nmembers;
	for (unsigned n = 1; n <= w->nmembers; n++) {
		struct raft_config cfg = sim_raft_config(w, n);
		w->members[n - 1] = server_new(n, member_ids[n - 1], w->heap, &w->origin);
		start(w, n, &cfg, member_ids[0]);
	}
}

static struct request *adds_member(struct world *w, unsigned number)
{
	struct request *req = heap_alloc(w->heap, sizeof *req);

	*req = (struct request){.kind = REQ_MEMBER_ADD,
				.member = {.id = member_ids[number - 1],
					   .peer_url = member_peer_url(number),
					   .name = member_name(number)}};
	return req;
}

static bool has_booted(const struct world *w)
{
	for (unsigned i = 0; i < w->nmembers; i++)
		if (!w->members[i]->published || !w->members[i]->membership.version)
			return false;
	return true;
}

/* What each member of a new cluster begins with: the same entries, which add all of them. */
struct beginning {
	const struct entry *first[MEMBERS_MAX];
	struct conf_state conf;
};

static struct beginning beginning_of(struct world *w)
{
	struct beginning b = {.conf = {.nvoters = (uint8_t)w->cfg.members}};
	struct member scratch = {.id = member_ids[0], .heap = w->heap};

	for (unsigned i = 0; i < w->cfg.members; i++) {
		unsigned n = in_order_of_id(w, i);
		b.conf.voters[i] = member_ids[n - 1];
		b.first[i] = server_first_entry(&scratch, adds_member(w, n), i + 1);
	}
	return b;
}

/* As etcd does it: each member writes the first entries, and an election follows.  Its clock has
 * run for some time before it hears the others (etcd: advanceTicks). */
static void booted_start(struct world *w)
{
	struct beginning b = beginning_of(w);
	uint32_t ticks = w->cfg.election_ms / w->cfg.heartbeat_ms,
		 ahead = w->nmembers == 1 ? ticks - 1 : ticks - 2;

	for (unsigned n = 1; n <= w->nmembers; n++) {
		struct raft_config cfg = sim_raft_config(w, n);
		struct server_env env = sim_env(w);
		cfg.conf = &b.conf;
		w->members[n - 1] =
		    server_new_booted(n, member_ids[n - 1], w->heap, b.first, w->nmembers);
		start(w, n, &cfg, 0);
		for (uint32_t t = 0; t < ahead; t++)
			raft_tick(w->members[n - 1]->raft);
		server_poll(w->members[n - 1], &env);
	}
	/* Snapshots can wait: whoever looks at the cluster sees its log from the first entry on. */
	w->settings.snapshot_count = UINT64_MAX;
	while (!has_booted(w) || sim_pending(w)) {
		if (!sim_pending(w))
			sim_advance(w, sim_next_ms(w));
		sim_step(w);
	}
	w->settings.snapshot_count = w->cfg.snapshot_count;
}

void roster_begin(struct world *w)
{
	for (unsigned n = 1; n <= w->nmembers; n++)
		introduce(w, n);
	for (unsigned i = 0; i < MEMBERS_MAX; i++)
		for (unsigned j = 0; j < MEMBERS_MAX; j++)
			w->active_ms[i][j] = w->cfg.boot_etcd ? 0 : LONG_AGO;
	if (w->cfg.boot_etcd)
		booted_start(w);
	else
		settled_start(w);
}

/* ---- members that are added ---- */

/* Has its removal been applied by anybody? */
static bool is_removed(const struct world *w, const struct member *m)
{
	for (unsigned i = 0; i < w->nmembers; i++)
		if (membership_is_removed(&w->members[i]->membership, m->id))
			return true;
	return false;
}

/* Nobody runs there, or will again: also where a member was removed while it was down. */
static bool is_free(const struct world *w, unsigned number)
{
	const struct member *m = number <= w->nmembers ? world_member(w, number) : NULL;

	return !m || m->condition == MEMBER_ABSENT || m->condition == MEMBER_REMOVED ||
	       (m->condition == MEMBER_DOWN && is_removed(w, m));
}

static unsigned number_for(const struct world *w, const struct request *add)
{
	unsigned known = member_with_peer_url(add->member.peer_url);

	for (unsigned n = 1; n <= MEMBERS_MAX && !known; n++)
		if (add->member.name && strcmp(add->member.name, member_name(n)) == 0)
			known = n;
	if (known && is_free(w, known))
		return known;
	for (unsigned n = w->nmembers + 1; n <= MEMBERS_MAX; n++)
		return n;
	for (unsigned n = 1; n <= MEMBERS_MAX; n++)
		if (is_free(w, n))
			return n;
	return 0;
}

/* Nobody has been there yet, or somebody else was. */
static void place(struct world *w, unsigned number, uint64_t id, uint32_t cluster,
		  enum member_condition condition)
{
	struct member *m = server_new_added(number, id, w->heap, &w->origin);

	m->cluster = cluster;
	for (unsigned i = 0; i < w->nmembers; i++)
		m->store_behind |= w->members[i]->cluster == cluster && w->members[i]->store_ahead;
	m->condition = condition;
	roster_replace(w, m, OTHER_MEMBER);
}

/* ---- members that have lost everything ---- */

bool roster_is_first(const struct world *w, unsigned member)
{
	return member <= w->cfg.members && w->peers[member - 1].id == member_ids[member - 1];
}

void roster_wipe(struct world *w, struct member *m)
{
	roster_replace(w, server_new_added(m->number, m->id, w->heap, &w->origin), SAME_MEMBER);
}

/* The cluster that members which have lost everything begin: one of their own, as long as somebody
 * has the data of the old one. */
static uint32_t cluster_of_wiped(struct world *w)
{
	bool begun = false, old = false;

	for (unsigned i = 0; i < w->nmembers; i++) {
		const struct member *m = w->members[i];
		begun |= w->booted && m->cluster == w->booted;
		old |= m->cluster == w->cluster && m->cluster != w->booted && !m->disk.empty &&
		       m->condition != MEMBER_ABSENT && m->condition != MEMBER_UNSTARTED;
	}
	if (!begun)
		w->booted = ++w->nclusters;
	if (!old)
		w->cluster = w->booted;
	return w->booted;
}

/* Names and client URLs come with what each of them publishes. */
void roster_boot_again(struct world *w, unsigned member)
{
	struct beginning b = beginning_of(w);
	struct member *m =
	    server_new_booted(member, member_ids[member - 1], w->heap, b.first, w->cfg.members);

	m->storage.snapshot.conf = b.conf;
	for (unsigned i = 0; i < w->cfg.members; i++)
		w->peers[i].publishes = true;
	roster_replace(w, m, SAME_MEMBER);
	m->cluster = cluster_of_wiped(w);
}

void roster_reach(struct world *w, unsigned number)
{
	for (; w->nmembers < number; w->nmembers++)
		place(w, w->nmembers + 1, 0, w->cluster, MEMBER_ABSENT);
}

void roster_learn(struct world *w, const struct member *m, const struct entry *e)
{
	const struct request *add = e->payload ? e->payload->req : NULL;

	if (!add || add->kind != REQ_MEMBER_ADD ||
	    !membership_find(&m->membership, add->member.id) ||
	    world_member_with_id(w, add->member.id))
		return;
	unsigned number = number_for(w, add);
	if (!number)
		return; /* there is no room for it on the screen: it can never be started */
	roster_reach(w, number);
	place(w, number, add->member.id, m->cluster, MEMBER_UNSTARTED);
	w->peers[number - 1] = (struct peer){
	    .id = add->member.id,
	    .name = add->member.name && *add->member.name ? add->member.name : member_name(number),
	    .peer_url = add->member.peer_url,
	    .client_url = member_client_url(number),
	    .publishes = w->publish};
}

bool sim_start(struct world *w, unsigned member)
{
	if (member > w->nmembers || world_member(w, member)->condition != MEMBER_UNSTARTED)
		return false;
	w->peers[member - 1].started = true;
	fault_start(w, member, FAULT_START);
	return true;
}

/* ---- processes that stop by themselves ---- */

int64_t roster_next_stop(const struct world *w)
{
	int64_t next = INT64_MAX;

	for (unsigned i = 0; i < w->nmembers; i++)
		if (member_up(w->members[i]) && w->members[i]->stop_ms < next)
			next = w->members[i]->stop_ms;
	return next;
}

void roster_run_stop(struct world *w)
{
	for (unsigned i = 0; i < w->nmembers; i++) {
		struct member *m = w->members[i];
		if (member_up(m) && m->stop_ms <= w->now_ms) {
			/* removed, or asked to (SIGTERM) */
			fault_die(w, m, is_removed(w, m) ? KILL_REMOVED : KILL_TERM);
			return;
		}
	}
}
