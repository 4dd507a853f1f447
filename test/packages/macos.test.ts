import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root, Scratch } from '../support/places.ts';
import { fileIn, made, printed } from './made.ts';

const scratch = new Scratch();
afterAll(() => scratch.remove());

const hasReader = spawnSync('7zz').error === undefined;
if (!hasReader) console.warn('SKIPPED: what is in the .dmg for macOS, since 7zz is missing');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
/** The image's name, by which 7zz calls its folder. */
const volume = `Outrank ${version}`;

/** All that is below a folder, by its path: of a link where it leads, of a file its SHA-256 and whether it is a program. */
function contents(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => [entry, pathOf(entry)] as const);
  return new Map(
    paths.map(([entry, path]) => [
      path.slice(folder.length + 1),
      entry.isSymbolicLink() ? `to ${readlinkSync(path)}` : told(path),
    ]),
  );
}

const pathOf = ({ parentPath, name }: { parentPath: string; name: string }) => join(parentPath, name);

function told(file: string): string {
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
  return `${hash}${(statSync(file).mode & 0o111) === 0 ? '' : ', a program'}`;
}

/** A file of an image, as one of its two file systems has it. */
function fileOf(image: string, system: 'hfs' | 'iso', path: string): Buffer {
  // 7zz warns of what stands before HFS+.
  return spawnSync('7zz', ['x', '-so', `-t${system}`, image, path], { maxBuffer: 1 << 28 }).stdout;
}

const ARCHES = [
  ['x64', 0x01000007],
  ['arm64', 0x0100000c],
] as const;
for (const [arch, processor] of ARCHES) {
  const mac = made(`-macos-${arch}.zip`);
  test.skipIf(mac === null)(`the .zip for macOS, ${arch}, is laid out as an app`, () => {
    const zip = String(mac);
    const contents = 'Outrank.app/Contents/';
    const plist = fileIn(zip, `${contents}Info.plist`).toString();
    expect(plist).toMatch(/<key>CFBundleURLSchemes<\/key>\s*<array>\s*<string>outrank<\/string>/);
    expect(plist).toMatch(/<key>CFBundleTypeExtensions<\/key>\s*<array>\s*<string>etl<\/string>/);
    expect(plist).toMatch(/<key>CFBundleIdentifier<\/key>\s*<string>dev.outrank.app<\/string>/);
    for (const program of ['MacOS/Outrank', 'Frameworks/Outrank Helper.app/Contents/MacOS/Outrank Helper']) {
      const header = fileIn(zip, contents + program);
      expect(header.readUInt32LE(0)).toBe(0xfeedfacf);
      expect(header.readUInt32LE(4)).toBe(processor);
    }
    // Links of a framework stay links: their content is where they lead.
    const link = `${contents}Frameworks/Electron Framework.framework/Versions/Current`;
    expect(fileIn(zip, link).toString()).toBe('A');
    expect(fileIn(zip, `${contents}Resources/outrank`).toString()).toMatch(/^#!\/bin\/sh\n/);
  });

  const dmg = made(`-macos-${arch}.dmg`);
  // macOS makes another kind of image.
  test.skipIf(mac === null || dmg === null || !hasReader || process.platform === 'darwin')(
    `the .dmg for macOS, ${arch}, shows the app of the .zip, and where it goes`,
    () => {
      const image = String(dmg);
      const [unpacked, shown] = [scratch.path(`${arch}-zip`), scratch.path(`${arch}-dmg`)];
      printed('unzip', ['-q', String(mac), '-d', unpacked]);
      execFileSync('7zz', ['x', '-y', '-thfs', `-o${shown}`, image, `${volume}/Outrank.app`], {
        stdio: 'ignore',
      });
      const files = contents(join(shown, volume));
      expect(files.size).toBeGreaterThan(200);
      expect(files).toEqual(contents(unpacked));
      expect(readdirSync(shown)).toEqual([volume]);

      const listed = printed('7zz', ['l', '-slt', '-thfs', image, `${volume}/Applications`]);
      expect(listed).toMatch(/^Mode = lrwxrwxrwx$/m);
      expect(fileOf(image, 'hfs', `${volume}/Applications`).toString()).toBe('/Applications');
      // Where a system reads no HFS+, ISO 9660 shows the same.
      const program = 'Outrank.app/Contents/MacOS/Outrank';
      expect(fileOf(image, 'iso', program)).toEqual(readFileSync(join(unpacked, program)));
      expect(readFileSync(image).toString('latin1', 0x8028, 0x8028 + volume.length)).toBe(volume);
    },
  );
}
