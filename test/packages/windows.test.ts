import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tellLockScreenStory } from '../support/story.ts';
import { demo, realTraces, root, Scratch } from '../support/places.ts';
import { fileIn, made, namesIn, printed } from './made.ts';
import { hasWine, inWine, startInWine } from './wine.ts';

const windows = made('-windows-x64.zip');
const setup = made('-windows-x64-setup.exe');
const traces = realTraces();

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
  for (const program of ['Outrank.exe', 'bin/outrank.exe'])
    expect(machineOf(fileIn(zip, `Outrank/${program}`))).toBe(0x8664);
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
  for (const file of ['LICENSE.outrank.txt', 'THIRD-PARTY-LICENSES.txt', 'LICENSES.chromium.html'])
    expect(names).toContain(`Outrank/${file}`);
});

/** Runs a command on a terminal, and presses Ctrl-C when it has told an address. */
const INTERRUPT = `seen=/mnt/seen.txt
: >$seen
{
  for _ in $(seq 120); do ! grep -q http: $seen || break; sleep 1; done
  printf '\\003'
  sleep 1
} | script -qefc "$1" $seen
printf '\\nended with %s\\n' $?
`;

/** The SHA-256 of every file below a folder, by its path. */
function hashes(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
  const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  return new Map(paths.map((path) => [path, hashOf(join(folder, path))]));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Connects to a window as soon as it can be reached. */
async function connect(port: number): Promise<Browser> {
  for (let tries = 60; ; tries--)
    try {
      // Electron lacks what Playwright sets by default.
      return await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true });
    } catch (error) {
      if (tries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
}

describe.skipIf(windows === null || setup === null || !hasWine())('on Wine', () => {
  const scratch = new Scratch();
  const shared = scratch.path('shared');
  const user = join(shared, 'wine', 'drive_c', 'users', 'somebody');
  const installed = join(user, 'AppData', 'Local', 'Programs', 'Outrank');
  const alias = join(user, 'AppData', 'Local', 'Microsoft', 'WindowsApps', 'outrank.exe');
  beforeAll(() => {
    mkdirSync(shared);
    copyFileSync(demo.trace, join(shared, 'lock-screen.etl'));
    copyFileSync(String(setup), join(shared, 'setup.exe'));
    printed('unzip', ['-q', String(windows), '-d', shared]);
    inWine(shared, 'wine64', 'wineboot', '--init');
  });
  afterAll(() => scratch.remove());

  /** Converts files of a folder one by one; each line that is printed is the exit code for one. */
  const EACH =
    'for each in "$2"/*; do $1 --progress none "$each" -o "$3/${each##*/}.pftrace" --columns "$3/${each##*/}"; echo $?; done';

  test.skipIf(traces === null)('the converter writes what the native one writes, for all real files', () => {
    const given = scratch.path('shared/given');
    mkdirSync(given);
    for (const [name, path] of [...(traces ?? []), ['lock-screen.etl', demo.trace] as const])
      copyFileSync(path, join(given, name.replace('/', '-')));
    const count = readdirSync(given).length;
    expect(count).toBeGreaterThan(12);
    for (const folder of ['by-wine', 'by-native']) mkdirSync(join(shared, folder));
    const converter = '/mnt/Outrank/resources/app/bin/outrank-convert.exe';
    const inTurn = `cd /mnt; ${EACH}`;
    const byWine = inWine(shared, 'sh', '-c', inTurn, 'sh', `wine64 ${converter}`, 'given', 'by-wine');
    const native = join(root, 'converter', 'target', 'release', 'outrank-convert');
    const byNative = printed('sh', ['-c', EACH, 'sh', native, given, join(shared, 'by-native')]);
    expect(byWine.replaceAll('\r', '')).toBe(byNative);
    expect(byNative.split('\n').filter((code) => code === '0').length).toBeGreaterThan(10);
    const written = hashes(join(shared, 'by-native'));
    expect(written.size).toBeGreaterThan(count);
    expect(hashes(join(shared, 'by-wine'))).toEqual(written);
  });

  test('the setup installs for one user what the .zip holds', () => {
    expect(machineOf(readFileSync(String(setup)))).toBe(0x8664);
    inWine(shared, 'wine64', 'Z:\\mnt\\setup.exe', '/S');
    const files = new Map(hashes(installed));
    expect(files.delete('uninstall.exe')).toBe(true);
    expect(files).toEqual(hashes(join(shared, 'Outrank')));
    expect(readFileSync(alias)).toEqual(readFileSync(join(installed, 'bin', 'outrank.exe')));
    const query = (key: string) =>
      inWine(shared, 'wine64', 'reg', 'query', `HKCU\\Software\\Classes\\${key}`);
    expect(query('outrank\\shell\\open\\command')).toContain('Outrank.exe" "%1"');
    expect(query('.outrank')).toContain('Outrank.Bundle');
  });

  const COMMAND = 'C:\\users\\somebody\\AppData\\Local\\Microsoft\\WindowsApps\\outrank.exe';

  test('the command that it installs answers, by its name alone', () => {
    const path = '@set PATH=%PATH%;%LOCALAPPDATA%\\Microsoft\\WindowsApps';
    const asked = '@outrank info Z:\\mnt\\lock-screen.etl';
    writeFileSync(join(shared, 'asked.cmd'), `${path}\r\n${asked}\r\n`);
    expect(inWine(shared, 'wine64', 'cmd', '/c', 'Z:\\mnt\\asked.cmd')).toContain('8 CPUs');
  });

  test('so does the command of the .zip, where it was unpacked', () => {
    const command = 'Z:\\mnt\\Outrank\\bin\\outrank.exe';
    expect(inWine(shared, 'wine64', command, 'info', 'Z:\\mnt\\lock-screen.etl')).toContain('8 CPUs');
  });

  test('spaces, quotes and letters of all languages arrive as they were given', () => {
    copyFileSync(demo.trace, join(shared, 'Prüf 测 & co.etl'));
    const sql = `SELECT '%PATH% ^&| 测' AS "a ""b""\\"`;
    const asked = ['query', 'Z:\\mnt\\Prüf 测 & co.etl', '--sql', sql, '--format', 'json'];
    expect(JSON.parse(inWine(shared, 'wine64', COMMAND, ...asked))).toEqual([{ 'a "b"\\': '%PATH% ^&| 测' }]);
  });

  test('the code of a file that is none passes through', () => {
    writeFileSync(join(shared, 'bad.etl'), 'not a trace'.repeat(1000));
    const asked = () => inWine(shared, 'wine64', COMMAND, 'info', 'Z:\\mnt\\bad.etl');
    expect(asked).toThrow(expect.objectContaining({ status: 2 }));
  });

  test('Ctrl-C on its console reaches what it started, whose end it awaits', () => {
    writeFileSync(join(shared, 'interrupt.sh'), INTERRUPT);
    const told = inWine(shared, 'sh', '/mnt/interrupt.sh', `exec wine64 '${COMMAND}' serve --no-open`);
    expect(told).toMatch(/Outrank is at http:/);
    expect(told).toMatch(/\nended with 0\n$/);
  });

  test('the window that it installs shows a trace, and tells what the other doors tell', async () => {
    const port = await freePort();
    const program = 'C:\\users\\somebody\\AppData\\Local\\Programs\\Outrank\\Outrank.exe';
    const options = ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`];
    const started = startInWine(shared, 'wine64', program, ...options, 'Z:\\mnt\\lock-screen.etl');
    try {
      const ended = once(started, 'exit');
      const browser = await connect(port);
      const page = browser.contexts()[0]?.pages()[0];
      if (page === undefined) throw new Error('there is no window');
      await tellLockScreenStory(page, scratch.path('cache'), 'package-windows');
      expect(await page.title()).toBe('lock-screen.etl – Outrank');
      await page.evaluate(() => window.close());
      expect(await ended).toEqual([0, null]);
    } finally {
      started.kill('SIGKILL');
    }
  });

  test('it is taken away and leaves nothing', () => {
    // Outside its folder, as Windows itself starts it from a copy.
    copyFileSync(join(installed, 'uninstall.exe'), join(shared, 'uninstall.exe'));
    const folder = '_?=C:\\users\\somebody\\AppData\\Local\\Programs\\Outrank';
    inWine(shared, 'wine64', 'Z:\\mnt\\uninstall.exe', '/S', folder);
    expect([installed, alias].filter((path) => existsSync(path))).toEqual([]);
    const asked = ['reg', 'query', 'HKCU\\Software\\Classes\\outrank'];
    expect(() => inWine(shared, 'wine64', ...asked)).toThrow();
  });
});
