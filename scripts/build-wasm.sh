#!/usr/bin/env bash
# scripts/build-wasm.sh: builds the converter and the reader of symbols as WebAssembly, dist/outrank-convert.wasm and
# dist/outrank-symbols.wasm, for where no native ones are.
# The target's standard library comes by rustup where rustup can add it, else from Debian's packages of Rust, which are
# unpacked to vendor/rust-web and not installed. OUTRANK_WASM_RUST=rustup or =debian chooses.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-wasip1
way=${OUTRANK_WASM_RUST:-}

say() { printf 'build-wasm: %s\n' "$*"; }
fail() {
  say "$*" >&2
  exit 1
}

by_rustup() {
  command -v rustup >/dev/null || return 1
  rustup target list --installed 2>/dev/null | grep -qx "$target" ||
    timeout 120 rustup target add "$target" >/dev/null 2>&1
}

# build ARGUMENT...: with the cargo and rustc of the environment.
build() {
  cargo build --quiet --locked --profile wasm --package convert --package symbols --target "$target" \
    --manifest-path converter/Cargo.toml --target-dir "converter/target/$way" "$@"
}

if [ "$way" = rustup ] || { [ -z "$way" ] && by_rustup; }; then
  way=rustup
  by_rustup || fail "rustup cannot add the target $target: are its servers reached?"
  build
else
  way=debian
  scripts/fetch-rust-web.sh || fail "there is no standard library for $target: \`rustup target add $target\` adds it"
  rust=$PWD/vendor/rust-web/usr
  export LD_LIBRARY_PATH="$rust/lib/$(uname -m)-linux-gnu" RUSTC="$rust/bin/rustc" RUSTC_BOOTSTRAP=1 PATH="$rust/bin:$PATH"
  unset RUSTUP_TOOLCHAIN
  build -Zbuild-std=std,panic_abort
fi

mkdir -p dist
for name in outrank-convert outrank-symbols; do
  built=converter/target/$way/$target/wasm/$name.wasm
  cmp -s "$built" "dist/$name.wasm" || cp "$built" "dist/$name.wasm"
done
