/* elect (etcd: elect_command.go, clientv3/concurrency/election.go): campaigns with a proposal until
 * it is interrupted, or tells of every leader in turn. */
#include "cmd/recipe.h"

enum { ELECT_LISTEN, ELECT_FLAGS };
enum { SESSION_TTL = 60 };

static const struct flag_row flags[ELECT_FLAGS] = {
    [ELECT_LISTEN] = {.name = "listen",
		      .shorthand = 'l',
		      .type = FLAG_BOOL,
		      .fallback = "false",
		      .help = "observation mode"},
};

static void expired(struct shell *s, struct job *j)
{
	command_fail(s, j, STATUS_ERROR, "elect: session expired");
}

static void won(struct shell *s, struct job *j)
{
	command_print(s, j, j->results[0], command_asked(s, j));
	if (j->failed)
		return;
	j->wait = WAIT_SIGNAL;
	j->resume = expired;
}

static void campaign(struct shell *s, struct job *j)
{
	recipe_acquire(s, j, won);
}

/* Another leader than the one that was shown, or another proposal of it; or its session is over. */
static bool is_news(const struct shell *s, const struct job *j)
{
	const struct row *leader = recipe_oldest(s, j);

	return j->recipe.expired || (leader && leader->main != j->recipe.seen);
}

static void observe(struct shell *s, struct job *j);

static void leader_is(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];

	if (recipe_failed(s, j))
		return;
	if (r->range.n && r->range.kvs[0]->main != j->recipe.seen) {
		j->recipe.seen = r->range.kvs[0]->main;
		command_print(s, j, r, command_asked(s, j));
		if (j->failed)
			return;
	}
	j->wait = WAIT_STORE;
	j->changed = is_news;
	j->resume = observe;
}

static void observe(struct shell *s, struct job *j)
{
	if (j->recipe.expired)
		command_fail(s, j, STATUS_ERROR, "elect: observer lost");
	else
		recipe_ask_oldest(s, j, leader_is);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	bool listen = flag_bool(p, ELECT_LISTEN);

	if (p->args.n != 1 && p->args.n != 2) {
		command_fail(
		    s, j, STATUS_BAD_ARGS,
		    "elect takes one election name argument and an optional proposal argument");
		return;
	}
	if (p->args.n == 1 && !listen) {
		command_fail(s, j, STATUS_BAD_ARGS, "no proposal argument but -l not set");
		return;
	}
	if (p->args.n == 2 && listen) {
		command_fail(s, j, STATUS_BAD_ARGS, "proposal given but -l is set");
		return;
	}
	if (!command_client(s, j, p))
		return;
	if (!listen)
		j->recipe.value = command_keep(s, p->args.v[1]);
	recipe_open(s, j, p->args.v[0], SESSION_TTL, listen ? observe : campaign);
}

const struct command_row cmd_elect = {
    .name = "elect",
    .group = GROUP_ETCDCTL,
    .usage = "elect <election-name> [proposal]",
    .summary = "Observes and participates in leader election",
    .example = "elect myelection candidate1 &",
    .stream = true,
    .cost = "As lock. With -l raft index +1, for the lease.",
    .arguments = "NAME VALUE",
    .flags = flags,
    .nflags = ELECT_FLAGS,
    .run = run,
};
