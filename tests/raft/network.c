/* Messages in flight: delivered, dropped, duplicated, reordered (etcd-io/raft: rafttest/
 * interaction_env_handler_deliver_msgs.go). */
#include "env.h"

static bool is_thread(uint64_t id)
{
	return id == RAFT_APPEND_THREAD || id == RAFT_APPLY_THREAD;
}

static bool is_local(const struct message *m)
{
	return m->from == m->to || is_thread(m->from) || is_thread(m->to);
}

struct recipient {
	uint64_t id;
	bool drop;
};

/* All kinds: MSG_TYPE_COUNT. */
static bool matches(const struct message *m, struct recipient to, enum message_type type)
{
	return m->to == to.id && !(to.drop && is_local(m)) &&
	       (type == MSG_TYPE_COUNT || m->type == type);
}

/* Takes the messages for a recipient out of the list. */
static struct message_list take(struct env *e, struct recipient to, enum message_type type)
{
	struct message_list taken = {0};
	size_t kept = 0;

	for (size_t i = 0; i < e->now.messages.n; i++) {
		if (matches(&e->now.messages.v[i], to, type))
			vec_push(&taken, e->now.messages.v[i]);
		else
			e->now.messages.v[kept++] = e->now.messages.v[i];
	}
	e->now.messages.n = kept;
	return taken;
}

static void print_line(struct env *e, const char *prefix, const struct message *m)
{
	buf_puts(&e->out, prefix);
	raft_print_message(&e->out, m);
	buf_putc(&e->out, '\n');
}

static size_t serve(struct env *e, struct recipient to, enum message_type type)
{
	struct message_list taken = take(e, to, type);
	size_t n = taken.n;

	for (size_t i = 0; i < n; i++) {
		print_line(e, to.drop ? "dropped: " : "", &taken.v[i]);
		if (to.drop)
			continue;
		enum raft_error err = raft_step(env_node(e, to.id)->raft, &taken.v[i]);

		if (err)
			buf_printf(&e->out, "%s\n", raft_error_text(err));
	}
	vec_free(&taken);
	return n;
}

void env_deliver_all(struct env *e, uint64_t id)
{
	serve(e, (struct recipient){id, false}, MSG_TYPE_COUNT);
}

bool env_has_messages(const struct env *e, uint64_t id)
{
	for (size_t i = 0; i < e->now.messages.n; i++)
		if (e->now.messages.v[i].to == id)
			return true;
	return false;
}

static enum message_type type_of(const char *name)
{
	unsigned t = 0;

	while (t < MSG_TYPE_COUNT && strcmp(message_type_name((enum message_type)t), name) != 0)
		t++;
	check_that(t < MSG_TYPE_COUNT);
	return (enum message_type)t;
}

const char *deliver_msgs(struct env *e, const struct dd_case *c)
{
	const char *type_name = dd_value(c, "type", NULL);
	enum message_type type = type_name ? type_of(type_name) : MSG_TYPE_COUNT;
	size_t n = 0;

	for (size_t i = 0; i < c->args.n; i++) {
		const struct dd_arg *a = &c->args.v[i];

		if (a->values.n == 0)
			n += serve(e, (struct recipient){number_of(a->key), false}, type);
		for (size_t k = 0; strcmp(a->key, "drop") == 0 && k < a->values.n; k++)
			n += serve(e, (struct recipient){number_of(a->values.v[k]), true}, type);
	}
	if (n == 0)
		buf_puts(&e->out, "no messages\n");
	return NULL;
}

const char *drop_pending(struct env *e, const struct dd_case *c)
{
	(void)c;
	for (size_t i = 0; i < e->now.messages.n; i++)
		print_line(e, "dropped: ", &e->now.messages.v[i]);
	e->now.messages.n = 0;
	return NULL;
}

const char *duplicate_msgs(struct env *e, const struct dd_case *c)
{
	uint64_t id = arg_number(c, 0);
	size_t n = e->now.messages.n;

	for (size_t i = 0; i < n; i++) {
		struct message m = e->now.messages.v[i];

		if (m.to != id)
			continue;
		print_line(e, "duplicated: ", &m);
		vec_push(&e->now.messages, m);
	}
	return NULL;
}

/* The last message to the node takes the place of the first, and so on. */
const char *reverse_msgs(struct env *e, const struct dd_case *c)
{
	uint64_t id = arg_number(c, 0);
	struct message *v = e->now.messages.v;
	size_t count = 0, lo = 0, hi = e->now.messages.n;

	for (size_t i = 0; i < e->now.messages.n; i++)
		count += v[i].to == id;
	for (size_t swaps = count / 2; swaps > 0; swaps--) {
		while (v[lo].to != id)
			lo++;
		do
			hi--;
		while (v[hi].to != id);
		struct message m = v[lo];

		v[lo++] = v[hi];
		v[hi] = m;
	}
	buf_printf(&e->out, "reversed %zu messages", count);
	return NULL;
}

const char *send_snapshot(struct env *e, const struct dd_case *c)
{
	uint64_t from = arg_number(c, 0), to = arg_number(c, 1);
	struct node *n = env_node(e, from);
	struct snapshot *s = heap_alloc(e->heap, sizeof *s);

	*s = n->history.v[n->history.n - 1];
	struct message m = {
	    .type = MSG_SNAP,
	    .from = from,
	    .to = to,
	    .term = raft_term(n->raft),
	    .snapshot = s,
	};

	vec_push(&e->now.messages, m);
	raft_print_message(&e->out, &m);
	return NULL;
}
