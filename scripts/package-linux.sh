#!/usr/bin/env bash
# scripts/package-linux.sh FOLDER: packs Outrank for Linux into FOLDER, with window, command line and native converter: a .tar.gz that runs
# wherever it is unpacked, and a .deb. Not signed. Build first: scripts/setup.sh and scripts/build-wasm.sh.
set -euo pipefail
[ $# = 1 ] || {
  echo 'package-linux: one FOLDER is taken: where the packages are put' >&2
  exit 1
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
[ "$(uname -sm)" = 'Linux x86_64' ] || {
  echo 'package-linux: packs what was built here, which must be Linux on x86-64' >&2
  exit 1
}
version=$(node -p "require('./package.json').version")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The package for npm, with what it depends on, is all but the window and the native programs.
npm_package=$(node scripts/pack-npm.mjs "$work")
echo '{}' >"$work/package.json"
(cd "$work" && npm install --silent --no-audit --no-fund --ignore-scripts "$npm_package")
app=$work/outrank
mv "$work/node_modules/outrank" "$app"
rm -rf "$work/node_modules/.bin" "$work/node_modules/.package-lock.json"
mv "$work/node_modules" "$app/node_modules"

mkdir -p "$app/bin" "$app/licenses"
for program in outrank-convert outrank-symbols; do
  install -m 755 "converter/target/release/$program" "$app/bin/"
  strip "$app/bin/$program"
done
cp -r dist/electron "$app/dist/"
find "$app/dist" -name '*.map' -delete
cp -r vendor/electron "$app/vendor/"
cp app/ui/icon.svg "$app/"
# The texts of all Node packages that the scripts may hold. Those of the Rust crates in bin/ are not among them yet.
npm ls --omit=dev --all --parseable 2>/dev/null | tail -n +2 | while read -r package; do
  name=${package##*/node_modules/}
  for text in "$package"/LICEN[CS]E*; do
    [ ! -f "$text" ] || cp "$text" "$app/licenses/${name//\//-}-$(basename "$text")"
  done
done

# The Node that Electron holds runs the command line where it is new enough, else that of the system.
cat >"$app/outrank" <<'LAUNCHER'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
electron=$here/vendor/electron/electron
new='const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'
if ELECTRON_RUN_AS_NODE=1 "$electron" -e "$new" 2>/dev/null; then
  ELECTRON_RUN_AS_NODE=1 exec "$electron" "$here/app/cli/outrank.mjs" "$@"
fi
command -v node >/dev/null || {
  echo 'outrank: Node 20.19 or later is needed beside this Electron' >&2
  exit 1
}
exec node "$here/app/cli/outrank.mjs" "$@"
LAUNCHER
chmod 755 "$app/outrank"

tar --owner=0 --group=0 -czf "$out/outrank-$version-linux-x64.tar.gz" -C "$work" outrank

root=$work/deb
mkdir -p "$root"/{DEBIAN,opt,usr/bin,usr/share/applications,usr/share/mime/packages,usr/share/icons/hicolor/scalable/apps}
mv "$app" "$root/opt/outrank"
ln -s /opt/outrank/outrank "$root/usr/bin/outrank"
cp "$root/opt/outrank/icon.svg" "$root/usr/share/icons/hicolor/scalable/apps/outrank.svg"
cat >"$root/usr/share/applications/outrank.desktop" <<'DESKTOP'
[Desktop Entry]
Type=Application
Name=Outrank
Comment=Windows performance traces
Exec=outrank open %u
Icon=outrank
Terminal=false
Categories=Development;Profiling;
MimeType=x-scheme-handler/outrank;application/x-outrank;application/x-etl;
DESKTOP
cat >"$root/usr/share/mime/packages/outrank.xml" <<'MIME'
<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/x-outrank">
    <comment>Outrank bundle</comment>
    <glob pattern="*.outrank"/>
  </mime-type>
  <mime-type type="application/x-etl">
    <comment>Windows performance trace</comment>
    <glob pattern="*.etl"/>
  </mime-type>
</mime-info>
MIME
cat >"$root/DEBIAN/control" <<CONTROL
Package: outrank
Version: $version
Architecture: amd64
Maintainer: Outrank
Section: devel
Priority: optional
Installed-Size: $(du -sk "$root/opt" | cut -f 1)
Depends: libgtk-3-0 | libgtk-3-0t64, libnss3, libasound2 | libasound2t64, libgbm1
Description: Analyses Windows performance traces (.etl)
 Shows who was ready, who ran, and why, without Windows.
CONTROL
chmod -R u=rwX,go=rX "$root"
dpkg-deb --root-owner-group -Zgzip --build "$root" "$out/outrank_${version}_amd64.deb" >/dev/null
ls "$out/outrank-$version-linux-x64.tar.gz" "$out/outrank_${version}_amd64.deb"
