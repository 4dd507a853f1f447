import { expect, test } from 'vitest';
import { fileIn, made } from './made.ts';

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
}
