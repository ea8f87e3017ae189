/* The screen's twin for screen readers, pipes and logs (screen-design.md A.8).
 *
 * One fact, one line, subject first; only what changed is said; nothing is ever drawn twice.  The
 * output has no escape sequence, whatever a value contains.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "ui/scene.h"
#include "ui/ui.h"

struct said { /* of a member, the last time it was spoken of */
	enum role role;
	bool paused;
	int64_t rate_ppm; /* of its clock */
	uint64_t term, last, committed, applied;
	int64_t rev;
};

struct plain {
	struct session *session;
	struct player *p;
	struct said said[MEMBERS_MAX];
	unsigned nmembers;
	uint32_t bugs; /* mistakes that are on (api/bug.h) */
	uint64_t told; /* trace records */
	size_t step;   /* the step that was told */
	bool asked;    /* the question of the next step has an answer that was not told */
	bool quit, block, prompts;
};

static void print_safe(struct bytes text)
{
	struct buf b = {0};

	text_safe(&b, text, true);
	if (b.n) {
		fwrite(b.p, 1, b.n, stdout);
		if (b.p[b.n - 1] != '\n')
			putchar('\n');
	}
	buf_free(&b);
}

/* ---- members ---- */

static struct said look_at(const struct member *m)
{
	return (struct said){.role = member_role(m),
			     .paused = m->condition == MEMBER_PAUSED,
			     .rate_ppm = m->clock.rate_ppm,
			     .term = member_term(m),
			     .last = member_last(m),
			     .committed = member_committed(m),
			     .applied = m->applied,
			     .rev = m->store.current_rev};
}

static bool same(const struct said *a, const struct said *b)
{
	return a->role == b->role && a->paused == b->paused && a->rate_ppm == b->rate_ppm &&
	       a->term == b->term && a->last == b->last && a->committed == b->committed &&
	       a->applied == b->applied && a->rev == b->rev;
}

static const char *role_name(enum role r)
{
	static const char *const name[] = {[ROLE_LEADER] = "leader",
					   [ROLE_FOLLOWER] = "follower",
					   [ROLE_PRE_CANDIDATE] = "pre-candidate",
					   [ROLE_CANDIDATE] = "candidate",
					   [ROLE_LEARNER] = "learner",
					   [ROLE_DOWN] = "down"};

	return name[r];
}

static void tell_clock(unsigned number, const struct clock *c)
{
	struct buf b = {0};

	clock_put_skew(&b, c);
	printf("S%u: its clock is wrong, %s.\n", number, buf_str(&b));
	buf_free(&b);
}

/* Mistakes that have been switched on or off. */
static void tell_bugs(struct plain *t, uint32_t bugs)
{
	for (int b = 0; b < BUG_COUNT; b++) {
		const struct bug_row *row = bug_row((enum bug)b);
		if (bug_on(bugs, (enum bug)b) && !bug_on(t->bugs, (enum bug)b))
			printf("Bug on: %s. %s\n", row->name, row->what);
		else if (bug_on(t->bugs, (enum bug)b) && !bug_on(bugs, (enum bug)b))
			printf("Bug off: %s.\n", row->name);
	}
	t->bugs = bugs;
}

/* Says how the members stand; all of them, or those that are not as they were. */
static void tell_members(struct plain *t, bool all)
{
	const struct world *w = player_world(t->p);

	if (t->bugs != w->cfg.bugs)
		tell_bugs(t, w->cfg.bugs);
	for (unsigned i = 0; i < w->nmembers; i++) {
		struct said now = look_at(w->members[i]);
		if (!all && i < t->nmembers && same(&now, &t->said[i]))
			continue;
		printf("S%u: %s%s, term %llu, last %llu, committed %llu, applied %llu, revision "
		       "%lld.\n",
		       i + 1, role_name(now.role), now.paused ? ", paused" : "",
		       (unsigned long long)now.term, (unsigned long long)now.last,
		       (unsigned long long)now.committed, (unsigned long long)now.applied,
		       (long long)now.rev);
		if (now.rate_ppm)
			tell_clock(i + 1, &w->members[i]->clock);
		t->said[i] = now;
	}
	t->nmembers = w->nmembers;
}

/* ---- events ---- */

static void put_entries(struct buf *b, const struct trace_record *r)
{
	if (r->a == r->b)
		buf_printf(b, "entry %llu", (unsigned long long)r->a);
	else
		buf_printf(b, "entries %llu to %llu", (unsigned long long)r->a,
			   (unsigned long long)r->b);
}

static void put_message(struct buf *b, const struct trace_record *r)
{
	const struct trace_msg *m = &r->msg;

	buf_puts(b, message_type_name((enum message_type)m->type));
	if (m->type == MSG_APP && m->first == m->last)
		buf_printf(b, " with entry %llu", (unsigned long long)m->first);
	else if (m->type == MSG_APP && m->first < m->last)
		buf_printf(b, " with entries %llu to %llu", (unsigned long long)m->first,
			   (unsigned long long)m->last);
	else if (m->type == MSG_APP)
		buf_printf(b, ", commit %llu", (unsigned long long)m->commit);
	else if (m->type == MSG_APP_RESP)
		buf_printf(b, "%s %llu", m->reject ? ", refusing" : ", index",
			   (unsigned long long)m->index);
}

/* A record as a sentence; nothing for those that say nothing new to a listener. */
static void put_sentence(struct buf *b, const struct trace_record *r)
{
	switch ((enum trace_kind)r->kind) {
	case TRACE_APPEND:
		buf_printf(b, "S%u appended ", r->member);
		put_entries(b, r);
		break;
	case TRACE_FSYNC:
		if (r->a)
			buf_printf(b, "S%u has entry %llu on its disk", r->member,
				   (unsigned long long)r->a);
		break;
	case TRACE_SEND:
		buf_printf(b, "S%u sent S%u ", r->member, r->peer);
		put_message(b, r);
		break;
	case TRACE_LOST:
		buf_printf(b, "A message of S%u to S%u was lost", r->member, r->peer);
		break;
	case TRACE_COMMIT:
		buf_printf(b, "S%u committed entry %llu", r->member, (unsigned long long)r->a);
		break;
	case TRACE_APPLY:
		buf_printf(b, "S%u applied entry %llu, revision %llu", r->member,
			   (unsigned long long)r->a, (unsigned long long)r->b);
		break;
	case TRACE_ROLE:
		buf_printf(b, "S%u is %s in term %llu", r->member,
			   raft_state_name((enum raft_state)r->a) + strlen("State"),
			   (unsigned long long)r->b);
		break;
	case TRACE_TRUNCATE:
		buf_printf(b, "S%u threw away ", r->member);
		put_entries(b, r);
		break;
	case TRACE_RECV:
	case TRACE_LOG:
	case TRACE_TICK:
	case TRACE_HARD_STATE:
		break;
	default: /* "0.000 w1 PUT /a 1": words already, behind the clock */
		trace_print(b, r);
		size_t clock = strcspn(buf_str(b), " ");
		if (clock < b->n) {
			memmove(b->p, b->p + clock + 1, b->n - clock);
			b->n -= clock + 1;
		}
	}
}

static void tell_events(struct plain *t)
{
	const struct trace *trace = player_trace(t->p);
	struct buf b = {0};

	for (uint64_t i = trace && t->told < trace->first ? trace->first : t->told;
	     trace && i < trace->end; i++) {
		buf_clear(&b);
		put_sentence(&b, trace_get(trace, i));
		while (b.n && b.p[b.n - 1] == ' ')
			b.p[--b.n] = 0;
		if (b.n) {
			buf_puts(&b, ".\n");
			print_safe(buf_bytes(&b));
		}
	}
	t->told = trace ? trace->end : 0;
	buf_free(&b);
}

static void tell_flights(const struct plain *t)
{
	const struct world *w = player_world(t->p);

	if (w->net_head == w->net.n)
		return;
	fputs("In flight:", stdout);
	for (size_t i = w->net_head; i < w->net.n; i++)
		printf("%s S%u to S%u, %s", i > w->net_head ? "." : "", w->net.v[i].from,
		       w->net.v[i].to, message_type_name(w->net.v[i].m.type));
	fputs(".\n", stdout);
}

/* ---- steps ---- */

/* Columns of the terminal; 0: there is none. */
static int terminal_columns(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Prose: on a terminal its lines end at words. */
static void tell_line(const char *before, const char *text)
{
	struct buf b = {0}, safe = {0};
	struct canvas measure = {.ascii = false};
	int w = terminal_columns();

	if (!text[0])
		return;
	buf_printf(&b, "%s%s", before, text);
	text_safe(&safe, buf_bytes(&b), true);
	for (size_t at = 0, n, next; at < safe.n; at += next) {
		n = line_break(&measure, buf_str(&safe) + at, w > 0 ? w : INT_MAX, &next);
		printf("%.*s\n", (int)n, buf_str(&safe) + at);
	}
	buf_free(&b);
	buf_free(&safe);
}

/* A question is asked before its step. */
static void tell_question(struct plain *t)
{
	tell_line("Question: ", player_next_question(t->p));
	t->asked = player_next_question(t->p)[0] && player_next_answer(t->p)[0];
	if (t->asked && t->prompts)
		puts("= answers, ENTER goes on.");
}

static void tell_answer(struct plain *t)
{
	if (t->asked)
		tell_line("Answer: ", player_next_answer(t->p));
	else if (t->prompts)
		puts("Nothing waits for an answer.");
	t->asked = false;
}

static void tell_step(struct plain *t)
{
	struct player *p = t->p;

	if (player_steps(p))
		printf("%s. Step %zu of %zu.\n", player_title(p), player_step_number(p),
		       player_steps(p));
	if (player_command_text(p)[0])
		tell_line("Command: ", player_command_text(p));
	tell_events(t);
	print_safe(player_output(p));
	tell_members(t, false);
	tell_flights(t);
	tell_line("", player_narration(p));
	t->step = player_step_number(p);
	tell_question(t);
}

static bool next_step(struct plain *t)
{
	if (t->asked)
		tell_answer(t);
	if (!player_step(t->p)) {
		const char *end = player_end_text(t->p);
		puts(end[0] ? end : "This is the end. Type a command, demo N, or quit.");
		return false;
	}
	tell_step(t);
	return true;
}

/* ---- lines ---- */

static void tell_error(struct plain *t)
{
	struct buf b = {0};

	if (player_shell(t->p)->exit_status != 0 && shell_explain(player_shell(t->p), &b))
		tell_line("Why: ", buf_str(&b));
	buf_free(&b);
}

static bool same_position(struct player_position a, struct player_position b)
{
	return a.input == b.input && a.event == b.event;
}

/* After a command: its output, then who is not as before. */
static void tell_result(struct plain *t, struct player_position before, const struct buf *out)
{
	const struct trace *trace = player_trace(t->p);

	print_safe(buf_bytes(out));
	if (same_position(before, player_at(t->p)))
		return;
	if (player_steps(t->p) && player_step_number(t->p) != t->step) {
		tell_step(t);
		return;
	}
	tell_error(t);
	tell_members(t, false);
	t->told = trace ? trace->end : 0;
	t->step = player_step_number(t->p);
}

/* What was loaded: its title, how things stand, and what is asked first. */
static void tell_start(struct plain *t)
{
	tell_line("", player_title(t->p));
	tell_line("", player_narration(t->p));
	tell_members(t, true);
	tell_question(t);
}

static void run_line(struct plain *t, struct bytes line)
{
	struct buf out = {0}, err = {0};
	struct player_position before = player_at(t->p);
	struct player *was = t->p;
	enum session_result r = session_exec(t->session, line, &out, &err);

	t->p = session_player(t->session);
	t->block = r == SESSION_MORE;
	t->asked = t->asked && same_position(before, player_at(t->p));
	if (r == SESSION_OK && err.n)
		tell_line("", buf_str(&err));
	if (r == SESSION_OK && (t->p != was || bytes_starts(line, BYTES("demo ")))) {
		print_safe(buf_bytes(&out));
		tell_start(t);
	} else if (r == SESSION_OK) {
		tell_result(t, before, &out);
	} else if (r == SESSION_ERROR) {
		tell_line("Error: ", buf_str(&err));
	} else if (r == SESSION_SCREEN) {
		puts("That command belongs to the screen; show says what a pane would show.");
	}
	t->quit = r == SESSION_QUIT;
	buf_free(&out);
	buf_free(&err);
}

static void prompt(const struct plain *t)
{
	if (!t->prompts)
		return;
	if (t->block)
		fputs("... ", stdout);
	else
		printf("S%u> ", world_default_endpoint(player_world(t->p)));
	fflush(stdout);
}

static void read_lines(struct plain *t)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	bool any = false;

	for (prompt(t); !t->quit && (n = getline(&line, &cap, stdin)) >= 0; prompt(t)) {
		any = true;
		if (n && line[n - 1] == '\n')
			line[--n] = 0;
		if (n == 0 && !t->block)
			next_step(t);
		else if (strcmp(line, "=") == 0 && !t->block)
			tell_answer(t);
		else if (strcmp(line, "?") == 0 && !t->block)
			run_line(t, BYTES("help"));
		else
			run_line(t, (struct bytes){line, (size_t)n});
		fflush(stdout);
	}
	/* Nobody is there to press ENTER: a script is told to its end. */
	while (!any && !t->quit && player_steps(t->p) &&
	       player_step_number(t->p) < player_steps(t->p))
		if (!next_step(t))
			break;
	free(line);
}

int ui_plain(struct session *s, const struct ui_options *o)
{
	struct plain t = {.session = s, .p = session_player(s)};
	const struct trace *trace = player_trace(t.p);

	(void)o;
	t.prompts = isatty(STDIN_FILENO);
	t.told = trace ? trace->end : 0;
	if (player_steps(t.p))
		tell_start(&t);
	else if (t.prompts)
		puts("etcdscope, three members of etcd in one program. Type a command; help lists "
		     "them; demo 1 starts the "
		     "first demo, ENTER is its next step, = its answer; quit leaves.");
	if (!player_steps(t.p) && t.prompts)
		tell_members(&t, true);
	read_lines(&t);
	if (t.prompts && !t.quit)
		putchar('\n');
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
