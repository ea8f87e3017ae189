# --verify compares, --update rewrites, --transcript prints; comments and blank lines stay.
. tests/cli/expect.inc

cat >"$work/a.scope" <<'END'
# A story.

put a 1
| OK

# What is there?
get a
| a
# and its value:
| 1
txn
mod("a") = "2"

put a 2


end
| SUCCESS
|
| OK
END
cp "$work/a.scope" "$work/good"
try run --verify "$work/a.scope"
is 'status of a file that is right' $status 0
is 'output for a file that is right' "$(cat "$work/out")" '1 passed, 0 failed'
try run --update "$work/a.scope"
cmp "$work/a.scope" "$work/good" || complain '--update changes a file that is right'

# A changed line, a lost one, one too many: each is found, shown and mended.
sed 's/^| 1$/| 2/' "$work/good" >"$work/a.scope"
try run --verify "$work/a.scope"
is 'status of a changed line' $status 1
is 'a changed line' "$(cat "$work/out")" "--- $work/a.scope
+++ $work/a.scope (as it runs now)
@@ -6,8 +6,8 @@
 # What is there?
 get a
 | a
+| 1
 # and its value:
-| 2
 txn
 mod(\"a\") = \"2\"
 
0 passed, 1 failed"
for edit in '/^| OK$/d' '/^| 1$/d' '/^|$/d' '3a | more' '$a | more'; do
	sed "$edit" "$work/good" >"$work/a.scope"
	try run --verify "$work/a.scope"
	is "status of $edit" $status 1
	is "last line of $edit" "$(tail -n 1 "$work/out")" '0 passed, 1 failed'
	try run --update "$work/a.scope"
	is "status of --update after $edit" $status 0
	try run --verify "$work/a.scope"
	is "status after --update of $edit" $status 0
	is "comments after $edit" "$(grep '^#' "$work/a.scope")" "$(grep '^#' "$work/good")"
done

# A file without anything recorded: nothing recorded means none expected, unless it prints.
printf 'put a 1\n' >"$work/none"
try run --verify "$work/none"
is 'status of nothing recorded' $status 1
is 'nothing recorded' "$(cat "$work/out")" "$work/none: nothing recorded: run --update
0 passed, 1 failed"
printf 'wait 1\nkill S3\n' >"$work/silent"
try run --verify "$work/silent" "$work/good"
is 'status of a silent script' $status 0
is 'a silent script' "$(cat "$work/out")" '2 passed, 0 failed'
printf '|' >"$work/pipe"
try run --verify "$work/pipe" "$work/good"
is 'status with a broken script' $status 2
is 'last line with a broken script' "$(tail -n 1 "$work/out")" '1 passed, 1 failed'

# Traces: compared if the file has any, written by --update --trace.
printf '#? one\nput a 1\n\n#? two\nget a\n' >"$work/t.scope"
try run --update --trace "$work/t.scope"
has "$work/t.scope" '| OK'
has "$work/t.scope" '~ 0.000 S1 append 2 term 1 put a'
try run --verify "$work/t.scope"
is 'status of a trace that is right' $status 0
sed 's/append 2 term 1/append 3 term 1/' "$work/t.scope" >"$work/t2.scope"
try run --verify "$work/t2.scope"
is 'status of a changed trace' $status 1
try run --transcript --trace "$work/t.scope"
cmp "$work/out" "$work/t.scope" || complain 'the transcript differs from the recording'

# The transcript of a recording is the recording; of a bare script, what --update writes.
try run --transcript "$work/good"
cmp "$work/out" "$work/good" || complain 'the transcript of a good file differs'
grep -v '^|' "$work/good" >"$work/bare"
try run --transcript "$work/bare"
cp "$work/out" "$work/transcript"
try run --update "$work/bare"
cmp "$work/bare" "$work/transcript" || complain '--update and --transcript differ'

# --update: a file that is not written stays as it was; no temporary file is left; the mode is kept.
printf 'put a 1\n' >"$work/mode"
chmod 640 "$work/mode"
try run --update "$work/mode"
is 'mode after --update' "$(stat -c %a "$work/mode")" 640
is 'temporary files' "$(ls "$work" | grep tmp)" ''
printf 'put a 1\npit\n' >"$work/broken"
cp "$work/broken" "$work/before"
try run --update "$work/broken"
is 'status of --update of a broken script' $status 2
cmp "$work/broken" "$work/before" || complain '--update wrote a broken script'
printf 'put a 1' >"$work/no-newline"
try run --update "$work/no-newline"
is 'a last line without newline' "$(cat "$work/no-newline")" 'put a 1
| OK'
# Every script of ours keeps what etcd promises, watched at each event and looked at in the end.
for when in step end; do
	for members in 1 3; do
		for f in tests/scripts/*.scope demos/*.scope; do
			"$ETCDSCOPE" run --check=$when --members=$members "$f" >/dev/null 2>"$work/err" </dev/null
			is "broken in $f with --check=$when --members=$members" "$(grep 'is broken' "$work/err")" ''
		done
	done
done
finish
