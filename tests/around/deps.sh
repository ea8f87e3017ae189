# A machine without the libraries: what is missing is named and installed once; one without a package manager: the
# names are said and it stops.  The machine is made of stand-ins, in a PATH of their own.
set -u
dir=${TMPDIR:-/tmp}/machine
rm -rf "$dir"
mkdir -p "$dir"
for tool in sh env id mktemp rm tail printf cat grep sed; do
	ln -s "$(command -v $tool)" "$dir/$tool" 2>/dev/null
done

cat >"$dir/cc" <<END
#!/bin/sh
[ -e "$dir/installed" ]
END
cp "$dir/cc" "$dir/gcc"
chmod +x "$dir/cc" "$dir/gcc"

# 1. nothing to install with
out=$(env -i PATH="$dir" CC=cc .ci/deps run 2>&1)
status=$?
[ $status = 1 ] || { echo "no manager: status $status" && exit 1; }
for package in libncurses-dev libedit-dev libcjson-dev pkg-config; do
	case $out in
	*$package*) ;;
	*) echo "no manager: $package is not named: $out" && exit 1 ;;
	esac
done

# 2. apt-get, that at first knows no packages
[ "$(id -u)" = 0 ] || cat >"$dir/sudo" <<'END'
#!/bin/sh
[ "$1" = -n ] && shift
exec "$@"
END
cat >"$dir/apt-get" <<END
#!/bin/sh
echo "\$@" >>"$dir/log"
case \$1 in
update) : >"$dir/updated" ;;
install) [ -e "$dir/updated" ] && : >"$dir/installed" ;;
esac
END
chmod +x "$dir"/apt-get "$dir"/sudo 2>/dev/null
out=$(env -i PATH="$dir" CC=cc .ci/deps run 2>&1) || { echo "apt-get: failed: $out" && exit 1; }
case $out in
*"installing with apt-get"*libedit-dev*) ;;
*) echo "apt-get: it does not say what it installs: $out" && exit 1 ;;
esac
[ "$(grep -c update "$dir/log")" = 1 ] || { cat "$dir/log" && exit 1; }

# 3. nothing is missing any more: not a word, and no manager is called
: >"$dir/log"
out=$(env -i PATH="$dir" CC=cc .ci/deps run 2>&1) || exit 1
[ -z "$out" ] || { echo "nothing missing: $out" && exit 1; }
[ ! -s "$dir/log" ] || { cat "$dir/log" && exit 1; }
