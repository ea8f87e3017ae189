/* The lines of a transaction as etcdctl reads them (etcd: txn_command.go, util.go), which are not
 * the words of a command line: compares are scanned with Go's fmt.Sscanf, operations cut by a
 * regular expression. */
#ifndef CMD_TXN_PARSE_H
#define CMD_TXN_PARSE_H

#include "base/vec.h"
#include "cmd/command.h"

/* TARGET("KEY") OP "VALUE".  False: the job has failed with etcdctl's text. */
bool txn_parse_compare(struct shell *s, struct job *j, struct bytes line, struct compare *out);

/* put, get or del with its flags. */
bool txn_parse_operation(struct shell *s, struct job *j, struct bytes line, struct request *out);

/* Cuts a line of an operation into words; texts are appended to text, words point into it once all
 * is there. */
struct txn_words {
	VEC(struct bytes) words;
	struct buf text;
};
void txn_words_free(struct txn_words *w);
/* False: a double-quoted word has a bad escape. */
bool txn_cut_words(struct txn_words *w, struct bytes line);

#endif
