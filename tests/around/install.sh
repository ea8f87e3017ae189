# Installing into a folder of its own, using what was installed from somewhere else, and taking it away again.  PREFIX
# stays as it is: another one would link the program that is being tested once more.
set -eu
dir=${TMPDIR:-/tmp}/install
rm -rf "$dir"
make=${MAKE:-make}
options="bindir=/opt/bin mandir=/opt/man docdir=/opt/doc"
$make install DESTDIR="$dir" $options >/dev/null
for file in opt/bin/etcdscope opt/man/man1/etcdscope.1 opt/man/man5/etcdscope-script.5 opt/man/man5/etcdscope-theme.5 \
	usr/local/share/etcdscope/demos/01-write-path.scope opt/doc/LICENSE; do
	[ -f "$dir/$file" ] || { echo "$file was not installed" && exit 1; }
done
[ "$(ls themes)" = "$(ls "$dir/usr/local/share/etcdscope/themes")" ] || { echo "themes differ" && exit 1; }
printf 'put /a 1\nget /a\n' | (cd / && "$dir/opt/bin/etcdscope" run -) >"$dir/out"
printf 'OK\n/a\n1\n' | cmp - "$dir/out"
# a file of somebody else's stays
: >"$dir/opt/bin/other"
$make uninstall DESTDIR="$dir" $options >/dev/null
rm "$dir/out" "$dir/opt/bin/other"
left=$(find "$dir" -type f)
[ -z "$left" ] || { echo "left behind: $left" && exit 1; }
# PREFIX reaches every path
for part in bin/etcdscope share/man/man1 share/etcdscope/demos share/doc/etcdscope; do
	$make -n install B="$dir.other" PREFIX=/elsewhere | grep -q "'/elsewhere/$part'" || { echo "PREFIX does not reach $part" && exit 1; }
done
