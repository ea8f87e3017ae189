/* The table of settings: one row a setting, read by `set`, `new`, completion, help and the manual.
 */
#include "sim/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mistakes.h"

enum type { ON_OFF, UNSIGNED, SIGNED, HEX, CHOICE, MEMBER, DURATION, RETENTION };

struct field {
	struct setting s;
	enum type type;
	size_t offset, size;
	int64_t least, most;
	const char *choices[4]; /* CHOICE: stored as the number of the choice, or of `stored` */
	int64_t stored[4];
};

#define AT(field) offsetof(struct config, field), sizeof(((struct config *)0)->field)

static const struct field fields[] = {
    {{"members", "3", "Number of members.", SETTING_START, "1..9"},
     UNSIGNED,
     AT(members),
     1,
     9,
     {0},
     {0}},
    {{"seed", "1", "Seed of everything that is drawn.", SETTING_START, "a number"},
     UNSIGNED,
     AT(seed),
     0,
     INT64_MAX,
     {0},
     {0}},
    {{"etcd", "3.4", "Whose answers are given where versions differ.", SETTING_START, "3.4|3.5"},
     CHOICE,
     AT(etcd_version),
     0,
     0,
     {"3.4", "3.5"},
     {34, 35}},
    {{"pre-vote", "on", "A candidate first asks whether it could win.", SETTING_START, "on|off"},
     ON_OFF,
     AT(pre_vote),
     0,
     1,
     {0},
     {0}},
    {{"check-quorum", "on", "A leader that hears no majority steps down.", SETTING_START, "on|off"},
     ON_OFF,
     AT(check_quorum),
     0,
     1,
     {0},
     {0}},
    {{"heartbeat-interval", "100", "Milliseconds of a tick.", SETTING_START, "10..60000"},
     UNSIGNED,
     AT(heartbeat_ms),
     10,
     60000,
     {0},
     {0}},
    {{"election-timeout", "1000", "Milliseconds; at least five ticks.", SETTING_START, "50..50000"},
     UNSIGNED,
     AT(election_ms),
     50,
     50000,
     {0},
     {0}},
    {{"election", "fixed", "Order of election timeouts: S2, S3, ..., S1, or drawn from the seed.",
      SETTING_START, "fixed|random"},
     CHOICE,
     AT(election_random),
     0,
     0,
     {"fixed", "random"},
     {0, 1}},
    {{"leader-send", "after-fsync", "Whether the leader sends while its own write is being synced.",
      SETTING_ANY, "after-fsync|parallel"},
     CHOICE,
     AT(send_parallel),
     0,
     0,
     {"after-fsync", "parallel"},
     {0, 1}},
    {{"quota-backend-bytes", "2147483648", "Size of the database above which writes are refused.",
      SETTING_ANY, "bytes"},
     SIGNED,
     AT(quota_bytes),
     0,
     INT64_MAX,
     {0},
     {0}},
    {{"max-request-bytes", "1572864", "Largest request.", SETTING_ANY, "bytes"},
     SIGNED,
     AT(max_request_bytes),
     1,
     INT64_MAX,
     {0},
     {0}},
    {{"max-size-per-msg", "1048576",
      "Bytes of entries in a MsgApp; one entry always fits (etcd: maxSizePerMsg, fixed).",
      SETTING_START, "bytes"},
     UNSIGNED,
     AT(max_size_per_msg),
     1,
     INT64_MAX,
     {0},
     {0}},
    {{"max-txn-ops", "128", "Most operations in a transaction.", SETTING_ANY, "a number"},
     UNSIGNED,
     AT(max_txn_ops),
     1,
     1000000,
     {0},
     {0}},
    {{"lease-checkpoint", "off",
      "Whether the leader writes down every five minutes how much time leases have left.",
      SETTING_ANY, "on|off"},
     ON_OFF,
     AT(lease_checkpoint),
     0,
     1,
     {0},
     {0}},
    {{"auto-compaction-mode", "periodic",
      "What auto-compaction-retention counts: hours, or revisions.", SETTING_ANY,
      "periodic|revision"},
     CHOICE,
     AT(compact_by_revision),
     0,
     0,
     {"periodic", "revision"},
     {0, 1}},
    {{"auto-compaction-retention", "0",
      "How much of the history the leader keeps when it compacts by itself; 0: it does not.",
      SETTING_ANY, "a number or a time such as 30m"},
     RETENTION,
     AT(compact_retention),
     0,
     INT64_MAX,
     {0},
     {0}},
    {{"etcd-compaction-interval", "0",
      "How often kube-apiserver compacts (its default is 5m); 0: it does not.", SETTING_ANY,
      "a time such as 5m"},
     DURATION,
     AT(kube_compact_ms),
     0,
     INT64_MAX,
     {0},
     {0}},
    {{"kube-apiservers", "1", "Number of API servers that compact.", SETTING_ANY, "1..3"},
     UNSIGNED,
     AT(kube_apiservers),
     1,
     3,
     {0},
     {0}},
    {{"watch-channel", "128",
      "Responses that wait in a watcher's channel for a client that does not read.", SETTING_ANY,
      "1..128"},
     UNSIGNED,
     AT(watch_channel),
     1,
     128,
     {0},
     {0}},
    {{"watch-progress-notify-interval", "10m",
      "How often a watcher that asked for it hears how far it is, if it got no event meanwhile; "
      "0: never.",
      SETTING_ANY, "a time such as 10m"},
     DURATION,
     AT(progress_notify_ms),
     0,
     INT64_MAX,
     {0},
     {0}},
    {{"snapshot-count", "10000",
      "Entries applied after which a member takes a snapshot and compacts its log.", SETTING_ANY,
      "a number"},
     UNSIGNED,
     AT(snapshot_count),
     1,
     INT64_MAX,
     {0},
     {0}},
    {{"snapshot-catchup-entries", "5000",
      "Entries that are kept behind a snapshot for followers that lag.", SETTING_ANY, "a number"},
     UNSIGNED,
     AT(snapshot_catchup),
     0,
     INT64_MAX,
     {0},
     {0}},
    {{"boot", "settled", "How the cluster begins: settled in term 1, or as etcd boots a fresh one.",
      SETTING_START, "settled|etcd"},
     CHOICE,
     AT(boot_etcd),
     0,
     0,
     {"settled", "etcd"},
     {0, 1}},
    {{"endpoint", "leader", "Member that requests without --endpoints go to.", SETTING_ANY,
      "S1..S9|leader"},
     MEMBER,
     AT(endpoint),
     0,
     9,
     {0},
     {0}},
    {{"view", "leader", "Member whose store is shown.", SETTING_ANY, "S1..S9|leader"},
     MEMBER,
     AT(view),
     0,
     9,
     {0},
     {0}},
    {{"lease-ids", "counter",
      "Who gives ids to leases: one counter of the world, or as in etcd the member that is asked, "
      "from its own id and its clock.",
      SETTING_ANY, "counter|member"},
     CHOICE,
     AT(member_lease_ids),
     0,
     0,
     {"counter", "member"},
     {0, 1}},
    {{"next-lease", "0", "Id of the next lease, hexadecimal; 0: go on counting.", SETTING_ANY,
      "hexadecimal"},
     HEX,
     AT(next_lease),
     0,
     INT64_MAX,
     {0},
     {0}},
    {{"patience", "60", "Seconds of virtual time after which a command is interrupted.",
      SETTING_ANY, "seconds"},
     UNSIGNED,
     AT(patience_s),
     1,
     1000000000,
     {0},
     {0}},
    {{"stepping", "off", "Stop after every event.", SETTING_ANY, "on|off"},
     ON_OFF,
     AT(stepping),
     0,
     1,
     {0},
     {0}},
    {{"history", "off", "Keep the past, so that back, goto and branch work.", SETTING_ANY,
      "on|off"},
     ON_OFF,
     AT(history),
     0,
     1,
     {0},
     {0}},
    {{"check", "off",
      "Whether what etcd promises is watched: at each event, or looked at in the end.",
      SETTING_START, "off|step|end"},
     CHOICE,
     AT(check),
     0,
     0,
     {"off", "step", "end"},
     {CHECK_OFF, CHECK_STEP, CHECK_END}},
};

enum { NFIELDS = sizeof fields / sizeof *fields };

size_t config_nsettings(void)
{
	return NFIELDS;
}

const struct setting *config_setting(size_t i)
{
	return &fields[i].s;
}

int config_find(const char *name)
{
	for (size_t i = 0; i < NFIELDS; i++)
		if (strcmp(fields[i].s.name, name) == 0)
			return (int)i;
	return -1;
}

static void store(struct config *c, const struct field *f, int64_t v)
{
	char *p = (char *)c + f->offset;

	switch (f->size) {
	case 1:
		*(bool *)p = v != 0;
		break;
	case 4:
		*(uint32_t *)(void *)p = (uint32_t)v;
		break;
	default:
		*(int64_t *)(void *)p = v;
	}
}

static int64_t load(const struct config *c, const struct field *f)
{
	const char *p = (const char *)c + f->offset;

	switch (f->size) {
	case 1:
		return *(const bool *)p;
	case 4:
		return *(const uint32_t *)(const void *)p;
	default:
		return *(const int64_t *)(const void *)p;
	}
}

static bool read_number(const char *s, int base, int64_t *v)
{
	char *end;

	if (*s < '0' || (*s > '9' && base == 10))
		return false;
	errno = 0;
	*v = strtoll(s, &end, base);
	return errno == 0 && *end == 0;
}

/* A time as Go writes it: numbers with ms, s, m or h, one after the other. */
static bool read_duration(const char *s, int64_t *ms)
{
	static const struct {
		const char *name;
		int64_t ms;
	} units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}};
	int64_t sum = 0, n;
	size_t digits, i;

	if (strcmp(s, "0") == 0)
		return *ms = 0, true;
	for (; *s; s += digits + strlen(units[i].name)) {
		digits = strspn(s, "0123456789");
		n = digits && digits < 10 ? strtoll(s, NULL, 10) : -1;
		for (i = 0; i < 4; i++)
			if (strncmp(s + digits, units[i].name, strlen(units[i].name)) == 0)
				break;
		if (n < 0 || i == 4)
			return false;
		sum += n * units[i].ms;
	}
	*ms = sum;
	return sum > 0;
}

static void put_duration(struct buf *out, int64_t ms)
{
	if (ms >= 3600000)
		buf_printf(out, "%lldh", (long long)(ms / 3600000));
	if (ms / 60000 % 60)
		buf_printf(out, "%lldm", (long long)(ms / 60000 % 60));
	if (ms / 1000 % 60)
		buf_printf(out, "%llds", (long long)(ms / 1000 % 60));
	if (ms % 1000 || ms == 0)
		buf_printf(out, ms ? "%lldms" : "%lld", (long long)(ms % 1000));
}

static bool read_retention(const char *s, int64_t *v)
{
	if (read_number(s, 10, v))
		return *v >= 0 && *v < 1000000000;
	if (!read_duration(s, v))
		return false;
	*v = -*v;
	return true;
}

static bool read_value(const struct field *f, const char *value, int64_t *v)
{
	switch (f->type) {
	case ON_OFF:
		*v = strcmp(value, "on") == 0;
		return *v || strcmp(value, "off") == 0;
	case CHOICE:
		for (int i = 0; i < 4 && f->choices[i]; i++)
			if (strcmp(value, f->choices[i]) == 0)
				return *v = f->stored[i], true;
		return false;
	case MEMBER:
		if (strcmp(value, "leader") == 0)
			return *v = 0, true;
		if ((value[0] == 'S' || value[0] == 's') && value[1] >= '1' && value[1] <= '9' &&
		    !value[2])
			return *v = value[1] - '0', true;
		return false;
	case HEX:
		return read_number(value, 16, v) && *v >= f->least;
	case DURATION:
		return read_duration(value, v);
	case RETENTION:
		return read_retention(value, v);
	case UNSIGNED:
	case SIGNED:
		return read_number(value, 10, v) && *v >= f->least && *v <= f->most;
	}
	return false;
}

/* The setting that was meant: it begins so, or few letters are wrong; NULL: none. */
static const char *nearest(const char *name)
{
	struct bytes word = bytes_of(name);
	const char *best = NULL;
	size_t closest = SIZE_MAX;

	for (size_t i = 0; i < NFIELDS; i++) {
		struct bytes other = bytes_of(fields[i].s.name);
		size_t d =
		    word.n > 1 && bytes_starts(other, word) ? 0 : mistakes_between(word, other);
		if (d < closest && mistakes_are_few(word, d))
			closest = d, best = fields[i].s.name;
	}
	return best;
}

bool config_set(struct config *c, const char *name, const char *value, struct buf *err)
{
	int i = config_find(name);
	int64_t v;

	if (i < 0) {
		const char *near = nearest(name);
		buf_printf(err, "unknown setting \"%s\": ", name);
		if (near)
			buf_printf(err, "did you mean %s? ", near);
		buf_puts(err, "`set` lists them all");
		return false;
	}
	if (!read_value(&fields[i], value, &v)) {
		buf_printf(err, "\"%s\" is no value for %s: %s", value, name, fields[i].s.values);
		return false;
	}
	store(c, &fields[i], v);
	return true;
}

bool config_check(const struct config *c, struct buf *err)
{
	if (c->election_ms >= 5 * c->heartbeat_ms && c->election_ms % c->heartbeat_ms == 0)
		return true;
	buf_printf(err,
		   "election-timeout %u and heartbeat-interval %u do not fit: the timeout must be "
		   "a whole number "
		   "of heartbeats, at least five (%u or more)",
		   c->election_ms, c->heartbeat_ms, 5 * c->heartbeat_ms);
	return false;
}

void config_get(const struct config *c, const char *name, struct buf *out)
{
	const struct field *f = &fields[config_find(name)];
	int64_t v = load(c, f);

	switch (f->type) {
	case ON_OFF:
		buf_puts(out, v ? "on" : "off");
		break;
	case CHOICE:
		for (int i = 0; i < 4 && f->choices[i]; i++)
			if (f->stored[i] == v)
				buf_puts(out, f->choices[i]);
		break;
	case MEMBER:
		if (v)
			buf_printf(out, "S%d", (int)v);
		else
			buf_puts(out, "leader");
		break;
	case HEX:
		buf_printf(out, "%llx", (unsigned long long)v);
		break;
	case DURATION:
		put_duration(out, v);
		break;
	case RETENTION:
		if (v < 0) {
			put_duration(out, -v);
			break;
		} /* fall through */
	case UNSIGNED:
	case SIGNED:
		buf_put_i64(out, v);
	}
}

int64_t config_retention_ms(const struct config *c)
{
	return c->compact_retention < 0 ? -c->compact_retention : c->compact_retention * 3600000;
}

void config_init(struct config *c)
{
	struct buf err = {0};

	memset(c, 0, sizeof *c);
	for (size_t i = 0; i < NFIELDS; i++)
		config_set(c, fields[i].s.name, fields[i].s.fallback, &err);
	buf_free(&err);
}
