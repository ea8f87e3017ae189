#!/bin/sh
# Instructions of one operation under callgrind: a run with it and one with fewer or none of it, the difference over
# their number, so that the start drops out.  The same on every run, whatever else the machine does.
#
# usage: count.sh PROGRAM [BOUNDS]
#
# Prints `metric value instr` lines, behind a line that tells compiler and machine.  With a file of such lines it also
# fails if one is more than 2 % above its bound, and says so if one has become so much better that the bound should
# follow.  Another compiler counts otherwise: then there is nothing to compare.
set -eu
program=$1 bounds=${2-}
command -v valgrind >/dev/null || { echo "valgrind is not installed" && exit 77; }
made="# $("${CC:-cc}" --version | head -n 1), $(uname -m)"
[ -z "$bounds" ] || [ "$made" = "$(head -n 1 "$bounds")" ] || {
	echo "the bounds are those of$(sed -n '1s/^#//p' "$bounds")" && exit 77
}
# the C library copies in the same way on every processor
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-AVX512F,-ERMS,-FSRM
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

instructions() # OPERATION N, into a file; two at a time
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" count "$@" 2>&1 | sed -n 's/.*Collected : //p'
}
export program
n=2000 keys=20000
for run in "put.all3 $n" "put.all3 $((2 * n))" "raft.put.N3 $n" "raft.put.N3 $((2 * n))" \
	"store.put.new $((keys / 2))" "store.put.new $keys" "store.update $keys" "store.get $keys" "store.range $keys" \
	"store.replay $keys" "store.restore $keys"; do
	# shellcheck disable=SC2086
	instructions $run >"$work/${run% *}.${run#* }" &
	running=${running:+$running }$!
	case $running in *' '*) wait $running && running= ;; esac
done
wait

per() # METRIC OPERATIONS RUN LESS
{
	more=$(cat "$work/$3") less=$(cat "$work/$4")
	[ -n "$more" ] && [ -n "$less" ] || { echo "$1 was not counted" >&2 && exit 1; }
	echo "es.count.$1 $(((more - less) / $2)) instr"
}
{
	echo "$made"
	per put.all3 $n put.all3.$((2 * n)) put.all3.$n
	per raft.put.N3 $n raft.put.N3.$((2 * n)) raft.put.N3.$n
	per store.put.new.$keys $((keys / 2)) store.put.new.$keys store.put.new.$((keys / 2))
	for operation in update get range replay restore; do
		per store.$operation.$keys $keys store.$operation.$keys store.put.new.$keys
	done
} >"$work/counts"
cat "$work/counts"
[ -n "$bounds" ] || exit 0
awk '
/^#/ { next }
NR == FNR { bound[$1] = $2; next }
!($1 in bound) { print $1 " has no bound"; bad = 1; next }
$2 > bound[$1] * 1.02 { printf "%s: %d, more than 2 %% above %d\n", $1, $2, bound[$1]; bad = 1 }
$2 < bound[$1] * 0.9 { printf "%s: %d, well below %d: make bench-bounds\n", $1, $2, bound[$1] }
{ seen[$1] = 1 }
END { for (m in bound) if (!(m in seen)) { print m " was not counted"; bad = 1 } exit bad }' "$bounds" "$work/counts"
