#!/bin/sh
# Changes one rule of src/raft at a time (tests/raft/mutations) and shows that a test notices: rafttest first, then unit
# tests of one member and of whole worlds.  usage: mutants.sh BUILD-FOLDER [NUMBER...]
#
# Only the changed file is compiled; the linker takes it in the place of the archive's.
b=${1:-build}
shift
cc=${CC:-cc}
tests=tests/raft/mutations
dir=$b/mutants
suites='tests/raft/own'
[ -d ../shared/rafttest ] && suites="../shared/rafttest $suites"
units='test_raft_rules test_sim test_cluster_leader test_cluster_members test_cluster_snapshot'
noticed=0 escaped=0 broken=0

mkdir -p "$dir"
ask() {
	awk -v n="$1" -v what="$2" -f tests/raft/mutants.awk $tests /dev/null
}

# Links with the mutant and runs; the exit status is that of the tests.
run() {
	out=$1
	shift
	$cc -o "$dir/$out" "$dir/mutant.o" "$@" -lm 2>"$dir/link" || return 99
	(ulimit -v 4000000; timeout 30 "$dir/$out" $args) >"$dir/log" 2>&1
}

# Prints who notices: nothing if nobody does, "linker" if the mutant cannot even be linked.
who_notices() {
	args=$suites run rafttest "$b"/obj/tests/raft/*.o "$b/libetcdscope.a"
	case $? in
	0) ;;
	99) echo linker; return ;;
	*) echo rafttest; return ;;
	esac
	for t in $units; do
		args= run "$t" "$b/obj/tests/unit/$t.o" "$b/tests/unit/support.a" "$b/libetcdscope.a" -lcmocka
		case $? in
		0) ;;
		99) echo linker; return ;;
		*) echo "$t"; return ;;
		esac
	done
}

total=$(ask 0 count)
[ $# -gt 0 ] || set -- $(seq "$total")
for n; do
	file=$(ask "$n" file)
	rule=$(ask "$n" rule)
	if ! awk -v n="$n" -v what=source -f tests/raft/mutants.awk $tests "src/raft/$file" >"$dir/mutant.c" ||
		! $cc -std=c11 -D_GNU_SOURCE -Isrc -O1 -w -c -o "$dir/mutant.o" "$dir/mutant.c"; then
		echo "broken   $n $file: $rule"
		broken=$((broken + 1))
		continue
	fi
	who=$(who_notices)
	if [ "$who" = linker ]; then
		cat "$dir/link"
		echo "broken   $n $file: $rule"
		broken=$((broken + 1))
	elif [ -n "$who" ]; then
		echo "noticed  $n $file: $rule ($who)"
		noticed=$((noticed + 1))
	else
		echo "ESCAPED  $n $file: $rule"
		escaped=$((escaped + 1))
	fi
done
echo "$noticed noticed, $escaped escaped, $broken broken"
[ $((escaped + broken)) = 0 ]
