/* The digest of a world: whatever tells two worlds apart is in it. */
#include "sim/files.h"
#include "talk.h"

/* Changed in this way, the world has another digest. */
#define TELLS(k, change)                                                                           \
	do {                                                                                       \
		struct world *w = world_copy((k)->w);                                              \
		assert_true(world_hash(w) == world_hash((k)->w));                                  \
		change;                                                                            \
		if (world_hash(w) == world_hash((k)->w))                                           \
			fail_msg("not in the digest: %s", #change);                                \
		world_free(w);                                                                     \
	} while (0)

static void the_world(void **state)
{
	struct talk k = TALK("members 3");

	(void)state;
	TELLS(&k, w->prng.state++);
	TELLS(&k, w->next_stream++);
	TELLS(&k, w->calls_ended++);
	TELLS(&k, w->next_tick_ms++);
	TELLS(&k, w->next_lessor_ms++);
	TELLS(&k, w->cfg.bugs = 1);
	TELLS(&k, w->cfg.patience_s++);
	TELLS(&k, w->publish = true);
	TELLS(&k, w->peers[2].publishes = true);
	TELLS(&k, w->peers[2].name = "x");
	TELLS(&k, w->origin.cluster_id++);
	TELLS(&k, w->origin.membership.version++);
	TELLS(&k, w->path.current++);
	TELLS(&k, w->path.acked++);
	talk_end(&k);
}

static void a_member(void **state)
{
	struct talk k = TALK("members 3");

	(void)state;
	put(&k, "a", "1", 0);
	rest(&k);
	TELLS(&k, w->members[1]->silent = true);
	TELLS(&k, w->members[1]->since_ms++);
	TELLS(&k, w->members[1]->still_ms++);
	TELLS(&k, w->members[1]->bugs++);
	TELLS(&k, w->members[1]->failure = "x");
	TELLS(&k, w->members[1]->clock.said_ms++);
	TELLS(&k, w->members[1]->disk.log_damaged = true);
	TELLS(&k, w->members[1]->wal.base_commit++);
	TELLS(&k, w->members[1]->wal.durable++);
	TELLS(&k, w->members[1]->storage.hard_state.commit++);
	TELLS(&k, w->members[1]->storage.to_send.index++);
	TELLS(&k, w->members[1]->store.bugs++);
	TELLS(&k, w->members[1]->store.keep_tombstone_at_compact = true);
	TELLS(&k, w->members[1]->lessor.min_ttl++);
	TELLS(&k, w->members[1]->lessor.next_seq++);
	TELLS(&k, w->members[1]->membership.version++);
	TELLS(&k, w->members[1]->auth.revision++);
	TELLS(&k, w->members[1]->watchable.bugs++);
	TELLS(&k, w->members[1]->events_caused++);
	TELLS(&k, w->members[1]->lead_seen++);
	TELLS(&k, w->members[1]->role_seen++);
	TELLS(&k, w->members[1]->read_context++);
	TELLS(&k, w->members[1]->next_context++);
	TELLS(&k, w->members[1]->read_asked_ms++);
	TELLS(&k, w->members[1]->leaderless_since_ms--);
	TELLS(&k, w->members[1]->was_ready = false);
	TELLS(&k, w->members[1]->unguarded = true);
	TELLS(&k, w->members[1]->store_ahead = true);
	TELLS(&k, w->members[1]->store_behind = true);
	TELLS(&k, w->members[1]->compactor.settings.revisions++);
	TELLS(&k, w->members[1]->compactor.waited = true);
	talk_end(&k);
}

static void set_link(struct world *w, int32_t delay_ms)
{
	sim_set_link(
	    w, &(struct link_change){.from = LINK_MEMBERS,
				     .to = LINK_CLIENT,
				     .fields = LINK_DELAY,
				     .link = {.delay_ms = delay_ms, .delay_max_ms = delay_ms}});
}

static const struct request *put_request(struct world *w, const char *value)
{
	struct request *q = heap_alloc(w->heap, sizeof *q);

	*q =
	    (struct request){.kind = REQ_PUT, .put = {.key = BYTES("a"), .value = bytes_of(value)}};
	return q;
}

/* Two worlds that differ in what is put, or in the client's limit, at each event until the
 * answer is there. */
static void a_request_on_its_way(void **state)
{
	struct talk k = TALK("members 3");
	int events = 0;

	(void)state;
	set_link(k.w, 50);
	struct world *x = world_copy(k.w), *y = world_copy(k.w), *z = world_copy(k.w);
	struct call_options five = {.timeout_ms = 5000}, three = {.timeout_ms = 3000};
	sim_call(x, put_request(x, "x"), &five);
	sim_call(y, put_request(y, "y"), &five);
	sim_call(z, put_request(z, "x"), &three);
	for (; x->calls.v[0].state == CALL_OPEN; events++) {
		assert_true(world_hash(x) != world_hash(y));
		assert_true(world_hash(x) != world_hash(z));
		struct world *all[] = {x, y, z};
		for (int i = 0; i < 3; i++)
			if (!sim_step(all[i]))
				sim_advance(all[i], sim_next_ms(all[i]));
	}
	assert_true(events > 10);
	world_free(x);
	world_free(y);
	world_free(z);
	talk_end(&k);
}

/* The content of work, wherever it stands: what the call says is made equal. */
static void what_work_is_about(void **state)
{
	struct talk k = TALK("members 3");
	const char *const values[] = {"x", "y"};
	uint64_t hash[2][200];
	size_t n[2] = {0};

	(void)state;
	set_link(k.w, 50);
	for (int i = 0; i < 2; i++) {
		struct world *w = world_copy(k.w);
		const struct request *same = put_request(w, "x");
		sim_call(w, put_request(w, values[i]), &(struct call_options){.timeout_ms = 5000});
		while (sim_step(w))
			;
		sim_advance(w, 50);
		while (n[i] < 200) {
			bool proposed = false;
			for (size_t j = w->work_head; j < w->work.n; j++)
				proposed |= w->work.v[j].kind == WORK_PROPOSE;
			const struct request *kept = w->calls.v[0].req;
			w->calls.v[0].req = same;
			for (size_t j = 0; j < w->members[0]->waiting.n; j++)
				w->members[0]->waiting.v[j].req = same;
			if (proposed)
				hash[i][n[i]++] = world_hash(w);
			w->calls.v[0].req = kept;
			if (!sim_step(w))
				break;
		}
		world_free(w);
	}
	assert_true(n[0] > 0);
	assert_int_equal(n[0], n[1]);
	for (size_t i = 0; i < n[0]; i++)
		assert_true(hash[0][i] != hash[1][i]);
	talk_end(&k);
}

static void a_call(void **state)
{
	struct talk k = TALK("members 3");

	(void)state;
	set_link(k.w, 50);
	put(&k, "a", "1", 0);
	rest(&k);
	TELLS(&k, w->calls.v[0].at++);
	TELLS(&k, w->calls.v[0].asked[0]++);
	TELLS(&k, w->calls.v[0].deadline_ms++);
	TELLS(&k, w->calls.v[0].start_ms++);
	TELLS(&k, w->calls.v[0].arrived = true);
	TELLS(&k, w->calls.v[0].parked = true);
	TELLS(&k, w->calls.v[0].follows_leader = false);
	TELLS(&k, w->calls.v[0].index++);
	TELLS(&k, w->later.v[0].life++);
	talk_end(&k);
}

static struct watch_options watch_all(void)
{
	return (struct watch_options){.range = {BYTES("a"), BYTES("z")}, .shown = BYTES("a")};
}

/* Worlds in which one watcher was begun in one way or another. */
static void a_watcher(void **state)
{
	struct talk k = TALK("members 3");
	struct watch_options o[9];
	uint64_t hash[9];

	(void)state;
	for (int i = 0; i < 9; i++)
		o[i] = watch_all();
	o[1].fragment = true;
	o[2].prev_kv = true;
	o[3].fragment = o[3].prev_kv = true;
	o[4].name = BYTES("x");
	o[5].no_put = true;
	o[6].no_delete = true;
	o[7].progress_notify = true;
	o[8].client = "node-a";
	for (int i = 0; i < 9; i++) {
		struct world *w = world_copy(k.w);
		sim_watch(w, &o[i]);
		hash[i] = world_hash(w);
		for (int j = 0; j < i; j++)
			assert_true(hash[i] != hash[j]);
		world_free(w);
	}
	talk_end(&k);
}

static void what_a_watcher_has_got(void **state)
{
	struct talk k = TALK("members 3");
	struct watch_options o = watch_all();

	(void)state;
	sim_watch(k.w, &o);
	rest(&k);
	put(&k, "a", "1", 0);
	put(&k, "b", "1", 0);
	rest(&k);
	struct watch_client *c = &k.w->watches.v[0];
	assert_int_equal(c->shown_events.n, 2);
	TELLS(&k, w->watches.v[0].told_created = false);
	TELLS(&k, w->watches.v[0].waits_for_leader = true);
	TELLS(&k, w->watches.v[0].stream++);
	TELLS(&k, w->watches.v[0].asked_rev++);
	TELLS(&k, w->watches.v[0].user = BYTES("root"));
	TELLS(&k, w->watches.v[0].list_call++);
	TELLS(&k, w->watches.v[0].moved_ms++);
	TELLS(&k, vec_push(&w->watches.v[0].parts, &w->watches.v[0].shown_events.v[0].e));
	vec_push(&c->parts, &c->shown_events.v[0].e);
	TELLS(&k, w->watches.v[0].parts.v[0] = &w->watches.v[0].shown_events.v[1].e);
	TELLS(&k, w->watches.v[0].shown_events.v[0].at++);
	TELLS(&k, w->notes.n--);
	TELLS(&k, w->members[0]->watchable.watchers.v[0].fragment = true);
	TELLS(&k, w->members[0]->watchable.next_seq++);
	talk_end(&k);
}

/* Each part of an image that a file or a directory has. */
static void a_file(void **state)
{
	struct talk k = TALK("members 3");
	struct store_image image = {.store = k.w->members[0]->store};
	struct store_image other[9];

	(void)state;
	for (int i = 0; i < 9; i++)
		other[i] = image;
	other[0].membership.version = 35;
	other[1].auth.enabled = true;
	other[2].alarms = (struct alarm_list){&(struct alarm){1, ALARM_CORRUPT}, 1};
	other[3].leases = &(struct lease_image){1, 2};
	other[3].nleases = 1;
	other[4].consistent_index = 1;
	other[5].term = 1;
	other[6].conf.nvoters = 1;
	other[7].file_size = 1;
	other[8].damaged = true;
	sim_write_file(k.w, BYTES("s.db"), &image);
	struct origin origin = {.cluster_id = 1}, renamed = origin;
	renamed.membership.version = 35;
	sim_make_dir(k.w,
		     &(struct data_dir){.name = "d", .id = 1, .origin = &origin, .image = &image});
	for (int i = 0; i < 9; i++) {
		TELLS(&k, sim_write_file(w, BYTES("s.db"), &other[i]));
		TELLS(&k, w->dirs.v[0].image = &other[i]);
	}
	TELLS(&k, w->dirs.v[0].origin = &renamed);
	TELLS(&k, w->dirs.v[0].member_name = "S1");
	TELLS(&k, w->dirs.v[0].peer_url = "u");
	talk_end(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_world),
	    cmocka_unit_test(a_member),
	    cmocka_unit_test(a_request_on_its_way),
	    cmocka_unit_test(what_work_is_about),
	    cmocka_unit_test(a_call),
	    cmocka_unit_test(a_watcher),
	    cmocka_unit_test(what_a_watcher_has_got),
	    cmocka_unit_test(a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
