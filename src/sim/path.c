/* Where the newest request, election, expiry or repair is: the path strip as state of the world. */
#include "sim/private.h"

/* Which place a step has in the strip of a kind, from 1 on; 0: none. */
/* clang-format off */
static const uint8_t places[PATH_KIND_COUNT][STEP_COUNT] = {
	[PATH_WRITE] = {
		[STEP_CLIENT] = 1, [STEP_APPEND] = 2, [STEP_FSYNC] = 3, [STEP_MSGAPP] = 4,
		[STEP_ACK] = 5, [STEP_COMMIT] = 6, [STEP_APPLY] = 7, [STEP_REPLY] = 8,
		[STEP_WATCH] = 9,
	},
	[PATH_WRITE_FORWARDED] = {
		[STEP_CLIENT] = 1, [STEP_FORWARD] = 2, [STEP_APPEND] = 3, [STEP_FSYNC] = 4,
		[STEP_MSGAPP] = 5, [STEP_ACK] = 6, [STEP_COMMIT] = 7, [STEP_APPLY] = 8,
		[STEP_REPLY] = 9, [STEP_WATCH] = 10,
	},
	[PATH_READ_LINEARIZABLE] = {
		[STEP_CLIENT] = 1, [STEP_READ_INDEX] = 2, [STEP_HEARTBEAT] = 3,
		[STEP_MAJORITY] = 4, [STEP_APPLIED] = 5, [STEP_READ] = 6, [STEP_REPLY] = 7,
	},
	[PATH_READ_SERIALIZABLE] = {
		[STEP_CLIENT] = 1, [STEP_READ] = 2, [STEP_REPLY] = 3,
	},
	[PATH_KEEP_ALIVE] = {
		[STEP_CLIENT] = 1, [STEP_LESSOR] = 2, [STEP_REPLY] = 3,
	},
	[PATH_EXPIRY] = {
		[STEP_EXPIRY] = 1, [STEP_APPEND] = 2, [STEP_FSYNC] = 3, [STEP_MSGAPP] = 4,
		[STEP_ACK] = 5, [STEP_COMMIT] = 6, [STEP_APPLY] = 7, [STEP_WATCH] = 9,
	},
	[PATH_ELECTION] = {
		[STEP_TIMEOUT] = 1, [STEP_PRE_VOTE] = 2, [STEP_VOTE] = 3, [STEP_LEADER] = 4,
		[STEP_EMPTY] = 5, [STEP_ACK] = 6, [STEP_COMMIT] = 7,
	},
	[PATH_REPAIR] = {
		[STEP_HEARTBEAT] = 1, [STEP_MSGAPP] = 2, [STEP_CONFLICT] = 3,
		[STEP_TRUNCATE] = 4, [STEP_APPEND] = 5, [STEP_ACK] = 6,
	},
	[PATH_SNAPSHOT] = {
		[STEP_HEARTBEAT] = 1, [STEP_MSGSNAP] = 2, [STEP_FSYNC] = 3,
		[STEP_RESTORE] = 4, [STEP_ACK] = 5,
	},
	[PATH_RESUME] = {
		[STEP_CUT] = 1, [STEP_RECONNECT] = 2, [STEP_REPLAY] = 3, [STEP_LIVE] = 4,
	},
};
/* clang-format on */

static const char *const names[PATH_KIND_COUNT][12] = {
    [PATH_NONE] = {NULL},
    [PATH_WRITE] = {"client", "append", "fsync", "MsgApp", "ack", "commit", "apply", "reply",
		    "watch", NULL},
    [PATH_WRITE_FORWARDED] = {"client", "forward", "append", "fsync", "MsgApp", "ack", "commit",
			      "apply", "reply", "watch", NULL},
    [PATH_READ_LINEARIZABLE] = {"client", "ReadIndex", "heartbeat", "majority", "applied", "read",
				"reply", NULL},
    [PATH_READ_SERIALIZABLE] = {"client", "read", "reply", NULL},
    [PATH_KEEP_ALIVE] = {"client", "lessor", "reply", NULL},
    [PATH_EXPIRY] = {"expiry", "append", "fsync", "MsgApp", "ack", "commit", "apply", "-", "watch",
		     NULL},
    [PATH_ELECTION] = {"timeout", "pre-vote", "vote", "leader", "empty entry", "ack", "commit",
		       NULL},
    [PATH_REPAIR] = {"heartbeat", "MsgApp", "conflict", "truncate", "append", "ack", NULL},
    [PATH_SNAPSHOT] = {"heartbeat", "MsgSnap", "fsync", "restore", "ack", NULL},
    [PATH_RESUME] = {"cut", "reconnect", "replay", "live", NULL},
};

const char *const *path_stages(enum path_kind k)
{
	return names[k];
}

static int position(enum path_kind k, enum path_stage s)
{
	return places[k][s] - 1;
}

bool path_stage_counts(enum path_kind k, int stage)
{
	if (k == PATH_SNAPSHOT)
		return false; /* it concerns one member */
	return stage == position(k, STEP_ACK) || stage == position(k, STEP_MAJORITY) ||
	       (k == PATH_ELECTION &&
		(stage == position(k, STEP_PRE_VOTE) || stage == position(k, STEP_VOTE)));
}

void path_begin(struct world *w, enum path_kind kind, uint64_t call, unsigned member)
{
	w->path = (struct path){.kind = kind,
				.call = call,
				.current = -1,
				.failed = -1,
				.member = (uint8_t)member,
				.needed = (uint8_t)world_quorum(w)};
}

void path_mark(struct world *w, enum path_stage s)
{
	int i = position(w->path.kind, s);

	if (i < 0 || w->path.failed >= 0)
		return;
	w->path.done |= 1u << i;
	if (i > w->path.current)
		w->path.current = (int8_t)i;
}

void path_fail(struct world *w, enum path_stage s)
{
	int i = position(w->path.kind, s);

	w->path.failed = (int8_t)(i >= 0 ? i : w->path.current);
}

void path_ack(struct world *w, unsigned member)
{
	uint16_t bit = (uint16_t)(1u << member);

	if (w->path.acked & bit)
		return;
	w->path.acked |= bit;
	w->path.acks++;
}

bool path_done(const struct world *w, enum path_stage s)
{
	int i = position(w->path.kind, s);

	return i >= 0 && (w->path.done & (1u << i));
}
