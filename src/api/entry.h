/* Log entries and Raft messages (raftpb/raft.proto).
 *
 * An entry is immutable once it has its term and index, lives in the world's heap, and is the same
 * object in every log and message that holds it.
 */
#ifndef API_ENTRY_H
#define API_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum entry_type { ENTRY_NORMAL, ENTRY_CONF_CHANGE, ENTRY_CONF_CHANGE_V2 };

struct entry {
	uint64_t term, index;
	const char *data; /* encoded payload; may be NULL although size is not 0: see request */
	const struct proposal
	    *payload; /* the server's decoded payload (server/proposal.h); raft only passes it on */
	uint32_t size; /* bytes of the payload */
	uint8_t type;  /* enum entry_type */
	bool has_data; /* false: the data field is absent from the encoding (an empty entry of a
			  leader) */
	bool has_type; /* the type field is present although the type is ENTRY_NORMAL (a refused
			  change) */
};

/* Length of the entry's encoding, against which raft's size limits are measured. */
size_t entry_size(const struct entry *e);

enum message_type {
	MSG_HUP,
	MSG_BEAT,
	MSG_PROP,
	MSG_APP,
	MSG_APP_RESP,
	MSG_VOTE,
	MSG_VOTE_RESP,
	MSG_SNAP,
	MSG_HEARTBEAT,
	MSG_HEARTBEAT_RESP,
	MSG_UNREACHABLE,
	MSG_SNAP_STATUS,
	MSG_CHECK_QUORUM,
	MSG_TRANSFER_LEADER,
	MSG_TIMEOUT_NOW,
	MSG_READ_INDEX,
	MSG_READ_INDEX_RESP,
	MSG_PRE_VOTE,
	MSG_PRE_VOTE_RESP,
	MSG_STORAGE_APPEND,
	MSG_STORAGE_APPEND_RESP,
	MSG_STORAGE_APPLY,
	MSG_STORAGE_APPLY_RESP,
	MSG_FORGET_LEADER,
	MSG_TYPE_COUNT
};

/* "MsgApp" and so on. */
const char *message_type_name(enum message_type t);

/* Sets of members, ascending.  etcd clusters have at most nine members here; the suite stays below
 * too. */
enum { CONF_MAX = 16 };

struct conf_state {
	uint64_t voters[CONF_MAX], outgoing[CONF_MAX], learners[CONF_MAX], learners_next[CONF_MAX];
	uint8_t nvoters, noutgoing, nlearners, nlearners_next;
	bool auto_leave;
};

/* A snapshot's place and configuration; what it contains belongs to the server. */
struct snapshot {
	uint64_t index, term;
	struct conf_state conf;
	const void *data; /* the server's (or the test's) payload; raft only passes it on */
};

struct message {
	enum message_type type;
	bool reject;
	bool transfer;	   /* the context "CampaignTransfer" of a vote request */
	bool has_context;  /* the read context of a heartbeat and its answer: context is set */
	uint64_t to, from; /* member ids; 0: nobody */
	uint64_t term, log_term, index, commit, vote;
	uint64_t reject_hint;
	uint64_t context;
	const struct entry *const *entries; /* in the heap, immutable */
	size_t nentries;
	const struct snapshot *snapshot; /* in the heap; NULL: none */
	const struct message
	    *responses; /* of MSG_STORAGE_APPEND and MSG_STORAGE_APPLY; in the heap */
	size_t nresponses;
};

#endif
