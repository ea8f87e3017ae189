/* user add, delete, get, list, passwd, grant-role, revoke-role (etcd: user_command.go). */
#include "cmd/login.h"
#include "cmd/password.h"

static const struct flag_row add_flags[USER_ADD_FLAGS] = {
    [USER_INTERACTIVE] = {.name = "interactive",
			  .type = FLAG_BOOL,
			  .fallback = "true",
			  .help = "Read password from stdin instead of interactive terminal"},
    [USER_NEW_PASSWORD] = {.name = "new-user-password",
			   .type = FLAG_STRING,
			   .fallback = "",
			   .help = "Supply password from the command line flag"},
    [USER_NO_PASSWORD] = {.name = "no-password",
			  .type = FLAG_BOOL,
			  .fallback = "false",
			  .help = "Create a user without password (CN based auth only)"},
};

enum { USER_DETAIL, USER_GET_FLAGS };

static const struct flag_row get_flags[USER_GET_FLAGS] = {
    [USER_DETAIL] = {.name = "detail",
		     .type = FLAG_BOOL,
		     .fallback = "false",
		     .help = "Show permissions of roles granted to the user"},
};

static const struct flag_row passwd_flags[] = {
    [USER_INTERACTIVE] = {.name = "interactive",
			  .type = FLAG_BOOL,
			  .fallback = "true",
			  .help =
			      "If true, read password from stdin instead of interactive terminal"},
};

/* The number of arguments; nobody waits for an answer with a limit. */
static struct request *begin(struct shell *s, struct job *j, const struct parsed *p, size_t n,
			     enum request_kind kind, const char *complaint)
{
	struct request *req;

	if (p->args.n != n) {
		command_fail(s, j, STATUS_BAD_ARGS, "%s", complaint);
		return NULL;
	}
	if (!command_client(s, j, p))
		return NULL;
	j->timeout_ms = INT64_MAX;
	req = command_request(s, kind);
	if (n > 0)
		req->auth.user = command_keep(s, p->args.v[0]);
	if (n > 1)
		req->auth.role = command_keep(s, p->args.v[1]);
	return req;
}

static void run_one(struct shell *s, struct job *j, const struct parsed *p, size_t n,
		    enum request_kind kind, const char *complaint)
{
	struct request *req = begin(s, j, p, n, kind, complaint);

	if (req)
		command_call(s, j, req, command_finish);
}

/* etcdctl asks for a password before it makes a client, and once. */
static bool ask_password(struct shell *s, struct job *j, const struct parsed *p)
{
	return j->login == LOGIN_DONE || !password_lines(p) || password_read(s, j, p);
}

/* NAME:PASSWORD unless a flag says otherwise. */
static void split_name(struct shell *s, const struct job *j, const struct parsed *p,
		       struct request *req)
{
	struct bytes name = req->auth.user;
	const char *colon = name.n ? memchr(name.p, ':', name.n) : NULL;

	req->auth.no_password = flag_bool(p, USER_NO_PASSWORD);
	req->auth.password = command_keep(s, flag_text(p, USER_NEW_PASSWORD));
	if (req->auth.no_password || req->auth.password.n)
		return;
	if (!colon) {
		req->auth.password = j->lines;
		return;
	}
	req->auth.password = (struct bytes){colon + 1, (size_t)(name.p + name.n - colon - 1)};
	req->auth.user.n = (size_t)(colon - name.p);
}

/* :PASSWORD, where the name is cut off. */
static bool lacks_name(const struct parsed *p)
{
	struct bytes name = p->args.v[0];

	return name.n && name.p[0] == ':' && !flag_bool(p, USER_NO_PASSWORD) &&
	       flag_text(p, USER_NEW_PASSWORD).n == 0;
}

static void run_add(struct shell *s, struct job *j, const struct parsed *p)
{
	if (!ask_password(s, j, p))
		return;
	if (p->args.n == 1 && lacks_name(p)) {
		command_fail(s, j, STATUS_BAD_ARGS, "empty user name is not allowed");
		return;
	}
	struct request *req =
	    begin(s, j, p, 1, REQ_USER_ADD, "user add command requires user name as its argument");

	if (!req)
		return;
	split_name(s, j, p, req);
	command_call(s, j, req, command_finish);
}

static void run_delete(struct shell *s, struct job *j, const struct parsed *p)
{
	run_one(s, j, p, 1, REQ_USER_DELETE,
		"user delete command requires user name as its argument");
}

/* --detail: the roles one after the other.  results[0] stays the user's. */

static void ask_role(struct shell *s, struct job *j);

static void show_role(struct shell *s, struct job *j)
{
	const struct response *r = j->results[1];

	if (r->error) {
		command_fail(s, j, STATUS_ERROR, "%s", error_text(r->error));
		return;
	}
	command_print(s, j, r, command_asked(s, j));
	j->at++;
	if (!j->failed)
		ask_role(s, j);
}

static void ask_role(struct shell *s, struct job *j)
{
	const struct response *user = j->results[0];
	struct request *req = command_request(s, REQ_ROLE_GET);

	if (j->at == user->auth.n) {
		command_end(j);
		return;
	}
	buf_putc(command_out(s), '\n');
	req->auth.role = user->auth.names[j->at];
	j->ncalls = 1;
	command_call(s, j, req, show_role);
}

static void show_user(struct shell *s, struct job *j)
{
	struct bytes name = command_asked(s, j)->auth.user;

	if (j->results[0]->error) {
		command_fail(s, j, STATUS_ERROR, "%s", error_text(j->results[0]->error));
		return;
	}
	buf_printf(command_out(s), "User: %.*s\n", (int)name.n, name.p);
	ask_role(s, j);
}

static void run_get(struct shell *s, struct job *j, const struct parsed *p)
{
	struct request *req =
	    begin(s, j, p, 1, REQ_USER_GET, "user get command requires user name as its argument");

	if (req)
		command_call(s, j, req, flag_bool(p, USER_DETAIL) ? show_user : command_finish);
}

static void run_list(struct shell *s, struct job *j, const struct parsed *p)
{
	run_one(s, j, p, 0, REQ_USER_LIST, "user list command requires no arguments");
}

static void run_passwd(struct shell *s, struct job *j, const struct parsed *p)
{
	if (!ask_password(s, j, p))
		return;
	struct request *req = begin(s, j, p, 1, REQ_USER_PASSWD,
				    "user passwd command requires user name as its argument");
	if (!req)
		return;
	req->auth.password = j->lines;
	command_call(s, j, req, command_finish);
}

static void run_grant(struct shell *s, struct job *j, const struct parsed *p)
{
	run_one(s, j, p, 2, REQ_USER_GRANT_ROLE,
		"user grant command requires user name and role name as its argument");
}

static void run_revoke(struct shell *s, struct job *j, const struct parsed *p)
{
	run_one(s, j, p, 2, REQ_USER_REVOKE_ROLE,
		"user revoke-role requires user name and role name as its argument");
}

#define COST "Raft index +1, also when it fails or only reads; no revision."

const struct command_row cmd_user_add = {
    .name = "user add",
    .group = GROUP_ETCDCTL,
    .usage = "user add <user name or user:password> [options]",
    .etcdctl_summary = "Adds a new user",
    .summary = "Adds a new user; without a password here, it is typed twice in the lines below",
    .example = "user add bob:bobpw",
    .cost = COST,
    .flags = add_flags,
    .nflags = USER_ADD_FLAGS,
    .run = run_add,
};

const struct command_row cmd_user_delete = {
    .name = "user delete",
    .group = GROUP_ETCDCTL,
    .usage = "user delete <user name>",
    .summary = "Deletes a user",
    .example = "user delete bob",
    .cost = COST,
    .run = run_delete,
};

const struct command_row cmd_user_get = {
    .name = "user get",
    .group = GROUP_ETCDCTL,
    .usage = "user get <user name> [options]",
    .summary = "Gets detailed information of a user",
    .example = "user get bob --detail",
    .cost = "Raft index +1, with --detail +1 for each of its roles; no revision.",
    .flags = get_flags,
    .nflags = USER_GET_FLAGS,
    .run = run_get,
};

const struct command_row cmd_user_list = {
    .name = "user list",
    .group = GROUP_ETCDCTL,
    .usage = "user list",
    .summary = "Lists all users",
    .example = "user list",
    .cost = COST,
    .run = run_list,
};

const struct command_row cmd_user_passwd = {
    .name = "user passwd",
    .group = GROUP_ETCDCTL,
    .usage = "user passwd <user name> [options]",
    .etcdctl_summary = "Changes password of user",
    .summary = "Changes password of user; it is typed twice in the lines below",
    .example = "user passwd bob",
    .cost = COST,
    .flags = passwd_flags,
    .nflags = USER_INTERACTIVE + 1,
    .run = run_passwd,
};

const struct command_row cmd_user_grant_role = {
    .name = "user grant-role",
    .group = GROUP_ETCDCTL,
    .usage = "user grant-role <user name> <role name>",
    .summary = "Grants a role to a user",
    .example = "user grant-role bob r1",
    .cost = COST,
    .run = run_grant,
};

const struct command_row cmd_user_revoke_role = {
    .name = "user revoke-role",
    .group = GROUP_ETCDCTL,
    .usage = "user revoke-role <user name> <role name>",
    .summary = "Revokes a role from a user",
    .example = "user revoke-role bob r1",
    .cost = COST,
    .run = run_revoke,
};
