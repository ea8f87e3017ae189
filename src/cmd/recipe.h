/* What lock and elect share (etcd: clientv3/concurrency): a session, which is a lease that is kept
 * alive, a key under a prefix with the lease's number in its name, and waiting until it is the
 * oldest one there.
 *
 *   grant -> txn: put the key if it is not there -> is there an older key?  wait until the next
 * older one is gone
 */
#ifndef CMD_RECIPE_H
#define CMD_RECIPE_H

#include "cmd/command.h"

/* Opens a session with a lease of ttl seconds, then calls opened.  The job's name is that of the
 * lock or election. */
void recipe_open(struct shell *s, struct job *j, struct bytes name, int64_t ttl,
		 void (*opened)(struct shell *, struct job *));
/* Puts the key and waits until no older one is left; then asks for it, and calls won with the
 * answer. */
void recipe_acquire(struct shell *s, struct job *j, void (*won)(struct shell *, struct job *));
/* Asks for the oldest key under the prefix. */
void recipe_ask_oldest(struct shell *s, struct job *j,
		       void (*resume)(struct shell *, struct job *));
/* Deletes the key (a lock's always, an election's if it is still the same one); the job ends with
 * that. */
void recipe_release(struct shell *s, struct job *j);
/* Fails with the answer's error, if it is one. */
bool recipe_failed(struct shell *s, struct job *j);

/* The oldest key under the job's prefix, as the member that serves it has it now; NULL: none. */
const struct row *recipe_oldest(const struct shell *s, const struct job *j);

#endif
