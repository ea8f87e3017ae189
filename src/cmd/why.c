/* why: the last error in plain words, with the numbers behind it and what to do (screen-design.md
 * B.7). */
#include <inttypes.h>

#include "api/bug.h"
#include "base/mistakes.h"
#include "check/check.h"
#include "cmd/command.h"

static void put_seconds(struct buf *out, int64_t ms)
{
	buf_printf(out, "%" PRId64 ".%03d s", ms / 1000, (int)(ms % 1000));
}

static int64_t asked_revision(const struct request *r)
{
	if (r->kind == REQ_RANGE)
		return r->range.revision;
	return r->kind == REQ_COMPACTION ? r->compaction.revision
	       : r->kind == REQ_HASH_KV	 ? r->hash_kv.revision
					 : 0;
}

/* The store that answered, or the one that is shown. */
static const struct member *member_of(const struct world *w, const struct call *c)
{
	unsigned at = c && c->at ? c->at : world_view(w);

	return world_member(w, at ? at : 1);
}

static void explain_compacted(struct buf *out, const struct world *w, const struct call *c)
{
	int64_t compacted = member_of(w, c)->store.compact_rev,
		asked = c ? asked_revision(c->req) : 0;

	if (asked > 0 && c->req->kind == REQ_COMPACTION)
		buf_printf(out,
			   "Revision %" PRId64 " is not above %" PRId64
			   ", which is compacted already.",
			   asked, compacted);
	else if (asked > 0)
		buf_printf(out,
			   "Revision %" PRId64 " is below %" PRId64
			   ", the revision compacted last. Oldest readable: %" PRId64 ".",
			   asked, compacted, compacted);
	else
		buf_printf(out,
			   "Everything below revision %" PRId64
			   " has been compacted. Oldest readable: %" PRId64 ".",
			   compacted, compacted);
}

static void explain_future(struct buf *out, const struct world *w, const struct call *c)
{
	int64_t asked = c ? asked_revision(c->req) : 0;

	buf_printf(out, "The store is at revision %" PRId64 "; ",
		   member_of(w, c)->store.current_rev);
	if (asked > 0)
		buf_printf(out, "%" PRId64 " does not exist yet.", asked);
	else
		buf_puts(out, "what was asked for does not exist yet.");
}

/* Term of what a member's log holds at an index; of one that is down, what its disk holds.  0:
 * nothing. */
static uint64_t term_in_log(const struct member *m, uint64_t index)
{
	uint64_t term = 0;

	if (m->raft)
		return index <= raft_last_index(m->raft) ? raft_entry_term(m->raft, index) : 0;
	return storage_term(&m->storage, index, &term) == STORAGE_OK ? term : 0;
}

/* How many members hold the entry, and their names. */
static void put_holders(struct buf *out, const struct world *w, uint64_t index, uint64_t term)
{
	unsigned n = 0;

	for (unsigned m = 1; m <= w->nmembers; m++) {
		if (term_in_log(world_member(w, m), index) != term)
			continue;
		buf_printf(out, "%sS%u", n++ ? ", " : "", m);
	}
	buf_printf(out, n ? " (%u of %u logs, %u needed)" : "no log (%u of %u, %u needed)", n,
		   (unsigned)world_conf(w)->nvoters, world_quorum(w));
}

/* Has a member committed it, or applied it before it went down? */
static bool is_committed(const struct world *w, uint64_t index, uint64_t term)
{
	for (unsigned m = 1; m <= w->nmembers; m++) {
		const struct member *k = world_member(w, m);
		uint64_t known = k->raft ? raft_commit(k->raft) : k->applied;
		if (index <= known && term_in_log(k, index) == term)
			return true;
	}
	return false;
}

static void explain_lost_write(struct buf *out, const struct world *w, const struct call *c)
{
	if (c->index && is_committed(w, c->index, c->term)) {
		buf_printf(out, "Entry %" PRIu64 " is committed, in ", c->index);
		put_holders(out, w, c->index, c->term);
		buf_puts(out, ": it is done, and only the answer was lost. The client cannot know: "
			      "it has to read.");
	} else if (c->index) {
		buf_printf(out, "Entry %" PRIu64 " is in ", c->index);
		put_holders(out, w, c->index, c->term);
		buf_puts(out, ". It may or may not be committed later: read, or use a txn, before "
			      "you repeat it.");
	} else {
		buf_printf(
		    out,
		    "It is in no log that S%u knows of: there was no leader to hand it to, or "
		    "one that died first. Whether it is done later is unknown: read before "
		    "you repeat it.",
		    (unsigned)c->at);
	}
}

static void explain_deadline(struct buf *out, const struct world *w, const struct call *c)
{
	buf_puts(out, "No answer in ");
	put_seconds(out, c->end_ms - c->start_ms);
	buf_puts(out, ". ");
	if (!c->index && c->at && world_member(w, c->at)->condition == MEMBER_PAUSED) {
		buf_printf(out,
			   "S%u stands still: the request waits in its buffers. resume-member S%u "
			   "lets it go on; --endpoints asks another member.",
			   (unsigned)c->at, (unsigned)c->at);
	} else if (!c->index && c->at && world_member(w, c->at)->condition != MEMBER_UP) {
		buf_printf(out,
			   "S%u is not running, so nobody heard the request: restart S%u, or ask "
			   "another member with --endpoints.",
			   (unsigned)c->at, (unsigned)c->at);
	} else if (request_is_write(c->req)) {
		explain_lost_write(out, w, c);
	} else if (c->req->kind == REQ_RANGE) {
		buf_printf(out,
			   "S%u asked for a read index, which takes a leader with a majority, and "
			   "got none. --consistency=s would answer from S%u's own store.",
			   (unsigned)c->at, (unsigned)c->at);
	} else {
		buf_puts(out, "It takes a leader with a majority: `wait leader` waits for one.");
	}
}

static void explain_server_limit(struct buf *out, const struct world *w, const struct call *c)
{
	buf_printf(out, "The server's own limit of %" PRId64 " s ended first. ",
		   5 + 2 * (int64_t)w->cfg.election_ms / 1000);
	explain_lost_write(out, w, c);
}

/* The first compare of the transaction that does not hold now. */
static void explain_failure(struct buf *out, const struct world *w, const struct call *c)
{
	static const char *const names[] = {"version", "create_revision", "mod_revision", "value",
					    "lease"};
	const struct txn_request *t = &c->req->txn;

	for (size_t i = 0; i < t->ncompares; i++) {
		const struct compare *k = &t->compares[i];
		const struct row *row =
		    mvcc_get(&member_of(w, c)->store, k->range.key, c->rev_before);
		int64_t now = !row			     ? 0
			      : k->target == COMPARE_VERSION ? row->version
			      : k->target == COMPARE_CREATE  ? row->create
			      : k->target == COMPARE_MOD     ? row->main
							     : row->lease;

		if (k->target == COMPARE_VALUE || (k->result == COMPARE_EQUAL && now == k->number))
			continue;
		buf_printf(out, "Compare failed: %s is %" PRId64 ", compared with %" PRId64 ". ",
			   names[k->target], now, k->number);
		if (k->target == COMPARE_MOD)
			buf_printf(out,
				   "Somebody wrote in between. Kubernetes calls this 409 Conflict. "
				   "Retry with %" PRId64 ".",
				   now);
		return;
	}
	buf_puts(out, "A compare did not hold, so the operations of failure were done.");
}

/* Errors that need no numbers. */
static const struct {
	enum error error;
	const char *text;
} plain_texts[] = {
    {ERR_CANCELED,
     "It was interrupted before it had its answer. What it asked for may still be done: "
     "read before you repeat it."},
    {ERR_NO_SPACE,
     "Alarm NOSPACE is set. Deleting is not enough: compact, defrag each member, then "
     "alarm disarm."},
    {ERR_LEASE_NOT_FOUND,
     "No lease of that ID exists: it was never granted, was revoked, or ran out. "
     "`lease list` shows those that do."},
    {ERR_KEY_NOT_FOUND,
     "--ignore-value and --ignore-lease keep what the key has, and the key does not "
     "exist."},
    {ERR_EMPTY_KEY, "The key is empty. With --prefix, \"\" means every key."},
    {ERR_DUPLICATE_KEY, "A transaction may write a key once: all its writes share one revision."},
    {ERR_PROPOSAL_DROPPED,
     "The leader is handing over and takes no writes for at most one election "
     "timeout. Repeat it."},
    {ERR_NO_LEADER,
     "No member leads now. `wait leader` waits for an election; a majority must be up "
     "and connected."},
    {ERR_BAD_TRANSFEREE, "Leadership can go to a voting member only: `member list` shows them."},
    {ERR_UNHEALTHY,
     "The member that was asked must have been connected to every voter for five seconds before it "
     "takes another member in, and a healthy majority must be left when one goes. A voter that has "
     "been added and not started counts as lost: start it, or remove it."},
    {ERR_NOT_ENOUGH_STARTED, "Without it too few started members would be left for a majority: add "
			     "and start others first."},
    {ERR_MEMBER_NOT_FOUND,
     "No member has this id: `member list` shows them. An id that was removed does not come back."},
    {ERR_PEER_URL_EXISTS, "Another member has this peer URL: `member list` shows them."},
    {ERR_BAD_URLS, "A peer URL is a scheme, a host and a port, as in http://127.0.0.1:42380."},
    {ERR_LEARNER_NOT_READY,
     "A learner is promoted when it has nine tenths of the leader's log: start it, and wait. As a "
     "voter that lags it would only make the majority larger."},
    {ERR_NOT_LEARNER, "It votes already."},
    {ERR_TOO_MANY_LEARNERS,
     "There is one learner already, and more than one is not allowed: promote or remove it first."},
    {ERR_LEARNER_RPC,
     "A learner answers only what it can answer alone, reads with --consistency=s and endpoint "
     "status, until it has been promoted: ask another member."},
};

static void explain_plainly(struct buf *out, enum error e)
{
	for (size_t i = 0; i < sizeof plain_texts / sizeof *plain_texts; i++)
		if (plain_texts[i].error == e)
			buf_puts(out, plain_texts[i].text);
}

static void explain_call(struct buf *out, const struct world *w, const struct call *c)
{
	enum error e = c->response ? c->response->error : ERR_NONE;

	switch (e) {
	case ERR_NONE:
		if (c->req->kind == REQ_TXN)
			explain_failure(out, w, c);
		break;
	case ERR_COMPACTED:
		explain_compacted(out, w, c);
		break;
	case ERR_FUTURE_REV:
		explain_future(out, w, c);
		break;
	case ERR_DEADLINE:
	case ERR_DEADLINE_UNKNOWN:
		explain_deadline(out, w, c);
		break;
	case ERR_TIMEOUT:
	case ERR_TIMEOUT_LEADER_FAIL:
	case ERR_TIMEOUT_CONN_LOST:
		explain_server_limit(out, w, c);
		break;
	case ERR_UNAVAILABLE_34:
	case ERR_UNAVAILABLE_35:
		buf_printf(out, "S%u ended while it had the request. ", (unsigned)c->at);
		explain_lost_write(out, w, c);
		break;
	case ERR_TOO_MANY_OPS:
		buf_printf(out,
			   "At most %" PRIu32
			   " compares, and so many operations in each branch (max-txn-ops).",
			   w->cfg.max_txn_ops);
		break;
	case ERR_REQUEST_TOO_LARGE:
		buf_printf(out,
			   "The request is %zu bytes long; %" PRId64
			   " are allowed (max-request-bytes).",
			   request_size(c->req), w->cfg.max_request_bytes);
		break;
	default:
		explain_plainly(out, e);
		break;
	}
}

/* A watcher that was canceled last. */
static bool explain_watcher(struct buf *out, const struct world *w)
{
	for (size_t i = w->watches.n; i-- > 0;) {
		const struct watch_client *c = &w->watches.v[i];
		if (c->gone || c->state != WATCH_IS_CANCELED)
			continue;
		if (c->cancel_compact > 0)
			buf_printf(out,
				   "w%" PRIu32 " asked for %" PRId64 "; everything below %" PRId64
				   " is gone. Kubernetes: 410 Gone. List again, then watch from "
				   "the list's revision + 1.",
				   c->number, c->from > 0 ? c->from : c->asked_rev,
				   c->cancel_compact);
		else
			buf_printf(out, "w%" PRIu32 " was ended by the server: %s.", c->number,
				   c->cancel_reason == ERR_NONE
				       ? "its range is empty, the end is not above the key"
				       : error_text(c->cancel_reason));
		return true;
	}
	return false;
}

/* "unknown flag: --prefx": the nearest one that exists, and who has it. */
static void explain_flag(struct buf *out, struct bytes text)
{
	struct bytes name = {text.p + strlen("unknown flag: --"),
			     text.n - strlen("unknown flag: --")};
	const struct command_row *owner = NULL;
	const struct flag_row *best = NULL;
	size_t closest = SIZE_MAX;

	for (size_t i = 0; i < command_count(); i++) {
		const struct command_row *r = command_table[i];
		for (size_t k = 0; k < r->nflags; k++) {
			size_t d = mistakes_between(name, bytes_of(r->flags[k].name));
			if (d >= closest || !mistakes_are_few(name, d))
				continue;
			closest = d;
			best = &r->flags[k];
			owner = r;
		}
	}
	if (best && closest == 0 && best->since)
		buf_printf(out, "etcdctl has --%s from %s on (new --etcd=%s).", best->name,
			   best->since, best->since);
	else if (best && closest == 0)
		buf_printf(out, "%s has --%s, this command has not.", owner->name, best->name);
	else if (best)
		buf_printf(out, "The nearest flag is --%s, of %s.", best->name, owner->name);
	else
		buf_puts(out, "etcdctl has no such flag.");
	buf_puts(out, " help COMMAND lists the flags of a command.");
}

/* A process that does not start from its disk. */
static void explain_refusal(struct buf *out, const char *text)
{
	if (strstr(text, "crc mismatch"))
		buf_puts(out,
			 "Its log holds a record that does not fit its checksum. Only a torn last "
			 "record is cut off; this one may have been acknowledged, so the member "
			 "does not guess. Give it up: member remove, then member add under "
			 "another identity.");
	else if (strstr(text, "bootstrapped"))
		buf_puts(out,
			 "Its data directory is empty, and the others say that it has run before: "
			 "what it had acknowledged is lost. member remove and member add make a "
			 "new member of it; --initial-cluster-state=existing shows what comes of "
			 "going on as the old one.");
	else if (strstr(text, "cluster info"))
		buf_puts(out,
			 "Its data directory is empty, and no other member can be asked what the "
			 "cluster is.");
}

bool shell_explain(const struct shell *s, struct buf *out)
{
	const struct call *c = s->last_error_call ? world_call(s->w, s->last_error_call) : NULL;
	size_t before = out->n;

	if (s->last_error.n == 0)
		return false;
	if (c)
		explain_call(out, s->w, c);
	else if (bytes_starts(buf_bytes(&s->last_error), BYTES("canceled")))
		explain_watcher(out, s->w);
	else if (bytes_is(buf_bytes(&s->last_error), "interrupted"))
		buf_puts(out, "What it waited for has not come: `show counters` and `endpoint "
			      "status --cluster` "
			      "tell how things stand.");
	else if (strstr(buf_str(&s->last_error), "refuses to start"))
		explain_refusal(out, buf_str(&s->last_error));
	else if (bytes_starts(buf_bytes(&s->last_error), BYTES("unknown flag")))
		explain_flag(out, buf_bytes(&s->last_error));
	else if (memmem(buf_str(&s->last_error), s->last_error.n, "ParseInt", 8))
		buf_puts(out, "A number was expected. Lease IDs are hexadecimal, without 0x; "
			      "revisions and TTLs are decimal.");
	if (out->n == before)
		buf_puts(out, "It was refused before anything was done; nothing has changed.");
	return true;
}

/* What etcd promises was broken: by what, and how one goes on. */
static void put_broken_rule(struct buf *out, const struct world *w, const struct violation *v)
{
	buf_printf(out, "%s is broken: %s\n", v->rule, v->text);
	for (int b = 0; b < BUG_COUNT; b++)
		if (bug_on(w->cfg.bugs, (enum bug)b))
			buf_printf(out, "The mistake %s is on: %s\n", bug_row((enum bug)b)->name,
				   bug_row((enum bug)b)->what);
	buf_puts(out,
		 "What follows is no longer what etcd does: back goes to before it, new begins "
		 "a sound cluster.\n");
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct buf *out = command_out(s);
	const struct violation *v = shell_violation(s);

	(void)p;
	command_end(j);
	if (v)
		put_broken_rule(out, s->w, v);
	if (v && s->last_error.n == 0)
		return;
	if (s->last_error.n == 0) {
		buf_puts(out, "No command has failed so far.\n");
		return;
	}
	buf_put_bytes(out, buf_bytes(&s->last_error));
	buf_putc(out, '\n');
	shell_explain(s, out);
	buf_putc(out, '\n');
}

const struct command_row cmd_why = {
    .name = "why",
    .group = GROUP_LOOKING,
    .usage = "why",
    .summary = "Explains the last error, with its numbers",
    .example = "why",
    .run = run,
};
