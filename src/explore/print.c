/* Actions as commands. */
#include "explore/action.h"

#include <inttypes.h>

static void print_range(struct buf *out, const struct action *a)
{
	buf_printf(out, " %s%s", action_prefix(a), a->range ? " --prefix" : "");
}

static void print_endpoint(struct buf *out, const struct action *a)
{
	if (a->member)
		buf_printf(out, " --endpoints=S%u", a->member);
}

static void print_user(struct buf *out, const struct action *a)
{
	const char *name = action_user(a->user);

	if (a->user)
		buf_printf(out, " --user=%s:%s", name, name);
}

static void print_compares(struct buf *out, const struct action *a)
{
	static const char *const targets[] = {"ver", "c", "mod", "val", "lease"};
	static const char *const results[] = {"=", ">", "<", "!="};

	buf_printf(out, "'%s(\"%s\") %s \"", targets[a->how], action_key(a->key), results[a->at]);
	if (a->how == COMPARE_LEASE)
		buf_printf(out, "%" PRIx64 "\"'", (uint64_t)a->number);
	else
		buf_printf(out, "%s%" PRId64 "\"'", a->how == COMPARE_VALUE ? "v" : "", a->number);
	if (a->flag2)
		buf_printf(out, " 'ver(\"%s\") > \"0\"'", action_key(a->key2));
}

static void print_txn(struct buf *out, const struct action *a)
{
	const char *range = a->range ? " --prefix" : "";

	buf_puts(out, "txn if ");
	print_compares(out, a);
	buf_printf(out, " then 'put %s v%u", action_key(a->key), a->value);
	if (a->lease)
		buf_printf(out, " --lease=%" PRIx64, (uint64_t)a->lease);
	buf_printf(out, "' 'get %s%s'", action_prefix(a), range);
	if (a->key != a->key2)
		buf_printf(out, " 'del %s'", action_key(a->key2));
	buf_printf(out, " else 'get %s%s'", action_prefix(a), range);
}

static void print_put(struct buf *out, const struct action *a)
{
	buf_printf(out, "put %s", action_key(a->key));
	if (a->how == 1)
		buf_puts(out, " --ignore-value");
	else
		buf_printf(out, " v%u", a->value);
	if (a->lease)
		buf_printf(out, " --lease=%" PRIx64, (uint64_t)a->lease);
	buf_puts(out, a->how == 2 ? " --ignore-lease" : "");
	buf_puts(out, a->flag ? " --prev-kv" : "");
}

static void print_request(struct buf *out, const struct action *a)
{
	switch (a->kind) {
	case ACT_PUT:
		print_put(out, a);
		break;
	case ACT_GET:
		buf_puts(out, "get");
		print_range(out, a);
		buf_puts(out, a->flag ? " --consistency=s" : "");
		if (a->number)
			buf_printf(out, " --rev=%" PRId64, a->number);
		if (a->limit)
			buf_printf(out, " --limit=%" PRId64, a->limit);
		buf_puts(out, a->how ? " --order=DESCEND" : "");
		break;
	case ACT_DELETE:
		buf_puts(out, "del");
		print_range(out, a);
		buf_puts(out, a->flag ? " --prev-kv" : "");
		break;
	case ACT_TXN:
		print_txn(out, a);
		break;
	case ACT_COMPACT:
		buf_printf(out, "compact %" PRId64, a->number);
		break;
	case ACT_AUTH:
		buf_puts(out, action_auth(a->how, NULL));
		break;
	case ACT_DEFRAG:
		buf_puts(out, "defrag");
		break;
	case ACT_DISARM:
		buf_puts(out, "alarm disarm");
		break;
	case ACT_MOVE_LEADER:
		buf_printf(out, "move-leader S%u", a->peer);
		break;
	case ACT_MEMBER_ADD:
		buf_printf(out, "member add %s --peer-urls=%s%s", member_name(a->peer),
			   member_peer_url(a->peer), a->flag ? " --learner" : "");
		break;
	case ACT_MEMBER_REMOVE:
	case ACT_MEMBER_PROMOTE:
		buf_printf(out, "member %s S%u",
			   a->kind == ACT_MEMBER_REMOVE ? "remove" : "promote", a->peer);
		break;
	case ACT_GRANT:
		buf_printf(out, "lease grant %" PRId64, a->number);
		break;
	default:
		buf_printf(out, "lease %s %" PRIx64 "%s",
			   a->kind == ACT_REVOKE       ? "revoke"
			   : a->kind == ACT_KEEP_ALIVE ? "keep-alive --once"
						       : "timetolive",
			   (uint64_t)a->lease, a->kind == ACT_TIME_TO_LIVE ? " --keys" : "");
	}
	print_endpoint(out, a);
	print_user(out, a);
	buf_puts(out, " &\n");
}

static void print_watch(struct buf *out, const struct action *a)
{
	if (a->kind == ACT_INFORMER) {
		buf_printf(out, "informer %s", action_prefix(a));
	} else {
		buf_puts(out, a->how || a->flag2 || a->at ? "watcher" : "watch");
		print_range(out, a);
		if (a->number)
			buf_printf(out, " --rev=%" PRId64, a->number);
		buf_puts(out, a->flag ? " --prev-kv" : "");
		if (a->how)
			buf_printf(out, " --filter=%s", a->how == 1 ? "noput" : "nodelete");
		buf_puts(out, a->flag2 ? " --fragment" : "");
		buf_puts(out, a->at ? " --progress-notify" : "");
	}
	print_endpoint(out, a);
	print_user(out, a);
	buf_puts(out, " &\n");
}

/* From ACT_DROP on. */
static const char *const watcher_commands[] = {"drop",	"resume",      "unwatch",
					       "stall", "stall --off", "progress"};

void action_print(struct buf *out, const struct action *a)
{
	switch (a->kind) {
	case ACT_NOTHING:
	case ACT_KINDS:
		break;
	case ACT_WATCH:
	case ACT_INFORMER:
		print_watch(out, a);
		break;
	case ACT_DROP:
	case ACT_RESUME:
	case ACT_UNWATCH:
	case ACT_STALL:
	case ACT_READ_ON:
	case ACT_PROGRESS:
		buf_printf(out, "%s w%" PRId64 "\n", watcher_commands[a->kind - ACT_DROP],
			   a->number);
		break;
	case ACT_INTERRUPT:
		if (a->number)
			buf_printf(out, "interrupt r%" PRId64 "\n", a->number);
		break;
	default:
		if (action_is_fault(a->kind) || a->kind == ACT_START)
			action_print_fault(out, a);
		else
			print_request(out, a);
	}
}
