/* Applying changes to a configuration (etcd-io/raft: confchange/confchange.go, restore.go; Raft
 * dissertation, section 4.3).
 *
 * Changes work on the incoming half.  While the configuration is joint, members of the outgoing
 * half keep their progress, and one that is to become a learner waits in learners_next:
 *
 *     voters=(1 2 3)          enter joint: l3
 *     voters=(1 2)&&(1 2 3) learners_next=(3)
 *     voters=(1 2) learners=(3)     leave joint
 */
#include "raft/changer.h"

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The primitive changes */

static void init_progress(struct tracker *t, uint64_t last_index, uint64_t id, bool learner)
{
	struct progress *p = tracker_add(t, id);

	p->match = 0;
	p->next = max_u64(last_index, 1);
	p->is_learner = learner;
	/* Counts as heard of, so that a check of the quorum soon after does not miss it. */
	p->recent_active = true;
	if (learner)
		conf_set_add(t->conf.learners, &t->conf.nlearners, id);
	else
		conf_set_add(t->conf.voters, &t->conf.nvoters, id);
}

static void drop_learner(struct conf_state *c, uint64_t id)
{
	conf_set_remove(c->learners, &c->nlearners, id);
	conf_set_remove(c->learners_next, &c->nlearners_next, id);
}

static void make_voter(struct tracker *t, uint64_t last_index, uint64_t id)
{
	struct progress *p = tracker_find(t, id);

	if (!p) {
		init_progress(t, last_index, id, false);
		return;
	}
	p->is_learner = false;
	drop_learner(&t->conf, id);
	conf_set_add(t->conf.voters, &t->conf.nvoters, id);
}

static void make_learner(struct tracker *t, uint64_t last_index, uint64_t id)
{
	struct progress *p = tracker_find(t, id);
	struct conf_state *c = &t->conf;

	if (!p) {
		init_progress(t, last_index, id, true);
		return;
	}
	if (p->is_learner)
		return;
	conf_set_remove(c->voters, &c->nvoters, id);
	drop_learner(c, id);
	if (conf_set_has(c->outgoing, c->noutgoing, id)) {
		conf_set_add(c->learners_next, &c->nlearners_next, id);
	} else {
		p->is_learner = true;
		conf_set_add(c->learners, &c->nlearners, id);
	}
}

static void remove_member(struct tracker *t, uint64_t id)
{
	struct conf_state *c = &t->conf;

	if (!tracker_find(t, id))
		return;
	conf_set_remove(c->voters, &c->nvoters, id);
	drop_learner(c, id);
	if (!conf_set_has(c->outgoing, c->noutgoing, id))
		tracker_remove(t, id);
}

static const char *apply(struct tracker *t, uint64_t last_index, const struct conf_change_single *c,
			 size_t n)
{
	for (size_t i = 0; i < n; i++) {
		/* Node 0 stands for a change that was refused elsewhere. */
		if (c[i].node == 0)
			continue;
		switch (c[i].type) {
		case CONF_CHANGE_ADD_NODE:
			make_voter(t, last_index, c[i].node);
			break;
		case CONF_CHANGE_ADD_LEARNER:
			make_learner(t, last_index, c[i].node);
			break;
		case CONF_CHANGE_REMOVE_NODE:
			remove_member(t, c[i].node);
			break;
		case CONF_CHANGE_UPDATE_NODE:
			break;
		}
	}
	return t->conf.nvoters ? NULL : "removed all voters";
}

/* All or nothing: changes are made on a struct copy, whose progresses share the windows of the
 * original. */

static bool still_used(const struct tracker *t, const struct inflight *ring)
{
	for (size_t i = 0; i < t->nprogress; i++)
		if (t->progress[i].inflights.ring == ring)
			return true;
	return false;
}

static void take_over(struct tracker *t, const struct tracker *changed)
{
	for (size_t i = 0; i < t->nprogress; i++)
		if (!still_used(changed, t->progress[i].inflights.ring))
			inflights_free(&t->progress[i].inflights);
	*t = *changed;
}

/* In how many members do the two sets differ? */
static size_t difference(const struct conf_state *a, const struct conf_state *b)
{
	size_t n = 0;

	for (size_t i = 0; i < a->nvoters; i++)
		n += !conf_set_has(b->voters, b->nvoters, a->voters[i]);
	for (size_t i = 0; i < b->nvoters; i++)
		n += !conf_set_has(a->voters, a->nvoters, b->voters[i]);
	return n;
}

const char *changer_simple(struct tracker *t, uint64_t last_index,
			   const struct conf_change_single *c, size_t n)
{
	struct tracker changed = *t;

	if (conf_is_joint(&t->conf))
		return "can't apply simple config change in joint config";
	const char *err = apply(&changed, last_index, c, n);

	if (err)
		return err;
	if (difference(&t->conf, &changed.conf) > 1)
		return "more than one voter changed without entering joint config";
	take_over(t, &changed);
	return NULL;
}

const char *changer_enter_joint(struct tracker *t, uint64_t last_index, bool auto_leave,
				const struct conf_change_single *c, size_t n)
{
	struct tracker changed = *t;

	if (conf_is_joint(&t->conf))
		return "config is already joint";
	if (t->conf.nvoters == 0)
		return "can't make a zero-voter config joint";
	memcpy(changed.conf.outgoing, t->conf.voters, sizeof t->conf.voters);
	changed.conf.noutgoing = t->conf.nvoters;
	const char *err = apply(&changed, last_index, c, n);

	if (err)
		return err;
	changed.conf.auto_leave = auto_leave;
	take_over(t, &changed);
	return NULL;
}

const char *changer_leave_joint(struct tracker *t)
{
	struct tracker changed = *t;
	struct conf_state *c = &changed.conf;

	if (!conf_is_joint(c))
		return "can't leave a non-joint config";
	for (size_t i = 0; i < c->nlearners_next; i++) {
		conf_set_add(c->learners, &c->nlearners, c->learners_next[i]);
		tracker_find(&changed, c->learners_next[i])->is_learner = true;
	}
	c->nlearners_next = 0;
	for (size_t i = 0; i < c->noutgoing; i++)
		if (!conf_set_has(c->voters, c->nvoters, c->outgoing[i]) &&
		    !conf_set_has(c->learners, c->nlearners, c->outgoing[i]))
			tracker_remove(&changed, c->outgoing[i]);
	c->noutgoing = 0;
	c->auto_leave = false;
	take_over(t, &changed);
	return NULL;
}

/* Restoring */

static const char *simple_each(struct tracker *t, uint64_t last_index, enum conf_change_type type,
			       const uint64_t *ids, size_t n)
{
	const char *err = NULL;

	for (size_t i = 0; i < n && !err; i++)
		err = changer_simple(t, last_index, &(struct conf_change_single){type, ids[i]}, 1);
	return err;
}

static size_t add_changes(struct conf_change_single *c, size_t n, enum conf_change_type type,
			  const uint64_t *ids, size_t nids)
{
	for (size_t i = 0; i < nids; i++)
		c[n + i] = (struct conf_change_single){type, ids[i]};
	return n + nids;
}

const char *changer_restore(struct tracker *t, uint64_t last_index, const struct conf_state *c)
{
	const char *err;

	if (!conf_is_joint(c)) {
		err = simple_each(t, last_index, CONF_CHANGE_ADD_NODE, c->voters, c->nvoters);
		return err ? err
			   : simple_each(t, last_index, CONF_CHANGE_ADD_LEARNER, c->learners,
					 c->nlearners);
	}
	struct conf_change_single in[4 * CONF_MAX];
	size_t n = 0;

	/* First the configuration that is being left, then the step into the joint one. */
	err = simple_each(t, last_index, CONF_CHANGE_ADD_NODE, c->outgoing, c->noutgoing);
	if (err)
		return err;
	n = add_changes(in, n, CONF_CHANGE_REMOVE_NODE, c->outgoing, c->noutgoing);
	n = add_changes(in, n, CONF_CHANGE_ADD_NODE, c->voters, c->nvoters);
	n = add_changes(in, n, CONF_CHANGE_ADD_LEARNER, c->learners, c->nlearners);
	n = add_changes(in, n, CONF_CHANGE_ADD_LEARNER, c->learners_next, c->nlearners_next);
	return changer_enter_joint(t, last_index, c->auto_leave, in, n);
}
