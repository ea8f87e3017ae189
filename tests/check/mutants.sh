#!/bin/sh
# Shows that the rules of src/check can fail: each line below breaks one line of the engine, in a copy, and names
# the rules of which one must say so.  A mistake is linked in front of the archive, so nothing else is compiled.
#
# usage: tests/check/mutants.sh [-b BUILD] [-s SEEDS] [NAME]
set -u
cd "$(dirname "$0")/../.." || exit 1
build=build seeds=10000
while getopts b:s: flag; do
	case $flag in
	b) build=$OPTARG ;;
	s) seeds=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
only=${1-}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 cc=${CC:-cc}

cat >"$work/main.c" <<'END'
#include "explore/explore.h"
int main(int argc, char **argv)
{
	return explore_main(argc, argv);
}
END
compile() { $cc -std=c11 -D_GNU_SOURCE -Isrc -O2 -w "$@"; }
compile -c -o "$work/main.o" "$work/main.c" || exit 1

# name | file | sed script that breaks it | rules that may say so, separated by commas
mutant()
{
	name=$1 file=$2 script=$3 rules=$4
	case $name in *"$only"*) ;; *) return ;; esac
	sed "$script" "$file" >"$work/broken.c"
	if cmp -s "$file" "$work/broken.c"; then
		echo "FAIL $name: the line in $file is no longer there"
		failed=$((failed + 1))
		return
	fi
	if ! compile -iquote "$(dirname "$file")" -c -o "$work/broken.o" "$work/broken.c" ||
		! compile -o "$work/sim" "$work/main.o" "$work/broken.o" "$build/libetcdscope.a" -Wl,-z,muldefs -lm; then
		echo "FAIL $name: does not compile"
		failed=$((failed + 1))
		return
	fi
	timeout 120 "$work/sim" --seeds=1.."$seeds" --out="$work/found.scope" >"$work/log" 2>/dev/null
	rule=$(sed -n '1s/^seed [0-9]*: \([^:]*\).*/\1/p' "$work/log")
	case ",$rules," in
	*",${rule:-nothing},"*)
		echo "ok   $name: $(sed -n 1p "$work/log")"
		passed=$((passed + 1))
		;;
	*)
		echo "FAIL $name: should break $rules: $(sed -n 1p "$work/log")"
		failed=$((failed + 1))
		;;
	esac
}

mutant commit-counts-half src/raft/quorum.c 's/return n \/ 2 + 1;/return (n + 1) \/ 2 - (n > 2);/' \
	'Election Safety,Committed Is Durable'
mutant vote-not-synced src/server/ready.c 's/c->must_sync = rd->must_sync/c->must_sync = rd->nentries > 0/' \
	'Promised After Written,One Vote A Term'
mutant acknowledged-before-written src/server/ready.c \
	's/return env->set->send_parallel \&\& raft_role(m->raft) == STATE_LEADER;/return env->set->send_parallel;/' \
	'Promised After Written'
mutant synced-tail-lost src/wal/wal.c \
	'/^void wal_crash/,/^}/s/w->synced);/w->synced - (w->synced > w->records.first + 3)); w->synced = w->records.end;/' \
	'Durable Stays Durable'
mutant append-without-looking src/raft/log.c '/^bool log_maybe_append/,/^}/s/!log_match_term(l, m->index, m->log_term)/m->index > log_last_index(l)/' \
	'Log Matching,State Machine Safety'
mutant read-without-read-index src/server/propose.c \
	's/^\tw->phase = WAIT_READ_NEXT;/\tw->phase = WAIT_APPLIED, server_serve_reads(m, env);/' 'Linearizable Read'
mutant read-rides-on-an-older-question src/server/propose.c 's/w->phase = WAIT_READ_NEXT;/w->phase = WAIT_READ;/' \
	'Linearizable Read'
mutant read-index-without-a-round src/raft/read_index.c 's/r->cfg.read_only == READ_ONLY_LEASE_BASED/r->cfg.id/' \
	'Linearizable Read'
mutant lease-runs-out-in-an-election src/lease/lessor.c 's/now_ms + ttl \* 1000 + extend_ms/now_ms/' \
	'Leases Last Their Time'
mutant lease-renewed-while-revoked src/server/lease.c 's/lease_left_ms(l, now_ms) == 0/false/' \
	'Leases Last Their Time'
mutant key-keeps-its-old-lease src/lease/lessor.c '/^enum error lessor_attach/,/^}/s/^\tlessor_detach(l, key);//' \
	'Equal Stores,A Key Has One Lease,Revisions Count Transactions'
mutant watch-resumes-at-last-seen src/sim/watcher.c 's/c->seen + 1 : c->asked_rev/c->seen : c->asked_rev/' \
	'Watches Are Ordered'
mutant watch-resumes-too-late src/sim/watcher.c 's/c->seen + 1 : c->asked_rev/c->seen + 2 : c->asked_rev/' \
	'Watches Are Resumable'
mutant watch-misses-a-change src/watch/watchable.c '/^static size_t notify_one/,/^}/s/^\t\tif (wants)/\t\tif (wants \&\& !events.n)/' \
	'Watches Are Atomic,Watches Are Reliable'
mutant watch-shows-the-wrong-previous src/watch/watchable.c 's/x->prev_kv ? row_previous(m, r) : NULL/x->prev_kv ? r : NULL/' \
	'Watches Show The Previous Value'
mutant synced-too-early src/watch/watchable.c 's/x.min_rev = x.start_rev > 0 ? x.start_rev/x.min_rev = x.start_rev > 0 ? x.start_rev + 1/' \
	'Watches Are Reliable,Watches Show What Happened'
mutant watch-ignores-its-filter src/watch/watchable.c 's/row_is_tombstone(r) ? x->no_delete : x->no_put/false/' \
	'Watches Are Filtered'
mutant watch-has-no-previous src/watch/watchable.c 's/x->prev_kv ? row_previous(m, r) : NULL/NULL/' \
	'Watches Show The Previous Value'
mutant watch-shows-an-older-row src/watch/watchable.c 's/struct event e = {r, /struct event e = {row_previous(m, r) ? row_previous(m, r) : r, /' \
	'Watches Show What Happened,Watches Are Ordered,Watches Are Bookmarkable'
mutant victim-loses-what-waits src/watch/victims.c '/^void watchable_retry_victims/,/^}/s/^\t\tvec_push(&w->queue, v.response);//' \
	'Watches Are Reliable,Watches Are Bookmarkable'
mutant victim-is-synced-at-once src/watch/victims.c 's/x->min_rev <= m->current_rev ? WATCHER_UNSYNCED : WATCHER_SYNCED/WATCHER_SYNCED/' \
	'Watches Are Reliable,Watches Are Bookmarkable'
mutant progress-overtakes-events src/sim/stream.c 's/^\tif (c->stalled)$/\tif (c->stalled \&\& !r.progress)/' \
	'Watches Are Bookmarkable'
mutant progress-while-behind src/server/watch.c '/^void server_progress/,/^}/s/x->group != WATCHER_SYNCED/(x->group = WATCHER_SYNCED, false)/;s/const struct watcher \*x = watchable_find(&m->watchable, watchers/struct watcher *x = (struct watcher *)watchable_find(\&m->watchable, watchers/' \
	'Watches Are Bookmarkable,Watches Are Reliable'
mutant progress-of-the-next-revision src/watch/victims.c 's/.revision = m->current_rev,/.revision = m->current_rev + 1,/' \
	'Watches Are Bookmarkable'
mutant progress-before-the-start src/watch/victims.c 's/m->current_rev < x->start_rev/false/' \
	'Watches Are Ordered'
mutant progress-resumes-too-late src/sim/watch_receive.c 's/c->seen = rev;/c->seen = rev + 1;/' \
	'Watches Are Resumable'
mutant compaction-keeps-tombstones src/mvcc/compact.c 's/if (row_is_tombstone(r) \&\& /if (false \&\& /' \
	'Equal Stores'
mutant revision-without-a-change src/mvcc/txn.c 's/return t->begin_rev + (t->changes.n > 0);/return t->begin_rev + 1;/' \
	'Revisions Count Transactions,Strict Serializability'
mutant compare-greater-or-equal src/server/txn.c 's/return order > 0;/return order >= 0;/' \
	'Revisions Count Transactions,Equal Stores,Strict Serializability'
mutant previous-of-the-wrong-time src/server/apply.c 's/r->put.prev = p->prev_kv ? old : NULL;/r->put.prev = p->prev_kv ? row : NULL;/' \
	'Strict Serializability'
mutant applied-twice-after-a-restart src/server/apply.c 's/m->applied = e->index;/m->applied = e->index - (e->index % 7 == 0);/' \
	'State Machine Safety,Applied Never Goes Back,Revisions Count Transactions,Equal Stores,Members Come To Agree'

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
