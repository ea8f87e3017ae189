/* What a member's disk is like: a word in its lane, a line of `show disk`. */
#include "base/text.h"
#include "ui/scene.h"

static void put_delay(struct buf *out, const struct disk *d)
{
	if (d->delay_ms != d->delay_most_ms)
		buf_printf(out, "%u-%ums", d->delay_ms, d->delay_most_ms);
	else
		buf_printf(out, "%ums", d->delay_ms);
}

/* Why a member is down that ended by itself, or does not start. */
static const char *failure_word(const struct member *m)
{
	return m->disk.empty	 ? "empty"
	       : m->wal.ndamages ? "refused"
	       : m->disk.full	 ? "full"
				 : "lost";
}

void put_disk_word(struct buf *out, const struct member *m)
{
	const struct disk *d = &m->disk;

	if (!m->failure && !d->full && !d->empty && !d->store_damaged && !m->wal.ndamages &&
	    !d->delay_most_ms)
		return;
	buf_puts(out, "▤");
	if (m->failure)
		buf_puts(out, failure_word(m));
	else if (d->full)
		buf_puts(out, "full");
	else if (d->empty)
		buf_puts(out, "empty");
	else if (m->wal.ndamages)
		buf_puts(out, "bad log");
	else if (d->store_damaged)
		buf_puts(out, "bad row");
	else
		put_delay(out, d);
}

static void put_wal(struct buf *out, const struct member *m)
{
	const struct wal *w = &m->wal;
	unsigned long long records = w->records.end - w->records.first,
			   unsynced = w->records.end - w->synced;

	buf_printf(out,
		   "S%u  WAL %llu records in %lld bytes, %llu not synced, log on disk up to %llu",
		   m->number, records, (long long)server_wal_size(m), unsynced,
		   (unsigned long long)w->durable);
}

static void put_damages(struct buf *out, const struct member *m)
{
	static const char *const what[] = {[WAL_FLIPPED] = "a flipped bit",
					   [WAL_ZEROED] = "zeros at its end",
					   [WAL_CUT] = "its end missing"};

	for (uint32_t i = 0; i < m->wal.ndamages; i++)
		buf_printf(
		    out, "   record %llu has %s",
		    (unsigned long long)(m->wal.damages[i].record - m->wal.records.first + 1),
		    what[m->wal.damages[i].kind]);
	if (m->disk.store_damaged)
		buf_puts(out, "   a value in the database was changed");
	if (m->disk.log_damaged)
		buf_puts(out, "   synced records of the WAL are lost");
	if (m->disk.empty)
		buf_puts(out, "   wiped");
}

static void put_faults(struct buf *out, const struct member *m)
{
	static const char *const keeps[] = {
	    [LOSE_ALL] = "", [LOSE_NONE] = "keeps all of", [LOSE_PART] = "keeps a part of"};
	const struct disk *d = &m->disk;

	if (d->delay_most_ms) {
		buf_puts(out, "   an fsync takes ");
		put_delay(out, d);
	}
	if (d->full)
		buf_puts(out, "   FULL");
	if (d->lose != LOSE_ALL)
		buf_printf(out, "   a crash %s what is not synced", keeps[d->lose]);
	put_damages(out, m);
	if (m->failure)
		buf_printf(out, "   %s: %s", m->raft ? "ends" : "down", m->failure);
}

void draw_disks(const struct scene *s, struct canvas *c, struct rect r)
{
	struct buf b = {0}, safe = {0};
	int y = r.y;

	for (unsigned i = 1; i <= s->w->nmembers; i++) {
		const struct member *m = world_member(s->w, i);
		struct rect line = {r.x + 1, y, r.w - 1, r.y + r.h - y};
		put_wal(&b, m);
		buf_printf(&b, "   database %lld bytes, %lld in use", (long long)m->file_size,
			   (long long)server_file_size(m->store.size));
		put_faults(&b, m);
		text_safe(&safe, buf_bytes(&b), false);
		y += draw_block(c, line, STYLE_NORMAL, 0, buf_str(&safe), "");
		buf_clear(&b);
		buf_clear(&safe);
	}
	buf_free(&b);
	buf_free(&safe);
}
