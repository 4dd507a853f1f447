#!/usr/bin/env bash
# Unpacks Debian's Rust with the sources of its standard library to vendor/rust-web, for scripts/build-wasm.sh. Nothing is
# installed: apt checks the packages' signatures, dpkg-deb unpacks them.
set -euo pipefail
cd "$(dirname "$0")/.."
# Rust's own, its linker, and what its cargo is linked with.
packages=(rustc-web libstd-rust-web-dev libstd-rust-web-1.96 cargo-web rust-web-src rust-web-llvm libllvm22 lld-22 llvm-22
  wasi-libc libgit2-1.5 libssh2-1 libhttp-parser2.9 libmbedcrypto7 libmbedtls14 libmbedx509-1)
into=vendor/rust-web

! [ -f "$into/complete" ] || exit 0
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || {
  echo 'fetch-rust-web: apt-get and dpkg-deb are needed, which Debian and its kin have' >&2
  exit 1
}
rm -rf "$into"
mkdir -p "$into/packages"
if ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq </dev/null >/dev/null
fi
(cd "$into/packages" && apt-get download -qq "${packages[@]}" 2>/dev/null)
for package in "$into"/packages/*.deb; do dpkg-deb -x "$package" "$into"; done
rm -rf "$into/packages"

# Rust's target has its C library in this folder.
own=$into/usr/lib/rustlib/wasm32-wasip1/lib/self-contained
mkdir -p "$own"
cp "$into"/usr/lib/wasm32-wasi/{crt1-command.o,crt1-reactor.o,libc.a} "$own"
llvm=$into/usr/lib/llvm-22/bin
LD_LIBRARY_PATH=$into/usr/lib/$(uname -m)-linux-gnu
export LD_LIBRARY_PATH
"$llvm/llc" -filetype=obj scripts/rust-web-stubs.ll -o "$own/stubs.o"
"$llvm/llvm-ar" rs "$own/libc.a" "$own/stubs.o" 2>/dev/null
touch "$into/complete"
