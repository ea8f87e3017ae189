/* What can go wrong with a request, with etcd's own texts (api/v3rpc/rpctypes/error.go of 3.4).
 * What etcdctl prints is "Error: " and error_text().
 */
#ifndef API_ERROR_H
#define API_ERROR_H

#define API_ERRORS(X)                                                                              \
	X(ERR_NONE, "")                                                                            \
	X(ERR_EMPTY_KEY, "etcdserver: key is not provided")                                        \
	X(ERR_KEY_NOT_FOUND, "etcdserver: key not found")                                          \
	X(ERR_VALUE_PROVIDED, "etcdserver: value is provided")                                     \
	X(ERR_LEASE_PROVIDED, "etcdserver: lease is provided")                                     \
	X(ERR_TOO_MANY_OPS, "etcdserver: too many operations in txn request")                      \
	X(ERR_DUPLICATE_KEY, "etcdserver: duplicate key given in txn request")                     \
	X(ERR_COMPACTED, "etcdserver: mvcc: required revision has been compacted")                 \
	X(ERR_FUTURE_REV, "etcdserver: mvcc: required revision is a future revision")              \
	X(ERR_NO_SPACE, "etcdserver: mvcc: database space exceeded")                               \
	X(ERR_LEASE_NOT_FOUND, "etcdserver: requested lease not found")                            \
	X(ERR_LEASE_EXISTS, "etcdserver: lease already exists")                                    \
	X(ERR_LEASE_TTL_TOO_LARGE, "etcdserver: too large lease TTL")                              \
	X(ERR_REQUEST_TOO_LARGE, "etcdserver: request is too large")                               \
	X(ERR_TOO_MANY_REQUESTS, "etcdserver: too many requests")                                  \
	X(ERR_NO_LEADER, "etcdserver: no leader")                                                  \
	X(ERR_LEADER_CHANGED, "etcdserver: leader changed")                                        \
	X(ERR_NOT_LEADER, "etcdserver: not leader")                                                \
	X(ERR_STOPPED, "etcdserver: server stopped")                                               \
	X(ERR_TIMEOUT, "etcdserver: request timed out")                                            \
	X(ERR_TIMEOUT_LEADER_FAIL,                                                                 \
	  "etcdserver: request timed out, possibly due to previous leader failure")                \
	X(ERR_TIMEOUT_CONN_LOST, "etcdserver: request timed out, possibly due to connection lost") \
	X(ERR_NOT_ENOUGH_STARTED,                                                                  \
	  "etcdserver: re-configuration failed due to not enough started members")                 \
	X(ERR_UNHEALTHY, "etcdserver: unhealthy cluster")                                          \
	X(ERR_MEMBER_NOT_FOUND, "etcdserver: member not found")                                    \
	X(ERR_MEMBER_EXISTS, "etcdserver: member ID already exist")                                \
	X(ERR_BAD_URLS, "etcdserver: given member URLs are invalid")                               \
	X(ERR_PEER_URL_EXISTS, "etcdserver: Peer URLs already exists")                             \
	X(ERR_LEARNER_NOT_READY,                                                                   \
	  "etcdserver: can only promote a learner member which is in sync with leader")            \
	X(ERR_NOT_LEARNER, "etcdserver: can only promote a learner member")                        \
	X(ERR_TOO_MANY_LEARNERS, "etcdserver: too many learner members in cluster")                \
	X(ERR_LEARNER_RPC, "etcdserver: rpc not supported for learner")                            \
	X(ERR_BAD_TRANSFEREE, "etcdserver: bad leader transferee")                                 \
	X(ERR_NO_ROOT_USER, "etcdserver: root user does not exist")                                \
	X(ERR_NO_ROOT_ROLE, "etcdserver: root user does not have root role")                       \
	X(ERR_USER_EXISTS, "etcdserver: user name already exists")                                 \
	X(ERR_USER_EMPTY, "etcdserver: user name is empty")                                        \
	X(ERR_USER_NOT_FOUND, "etcdserver: user name not found")                                   \
	X(ERR_ROLE_EXISTS, "etcdserver: role name already exists")                                 \
	X(ERR_ROLE_EMPTY, "etcdserver: role name is empty")                                        \
	X(ERR_ROLE_NOT_FOUND, "etcdserver: role name not found")                                   \
	X(ERR_AUTH_FAILED, "etcdserver: authentication failed, invalid user ID or password")       \
	X(ERR_PERMISSION_DENIED, "etcdserver: permission denied")                                  \
	X(ERR_ROLE_NOT_GRANTED, "etcdserver: role is not granted to the user")                     \
	X(ERR_PERMISSION_NOT_GRANTED, "etcdserver: permission is not granted to the role")         \
	X(ERR_AUTH_NOT_ENABLED, "etcdserver: authentication is not enabled")                       \
	X(ERR_AUTH_OLD_REVISION, "etcdserver: revision of auth store is old")                      \
	X(ERR_INVALID_AUTH_MGMT, "etcdserver: invalid auth management")                            \
	X(ERR_AUTH_NO_PASSWORD_USER, "rpc error: code = Unknown desc = auth: authentication "      \
				     "failed, password was given for no password user")            \
	X(ERR_MAINTENANCE_NO_USER, "rpc error: code = Unknown desc = auth: user name is empty")    \
	X(ERR_MAINTENANCE_DENIED, "rpc error: code = Unknown desc = auth: permission denied")      \
	X(ERR_WATCH_NO_USER,                                                                       \
	  "rpc error: code = InvalidArgument desc = etcdserver: user name is empty")               \
	X(ERR_WATCH_DENIED,                                                                        \
	  "rpc error: code = PermissionDenied desc = etcdserver: permission denied")               \
	X(ERR_DEADLINE, "context deadline exceeded")                                               \
	X(ERR_CANCELED, "context canceled")                                                        \
	X(ERR_DEADLINE_UNKNOWN, "rpc error: code = Unknown desc = context deadline exceeded")      \
	X(ERR_PROPOSAL_DROPPED, "rpc error: code = Unknown desc = raft proposal dropped")          \
	X(ERR_UNAVAILABLE_34, "rpc error: code = Unavailable desc = transport is closing")         \
	X(ERR_UNAVAILABLE_35,                                                                      \
	  "rpc error: code = Unavailable desc = error reading from server: EOF")                   \
	X(ERR_MESSAGE_TOO_LARGE, "rpc error: code = ResourceExhausted desc = trying to send "      \
				 "message larger than max")

#define X(name, text) name,
enum error { API_ERRORS(X) ERR_COUNT };
#undef X

/* etcd's text for an error; "" for ERR_NONE.  Constant. */
const char *error_text(enum error e);

#endif
