/* snapshot save and snapshot status (etcd: etcdctl/ctlv3/command/snapshot_command.go).  Files are
 * those of the world's own disk. */
#include "cmd/snapshot.h"

#include <inttypes.h>

#include "sim/files.h"

void snapshot_deprecated(struct shell *s, const char *what)
{
	if (s->w->cfg.etcd_version >= 35)
		buf_printf(command_out(s), "Deprecated: Use `etcdutl snapshot %s` instead.\n\n",
			   what);
}

/* ---- save ---- */

static void saved(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];

	if (r->error == ERR_LEARNER_RPC) { /* 3.4's client opens the stream again, for ever */
		j->wait = WAIT_SIGNAL;
		return;
	}
	if (r->error) {
		command_fail(s, j, STATUS_INTERRUPTED, "%s", error_text(r->error));
		return;
	}
	sim_write_file(s->w, j->recipe.key, r->snapshot.image);
	buf_printf(command_out(s), "Snapshot saved at %.*s\n", (int)j->recipe.key.n,
		   j->recipe.key.p);
	command_end(j);
}

static void refuse_several(struct shell *s, struct job *j)
{
	struct buf *m = &s->scratch->message;

	buf_clear(m);
	buf_puts(m, "snapshot must be requested to one selected node, not multiple [");
	for (size_t i = 0; i < j->nshown; i++) {
		buf_puts(m, i ? " " : "");
		buf_put_bytes(m, j->shown[i]);
	}
	buf_putc(m, ']');
	command_fail_message(s, j, STATUS_INTERRUPTED);
}

static void run_save(struct shell *s, struct job *j, const struct parsed *p)
{
	if (p->args.n != 1) {
		command_fail(s, j, STATUS_BAD_ARGS, "snapshot save expects one argument");
		return;
	}
	if (!command_client(s, j, p))
		return;
	struct bytes name = command_keep(s, p->args.v[0]);
	if (j->nshown > 1) {
		refuse_several(s, j);
		return;
	}
	if (world_dir(s->w, name)) {
		command_fail(s, j, STATUS_INTERRUPTED,
			     "could not rename %s.part to %s (rename %s.part %s: file exists)",
			     name.p, name.p, name.p, name.p);
		return;
	}
	if (!p->global[GLOBAL_COMMAND_TIMEOUT].set)
		j->timeout_ms = INT64_MAX;
	j->recipe.key = name;
	command_call(s, j, command_request(s, REQ_SNAPSHOT), saved);
}

/* ---- status ---- */

static void print_status_table(struct buf *out, const struct database_status *d)
{
	struct buf text[4] = {{0}};
	struct bytes cells[8] = {BYTES("HASH"), BYTES("REVISION"), BYTES("TOTAL KEYS"),
				 BYTES("TOTAL SIZE")};

	buf_printf(&text[0], "%" PRIx32, d->hash);
	buf_put_i64(&text[1], d->revision);
	buf_put_u64(&text[2], d->rows);
	print_size(&text[3], d->size);
	for (size_t i = 0; i < 4; i++)
		cells[4 + i] = buf_bytes(&text[i]);
	print_table(out, cells, 8, 4);
	for (size_t i = 0; i < 4; i++)
		buf_free(&text[i]);
}

static void print_status(struct buf *out, const struct database_status *d, enum print_format f)
{
	if (f == FORMAT_JSON) {
		buf_printf(out,
			   "{\"hash\":%" PRIu32 ",\"revision\":%" PRId64 ",\"totalKey\":%" PRIu64
			   ",\"totalSize\":%" PRId64 "}\n",
			   d->hash, d->revision, d->rows, d->size);
	} else if (f == FORMAT_FIELDS) {
		buf_printf(out,
			   "\"Hash\" : %" PRIu32 "\n\"Revision\" : %" PRId64 "\n\"Keys\" : %" PRIu64
			   "\n\"Size\" : %" PRId64 "\n",
			   d->hash, d->revision, d->rows, d->size);
	} else if (f == FORMAT_TABLE) {
		print_status_table(out, d);
	} else {
		buf_printf(out, "%" PRIx32 ", %" PRId64 ", %" PRIu64 ", ", d->hash, d->revision,
			   d->rows);
		print_size(out, d->size);
		buf_putc(out, '\n');
	}
}

static bool read_format(struct shell *s, struct job *j, const struct parsed *p)
{
	const struct flag_value *f = &p->global[GLOBAL_WRITE_OUT];

	j->format = print_format_of(f->set ? f->text : bytes_of(s->format));
	if (j->format == FORMAT_UNKNOWN)
		command_fail(s, j, STATUS_BAD_FEATURE, "unsupported output format");
	return j->format != FORMAT_UNKNOWN;
}

static void run_status(struct shell *s, struct job *j, const struct parsed *p)
{
	snapshot_deprecated(s, "status");
	if (p->args.n != 1) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "snapshot status requires exactly one argument");
		return;
	}
	struct bytes name = p->args.v[0];
	const struct world_file *f = world_file(s->w, name);
	if (!read_format(s, j, p))
		return;
	if (world_dir(s->w, name)) {
		command_fail(s, j, STATUS_ERROR, "open %.*s: is a directory", (int)name.n, name.p);
	} else if (!f) {
		command_fail(s, j, STATUS_ERROR, "stat %.*s: no such file or directory",
			     (int)name.n, name.p);
	} else if (j->format == FORMAT_PROTOBUF) {
		command_no_form(s, j);
	} else {
		struct database_status d = database_status(f->image, s->w->cfg.etcd_version);
		print_status(command_out(s), &d, j->format);
		command_end(j);
	}
}

const struct command_row cmd_snapshot_save = {
    .name = "snapshot save",
    .group = GROUP_ETCDCTL,
    .usage = "snapshot save <filename>",
    .summary = "Stores an etcd node backend snapshot to a given file",
    .example = "snapshot save s.db --endpoints=S2",
    .cost = "Nothing: the member copies what it has.  The file is one of the world's own disk.",
    .arguments = "@snapshot",
    .stream = true,
    .run = run_save,
};

const struct command_row cmd_snapshot_status = {
    .name = "snapshot status",
    .etcdctl_description =
	"When --write-out is set to simple, this command prints out comma-separated status lists "
	"for each endpoint.\n"
	"The items in the lists are hash, revision, total keys, total size.\n",
    .group = GROUP_ETCDCTL,
    .usage = "snapshot status <filename>",
    .summary = "Gets backend snapshot status of a given file",
    .example = "snapshot status s.db -w table",
    .cost = "Nothing: no member is asked.",
    .versions = "3.5 has more rows of its own in a file, and calls the command deprecated.",
    .arguments = "@snapshot",
    .run = run_status,
};
