/* show net: the links that are cut, slow or lossy. */
#include "cmd/links.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

/* A link as it is shown: one direction, or both where they are alike. */
struct shown {
	unsigned from, to;
	bool both;
};

static bool differs(const struct world *w, unsigned from, unsigned to)
{
	return w->cut[from][to] || link_is_set(&w->link[from][to]);
}

static bool is_alike(const struct world *w, unsigned a, unsigned b)
{
	const struct link *x = &w->link[a][b], *y = &w->link[b][a];

	return w->cut[a][b] == w->cut[b][a] && x->delay_ms == y->delay_ms &&
	       x->delay_max_ms == y->delay_max_ms && x->loss == y->loss &&
	       x->duplicate == y->duplicate && x->reorder == y->reorder;
}

static void put_end(struct buf *out, unsigned end)
{
	if (end == LINK_CLIENT)
		buf_puts(out, "client");
	else
		buf_printf(out, "S%u", end);
}

/* "S1 <-> S2     delay 50ms   loss 20%" */
static void put_line(struct buf *out, const struct world *w, const struct shown *l)
{
	const struct link *k = &w->link[l->from][l->to];
	size_t from = out->n;
	unsigned fields = (k->delay_ms || k->delay_max_ms ? LINK_DELAY : 0u) |
			  (k->loss ? LINK_LOSS : 0u) | (k->duplicate ? LINK_DUPLICATE : 0u) |
			  (k->reorder ? LINK_REORDER : 0u);

	put_end(out, l->from);
	buf_puts(out, l->both ? " <-> " : " -> ");
	put_end(out, l->to);
	while (out->n - from < sizeof "client <-> S1" - 1)
		buf_putc(out, ' ');
	if (w->cut[l->from][l->to])
		buf_puts(out, " cut");
	link_print(out, k, fields);
	buf_putc(out, '\n');
}

static void add_end(cJSON *o, const char *name, unsigned end)
{
	struct buf text = {0};

	put_end(&text, end);
	cJSON_AddStringToObject(o, name, buf_str(&text));
	buf_free(&text);
}

/* One direction, an object on a line of its own. */
static void put_json(struct buf *out, const struct world *w, unsigned from, unsigned to)
{
	const struct link *k = &w->link[from][to];
	cJSON *o = cJSON_CreateObject();

	add_end(o, "from", from);
	add_end(o, "to", to);
	cJSON_AddBoolToObject(o, "cut", w->cut[from][to]);
	cJSON_AddItemToObject(o, "delayMs",
			      cJSON_CreateIntArray((int[]){k->delay_ms, k->delay_max_ms}, 2));
	cJSON_AddNumberToObject(o, "loss", k->loss);
	cJSON_AddNumberToObject(o, "duplicate", k->duplicate);
	cJSON_AddNumberToObject(o, "reorder", k->reorder);
	char *text = cJSON_PrintUnformatted(o);
	buf_printf(out, "%s\n", text);
	free(text);
	cJSON_Delete(o);
}

void links_print(struct buf *out, const struct world *w, bool json)
{
	for (unsigned a = 0; a <= w->nmembers; a++)
		for (unsigned b = a + 1; b <= w->nmembers; b++) {
			struct shown l = {a, b, is_alike(w, a, b)};
			if (json && differs(w, a, b))
				put_json(out, w, a, b);
			else if (differs(w, a, b))
				put_line(out, w, &l);
			if (json && differs(w, b, a))
				put_json(out, w, b, a);
			else if (!l.both && differs(w, b, a))
				put_line(out, w, &(struct shown){b, a, false});
		}
}
