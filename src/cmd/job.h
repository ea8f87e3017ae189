/* A command under way: a small state machine that can be copied.
 *
 * A command never blocks.  Its run function starts what it has to and says what it waits for; when
 * that has happened the shell calls resume, which prints, waits for the next thing, or says that it
 * is done.  All that a job points to lives in the world's heap, so copying the struct copies the
 * job.
 */
#ifndef CMD_JOB_H
#define CMD_JOB_H

#include "cmd/print.h"
#include "cmd/shell.h"
#include "cmd/words.h"

struct command_row;
struct parsed;

enum job_wait {
	WAIT_NOTHING, /* done */
	WAIT_CALLS,   /* for answers to all its calls */
	WAIT_TIME,    /* until until_ms has been lived through */
	WAIT_LEADER,
	WAIT_QUIET,
	WAIT_STORE,  /* until `changed` says that the store has changed in the way that matters */
	WAIT_SIGNAL, /* until it is interrupted, or its session has expired */
	WAIT_WATCHER /* until its watcher has been created or refused */
};

struct job;

/* What check perf and check datascale count (check_load.c): the command's job, and each of its
 * clients. */
struct load {
	uint64_t number;  /* the same in the job and its clients; 0: no such command */
	uint32_t clients; /* still at work; of a client: which one it is */
	uint32_t rate;	  /* writes wanted a second; 0: as many as can be */
	uint32_t left;	  /* of a client: writes to go; 0: until the end */
	uint32_t done, failed;
	int64_t begin_ms, end_ms, sent_ms, next_us, every_us, slowest_ms;
	double sum, squares; /* of the times, in milliseconds */
	uint8_t model;
	bool is_client, compact, defrag;
};

/* What the recipes for locks and elections keep (recipe.c). */
struct recipe {
	void (*next)(struct shell *s, struct job *j); /* when the step under way is done */
	bool keeps_alive;     /* this job only renews the lease of another one's session */
	bool expired;	      /* the session's lease is gone */
	int64_t lease;	      /* of the session; 0: none yet */
	int64_t rev;	      /* create_revision of the key; 0: it is not there */
	int64_t seen;	      /* mod_revision of the leader's key that was shown last */
	struct bytes prefix;  /* "NAME/" */
	struct bytes key;     /* "NAME/LEASEHEX" */
	struct bytes value;   /* of an election: the proposal */
	struct bytes before;  /* the key that must go first */
	struct bytes command; /* what is run while the lock is held */
};

struct job {
	const struct command_row *row;
	void (*resume)(struct shell *s, struct job *j);
	enum job_wait wait;
	bool (*changed)(const struct shell *s, const struct job *j); /* WAIT_STORE */
	/* Ctrl-C does this first, and the job ends with it; NULL: it ends at once, without a word.
	 */
	void (*interrupted)(struct shell *s, struct job *j);
	/* The job went on as another command, which has ended. */
	void (*after)(struct shell *s, struct job *j);
	struct recipe recipe;
	struct load load;
	bool background;		 /* typed with & */
	uint64_t number;		 /* rN of its first call; 0: none */
	uint64_t calls[MEMBERS_MAX + 1]; /* under way, or just answered */
	uint8_t ncalls;
	uint8_t phase;	/* the command's own */
	uint8_t at;	/* endpoint that is being asked, from 0 */
	uint8_t nshown; /* endpoints; 0: the default one */
	uint8_t endpoints[MEMBERS_MAX];
	struct bytes shown[MEMBERS_MAX]; /* the endpoints as typed */
	uint32_t watcher;		 /* WAIT_WATCHER */
	struct bytes lines;		 /* of watch -i: those that have not been read yet */
	int64_t start_ms, until_ms;
	int64_t timeout_ms;  /* of each call; INT64_MAX: none */
	int64_t deadline_ms; /* the command's own: see lease keep-alive */
	const char *client;  /* NULL: kube-apiserver */
	struct bytes text;   /* as typed */
	enum print_format format;
	struct bytes user;	    /* who has logged in; n == 0: nobody */
	uint8_t login;		    /* enum login (login.h) */
	const struct request *auth; /* with which it has logged in */
	struct dial { /* a call that waits until a connection of its own has logged in */
		const struct request *req;
		void (*resume)(struct shell *s, struct job *j);
		uint8_t endpoint, logins;
	} dial;
	bool hex, value_only, keys, failed;
	int64_t id; /* the lease, revision or target it is about */
	int64_t took_ms[MEMBERS_MAX];
	const struct response *results[MEMBERS_MAX + 1];
	struct pipe pipes[PIPES_MAX];
	size_t npipes;
};

#endif
