import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceTexts } from './licences.mjs';
import { addNativePrograms } from './native.mjs';
import { root } from './root.mjs';

/**
 * Lays out what Electron runs on a system: the package for npm with what it depends on, the window's code, the programs in
 * Rust where they can be built here, and the licences.
 * @param {import('./systems.mjs').System} system
 * @param {string} work an empty folder
 * @returns {{ folder: string, triple: string | null }} where it lies, and for what its native programs were built
 */
export function layOutApp(system, work) {
  const shell = process.platform === 'win32';
  const packed = execFileSync(process.execPath, [join(root, 'scripts', 'pack-npm.mjs'), work], {
    encoding: 'utf8',
  }).trim();
  writeFileSync(join(work, 'package.json'), '{}');
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', packed], {
    ...{ cwd: work, shell, stdio: ['ignore', 'ignore', 'inherit'] },
  });
  const folder = join(work, 'app');
  renameSync(join(work, 'node_modules', 'outrank'), folder);
  for (const name of ['.bin', '.package-lock.json'])
    rmSync(join(work, 'node_modules', name), { recursive: true, force: true });
  renameSync(join(work, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(root, 'dist', 'electron'), join(folder, 'dist', 'electron'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  });
  const triple = addNativePrograms(system, join(folder, 'bin'));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenceTexts(triple));
  const manifest = join(folder, 'package.json');
  const told = JSON.parse(readFileSync(manifest, 'utf8'));
  // By the name of the desktop file Electron asks a Linux desktop for the links.
  const window = {
    ...{ main: 'dist/electron/main.cjs', productName: 'Outrank', author: 'Outrank' },
    desktopName: 'outrank.desktop',
  };
  writeFileSync(manifest, JSON.stringify({ ...told, ...window }, null, 2));
  return { folder, triple };
}
