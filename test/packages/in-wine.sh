#!/bin/sh
# test/packages/in-wine.sh WINE SHARED COMMAND…: runs a command in the Debian that scripts/fetch-wine.sh put into WINE, where the folder SHARED
# is /mnt and Z:\mnt. It is started by unshare, with mounts and processes of its own, so that none of either is left.
set -eu
wine=$1
root=$1/debian
shared=$2
shift 2
mount -t proc proc "$root/proc"
for each in dev sys; do mount --rbind "/$each" "$root/$each"; done
mount --bind "$shared" "$root/mnt"
mkdir -p "$shared/home" "$shared/node"
mount --bind "$wine/node/bin" "$root/mnt/node"
[ -z "${XAUTHORITY:-}" ] || cp "$XAUTHORITY" "$shared/xauthority"
# On Wine Node writes into files, not into pipes. Wine writes its registry when its server ends.
exec chroot "$root" env -i PATH=/usr/lib/wine:/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/mnt/home USER=somebody LOGNAME=somebody DISPLAY="${DISPLAY:-}" \
  XAUTHORITY=/mnt/xauthority WINEPREFIX=/mnt/wine WINEDEBUG=-all 'WINEPATH=Z:\mnt\node' \
  sh -c '"$@" </dev/null >/mnt/told.txt 2>/mnt/errors.txt; code=$?; wineserver64 -w; cat /mnt/told.txt; cat /mnt/errors.txt >&2; exit $code' sh "$@"
