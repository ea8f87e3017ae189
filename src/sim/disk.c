/* What can happen to a disk, and what a process finds on it when it starts. */
#include "sim/private.h"

/* ---- a start ---- */

/* The process looks, says why, and ends. */
static bool refuse(struct world *w, struct member *m, const char *why)
{
	m->failure = why;
	m->touched++;
	observe_fault_text(w, FAULT_REFUSED, m->number, why);
	return false;
}

bool disk_lets_start(struct world *w, struct member *m)
{
	const char *why;

	switch (server_open_wal(m, &why)) {
	case WAL_READ:
		return true;
	case WAL_REPAIRED:
		observe_log(w, m,
			    "repairing S%u.etcd/member/wal/"
			    "0000000000000000-0000000000000000.wal",
			    m->number);
		observe_log(w, m, "repaired WAL error (%s)", why);
		observe_fault_text(w, FAULT_DISK, m->number,
				   "repaired: the last record of the WAL was torn");
		return true;
	case WAL_REFUSED:
		break;
	}
	observe_log(w, m, "%s", why);
	return refuse(w, m, why);
}

/* The first that answers what it asks about the cluster; NULL: nobody does. */
static const struct member *heard(const struct world *w, const struct member *m)
{
	for (unsigned i = 1; i <= w->nmembers; i++)
		if (i != m->number && member_up(world_member(w, i)) &&
		    net_connected(w, m->number, i))
			return world_member(w, i);
	return NULL;
}

static const char *already_bootstrapped(struct world *w, const struct member *m)
{
	struct buf text = {0};

	buf_printf(&text, "member %llx has already been bootstrapped", (unsigned long long)m->id);
	const char *kept = heap_dup(w->heap, text.p, text.n);
	buf_free(&text);
	return kept;
}

/* It has run before if its client URL is known (etcd: etcdserver/cluster_util.go,
 * isMemberBootstrapped); that of one that was added may not be in the log. */
static bool is_bootstrapped(const struct world *w, const struct member *m,
			    const struct member *peer)
{
	const struct member_info *info = peer ? membership_find(&peer->membership, m->id) : NULL;

	return info && (*info->client_url || !roster_is_first(w, m->number));
}

/* What it was told of its cluster must be what the cluster says. */
static bool joins_existing(struct world *w, struct member *m, const struct member *peer)
{
	if (!peer)
		return refuse(
		    w, m,
		    "cannot fetch cluster info from peer urls: could not retrieve cluster "
		    "information from the given URLs");
	if (!membership_find(&peer->membership, m->id))
		return refuse(w, m, "error validating peerURLs: member count is unequal");
	return true;
}

/* etcd: etcdserver/server.go, NewServer, where there is no WAL. */
bool disk_lets_join(struct world *w, struct member *m, bool existing)
{
	const struct member *peer = heard(w, m);

	if (!existing && is_bootstrapped(w, m, peer))
		return refuse(w, m, already_bootstrapped(w, m));
	/* Who was added was told that its cluster exists. */
	if (existing || !roster_is_first(w, m->number))
		return joins_existing(w, m, peer);
	roster_boot_again(w, m->number); /* nobody says that it has run */
	return true;
}

/* ---- what is done to it ---- */

const char *sim_disk_why_not(const struct world *w, unsigned member, const struct disk_change *c)
{
	const struct member *m = world_member(w, member);
	bool at_rest = c->wipe || c->zero_tail || c->cut_tail;

	switch (m->condition) {
	case MEMBER_UNSTARTED:
	case MEMBER_ABSENT:
	case MEMBER_REMOVED:
		return "it has no disk: it does not run as a member";
	case MEMBER_DOWN:
		break;
	default:
		if (at_rest)
			return "its process is running and has the files open: kill it first";
	}
	if ((c->flip_wal || c->zero_tail || c->cut_tail) && m->wal.ndamages == WAL_DAMAGES)
		return "its log is damaged in four places already: that is enough";
	if (m->disk.empty && (c->flip_wal || c->flip_db || at_rest))
		return "there is nothing on it";
	return NULL;
}

static bool damage(struct member *m, const struct disk_change *c, const char **why)
{
	*why = "there is no entry in its log";
	if ((c->flip_wal && !server_damage_wal(m, WAL_FLIPPED, 1)) ||
	    (c->zero_tail && !server_damage_wal(m, WAL_ZEROED, c->zero_tail)) ||
	    (c->cut_tail && !server_damage_wal(m, WAL_CUT, c->cut_tail)))
		return false;
	*why = "there is no value in its store";
	return !c->flip_db || server_damage_store(m);
}

static void set(struct disk *d, const struct disk_change *c)
{
	if (c->reset) {
		d->delay_ms = d->delay_most_ms = 0;
		d->full = false;
		d->lose = LOSE_ALL;
	}
	if (c->set_delay) {
		d->delay_ms = c->delay_ms;
		d->delay_most_ms = c->delay_most_ms;
	}
	if (c->set_full)
		d->full = c->full;
	if (c->set_lose)
		d->lose = (uint8_t)c->lose;
}

static void put_delay(struct buf *out, const struct disk_change *c)
{
	buf_printf(out, " --delay=%u", c->delay_ms);
	if (c->delay_most_ms > c->delay_ms)
		buf_printf(out, "-%u", c->delay_most_ms);
	buf_puts(out, "ms");
}

const char *const lose_names[] = {[LOSE_ALL] = "all", [LOSE_NONE] = "none", [LOSE_PART] = "part"};

/* As a command would say it. */
static void put_change(struct buf *out, const struct disk_change *c)
{
	if (c->reset)
		buf_puts(out, " --reset");
	if (c->set_delay)
		put_delay(out, c);
	if (c->set_full)
		buf_puts(out, c->full ? " --full" : " --full=false");
	if (c->set_lose)
		buf_printf(out, " --lose-unsynced=%s", lose_names[c->lose]);
	if (c->flip_wal)
		buf_puts(out, " --flip=wal");
	if (c->flip_db)
		buf_puts(out, " --flip=db");
	if (c->zero_tail)
		buf_printf(out, " --zero-tail=%u", c->zero_tail);
	if (c->cut_tail)
		buf_printf(out, " --cut-tail=%u", c->cut_tail);
	if (c->wipe)
		buf_puts(out, " --wipe");
}

static void note(struct world *w, unsigned member, const struct disk_change *c)
{
	struct buf text = {0};

	put_change(&text, c);
	if (text.n)
		observe_fault_text(w, FAULT_DISK, member,
				   heap_dup(w->heap, text.p + 1, text.n - 1));
	buf_free(&text);
}

bool sim_disk(struct world *w, unsigned member, const struct disk_change *c, const char **why)
{
	struct member *m = world_member(w, member);

	*why = sim_disk_why_not(w, member, c);
	if (*why || !damage(m, c, why))
		return false;
	set(&m->disk, c);
	m->touched++;
	if (c->wipe) {
		m->disk.wiped++;
		m->disk.empty = true;
		m->disk.store_damaged = false;
		roster_wipe(w, m);
	}
	note(w, member, c);
	return true;
}
