# Installing into a folder of its own, using what was installed from somewhere else, and taking it away again.
set -eu
dir=${TMPDIR:-/tmp}/install
rm -rf "$dir"
make=${MAKE:-make}
$make install DESTDIR="$dir" PREFIX=/usr >/dev/null
for file in bin/etcdscope share/man/man1/etcdscope.1 share/man/man5/etcdscope-script.5 share/man/man5/etcdscope-theme.5 \
	share/etcdscope/demos/01-write-path.scope share/doc/etcdscope/LICENSE; do
	[ -f "$dir/usr/$file" ] || { echo "$file was not installed" && exit 1; }
done
[ "$(ls themes)" = "$(ls "$dir/usr/share/etcdscope/themes")" ] || { echo "themes differ" && exit 1; }
printf 'put /a 1\nget /a\n' | (cd / && "$dir/usr/bin/etcdscope" run -) >"$dir/out"
printf 'OK\n/a\n1\n' | cmp - "$dir/out"
$make uninstall DESTDIR="$dir" PREFIX=/usr >/dev/null
rm -f "$dir/out"
left=$(find "$dir" -type f)
[ -z "$left" ] || { echo "left behind: $left" && exit 1; }
