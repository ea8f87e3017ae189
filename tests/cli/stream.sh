# A script is read as a stream, its answers come as it goes, and bytes are not touched on the way.
. tests/cli/expect.inc

# From a pipe, an answer before the next line comes.
mkfifo "$work/in" "$work/answers"
"$ETCDSCOPE" run - <"$work/in" >"$work/answers" &
exec 3>"$work/in" 4<"$work/answers"
echo 'put a 1' >&3
read -r answer <&4
is 'the first answer' "$answer" OK
echo 'get a --print-value-only' >&3
read -r answer <&4
is 'the second answer' "$answer" 1
exec 3>&-
wait $!
is 'status of a pipe' $? 0
exec 4<&-

# Values as they are, to a file.
printf 'put a "\\x00\\x1b[31m\\xff\\n"\nget a --print-value-only\n' >"$work/bytes"
try run "$work/bytes"
is 'bytes' "$(tail -c +4 "$work/out" | od -An -tx1 | tr -d ' \n')" 001b5b33316dff0a0a

# A line of a million bytes, and no newline at the end.
{
	printf 'put a '
	head -c 1000000 /dev/zero | tr '\0' x
	printf '\nget a'
} >"$work/long"
try run "$work/long"
is 'a long line' "$(wc -c <"$work/out")" 1000006

# Memory: 300,000 reads take no more than 3,000 (a limit of 60 MB would break a script that is kept).
if [ -z "${ASAN_OPTIONS:-}" ] && ! nm "$ETCDSCOPE" 2>/dev/null | grep -q __asan_init; then
	awk 'BEGIN { for (i = 0; i < 300000; i++) print "# a comment that is here to be long, and to be thrown away soon, " i }' \
		>"$work/many"
	echo 'put a 1' >>"$work/many"
	(ulimit -v 60000 && "$ETCDSCOPE" run "$work/many" >"$work/out" 2>"$work/err")
	is 'status of a long script in little memory' $? 0
	is 'output of a long script' "$(cat "$work/out")" OK
fi

# The same bytes twice, and with another seed nothing else either in the default profile.
printf 'put a 1\nkill S1\nwait leader\nput a 2\nget a -w json\n' >"$work/same"
try run --trace "$work/same"
cp "$work/out" "$work/first"
try run --trace "$work/same"
cmp "$work/out" "$work/first" || complain 'two runs differ'
finish
