/* The printed forms of Raft's things, as etcd's own tests and log lines have them (etcd-io/raft:
 * util.go, raftpb/confstate.go, tracker/tracker.go). */
#include "raft/raft_private.h"

const char *raft_state_name(enum raft_state s)
{
	static const char *const names[] = {
	    [STATE_FOLLOWER] = "StateFollower",
	    [STATE_CANDIDATE] = "StateCandidate",
	    [STATE_LEADER] = "StateLeader",
	    [STATE_PRE_CANDIDATE] = "StatePreCandidate",
	};

	return names[s];
}

const char *raft_error_text(enum raft_error e)
{
	static const char *const texts[] = {
	    [RAFT_OK] = "",
	    [RAFT_PROPOSAL_DROPPED] = "raft proposal dropped",
	    [RAFT_PEER_NOT_FOUND] = "raft: cannot step as peer not found",
	    [RAFT_LOCAL_MESSAGE] = "raft: cannot step raft local message",
	};

	return texts[e];
}

/* Log lines */

void logger_line(const struct raft_logger *l, enum log_level level, const char *fmt, ...)
{
	struct buf line = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&line, fmt, ap);
	va_end(ap);
	l->line(l->arg, level, buf_str(&line));
	buf_free(&line);
}

void raft_log_progress(const struct raft *r, const struct progress *p, const char *fmt, ...)
{
	struct buf line = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&line, fmt, ap);
	va_end(ap);
	buf_puts(&line, " [");
	progress_print(&line, p);
	buf_puts(&line, "]");
	r->logger.line(r->logger.arg, LOG_DEBUG, buf_str(&line));
	buf_free(&line);
}

/* Configurations */

/* "1 2 3"; ids are decimal here, as etcd has them. */
static void print_ids(struct buf *out, const uint64_t *ids, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_putc(out, ' ');
		buf_put_u64(out, ids[i]);
	}
}

static void print_set(struct buf *out, const char *name, const uint64_t *ids, size_t n,
		      const char *brackets)
{
	buf_puts(out, name);
	buf_putc(out, brackets[0]);
	print_ids(out, ids, n);
	buf_putc(out, brackets[1]);
}

void raft_print_conf(struct buf *out, const struct conf_state *c)
{
	print_set(out, "voters=", c->voters, c->nvoters, "()");
	if (c->noutgoing)
		print_set(out, "&&", c->outgoing, c->noutgoing, "()");
	if (c->nlearners)
		print_set(out, " learners=", c->learners, c->nlearners, "()");
	if (c->nlearners_next)
		print_set(out, " learners_next=", c->learners_next, c->nlearners_next, "()");
	if (c->auto_leave)
		buf_puts(out, " autoleave");
}

void raft_print_conf_state(struct buf *out, const struct conf_state *c)
{
	print_set(out, "Voters:", c->voters, c->nvoters, "[]");
	print_set(out, " VotersOutgoing:", c->outgoing, c->noutgoing, "[]");
	print_set(out, " Learners:", c->learners, c->nlearners, "[]");
	print_set(out, " LearnersNext:", c->learners_next, c->nlearners_next, "[]");
	buf_puts(out, c->auto_leave ? " AutoLeave:true" : " AutoLeave:false");
}

void raft_print_conf_change(struct buf *out, const struct conf_change *cc)
{
	static const char *const transitions[] = {"Auto", "JointImplicit", "JointExplicit"};
	static const char *const types[] = {"AddNode", "RemoveNode", "UpdateNode",
					    "AddLearnerNode"};

	buf_puts(out, "transition:ConfChangeTransition");
	buf_puts(out, transitions[cc->transition]);
	for (size_t i = 0; i < cc->nchanges; i++)
		buf_printf(out, " changes:{type:ConfChange%s node_id:" U64 "}",
			   types[cc->changes[i].type], cc->changes[i].node);
}

/* Snapshots and entries */

void raft_print_snapshot(struct buf *out, const struct snapshot *s)
{
	buf_printf(out, "Index:" U64 " Term:" U64 " ConfState:", s->index, s->term);
	raft_print_conf_state(out, &s->conf);
}

static void print_quoted(struct buf *out, const char *p, size_t n)
{
	buf_putc(out, '"');
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i];

		if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			buf_printf(out, "\\x%02x", c);
		else
			buf_putc(out, p[i]);
	}
	buf_putc(out, '"');
}

static void print_normal(struct buf *out, const struct entry *e)
{
	buf_putc(out, ' ');
	if (e->size && !e->data)
		buf_printf(out, "(%" PRIu32 " bytes)", e->size);
	else
		print_quoted(out, e->data, e->size);
}

void raft_print_entry(struct buf *out, const struct entry *e)
{
	static const char *const types[] = {"EntryNormal", "EntryConfChange", "EntryConfChangeV2"};

	buf_printf(out, U64 "/" U64 " %s", e->term, e->index, types[e->type]);
	if (e->type == ENTRY_NORMAL) {
		print_normal(out, e);
		return;
	}
	struct conf_change cc = conf_change_of(e);

	if (cc.nchanges)
		buf_putc(out, ' ');
	conf_change_print(out, &cc);
}

/* Messages */

static void print_target(struct buf *out, uint64_t id)
{
	if (id == 0)
		buf_puts(out, "None");
	else if (id == RAFT_APPEND_THREAD)
		buf_puts(out, "AppendThread");
	else if (id == RAFT_APPLY_THREAD)
		buf_puts(out, "ApplyThread");
	else
		buf_printf(out, ID64, id);
}

static void indent(struct buf *out, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++)
		buf_puts(out, "  ");
}

static void print_entries(struct buf *out, const struct message *m, unsigned depth)
{
	if (m->nentries == 0)
		return;
	buf_puts(out, " Entries:[");
	if (m->nentries == 1) {
		raft_print_entry(out, m->entries[0]);
		buf_putc(out, ']');
		return;
	}
	for (size_t i = 0; i < m->nentries; i++) {
		buf_putc(out, '\n');
		indent(out, depth + 1);
		raft_print_entry(out, m->entries[i]);
	}
	buf_putc(out, '\n');
	indent(out, depth);
	buf_putc(out, ']');
}

/* Continuation lines are indented by depth. */
static void print_message(struct buf *out, const struct message *m, unsigned depth)
{
	print_target(out, m->from);
	buf_puts(out, "->");
	print_target(out, m->to);
	buf_printf(out, " %s Term:" U64 " Log:" U64 "/" U64, message_type_name(m->type), m->term,
		   m->log_term, m->index);
	if (m->reject)
		buf_printf(out, " Rejected (Hint: " U64 ")", m->reject_hint);
	if (m->commit)
		buf_printf(out, " Commit:" U64, m->commit);
	if (m->vote)
		buf_printf(out, " Vote:" U64, m->vote);
	print_entries(out, m, depth);
	if (m->snapshot && m->snapshot->index) {
		buf_putc(out, '\n');
		indent(out, depth + 1);
		buf_puts(out, "Snapshot: ");
		raft_print_snapshot(out, m->snapshot);
	}
	if (m->nresponses == 0)
		return;
	buf_puts(out, " Responses:[");
	for (size_t i = 0; i < m->nresponses; i++) {
		buf_putc(out, '\n');
		indent(out, depth + 1);
		print_message(out, &m->responses[i], depth + 1);
	}
	buf_putc(out, '\n');
	indent(out, depth);
	buf_putc(out, ']');
}

void raft_print_message(struct buf *out, const struct message *m)
{
	print_message(out, m, 0);
}
