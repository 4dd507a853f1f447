#!/usr/bin/env bash
# Puts a Trino server with its Hive connector into vendor/trino, for the trial of app/fleet/trino. Fetches 821 MB by Maven, keeps 400 MB.
# It runs on Java 24 or later. Later versions of the server are not on Maven Central.
set -euo pipefail
cd "$(dirname "$0")/.."

version=476
sha256=cfd5accde17e8ebd251eeeb78aed1f490e77bb3a164d95a0f454bf8a7c1cbd3f
[ "$(cat vendor/trino/.installed 2>/dev/null)" != "$version" ] || exit 0
command -v mvn >/dev/null || {
  echo 'mvn is missing: it fetches Trino' >&2
  exit 1
}
fetched=$(mktemp -d)
trap 'rm -rf "$fetched"' EXIT
# A repository of its own, so that the archive does not stay in the user's.
mvn --quiet --batch-mode -Dmaven.repo.local="$fetched" dependency:get -Dtransitive=false -Dartifact="io.trino:trino-server:$version:tar.gz"
archive=$fetched/io/trino/trino-server/$version/trino-server-$version.tar.gz
printf '%s  %s\n' "$sha256" "$archive" | sha256sum --check --quiet
rm -rf vendor/trino
mkdir -p vendor/trino
tar --extract --gzip --file "$archive" --directory vendor/trino --strip-components=1
# Files of one plugin are links to those of another, so that all are unpacked before the others go.
find vendor/trino/plugin -mindepth 1 -maxdepth 1 ! -name hive -exec rm -rf {} +
printf '%s\n' "$version" >vendor/trino/.installed
