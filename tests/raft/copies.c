/* Copies of nodes: going back, and living on as a copy. */
#include "env.h"

static struct node *node_copy(const struct node *from)
{
	struct node *n = xmalloc(sizeof *n);

	*n = *from;
	n->raft = raft_copy(from->raft, &n->storage);
	vec_copy(&n->append_work, &from->append_work);
	vec_copy(&n->apply_work, &from->apply_work);
	vec_copy(&n->history, &from->history);
	return n;
}

void node_free(struct node *n)
{
	raft_free(n->raft);
	vec_free(&n->append_work);
	vec_free(&n->apply_work);
	vec_free(&n->history);
	free(n);
}

void world_free(struct world *w)
{
	for (size_t i = 0; i < w->nodes.n; i++)
		node_free(w->nodes.v[i]);
	vec_free(&w->nodes);
	vec_free(&w->messages);
}

static struct world world_copy(const struct world *from)
{
	struct world w = {0};

	for (size_t i = 0; i < from->nodes.n; i++)
		vec_push(&w.nodes, node_copy(from->nodes.v[i]));
	vec_copy(&w.messages, &from->messages);
	return w;
}

void env_replace_by_copy(struct env *e)
{
	struct world copy;

	heap_freeze(e->heap);
	copy = world_copy(&e->now);
	world_free(&e->now);
	e->now = copy;
}

/* Remembers the world as it is; the present one goes on. */
const char *checkpoint(struct env *e, const struct dd_case *c)
{
	(void)c;
	heap_freeze(e->heap);
	world_free(&e->past);
	e->past = world_copy(&e->now);
	return NULL;
}

/* The world is again what it was at the checkpoint, which can be returned to once more. */
const char *back(struct env *e, const struct dd_case *c)
{
	(void)c;
	heap_freeze(e->heap);
	world_free(&e->now);
	e->now = world_copy(&e->past);
	env_set_level(e, e->level);
	return NULL;
}
