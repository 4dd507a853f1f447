// scripts/pack-npm-native.mjs FOLDER [SYSTEM]: packs the converter and the reader of symbols in Rust as a package for npm of their own,
// FOLDER/outrank-native-PLATFORM-ARCH-VERSION.tgz. Outrank prefers them where that is installed too, in the same version.
// SYSTEM is as scripts/package.mjs takes it; without one, this system.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { nativeLicenceTexts } from './packaging/licences.mjs';
import { addNativePrograms } from './packaging/native.mjs';
import { root } from './packaging/root.mjs';
import { SYSTEMS } from './packaging/systems.mjs';

/**
 * @param {string} folder where the package is put
 * @param {import('./packaging/systems.mjs').System} system
 */
function pack(folder, system) {
  const { platform, arch, title } = system;
  const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const staged = mkdtempSync(join(tmpdir(), 'outrank-native-'));
  try {
    const triple = addNativePrograms(system, join(staged, 'bin'));
    if (triple === null) throw new Error(`programs for ${title} cannot be built here`);
    const manifest = {
      ...{ name: `@outrank/native-${platform}-${arch}`, version, license, engines },
      description: `The native converter and symbol reader of Outrank for ${title}`,
      ...{ os: [platform], cpu: [arch], ...(platform === 'linux' ? { libc: ['glibc'] } : {}) },
      files: ['bin', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'],
    };
    writeFileSync(join(staged, 'package.json'), JSON.stringify(manifest, null, 2));
    cpSync(join(root, 'LICENSE'), join(staged, 'LICENSE'));
    writeFileSync(join(staged, 'THIRD-PARTY-LICENSES.txt'), nativeLicenceTexts(triple));
    mkdirSync(folder, { recursive: true });
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', resolve(folder)], {
      ...{ cwd: staged, stdio: ['ignore', 'ignore', 'inherit'] },
      // On Windows npm is a batch file, which only a shell runs.
      shell: process.platform === 'win32',
    });
    return join(resolve(folder), `outrank-native-${platform}-${arch}-${version}.tgz`);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

const [folder, named, ...more] = process.argv.slice(2);
/** @param {import("./packaging/systems.mjs").System} each */
const own = ({ platform, arch }) => platform === process.platform && arch === process.arch;
const system = named === undefined ? Object.values(SYSTEMS).find(own) : SYSTEMS[named];
try {
  if (folder === undefined || more.length > 0) throw new Error('pack-npm-native.mjs FOLDER [SYSTEM]');
  if (system === undefined)
    throw new Error(`${named ?? 'this system'}: one of ${Object.keys(SYSTEMS).join(', ')} is taken`);
  console.log(pack(folder, system));
} catch (error) {
  console.error(`pack-npm-native: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
