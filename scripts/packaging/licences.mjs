import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './root.mjs';

/** Triples whose crates are told where no native program is in a package: those of the converter in WebAssembly. */
const WASM = 'wasm32-wasip1';

const LICENCE_FILE = /^(licen[cs]e|copying|copyright|notice|unlicense)/i;

/**
 * One dependency whose code is in a package.
 * @typedef {object} Component
 * @property {'npm' | 'cargo'} kind
 * @property {string} name
 * @property {string} version
 * @property {string} licence as SPDX writes it
 * @property {string[]} texts the licence texts that come with it
 */

/** @returns {Component[]} all packages of Node that the bundles and the command line may hold */
export function npmComponents() {
  const folders = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    ...{ cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return folders
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return { kind: 'npm', name, version, licence: license ?? 'not told', texts: textsIn(folder) };
    });
}

/**
 * @param {string} triple for which system
 * @returns {Component[]} all crates that are linked into the converter, the symbol reader and the command for Windows
 */
export function crates(triple) {
  const manifest = join(root, 'converter', 'Cargo.toml');
  const told = execFileSync(
    'cargo',
    [
      ...['metadata', '--quiet', '--format-version', '1', '--locked'],
      ...['--manifest-path', manifest, '--filter-platform', triple],
    ],
    { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  /** @type {{ packages: Package[], resolve: { nodes: Node[] } }} */
  const { packages, resolve } = JSON.parse(told);
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const programs = packages.filter(
    ({ name, source }) => source === null && ['convert', 'symbols', 'launcher'].includes(name),
  );
  const linked = new Set(programs.map(({ id }) => id));
  // A set hands out what is added while it is walked through.
  for (const id of linked)
    for (const { pkg, dep_kinds: kinds } of nodes.get(id)?.deps ?? [])
      if (kinds.some(({ kind }) => kind === null)) linked.add(pkg);
  return packages
    .filter(({ id, source }) => linked.has(id) && source !== null)
    .map(({ name, version, license, manifest_path: path }) => ({
      ...{ kind: /** @type {const} */ ('cargo'), name, version, licence: license ?? 'not told' },
      texts: textsIn(dirname(path)),
    }));
}

/**
 * @typedef {{ id: string, name: string, version: string, source: string | null, license: string | null, manifest_path: string }} Package
 * @typedef {{ id: string, deps: { pkg: string, dep_kinds: { kind: string | null }[] }[] }} Node
 */

/**
 * The licences of all that a package holds, each text once.
 * @param {string | null} triple what its native programs were built for; null: the converter is in WebAssembly
 */
export function licenceTexts(triple) {
  const components = [
    ...npmComponents(),
    ...crates(triple ?? WASM),
    ...(triple === null ? [] : crates(WASM)),
  ];
  return told(components, [
    'trace_processor, the SQL engine (vendor/engine): Apache-2.0',
    'Electron: MIT, and Chromium in it (LICENSES.chromium.html)',
  ]);
}

/**
 * The licences of all that the programs in Rust hold, each text once.
 * @param {string} triple what they were built for
 */
export function nativeLicenceTexts(triple) {
  return told(crates(triple), []);
}

/**
 * @param {Component[]} components
 * @param {string[]} others what has no text here
 */
function told(components, others) {
  /** @type {Map<string, string>} */
  const lists = new Map();
  /** @type {Map<string, Set<string>>} */
  const owners = new Map();
  for (const { kind, name, version, licence, texts } of components) {
    const label = `${name} ${version} (${kind})`;
    lists.set(
      label,
      `${label}: ${licence}${texts.length === 0 ? '; it comes without a text of its own' : ''}`,
    );
    for (const text of texts) owners.set(text, (owners.get(text) ?? new Set()).add(label));
  }
  const list = [...lists.values()].sort();
  const texts = [...owners].map(
    ([text, names]) => `${'='.repeat(78)}\n${[...names].sort().join('\n')}\n\n${text}\n`,
  );
  return [
    'Outrank is under the Apache License 2.0 (LICENSE). It holds code of these, under these licences:',
    '',
    ...[...list, ...others, ...standardLibrary().map(([name]) => `${name}: MIT OR Apache-2.0`)],
    '',
    ...texts,
    ...standardLibrary().map(([name, text]) => `${'='.repeat(78)}\n${name}\n\n${text}`),
  ].join('\n');
}

/** @returns {[string, string][]} Rust's own library, which is linked into every program */
function standardLibrary() {
  const sysroot = execFileSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).trim();
  const version = execFileSync('rustc', ['--version'], { encoding: 'utf8' }).split(' ')[1];
  const folder = join(sysroot, 'share', 'doc', 'rust', 'licenses');
  const names = ['MIT.txt', 'Apache-2.0.txt'].filter((name) => existsSync(join(folder, name)));
  const text = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  return [[`Rust's standard library ${version}`, text]];
}

/** @param {string} folder */
function textsIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(basename(entry.name)))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
}
