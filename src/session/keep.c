/* What a person typed is never thrown away because a demo is started.
 *
 * A script takes the place of all that the player holds.  Whatever was typed before goes into files
 * beside the journal first: work-1.scope, or the first such number that is free, with a file for
 * each branch in which something was typed (work-1-b.scope).
 */
#include <stdio.h>
#include <unistd.h>

#include "session/files.h"
#include "session/session_state.h"

enum { KEPT_MAX = 10000 };

/* "FOLDER/work-2": no session has kept anything there. */
static void free_name(struct buf *out, const char *folder)
{
	struct buf path = {0};

	for (int i = 1; i <= KEPT_MAX; i++) {
		buf_clear(&path);
		buf_printf(&path, "%s/work-%d.scope", folder, i);
		buf_clear(out);
		buf_printf(out, "%s/work-%d", folder, i);
		if (access(buf_str(&path), F_OK) != 0)
			break;
	}
	buf_free(&path);
}

/* The branches in which something was typed; the first one takes the plain name, which *first is.
 */
static bool write_branches(struct session *s, const char *stem, struct buf *first, struct buf *err)
{
	struct buf here = {0}, path = {0};
	bool ok = true;

	buf_puts(&here, player_branch_name(s->player));
	for (size_t i = 0; ok && i < player_branches(s->player); i++) {
		if (!player_branch_typed(s->player, i))
			continue;
		const char *name = player_branch_at(s->player, i);
		buf_clear(&path);
		if (first->n)
			buf_printf(&path, "%s-%s.scope", stem, name);
		else
			buf_printf(&path, "%s.scope", stem);
		if (!first->n)
			buf_put_bytes(first, buf_bytes(&path));
		player_switch(s->player, name);
		ok = session_write_branch(s, buf_str(&path), err);
	}
	player_switch(s->player, buf_str(&here));
	buf_free(&here);
	buf_free(&path);
	return ok;
}

void session_keep_typed(struct session *s, struct buf *told)
{
	struct buf folder = {0}, stem = {0}, first = {0}, err = {0};
	size_t n = player_typed(s->player);

	if (n && !s->restoring && s->journal && files_state(&folder)) {
		free_name(&stem, buf_str(&folder));
		const char *count = n == 1 ? "command is" : "commands are";
		if (write_branches(s, buf_str(&stem), &first, &err))
			buf_printf(told, "Your %zu %s kept: `new`, then `source %s`", n, count,
				   buf_str(&first));
		else
			buf_printf(told, "Your %zu %s lost: %s", n, count, buf_str(&err));
	}
	buf_free(&folder);
	buf_free(&stem);
	buf_free(&first);
	buf_free(&err);
}
