/* The text of trace records: what a script prints as `~ ` lines and the trace pane shows. */
#include "sim/trace.h"

#include <stdio.h>
#include <string.h>

#include "api/request.h"
#include "base/text.h"
#include "raft/raft.h"
#include "server/server.h"
#include "sim/sim.h"

static const char *const kind_names[] = {
    [TRACE_REQUEST] = "request",   [TRACE_APPEND] = "append", [TRACE_FSYNC] = "fsync",
    [TRACE_SEND] = "send",	   [TRACE_RECV] = "recv",     [TRACE_LOST] = "lost",
    [TRACE_COMMIT] = "commit",	   [TRACE_APPLY] = "apply",   [TRACE_REPLY] = "reply",
    [TRACE_EVENT] = "event",	   [TRACE_ROLE] = "role",     [TRACE_LEASE] = "lease",
    [TRACE_TRUNCATE] = "truncate", [TRACE_WATCH] = "watch",   [TRACE_FAULT] = "fault",
    [TRACE_LOG] = "log",	   [TRACE_TICK] = "tick",     [TRACE_HARD_STATE] = "state",
};

const char *trace_kind_name(enum trace_kind k)
{
	return kind_names[k];
}

int trace_level_of(const char *name)
{
	static const char *const names[] = {"none", "story", "raft", "all"};

	for (int i = 0; i < 4; i++)
		if (strcmp(name, names[i]) == 0)
			return i;
	return -1;
}

/* Records are printed by the million when a script's trace is verified: no printf here, and
 * literals are copied in place. */
#define put_text(out, text) buf_add_short(out, text, strlen(text))

static inline __attribute__((always_inline)) void put_n(struct buf *out, const char *before,
							uint64_t n)
{
	put_text(out, before);
	if (n < 10)
		buf_add_short(out, &"0123456789"[n], 1);
	else
		buf_put_u64(out, n);
}

/* " 3" or " 3..4" */
static void put_span(struct buf *out, uint64_t first, uint64_t last)
{
	put_n(out, " ", first);
	if (last != first)
		put_n(out, "..", last);
}

/* A key as one word: bare if it is plain, else quoted as in a watch line. */
static void put_key(struct buf *out, struct bytes key)
{
	bool plain = key.n > 0 && key.p[0] != '"';

	for (size_t i = 0; i < key.n && plain; i++)
		plain = key.p[i] > 0x20 && key.p[i] < 0x7f;
	if (plain)
		buf_put_bytes(out, key);
	else
		text_quote(out, key);
}

static void put_range(struct buf *out, struct key_range r)
{
	put_key(out, r.key);
	if (r.end.n) {
		buf_puts(out, "..");
		put_key(out, r.end);
	}
}

/* "S2", or the id of a member without a number. */
static void put_member_id(struct buf *out, uint64_t id)
{
	for (unsigned i = 0; i < IDENTITIES; i++)
		if (member_ids[i] == id) {
			put_n(out, "S", i + 1);
			return;
		}
	if (id)
		buf_printf(out, "%llx", (unsigned long long)id);
}

static void put_member_request(struct buf *out, const struct request *q)
{
	static const char *const words[] = {
	    [REQ_MEMBER_ADD] = "member add",
	    [REQ_MEMBER_REMOVE] = "member remove",
	    [REQ_MEMBER_UPDATE] = "member update",
	    [REQ_MEMBER_PROMOTE] = "member promote",
	    [REQ_PUBLISH] = "publish",
	};

	buf_puts(out, words[q->kind]);
	buf_putc(out, ' ');
	if (q->kind == REQ_PUBLISH)
		buf_puts(out, q->member.name);
	else if (q->member.id)
		put_member_id(out, q->member.id);
	else
		buf_puts(out, q->member.name ? q->member.name : "");
	if (q->member.is_learner)
		buf_puts(out, " learner");
}

static void put_lease_request(struct buf *out, const struct request *q)
{
	static const char *const words[] = {
	    [REQ_LEASE_GRANT] = "grant",
	    [REQ_LEASE_REVOKE] = "revoke",
	    [REQ_LEASE_KEEP_ALIVE] = "keep-alive",
	    [REQ_LEASE_TIME_TO_LIVE] = "timetolive",
	};

	buf_printf(out, "lease %s", words[q->kind]);
	if (q->grant.id) /* the member that takes a grant may choose one */
		buf_printf(out, " %llx", (unsigned long long)q->grant.id);
	if (q->kind == REQ_LEASE_GRANT)
		buf_printf(out, " ttl %lld", (long long)q->grant.ttl);
}

/* Those of which the name says all. */
static const char *const plain_requests[REQ_KIND_COUNT] = {
    [REQ_TXN] = "txn",
    [REQ_LEASE_LEASES] = "lease list",
    [REQ_STATUS] = "status",
    [REQ_HASH_KV] = "hashkv",
    [REQ_DEFRAGMENT] = "defrag",
    [REQ_SNAPSHOT] = "snapshot",
    [REQ_MEMBER_LIST] = "member list",
    [REQ_MOVE_LEADER] = "move-leader",
    [REQ_ALARM_LIST] = "alarm list",
    [REQ_LEASE_CHECKPOINT] = "lease checkpoint",
    [REQ_AUTHENTICATE] = "authenticate",
    [REQ_AUTH_ENABLE] = "auth enable",
    [REQ_AUTH_DISABLE] = "auth disable",
    [REQ_USER_ADD] = "user add",
    [REQ_USER_DELETE] = "user delete",
    [REQ_USER_GET] = "user get",
    [REQ_USER_LIST] = "user list",
    [REQ_USER_PASSWD] = "user passwd",
    [REQ_USER_GRANT_ROLE] = "user grant-role",
    [REQ_USER_REVOKE_ROLE] = "user revoke-role",
    [REQ_ROLE_ADD] = "role add",
    [REQ_ROLE_DELETE] = "role delete",
    [REQ_ROLE_GET] = "role get",
    [REQ_ROLE_LIST] = "role list",
    [REQ_ROLE_GRANT_PERMISSION] = "role grant-permission",
    [REQ_ROLE_REVOKE_PERMISSION] = "role revoke-permission",
    [REQ_ALARM_ACTIVATE] = "alarm activate",
    [REQ_ALARM_DEACTIVATE] = "alarm deactivate",
};

static void put_request(struct buf *out, const struct request *q)
{
	switch (q->kind) {
	case REQ_PUT:
		put_text(out, "put ");
		put_key(out, q->put.key);
		break;
	case REQ_DELETE_RANGE:
		put_text(out, "del ");
		put_range(out, q->del.range);
		break;
	case REQ_RANGE:
		put_text(out, "get ");
		put_range(out, q->range.range);
		break;
	case REQ_COMPACTION:
		buf_printf(out, "compact %lld", (long long)q->compaction.revision);
		break;
	case REQ_LEASE_GRANT:
	case REQ_LEASE_REVOKE:
	case REQ_LEASE_KEEP_ALIVE:
	case REQ_LEASE_TIME_TO_LIVE:
		put_lease_request(out, q);
		break;
	case REQ_MEMBER_ADD:
	case REQ_MEMBER_REMOVE:
	case REQ_MEMBER_UPDATE:
	case REQ_MEMBER_PROMOTE:
	case REQ_PUBLISH:
		put_member_request(out, q);
		break;
	case REQ_CLUSTER_VERSION:
		buf_printf(out, "cluster version %llu.%llu", (unsigned long long)q->member.id / 10,
			   (unsigned long long)q->member.id % 10);
		break;
	default:
		buf_puts(out, plain_requests[q->kind]);
	}
}

void trace_print_entry(struct buf *out, const struct entry *e)
{
	if (e->type != ENTRY_NORMAL && !e->payload)
		buf_puts(out, "conf change");
	else if (e->payload)
		put_request(out, e->payload->req);
	else
		buf_puts(out, "empty");
}

/* "MsgApp 3..4 prev 2/t1 commit 4", without the other member. */
static void put_msg(struct buf *out, const struct trace_msg *m)
{
	put_text(out, message_type_name((enum message_type)m->type));
	switch ((enum message_type)m->type) {
	case MSG_APP:
		if (m->first == m->last)
			put_n(out, " ", m->first);
		else if (m->first < m->last)
			put_span(out, m->first, m->last);
		put_n(out, " prev ", m->index);
		put_n(out, "/t", m->log_term);
		put_n(out, " commit ", m->commit);
		break;
	case MSG_APP_RESP:
		put_n(out, " ", m->index);
		if (m->reject)
			put_n(out, " rejected hint ", m->hint);
		break;
	case MSG_VOTE:
	case MSG_PRE_VOTE:
		put_n(out, " last ", m->index);
		put_n(out, "/t", m->log_term);
		break;
	case MSG_VOTE_RESP:
	case MSG_PRE_VOTE_RESP:
		buf_puts(out, m->reject ? " no" : " yes");
		break;
	case MSG_HEARTBEAT:
		put_n(out, " commit ", m->commit);
		break;
	case MSG_READ_INDEX_RESP:
	case MSG_SNAP:
		put_n(out, " ", m->index);
		break;
	default:
		break;
	}
	if (m->term)
		put_n(out, " term ", m->term);
}

static void put_reply(struct buf *out, const struct trace_record *r)
{
	const struct response *p = r->p;

	if (r->a)
		put_n(out, " r", r->a);
	if (p && p->error)
		buf_printf(out, " %s", error_text(p->error));
	else if (p && p->header.revision)
		put_n(out, " ok revision ", (uint64_t)p->header.revision);
	else if (p)
		buf_puts(out, " ok"); /* an answer about the cluster, not about the store */
}

static void put_event(struct buf *out, const struct trace_record *r)
{
	const struct event *e = r->p;

	buf_printf(out, " w%llu %s ", (unsigned long long)r->a,
		   row_is_tombstone(e->row) ? "DELETE" : "PUT");
	put_key(out, row_key(e->row));
	put_n(out, " revision ", r->b);
}

static void put_role(struct buf *out, const struct trace_record *r)
{
	static const char *const names[] = {"follower", "candidate", "leader", "pre-candidate"};

	buf_printf(out, " %s term %llu", names[r->a], (unsigned long long)r->b);
	if (r->c && r->a == STATE_FOLLOWER) {
		buf_puts(out, " of ");
		put_member_id(out, r->c);
	}
}

static void put_lease(struct buf *out, const struct trace_record *r)
{
	static const char *const news[] = {"granted", "renewed", "expired", "revoked", "promoted"};

	if (r->b == LEASE_PROMOTED) {
		buf_puts(out, " lessor promoted");
		return;
	}
	buf_printf(out, " %llx %s", (unsigned long long)r->a, news[r->b]);
	if (r->b == LEASE_GRANTED || r->b == LEASE_RENEWED)
		put_n(out, " ttl ", r->c);
}

static void put_watch(struct buf *out, const struct trace_record *r)
{
	static const char *const news[] = {"created", "canceled", "cut",     "resumed", "moved",
					   "synced",  "progress", "stalled", "reads on"};

	buf_printf(out, " w%llu %s", (unsigned long long)r->a, news[r->b]);
	if (r->c)
		put_n(out, " revision ", r->c);
}

/* "S1 S2", "client S1", "client", "" for all members. */
static void put_ends(struct buf *out, const struct link_change *c)
{
	const uint8_t ends[] = {c->from, c->to};

	for (int i = 0; i < 2; i++) {
		if (ends[i] == LINK_CLIENT)
			buf_puts(out, " client");
		else if (ends[i] != LINK_MEMBERS)
			put_n(out, " S", ends[i]);
	}
	if (c->oneway)
		buf_puts(out, " oneway");
}

/* "net S1 S2 delay 20-80ms loss 5%" */
static void put_link_change(struct buf *out, const struct link_change *c)
{
	put_ends(out, c);
	if (c->fields == LINK_ALL && !link_is_set(&c->link))
		buf_puts(out, " reset");
	else
		link_print(out, &c->link, c->fields);
}

void link_print(struct buf *out, const struct link *l, unsigned fields)
{
	if (fields & LINK_DELAY) {
		put_n(out, " delay ", (uint64_t)l->delay_ms);
		if (l->delay_max_ms > l->delay_ms)
			put_n(out, "-", (uint64_t)l->delay_max_ms);
		buf_puts(out, "ms");
	}
	if (fields & LINK_LOSS)
		buf_printf(out, " loss %u%%", l->loss);
	if (fields & LINK_DUPLICATE)
		buf_printf(out, " duplicate %u%%", l->duplicate);
	if (fields & LINK_REORDER)
		buf_printf(out, " reorder %u%%", l->reorder);
}

/* "r3", or what it is that has no number. */
static void put_lost(struct buf *out, const char *what, const struct trace_record *r)
{
	buf_puts(out, what);
	if (r->b)
		put_n(out, r->a == FAULT_LOST_WATCH ? " w" : " r", r->b);
	buf_puts(out, r->a == FAULT_LOST_WATCH ? " broken" : " lost");
}

/* How a cluster begins that takes the place of another. */
static void put_beginning(struct buf *out, const struct trace_record *r)
{
	put_n(out, r->a == FAULT_RESTORE ? " from revision " : ", ", r->b);
	if (r->a == FAULT_ALONE)
		buf_puts(out, " discarded");
	if (r->a == FAULT_RESTORE || r->c) {
		put_n(out, ", ", r->c);
		buf_puts(out, " forgotten");
	}
}

static void put_fault(struct buf *out, const struct trace_record *r)
{
	static const char *const names[] = {
	    [FAULT_KILL] = "kill",
	    [FAULT_POWER] = "kill --power",
	    [FAULT_TERM] = "kill --term",
	    [FAULT_RESTART] = "restart",
	    [FAULT_PARTITION] = "partition",
	    [FAULT_CUT] = "cut",
	    [FAULT_HEAL] = "heal",
	    [FAULT_START] = "start",
	    [FAULT_REMOVED] = "stops: removed",
	    [FAULT_FATAL] = "dies:",
	    [FAULT_REFUSED] = "refuses to start:",
	    [FAULT_DISK] = "disk",
	    [FAULT_PAUSE] = "pause",
	    [FAULT_RESUME] = "resume",
	    [FAULT_CLOCK] = "clock",
	    [FAULT_RESTORE] = "new cluster",
	    [FAULT_ALONE] = "new cluster alone",
	    [FAULT_NET] = "net",
	    [FAULT_LOST_REQUEST] = "request",
	    [FAULT_LOST_REPLY] = "reply",
	    [FAULT_LOST_WATCH] = "connection of",
	};

	buf_putc(out, ' ');
	if (r->a == FAULT_NET) {
		buf_puts(out, names[r->a]);
		put_link_change(out, r->p);
	} else if (r->a >= FAULT_LOST_REQUEST) {
		put_lost(out, names[r->a], r);
	} else {
		buf_puts(out, names[r->a]);
		if (r->peer)
			put_n(out, " S", r->peer);
		else if (r->a == FAULT_CUT)
			buf_puts(out, " client");
		if (r->a == FAULT_RESTORE || r->a == FAULT_ALONE)
			put_beginning(out, r);
		if (r->p)
			buf_printf(out, " %s", (const char *)r->p);
	}
}

static void put_append(struct buf *out, const struct trace_record *r)
{
	put_span(out, r->a, r->b);
	put_n(out, " term ", r->c);
	if (r->a != r->b)
		return;
	put_text(out, " ");
	trace_print_entry(out, r->p);
}

static void put_fsync(struct buf *out, const struct trace_record *r)
{
	if (r->a) {
		put_n(out, " ", r->a);
		return;
	}
	put_n(out, " term ", r->b);
	if (!r->c)
		return;
	buf_puts(out, " vote ");
	put_member_id(out, r->c);
}

static void put_apply(struct buf *out, const struct trace_record *r)
{
	put_n(out, " ", r->a);
	put_text(out, " ");
	if (r->p)
		trace_print_entry(out, r->p);
	else
		put_text(out, "snapshot");
	put_n(out, r->b != r->c ? " revision " : " revision stays ", r->b);
}

static void put_details(struct buf *out, const struct trace_record *r)
{
	unsigned long long a = r->a, b = r->b, c = r->c;

	switch ((enum trace_kind)r->kind) {
	case TRACE_REQUEST:
		if (a)
			put_n(out, " r", a);
		put_text(out, " ");
		put_request(out, r->p);
		break;
	case TRACE_APPEND:
		put_append(out, r);
		break;
	case TRACE_FSYNC:
		put_fsync(out, r);
		break;
	case TRACE_SEND:
	case TRACE_RECV:
	case TRACE_LOST:
		put_text(out, " ");
		put_msg(out, &r->msg);
		put_n(out, r->kind == TRACE_RECV ? " from S" : " to S", r->peer);
		break;
	case TRACE_COMMIT:
	case TRACE_TICK:
		if (a)
			put_n(out, " ", a);
		break;
	case TRACE_APPLY:
		put_apply(out, r);
		break;
	case TRACE_REPLY:
		put_reply(out, r);
		break;
	case TRACE_EVENT:
		put_event(out, r);
		break;
	case TRACE_ROLE:
		put_role(out, r);
		break;
	case TRACE_LEASE:
		put_lease(out, r);
		break;
	case TRACE_TRUNCATE:
		put_span(out, a, b);
		put_n(out, " term ", c);
		break;
	case TRACE_WATCH:
		put_watch(out, r);
		break;
	case TRACE_FAULT:
		put_fault(out, r);
		break;
	case TRACE_LOG:
		buf_printf(out, " %s", (const char *)r->p);
		break;
	case TRACE_HARD_STATE:
		buf_printf(out, " term %llu vote ", a);
		put_member_id(out, b);
		put_n(out, " commit ", c);
		break;
	}
}

void trace_print(struct buf *out, const struct trace_record *r)
{
	static const char digits[] = "0123456789";
	int64_t ms = r->ms % 1000;
	char point[5] = {'.', digits[ms / 100], digits[ms / 10 % 10], digits[ms % 10], ' '};

	put_n(out, "", (uint64_t)r->ms / 1000);
	buf_add_short(out, point, sizeof point);
	if (r->member) {
		put_n(out, "S", r->member);
		put_text(out, " ");
	} else {
		buf_puts(out, "client ");
	}
	put_text(out, kind_names[r->kind]);
	put_details(out, r);
}
