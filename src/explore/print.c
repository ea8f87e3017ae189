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

static void print_txn(struct buf *out, const struct action *a)
{
	const char *range = a->range ? " --prefix" : "";

	buf_printf(out, "txn if '%s(\"%s\") %s \"%" PRId64 "\"' then 'put %s v%u",
		   a->flag ? "ver" : "mod", action_key(a->key), a->flag2 ? ">" : "=", a->number,
		   action_key(a->key), a->value);
	if (a->lease)
		buf_printf(out, " --lease=%" PRIx64, (uint64_t)a->lease);
	buf_printf(out, "' 'get %s%s'", action_prefix(a), range);
	if (a->key != a->key2)
		buf_printf(out, " 'del %s'", action_key(a->key2));
	buf_printf(out, " else 'get %s%s'", action_prefix(a), range);
}

static void print_request(struct buf *out, const struct action *a)
{
	switch (a->kind) {
	case ACT_PUT:
		buf_printf(out, "put %s v%u", action_key(a->key), a->value);
		if (a->lease)
			buf_printf(out, " --lease=%" PRIx64, (uint64_t)a->lease);
		buf_puts(out, a->flag ? " --prev-kv" : "");
		break;
	case ACT_GET:
		buf_puts(out, "get");
		print_range(out, a);
		buf_puts(out, a->flag ? " --consistency=s" : "");
		if (a->number)
			buf_printf(out, " --rev=%" PRId64, a->number);
		if (a->limit)
			buf_printf(out, " --limit=%" PRId64, a->limit);
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
	buf_puts(out, " &\n");
}

static void print_watch(struct buf *out, const struct action *a)
{
	if (a->kind == ACT_INFORMER) {
		buf_printf(out, "informer %s", action_prefix(a));
	} else {
		buf_puts(out, a->how ? "watcher" : "watch");
		print_range(out, a);
		if (a->number)
			buf_printf(out, " --rev=%" PRId64, a->number);
		buf_puts(out, a->flag ? " --prev-kv" : "");
		if (a->how)
			buf_printf(out, " --filter=%s", a->how == 1 ? "noput" : "nodelete");
	}
	print_endpoint(out, a);
	buf_puts(out, " &\n");
}

static void print_groups(struct buf *out, const struct action *a)
{
	for (uint8_t g = 0; g < 2; g++) {
		bool first = true;
		for (unsigned i = 0; i < MEMBERS_MAX; i++)
			if (a->peer > i && a->group[i] == g) {
				buf_printf(out, "%sS%u", first ? " " : ",", i + 1);
				first = false;
			}
	}
}

static void print_kill(struct buf *out, const struct action *a)
{
	static const char *const points[] = {"",       "append", "fsync", "send",
					     "commit", "apply",	 "reply"};
	static const char *const hows[] = {"", " --power", " --term"};

	buf_printf(out, "kill S%u%s", a->member, hows[a->how]);
	if (a->at)
		buf_printf(out, " --at=%s", points[a->at]);
	buf_putc(out, '\n');
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
	case ACT_KILL:
		print_kill(out, a);
		break;
	case ACT_RESTART:
		buf_printf(out, "restart S%u\n", a->member);
		break;
	case ACT_START:
		buf_printf(out, "start S%u\n", a->member);
		break;
	case ACT_TIMEOUT:
		buf_printf(out, "timeout S%u\n", a->member);
		break;
	case ACT_PARTITION:
		buf_puts(out, "partition");
		print_groups(out, a);
		buf_putc(out, '\n');
		break;
	case ACT_CUT:
		buf_printf(out, "cut S%u S%u%s\n", a->member, a->peer, a->flag ? " --oneway" : "");
		break;
	case ACT_HEAL:
		buf_puts(out, "heal\n");
		break;
	default:
		print_request(out, a);
	}
}
