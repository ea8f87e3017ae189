/* The printed form of a Ready (etcd-io/raft: util.go, DescribeReady). */
#include "env.h"

void print_entries_lines(struct buf *out, const struct entry *const *e, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		raft_print_entry(out, e[i]);
		buf_putc(out, '\n');
	}
}

static void print_hard_state(struct buf *out, const struct hard_state *h)
{
	buf_printf(out, "HardState Term:" U64, h->term);
	if (h->vote)
		buf_printf(out, " Vote:" U64, h->vote);
	buf_printf(out, " Commit:" U64 "\n", h->commit);
}

static void print_read_state(struct buf *out, const struct read_state *s)
{
	buf_printf(out, "{" U64 " [", s->index);
	for (size_t i = 0; i < s->context.n; i++)
		buf_printf(out, "%s%d", i ? " " : "", (unsigned char)s->context.p[i]);
	buf_puts(out, "]}");
}

static void print_read_states(struct buf *out, const struct ready *rd)
{
	buf_puts(out, "ReadStates [");
	for (size_t i = 0; i < rd->nread_states; i++) {
		if (i)
			buf_putc(out, ' ');
		print_read_state(out, &rd->read_states[i]);
	}
	buf_puts(out, "]\n");
}

static void print_list(struct buf *out, const char *title, const struct entry *const *e, size_t n)
{
	if (n == 0)
		return;
	buf_puts(out, title);
	print_entries_lines(out, e, n);
}

static void print_messages(struct buf *out, const struct ready *rd)
{
	if (rd->nmessages)
		buf_puts(out, "Messages:\n");
	for (size_t i = 0; i < rd->nmessages; i++) {
		raft_print_message(out, &rd->messages[i]);
		buf_putc(out, '\n');
	}
}

void print_ready(struct buf *out, const struct ready *rd)
{
	struct buf body = {0};

	if (rd->has_soft_state)
		buf_printf(&body, "Lead:" U64 " State:%s\n", rd->soft_state.lead,
			   raft_state_name(rd->soft_state.state));
	if (rd->has_hard_state)
		print_hard_state(&body, &rd->hard_state);
	if (rd->nread_states)
		print_read_states(&body, rd);
	print_list(&body, "Entries:\n", rd->entries, rd->nentries);
	if (rd->snapshot) {
		buf_puts(&body, "Snapshot ");
		raft_print_snapshot(&body, rd->snapshot);
		buf_putc(&body, '\n');
	}
	print_list(&body, "CommittedEntries:\n", rd->committed, rd->ncommitted);
	print_messages(&body, rd);
	if (body.n)
		buf_printf(out, "Ready MustSync=%s:\n%s", rd->must_sync ? "true" : "false",
			   buf_str(&body));
	else
		buf_puts(out, "<empty Ready>");
	buf_free(&body);
}
