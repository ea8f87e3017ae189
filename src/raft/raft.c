/* Raft: sending, roles, configuration, start, ticks (etcd-io/raft: raft.go).
 *
 * One call in, state changes and messages out.  What promises durability (answers to appends and
 * votes) leaves only after the write: it goes into msgs_after_append, also when the member answers
 * itself.  Every change of role goes through reset(), so nothing of an old role survives in a new
 * one but what the rules keep.
 */
#include "raft/raft_private.h"

#include "raft/changer.h"

/* Sending */

static bool promises_durability(enum message_type t)
{
	return t == MSG_APP_RESP || t == MSG_VOTE_RESP || t == MSG_PRE_VOTE_RESP;
}

static bool carries_term(enum message_type t)
{
	return t != MSG_PROP && t != MSG_READ_INDEX;
}

struct message *raft_message(struct raft *r, enum message_type type, uint64_t to)
{
	bool later = promises_durability(type);
	struct message_list *list = later ? &r->msgs_after_append : &r->msgs;

	check_that(later || to != r->cfg.id);
	vec_reserve(list, list->n + 1);
	struct message *m = &list->v[list->n++];

	*m = (struct message){
	    .type = type,
	    .to = to,
	    .from = r->cfg.id,
	    .term = carries_term(type) ? r->term : 0,
	};
	return m;
}

const struct entry *const *raft_heap_entries(struct raft *r, const struct entry *const *e, size_t n)
{
	if (n == 0)
		return NULL;
	const struct entry **copy = heap_alloc(r->heap, n * sizeof *copy);

	memcpy(copy, e, n * sizeof *copy);
	return copy;
}

void raft_forward(struct raft *r, const struct message *m, uint64_t to)
{
	struct message *copy = raft_message(r, m->type, to);
	uint64_t from = m->from ? m->from : copy->from, term = copy->term;

	*copy = *m;
	copy->to = to;
	copy->from = from;
	copy->term = term;
	copy->entries = raft_heap_entries(r, m->entries, m->nentries);
}

void raft_add_read_state(struct raft *r, uint64_t index, const struct message *request)
{
	const struct entry *e = request->entries[0];

	vec_push(&r->read_states, (struct read_state){index, (struct bytes){e->data, e->size}});
}

/* Roles */

/* Each draw has a generator of its own, made from seed, member and number: so what one member draws
 * does not depend on how often another one did. */
static uint32_t draw_timeout(struct raft *r)
{
	const struct raft_config *c = &r->cfg;
	struct prng id = {c->id}, draw = {++r->timeout_draws};
	struct prng g = {c->seed ^ prng_next(&id) ^ prng_next(&draw)};

	if (c->fixed_election_timeout)
		return c->fixed_election_timeout;
	return c->election_tick + (uint32_t)prng_below(&g, c->election_tick);
}

static void reset(struct raft *r, uint64_t term)
{
	uint64_t last = log_last_index(&r->log);

	if (r->term != term) {
		r->term = term;
		r->vote = 0;
	}
	r->lead = 0;
	r->election_elapsed = r->heartbeat_elapsed = 0;
	r->randomized_election_timeout = draw_timeout(r);
	raft_abort_leader_transfer(r);
	r->trk.nvotes = 0;
	for (size_t i = 0; i < r->trk.nprogress; i++) {
		struct progress *p = &r->trk.progress[i];

		progress_reset(p, p->id == r->cfg.id ? last : 0, last + 1);
	}
	r->pending_conf_index = 0;
	r->uncommitted_size = 0;
	read_only_reset(&r->read_only);
}

void raft_become_follower(struct raft *r, uint64_t term, uint64_t lead)
{
	reset(r, term);
	r->lead = lead;
	r->state = STATE_FOLLOWER;
	LOG_LINE(&r->logger, LOG_INFO, ID64 " became follower at term " U64, r->cfg.id, r->term);
}

void raft_become_candidate(struct raft *r)
{
	check_that(r->state != STATE_LEADER);
	reset(r, r->term + 1);
	r->vote = r->cfg.id;
	r->state = STATE_CANDIDATE;
	LOG_LINE(&r->logger, LOG_INFO, ID64 " became candidate at term " U64, r->cfg.id, r->term);
}

/* Term, vote and clock stay: a pre-vote must not disturb anything (Raft dissertation, section 9.6).
 */
void raft_become_pre_candidate(struct raft *r)
{
	check_that(r->state != STATE_LEADER);
	r->trk.nvotes = 0;
	r->lead = 0;
	r->state = STATE_PRE_CANDIDATE;
	LOG_LINE(&r->logger, LOG_INFO, ID64 " became pre-candidate at term " U64, r->cfg.id,
		 r->term);
}

static void lead_from_now(struct raft *r)
{
	reset(r, r->term);
	r->lead = r->cfg.id;
	r->state = STATE_LEADER;
	struct progress *own = tracker_find(&r->trk, r->cfg.id);

	progress_become_replicate(own);
	own->recent_active = true;
}

void raft_become_leader(struct raft *r)
{
	static const struct entry empty = {.type = ENTRY_NORMAL};
	const struct entry *e = &empty;

	check_that(r->state != STATE_FOLLOWER);
	lead_from_now(r);
	/* Changes of the configuration may be among what is not applied yet; wait for all of it. */
	r->pending_conf_index = log_last_index(&r->log);
	raft_append_entries(r, &e, 1);
	LOG_LINE(&r->logger, LOG_INFO, ID64 " became leader at term " U64, r->cfg.id, r->term);
}

/* Configuration */

static void log_switched(const struct raft *r)
{
	struct buf conf = {0};

	if (!logger_wants(&r->logger, LOG_INFO))
		return;
	raft_print_conf(&conf, &r->trk.conf);
	logger_line(&r->logger, LOG_INFO, ID64 " switched to configuration %s", r->cfg.id,
		    buf_str(&conf));
	buf_free(&conf);
}

void raft_switch_to_config(struct raft *r)
{
	log_switched(r);
	struct progress *own = tracker_find(&r->trk, r->cfg.id);

	r->is_learner = own && own->is_learner;
	if (r->state != STATE_LEADER)
		return;
	/* A leader outside its configuration goes on until what removed it is committed by the
	 * others. */
	if (!own || r->is_learner) {
		if (r->cfg.step_down_on_removal)
			raft_become_follower(r, r->term, 0);
		return;
	}
	if (r->trk.conf.nvoters == 0)
		return;
	/* Fewer acknowledgements may be needed now; and a new peer is to be probed without delay.
	 */
	if (raft_maybe_commit(r)) {
		raft_bcast_append(r);
	} else {
		for (size_t i = 0; i < r->trk.nprogress; i++)
			if (r->trk.progress[i].id != r->cfg.id)
				raft_maybe_send_append(r, &r->trk.progress[i], false);
	}
	if (r->lead_transferee && !conf_is_voter(&r->trk.conf, r->lead_transferee))
		raft_abort_leader_transfer(r);
}

struct conf_state raft_apply_conf_change(struct raft *r, const struct conf_change *cc)
{
	uint64_t last = log_last_index(&r->log);
	bool auto_leave;
	const char *err;

	if (conf_change_leaves_joint(cc))
		err = changer_leave_joint(&r->trk);
	else if (conf_change_enters_joint(cc, &auto_leave))
		err = changer_enter_joint(&r->trk, last, auto_leave, cc->changes, cc->nchanges);
	else
		err = changer_simple(&r->trk, last, cc->changes, cc->nchanges);
	if (err)
		die(err);
	raft_switch_to_config(r);
	return r->trk.conf;
}

/* Start */

static void log_new_raft(const struct raft *r)
{
	struct buf peers = {0};
	const struct conf_state *c = &r->trk.conf;

	if (!logger_wants(&r->logger, LOG_INFO))
		return;
	for (size_t i = 0; i < r->trk.nprogress; i++) {
		if (!conf_is_voter(c, r->trk.progress[i].id))
			continue;
		buf_printf(&peers, "%s" ID64, peers.n ? "," : "", r->trk.progress[i].id);
	}
	logger_line(&r->logger, LOG_INFO,
		    "newRaft " ID64 " [peers: [%s], term: " U64 ", commit: " U64 ", applied: " U64
		    ", lastindex: " U64 ", lastterm: " U64 "]",
		    r->cfg.id, buf_str(&peers), r->term, r->log.committed, r->log.applied,
		    log_last_index(&r->log), log_last_term(&r->log));
	buf_free(&peers);
}

static void load_hard_state(struct raft *r, const struct hard_state *hs)
{
	if (hs->term == 0 && hs->vote == 0 && hs->commit == 0)
		return;
	check_that(hs->commit >= r->log.committed && hs->commit <= log_last_index(&r->log));
	r->log.committed = hs->commit;
	r->term = hs->term;
	r->vote = hs->vote;
}

struct raft *raft_new(const struct raft_config *cfg, struct storage *storage, struct heap *h,
		      struct raft_logger logger)
{
	struct raft *r = xcalloc(1, sizeof *r);
	const struct conf_state *conf = cfg->conf ? cfg->conf : &storage->snapshot.conf;
	uint64_t max_applying = cfg->max_committed_size_per_ready;

	check_that(cfg->id != 0 && cfg->election_tick > cfg->heartbeat_tick);
	r->cfg = *cfg;
	r->cfg.conf = NULL;
	r->heap = h;
	r->logger = logger;
	log_init(&r->log, storage, &r->logger, max_applying ? max_applying : cfg->max_size_per_msg);
	tracker_init(&r->trk, cfg->max_inflight_msgs, cfg->max_inflight_bytes);
	const char *err = changer_restore(&r->trk, log_last_index(&r->log), conf);

	if (err)
		die(err);
	raft_switch_to_config(r);
	load_hard_state(r, &storage->hard_state);
	if (cfg->applied)
		log_applied_to(&r->log, cfg->applied, 0);
	raft_become_follower(r, r->term, 0);
	log_new_raft(r);
	ready_init(r);
	return r;
}

void raft_free(struct raft *r)
{
	if (!r)
		return;
	log_free(&r->log);
	tracker_free(&r->trk);
	read_only_free(&r->read_only);
	ready_free(&r->ready);
	vec_free(&r->pending_read_index);
	vec_free(&r->msgs);
	vec_free(&r->msgs_after_append);
	vec_free(&r->read_states);
	vec_free(&r->scratch);
	free(r);
}

struct raft *raft_copy(const struct raft *from, struct storage *storage)
{
	struct raft *r = xmalloc(sizeof *r);

	*r = *from;
	r->log.storage = storage;
	r->log.logger = &r->logger;
	log_copy(&r->log, &from->log);
	tracker_copy(&r->trk, &from->trk);
	read_only_copy(&r->read_only, &from->read_only);
	ready_copy(&r->ready, &from->ready);
	vec_copy(&r->pending_read_index, &from->pending_read_index);
	vec_copy(&r->msgs, &from->msgs);
	vec_copy(&r->msgs_after_append, &from->msgs_after_append);
	vec_copy(&r->read_states, &from->read_states);
	r->scratch = (struct entry_list){0};
	return r;
}

void raft_set_logger(struct raft *r, struct raft_logger logger)
{
	r->logger = logger;
}

void raft_set_bugs(struct raft *r, uint32_t bugs)
{
	r->bugs = bugs;
}

void raft_start_settled(struct raft *r, uint64_t leader)
{
	uint64_t last = log_last_index(&r->log);

	log_commit_to(&r->log, last);
	log_applied_to(&r->log, last, 0);
	if (leader == r->cfg.id)
		lead_from_now(r);
	r->lead = leader;
	for (size_t i = 0; i < r->trk.nprogress; i++) {
		struct progress *p = &r->trk.progress[i];

		p->match = last;
		p->recent_active = true;
		progress_become_replicate(p);
		p->sent_commit = last;
	}
	ready_init(r);
}

/* Ticks */

/* A voter that has its snapshot, if one was sent. */
bool raft_promotable(const struct raft *r)
{
	return conf_is_voter(&r->trk.conf, r->cfg.id) && !r->is_learner && !r->log.snapshot;
}

static void step_local(struct raft *r, enum message_type type)
{
	raft_step_any(r, &(struct message){.type = type, .from = r->cfg.id});
}

static void tick_election(struct raft *r)
{
	r->election_elapsed++;
	if (!raft_promotable(r) || r->election_elapsed < r->randomized_election_timeout)
		return;
	r->election_elapsed = 0;
	step_local(r, MSG_HUP);
}

static void tick_heartbeat(struct raft *r)
{
	r->heartbeat_elapsed++;
	r->election_elapsed++;
	if (r->election_elapsed >= r->cfg.election_tick) {
		r->election_elapsed = 0;
		if (r->cfg.check_quorum)
			step_local(r, MSG_CHECK_QUORUM);
		/* The target had its time; take proposals again. */
		if (r->state == STATE_LEADER)
			raft_abort_leader_transfer(r);
	}
	if (r->state == STATE_LEADER && r->heartbeat_elapsed >= r->cfg.heartbeat_tick) {
		r->heartbeat_elapsed = 0;
		step_local(r, MSG_BEAT);
	}
}

void raft_tick(struct raft *r)
{
	if (r->state == STATE_LEADER)
		tick_heartbeat(r);
	else
		tick_election(r);
}

/* Acknowledgements of the storage threads */

static enum raft_error propose_leave(struct raft *r)
{
	static const struct entry leave = {.type = ENTRY_CONF_CHANGE_V2};
	const struct entry *e = &leave;

	return raft_step_any(r, &(struct message){.type = MSG_PROP, .entries = &e, .nentries = 1});
}

static void leave_joint_automatically(struct raft *r)
{
	struct buf conf = {0};
	enum raft_error err = propose_leave(r);

	raft_print_conf(&conf, &r->trk.conf);
	if (err)
		LOG_LINE(&r->logger, LOG_DEBUG,
			 "not initiating automatic transition out of joint configuration %s: %s",
			 buf_str(&conf), raft_error_text(err));
	else
		LOG_LINE(&r->logger, LOG_INFO,
			 "initiating automatic transition out of joint configuration %s",
			 buf_str(&conf));
	buf_free(&conf);
}

static void applied_to(struct raft *r, uint64_t index, uint64_t size)
{
	log_applied_to(&r->log, index > r->log.applied ? index : r->log.applied, size);
	if (r->trk.conf.auto_leave && r->log.applied >= r->pending_conf_index &&
	    r->state == STATE_LEADER)
		leave_joint_automatically(r);
}

static void applied_snapshot(struct raft *r, const struct snapshot *s)
{
	log_stable_snapshot(&r->log, s->index);
	applied_to(r, s->index, 0);
}

void raft_storage_appended(struct raft *r, const struct append_ack *ack)
{
	if (ack->index)
		log_stable_to(&r->log, ack->log_term, ack->index);
	if (ack->snapshot)
		applied_snapshot(r, ack->snapshot);
}

void raft_storage_applied(struct raft *r, const struct entry *const *e, size_t n, uint64_t size)
{
	uint64_t payload = entries_payload(e, n);

	applied_to(r, e[n - 1]->index, size);
	r->uncommitted_size -= payload < r->uncommitted_size ? payload : r->uncommitted_size;
}
