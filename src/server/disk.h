/* A member's disk: how slow it is, what a crash leaves of what was not synced, and what has been
 * done to it from outside.
 *
 * The log is kept as records (wal/wal.h), and becomes bytes only when something has happened to
 * some of them: then a starting process reads the very bytes that etcd would read (wal/record.h).
 */
#ifndef SERVER_DISK_H
#define SERVER_DISK_H

#include <stdbool.h>
#include <stdint.h>

/* What a crash leaves of the records that were written and not synced. */
enum lose_unsynced {
	LOSE_ALL,
	LOSE_NONE,
	LOSE_PART /* so many bytes of them as are drawn: the last record may be torn */
};

struct disk {
	uint32_t delay_ms, delay_most_ms; /* an fsync takes a time from here to there */
	bool full;			  /* no file can grow */
	uint8_t lose;			  /* enum lose_unsynced */
	/* Its data directory was emptied, so often; and has not been started from since. */
	uint32_t wiped;
	bool empty;
	/* What no cluster promises to survive: a value was changed in the store; synced records of
	 * the log are gone. */
	bool store_damaged, log_damaged;
};

#endif
