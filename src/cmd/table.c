/* The table of commands, in the order of `help`, and how a line's first words find their row.
 *
 * Names may be shortened while unique.  What etcdctl would accept or find ambiguous is decided by
 * etcdctl's names alone, those that this program does not have included: so `w` is watch, although
 * wait and why exist here, and `m` is ambiguous, as it is there.
 */
#include "cmd/table.h"

#include <string.h>

#include "base/mistakes.h"
#include "cmd/parse.h"
#include "cmd/rows.h"

const struct command_row *const command_table[] = {
    &cmd_put,
    &cmd_get,
    &cmd_del,
    &cmd_txn,
    &cmd_compact,
    &cmd_watch,
    &cmd_lease_grant,
    &cmd_lease_keep_alive,
    &cmd_lease_list,
    &cmd_lease_revoke,
    &cmd_lease_timetolive,
    &cmd_endpoint_health,
    &cmd_endpoint_hashkv,
    &cmd_endpoint_status,
    &cmd_member_list,
    &cmd_member_add,
    &cmd_member_remove,
    &cmd_member_update,
    &cmd_member_promote,
    &cmd_move_leader,
    &cmd_alarm_list,
    &cmd_alarm_disarm,
    &cmd_defrag,
    &cmd_snapshot_save,
    &cmd_snapshot_status,
    &cmd_snapshot_restore,
    &cmd_auth_enable,
    &cmd_auth_disable,
    &cmd_user_add,
    &cmd_user_delete,
    &cmd_user_get,
    &cmd_user_list,
    &cmd_user_passwd,
    &cmd_user_grant_role,
    &cmd_user_revoke_role,
    &cmd_role_add,
    &cmd_role_delete,
    &cmd_role_get,
    &cmd_role_list,
    &cmd_role_grant_permission,
    &cmd_role_revoke_permission,
    &cmd_lock,
    &cmd_check_perf,
    &cmd_check_datascale,
    &cmd_elect,
    &cmd_version,
    &cmd_watcher,
    &cmd_informer,
    &cmd_unwatch,
    &cmd_drop,
    &cmd_resume,
    &cmd_stall,
    &cmd_progress,
    &cmd_as,
    &cmd_wait,
    &cmd_step,
    &cmd_stepping,
    &cmd_timeout,
    &cmd_interrupt,
    &cmd_terminate,
    &cmd_back,
    &cmd_goto,
    &cmd_continue,
    &cmd_branch,
    &cmd_play,
    &cmd_pause,
    &cmd_kill,
    &cmd_restart,
    &cmd_start,
    &cmd_pause_member,
    &cmd_resume_member,
    &cmd_clock,
    &cmd_partition,
    &cmd_cut,
    &cmd_heal,
    &cmd_net,
    &cmd_disk,
    &cmd_bug,
    &cmd_show,
    &cmd_trace,
    &cmd_why,
    &cmd_check,
    &cmd_focus,
    &cmd_zoom,
    &cmd_layout,
    &cmd_theme,
    &cmd_blank,
    &cmd_say,
    &cmd_ask,
    &cmd_find,
    &cmd_set,
    &cmd_demo,
    &cmd_source,
    &cmd_record,
    &cmd_save,
    &cmd_new,
    &cmd_export,
    &cmd_share,
    &cmd_history,
    &cmd_help,
    &cmd_quit,
};

size_t command_count(void)
{
	return sizeof command_table / sizeof *command_table;
}

const struct flag_row global_flags[] = {
    [GLOBAL_WRITE_OUT] = {.name = "write-out",
			  .etcdctl =
			      "set the output format (fields, json, protobuf, simple, table)",
			  .shorthand = 'w',
			  .type = FLAG_STRING,
			  .fallback = "simple",
			  .values = "simple|json|fields|table",
			  .help = "form of the output"},
    [GLOBAL_ENDPOINTS] = {.name = "endpoints",
			  .etcdctl = "gRPC endpoints",
			  .type = FLAG_STRING,
			  .fallback = "127.0.0.1:2379",
			  .values = "@member",
			  .help = "members to ask: names, ids or client URLs, separated by commas"},
    [GLOBAL_HEX] = {.name = "hex",
		    .etcdctl = "print byte strings as hex encoded strings",
		    .type = FLAG_BOOL,
		    .fallback = "false",
		    .help = "print byte strings as hex encoded strings"},
    [GLOBAL_COMMAND_TIMEOUT] = {.name = "command-timeout",
				.etcdctl =
				    "timeout for short running command (excluding dial timeout)",
				.type = FLAG_DURATION,
				.fallback = "5s",
				.help = "limit for short running commands"},
    [GLOBAL_DIAL_TIMEOUT] = {.name = "dial-timeout",
			     .etcdctl = "dial timeout for client connections",
			     .type = FLAG_DURATION,
			     .fallback = "2s",
			     .help = "limit for connecting; connections take no time here"},
    [GLOBAL_KEEPALIVE_TIME] = {.name = "keepalive-time",
			       .etcdctl = "keepalive time for client connections",
			       .type = FLAG_DURATION,
			       .fallback = "2s",
			       .help = "of connections; without effect here"},
    [GLOBAL_KEEPALIVE_TIMEOUT] = {.name = "keepalive-timeout",
				  .etcdctl = "keepalive timeout for client connections",
				  .type = FLAG_DURATION,
				  .fallback = "6s",
				  .help = "of connections; without effect here"},
    [GLOBAL_DEBUG] = {.name = "debug",
		      .etcdctl = "enable client-side debug logging",
		      .type = FLAG_BOOL,
		      .fallback = "false",
		      .help = "without effect here"},
    [GLOBAL_USER] =
	{.name = "user",
	 .etcdctl = "username[:password] for authentication (prompt if password is not supplied)",
	 .type = FLAG_STRING,
	 .fallback = "",
	 .help = "log in as name[:password]"},
    [GLOBAL_PASSWORD] = {.name = "password",
			 .etcdctl = "password for authentication (if this option is used, --user "
				    "option shouldn't include password)",
			 .type = FLAG_STRING,
			 .fallback = "",
			 .help = "the password, if --user has none"},
    [GLOBAL_DISCOVERY_SRV] =
	{.name = "discovery-srv",
	 .etcdctl = "domain name to query for SRV records describing cluster endpoints",
	 .shorthand = 'd',
	 .type = FLAG_STRING,
	 .fallback = "",
	 .help = "without effect here"},
    [GLOBAL_DISCOVERY_SRV_NAME] = {.name = "discovery-srv-name",
				   .etcdctl = "service name to query when using DNS discovery",
				   .type = FLAG_STRING,
				   .fallback = "",
				   .help = "without effect here"},
    [GLOBAL_INSECURE_DISCOVERY] = {.name = "insecure-discovery",
				   .etcdctl =
				       "accept insecure SRV records describing cluster endpoints",
				   .type = FLAG_BOOL,
				   .fallback = "true",
				   .help = "without effect here"},
    [GLOBAL_CACERT] = {.name = "cacert",
		       .etcdctl =
			   "verify certificates of TLS-enabled secure servers using this CA bundle",
		       .type = FLAG_STRING,
		       .fallback = "",
		       .values = "@file",
		       .help = "without effect here"},
    [GLOBAL_CERT] = {.name = "cert",
		     .etcdctl = "identify secure client using this TLS certificate file",
		     .type = FLAG_STRING,
		     .fallback = "",
		     .values = "@file",
		     .help = "without effect here"},
    [GLOBAL_KEY] = {.name = "key",
		    .etcdctl = "identify secure client using this TLS key file",
		    .type = FLAG_STRING,
		    .fallback = "",
		    .values = "@file",
		    .help = "without effect here"},
    [GLOBAL_INSECURE_SKIP] = {.name = "insecure-skip-tls-verify",
			      .etcdctl = "skip server certificate verification (CAUTION: this "
					 "option should be enabled only for testing purposes)",
			      .type = FLAG_BOOL,
			      .fallback = "false",
			      .help = "without effect here"},
    [GLOBAL_INSECURE_TRANSPORT] = {.name = "insecure-transport",
				   .etcdctl = "disable transport security for client connections",
				   .type = FLAG_BOOL,
				   .fallback = "true",
				   .help = "without effect here"},
};

size_t global_flag_count(void)
{
	return sizeof global_flags / sizeof *global_flags;
}

/* etcdctl's commands that are not here (yet); they count when a name is shortened. */
/* A name a line: a test reads them. */
/* clang-format off */
static const char *const elsewhere[] = {
    "completion",
    "make-mirror",
    "migrate",
};
/* clang-format on */

/* All names of the table and of etcdctl, as one list: the i-th, and whether etcdctl has it. */
struct name {
	const char *text;
	const struct command_row *row; /* NULL: elsewhere */
	bool etcdctl;
};

enum { ELSEWHERE = sizeof elsewhere / sizeof *elsewhere };

static bool name_at(size_t i, struct name *n)
{
	size_t rows = command_count();

	if (i < rows) {
		const struct command_row *r = command_table[i];
		*n = (struct name){r->name, r, r->group == GROUP_ETCDCTL};
		return true;
	}
	if (i - rows < ELSEWHERE) {
		*n = (struct name){elsewhere[i - rows], NULL, true};
		return true;
	}
	return false;
}

static struct bytes first_word(const char *name)
{
	const char *blank = strchr(name, ' ');

	return (struct bytes){name, blank ? (size_t)(blank - name) : strlen(name)};
}

/* Matches of a shortened word: how many different ones, and the first. */
struct matches {
	size_t n;
	struct bytes found;
	struct buf all; /* "make-mirror, member, ..." */
};

static void add_match(struct matches *m, struct bytes w)
{
	if (m->n && bytes_eq(m->found, w))
		return;
	if (m->n && memmem(buf_str(&m->all), m->all.n, w.p, w.n))
		return;
	if (m->n++ == 0)
		m->found = w;
	else
		buf_puts(&m->all, ", ");
	buf_put_bytes(&m->all, w);
}

/* First words that begin with w; etcdctl's only, or only the others. */
static void match_first(struct bytes w, bool etcdctl, struct matches *m)
{
	struct name n;

	for (size_t i = 0; name_at(i, &n); i++)
		if (n.etcdctl == etcdctl && bytes_starts(first_word(n.text), w))
			add_match(m, first_word(n.text));
}

static bool is_first_word(struct bytes w)
{
	struct name n;

	for (size_t i = 0; name_at(i, &n); i++)
		if (bytes_eq(first_word(n.text), w))
			return true;
	return false;
}

static void complain_unknown(struct bytes w, struct buf *err)
{
	struct bytes best = {0};
	size_t closest = SIZE_MAX;
	struct name n;

	for (size_t i = 0; name_at(i, &n); i++) {
		size_t d = n.row ? mistakes_between(w, first_word(n.text)) : SIZE_MAX;
		if (d < closest && mistakes_are_few(w, d)) {
			closest = d;
			best = first_word(n.text);
		}
	}
	buf_printf(err, "unknown command \"%.*s\": ", (int)w.n, w.p);
	if (best.n)
		buf_printf(err, "did you mean %.*s? ", (int)best.n, best.p);
	buf_puts(err, "`help` lists all commands");
}

/* The full first word that w stands for; n == 0: none, and err says why. */
static struct bytes expand_first(struct bytes w, struct buf *err)
{
	struct matches m = {0};

	if (is_first_word(w))
		return w;
	match_first(w, true, &m);
	if (m.n == 0)
		match_first(w, false, &m);
	if (m.n == 0)
		complain_unknown(w, err);
	else if (m.n > 1)
		buf_printf(err, "\"%.*s\" is ambiguous: %s begin with it", (int)w.n, w.p,
			   buf_str(&m.all));
	buf_free(&m.all);
	return m.n == 1 ? m.found : (struct bytes){0};
}

static const struct command_row *not_here(const char *name, struct buf *err)
{
	buf_printf(err, "etcdctl's command %s is not in this version: `help` lists what is", name);
	return NULL;
}

/* The second word of a command whose first word is a group: lease, member, endpoint ... */
static const struct command_row *find_second(struct bytes group, const struct bytes *words,
					     size_t n, struct buf *err)
{
	struct matches m = {0};
	struct name name, found = {0};

	for (size_t i = 0; name_at(i, &name); i++) {
		struct bytes second = {name.text + group.n + 1, strlen(name.text) - group.n - 1};
		if (!bytes_eq(first_word(name.text), group) ||
		    (n > 1 && !bytes_starts(second, words[1])))
			continue;
		if (m.n == 0 || (n > 1 && bytes_eq(second, words[1])))
			found = name;
		add_match(&m, second);
		if (n > 1 && bytes_eq(second, words[1])) {
			m.n = 1;
			break;
		}
	}
	if (m.n == 0) {
		find_second(group, words, 1, err); /* tells what may follow */
	} else if (m.n > 1) {
		buf_printf(err, "%.*s", (int)group.n, group.p);
		if (n > 1)
			buf_printf(err, " %.*s", (int)words[1].n, words[1].p);
		buf_printf(err, ": which one? %s", buf_str(&m.all));
	}
	buf_free(&m.all);
	if (m.n != 1)
		return NULL;
	return found.row ? found.row : not_here(found.text, err);
}

static const struct command_row *find_exact(struct bytes w)
{
	for (size_t i = 0; i < command_count(); i++) {
		const struct command_row *r = command_table[i];
		if (r->name[0] == w.p[0] && bytes_is(w, r->name))
			return r;
		if (r->alias && bytes_is(w, r->alias))
			return r;
	}
	return NULL;
}

/* The command whose name is that of row and a second word. */
static const struct command_row *find_longer(const struct command_row *row, struct bytes second)
{
	size_t n = strlen(row->name);

	for (size_t i = 0; i < command_count() && second.n; i++) {
		const char *name = command_table[i]->name;
		if (strncmp(name, row->name, n) == 0 && name[n] == ' ' &&
		    bytes_starts(bytes_of(name + n + 1), second))
			return command_table[i];
	}
	return NULL;
}

const struct command_row *command_find(const struct bytes *words, size_t n, size_t *used,
				       struct buf *err)
{
	const struct command_row *row, *name_row;
	struct name name;

	*used = 1;
	if (n == 0 || words[0].n == 0) {
		buf_puts(err, "a command is missing: `help` lists all commands");
		return NULL;
	}
	row = find_exact(words[0]);
	/* A word that is a command of ours may begin one of etcdctl's too: check, and check perf.
	 */
	if (row && row->group != GROUP_ETCDCTL && n > 1 && (name_row = find_longer(row, words[1])))
		return *used = 2, name_row;
	if (row)
		return row;
	struct bytes first = expand_first(words[0], err);
	if (first.n == 0)
		return NULL;
	row = find_exact(first);
	if (row)
		return row;
	for (size_t i = 0; name_at(i, &name); i++)
		if (bytes_is(first, name.text))
			return not_here(name.text, err);
	*used = n > 1 ? 2 : 1;
	return find_second(first, words, n, err);
}
