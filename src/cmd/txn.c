/* txn (etcd: txn_command.go): compares, operations of success, operations of failure, as three
 * groups of lines, or in one line: txn if 'mod("/a") = "2"' then 'put /a b' else 'get /a'. */
#include "cmd/command.h"
#include "cmd/txn_parse.h"

enum { TXN_INTERACTIVE, TXN_FLAGS };

static const struct flag_row flags[TXN_FLAGS] = {
    [TXN_INTERACTIVE] = {.name = "interactive",
			 .etcdctl = "Input transaction in interactive mode",
			 .shorthand = 'i',
			 .type = FLAG_BOOL,
			 .fallback = "false",
			 .help = "print what is asked for"},
};

enum part { PART_COMPARES, PART_SUCCESS, PART_FAILURE, PARTS };

struct reader {
	struct shell *s;
	struct job *j;
	struct bytes left; /* of the block */
	bool ended;	   /* `end` has been read */
	struct buf line;   /* the present one, repeats expanded */
	VEC(struct compare) compares;
	VEC(struct request) operations[PARTS]; /* of success and failure */
};

static bool take_item(struct reader *r, enum part part, struct bytes line)
{
	struct compare c;
	struct request op;

	if (part == PART_COMPARES) {
		if (!txn_parse_compare(r->s, r->j, line, &c))
			return false;
		vec_push(&r->compares, c);
	} else {
		if (!txn_parse_operation(r->s, r->j, line, &op))
			return false;
		vec_push(&r->operations[part], op);
	}
	return true;
}

static struct bytes trim(struct bytes s)
{
	while (s.n && strchr(" \t\r\n\v\f", s.p[s.n - 1]))
		s.n--;
	while (s.n && strchr(" \t\r\n\v\f", s.p[0])) {
		s.p++;
		s.n--;
	}
	return s;
}

/* The next line of the block, of which `end` is the last and an empty one; false: the input has
 * ended. */
static bool next_line(struct reader *r, struct bytes *line)
{
	const char *nl = r->left.n ? memchr(r->left.p, '\n', r->left.n) : NULL;

	if (!nl && r->ended)
		return false;
	if (!nl) {
		r->ended = true;
		*line = (struct bytes){0};
		return true;
	}
	size_t n = (size_t)(nl - r->left.p);
	buf_clear(&r->line);
	line_expand(&r->line, (struct bytes){r->left.p, n});
	*line = trim(buf_bytes(&r->line));
	r->left = (struct bytes){nl + 1, r->left.n - n - 1};
	return true;
}

static bool read_part(struct reader *r, enum part part)
{
	struct bytes line;

	for (;;) {
		if (!next_line(r, &line)) {
			command_fail(r->s, r->j, STATUS_INVALID_INPUT, "EOF");
			return false;
		}
		if (line.n == 0)
			return true;
		if (!take_item(r, part, line))
			return false;
	}
}

static bool read_block(struct reader *r, bool prompts)
{
	static const char *const prompt[PARTS] = {"compares:\n",
						  "success requests (get, put, del):\n",
						  "failure requests (get, put, del):\n"};

	for (int part = 0; part < PARTS; part++) {
		if (prompts)
			buf_puts(command_out(r->s), prompt[part]);
		if (!read_part(r, (enum part)part))
			return false;
	}
	return true;
}

/* if ITEM ... then ITEM ... else ITEM ... */
static bool read_items(struct reader *r, const struct parsed *p)
{
	static const char *const words[PARTS] = {"if", "then", "else"};
	int part = -1;

	for (size_t i = 0; i < p->args.n; i++) {
		struct bytes w = p->args.v[i];
		int next = part + 1;

		while (next < PARTS && !bytes_is(w, words[next]))
			next++;
		if (next < PARTS)
			part = next;
		else if (!take_item(r, (enum part)part, trim(w)))
			return false;
	}
	return true;
}

/* FAILURE is a result and no error, but `why` can tell which compare it was. */
static void answer(struct shell *s, struct job *j)
{
	const struct response *r = j->results[0];

	if (r->error == ERR_NONE && !r->txn.succeeded) {
		buf_clear(&s->last_error);
		buf_puts(&s->last_error, "FAILURE");
		s->last_error_call = j->calls[0];
	}
	command_finish(s, j);
}

static void send(struct reader *r)
{
	struct heap *h = r->s->w->heap;
	struct request *req = command_request(r->s, REQ_TXN);
	struct txn_request *t = &req->txn;

	t->ncompares = r->compares.n;
	t->nsuccess = r->operations[PART_SUCCESS].n;
	t->nfailure = r->operations[PART_FAILURE].n;
	if (t->ncompares)
		t->compares =
		    (const void *)heap_dup(h, r->compares.v, t->ncompares * sizeof *t->compares);
	if (t->nsuccess)
		t->success = (const void *)heap_dup(h, r->operations[PART_SUCCESS].v,
						    t->nsuccess * sizeof *t->success);
	if (t->nfailure)
		t->failure = (const void *)heap_dup(h, r->operations[PART_FAILURE].v,
						    t->nfailure * sizeof *t->failure);
	/* etcdctl gives a transaction no limit of its own. */
	r->j->timeout_ms = INT64_MAX;
	if (!command_too_large(r->s, r->j, req))
		command_call(r->s, r->j, req, answer);
}

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	struct reader r = {.s = s, .j = j, .left = p->block};
	bool one_line = !p->block.p;

	if (!one_line && p->args.n > 0) {
		command_fail(s, j, STATUS_BAD_ARGS, "txn command does not accept argument");
		return;
	}
	if (!command_client(s, j, p))
		return;
	if (one_line ? read_items(&r, p) : read_block(&r, flag_bool(p, TXN_INTERACTIVE)))
		send(&r);
	buf_free(&r.line);
	vec_free(&r.compares);
	vec_free(&r.operations[PART_SUCCESS]);
	vec_free(&r.operations[PART_FAILURE]);
}

const struct command_row cmd_txn = {
    .name = "txn",
    .etcdctl_usage = "txn [options]",
    .group = GROUP_ETCDCTL,
    .usage = "txn [options], then compares, an empty line, operations, an empty line, operations, "
	     "end; or in one line: txn if COMPARE ... then OPERATION ... else OPERATION ...",
    .summary = "Txn processes all the requests in one transaction",
    .example = "txn if 'mod(\"/a\") = \"2\"' then 'put /a b' else 'get /a'",
    .cost = "With writes: raft index +1, and one revision for all that was executed; none if "
	    "nothing was. Of reads and compares only, or refused: nothing.",
    .arguments = "if COMPARE then OPERATION else OPERATION",
    .flags = flags,
    .nflags = TXN_FLAGS,
    .run = run,
};
