# Looking does not disturb: what happens under a command at the level `story` happens under the same command when more
# is recorded, and commands print the same.
set -u
dir=${TMPDIR:-/tmp}
numbered() { awk '/^[a-z]/ { n++ } /^[|~]/ { print n ": " $0 }' | LC_ALL=C sort; }
for demo in demos/*.scope; do
	"$ETCDSCOPE" run --transcript --trace=story "$demo" | numbered >"$dir/story"
	[ -s "$dir/story" ] || { echo "$demo: no trace" && exit 1; }
	for level in raft all; do
		"$ETCDSCOPE" run --transcript --trace=$level "$demo" | numbered >"$dir/more"
		LC_ALL=C comm -23 "$dir/story" "$dir/more" >"$dir/lost"
		[ ! -s "$dir/lost" ] || { echo "$demo: elsewhere at level $level:" && cat "$dir/lost" && exit 1; }
	done
	"$ETCDSCOPE" run --transcript "$demo" | numbered | grep ': |' >"$dir/silent"
	grep ': |' "$dir/story" | cmp - "$dir/silent" || { echo "$demo prints something else without a trace" && exit 1; }
done
