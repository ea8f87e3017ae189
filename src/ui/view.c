/* Names of panes (view.h). */
#include "ui/view.h"

#include <string.h>

static const struct {
	const char *title, *name;
} panes[PANE_COUNT] = {
    [PANE_STAGE] = {"", "stage"},
    [PANE_CLIENT] = {"CLIENT", "client"},
    [PANE_MEMBERS] = {"MEMBERS", "members"},
    [PANE_WATCH] = {"WATCH and LEASES", "watch"},
    [PANE_STORE] = {"MVCC STORE", "store"},
    [PANE_STORY] = {"STORY", "story"},
    [PANE_TRACE] = {"TRACE", "trace"},
};

const char *pane_title(enum pane p)
{
	return panes[p].title;
}

const char *pane_name(enum pane p)
{
	return panes[p].name;
}

enum pane pane_named(const char *name)
{
	for (int p = 0; p < PANE_COUNT; p++)
		if (strcmp(panes[p].name, name) == 0)
			return (enum pane)p;
	return strcmp(name, "leases") == 0 ? PANE_WATCH : PANE_COUNT;
}
