# Every option that the program's own help names stands in the manual, and the other way round.
set -u
dir=${TMPDIR:-/tmp}
{ "$ETCDSCOPE" --help; "$ETCDSCOPE" sim --help 2>&1; } | grep -o -- '--[a-z-]*[a-z]' | sort -u >"$dir/help"
awk '/^\.Sh (SCREEN|COMMANDS)/ { exit } { print }' man/etcdscope.1 | grep -o 'Fl -[a-z-]*[a-z]' | sed 's/^Fl -/--/' | sort -u >"$dir/manual"
[ "$(wc -l <"$dir/help")" -gt 10 ] || { echo 'no options were found' && exit 1; }
diff "$dir/help" "$dir/manual"
