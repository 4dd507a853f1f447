// scripts/pack-npm.mjs FOLDER: packs Outrank for npm into FOLDER/outrank-VERSION.tgz: all of the command line and the page, with the
// converter and the reader of symbols in WebAssembly. It needs Node alone where it is installed. Build first: scripts/setup.sh and scripts/build-wasm.sh.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What lies in the package as it lies here. */
const FILES = [
  'LICENSE',
  'README.md',
  'app/cli/outrank.mjs',
  'app/fleet/spark/ask_lake.py',
  'app/fleet/spark/fill_lake.py',
  'dist/cli',
  'dist/engine-worker.cjs',
  'dist/models-worker.cjs',
  'dist/outrank-convert.mjs',
  'dist/outrank-convert.wasm',
  'dist/outrank-symbols.mjs',
  'dist/outrank-symbols.wasm',
  'dist/ui',
  'vendor/engine',
];
/** The demo, packed: the converter opens it so. */
const DEMO = 'vendor/demo/lock-screen.etl';
/** What the bundles leave out (`scripts/build.mjs`). */
const DEPENDENCIES = ['linkedom', 'ws', 'yauzl', 'yazl'];
/** Asked for by a team server with a store in S3 alone. */
const WANTED_FOR_S3 = ['@aws-sdk/client-s3', '@aws-sdk/lib-storage'];
/** Asked for by lakes alone: its binary is 68 MB. */
const WANTED_FOR_LAKES = ['@duckdb/node-api'];
const WANTED = [...WANTED_FOR_S3, ...WANTED_FOR_LAKES];
/** With native programs, which are preferred; installed by those who want them (scripts/pack-npm-native.mjs). */
const NATIVE = ['linux-x64', 'win32-x64', 'darwin-x64', 'darwin-arm64'].map(
  (system) => `@outrank/native-${system}`,
);

/** @param {string} folder where the package is put */
function pack(folder) {
  const missing = [...FILES, DEMO].filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0)
    throw new Error(
      `there is no ${missing.join(', ')}: run scripts/setup.sh and scripts/build-wasm.sh first`,
    );
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @param {string[]} names */
  const versions = (names) =>
    Object.fromEntries(names.map((name) => [name, own.dependencies[name] ?? own.optionalDependencies[name]]));
  const { name, version, description, license, type, engines, bin } = own;
  const manifest = {
    ...{ name, version, description, license, type, engines, bin },
    files: [...FILES, `${DEMO}.gz`],
    dependencies: versions(DEPENDENCIES),
    peerDependencies: { ...versions(WANTED), ...Object.fromEntries(NATIVE.map((each) => [each, version])) },
    peerDependenciesMeta: Object.fromEntries(
      [...WANTED, ...NATIVE].map((each) => [each, { optional: true }]),
    ),
  };
  const staged = mkdtempSync(join(tmpdir(), 'outrank-npm-'));
  try {
    writeFileSync(join(staged, 'package.json'), JSON.stringify(manifest, null, 2));
    for (const path of FILES)
      cpSync(join(root, path), join(staged, path), {
        recursive: true,
        filter: (from) => !from.endsWith('.map'),
      });
    mkdirSync(join(staged, DEMO, '..'), { recursive: true });
    writeFileSync(join(staged, `${DEMO}.gz`), gzipSync(readFileSync(join(root, DEMO)), { level: 9 }));
    mkdirSync(folder, { recursive: true });
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', resolve(folder)], {
      cwd: staged,
      stdio: ['ignore', 'ignore', 'inherit'],
      // On Windows npm is a batch file, which only a shell runs.
      shell: process.platform === 'win32',
    });
    return join(resolve(folder), `${name}-${version}.tgz`);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) {
  console.error('pack-npm: one FOLDER is taken: where the package is put');
  process.exitCode = 1;
} else {
  try {
    console.log(pack(folder));
  } catch (error) {
    console.error(`pack-npm: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
