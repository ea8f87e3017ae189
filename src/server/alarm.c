#include "server/alarm.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"

static bool is_same(struct alarm a, struct alarm b)
{
	return a.member_id == b.member_id && a.kind == b.kind;
}

static bool has(const struct alarm_list *l, struct alarm a)
{
	for (size_t i = 0; i < l->n; i++)
		if (is_same(l->v[i], a))
			return true;
	return false;
}

bool alarms_have(const struct alarm_list *l, enum alarm_kind kind)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].kind == kind)
			return true;
	return false;
}

bool alarms_add(struct alarm_list *l, struct heap *h, struct alarm a)
{
	struct alarm *v;
	size_t at = 0;

	if (has(l, a))
		return false;
	while (at < l->n && l->v[at].member_id <= a.member_id)
		at++;
	v = heap_alloc(h, (l->n + 1) * sizeof *v);
	if (at)
		memcpy(v, l->v, at * sizeof *v);
	v[at] = a;
	if (at < l->n)
		memcpy(v + at + 1, l->v + at, (l->n - at) * sizeof *v);
	l->v = v;
	l->n++;
	return true;
}

bool alarms_take(struct alarm_list *l, struct heap *h, struct alarm a)
{
	size_t n = 0;

	if (!has(l, a))
		return false;
	struct alarm *v = heap_alloc(h, l->n * sizeof *v);
	for (size_t i = 0; i < l->n; i++)
		if (!is_same(l->v[i], a))
			v[n++] = l->v[i];
	l->v = v;
	l->n = n;
	return true;
}

const char *alarm_text(struct heap *h, struct alarm a)
{
	struct buf b = {0};

	buf_printf(&b, "memberID:%" PRIu64 " alarm:%s ", a.member_id,
		   a.kind == ALARM_NO_SPACE ? "NOSPACE" : "CORRUPT");
	const char *text = heap_dup(h, buf_str(&b), b.n + 1);
	buf_free(&b);
	return text;
}
