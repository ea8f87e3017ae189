/* check perf and check datascale (etcd: check.go): many clients put keys under a prefix, and how
 * fast they were answered is judged; then the keys are deleted.  All in the cluster's own time:
 * `net` and `disk` are what makes it slow.
 *
 * Each client is a job of its own in the background.  It adds what it has seen to the command's job
 * when it is done.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cmd/command.h"

enum { LOAD_AUTO_COMPACT, LOAD_AUTO_DEFRAG, LOAD_LOAD, LOAD_PREFIX, LOAD_FLAGS };
enum { PERF_MS = 60000, LATE_MS = 10000, VALUE_SIZE = 1024 };

#define LOAD_FLAG_ROWS(what, prefix)                                                               \
	{                                                                                          \
		[LOAD_AUTO_COMPACT] =                                                              \
		    {.name = "auto-compact",                                                       \
		     .type = FLAG_BOOL,                                                            \
		     .fallback = "false",                                                          \
		     .help = "Compact storage with last revision after test is finished."},        \
		[LOAD_AUTO_DEFRAG] = {.name = "auto-defrag",                                       \
				      .type = FLAG_BOOL,                                           \
				      .fallback = "false",                                         \
				      .help = "Defragment storage after test is finished."},       \
		[LOAD_LOAD] = {.name = "load",                                                     \
			       .type = FLAG_STRING,                                                \
			       .fallback = "s",                                                    \
			       .values = "s|m|l|xl",                                               \
			       .help =                                                             \
				   "The " what                                                     \
				   "'s workload model. Accepted workloads: s(small), m(medium), "  \
				   "l(large), xl(xLarge)"},                                        \
		[LOAD_PREFIX] = {.name = "prefix",                                                 \
				 .type = FLAG_STRING,                                              \
				 .fallback = prefix,                                               \
				 .help = "The prefix for writing the " what "'s keys."},           \
	}

static const struct flag_row perf_flags[LOAD_FLAGS] =
    LOAD_FLAG_ROWS("performance check", "/etcdctl-check-perf/");
static const struct flag_row scale_flags[LOAD_FLAGS] =
    LOAD_FLAG_ROWS("datascale check", "/etcdctl-check-datascale/");

extern const struct command_row cmd_check_datascale;

/* Of s, m, l and xl: writes a second in perf, writes in all in datascale; clients. */
static const struct model {
	const char *name, *full_name;
	uint32_t rate, perf_clients, total, scale_clients;
} models[] = {
    {"s", "small", 150, 50, 10000, 50},
    {"m", "medium", 1000, 200, 100000, 200},
    {"l", "large", 8000, 500, 1000000, 500},
    {"xl", "xLarge", 15000, 1000, 3000000, 1000},
};

static bool is_scale(const struct job *j)
{
	return j->row == &cmd_check_datascale;
}

/* The clients. */

static bool owns(const struct job *j, const struct job *client)
{
	return !j->load.is_client && j->load.number == client->load.number;
}

static struct job *owner(const struct shell *s, const struct job *client)
{
	if (s->fg && owns(s->fg, client))
		return s->fg;
	for (size_t i = 0; i < s->bg.n; i++)
		if (owns(s->bg.v[i], client))
			return s->bg.v[i];
	return NULL;
}

static void put_next(struct shell *s, struct job *c);

static void leave(struct shell *s, struct job *c)
{
	struct job *j = owner(s, c);

	command_end(c);
	if (!j)
		return;
	j->load.done += c->load.done;
	j->load.failed += c->load.failed;
	j->load.sum += c->load.sum;
	j->load.squares += c->load.squares;
	if (c->load.slowest_ms > j->load.slowest_ms)
		j->load.slowest_ms = c->load.slowest_ms;
	j->load.clients--;
}

static void answered(struct shell *s, struct job *c)
{
	int64_t took = s->w->now_ms - c->load.sent_ms;

	if (c->results[0]->error == ERR_NONE)
		c->load.done++;
	else
		c->load.failed++;
	c->load.sum += (double)took;
	c->load.squares += (double)took * (double)took;
	if (took > c->load.slowest_ms)
		c->load.slowest_ms = took;
	c->load.next_us += c->load.every_us;
	int64_t next = c->load.next_us / 1000;
	if ((c->load.left && --c->load.left == 0) || next >= c->load.end_ms)
		leave(s, c);
	else if (next > s->w->now_ms)
		command_wait(c, next, put_next);
	else
		put_next(s, c);
}

static void put_next(struct shell *s, struct job *c)
{
	struct request *req = command_request(s, REQ_PUT);
	struct buf key = {0};

	if (s->w->now_ms >= c->load.end_ms || !owner(s, c)) {
		leave(s, c);
		return;
	}
	buf_put_bytes(&key, c->recipe.prefix);
	buf_printf(&key, "%" PRIu32 "/%" PRIu32, c->load.clients, c->load.done + c->load.failed);
	req->put.key = command_keep(s, buf_bytes(&key));
	req->put.value = c->recipe.value;
	buf_free(&key);
	c->load.sent_ms = s->w->now_ms;
	c->ncalls = 0;
	command_call(s, c, req, answered);
}

static void add_client(struct shell *s, const struct job *j, uint32_t i, uint32_t clients,
		       uint32_t rate, uint32_t left)
{
	struct job *c = xcalloc(1, sizeof *c);

	c->row = j->row;
	c->client = j->client;
	c->background = true;
	c->phase = 1; /* its calls take no number */
	c->start_ms = s->w->now_ms;
	c->nshown = j->nshown;
	memcpy(c->endpoints, j->endpoints, sizeof c->endpoints);
	c->timeout_ms = INT64_MAX;
	c->recipe.prefix = j->recipe.prefix;
	c->recipe.value = j->recipe.value;
	c->load =
	    (struct load){.is_client = true, .number = j->load.number, .clients = i, .left = left};
	c->load.end_ms = j->load.end_ms;
	c->load.every_us = rate ? ((int64_t)clients * 1000000 + rate - 1) / rate : 0;
	c->load.next_us = s->w->now_ms * 1000 + c->load.every_us * i / clients;
	command_wait(c, c->load.next_us / 1000, put_next);
	shell_add_background(s, c);
}

/* The command. */

static void finished(struct shell *s, struct job *j)
{
	if (j->load.failed || j->failed)
		s->exit_status = STATUS_ERROR;
	command_end(j);
}

static void defragment(struct shell *s, struct job *j)
{
	if (!j->load.defrag) {
		finished(s, j);
		return;
	}
	j->ncalls = 0;
	command_call(s, j, command_request(s, REQ_DEFRAGMENT), finished);
}

static void deleted(struct shell *s, struct job *j)
{
	struct request *req = command_request(s, REQ_COMPACTION);

	if (!j->load.compact || j->results[0]->error != ERR_NONE) {
		defragment(s, j);
		return;
	}
	req->compaction.revision = j->results[0]->header.revision;
	j->ncalls = 0;
	command_call(s, j, req, defragment);
}

static void delete_keys(struct shell *s, struct job *j)
{
	struct request *req = command_request(s, REQ_DELETE_RANGE);

	req->del.range = command_prefix(s, j->recipe.prefix);
	j->timeout_ms = INT64_MAX;
	j->ncalls = 0;
	command_call(s, j, req, deleted);
}

static void judge_perf(struct shell *s, struct job *j)
{
	const struct load *l = &j->load;
	struct buf *out = command_out(s);
	double n = l->done + l->failed, mean = n > 0 ? l->sum / n : 0;
	double deviation = n > 1 ? sqrt(fmax(0, (l->squares - n * mean * mean) / n)) / 1000 : 0;
	double slowest = (double)l->slowest_ms / 1000;
	double rate = l->done / ((double)(s->w->now_ms - l->begin_ms) / 1000);
	bool good = l->failed == 0;

	if (!good)
		buf_printf(out, "FAIL: too many errors\nFAIL: %" PRIu32 " writes failed\n",
			   l->failed);
	bool enough = rate / l->rate > 0.9;
	buf_printf(out,
		   enough ? "PASS: Throughput is %d writes/s\n"
			  : "FAIL: Throughput too low: %d writes/s\n",
		   (int)ceil(rate));
	buf_printf(out,
		   slowest > 0.5 ? "Slowest request took too long: %fs\n"
				 : "PASS: Slowest request took %fs\n",
		   slowest);
	buf_printf(out, deviation > 0.1 ? "Stddev too high: %fs\n" : "PASS: Stddev is %fs\n",
		   deviation);
	good &= enough && slowest <= 0.5;
	buf_puts(out, good ? "PASS\n" : "FAIL\n");
	j->failed = !good;
}

static void size_is_known(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];

	if (r->error != ERR_NONE)
		command_fail(s, j, STATUS_ERROR, "%s", error_text(r->error));
	else if (j->load.failed)
		buf_printf(command_out(s),
			   "FAIL: too many errors\nFAIL: %" PRIu32 " writes failed\n",
			   j->load.failed);
	else
		buf_printf(command_out(s), "PASS: Approximate store size used : %.2f MB.\n",
			   (double)(r->status->db_size - j->id) / 1e6);
	if (r->error == ERR_NONE)
		delete_keys(s, j);
}

/* The clients have ended, or have had time enough to. */
static void collect(struct shell *s, struct job *j)
{
	enum { LOOK_AGAIN_MS = 100 };

	if (j->load.clients && s->w->now_ms < j->load.end_ms + LATE_MS) {
		command_wait(j, s->w->now_ms + LOOK_AGAIN_MS, collect);
	} else if (is_scale(j)) {
		j->ncalls = 0;
		command_call(s, j, command_request(s, REQ_STATUS), size_is_known);
	} else {
		judge_perf(s, j);
		delete_keys(s, j);
	}
}

static void begin(struct shell *s, struct job *j, uint32_t clients, uint32_t rate, uint32_t total)
{
	j->load.begin_ms = s->w->now_ms;
	j->load.end_ms = rate ? s->w->now_ms + PERF_MS : INT64_MAX - LATE_MS;
	j->load.number = j->calls[0];
	j->load.clients = clients;
	j->load.rate = rate;
	for (uint32_t i = 0; i < clients; i++)
		add_client(s, j, i, clients, rate, total / clients);
	j->ncalls = 0; /* it waits for time, not for an answer: no patience is lost */
	command_wait(j, rate ? j->load.end_ms : s->w->now_ms + 1, collect);
}

static void start(struct shell *s, struct job *j)
{
	const struct model *m = &models[j->load.model];

	if (is_scale(j)) {
		j->id = j->results[0]->error == ERR_NONE ? j->results[0]->status->db_size : 0;
		buf_printf(command_out(s),
			   "Start data scale check for work load [%" PRIu32
			   " key-value pairs, %d bytes per key-value, %" PRIu32
			   " concurrent clients].\n",
			   m->total, VALUE_SIZE, m->scale_clients);
		begin(s, j, m->scale_clients, 0, m->total);
	} else {
		begin(s, j, m->perf_clients, m->rate, 0);
	}
}

static void prefix_is_looked_at(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];

	if (r->error != ERR_NONE) {
		command_fail(s, j, STATUS_ERROR, "%s", error_text(r->error));
	} else if (r->range.n) {
		struct bytes p = j->recipe.prefix;
		command_fail(
		    s, j, STATUS_INVALID_INPUT,
		    "prefix \"%.*s\" has keys. Delete with etcdctl del --prefix %.*s first",
		    (int)p.n, p.p, (int)p.n, p.p);
	} else if (is_scale(j)) {
		j->ncalls = 0;
		command_call(s, j, command_request(s, REQ_STATUS), start);
	} else {
		start(s, j);
	}
}

static bool read_model(struct shell *s, struct job *j, struct bytes name)
{
	for (size_t i = 0; i < sizeof models / sizeof *models; i++)
		if (bytes_is(name, models[i].name) || bytes_is(name, models[i].full_name))
			return j->load.model = (uint8_t)i, true;
	command_fail(s, j, STATUS_BAD_FEATURE, "unknown load option %.*s", (int)name.n, name.p);
	return false;
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct request *req = command_request(s, REQ_RANGE);
	char value[VALUE_SIZE];

	if (!read_model(s, j, flag_text(p, LOAD_LOAD)) || !command_client(s, j, p))
		return;
	memset(value, 'x', sizeof value);
	j->recipe.value = command_keep(s, (struct bytes){value, sizeof value});
	j->recipe.prefix = command_keep(s, flag_text(p, LOAD_PREFIX));
	j->load.compact = flag_bool(p, LOAD_AUTO_COMPACT);
	j->load.defrag = flag_bool(p, LOAD_AUTO_DEFRAG);
	req->range.range = command_prefix(s, j->recipe.prefix);
	req->range.limit = 1;
	command_call(s, j, req, prefix_is_looked_at);
}

const struct command_row cmd_check_perf = {
    .name = "check perf",
    .group = GROUP_ETCDCTL,
    .usage = "check perf [options]",
    .summary = "Check the performance of the etcd cluster",
    .example = "check perf",
    .cost = "A raft index and a revision for each write, 9000 with --load=s, and for the delete at "
	    "the end.",
    .flags = perf_flags,
    .nflags = LOAD_FLAGS,
    .run = run,
};

const struct command_row cmd_check_datascale = {
    .name = "check datascale",
    .etcdctl_description =
	"If no endpoint is provided, localhost will be used. If multiple endpoints are provided, "
	"first endpoint will be used.\n",
    .group = GROUP_ETCDCTL,
    .usage = "check datascale [options]",
    .summary = "Check the memory usage of holding data for different workloads on a given server "
	       "endpoint.",
    .example = "check datascale",
    .cost = "A raft index and a revision for each write, 10000 with --load=s, and for the delete "
	    "at the end.",
    .flags = scale_flags,
    .nflags = LOAD_FLAGS,
    .run = run,
};
