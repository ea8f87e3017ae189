/* Sizes and names of entries and messages (raftpb/raft.proto). */
#include "api/entry.h"

/* Bytes of a base-128 varint: seven bits each. */
static size_t varint_size(uint64_t v)
{
	return (size_t)(70 - __builtin_clzll(v | 1)) / 7;
}

size_t entry_size(const struct entry *e)
{
	/* One byte of tag for each field that is there: type 1, term 2, index 3, data 4. */
	size_t n = 2 + varint_size(e->term) + varint_size(e->index);

	if (e->type != ENTRY_NORMAL || e->has_type)
		n += 2;
	if (e->has_data)
		n += 1 + varint_size(e->size) + e->size;
	return n;
}

const char *message_type_name(enum message_type t)
{
	static const char *const names[MSG_TYPE_COUNT] = {
	    [MSG_HUP] = "MsgHup",
	    [MSG_BEAT] = "MsgBeat",
	    [MSG_PROP] = "MsgProp",
	    [MSG_APP] = "MsgApp",
	    [MSG_APP_RESP] = "MsgAppResp",
	    [MSG_VOTE] = "MsgVote",
	    [MSG_VOTE_RESP] = "MsgVoteResp",
	    [MSG_SNAP] = "MsgSnap",
	    [MSG_HEARTBEAT] = "MsgHeartbeat",
	    [MSG_HEARTBEAT_RESP] = "MsgHeartbeatResp",
	    [MSG_UNREACHABLE] = "MsgUnreachable",
	    [MSG_SNAP_STATUS] = "MsgSnapStatus",
	    [MSG_CHECK_QUORUM] = "MsgCheckQuorum",
	    [MSG_TRANSFER_LEADER] = "MsgTransferLeader",
	    [MSG_TIMEOUT_NOW] = "MsgTimeoutNow",
	    [MSG_READ_INDEX] = "MsgReadIndex",
	    [MSG_READ_INDEX_RESP] = "MsgReadIndexResp",
	    [MSG_PRE_VOTE] = "MsgPreVote",
	    [MSG_PRE_VOTE_RESP] = "MsgPreVoteResp",
	    [MSG_STORAGE_APPEND] = "MsgStorageAppend",
	    [MSG_STORAGE_APPEND_RESP] = "MsgStorageAppendResp",
	    [MSG_STORAGE_APPLY] = "MsgStorageApply",
	    [MSG_STORAGE_APPLY_RESP] = "MsgStorageApplyResp",
	    [MSG_FORGET_LEADER] = "MsgForgetLeader",
	};

	return t < MSG_TYPE_COUNT ? names[t] : "unknown";
}
