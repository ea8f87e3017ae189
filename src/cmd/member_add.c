/* member add (etcd: member_command.go).  Behind the answer stand, in the simple form, the settings
 * with which the new member is to be started. */
#include <strings.h>

#include "cmd/command.h"
#include "cmd/go_quote.h"
#include "cmd/scratch.h"

enum { ADD_PEER_URLS, ADD_LEARNER, ADD_FLAGS };

static const struct flag_row flags[ADD_FLAGS] = {
    [ADD_PEER_URLS] = {.name = "peer-urls",
		       .type = FLAG_STRING,
		       .fallback = "",
		       .help = "comma separated peer URLs for the new member."},
    [ADD_LEARNER] = {.name = "learner",
		     .type = FLAG_BOOL,
		     .fallback = "false",
		     .help = "indicates if the new member is raft learner"},
};

/* "S1=http://...,S4=http://...": every member by id, the new one under its new name. */
static void initial_cluster(struct buf *out, const struct response *r, const char *name)
{
	for (size_t i = 0; i < r->member_list.n; i++) {
		const struct member_info *m = &r->member_list.members[i];
		bool added = m->id == r->member_list.added->id;
		buf_printf(out, "%s%s=%s", i ? "," : "", added ? name : m->name, m->peer_url);
	}
}

static void put_setting(struct buf *out, const char *name, struct bytes value)
{
	buf_printf(out, "%s=", name);
	go_quote(out, value);
	buf_putc(out, '\n');
}

static void answer(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];
	const struct request *req = command_asked(s, j);
	bool simple = j->format == FORMAT_SIMPLE;
	struct buf cluster = {0}, *out;

	command_finish(s, j);
	if (r->error != ERR_NONE || !simple)
		return;
	out = command_out(s);
	initial_cluster(&cluster, r, req->member.name);
	buf_putc(out, '\n');
	put_setting(out, "ETCD_NAME", bytes_of(req->member.name));
	put_setting(out, "ETCD_INITIAL_CLUSTER", buf_bytes(&cluster));
	put_setting(out, "ETCD_INITIAL_ADVERTISE_PEER_URLS", bytes_of(req->member.peer_url));
	put_setting(out, "ETCD_INITIAL_CLUSTER_STATE", BYTES("existing"));
	buf_free(&cluster);
}

static void too_many(struct shell *s, struct job *j, const struct parsed *p)
{
	struct buf *m = &s->scratch->message;

	buf_clear(m);
	buf_puts(m, "too many arguments");
	for (size_t i = 0; i < p->args.n; i++)
		if (p->args.v[i].n >= 4 && strncasecmp(p->args.v[i].p, "http", 4) == 0) {
			buf_puts(m, ", did you mean --peer-urls=");
			buf_put_bytes(m, p->args.v[i]);
		}
	command_fail_message(s, j, STATUS_BAD_ARGS);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (p->args.n < 1) {
		command_fail(s, j, STATUS_BAD_ARGS, "member name not provided");
		return;
	}
	if (p->args.n > 1) {
		too_many(s, j, p);
		return;
	}
	if (flag_text(p, ADD_PEER_URLS).n == 0) {
		command_fail(s, j, STATUS_BAD_ARGS, "member peer urls not provided");
		return;
	}
	if (!command_client(s, j, p))
		return;
	struct request *req = command_request(s, REQ_MEMBER_ADD);
	req->member.name = command_keep(s, p->args.v[0]).p;
	req->member.peer_url = command_keep(s, flag_text(p, ADD_PEER_URLS)).p;
	req->member.is_learner = flag_bool(p, ADD_LEARNER);
	command_call(s, j, req, answer);
}

const struct command_row cmd_member_add = {
    .name = "member add",
    .group = GROUP_ETCDCTL,
    .usage = "member add <memberName> [options]",
    .summary = "Adds a member into the cluster",
    .example = "member add S4 --peer-urls=http://127.0.0.1:42380",
    .cost = "Raft index +1, no revision, also for a URL in use. Refused as unhealthy: nothing.",
    .arguments = "NAME",
    .flags = flags,
    .nflags = ADD_FLAGS,
    .run = run,
};
