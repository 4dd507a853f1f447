import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Scratch } from '../support/places.ts';
import { fileIn, made, namesIn, printed } from './made.ts';

const windows = made('-windows-x64.zip');
const setup = made('-windows-x64-setup.exe');

/** What a portable executable says that it runs on; x64 is 0x8664. */
function machineOf(program: Buffer): number {
  expect(program.toString('latin1', 0, 2)).toBe('MZ');
  const header = program.readUInt32LE(0x3c);
  expect(program.toString('latin1', header, header + 4)).toBe('PE\0\0');
  return program.readUInt16LE(header + 4);
}

test.skipIf(windows === null)('the .zip for Windows holds programs of Windows', () => {
  const zip = String(windows);
  const names = namesIn(zip);
  expect(machineOf(fileIn(zip, 'Outrank/Outrank.exe'))).toBe(0x8664);
  const app = 'Outrank/resources/app/';
  const native = `${app}bin/outrank-convert.exe`;
  // Where no native converter could be built the one in WebAssembly works.
  if (names.includes(native)) expect(machineOf(fileIn(zip, native))).toBe(0x8664);
  for (const file of [
    'dist/outrank-convert.wasm',
    'dist/outrank-symbols.wasm',
    'dist/electron/main.cjs',
    'vendor/engine/trace_processor.wasm',
  ])
    expect(names).toContain(app + file);
  for (const file of [
    'bin/outrank.cmd',
    'LICENSE.outrank.txt',
    'THIRD-PARTY-LICENSES.txt',
    'LICENSES.chromium.html',
  ])
    expect(names).toContain(`Outrank/${file}`);
});

const wine = '/usr/lib/wine/wine64';
const hasWine = existsSync(wine);
if (!hasWine) console.warn(`SKIPPED: the setup for Windows, since there is no ${wine}`);

test.skipIf(setup === null || !hasWine)(
  'the setup for Windows installs for one user, and leaves nothing',
  () => {
    expect(machineOf(readFileSync(String(setup)))).toBe(0x8664);
    const scratch = new Scratch();
    try {
      const env = {
        ...process.env,
        ...{ HOME: scratch.folder, WINEPREFIX: scratch.path('wine'), WINEDEBUG: '-all' },
        ...{ USER: 'somebody', LOGNAME: 'somebody' },
      };
      const run = (...args: string[]) => printed(wine, args, env);
      const user = scratch.path('wine/drive_c/users/somebody');
      const app = join(user, 'AppData', 'Local', 'Programs', 'Outrank');
      const command = join(user, 'AppData', 'Local', 'Microsoft', 'WindowsApps', 'outrank.cmd');
      run(String(setup), '/S');
      expect(readFileSync(command, 'utf8')).toMatch(/Programs\\Outrank\\bin\\outrank\.cmd" %\*/);
      const classes = 'HKCU\\Software\\Classes';
      expect(run('reg', 'query', `${classes}\\outrank\\shell\\open\\command`)).toContain('Outrank.exe" "%1"');
      expect(run('reg', 'query', `${classes}\\.outrank`)).toContain('Outrank.Bundle');
      // Outside its folder, as Windows itself starts it from a copy.
      const uninstall = scratch.path('uninstall.exe');
      copyFileSync(join(app, 'uninstall.exe'), uninstall);
      run(uninstall, '/S', '_?=C:\\users\\somebody\\AppData\\Local\\Programs\\Outrank');
      expect([app, command].filter((path) => existsSync(path))).toEqual([]);
      expect(() => run('reg', 'query', `${classes}\\outrank`)).toThrow();
    } finally {
      scratch.remove();
    }
  },
);

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
