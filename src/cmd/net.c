/* net: links that are slow, lose messages, deliver them twice or in another order; show net: what
 * differs from a link without faults. */
#include "cmd/links.h"

#include "cmd/command.h"
#include "cmd/delay.h"
#include "cmd/go_number.h"

enum { NET_DELAY, NET_LOSS, NET_DUPLICATE, NET_REORDER, NET_ONEWAY, NET_RESET, NET_FLAGS };

static const struct flag_row flags[NET_FLAGS] = {
    [NET_DELAY] = {.name = "delay",
		   .type = FLAG_STRING,
		   .fallback = "0ms",
		   .values = "10ms|50ms|20-80ms|1s|0ms",
		   .help = "how long a message is on its way: 50ms, or 20-80ms for a time between "
			   "these, which is drawn for each"},
    [NET_LOSS] = {.name = "loss",
		  .type = FLAG_STRING,
		  .fallback = "0%",
		  .values = "5%|20%|50%|0%",
		  .help = "how many of a hundred messages are lost, silently"},
    [NET_DUPLICATE] = {.name = "duplicate",
		       .type = FLAG_STRING,
		       .fallback = "0%",
		       .values = "5%|20%|50%|0%",
		       .help = "how many of a hundred arrive twice; never a forwarded proposal, "
			       "which would be two entries"},
    [NET_REORDER] = {.name = "reorder",
		     .type = FLAG_STRING,
		     .fallback = "0%",
		     .values = "5%|20%|50%|0%",
		     .help = "how many of a hundred go ahead of what is under way on their link; "
			     "without it nothing overtakes"},
    [NET_ONEWAY] = {.name = "oneway",
		    .type = FLAG_BOOL,
		    .fallback = "false",
		    .help = "only what the first sends to the second"},
    [NET_RESET] = {.name = "reset",
		   .type = FLAG_BOOL,
		   .fallback = "false",
		   .help = "no delay and no faults again; heal does not do this"},
};

/* ---- times ---- */

static bool delay_flag(struct shell *s, struct job *j, const struct parsed *p,
		       struct link_change *c)
{
	struct bytes text = flag_text(p, NET_DELAY);

	if (!p->own[NET_DELAY].set)
		return true;
	c->fields |= LINK_DELAY;
	return command_delay(s, j, text, &c->link.delay_ms, &c->link.delay_max_ms);
}

/* ---- percentages ---- */

static bool percent_flag(struct shell *s, struct job *j, const struct parsed *p, size_t flag,
			 uint8_t field, uint8_t *out, struct link_change *c)
{
	struct bytes text = flag_text(p, flag), number = text;
	uint64_t n;

	if (!p->own[flag].set)
		return true;
	c->fields |= field;
	if (number.n && number.p[number.n - 1] == '%')
		number.n--;
	if (go_parse_uint(number, 10, &n, NULL) && n <= 100) {
		*out = (uint8_t)n;
		return true;
	}
	command_fail(s, j, STATUS_BAD_ARGS,
		     "--%s=%.*s: a whole number of percent is right, 0%% to 100%%: --%s=20%%",
		     flags[flag].name, (int)text.n, text.p, flags[flag].name);
	return false;
}

/* ---- which link ---- */

bool command_link_end(struct shell *s, struct job *j, struct bytes name, unsigned *end)
{
	*end = LINK_CLIENT;
	if (bytes_is(name, "client") || bytes_is(name, "clients"))
		return true;
	*end = command_member(s->w, name);
	if (!*end)
		command_fail(s, j, STATUS_BAD_ARGS,
			     "no member \"%.*s\": a link is between two of S1 to S%u and client",
			     (int)name.n, name.p, s->w->nmembers);
	return *end != 0;
}

/* Nothing: all between members; one end: all of its links with members. */
static bool read_link(struct shell *s, struct job *j, const struct parsed *p, struct link_change *c)
{
	unsigned end[2] = {LINK_MEMBERS, LINK_MEMBERS};

	for (size_t i = 0; i < p->args.n; i++)
		if (!command_link_end(s, j, p->args.v[i], &end[i]))
			return false;
	c->from = (uint8_t)end[0];
	c->to = (uint8_t)end[1];
	c->oneway = flag_bool(p, NET_ONEWAY);
	if (end[0] == end[1] && p->args.n == 2)
		command_fail(s, j, STATUS_BAD_ARGS,
			     "a link has two ends: net S1 S2, net client S1; net S1 is all links "
			     "of S1 with members");
	else if (c->oneway && p->args.n == 0)
		command_fail(s, j, STATUS_BAD_ARGS,
			     "--oneway wants to know from where: net S1 S2 --oneway --delay=50ms");
	else
		return true;
	return false;
}

static bool touches_client(const struct link_change *c)
{
	return c->from == LINK_CLIENT || c->to == LINK_CLIENT;
}

static bool read_change(struct shell *s, struct job *j, const struct parsed *p,
			struct link_change *c)
{
	struct link *l = &c->link;

	if (!delay_flag(s, j, p, c) || !percent_flag(s, j, p, NET_LOSS, LINK_LOSS, &l->loss, c) ||
	    !percent_flag(s, j, p, NET_DUPLICATE, LINK_DUPLICATE, &l->duplicate, c) ||
	    !percent_flag(s, j, p, NET_REORDER, LINK_REORDER, &l->reorder, c))
		return false;
	if (flag_bool(p, NET_RESET) && c->fields) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "--reset takes back delay, loss, duplicate and reorder: it goes with "
			     "none of them");
		return false;
	}
	if (flag_bool(p, NET_RESET))
		c->fields = LINK_ALL;
	else if (touches_client(c) && (c->fields & (LINK_DUPLICATE | LINK_REORDER))) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "a client's link takes --delay and --loss: its gRPC runs over TCP, "
			     "where nothing comes twice or in another order");
		return false;
	}
	return true;
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct link_change c = {0};

	if (!command_arguments(s, j, p, 0, 2) || !read_link(s, j, p, &c) ||
	    !read_change(s, j, p, &c))
		return;
	if (!c.fields) {
		command_fail(s, j, STATUS_BAD_ARGS,
			     "net takes what is to change: --delay=50ms, --loss=20%%, "
			     "--duplicate=5%%, --reorder=10%% or --reset; show net prints the "
			     "links as they are");
		return;
	}
	sim_set_link(s->w, &c);
	command_end(j);
}

const struct command_row cmd_net = {
    .name = "net",
    .group = GROUP_FAULTS,
    .usage = "net [<end> [<end>]] [--oneway] [--delay=TIME] [--loss=N%] [--duplicate=N%] "
	     "[--reorder=N%] | net [<end> [<end>]] --reset",
    .summary = "Makes links slow or lossy: between two ends (members, or client), of one member "
	       "with all others, or between all members; heal does not undo it, --reset does",
    .example = "net S1 S2 --delay=50ms",
    .arguments = "@end @end",
    .flags = flags,
    .nflags = NET_FLAGS,
    .run = run,
};
