/* lease keep-alive (etcd: lease_command.go, clientv3/lease.go): renews once, or again at every
 * third of the TTL until the lease is gone.
 *
 * The client's library gives a lease up without a word from the server when no answer has come for
 * its TTL, or at the beginning for 3 s (the dial timeout and a second more).
 */
#include "cmd/command.h"
#include "cmd/go_number.h"

enum { KEEP_ONCE, KEEP_FLAGS };
enum { PHASE_ONCE = 0, PHASE_AGAIN = 1 };
enum { FIRST_ANSWER_MS = 3000, RETRY_MS = 500 };

static const struct flag_row flags[KEEP_FLAGS] = {
    [KEEP_ONCE] = {.name = "once",
		   .etcdctl =
		       "Resets the keep-alive time to its original value and exits immediately",
		   .type = FLAG_BOOL,
		   .fallback = "false",
		   .help = "renew once and end"},
};

static void answer_again(struct shell *s, struct job *j);

static void send(struct shell *s, struct job *j, void (*resume)(struct shell *, struct job *))
{
	struct request *req = command_request(s, REQ_LEASE_KEEP_ALIVE);

	req->keep_alive.id = j->id;
	j->ncalls = 0;
	command_call(s, j, req, resume);
}

static bool is_gone(const struct response *r)
{
	return r->error == ERR_LEASE_NOT_FOUND || (r->error == ERR_NONE && r->keep_alive.ttl <= 0);
}

static void answer_once(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];

	if (is_gone(r))
		command_fail(s, j, STATUS_BAD_CONNECTION, "%s", error_text(ERR_LEASE_NOT_FOUND));
	else if (r->error != ERR_NONE)
		command_fail(s, j, STATUS_BAD_CONNECTION, "%s", error_text(r->error));
	else
		command_finish(s, j);
}

static void give_up(struct shell *s, struct job *j)
{
	if (j->format == FORMAT_SIMPLE) {
		buf_puts(command_out(s), "lease ");
		go_put_hex16(command_out(s), j->id);
		buf_puts(command_out(s), " expired or revoked.\n");
	}
	command_end(j);
}

/* j->deadline_ms: when the library gives up. */
static void renew(struct shell *s, struct job *j)
{
	j->phase = PHASE_AGAIN;
	j->timeout_ms = j->deadline_ms - s->w->now_ms;
	if (j->timeout_ms > 0)
		send(s, j, answer_again);
	else
		give_up(s, j);
}

static void answer_again(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];
	int64_t again = s->w->now_ms + RETRY_MS;

	if (is_gone(r) || s->w->now_ms >= j->deadline_ms) {
		give_up(s, j);
	} else if (r->error != ERR_NONE) {
		command_wait(j, again < j->deadline_ms ? again : j->deadline_ms, renew);
	} else {
		command_print(s, j, r, command_asked(s, j));
		j->deadline_ms = s->w->now_ms + r->keep_alive.ttl * 1000;
		if (!j->failed)
			command_wait(j, s->w->now_ms + r->keep_alive.ttl * 1000 / 3, renew);
	}
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	if (p->args.n != 1) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "lease keep-alive command needs lease ID as argument");
		return;
	}
	if (!command_lease(s, j, p->args.v[0], &j->id) || !command_client(s, j, p))
		return;
	bool once = flag_bool(p, KEEP_ONCE);
	j->deadline_ms = s->w->now_ms + FIRST_ANSWER_MS;
	j->timeout_ms = once ? INT64_MAX : FIRST_ANSWER_MS;
	send(s, j, once ? answer_once : answer_again);
}

const struct command_row cmd_lease_keep_alive = {
    .name = "lease keep-alive",
    .group = GROUP_ETCDCTL,
    .usage = "lease keep-alive [options] <leaseID>",
    .summary = "Keeps leases alive (renew)",
    .example = "lease keep-alive 1 --once",
    .stream = true,
    .cost = "Nothing.",
    .arguments = "@lease",
    .flags = flags,
    .nflags = KEEP_FLAGS,
    .run = run,
};
