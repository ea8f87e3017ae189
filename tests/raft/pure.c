/* The folders quorum/ and confchange/: arithmetic of majorities and changes of configurations,
 * without a Raft around them (etcd-io/raft: quorum/datadriven_test.go,
 * confchange/datadriven_test.go). */
#include "raft/changer.h"
#include "env.h"

/* quorum/ */

/* Voters of both halves, each once, in the order of writing: the order of the values. */
struct electorate {
	struct tracker t;
	uint64_t id[TRACKER_MAX];
	const char *value[TRACKER_MAX];
	size_t n;
};

static void add_half(struct electorate *el, const struct dd_arg *a, uint64_t *half, uint8_t *n)
{
	for (size_t i = 0; a && i < a->values.n; i++) {
		if (strcmp(a->values.v[i], "zero") == 0)
			continue;
		uint64_t id = number_of(a->values.v[i]);

		conf_set_add(half, n, id);
		if (tracker_find(&el->t, id))
			continue;
		tracker_add(&el->t, id);
		el->id[el->n++] = id;
	}
}

static void read_electorate(struct electorate *el, const struct dd_case *c, const char *values)
{
	const struct dd_arg *v = dd_find(c, values);

	*el = (struct electorate){0};
	tracker_init(&el->t, 1, 0);
	add_half(el, dd_find(c, "cfg"), el->t.conf.voters, &el->t.conf.nvoters);
	add_half(el, dd_find(c, "cfgj"), el->t.conf.outgoing, &el->t.conf.noutgoing);
	for (size_t i = 0; i < el->n; i++) {
		check_that(v && i < v->values.n);
		el->value[i] = v->values.v[i];
	}
}

static const char *value_of(const struct electorate *el, uint64_t id)
{
	size_t i = 0;

	while (el->id[i] != id)
		i++;
	return strcmp(el->value[i], "_") == 0 ? NULL : el->value[i];
}

/* How many bars: the rank among all by (index, id), where equal indexes share the lowest rank. */
static size_t bars(const struct electorate *el, uint64_t match)
{
	size_t n = 0;

	for (size_t i = 0; i < el->t.nprogress; i++)
		n += el->t.progress[i].match < match;
	return n;
}

static void print_row(struct buf *out, const struct electorate *el, const struct progress *p)
{
	size_t n = el->t.nprogress, b = bars(el, p->match);
	bool known = value_of(el, p->id) != NULL;

	for (size_t i = 0; known && i < b; i++)
		buf_putc(out, 'x');
	buf_putc(out, known ? '>' : '?');
	for (size_t i = known ? b : 0; i < n; i++)
		buf_putc(out, ' ');
	buf_printf(out, " %5" PRIu64 "    (id=" ID64 ")\n", p->match, p->id);
}

const char *committed(struct env *e, const struct dd_case *c)
{
	struct electorate el;

	read_electorate(&el, c, "idx");
	for (size_t i = 0; i < el.t.nprogress; i++) {
		struct progress *p = &el.t.progress[i];
		const char *v = value_of(&el, p->id);

		p->match = v ? number_of(v) : 0;
	}
	if (el.n)
		buf_printf(&e->out, "%*sidx\n", (int)el.n + 4, "");
	else
		buf_puts(&e->out, "<empty majority quorum>");
	for (size_t i = 0; i < el.t.nprogress; i++)
		print_row(&e->out, &el, &el.t.progress[i]);
	uint64_t index = tracker_committed(&el.t);

	if (index == UINT64_MAX)
		buf_puts(&e->out, "\xe2\x88\x9e\n");
	else
		buf_printf(&e->out, U64 "\n", index);
	return NULL;
}

const char *vote(struct env *e, const struct dd_case *c)
{
	static const char *const names[] = {
	    [VOTE_PENDING] = "VotePending",
	    [VOTE_LOST] = "VoteLost",
	    [VOTE_WON] = "VoteWon",
	};
	struct electorate el;
	size_t granted, rejected;

	read_electorate(&el, c, "votes");
	for (size_t i = 0; i < el.n; i++)
		if (value_of(&el, el.id[i]))
			tracker_record_vote(&el.t, el.id[i], strcmp(el.value[i], "y") == 0);
	buf_printf(&e->out, "%s\n", names[tracker_tally(&el.t, &granted, &rejected)]);
	return NULL;
}

/* confchange/ */

/* Prints what the change made, and counts it whether it succeeded or not. */
static const char *report(struct env *e, const char *err)
{
	e->last_index++;
	if (err)
		return err;
	raft_print_conf(&e->out, &e->tracker.conf);
	buf_putc(&e->out, '\n');
	for (size_t i = 0; i < e->tracker.nprogress; i++) {
		buf_printf(&e->out, U64 ": ", e->tracker.progress[i].id);
		progress_print(&e->out, &e->tracker.progress[i]);
		buf_putc(&e->out, '\n');
	}
	return NULL;
}

const char *simple(struct env *e, const struct dd_case *c)
{
	struct conf_change_single changes[CONF_CHANGE_MAX];
	size_t n = parse_changes(c->input, changes);

	return report(e, changer_simple(&e->tracker, e->last_index, changes, n));
}

const char *enter_joint(struct env *e, const struct dd_case *c)
{
	struct conf_change_single changes[CONF_CHANGE_MAX];
	size_t n = parse_changes(c->input, changes);

	return report(e, changer_enter_joint(&e->tracker, e->last_index,
					     option_bool(c, "autoleave"), changes, n));
}

const char *leave_joint(struct env *e, const struct dd_case *c)
{
	(void)c;
	return report(e, changer_leave_joint(&e->tracker));
}
