// scripts/packaging/tools.mjs [SYSTEM…]: tells which programs are missing that make the packages of systems; all of these without one.
import { spawnSync } from 'node:child_process';
import { SYSTEMS } from './systems.mjs';

/** Programs that make packages by the platform that these are for, with Debian's package of each. Windows and macOS bring the rest. */
const TOOLS = {
  linux: { 'dpkg-deb': 'dpkg', rpmbuild: 'rpm', mksquashfs: 'squashfs-tools', '7zz': '7zip' },
  win32: {
    makensis: 'nsis',
    ...(process.platform === 'linux' ? { 'x86_64-w64-mingw32-gcc': 'gcc-mingw-w64-x86-64-win32' } : {}),
  },
  darwin: process.platform === 'darwin' ? {} : { xorrisofs: 'xorriso' },
};

/**
 * What is missing here to make the packages of systems: a line for each that lacks a program.
 * @param {readonly string[]} names as `SYSTEMS` has them
 * @returns {string[]}
 */
export function missingTools(names) {
  return names.flatMap((name) => {
    const { platform } = /** @type {import('./systems.mjs').System} */ (SYSTEMS[name]);
    const missing = Object.entries(TOOLS[platform]).filter(([tool]) => isMissing(tool));
    if (missing.length === 0) return [];
    const tools = new Intl.ListFormat('en-GB').format(missing.map(([tool]) => tool));
    const packages = missing.map(([, each]) => each).join(' ');
    return [
      `package: ${name}: ${tools} ${missing.length === 1 ? 'is' : 'are'} missing: on Debian: apt-get install ${packages}`,
    ];
  });
}

/** @param {string} tool */
function isMissing(tool) {
  const { error } = spawnSync(tool, ['--version'], { stdio: 'ignore' });
  return error !== undefined && 'code' in error && error.code === 'ENOENT';
}

if (process.argv[1] === import.meta.filename) {
  const named = process.argv.slice(2).filter((name) => Object.hasOwn(SYSTEMS, name));
  const missing = missingTools(named.length > 0 ? named : Object.keys(SYSTEMS));
  for (const line of missing) console.error(line);
  if (missing.length > 0) process.exitCode = 1;
}
