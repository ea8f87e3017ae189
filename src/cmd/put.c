/* put (etcd: put_command.go). */
#include "cmd/command.h"
#include "cmd/go_number.h"
#include "cmd/scratch.h"

enum { PUT_IGNORE_LEASE, PUT_IGNORE_VALUE, PUT_LEASE, PUT_PREV_KV, PUT_FLAGS };

static const struct flag_row flags[PUT_FLAGS] = {
    [PUT_IGNORE_LEASE] = {.name = "ignore-lease",
			  .etcdctl = "updates the key using its current lease",
			  .type = FLAG_BOOL,
			  .fallback = "false",
			  .help = "keep the lease that the key has"},
    [PUT_IGNORE_VALUE] = {.name = "ignore-value",
			  .etcdctl = "updates the key using its current value",
			  .type = FLAG_BOOL,
			  .fallback = "false",
			  .help = "keep the value that the key has"},
    [PUT_LEASE] = {.name = "lease",
		   .etcdctl = "lease ID (in hexadecimal) to attach to the key",
		   .type = FLAG_STRING,
		   .fallback = "0",
		   .values = "@lease",
		   .help = "lease ID (in hexadecimal) to attach to the key"},
    [PUT_PREV_KV] = {.name = "prev-kv",
		     .etcdctl = "return the previous key-value pair before modification",
		     .type = FLAG_BOOL,
		     .fallback = "false",
		     .help = "print the pair as it was before"},
};

static bool put_lease(struct shell *s, struct job *j, struct bytes text, int64_t *id)
{
	struct buf *m = &s->scratch->message;

	if (text.n == 1 && text.p[0] == '0')
		return true;
	buf_clear(m);
	buf_puts(m, "bad lease ID (");
	if (go_parse_int(text, 16, id, m))
		return true;
	buf_puts(m, "), expecting ID in Hex");
	command_fail_message(s, j, STATUS_BAD_ARGS);
	return false;
}

/* The operation of a line of arguments: getPutOp.  A value that is not given would come from the
 * standard input, which is empty here. */
bool put_operation(struct shell *s, struct job *j, const struct parsed *p, struct request *req)
{
	struct put_request *put = &req->put;

	req->kind = REQ_PUT;
	put->ignore_value = flag_bool(p, PUT_IGNORE_VALUE);
	if (p->args.n > 1 && put->ignore_value) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "put command needs only 1 argument when 'ignore-value' is set");
		return false;
	}
	if (p->args.n == 0 || (p->args.n == 1 && !put->ignore_value)) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "put command needs 1 argument and input from stdin or 2 arguments");
		return false;
	}
	if (!put_lease(s, j, flag_text(p, PUT_LEASE), &put->lease))
		return false;
	put->prev_kv = flag_bool(p, PUT_PREV_KV);
	put->ignore_lease = flag_bool(p, PUT_IGNORE_LEASE);
	put->key = command_keep(s, p->args.v[0]);
	if (!put->ignore_value)
		put->value = command_keep(s, p->args.v[1]);
	return true;
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct request *req = command_request(s, REQ_PUT);

	if (put_operation(s, j, p, req) && command_client(s, j, p) && !command_too_large(s, j, req))
		command_call(s, j, req, command_finish);
}

const struct command_row cmd_put = {
    .name = "put",
    .etcdctl_usage = "put [options] <key> <value> (<value> can also be given from stdin)",
    .etcdctl_description =
	"Puts the given key into the store.\n"
	"\n"
	"When <value> begins with '-', <value> is interpreted as a flag.\n"
	"Insert '--' for workaround:\n"
	"\n"
	"$ put <key> -- <value>\n"
	"$ put -- <key> <value>\n"
	"\n"
	"If <value> isn't given as a command line argument and '--ignore-value' is not specified,\n"
	"this command tries to read the value from standard input.\n"
	"\n"
	"If <lease> isn't given as a command line argument and '--ignore-lease' is not specified,\n"
	"this command tries to read the value from standard input.\n"
	"\n"
	"For example,\n"
	"$ cat file | put <key>\n"
	"will store the content of the file to <key>.\n",
    .group = GROUP_ETCDCTL,
    .usage = "put [options] <key> <value>",
    .summary = "Puts the given key into the store",
    .example = "put /registry/pods/default/web-1 nginx:1.25",
    .cost = "Raft index +1, revision +1. A missing key with --ignore-value or --ignore-lease, or "
	    "an unknown lease: index +1, no revision. An empty key: nothing.",
    .versions = "On a member without a leader, with a limit above 7 s: 3.4 fails after 7 s with "
		"code = Unknown, 3.5 after the whole limit.",
    .arguments = "@key VALUE",
    .flags = flags,
    .nflags = PUT_FLAGS,
    .run = run,
};
