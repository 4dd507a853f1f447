import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
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
 * Makes the packages for macOS: a .zip, and on macOS, whose tools alone make one, a .dmg.
 * @param {{ packed: string, out: string, version: string, arch: string }} from `packed` holds Outrank.app
 * @returns {Promise<string[]>} their paths
 */
export async function packMac({ packed, out, version, arch }) {
  const named = join(out, `outrank-${version}-macos-${arch}`);
  await zipFolder(join(packed, 'Outrank.app'), `${named}.zip`, { prefix: 'Outrank.app/' });
  if (process.platform !== 'darwin') return [`${named}.zip`];
  execFileSync('hdiutil', ['create', '-volname', 'Outrank', '-srcfolder', packed, '-ov', `${named}.dmg`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return [`${named}.zip`, `${named}.dmg`];
}
