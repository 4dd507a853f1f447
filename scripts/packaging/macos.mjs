import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { zipFolder } from './zip.mjs';

/** What the Info.plist says of the files that Outrank opens. */
export const INFO_PLIST = {
  CFBundleDocumentTypes: [
    {
      CFBundleTypeName: 'Outrank bundle',
      CFBundleTypeRole: 'Viewer',
      CFBundleTypeExtensions: ['outrank'],
      LSHandlerRank: 'Owner',
    },
    {
      CFBundleTypeName: 'Windows performance trace',
      CFBundleTypeRole: 'Viewer',
      CFBundleTypeExtensions: ['etl'],
      LSHandlerRank: 'Default',
    },
  ],
};

/**
 * Makes the packages for macOS: a .zip and a .dmg.
 * @param {{ packed: string, work: string, out: string, version: string, arch: string }} from `packed` holds Outrank.app, which is moved
 * @returns {Promise<string[]>} their paths
 */
export async function packMac({ packed, work, out, version, arch }) {
  const named = join(out, `outrank-${version}-macos-${arch}`);
  await zipFolder(join(packed, 'Outrank.app'), `${named}.zip`, { prefix: 'Outrank.app/' });
  const shown = join(work, 'dmg');
  mkdirSync(shown);
  renameSync(join(packed, 'Outrank.app'), join(shown, 'Outrank.app'));
  symlinkSync('/Applications', join(shown, 'Applications'));
  const [tool, args, env] =
    process.platform === 'darwin'
      ? compressedImage(shown, `${named}.dmg`, version)
      : hybridImage(shown, `${named}.dmg`, version);
  execFileSync(tool, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  return [`${named}.zip`, `${named}.dmg`];
}

/** @typedef {[tool: string, args: string[], env: Record<string, string>]} Call */

/**
 * How macOS makes an image.
 * @param {string} folder what is shown in it
 * @param {string} file
 * @param {string} version
 * @returns {Call}
 */
function compressedImage(folder, file, version) {
  return ['hdiutil', ['create', '-volname', `Outrank ${version}`, '-srcfolder', folder, '-ov', file], {}];
}

/**
 * How other systems make an image: not compressed, both HFS+ and ISO 9660 with Rock Ridge over the same files. All times in it are that
 * of the commit, so that the same files give the same image.
 * @param {string} folder what is shown in it
 * @param {string} file
 * @param {string} version
 * @returns {Call}
 */
function hybridImage(folder, file, version) {
  const told = ['log', '-1', '--format=%ct'];
  const time_s =
    process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', told, { cwd: root, encoding: 'utf8' }).trim();
  const args = [
    ...['-quiet', '-o', file, '-V', `Outrank ${version}`],
    ...['-hfsplus', '-sysid', 'APPLE', '-apm-block-size', '2048', '-no-pad'],
    // Modes as they are; owned by no user; folders as deep, and names as long, as they are.
    ...['-R', '-uid', '0', '-gid', '0', '-D', '-l', folder],
    ...['--', '-volume_date', 'all_file_dates', `=${time_s}`],
  ];
  return ['xorrisofs', args, { SOURCE_DATE_EPOCH: time_s }];
}
