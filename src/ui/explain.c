/* Errors explained from the world: the numbers are looked up, not remembered (explain.h). */
#include "ui/explain.h"

#include "sim/world.h"

static const struct call *failed_call(struct player *p)
{
	const struct world *w = player_world(p);
	const struct call *c = world_call(w, player_shell(p)->last_error_call);

	for (size_t i = w->calls.n; i > 0 && !c; i--)
		if (w->calls.v[i - 1].response && w->calls.v[i - 1].response->error != ERR_NONE)
			c = &w->calls.v[i - 1];
	return c;
}

static unsigned copies(const struct world *w, uint64_t index, uint64_t term)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->nmembers; i++) {
		const struct member *m = w->members[i];
		const struct entry *e = NULL;
		if (m->raft && index >= raft_first_index(m->raft) &&
		    index <= raft_last_index(m->raft))
			e = raft_entry(m->raft, index);
		n += e && e->term == term;
	}
	return n;
}

static void explain_deadline(struct buf *out, const struct world *w, const struct call *c)
{
	long long ms = (long long)(c->end_ms - c->start_ms);

	if (!request_is_write(c->req)) {
		buf_printf(out,
			   "S%u got no answer of a majority in %lld.%03lld s. --consistency=s "
			   "would answer from "
			   "its own store.",
			   c->at ? c->at : c->asked[0], ms / 1000, ms % 1000);
		return;
	}
	buf_printf(out, "No answer in %lld.%03lld s. ", ms / 1000, ms % 1000);
	if (c->index)
		buf_printf(out, "Entry %llu is on %u of %u members. ", (unsigned long long)c->index,
			   copies(w, c->index, c->term), w->nmembers);
	buf_puts(out, "It may or may not be committed later: read before you repeat it.");
}

static const struct mvcc *store_of(const struct world *w, const struct call *c)
{
	return &world_member(w, c->at ? c->at : world_counters_member(w))->store;
}

void explain_error(struct player *p, struct buf *out)
{
	const struct world *w = player_world(p);
	const struct call *c = failed_call(p);

	if (!c || !c->response) {
		buf_puts(out, "etcdctl refused the command before it asked anybody. help COMMAND "
			      "shows what is right.");
		return;
	}
	const struct mvcc *m = store_of(w, c);
	long long asked = c->req->kind == REQ_RANGE	   ? (long long)c->req->range.revision
			  : c->req->kind == REQ_COMPACTION ? (long long)c->req->compaction.revision
							   : 0;
	switch (c->response->error) {
	case ERR_COMPACTED:
		buf_printf(
		    out,
		    "Revision %lld is below %lld, the compacted revision. Oldest readable: %lld.",
		    asked, (long long)m->compact_rev, (long long)m->compact_rev);
		break;
	case ERR_FUTURE_REV:
		buf_printf(out, "The store is at revision %lld; %lld does not exist yet.",
			   (long long)m->current_rev, asked);
		break;
	case ERR_DEADLINE:
	case ERR_TIMEOUT:
	case ERR_TIMEOUT_LEADER_FAIL:
	case ERR_TIMEOUT_CONN_LOST:
		explain_deadline(out, w, c);
		break;
	case ERR_LEASE_NOT_FOUND:
		buf_puts(out, "No such lease: it ran out, was revoked, or was never granted. lease "
			      "list shows those there are.");
		break;
	case ERR_NO_SPACE:
		buf_puts(out, "Alarm NOSPACE is set. Deleting is not enough: compact, defrag, then "
			      "alarm disarm.");
		break;
	default:
		buf_printf(out, "S%u answered: %s.", c->at ? c->at : c->asked[0],
			   error_text(c->response->error));
	}
}
