#!/usr/bin/env bash
# Puts Spark into vendor/spark, for the trial of the jobs in app/fleet/spark. It wants Java 17.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=pyspark==4.3.0
[ "$(cat vendor/spark/.installed 2>/dev/null)" != "$wanted" ] || exit 0
rm -rf vendor/spark
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target vendor/spark "$wanted"
printf '%s\n' "$wanted" >vendor/spark/.installed
