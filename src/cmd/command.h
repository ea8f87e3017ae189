/* What the files of the single commands have in common: starting requests, waiting, failing,
 * printing. */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include "cmd/job.h"
#include "cmd/parse.h"

/* etcdctl's exit statuses (etcd: etcdctl/ctlv3/command/error.go). */
enum exit_status {
	STATUS_OK = 0,
	STATUS_ERROR = 1,
	STATUS_BAD_CONNECTION = 2,
	STATUS_INVALID_INPUT = 3,
	STATUS_BAD_FEATURE = 4,
	STATUS_INTERRUPTED = 5,
	STATUS_BAD_ARGS = 128
};

/* Where the job that runs now prints. */
struct buf *command_out(struct shell *s);

/* Prints "Error: " and the text, and ends the job.  The text is kept for `why`. */
void command_fail(struct shell *s, struct job *j, enum exit_status status, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* The same with a text in the shell's scratch.message, which may hold any bytes. */
void command_fail_message(struct shell *s, struct job *j, enum exit_status status);

/* etcdctl's mustClientFromCmd: takes over --write-out, --hex, --endpoints and --command-timeout.
 * False: it has failed. */
bool command_client(struct shell *s, struct job *j, const struct parsed *p);

/* A new request in the world's heap, zeroed. */
struct request *command_request(struct shell *s, enum request_kind kind);
struct bytes command_keep(struct shell *s, struct bytes b); /* a copy in the world's heap */

/* Sends it to the job's endpoints (the client picks) or to one of them (index), adds the call to
 * the job's, and waits for all of them.  Then resume is called, with the answers in j->results. */
void command_call(struct shell *s, struct job *j, const struct request *req,
		  void (*resume)(struct shell *, struct job *));
/* It takes no rN. */
void command_call_unnumbered(struct shell *s, struct job *j, const struct request *req,
			     void (*resume)(struct shell *, struct job *));
/* A login on behalf of another call: nobody's yet, and it takes no rN. */
void command_call_login(struct shell *s, struct job *j, const struct request *req, size_t endpoint,
			void (*resume)(struct shell *, struct job *));
void command_call_endpoint(struct shell *s, struct job *j, const struct request *req,
			   size_t endpoint, void (*resume)(struct shell *, struct job *));
void command_wait(struct job *j, int64_t until_ms, void (*resume)(struct shell *, struct job *));
void command_end(struct job *j);

/* The request of the job's newest call. */
const struct request *command_asked(const struct shell *s, const struct job *j);
/* Prints an answer in the job's form, or the error that the form does not exist; ends the job. */
void command_print(struct shell *s, struct job *j, const struct response *r,
		   const struct request *req);
/* The usual end: the error, or the answer. */
void command_finish(struct shell *s, struct job *j);

/* Endpoints for commands that ask each of them: without --endpoints the default one.  With cluster:
 * every member. */
void command_each_endpoint(struct shell *s, struct job *j, bool all_members);

/* The form that was asked for does not exist for this command. */
void command_no_form(struct shell *s, struct job *j);
/* Adds a job of its own to those in the background; it prints for itself. */
void shell_add_background(struct shell *s, struct job *j);

/* Reads "S2", an id or a URL; https and names without a scheme count too. 0: no such member. */
unsigned command_member(const struct world *w, struct bytes name);
/* The same for a member that a fault command names: an error (not etcdctl's) if there is none. */
unsigned command_need_member(struct shell *s, struct job *j, struct bytes name);
/* Reads a list S1,S2,...; out[i]: member i + 1 is in it. */
bool command_members(struct shell *s, struct job *j, struct bytes list, bool out[MEMBERS_MAX]);
/* Checks the number of positional arguments of a command that is not etcdctl's; says its usage if
 * it is wrong. */
bool command_arguments(struct shell *s, struct job *j, const struct parsed *p, size_t least,
		       size_t most);

/* Ranges as clientv3 makes them. */
struct bytes command_prefix_end(struct shell *s, struct bytes prefix);
struct key_range command_prefix(struct shell *s, struct bytes prefix);
struct key_range command_from_key(struct shell *s, struct bytes key);

/* The operations of put, get and del, from their flags and arguments: used by the commands and by
 * the lines of a transaction.  False: the job has failed with etcdctl's text. */
bool put_operation(struct shell *s, struct job *j, const struct parsed *p, struct request *req);
bool get_operation(struct shell *s, struct job *j, const struct parsed *p, struct request *req);
bool del_operation(struct shell *s, struct job *j, const struct parsed *p, struct request *req);
extern const struct command_row cmd_put, cmd_get, cmd_del;

/* Does gRPC's client refuse it as too large (2 MiB)?  Then it has failed. */
bool command_too_large(struct shell *s, struct job *j, const struct request *req);

/* A lease id as etcdctl reads it: hexadecimal.  False: it has failed. */
bool command_lease(struct shell *s, struct job *j, struct bytes text, int64_t *id);

/* Begins the job's command once more, from its text: it has logged in. */
void shell_run_again(struct shell *s, struct job *j);

/* Steps and requests left running (drive.c), watchers. */
void shell_begin_step(struct shell *s, struct step_goal goal);
void shell_release_held(
    struct shell *s); /* an open command goes to the background; an open wait is dropped */
bool shell_end_request(struct shell *s,
		       uint64_t number); /* interrupt, terminate; false: no such request */
bool shell_kill_request(struct shell *s, uint64_t number); /* SIGKILL: it has no last word */
uint32_t command_watcher(struct shell *s, struct job *j,
			 struct bytes name); /* "w1"; 0: it has failed */

#endif
