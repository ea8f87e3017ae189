/* auth enable, auth disable (etcd: auth_command.go). */
#include "cmd/command.h"

static void ask(struct shell *s, struct job *j, enum request_kind kind,
		void (*resume)(struct shell *, struct job *))
{
	struct request *req = command_request(s, kind);

	j->ncalls = 0;
	req->auth.user = req->auth.role = BYTES("root");
	command_call(s, j, req, resume);
}

static bool failed(struct shell *s, struct job *j)
{
	if (j->results[0]->error == ERR_NONE)
		return false;
	command_fail(s, j, STATUS_ERROR, "%s", error_text(j->results[0]->error));
	return true;
}

static void enable(struct shell *s, struct job *j);

static void granted(struct shell *s, struct job *j)
{
	if (!failed(s, j))
		enable(s, j);
}

static void added(struct shell *s, struct job *j)
{
	if (!failed(s, j))
		ask(s, j, REQ_USER_GRANT_ROLE, granted);
}

/* A root user without the root role gets it, and it is tried again. */
static void answer(struct shell *s, struct job *j)
{
	if (j->results[0]->error == ERR_NO_ROOT_ROLE) {
		ask(s, j, REQ_ROLE_ADD, added);
	} else if (!failed(s, j)) {
		buf_puts(command_out(s), "Authentication Enabled\n");
		command_end(j);
	}
}

static void enable(struct shell *s, struct job *j)
{
	ask(s, j, REQ_AUTH_ENABLE, answer);
}

static void disabled(struct shell *s, struct job *j)
{
	if (failed(s, j))
		return;
	buf_puts(command_out(s), "Authentication Disabled\n");
	command_end(j);
}

static bool begin(struct shell *s, struct job *j, const struct parsed *p)
{
	if (p->args.n)
		command_fail(s, j, STATUS_BAD_ARGS, "%s command does not accept any arguments",
			     j->row->name);
	return p->args.n == 0 && command_client(s, j, p);
}

static void run_enable(struct shell *s, struct job *j, const struct parsed *p)
{
	if (begin(s, j, p))
		enable(s, j);
}

static void run_disable(struct shell *s, struct job *j, const struct parsed *p)
{
	if (begin(s, j, p))
		ask(s, j, REQ_AUTH_DISABLE, disabled);
}

const struct command_row cmd_auth_enable = {
    .name = "auth enable",
    .group = GROUP_ETCDCTL,
    .usage = "auth enable",
    .summary = "Enables authentication",
    .example = "auth enable",
    .cost = "Raft index +1, or +4 if the root user lacks the root role; no revision.",
    .run = run_enable,
};

const struct command_row cmd_auth_disable = {
    .name = "auth disable",
    .group = GROUP_ETCDCTL,
    .usage = "auth disable",
    .summary = "Disables authentication",
    .example = "auth disable --user=root:rootpw",
    .cost = "Raft index +1, no revision.",
    .run = run_disable,
};
