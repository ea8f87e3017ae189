/* The environment: one directive after the other (etcd-io/raft:
 * rafttest/interaction_env_handler.go). */
#include "env.h"

#include <strings.h>

static const char *const level_names[] = {"DEBUG", "INFO", "WARN", "ERROR", "FATAL", "NONE"};

/* Windows of the changer's tests. */
enum { CONFCHANGE_WINDOW = 10 };

void env_init(struct env *e)
{
	*e = (struct env){.heap = heap_new()};
	tracker_init(&e->tracker, CONFCHANGE_WINDOW, 0);
}

void env_free(struct env *e)
{
	world_free(&e->now);
	world_free(&e->past);
	tracker_free(&e->tracker);
	buf_free(&e->out);
	heap_free(e->heap);
}

struct node *env_node(struct env *e, uint64_t id)
{
	check_that(id >= 1 && id <= e->now.nodes.n);
	return e->now.nodes.v[id - 1];
}

/* Log lines */

static void print_line(void *arg, enum log_level level, const char *text)
{
	struct env *e = arg;

	buf_printf(&e->out, "%s %s\n", level_names[level], text);
}

struct raft_logger env_logger(struct env *e)
{
	return (struct raft_logger){.level = e->level, .line = print_line, .arg = e};
}

void env_set_level(struct env *e, enum log_level level)
{
	e->level = level;
	for (size_t i = 0; i < e->now.nodes.n; i++)
		raft_set_logger(e->now.nodes.v[i]->raft, env_logger(e));
}

static enum log_level level_of(const char *name)
{
	int level = LOG_DEBUG;

	while (level < LOG_NONE && strcasecmp(name, level_names[level]) != 0)
		level++;
	check_that(strcasecmp(name, level_names[level]) == 0);
	return (enum log_level)level;
}

static const char *log_level(struct env *e, const struct dd_case *c)
{
	env_set_level(e, level_of(c->args.v[0].key));
	return NULL;
}

/* stabilize log-level=L */
static const char *stabilize_at_level(struct env *e, const struct dd_case *c)
{
	enum log_level before = e->level;
	size_t mark = e->out.n;

	env_set_level(e, level_of(dd_value(c, "log-level", level_names[before])));
	const char *err = stabilize(e, c);

	if (e->level == LOG_NONE)
		e->out.n = mark;
	env_set_level(e, before);
	return err;
}

/* Output */

size_t env_indent(struct env *e)
{
	return e->out.n;
}

void env_unindent(struct env *e, size_t mark)
{
	struct buf inner = {0};

	if (e->out.n > mark && e->out.p[e->out.n - 1] != '\n')
		buf_putc(&e->out, '\n');
	buf_add(&inner, e->out.p + mark, e->out.n - mark);
	e->out.n = mark;
	for (size_t i = 0; i < inner.n; i++) {
		if (i == 0 || inner.p[i - 1] == '\n')
			buf_puts(&e->out, "  ");
		buf_putc(&e->out, inner.p[i]);
	}
	buf_free(&inner);
}

const char *env_error(enum raft_error err)
{
	return err ? raft_error_text(err) : NULL;
}

/* Arguments */

uint64_t number_of(const char *text)
{
	char *end;
	uint64_t v = strtoull(text, &end, 10);

	check_that(*text && *end == '\0');
	return v;
}

uint64_t arg_number(const struct dd_case *c, size_t i)
{
	check_that(i < c->args.n);
	return number_of(c->args.v[i].key);
}

uint64_t option_number(const struct dd_case *c, const char *key, uint64_t fallback)
{
	const char *v = dd_value(c, key, NULL);

	return v ? number_of(v) : fallback;
}

bool option_bool(const struct dd_case *c, const char *key)
{
	return strcmp(dd_value(c, key, "false"), "true") == 0;
}

static enum conf_change_type change_type(char letter)
{
	switch (letter) {
	case 'v':
		return CONF_CHANGE_ADD_NODE;
	case 'l':
		return CONF_CHANGE_ADD_LEARNER;
	case 'r':
		return CONF_CHANGE_REMOVE_NODE;
	default:
		check_that(letter == 'u');
		return CONF_CHANGE_UPDATE_NODE;
	}
}

size_t parse_changes(struct bytes input, struct conf_change_single *out)
{
	size_t n = 0;

	for (size_t i = 0; i < input.n; i++) {
		if (strchr(" \n\t", input.p[i]))
			continue;
		struct conf_change_single change = {change_type(input.p[i]), 0};

		for (i++; i < input.n && input.p[i] >= '0' && input.p[i] <= '9'; i++)
			change.node = 10 * change.node + (uint64_t)(input.p[i] - '0');
		check_that(n < CONF_CHANGE_MAX);
		out[n++] = change;
	}
	return n;
}

/* Directives */

static const struct {
	const char *name;
	env_directive *run;
} directives[] = {
    {"add-nodes", add_nodes},
    {"add-settled", add_settled},
    {"back", back},
    {"campaign", campaign},
    {"checkpoint", checkpoint},
    {"clock", show_clock},
    {"committed", committed},
    {"compact", compact_directive},
    {"deliver-msgs", deliver_msgs},
    {"draw-timeouts", draw_timeouts},
    {"drop-pending", drop_pending},
    {"duplicate-msgs", duplicate_msgs},
    {"enter-joint", enter_joint},
    {"finish-ready", finish_ready},
    {"forget-leader", forget_leader},
    {"has-ready", has_ready_directive},
    {"indexes", show_indexes},
    {"leave-joint", leave_joint},
    {"log-level", log_level},
    {"process-append-thread", process_append_thread},
    {"process-apply-thread", process_apply_thread},
    {"process-ready", process_ready},
    {"propose", propose},
    {"propose-conf-change", propose_conf_change},
    {"raft-log", raft_log_directive},
    {"raft-state", raft_state_directive},
    {"read-index", read_index},
    {"report-snapshot", report_snapshot},
    {"report-unreachable", report_unreachable},
    {"restart", restart},
    {"reverse-msgs", reverse_msgs},
    {"send-snapshot", send_snapshot},
    {"set-randomized-election-timeout", set_timeout},
    {"simple", simple},
    {"stabilize", stabilize_at_level},
    {"status", status_directive},
    {"take-ready", take_ready},
    {"tick", tick},
    {"tick-election", tick_election},
    {"tick-heartbeat", tick_heartbeat},
    {"transfer-leadership", transfer_leadership},
    {"vote", vote},
};

static const char *dispatch(struct env *e, const struct dd_case *c)
{
	for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
		if (strcmp(directives[i].name, c->command) == 0)
			return directives[i].run(e, c);
	return "unknown command";
}

struct bytes env_run(struct env *e, const struct dd_case *c)
{
	buf_clear(&e->out);
	const char *err = dispatch(e, c);

	if (e->level == LOG_NONE)
		buf_clear(&e->out);
	if (err)
		buf_puts(&e->out, err);
	if (e->out.n == 0)
		buf_puts(&e->out, "ok");
	if (e->out.p[e->out.n - 1] != '\n')
		buf_putc(&e->out, '\n');
	return buf_bytes(&e->out);
}
