#!/bin/sh
# `make run`: the screen, or demo N of it; where there is no terminal, the demo (the first by default) as text.
#
# usage: run-demo.sh PROGRAM [N]
set -eu
program=$1 demo=${2-}
if [ -t 0 ] && [ -t 1 ]; then
	if [ -n "$demo" ]; then
		exec "$program" demo "$demo"
	fi
	exec "$program"
fi
file=$(ls demos/"$(printf %02d "${demo:-1}" 2>/dev/null || echo none)"-*.scope 2>/dev/null) || {
	echo "make run: there is no demo $demo: DEMO=1 to DEMO=$(ls demos/*.scope | wc -l)" >&2
	exit 2
}
exec "$program" run --transcript "$file"
