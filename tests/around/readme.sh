# The picture at the top of README.md is what the screen shows, and the script further down does what it says.
set -u
dir=${TMPDIR:-/tmp}
tests/tools/readme-picture.sh "$ETCDSCOPE" >"$dir/readme" || exit 1
diff -u README.md "$dir/readme" || { echo 'make update puts it right' && exit 1; }
grep -q 'RAFT LOG 2 (committed 2, applied 1)' README.md || { echo 'the picture is of something else' && exit 1; }
awk '/^```/ { n++; next } n == 3' README.md >"$dir/example.scope"
[ -s "$dir/example.scope" ] || { echo 'no script was found' && exit 1; }
"$ETCDSCOPE" run --verify "$dir/example.scope"
