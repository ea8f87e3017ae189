/* What a viewer can break: processes, power, links. */
#include "sim/private.h"

/* The process is gone.  Connections close (unless the power failed): clients and peers are told. */
void fault_die(struct world *w, struct member *m, enum kill_how how)
{
	static const enum fault_kind kinds[] = {[KILL_PROCESS] = FAULT_KILL,
						[KILL_POWER] = FAULT_POWER,
						[KILL_TERM] = FAULT_TERM,
						[KILL_REMOVED] = FAULT_REMOVED,
						[KILL_FATAL] = FAULT_FATAL};
	bool stood_still = m->condition == MEMBER_PAUSED;

	m->condition = how == KILL_REMOVED ? MEMBER_REMOVED : MEMBER_DOWN;
	m->silent = how == KILL_POWER;
	if (stood_still)
		pause_end(w, m);
	else
		m->still_ms = w->now_ms;
	m->since_ms = w->now_ms;
	server_crash(m, &w->prng);
	if (how == KILL_FATAL)
		observe_log(w, m, "%s", m->failure);
	observe_fault_text(w, kinds[how], m->number, how == KILL_FATAL ? m->failure : NULL);
	if (!m->silent) {
		for (unsigned i = 0; i < w->nmembers; i++) {
			struct member *peer = w->members[i];
			if (!member_up(peer))
				continue;
			struct server_env env = sim_env(w);
			raft_report_unreachable(peer->raft, m->id);
			server_poll(peer, &env);
		}
		(how == KILL_REMOVED ? client_member_removed : client_member_died)(w, m->number);
	}
	watcher_member_died(w, m->number);
}

bool fault_ends(struct world *w, struct member *m)
{
	if (!m->failure)
		return false;
	fault_die(w, m, KILL_FATAL);
	return true;
}

bool fault_strikes(struct world *w, struct member *m, enum kill_point point)
{
	if (m->kill_at != point || point == KILL_NOW)
		return false;
	fault_die(w, m, (enum kill_how)m->kill_how);
	return true;
}

/* The voter to which it has been connected longest, by id where that does not decide (etcd:
 * longestConnected). */
static struct member *successor(struct world *w, const struct member *m)
{
	const struct conf_state *conf = server_conf(m);
	struct member *best = NULL;
	int64_t oldest = NOT_CONNECTED;

	for (size_t i = 0; i < conf->nvoters; i++) {
		unsigned n = world_member_with_id(w, conf->voters[i]);
		int64_t since =
		    n && n != m->number ? roster_active_since(w, m->number, n) : NOT_CONNECTED;
		if (since < oldest) {
			oldest = since;
			best = world_member(w, n);
		}
	}
	return best;
}

/* SIGTERM: a leader hands its leadership over first, for which it takes as long as a request may.
 */
void fault_terminate(struct world *w, struct member *m)
{
	struct member *next = raft_role(m->raft) == STATE_LEADER ? successor(w, m) : NULL;

	if (!next) {
		fault_die(w, m, KILL_TERM);
		return;
	}
	struct server_env env = sim_env(w);
	raft_transfer_leader(m->raft, next->id);
	server_poll(m, &env);
	m->kill_at = KILL_WHEN_FOLLOWER;
	m->kill_how = KILL_TERM;
	m->stop_ms = w->now_ms + server_request_timeout_ms(w->cfg.election_ms);
}

const char *kill_point_name(enum kill_point at)
{
	static const char *const names[] = {
	    [KILL_NOW] = "",	   [KILL_APPEND] = "append", [KILL_FSYNC] = "fsync",
	    [KILL_SEND] = "send",  [KILL_COMMIT] = "commit", [KILL_APPLY] = "apply",
	    [KILL_REPLY] = "reply"};

	return at <= KILL_REPLY ? names[at] : ""; /* beyond: what only the world asks for */
}

void sim_kill(struct world *w, unsigned member, enum kill_how how, enum kill_point at)
{
	struct member *m = world_member(w, member);

	if (!member_alive(m))
		return;
	if (at != KILL_NOW) {
		m->kill_at = (uint8_t)at;
		m->kill_how = (uint8_t)how;
	} else if (how == KILL_TERM && !member_up(m)) {
		m->kill_at = KILL_WHEN_RESUMED;
	} else if (how == KILL_TERM) {
		fault_terminate(w, m);
	} else {
		fault_die(w, m, how);
	}
}

void fault_start(struct world *w, unsigned member, enum fault_kind kind)
{
	struct member *m = world_member(w, member);
	struct raft_config cfg = sim_raft_config(w, member);

	/* More than the log has is applied only if the log has been damaged: then it is handed out
	 * again, and passed over. */
	cfg.applied = m->applied < server_last_index(m) ? m->applied : server_last_index(m);
	server_start(m, &cfg, sim_logger(w, member), 0, w->now_ms, w->cfg.election_ms);
	kube_configure_member(w, m);
	roster_connect_all(w, member);
	observe_fault(w, kind, member, 0);
	net_introduce(w, m);
	/* Whoever still waited for the old process hears from the new one that it knows nothing of
	 * the request. */
	client_member_died(w, member);
	client_member_started(w);
	watcher_member_started(w, member);
}

static void restart(struct world *w, unsigned member, bool existing)
{
	struct member *m = world_member(w, member);

	if (m->condition != MEMBER_DOWN)
		return;
	if (m->disk.empty) {
		if (disk_lets_join(w, m, existing))
			fault_start(w, member, FAULT_RESTART);
	} else if (server_is_removed(m))
		m->condition = MEMBER_REMOVED; /* "the member has been permanently removed": it
						  exits at once */
	else if (disk_lets_start(w, m))
		fault_start(w, member, FAULT_RESTART);
}

void sim_restart(struct world *w, unsigned member)
{
	restart(w, member, false);
}

void sim_restart_existing(struct world *w, unsigned member)
{
	restart(w, member, true);
}

void sim_partition(struct world *w, const uint8_t group[MEMBERS_MAX])
{
	for (unsigned i = 0; i < w->nmembers; i++)
		for (unsigned j = 0; j < w->nmembers; j++)
			if (group[i] != group[j]) {
				roster_cut(w, i + 1, j + 1);
				w->cut[i + 1][j + 1] = true;
			}
	for (unsigned i = 0; i < w->nmembers; i++)
		if (group[i] != group[0] || w->nmembers == 1)
			observe_fault(w, FAULT_PARTITION, i + 1, 0);
}

void sim_cut(struct world *w, unsigned from, unsigned to, bool oneway)
{
	roster_cut(w, from, to);
	observe_fault(w, FAULT_CUT, from, to);
	w->cut[from][to] = true;
	if (!oneway)
		w->cut[to][from] = true;
	client_links_changed(w);
}

void sim_heal(struct world *w)
{
	roster_heal(w);
	memset(w->cut, 0, sizeof w->cut);
	observe_fault(w, FAULT_HEAL, 0, 0);
	client_links_changed(w);
}

void sim_timeout(struct world *w, unsigned member)
{
	struct member *m = world_member(w, member);

	if (!member_up(m))
		return;
	struct server_env env = sim_env(w);
	struct observed before = observe_before(m);
	server_campaign(m, &env);
	sim_changed(w, m, &before);
}
