/* Who the members of a lesson are (design.md 4). */
#ifndef SERVER_IDENTITY_H
#define SERVER_IDENTITY_H

#include <stdint.h>

enum { IDENTITIES = 9 };
#define CLUSTER_ID 17237436991929493444u

extern const uint64_t member_ids[IDENTITIES]; /* of S1, S2, ... */
const char *member_name(unsigned number);     /* "S1"; constant, like the two below */
const char *member_client_url(unsigned number);
const char *member_peer_url(unsigned number);
/* 1..9 if this is one of the known peer URLs; else 0. */
unsigned member_with_peer_url(const char *url);

#endif
