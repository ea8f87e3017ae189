# `make run` without a terminal shows a demo as text: the first, or the one asked for; and says so if there is none.
set -u
dir=${TMPDIR:-/tmp}
tests/tools/run-demo.sh "$ETCDSCOPE" </dev/null >"$dir/run" || exit 1
grep -q '^# Demo 1: ' "$dir/run" && grep -q '^| r1: OK$' "$dir/run" || { cat "$dir/run" && exit 1; }
tests/tools/run-demo.sh "$ETCDSCOPE" 8 </dev/null >"$dir/run" || exit 1
grep -q '^# Demo 8: ' "$dir/run" || { cat "$dir/run" && exit 1; }
for none in 99 x; do
	tests/tools/run-demo.sh "$ETCDSCOPE" $none </dev/null >"$dir/run" 2>&1
	[ $? = 2 ] && grep -q 'DEMO=1' "$dir/run" || { cat "$dir/run" && exit 1; }
done
