/* snapshot restore (etcd: clientv3/snapshot/v3_snapshot.go, Restore): makes a data directory on the
 * world's own disk, from which `start` starts a member of a new cluster. */
#include "cmd/initial_cluster.h"
#include "cmd/snapshot.h"
#include "sim/files.h"

enum {
	RESTORE_DATA_DIR,
	RESTORE_PEER_URLS,
	RESTORE_CLUSTER,
	RESTORE_TOKEN,
	RESTORE_NAME,
	RESTORE_SKIP_HASH,
	RESTORE_WAL_DIR,
	RESTORE_FLAGS
};

static const struct flag_row flags[RESTORE_FLAGS] = {
    [RESTORE_DATA_DIR] = {.name = "data-dir",
			  .type = FLAG_STRING,
			  .fallback = "",
			  .help = "Path to the data directory"},
    [RESTORE_PEER_URLS] = {.name = "initial-advertise-peer-urls",
			   .type = FLAG_STRING,
			   .fallback = "http://localhost:2380",
			   .help = "List of this member's peer URLs to advertise to the rest of "
				   "the cluster"},
    [RESTORE_CLUSTER] = {.name = "initial-cluster",
			 .type = FLAG_STRING,
			 .fallback = "default=http://localhost:2380",
			 .help = "Initial cluster configuration for restore bootstrap"},
    [RESTORE_TOKEN] = {.name = "initial-cluster-token",
		       .type = FLAG_STRING,
		       .fallback = "etcd-cluster",
		       .help =
			   "Initial cluster token for the etcd cluster during restore bootstrap"},
    [RESTORE_NAME] = {.name = "name",
		      .type = FLAG_STRING,
		      .fallback = "default",
		      .values = "@member",
		      .help = "Human-readable name for this member"},
    [RESTORE_SKIP_HASH] = {.name = "skip-hash-check",
			   .type = FLAG_BOOL,
			   .fallback = "false",
			   .help = "Ignore snapshot integrity hash value (required if copied from "
				   "data directory)"},
    [RESTORE_WAL_DIR] = {.name = "wal-dir",
			 .type = FLAG_STRING,
			 .fallback = "",
			 .help = "Path to the WAL directory (use --data-dir if none given)"},
};

/* --data-dir, or NAME.etcd. */
static struct bytes dir_name(struct shell *s, const struct parsed *p)
{
	struct bytes name = flag_text(p, RESTORE_DATA_DIR);
	struct buf b = {0};

	if (name.n)
		return command_keep(s, name);
	buf_put_bytes(&b, flag_text(p, RESTORE_NAME));
	buf_puts(&b, ".etcd");
	struct bytes kept = command_keep(s, buf_bytes(&b));
	buf_free(&b);
	return kept;
}

/* The members are known by name only when they have started. */
static const struct origin *origin_of(struct shell *s, const struct founders *f)
{
	struct origin *o = heap_alloc(s->w->heap, sizeof *o);

	*o = (struct origin){.cluster_id = f->cluster_id};
	for (size_t i = 0; i < f->n; i++) {
		o->conf.voters[i] = f->v[i].id;
		membership_set(&o->membership, s->w->heap,
			       &(struct member_info){.id = f->v[i].id,
						     .name = "",
						     .client_url = "",
						     .peer_url = command_keep(s, f->v[i].url).p});
	}
	o->conf.nvoters = (uint8_t)f->n;
	return o;
}

static bool check_dirs(struct shell *s, struct job *j, const struct parsed *p, struct bytes dir)
{
	struct bytes wal = flag_text(p, RESTORE_WAL_DIR);

	if (world_dir(s->w, dir) || world_file(s->w, dir)) {
		command_fail(s, j, STATUS_ERROR,
			     s->w->cfg.etcd_version >= 35
				 ? "data-dir \"%.*s\" not empty or could not be read"
				 : "data-dir \"%.*s\" exists",
			     (int)dir.n, dir.p);
		return false;
	}
	if (wal.n && (world_dir(s->w, wal) || world_file(s->w, wal))) {
		command_fail(s, j, STATUS_ERROR, "wal-dir \"%.*s\" exists", (int)wal.n, wal.p);
		return false;
	}
	return true;
}

static void put_digest(struct shell *s, const struct store_image *image)
{
	unsigned char digest[SNAPSHOT_DIGEST];

	database_digest(image, s->w->cfg.etcd_version, digest);
	for (size_t i = 0; i < SNAPSHOT_DIGEST; i++)
		buf_printf(&s->scratch->message, "%c%u", i ? ' ' : '[', digest[i]);
	buf_putc(&s->scratch->message, ']');
}

/* The digest behind the database is looked at when the database has been copied: what has been made
 * by then stays. */
static bool check_digest(struct shell *s, struct job *j, const struct world_file *f)
{
	struct buf *m = &s->scratch->message;

	if (f->image == f->written)
		return true;
	buf_clear(m);
	buf_puts(m, "expected sha256 ");
	put_digest(s, f->written);
	buf_puts(m, ", got ");
	put_digest(s, f->image);
	command_fail_message(s, j, STATUS_ERROR);
	return false;
}

static void make(struct shell *s, struct job *j, const struct parsed *p, const struct world_file *f,
		 const struct founders *founders, struct bytes dir)
{
	bool good = flag_bool(p, RESTORE_SKIP_HASH) || check_digest(s, j, f);
	const struct founder *self = founders->self;

	sim_make_dir(
	    s->w, &(struct data_dir){.name = dir.p,
				     .id = self->id,
				     .member_name = command_keep(s, flag_text(p, RESTORE_NAME)).p,
				     .peer_url = command_keep(s, self->url).p,
				     .origin = origin_of(s, founders),
				     .image = f->image,
				     .unfinished = !good});
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct bootstrap b = {flag_text(p, RESTORE_NAME), flag_text(p, RESTORE_CLUSTER),
			      flag_text(p, RESTORE_TOKEN), flag_text(p, RESTORE_PEER_URLS)};
	struct founders founders;

	snapshot_deprecated(s, "restore");
	if (p->args.n != 1) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "snapshot restore requires exactly one argument");
		return;
	}
	struct bytes name = p->args.v[0], dir = dir_name(s, p);
	buf_clear(&s->scratch->message);
	if (!initial_cluster_read(&founders, &b, s->w->heap, &s->scratch->message)) {
		command_fail_message(s, j, STATUS_ERROR);
		return;
	}
	if (!check_dirs(s, j, p, dir))
		return;
	const struct world_file *f = world_file(s->w, name);
	if (world_dir(s->w, name)) {
		command_fail(s, j, STATUS_ERROR, "read %.*s: is a directory", (int)name.n, name.p);
	} else if (!f) {
		command_fail(s, j, STATUS_ERROR, "open %.*s: no such file or directory",
			     (int)name.n, name.p);
	} else {
		make(s, j, p, f, &founders, dir);
		command_end(j);
	}
}

const struct command_row cmd_snapshot_restore = {
    .name = "snapshot restore",
    .group = GROUP_ETCDCTL,
    .usage = "snapshot restore <filename> [options]",
    .summary = "Restores an etcd member snapshot to an etcd directory",
    .example = "snapshot restore s.db --name=S1 --initial-cluster=S1=http://127.0.0.1:12380 "
	       "--initial-advertise-peer-urls=http://127.0.0.1:12380",
    .cost = "Nothing: no member is asked.  start S1 begins with what it has made.",
    .versions = "3.5 words it differently when the directory exists, and calls the command "
		"deprecated.",
    .arguments = "@snapshot",
    .flags = flags,
    .nflags = RESTORE_FLAGS,
    .run = run,
};
