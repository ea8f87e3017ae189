/* A number that says what some values are: equal values have equal digests.  What is pointed to
 * goes in, a pointer never does, so that it is the same in every run.
 */
#ifndef SIM_DIGEST_H
#define SIM_DIGEST_H

#include "server/server.h"

struct digest {
	uint64_t h;
	/* The image that was met last: many places hold the same one, and it is large. */
	const struct store_image *image;
	uint64_t image_h;
};

void digest_add(struct digest *d, uint64_t v);
void digest_int(struct digest *d, int64_t v);
void digest_bytes(struct digest *d, struct bytes s);
/* NULL differs from "". */
void digest_text(struct digest *d, const char *s);

/* digest_api.c: NULL is a value too. */
void digest_range(struct digest *d, struct key_range r);
void digest_row(struct digest *d, const struct row *r);
void digest_event(struct digest *d, const struct event *e);
void digest_request(struct digest *d, const struct request *q);
void digest_response(struct digest *d, const struct response *r);
void digest_member_info(struct digest *d, const struct member_info *m);
void digest_permissions(struct digest *d, const struct permission *v, size_t n);

/* digest_log.c */
void digest_conf(struct digest *d, const struct conf_state *c);
void digest_proposal(struct digest *d, const struct proposal *p);
void digest_entry(struct digest *d, const struct entry *e);
void digest_snapshot(struct digest *d, const struct snapshot *s);
void digest_message(struct digest *d, const struct message *m);
void digest_wal(struct digest *d, const struct wal *w);
void digest_raft(struct digest *d, const struct raft *r);

/* digest_store.c */
void digest_store(struct digest *d, const struct mvcc *s);
void digest_membership(struct digest *d, const struct membership *c);
void digest_origin(struct digest *d, const struct origin *o);
void digest_alarms(struct digest *d, const struct alarm_list *l);
void digest_auth(struct digest *d, const struct auth *a);
void digest_lessor(struct digest *d, const struct lessor *l);
void digest_watch_response(struct digest *d, const struct watch_response *r);
void digest_watchable(struct digest *d, const struct watchable *w);
void digest_image(struct digest *d, const struct store_image *image);

/* digest_member.c */
void digest_member(struct digest *d, const struct member *m);

#endif
