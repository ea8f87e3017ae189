/* Settings of a world.  Names, defaults and meanings stand in one table (config.c), which `set`,
 * `new --NAME=VALUE`, completion and the manual read.  Names are etcd's and kube-apiserver's own
 * flags where there is one.
 */
#ifndef SIM_CONFIG_H
#define SIM_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum { MEMBERS_MAX = 9 };

/* When what etcd promises is checked (check/check.h). */
enum check_when { CHECK_OFF, CHECK_STEP, CHECK_END };

struct config {
	uint32_t members; /* 1..9 */
	uint64_t seed;
	uint32_t etcd_version; /* 34 or 35 */
	bool pre_vote, check_quorum;
	uint32_t heartbeat_ms, election_ms;
	bool election_random; /* else the fixed order S2, S3, ..., S1 */
	bool send_parallel;   /* leader-send: false after-fsync, true parallel */
	bool boot_etcd;	      /* new --boot=etcd: the real first entries */
	bool lease_checkpoint;
	bool compact_by_revision;   /* auto-compaction-mode: false periodic, true revision */
	int64_t compact_retention;  /* a plain number (hours, revisions), or minus so many
				       milliseconds; 0: off */
	int64_t kube_compact_ms;    /* etcd-compaction-interval; 0: off */
	uint32_t watch_channel;	    /* responses that a watcher's channel holds */
	int64_t progress_notify_ms; /* watch-progress-notify-interval; 0: never */
	uint32_t kube_apiservers;   /* how many of them compact */
	int64_t quota_bytes, max_request_bytes;
	uint32_t max_txn_ops;
	uint64_t snapshot_count, snapshot_catchup;
	uint64_t max_size_per_msg;
	bool member_lease_ids; /* lease-ids: false counter, true member */
	int64_t next_lease;    /* id of the next lease granted; 0: continue counting */
	uint32_t endpoint;     /* member that requests go to; 0: the leader */
	uint32_t view;	       /* member whose store is shown; 0: the leader */
	uint32_t patience_s;
	bool stepping;
	bool history;	/* back, goto and branch work */
	uint32_t check; /* enum check_when */
	uint32_t bugs;	/* not a setting: mistakes that are switched on (api/bug.h) */
};

void config_init(struct config *c);
/* auto-compaction-retention of the periodic mode: a plain number is hours.  0: off. */
int64_t config_retention_ms(const struct config *c);

/* When a setting may be changed. */
enum setting_when { SETTING_START, SETTING_ANY };

struct setting {
	const char *name;
	const char *fallback; /* default, as typed */
	const char *meaning;  /* one sentence */
	enum setting_when when;
	const char *values; /* what is accepted, for messages and completion: "on|off", "a number",
			       "S1..S9|leader" */
};

size_t config_nsettings(void);
const struct setting *config_setting(size_t i);
/* Index in the table; -1 if there is none of that name. */
int config_find(const char *name);
/* Sets by name.  False: *err gets one message that says what would be right. */
bool config_set(struct config *c, const char *name, const char *value, struct buf *err);
/* Do the settings fit together?  False: *err says which do not and what would be right. */
bool config_check(const struct config *c, struct buf *err);
/* The present value as it would be typed. */
void config_get(const struct config *c, const char *name, struct buf *out);

#endif
