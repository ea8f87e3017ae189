# Exit statuses, and messages that say what would be right.
. tests/cli/expect.inc

usage() # message, arguments...
{
	want=$1
	shift
	try "$@"
	is "status of $*" $status 2
	is "output of $*" "$(cat "$work/out")" ''
	is "message of $*" "$(cat "$work/err")" "etcdscope: $want"
}

try --version
is 'status of --version' $status 0
is --version "$(cat "$work/out")" 'etcdscope 0.1.0 (etcd 3.4.23)'
try --help
is 'status of --help' $status 0
has "$work/out" 'usage: etcdscope [OPTIONS] [SCRIPT]'
has "$work/out" 'Exit status: 0'

usage 'there is no option --bogus: `etcdscope --help` lists them' --bogus
usage 'there is no option --membres: did you mean --members? `etcdscope --help` lists them' --membres=3
usage 'there is no option --memory: `etcdscope --help` lists them' --memory=3
usage 'there is no option -x: `etcdscope --help` lists them' -x
usage '--seed wants a value: --seed=VALUE' --seed
usage '--ascii takes no value: leave out what follows the =' --ascii=yes
usage '--color=blue is not known: 16, 256, true or never' --color=blue
usage 'run wants scripts: etcdscope run FILE...   (-: standard input)' run
usage '--verify and --update exclude each other: give one of them' run --verify --update x
usage '--update cannot write to standard input: name the file' run --update -
usage '--trace=some is no level: story, raft or all' run --trace=some x
usage '-w yaml is no format: simple, json, fields or table' run -w yaml x
usage '--transcript, --trace, --verify, --update and -w belong to run: etcdscope run FILE...' --verify
usage 'repl takes no script: etcdscope run FILE runs one' repl x
usage 'one script is shown at a time: etcdscope run FILE... runs several' a b
usage 'demo takes one number or name: etcdscope demo 1' demo 1 2
usage 'sim comes first and has options of its own: etcdscope sim --seeds=A..B' --seed=1 sim
usage '--restore belongs to a session: etcdscope --restore, or etcdscope --restore repl' run --restore x
usage 'theme checks one: etcdscope theme --check NAME' theme dark
usage '--check belongs to theme: etcdscope theme --check NAME' run --check x
usage 'serve:1: the script cannot be read (No such file or directory): name a file that can; etcdscope --help says what else there is' serve

for mode in repl '--plain demo' 'run x' --version; do
	# shellcheck disable=SC2086
	try --theme=nope $mode
	is "status of --theme=nope $mode" $status 2
	has "$work/err" 'etcdscope: there is no theme nope: auto, dark'
done

# What arguments hold cannot act on the terminal, wherever messages go.
esc=$(printf '\033')
for arguments in "demo $esc[31m" "$esc[31m" "--$esc[31m" "--theme=$esc[31m" "run $esc[31m" "sim $esc[31m"; do
	# shellcheck disable=SC2086
	try $arguments
	is "status of an escape character" $status 2
	has "$work/err" '\x1b[31m'
	grep -q "$esc" "$work/err" && complain "an escape character got through: $(cat -v "$work/err")"
done

for members in 0 10 three; do
	try run --members=$members -
	is "status of --members=$members" $status 2
	has "$work/err" members
done

# Script errors: the file ends there, the next one runs; the status is 2.
printf 'put a 1\nget a\npit a\nget a\n' >"$work/bad"
printf 'put b 2\n' >"$work/good"
try run "$work/bad" "$work/good"
is 'status of a script error' $status 2
is 'output up to the error' "$(cat "$work/out")" 'OK
a
1
OK'
has "$work/err" "$work/bad:3: "
for line in 'put "a' 'put "\q"' 'txn' 'save x' 'back' 'source x' 'record x' 'demo 1' 'new --nothing=1' '|x'; do
	printf '%s\n' "$line" >"$work/bad"
	try run "$work/bad"
	is "status of $line" $status 2
	has "$work/err" "$work/bad:1: "
	[ "$(wc -l <"$work/err")" = 1 ] || complain "$line: more than one message: $(cat "$work/err")"
done
try run "$work/nowhere"
is 'status of a missing file' $status 2
has "$work/err" "$work/nowhere:1: "
try run "$work"
is 'status of a folder' $status 2

# Line ends of another system would make other commands of the same lines.
printf '# x\nput a "1"\n| OK\r\ntxn\n\nput a 1\r\n\n\nend\n' >"$work/crlf"
try run "$work/crlf"
is 'status of a script with CR LF' $status 2
has "$work/err" "$work/crlf:6: line ends with CR LF: save the file with \\n alone"
try run --verify "$work/crlf"
has "$work/err" "$work/crlf:6: line ends with CR LF: save the file with \\n alone"
try --plain "$work/crlf"
is 'status of a script with CR LF, plain' $status 2
printf 'put a 1\r\nget a\n' >"$work/crlf"
"$ETCDSCOPE" repl <"$work/crlf" >"$work/out" 2>"$work/err"
is 'status of typed lines with CR LF' $? 2
is 'output of typed lines with CR LF' "$(cat "$work/out")" ''

# An error of the server is a result.
printf 'get a --rev=99\nput b 1\n' >"$work/error"
try run "$work/error"
is "status of a server's error" $status 0
is "a server's error" "$(cat "$work/out")" 'Error: etcdserver: mvcc: required revision is a future revision
OK'

# Commands of the screen do nothing, quit ends.
printf 'focus store\nplay\ntheme dark\nput a 1\nquit\nput b 1\n' >"$work/screen"
try run "$work/screen"
is 'status with commands of the screen' $status 0
is 'output with commands of the screen' "$(cat "$work/out")" OK

# Standard output that cannot be written.
if [ -w /dev/full ]; then
	for arguments in --help --version "run $work/good" "--plain $work/good" 'theme --check dark' 'sim --seeds=1'; do
		# shellcheck disable=SC2086
		"$ETCDSCOPE" $arguments >/dev/full 2>"$work/err" </dev/null
		is "status of $arguments on a full disk" $? 1
		has "$work/err" 'standard output cannot be written'
	done
fi
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
for arguments in --version "run $work/good" repl --plain "--plain $work/good"; do
	# shellcheck disable=SC2086
	"$ETCDSCOPE" $arguments <"$work/good" >&- 2>"$work/err"
	is "status of $arguments with standard output closed" $? 1
	has "$work/err" 'standard output cannot be written'
done
"$ETCDSCOPE" repl <&- 2>"$work/err"
is 'status of repl with standard input closed' $? 2
has "$work/err" 'standard input cannot be read'
"$ETCDSCOPE" run "$work/good" 2>&- >"$work/out"
is 'status with standard error closed' $? 0
"$ETCDSCOPE" run - <&- 2>"$work/err"
is 'status with standard input closed' $? 2
finish
