# On a terminal nothing that a value contains can act on it.
. tests/cli/expect.inc
command -v script >/dev/null || { echo 'script (util-linux) is not installed' && exit 77; }

printf 'put a "\\x1b[31mred\\x07 \\xc2\\x9b \\xe2\\x80\\xae \\xff"\nget a --print-value-only\n' >"$work/s"
script -qec "$ETCDSCOPE run $work/s" /dev/null <"/dev/null" >"$work/out"
has "$work/out" '\x1b[31mred\x07 \xc2\x9b \u202e \xff'
esc=$(printf '\033')
grep -q "$esc" "$work/out" && complain 'an escape character got through'
script -qec "$ETCDSCOPE run '$work/nowhere${esc}[31m'" /dev/null </dev/null >"$work/out"
grep -q "$esc" "$work/out" && complain 'an escape character got through in a message'
finish
