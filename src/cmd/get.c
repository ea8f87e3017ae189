/* get (etcd: get_command.go). */
#include "cmd/command.h"
#include "cmd/go_quote.h"
#include "cmd/scratch.h"

#include <strings.h>

enum {
	GET_CONSISTENCY,
	GET_FROM_KEY,
	GET_KEYS_ONLY,
	GET_LIMIT,
	GET_ORDER,
	GET_PREFIX,
	GET_VALUE_ONLY,
	GET_REV,
	GET_SORT_BY,
	GET_FLAGS
};

static const struct flag_row flags[GET_FLAGS] = {
    [GET_CONSISTENCY] =
	{.name = "consistency",
	 .etcdctl = "Linearizable(l) or Serializable(s)",
	 .type = FLAG_STRING,
	 .fallback = "l",
	 .values = "l|s",
	 .help =
	     "l: linearizable, as the majority knows it; s: serializable, as the member has it"},
    [GET_FROM_KEY] =
	{.name = "from-key",
	 .etcdctl = "Get keys that are greater than or equal to the given key using byte compare",
	 .type = FLAG_BOOL,
	 .fallback = "false",
	 .help = "every key from the given one on, in byte order"},
    [GET_KEYS_ONLY] = {.name = "keys-only",
		       .etcdctl = "Get only the keys",
		       .type = FLAG_BOOL,
		       .fallback = "false",
		       .help = "leave the values out"},
    [GET_LIMIT] = {.name = "limit",
		   .etcdctl = "Maximum number of results",
		   .type = FLAG_INT64,
		   .fallback = "0",
		   .help = "at most so many results"},
    [GET_ORDER] = {.name = "order",
		   .etcdctl = "Order of results; ASCEND or DESCEND (ASCEND by default)",
		   .type = FLAG_STRING,
		   .fallback = "",
		   .values = "ASCEND|DESCEND",
		   .help = "order of results"},
    [GET_PREFIX] = {.name = "prefix",
		    .etcdctl = "Get keys with matching prefix",
		    .type = FLAG_BOOL,
		    .fallback = "false",
		    .help = "every key with the given prefix"},
    [GET_VALUE_ONLY] = {.name = "print-value-only",
			.etcdctl = "Only write values when using the \"simple\" output format",
			.type = FLAG_BOOL,
			.fallback = "false",
			.help = "write only values when using the \"simple\" output format"},
    [GET_REV] = {.name = "rev",
		 .etcdctl = "Specify the kv revision",
		 .type = FLAG_INT64,
		 .fallback = "0",
		 .help = "the store as it was at this revision"},
    [GET_SORT_BY] = {.name = "sort-by",
		     .etcdctl = "Sort target; CREATE, KEY, MODIFY, VALUE, or VERSION",
		     .type = FLAG_STRING,
		     .fallback = "",
		     .values = "CREATE|KEY|MODIFY|VALUE|VERSION",
		     .help = "what results are sorted by"},
};

/* Index of a word in a list, whatever its case; -1: it is not there. */
static int word_in(struct bytes w, const char *const *list, int n)
{
	for (int i = 0; i < n; i++)
		if (strlen(list[i]) == w.n && strncasecmp(list[i], w.p, w.n) == 0)
			return i;
	return -1;
}

static bool bad(struct shell *s, struct job *j, const char *what, struct bytes word)
{
	buf_clear(&s->scratch->message);
	buf_puts(&s->scratch->message, what);
	buf_put_bytes(&s->scratch->message, word);
	command_fail_message(s, j, STATUS_BAD_FEATURE);
	return false;
}

static bool read_consistency(struct shell *s, struct job *j, struct bytes w, bool *serializable)
{
	struct buf quoted = {0};

	*serializable = bytes_is(w, "s");
	if (*serializable || bytes_is(w, "l"))
		return true;
	go_quote(&quoted, w);
	bad(s, j, "unknown consistency flag ", buf_bytes(&quoted));
	buf_free(&quoted);
	return false;
}

static bool read_sort(struct shell *s, struct job *j, const struct parsed *p,
		      struct range_request *range)
{
	static const char *const orders[] = {"", "ASCEND", "DESCEND"};
	static const char *const targets[] = {"KEY", "VERSION", "CREATE", "MODIFY", "VALUE", ""};
	static const enum sort_target sort_targets[] = {SORT_KEY, SORT_VERSION, SORT_CREATE,
							SORT_MOD, SORT_VALUE,	SORT_KEY};
	struct bytes order = flag_text(p, GET_ORDER), target = flag_text(p, GET_SORT_BY);
	int o = word_in(order, orders, 3), t = word_in(target, targets, 6);

	if (o < 0)
		return bad(s, j, "bad sort order ", order);
	if (t < 0)
		return bad(s, j, "bad sort target ", target);
	range->sort_order = (enum sort_order)o;
	range->sort_target = sort_targets[t];
	/* Keys come in ascending order anyway, so the client does not ask for it (clientv3:
	 * WithSort). */
	if (range->sort_target == SORT_KEY && range->sort_order == SORT_ASCEND)
		range->sort_order = SORT_NONE;
	return true;
}

/* getGetOp; the order of the checks is etcdctl's. */
bool get_operation(struct shell *s, struct job *j, const struct parsed *p, struct request *req)
{
	struct range_request *range = &req->range;
	bool prefix = flag_bool(p, GET_PREFIX), from_key = flag_bool(p, GET_FROM_KEY);

	req->kind = REQ_RANGE;
	if (p->args.n == 0) {
		command_fail(
		    s, j, STATUS_BAD_ARGS,
		    "get command needs one argument as key and an optional argument as range_end");
		return false;
	}
	if (prefix && from_key) {
		command_fail(
		    s, j, STATUS_BAD_ARGS,
		    "`--prefix` and `--from-key` cannot be set at the same time, choose one");
		return false;
	}
	if (!read_consistency(s, j, flag_text(p, GET_CONSISTENCY), &range->serializable))
		return false;
	if (p->args.n > 1 && (prefix || from_key)) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "too many arguments, only accept one argument when `--prefix` or "
			     "`--from-key` is set");
		return false;
	}
	range->limit = flag_int(p, GET_LIMIT);
	range->revision = flag_int(p, GET_REV) > 0 ? flag_int(p, GET_REV) : 0;
	range->keys_only = flag_bool(p, GET_KEYS_ONLY);
	if (!read_sort(s, j, p, range))
		return false;
	range->range = prefix	  ? command_prefix(s, p->args.v[0])
		       : from_key ? command_from_key(s, p->args.v[0])
				  : (struct key_range){.key = command_keep(s, p->args.v[0])};
	if (p->args.n > 1)
		range->range.end = command_keep(s, p->args.v[1]);
	return true;
}

static void answer(struct shell *s, struct job *j)
{
	if (j->results[0]->error == ERR_NONE && j->value_only && j->format != FORMAT_SIMPLE)
		command_fail(s, j, STATUS_BAD_ARGS,
			     "print-value-only is only for `--write-out=simple`");
	else
		command_finish(s, j);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct request *req = command_request(s, REQ_RANGE);

	j->value_only = flag_bool(p, GET_VALUE_ONLY);
	if (get_operation(s, j, p, req) && command_client(s, j, p))
		command_call(s, j, req, answer);
}

const struct command_row cmd_get = {
    .name = "get",
    .group = GROUP_ETCDCTL,
    .usage = "get [options] <key> [range_end]",
    .summary = "Gets the key or a range of keys",
    .example = "get /registry/pods/ --prefix",
    .cost = "Nothing: a read takes no index.",
    .arguments = "@key @key",
    .flags = flags,
    .nflags = GET_FLAGS,
    .run = run,
};
