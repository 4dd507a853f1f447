#!/usr/bin/env bash
# Unpacks nginx and Caddy of the system's packages into vendor/proxies, for the tests of the configurations that
# docs/team-server.md gives. They are not installed: the system would start them.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v apt-get >/dev/null
part=$PWD/vendor/proxies.part
rm -rf "$part"
mkdir -p "$part"
cd "$part"
if ! apt-get download -qq nginx caddy >/dev/null 2>&1; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  "${as_root[@]}" apt-get update -qq </dev/null >/dev/null
  apt-get download -qq nginx caddy >/dev/null 2>&1
fi
for package in *.deb; do dpkg -x "$package" .; done
rm -- *.deb
usr/sbin/nginx -v 2>/dev/null
usr/bin/caddy version >/dev/null
rm -rf ../proxies
mv "$part" ../proxies
