# Random clusters: no rule is broken, and the same seeds give the same states however many processes share them.
set -u
one=$("$ETCDSCOPE" sim --seeds=1..1000 --jobs=1 2>/dev/null) || { echo "$one" && exit 1; }
two=$("$ETCDSCOPE" sim --seeds=1..1000 --jobs=2 2>/dev/null) || { echo "$two" && exit 1; }
[ "$one" = "$two" ] || { printf '%s\n%s\n' "$one" "$two" && exit 1; }
more=$("$ETCDSCOPE" sim --seeds=1001..20000 2>/dev/null) || { echo "$more" && exit 1; }
