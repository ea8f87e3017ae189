#include "talk.h"

#include <string.h>

struct talk talk_begin(const char *const *settings)
{
	struct config c;
	struct talk k = {0};
	struct buf err = {0};

	config_init(&c);
	for (; settings && *settings; settings++) {
		char text[64];
		snprintf(text, sizeof text, "%s", *settings);
		char *value = strchr(text, ' ');
		*value++ = 0;
		if (!config_set(&c, text, value, &err))
			fail_msg("%s", buf_str(&err));
	}
	buf_free(&err);
	k.t = trace_new(TRACE_RAFT);
	k.w = world_new(&c, k.t);
	k.w->numbering = true;
	return k;
}

void talk_end(struct talk *k)
{
	world_free(k->w);
	trace_free(k->t);
}

void rest(struct talk *k)
{
	while (sim_step(k->w))
		;
}

void wait_ms(struct talk *k, int64_t ms)
{
	int64_t until = k->w->now_ms + ms;

	for (rest(k); sim_next_ms(k->w) <= until; rest(k))
		sim_advance(k->w, sim_next_ms(k->w));
	if (k->w->now_ms < until)
		sim_advance(k->w, until);
	rest(k);
}

void set(struct talk *k, const char *name, const char *value)
{
	struct config c = k->w->cfg;
	struct buf err = {0};

	assert_true(config_set(&c, name, value, &err));
	sim_configure(k->w, &c);
}

uint64_t ask_for(struct talk *k, struct request r, unsigned endpoint, int64_t timeout_ms)
{
	struct request *q = heap_alloc(k->w->heap, sizeof *q);

	*q = r;
	return sim_call(k->w, q,
			&(struct call_options){.numbered = true,
					       .timeout_ms = timeout_ms,
					       .endpoints = {(uint8_t)endpoint},
					       .nendpoints = endpoint ? 1 : 0});
}

uint64_t ask(struct talk *k, struct request r, unsigned endpoint)
{
	return ask_for(k, r, endpoint, 5000);
}

uint64_t put(struct talk *k, const char *key, const char *value, unsigned endpoint)
{
	return ask(k,
		   (struct request){.kind = REQ_PUT,
				    .put = {.key = bytes_of(key), .value = bytes_of(value)}},
		   endpoint);
}

uint64_t get(struct talk *k, const char *key, unsigned endpoint, bool serializable)
{
	return ask(k,
		   (struct request){
		       .kind = REQ_RANGE,
		       .range = {.range = {.key = bytes_of(key)}, .serializable = serializable}},
		   endpoint);
}

uint64_t add(struct talk *k, unsigned number, bool learner, unsigned endpoint)
{
	return ask(k,
		   (struct request){.kind = REQ_MEMBER_ADD,
				    .member = {.name = member_name(number),
					       .peer_url = member_peer_url(number),
					       .is_learner = learner}},
		   endpoint);
}

uint64_t member(struct talk *k, enum request_kind kind, uint64_t id, unsigned endpoint)
{
	return ask(k, (struct request){.kind = kind, .member = {.id = id}}, endpoint);
}

uint64_t move_leader(struct talk *k, uint64_t id, unsigned endpoint)
{
	return ask(k, (struct request){.kind = REQ_MOVE_LEADER, .move_leader = {id}}, endpoint);
}

const struct response *answer(struct talk *k, uint64_t call)
{
	int64_t now = k->w->now_ms;

	rest(k);
	assert_int_equal(k->w->now_ms, now);
	assert_int_equal(world_call(k->w, call)->state, CALL_DONE);
	return world_call(k->w, call)->response;
}

const char *outcome(struct talk *k, uint64_t call)
{
	rest(k);
	const struct call *c = world_call(k->w, call);
	return c->state == CALL_DONE ? error_text(c->response->error) : "...";
}

const char *story(struct talk *k, struct buf *out, int kind)
{
	buf_clear(out);
	for (; k->heard < k->t->end; k->heard++) {
		const struct trace_record *r = trace_get(k->t, k->heard);
		if (kind >= 0 && r->kind != kind)
			continue;
		trace_print(out, r);
		buf_putc(out, '\n');
	}
	return buf_str(out);
}

bool told(struct talk *k, const char *text)
{
	uint64_t heard = k->heard;
	struct buf b = {0};
	bool found = strstr(story(k, &b, -1), text) != NULL;

	buf_free(&b);
	k->heard = heard;
	return found;
}

struct member *at(struct talk *k, unsigned number)
{
	return world_member(k->w, number);
}

int64_t rev(struct talk *k, unsigned number)
{
	return at(k, number)->store.current_rev;
}

uint64_t term(struct talk *k, unsigned number)
{
	return raft_term(at(k, number)->raft);
}

uint64_t last(struct talk *k, unsigned number)
{
	return server_last_index(at(k, number));
}

const char *value(struct talk *k, unsigned number, const char *key, struct buf *out)
{
	const struct row *r = mvcc_get(&at(k, number)->store, bytes_of(key), 0);

	buf_clear(out);
	if (!r)
		return NULL;
	buf_put_bytes(out, row_value(r));
	return buf_str(out);
}

const char *conf(struct talk *k, unsigned number, struct buf *out)
{
	const struct conf_state *c = server_conf(at(k, number));

	buf_clear(out);
	for (unsigned n = 1; n <= k->w->nmembers; n++) {
		uint64_t id = k->w->peers[n - 1].id;
		for (size_t i = 0; i < c->nvoters; i++)
			if (c->voters[i] == id)
				buf_printf(out, "%sS%u", out->n ? " " : "", n);
		for (size_t i = 0; i < c->nlearners; i++)
			if (c->learners[i] == id)
				buf_printf(out, "%s(S%u)", out->n ? " " : "", n);
	}
	return buf_str(out);
}
