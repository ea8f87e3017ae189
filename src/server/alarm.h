/* The alarms of a cluster, as one member has applied them (etcd: etcdserver/api/v3alarm/alarms.go).
 *
 * A value: its array lives in the heap and never changes, a change makes a new one.
 */
#ifndef SERVER_ALARM_H
#define SERVER_ALARM_H

#include "api/request.h"
#include "base/heap.h"

struct alarm_list {
	const struct alarm *v; /* ascending by member */
	size_t n;
};

/* Is such an alarm on, whoever raised it? */
bool alarms_have(const struct alarm_list *l, enum alarm_kind kind);
/* One member's alarm goes on.  False: it was on. */
bool alarms_add(struct alarm_list *l, struct heap *h, struct alarm a);
/* And off.  False: it was not on. */
bool alarms_take(struct alarm_list *l, struct heap *h, struct alarm a);
/* "memberID:9372538179322589801 alarm:NOSPACE ", as protobuf writes it. */
const char *alarm_text(struct heap *h, struct alarm a);

#endif
