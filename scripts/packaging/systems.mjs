/**
 * A system that Outrank is packed for.
 * @typedef {object} System
 * @property {'linux' | 'win32' | 'darwin'} platform as Node and Electron call it
 * @property {'x64' | 'arm64'} arch
 * @property {string} triple as Rust calls it, where it is built on the system itself
 * @property {string | null} crossTriple as Rust calls it, where it can be built on Linux
 * @property {string} title
 */

/** @type {Readonly<Record<string, System>>} All systems, by the names that `scripts/package.mjs` takes. */
export const SYSTEMS = {
  linux: {
    platform: 'linux',
    arch: 'x64',
    triple: 'x86_64-unknown-linux-gnu',
    crossTriple: null,
    title: 'Linux, x64',
  },
  windows: {
    platform: 'win32',
    arch: 'x64',
    triple: 'x86_64-pc-windows-msvc',
    crossTriple: 'x86_64-pc-windows-gnu',
    title: 'Windows, x64',
  },
  'macos-x64': {
    platform: 'darwin',
    arch: 'x64',
    triple: 'x86_64-apple-darwin',
    crossTriple: null,
    title: 'macOS, Intel',
  },
  'macos-arm64': {
    platform: 'darwin',
    arch: 'arm64',
    triple: 'aarch64-apple-darwin',
    crossTriple: null,
    title: 'macOS, Apple silicon',
  },
};
