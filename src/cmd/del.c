/* del (etcd: del_command.go). */
#include "cmd/command.h"

enum { DEL_FROM_KEY, DEL_PREFIX, DEL_PREV_KV, DEL_FLAGS };

static const struct flag_row flags[DEL_FLAGS] = {
    [DEL_FROM_KEY] =
	{.name = "from-key",
	 .etcdctl =
	     "delete keys that are greater than or equal to the given key using byte compare",
	 .type = FLAG_BOOL,
	 .fallback = "false",
	 .help = "every key from the given one on, in byte order"},
    [DEL_PREFIX] = {.name = "prefix",
		    .etcdctl = "delete keys with matching prefix",
		    .type = FLAG_BOOL,
		    .fallback = "false",
		    .help = "every key with the given prefix"},
    [DEL_PREV_KV] = {.name = "prev-kv",
		     .etcdctl = "return deleted key-value pairs",
		     .type = FLAG_BOOL,
		     .fallback = "false",
		     .help = "print the deleted pairs"},
};

/* getDelOp. */
bool del_operation(struct shell *s, struct job *j, const struct parsed *p, struct request *req)
{
	bool prefix = flag_bool(p, DEL_PREFIX), from_key = flag_bool(p, DEL_FROM_KEY);

	req->kind = REQ_DELETE_RANGE;
	if (p->args.n == 0 || p->args.n > 2) {
		command_fail(
		    s, j, STATUS_BAD_ARGS,
		    "del command needs one argument as key and an optional argument as range_end");
		return false;
	}
	if (prefix && from_key) {
		command_fail(
		    s, j, STATUS_BAD_ARGS,
		    "`--prefix` and `--from-key` cannot be set at the same time, choose one");
		return false;
	}
	if (p->args.n > 1 && (prefix || from_key)) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "too many arguments, only accept one argument when `--prefix` or "
			     "`--from-key` is set");
		return false;
	}
	req->del.prev_kv = flag_bool(p, DEL_PREV_KV);
	req->del.range = prefix	    ? command_prefix(s, p->args.v[0])
			 : from_key ? command_from_key(s, p->args.v[0])
				    : (struct key_range){.key = command_keep(s, p->args.v[0])};
	if (p->args.n > 1)
		req->del.range.end = command_keep(s, p->args.v[1]);
	return true;
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct request *req = command_request(s, REQ_DELETE_RANGE);

	if (del_operation(s, j, p, req) && command_client(s, j, p))
		command_call(s, j, req, command_finish);
}

const struct command_row cmd_del = {
    .name = "del",
    .group = GROUP_ETCDCTL,
    .usage = "del [options] <key> [range_end]",
    .summary = "Removes the specified key or range of keys [key, range_end)",
    .example = "del /registry/pods/default/web-1 --prev-kv",
    .cost = "Raft index +1. Revision +1 for any number of keys, none if nothing was there.",
    .arguments = "@key @key",
    .flags = flags,
    .nflags = DEL_FLAGS,
    .run = run,
};
