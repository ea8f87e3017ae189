/* version (etcd: version_command.go). */
#include "cmd/command.h"

static void run(struct shell *s, struct job *j, const struct parsed *p)
{
	bool v35 = s->w->cfg.etcd_version >= 35;

	(void)p;
	buf_printf(command_out(s), "etcdctl version: %s\nAPI version: %s\n",
		   v35 ? "3.5.16" : "3.4.23", v35 ? "3.5" : "3.4");
	command_end(j);
}

const struct command_row cmd_version = {
    .name = "version",
    .group = GROUP_ETCDCTL,
    .usage = "version",
    .summary = "Prints the version of etcdctl",
    .example = "version",
    .cost = "Nothing.",
    .versions = "Says 3.4.23 or 3.5.16.",
    .run = run,
};
