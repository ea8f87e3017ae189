#!/bin/sh
# Every mistake that `bug` knows is found by the rule that its help names: by a script in bugs/, which is clean without
# the mistake, and by random seeds.
#
# usage: tests/check/bugs.sh [-b BUILD] [-s SEEDS] [NAME]
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
passed=0 failed=0

fail()
{
	echo "FAIL $1"
	failed=$((failed + 1))
}

# name, rule
script()
{
	file=tests/check/bugs/$1.scope
	grep -qx "bug $1" "$file" || { fail "$1: no script that switches it on"; return; }
	"$build/etcdscope" run "$file" >"$work/out" 2>/dev/null
	[ $? = 1 ] && grep -q "^$2 is broken: " "$work/out" || { fail "$1: $file does not break $2"; return; }
	grep -vx "bug $1" "$file" >"$work/right.scope"
	"$build/etcdscope" run --check=step "$work/right.scope" >"$work/out" 2>&1 ||
		{ fail "$1: $file fails without the mistake"; return; }
	passed=$((passed + 1))
}

# name, rule
random()
{
	timeout 120 "$build/etcdscope" sim --bug="$1" --seeds=1.."$seeds" --out="$work/found.scope" >"$work/log" 2>/dev/null
	grep -q "^seed [0-9]*: $2: " "$work/log" || { fail "$1: sim should break $2: $(sed -n 1p "$work/log")"; return; }
	"$build/etcdscope" run --check=step "$work/found.scope" 2>/dev/null | grep -q "^$2 is broken: " ||
		{ fail "$1: what sim has written does not break $2"; return; }
	echo "ok   $1: $(sed -n 1p "$work/log")"
	passed=$((passed + 1))
}

printf 'bug\n' | "$build/etcdscope" run - | sed -n '
	s/^  \([a-z-]*\) *off .*/\1/; t name
	s/^ *rule: \(.*\)/\1/; H; x; s/\n/|/; p; d
	:name
	h; d' >"$work/bugs"
[ "$(wc -l <"$work/bugs")" -ge 12 ] || fail "bug lists fewer than twelve"
while IFS='|' read -r name rule; do
	case $name in *"$only"*) ;; *) continue ;; esac
	script "$name" "$rule"
	random "$name" "$rule"
done <"$work/bugs"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
