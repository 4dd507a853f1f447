#!/bin/bash
# test/packages/clean-debian.sh DEB TRACE, in the root of a fresh Debian: installs DEB by apt, shows TRACE in its window, and removes it.
# Prints the title of the window, and what of the root differs in the end.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive HOME=/root DISPLAY=:77
files() {
  find / -xdev \( -path /proc -o -path /root -o -path /tmp -o -path /dev -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o \
    -path /var/log \) -prune -o -print | sort
}
apt() { apt-get -qq -o=Dpkg::Use-Pty=0 "$@" >/dev/null 2>/root/apt.txt || { cat /root/apt.txt; exit 1; }; }

mount -t proc proc /proc
mount -t tmpfs tmpfs /dev/shm
apt update
# What it depends on comes first, so that what it leaves can be told.
apt install --no-install-recommends xvfb x11-utils
apt install --no-install-recommends "$1"
apt remove outrank
files >/root/before.txt
apt install --no-install-recommends "$1"
Xvfb "$DISPLAY" -screen 0 1400x900x24 >/dev/null 2>&1 &
/opt/outrank/outrank-window --no-sandbox --user-data-dir=/root/settings "$2" >/root/window.txt 2>&1 &
for _ in $(seq 120); do
  title=$(xwininfo -root -tree 2>/dev/null | grep -o '"[^"]*\.etl [^"]*Outrank"' || true)
  [ -z "$title" ] || break
  sleep 1
done
echo "$title"
kill %2 %1
wait || true
apt purge outrank
files >/root/after.txt
diff /root/before.txt /root/after.txt || true
