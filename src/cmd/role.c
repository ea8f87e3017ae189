/* role add, delete, get, list, grant-permission, revoke-permission (etcd: role_command.go). */
#include "cmd/command.h"

#include <strings.h>

enum { PERM_PREFIX, PERM_FROM_KEY, PERM_FLAGS };

/* what: grant or revoke, as etcdctl's help says it */
#define PERMISSION_FLAGS(what)                                                                     \
	{                                                                                          \
		[PERM_PREFIX] = {.name = "prefix",                                                 \
				 .etcdctl = what " a prefix permission",                           \
				 .type = FLAG_BOOL,                                                \
				 .fallback = "false",                                              \
				 .help = "a permission on every key with this prefix"},            \
		[PERM_FROM_KEY] = {                                                                \
		    .name = "from-key",                                                            \
		    .etcdctl = what " a permission of keys that are greater than or "              \
				    "equal to the given key using byte compare",                   \
		    .type = FLAG_BOOL,                                                             \
		    .fallback = "false",                                                           \
		    .help = "a permission on every key that is greater than or equal "             \
			    "to this one"},                                                        \
	}

static const struct flag_row grant_flags[PERM_FLAGS] = PERMISSION_FLAGS("grant");
static const struct flag_row revoke_flags[PERM_FLAGS] = PERMISSION_FLAGS("revoke");

static void run_one(struct shell *s, struct job *j, const struct parsed *p, size_t n,
		    enum request_kind kind, const char *complaint)
{
	if (p->args.n != n) {
		command_fail(s, j, STATUS_BAD_ARGS, "%s", complaint);
		return;
	}
	if (!command_client(s, j, p))
		return;
	j->timeout_ms = INT64_MAX;
	struct request *req = command_request(s, kind);
	if (n > 0)
		req->auth.role = command_keep(s, p->args.v[0]);
	command_call(s, j, req, command_finish);
}

static void run_add(struct shell *s, struct job *j, const struct parsed *p)
{
	run_one(s, j, p, 1, REQ_ROLE_ADD, "role add command requires role name as its argument");
}

static void run_delete(struct shell *s, struct job *j, const struct parsed *p)
{
	run_one(s, j, p, 1, REQ_ROLE_DELETE,
		"role delete command requires role name as its argument");
}

static void run_get(struct shell *s, struct job *j, const struct parsed *p)
{
	run_one(s, j, p, 1, REQ_ROLE_GET, "role get command requires role name as its argument");
}

static void run_list(struct shell *s, struct job *j, const struct parsed *p)
{
	run_one(s, j, p, 0, REQ_ROLE_LIST, "role list command requires no arguments");
}

/* ---- permissions ---- */

/* KEY [ENDKEY]; an empty key stands for the smallest there is. */
static bool read_range(struct shell *s, struct job *j, const struct parsed *p,
		       const struct bytes *v, size_t n, struct key_range *r)
{
	bool prefix = flag_bool(p, PERM_PREFIX), from_key = flag_bool(p, PERM_FROM_KEY);

	if (n > 1 && (prefix || from_key)) {
		command_fail(s, j, STATUS_BAD_ARGS, "unexpected endkey argument with --%s flag",
			     prefix ? "prefix" : "from-key");
		return false;
	}
	if (prefix && from_key) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "--from-key and --prefix flags are mutually exclusive");
		return false;
	}
	*r = (struct key_range){.key = v[0].n ? command_keep(s, v[0]) : BYTES("\0")};
	if (prefix && v[0].n)
		r->end = command_prefix(s, v[0]).end;
	else if (prefix || from_key)
		r->end = BYTES("\0");
	else if (n > 1)
		r->end = command_keep(s, v[1]);
	return true;
}

static bool read_kind(struct shell *s, struct job *j, struct bytes name, enum permission_kind *kind)
{
	static const char *const names[] = {"read", "write", "readwrite"};

	for (int i = 0; i < 3; i++)
		if (name.n == strlen(names[i]) && strncasecmp(name.p, names[i], name.n) == 0) {
			*kind = (enum permission_kind)i;
			return true;
		}
	command_fail(s, j, STATUS_BAD_ARGS, "invalid permission type: %.*s", (int)name.n, name.p);
	return false;
}

static void run_grant(struct shell *s, struct job *j, const struct parsed *p)
{
	struct permission perm = {0};

	if (p->args.n < 3) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "role grant command requires role name, permission type, and key "
			     "[endkey] as its argument");
		return;
	}
	if (!read_kind(s, j, p->args.v[1], &perm.kind) ||
	    !read_range(s, j, p, p->args.v + 2, p->args.n - 2, &perm.range) ||
	    !command_client(s, j, p))
		return;
	j->timeout_ms = INT64_MAX;
	struct request *req = command_request(s, REQ_ROLE_GRANT_PERMISSION);
	req->auth.role = command_keep(s, p->args.v[0]);
	req->auth.permission = perm;
	command_call(s, j, req, command_finish);
}

static void run_revoke(struct shell *s, struct job *j, const struct parsed *p)
{
	struct permission perm = {0};

	if (p->args.n < 2) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "role revoke-permission command requires role name and key [endkey] "
			     "as its argument");
		return;
	}
	if (!read_range(s, j, p, p->args.v + 1, p->args.n - 1, &perm.range) ||
	    !command_client(s, j, p))
		return;
	j->timeout_ms = INT64_MAX;
	struct request *req = command_request(s, REQ_ROLE_REVOKE_PERMISSION);
	req->auth.role = command_keep(s, p->args.v[0]);
	req->auth.permission = perm;
	command_call(s, j, req, command_finish);
}

#define COST "Raft index +1, also when it fails or only reads; no revision."

const struct command_row cmd_role_add = {
    .name = "role add",
    .group = GROUP_ETCDCTL,
    .usage = "role add <role name>",
    .summary = "Adds a new role",
    .example = "role add r1",
    .cost = COST,
    .run = run_add,
};

const struct command_row cmd_role_delete = {
    .name = "role delete",
    .group = GROUP_ETCDCTL,
    .usage = "role delete <role name>",
    .summary = "Deletes a role",
    .example = "role delete r1",
    .cost = COST,
    .run = run_delete,
};

const struct command_row cmd_role_get = {
    .name = "role get",
    .group = GROUP_ETCDCTL,
    .usage = "role get <role name>",
    .summary = "Gets detailed information of a role",
    .example = "role get r1",
    .cost = COST,
    .run = run_get,
};

const struct command_row cmd_role_list = {
    .name = "role list",
    .group = GROUP_ETCDCTL,
    .usage = "role list",
    .summary = "Lists all roles",
    .example = "role list",
    .cost = COST,
    .run = run_list,
};

const struct command_row cmd_role_grant_permission = {
    .name = "role grant-permission",
    .group = GROUP_ETCDCTL,
    .usage = "role grant-permission [options] <role name> <permission type> <key> [endkey]",
    .summary = "Grants a key to a role",
    .example = "role grant-permission r1 readwrite /a --prefix",
    .arguments = "ROLE read|write|readwrite @key @key",
    .cost = COST,
    .flags = grant_flags,
    .nflags = PERM_FLAGS,
    .run = run_grant,
};

const struct command_row cmd_role_revoke_permission = {
    .name = "role revoke-permission",
    .group = GROUP_ETCDCTL,
    .usage = "role revoke-permission <role name> <key> [endkey]",
    .summary = "Revokes a key from a role",
    .example = "role revoke-permission r1 /a --prefix",
    .arguments = "ROLE @key @key",
    .cost = COST,
    .flags = revoke_flags,
    .nflags = PERM_FLAGS,
    .run = run_revoke,
};
