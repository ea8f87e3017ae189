#!/bin/sh
# Instructions of one put through three members: runs of 2N and of N operations under callgrind, the difference
# over N, so that the start drops out.  The same on every run, whatever else the machine does.
#
# usage: count.sh PROGRAM [N]
set -eu
program=$1 n=${2:-5000}
command -v valgrind >/dev/null || { echo "make bench-count needs valgrind" >&2 && exit 2; }

instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" count "$@" 2>&1 |
		sed -n 's/.*Collected : //p'
}

one=$(instructions put.all3 "$n")
two=$(instructions put.all3 $((2 * n)))
echo "es.count.put.all3 $(((two - one) / n)) instr"
