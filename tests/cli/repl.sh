# The prompt without a terminal: no prompt, no colours; nothing is lost when it is killed.
. tests/cli/expect.inc
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME

talk() # lines as printf wants them, arguments...
{
	printf "$1" >"$work/lines"
	shift
	"$ETCDSCOPE" repl "$@" <"$work/lines" >"$work/out" 2>"$work/err"
	status=$?
}

talk 'put a 1\nget a\ntxn\nmod("a") = "2"\n\nput a 2\n\n\nend\nback\nget a\n'
is 'status' $status 0
is 'output' "$(cat "$work/out")" 'OK
a
1
SUCCESS

OK
a
1'
is 'journals after a good end' "$(ls "$work/state/etcdscope")" ''
talk 'put a 1\nquit\nput b 1\n'
is 'output up to quit' "$(cat "$work/out")" OK
talk 'put a 1\npit\nget a\n'
is 'status after a wrong line' $status 2
is 'output around a wrong line' "$(cat "$work/out")" 'OK
a
1'
has "$work/err" 'pit'

# The input ends in a transaction: as in a script, that is a mistake.
talk 'put a 1\ntxn\nput a 2\n'
is 'status of an open transaction' $status 2
has "$work/err" 'the command is not finished: a block ends with a line `end`'
is 'output before an open transaction' "$(cat "$work/out")" OK

# No number of steps that nobody can stop.
talk 'continue 4294967296\n'
is 'status of continue N' $status 2
has "$work/err" 'continue is not used like that: continue'

# Ctrl-C ends a command that runs, and the session goes on.
mkfifo "$work/in"
"$ETCDSCOPE" repl <"$work/in" >"$work/out" 2>"$work/err" &
pid=$!
exec 3>"$work/in"
printf 'put a 1\nwait 1000000000\n' >&3
sleep 1
kill -INT $pid
printf 'get a\n' >&3
exec 3>&-
wait $pid
is 'status after Ctrl-C' $? 0
is 'output after Ctrl-C' "$(tail -n 2 "$work/out")" 'a
1'

# Killed in the middle of a command: --restore brings back what was before, and names it.
"$ETCDSCOPE" repl <"$work/in" >"$work/out" 2>"$work/err" &
pid=$!
exec 3>"$work/in"
printf 'put a 1\nput a 2\nwait 1000000000\n' >&3
sleep 1
kill -KILL $pid
wait $pid 2>/dev/null
exec 3>&-
is 'journals after a crash' "$(ls "$work/state/etcdscope" | wc -l)" 1
talk 'get a\n' --restore
is 'after the restore' "$(cat "$work/out")" 'a
2'
has "$work/err" 'restored 2 commands of the session journal-'
has "$work/err" '; stopped before `wait 1000000000`, which never ended'
is 'journals after the restore' "$(ls "$work/state/etcdscope")" ''

# A saved script runs to the same bytes.
talk 'new --members=5\nwatch a\nput a "x y"\nput a 2\nsave '"$work/s.scope"'\n'
is 'status of save' $status 0
try run --verify "$work/s.scope"
is 'a saved script' "$(cat "$work/out")" '1 passed, 0 failed'
finish
