#include "explore/profile.h"

#include <inttypes.h>

static bool chance(struct prng *g, unsigned n)
{
	return prng_below(g, n) == 0;
}

static void draw_limits(struct config *c, struct prng *g)
{
	if (chance(g, 2)) { /* so small that members are left behind and get snapshots */
		c->snapshot_count = 1 + prng_below(g, 9);
		c->snapshot_catchup = prng_below(g, 6);
	}
	if (chance(g, 2)) /* so small that clients that do not read become victims */
		c->watch_channel = 1 + (uint32_t)prng_below(g, 3);
	if (chance(g, 8)) /* so small that what a leader sends is in pieces */
		c->max_size_per_msg = 1;
	if (chance(g, 8)) /* an empty database is nearly as large */
		c->quota_bytes = 20480 + 4096 * (1 + (int64_t)prng_below(g, 3));
	if (chance(g, 32))
		c->max_txn_ops = 2;
	if (chance(g, 16)) /* events of two keys are fragments */
		c->max_request_bytes = 100;
}

/* What goes by the clock: often enough to happen in some thousand events. */
static void draw_intervals(struct config *c, struct prng *g)
{
	if (chance(g, 16)) { /* five minutes are sixty ticks */
		c->heartbeat_ms = 5000;
		c->election_ms = 50000;
		c->lease_checkpoint = chance(g, 2);
		c->compact_by_revision = chance(g, 2);
		c->compact_retention =
		    c->compact_by_revision ? 1 + (int64_t)prng_below(g, 20) : -300000;
	}
	if (chance(g, 8)) {
		c->kube_compact_ms = 300 + 100 * (int64_t)prng_below(g, 20);
		c->kube_apiservers = 1 + (uint32_t)prng_below(g, 3);
	}
	if (chance(g, 4))
		c->progress_notify_ms = 100 + 100 * (int64_t)prng_below(g, 20);
}

/* Two classes of faults in three. */
static unsigned some_classes(unsigned allowed, struct prng *g)
{
	unsigned usual = CLASSES_NONE;

	for (int c = 1; c < CLASSES; c++)
		if (allowed & 1u << c && prng_below(g, 3))
			usual |= 1u << c;
	return usual;
}

enum { CONTEST = 12 };

static void draw_plan(struct plan *p, const struct config *c, const struct seed_options *o,
		      struct prng *g)
{
	unsigned contest = 1u << CLASS_TIMEOUT | 1u << CLASS_KILL | 1u << CLASS_POWER;

	*p = (struct plan){.events = o->events,
			   .allowed = o->classes | CLASSES_NONE,
			   .members = c->members,
			   .quota = c->quota_bytes < 1 << 20};
	p->usual = some_classes(o->classes, g);
	p->contest = (o->classes & contest) == contest && chance(g, CONTEST);
	p->membership = (o->classes & 1u << CLASS_MEMBERS) && c->members > 1 && chance(g, 4);
	/* Not where space runs out: etcd itself breaks a promise there (server/quota.c, put_cap).
	 */
	p->auth = chance(g, 16) && !p->quota;
}

void profile_draw(struct config *c, struct plan *plan, const struct seed_options *o, struct prng *g)
{
	static const uint8_t sizes[16] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 5, 5, 5, 1};

	c->bugs = o->bugs;
	c->members = o->members ? o->members : sizes[prng_below(g, 16)];
	c->election_random = prng_below(g, 2);
	c->send_parallel = prng_below(g, 2);
	c->pre_vote = prng_below(g, 8) != 0;
	/* Without pre-vote and with a fixed order, a member with an old log would disturb for ever.
	 */
	c->election_random |= !c->pre_vote;
	c->etcd_version = prng_below(g, 4) ? 34 : 35;
	c->boot_etcd = chance(g, 8);
	draw_limits(c, g);
	draw_intervals(c, g);
	draw_plan(plan, c, o, g);
	if (plan->contest) { /* so that whoever asks for votes may get them */
		c->pre_vote = c->check_quorum = false;
		c->election_random = true;
		c->max_size_per_msg = 1;
	}
}

/* Those that may be drawn; the rest has its default. */
static const char *const settings[] = {"election",
				       "pre-vote",
				       "check-quorum",
				       "max-size-per-msg",
				       "etcd",
				       "heartbeat-interval",
				       "election-timeout",
				       "boot",
				       "leader-send",
				       "snapshot-count",
				       "snapshot-catchup-entries",
				       "watch-channel",
				       "quota-backend-bytes",
				       "max-txn-ops",
				       "max-request-bytes",
				       "lease-checkpoint",
				       "auto-compaction-mode",
				       "auto-compaction-retention",
				       "etcd-compaction-interval",
				       "kube-apiservers",
				       "watch-progress-notify-interval"};

void profile_print(struct buf *out, const struct config *c)
{
	buf_printf(out, "new --members=%u --seed=%" PRIu64, c->members, c->seed);
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		const char *name = settings[i];
		struct buf value = {0};

		config_get(c, name, &value);
		if (strcmp(buf_str(&value), config_setting((size_t)config_find(name))->fallback) !=
		    0)
			buf_printf(out, " --%s=%s", name, buf_str(&value));
		buf_free(&value);
	}
	buf_putc(out, '\n');
	for (int b = 0; b < BUG_COUNT; b++)
		if (bug_on(c->bugs, (enum bug)b))
			buf_printf(out, "bug %s\n", bug_row((enum bug)b)->name);
}
