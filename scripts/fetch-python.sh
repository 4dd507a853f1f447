#!/usr/bin/env bash
# Puts the Python packages that docs/columns.md names into vendor/python, for the test of that document.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(duckdb==2.0.0 numpy==2.4.6 pandas==3.1.1 polars==2.1.0 pyarrow==26.0.1)
wanted="${packages[*]}"
[ "$(cat vendor/python/.installed 2>/dev/null)" != "$wanted" ] || exit 0
rm -rf vendor/python
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --only-binary :all: \
  --target vendor/python "${packages[@]}" 2>/dev/null
printf '%s\n' "$wanted" >vendor/python/.installed
