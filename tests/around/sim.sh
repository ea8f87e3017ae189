# Random clusters: no rule is broken, and the same seeds give the same states however many processes share them.
set -u
one=$("$ETCDSCOPE" sim --seeds=1..1000 --jobs=1 2>/dev/null) || { echo "$one" && exit 1; }
two=$("$ETCDSCOPE" sim --seeds=1..1000 --jobs=2 2>/dev/null) || { echo "$two" && exit 1; }
[ "$one" = "$two" ] || { printf '%s\n%s\n' "$one" "$two" && exit 1; }
more=$("$ETCDSCOPE" sim --seeds=1001..20000 2>/dev/null) || { echo "$more" && exit 1; }

# Some faults only; and what cannot be understood says what can.
for faults in off net disk,pause,clock members,kill,timeout; do
	"$ETCDSCOPE" sim --faults=$faults --seeds=1..100 >"$TMPDIR/out" 2>/dev/null || { cat "$TMPDIR/out" && exit 1; }
done
"$ETCDSCOPE" sim --faults=net,rain 2>"$TMPDIR/err"
[ $? = 2 ] && grep -q 'kill, power, partition, cut, net, disk, pause, clock, timeout, members' "$TMPDIR/err" || { cat "$TMPDIR/err" && exit 1; }
"$ETCDSCOPE" sim --help | grep -q -- '--faults=LIST'
