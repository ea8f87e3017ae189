/* Users, roles and what they may touch, as one member has applied them (etcd: auth/store.go,
 * range_perm_cache.go).
 *
 * A value: its arrays live in the heap and never change, a change makes new ones.  Every change
 * moves the auth revision on; who took a request under an older one is told so when it is applied.
 */
#ifndef SERVER_AUTH_H
#define SERVER_AUTH_H

#include "api/request.h"
#include "base/heap.h"

struct auth_user {
	struct bytes name; /* first: see rebuild */
	struct bytes password;
	bool no_password;
	const struct bytes *roles; /* in order */
	size_t nroles;
};

struct auth_role {
	struct bytes name;
	const struct permission *permissions; /* by key */
	size_t npermissions;
};

struct auth {
	bool enabled;
	uint64_t revision;	       /* counts from 1 */
	const struct auth_user *users; /* by name */
	size_t nusers;
	const struct auth_role *roles; /* by name */
	size_t nroles;
};

/* Carries out a request that is about authentication; out->auth gets what was asked for. */
enum error auth_apply(struct auth *a, struct heap *h, const struct request *req,
		      struct response *out);
/* Is it the user's password? */
enum error auth_check_password(const struct auth *a, struct bytes user, struct bytes password);

/* What is refused; ERR_NONE while authentication is off. */
enum error auth_check_admin(const struct auth *a, struct bytes user);
/* Of an entry: most of what concerns users and roles is for administrators. */
enum error auth_check_admin_entry(const struct auth *a, const struct request *req);
/* The keys that a put, delete, range or transaction touches.  revision: of the member that took it.
 */
enum error auth_check_keys(const struct auth *a, const struct request *req, uint64_t revision);
/* Writing one key, reading a range. */
enum error auth_check_key(const struct auth *a, struct bytes user, uint64_t revision,
			  struct bytes key);
enum error auth_check_range(const struct auth *a, struct bytes user, uint64_t revision,
			    struct key_range r);

#endif
