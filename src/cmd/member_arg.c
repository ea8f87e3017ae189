#include "cmd/member_arg.h"

#include "cmd/go_number.h"
#include "cmd/scratch.h"

bool member_argument(struct shell *s, struct job *j, const struct parsed *p, uint64_t *id)
{
	struct buf *m = &s->scratch->message;

	if (p->args.n != 1) {
		command_fail(s, j, STATUS_BAD_ARGS, "member ID is not provided");
		return false;
	}
	unsigned member = command_member(s->w, p->args.v[0]);
	if (member && s->w->peers[member - 1].id) {
		*id = s->w->peers[member - 1].id;
		return true;
	}
	buf_clear(m);
	buf_puts(m, "bad member ID arg (");
	if (go_parse_uint(p->args.v[0], 16, id, m))
		return true;
	buf_puts(m, "), expecting ID in Hex");
	command_fail_message(s, j, STATUS_BAD_ARGS);
	return false;
}
