/* Configuration changes as data of entries (raftpb/raft.proto, raftpb/confchange.go).
 *
 * Protocol buffers; a field is a varint of (number * 8 + wire type), then its value:
 *
 *     version 1    08 ID   10 TYPE   18 NODE   22 LENGTH CONTEXT
 *     version 2    08 TRANSITION   (12 LENGTH (08 TYPE 10 NODE))...   1a LENGTH CONTEXT
 *
 * Type, node and transition are written even if they are 0, id and context only if they are there.
 */
#include "raft/confchange.h"

#include "api/pb.h"
#include "base/die.h"

/* Writing */

static void encode_v1(struct buf *out, const struct conf_change *cc)
{
	check_that(cc->nchanges == 1 && cc->transition == CONF_CHANGE_TRANSITION_AUTO);
	if (cc->id)
		pb_put_number(out, 1, cc->id);
	pb_put_number(out, 2, cc->changes[0].type);
	pb_put_number(out, 3, cc->changes[0].node);
	if (cc->context.n)
		pb_put_bytes(out, 4, cc->context);
}

static void encode_v2(struct buf *out, const struct conf_change *cc)
{
	struct buf one = {0};

	pb_put_number(out, 1, cc->transition);
	for (size_t i = 0; i < cc->nchanges; i++) {
		buf_clear(&one);
		pb_put_number(&one, 1, cc->changes[i].type);
		pb_put_number(&one, 2, cc->changes[i].node);
		pb_put_bytes(out, 2, buf_bytes(&one));
	}
	if (cc->context.n)
		pb_put_bytes(out, 3, cc->context);
	buf_free(&one);
}

void conf_change_encode(struct buf *out, const struct conf_change *cc, bool v1)
{
	if (v1)
		encode_v1(out, cc);
	else
		encode_v2(out, cc);
}

/* Reading */

static bool decode_v1(struct conf_change *cc, struct bytes in)
{
	struct pb_field f;

	cc->nchanges = 1;
	while (in.n) {
		if (pb_next(&in, &f) != PB_FIELD)
			return false;
		if (f.number == 1)
			cc->id = f.value;
		else if (f.number == 2)
			cc->changes[0].type = (enum conf_change_type)f.value;
		else if (f.number == 3)
			cc->changes[0].node = f.value;
		else if (f.number == 4)
			cc->context = f.bytes;
	}
	return true;
}

static bool decode_single(struct conf_change_single *c, struct bytes in)
{
	struct pb_field f;

	*c = (struct conf_change_single){0};
	while (in.n) {
		if (pb_next(&in, &f) != PB_FIELD)
			return false;
		if (f.number == 1)
			c->type = (enum conf_change_type)f.value;
		else if (f.number == 2)
			c->node = f.value;
	}
	return true;
}

static bool decode_v2(struct conf_change *cc, struct bytes in)
{
	struct pb_field f;

	while (in.n) {
		if (pb_next(&in, &f) != PB_FIELD)
			return false;
		if (f.number == 1)
			cc->transition = (enum conf_change_transition)f.value;
		else if (f.number == 3)
			cc->context = f.bytes;
		else if (f.number == 2 && (cc->nchanges == CONF_CHANGE_MAX ||
					   !decode_single(&cc->changes[cc->nchanges++], f.bytes)))
			return false;
	}
	return true;
}

/* Only kinds that we know. */
static bool is_known(const struct conf_change *cc)
{
	for (size_t i = 0; i < cc->nchanges; i++)
		if (cc->changes[i].type > CONF_CHANGE_ADD_LEARNER)
			return false;
	return cc->transition <= CONF_CHANGE_TRANSITION_JOINT_EXPLICIT;
}

bool conf_change_decode(struct conf_change *cc, enum entry_type type, struct bytes data)
{
	*cc = (struct conf_change){0};
	if (!(type == ENTRY_CONF_CHANGE ? decode_v1(cc, data) : decode_v2(cc, data)))
		return false;
	return is_known(cc);
}

struct conf_change conf_change_of(const struct entry *e)
{
	struct conf_change cc;

	check_that(e->type != ENTRY_NORMAL && (e->data || e->size == 0));
	check_that(
	    conf_change_decode(&cc, (enum entry_type)e->type, (struct bytes){e->data, e->size}));
	return cc;
}

/* Meaning */

bool conf_change_leaves_joint(const struct conf_change *cc)
{
	return cc->transition == CONF_CHANGE_TRANSITION_AUTO && cc->nchanges == 0;
}

bool conf_change_enters_joint(const struct conf_change *cc, bool *auto_leave)
{
	*auto_leave = cc->transition != CONF_CHANGE_TRANSITION_JOINT_EXPLICIT;
	return cc->transition != CONF_CHANGE_TRANSITION_AUTO || cc->nchanges > 1;
}

void conf_change_print(struct buf *out, const struct conf_change *cc)
{
	static const char letters[] = {
	    [CONF_CHANGE_ADD_NODE] = 'v',
	    [CONF_CHANGE_REMOVE_NODE] = 'r',
	    [CONF_CHANGE_UPDATE_NODE] = 'u',
	    [CONF_CHANGE_ADD_LEARNER] = 'l',
	};

	for (size_t i = 0; i < cc->nchanges; i++) {
		if (i)
			buf_putc(out, ' ');
		buf_putc(out, letters[cc->changes[i].type & 3]);
		buf_put_u64(out, cc->changes[i].node);
	}
}
