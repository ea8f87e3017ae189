/* Where the newest request, election, expiry or repair is: the path strip as state of the world. */
#include "sim/private.h"

static const enum path_stage stages[PATH_KIND_COUNT][12] = {
    [PATH_NONE] = {STEP_END},
    [PATH_WRITE] = {STEP_CLIENT, STEP_APPEND, STEP_FSYNC, STEP_MSGAPP, STEP_ACK, STEP_COMMIT,
		    STEP_APPLY, STEP_REPLY, STEP_WATCH, STEP_END},
    [PATH_WRITE_FORWARDED] = {STEP_CLIENT, STEP_FORWARD, STEP_APPEND, STEP_FSYNC, STEP_MSGAPP,
			      STEP_ACK, STEP_COMMIT, STEP_APPLY, STEP_REPLY, STEP_WATCH, STEP_END},
    [PATH_READ_LINEARIZABLE] = {STEP_CLIENT, STEP_READ_INDEX, STEP_HEARTBEAT, STEP_MAJORITY,
				STEP_APPLIED, STEP_READ, STEP_REPLY, STEP_END},
    [PATH_READ_SERIALIZABLE] = {STEP_CLIENT, STEP_READ, STEP_REPLY, STEP_END},
    [PATH_KEEP_ALIVE] = {STEP_CLIENT, STEP_LESSOR, STEP_REPLY, STEP_END},
    [PATH_EXPIRY] = {STEP_EXPIRY, STEP_APPEND, STEP_FSYNC, STEP_MSGAPP, STEP_ACK, STEP_COMMIT,
		     STEP_APPLY, STEP_NONE, STEP_WATCH, STEP_END},
    [PATH_ELECTION] = {STEP_TIMEOUT, STEP_PRE_VOTE, STEP_VOTE, STEP_LEADER, STEP_EMPTY, STEP_ACK,
		       STEP_COMMIT, STEP_END},
    [PATH_REPAIR] = {STEP_HEARTBEAT, STEP_MSGAPP, STEP_CONFLICT, STEP_TRUNCATE, STEP_APPEND,
		     STEP_ACK, STEP_END},
    [PATH_SNAPSHOT] = {STEP_HEARTBEAT, STEP_MSGSNAP, STEP_FSYNC, STEP_RESTORE, STEP_ACK, STEP_END},
    [PATH_RESUME] = {STEP_CUT, STEP_RECONNECT, STEP_REPLAY, STEP_LIVE, STEP_END},
};

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
	for (int i = 0; stages[k][i] != STEP_END; i++)
		if (stages[k][i] == s)
			return i;
	return -1;
}

bool path_stage_counts(enum path_kind k, int stage)
{
	enum path_stage s = stages[k][stage];

	if (k == PATH_SNAPSHOT)
		return false; /* it concerns one member */
	return s == STEP_ACK || s == STEP_MAJORITY ||
	       (k == PATH_ELECTION && (s == STEP_PRE_VOTE || s == STEP_VOTE));
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
