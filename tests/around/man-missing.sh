# What the manual says is not in this version is not, and the manual says it of every command that is refused so.
set -u
dir=${TMPDIR:-/tmp}
awk '/begin missing/ { on = 1; next } /end missing/ { exit } on' man/etcdscope.1 | sed 's/^\.Ic //; s/ [,.]$//' >"$dir/said"
[ -s "$dir/said" ] || { echo 'the manual has no such list' && exit 1; }
while read -r command; do
	case $command in *' '*) ;; *) command="$command $(sed -n "s/^    \"$command \\(.*\\)\",\$/\\1/p" src/cmd/table.c | head -n 1)" ;; esac
	echo "$command" | "$ETCDSCOPE" run - 2>&1 | grep -q 'is not in this version' || { echo "$command is here" && exit 1; }
done <"$dir/said"
awk '/elsewhere\[\] = \{/ { on = 1; next } /^};/ { on = 0 } on' src/cmd/table.c | tr -d ' ",' | sort >"$dir/refused"
[ -s "$dir/refused" ] || { echo 'src/cmd/table.c has no such list' && exit 1; }
tr -d ' ' <"$dir/said" >"$dir/prefixes"
while read -r name; do
	found=
	while read -r prefix; do
		case $name in "$prefix"*) found=yes ;; esac
	done <"$dir/prefixes"
	[ -n "$found" ] || { echo "the manual does not say that $name is missing" && exit 1; }
done <"$dir/refused"
