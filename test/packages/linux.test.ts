import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { _electron } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { untilShown } from '../support/page.ts';
import { demo, picture, Scratch } from '../support/places.ts';
import { made, printed } from './made.ts';

const scratch = new Scratch();
afterAll(() => scratch.remove());
const env = { ...process.env, OUTRANK_CACHE: scratch.path('cache'), XDG_CONFIG_HOME: scratch.path('config') };

const deb = made('_amd64.deb');
const rpm = made('.x86_64.rpm');
const tar = made('-linux-x64.tar.gz');
const image = made('-linux-x64.AppImage');

/** What every package lays below `/`, besides the app's own folder. */
const SYSTEM_FILES = [
  '/usr/bin/outrank',
  '/usr/share/applications/outrank.desktop',
  '/usr/share/icons/hicolor/256x256/apps/outrank.png',
  '/usr/share/icons/hicolor/scalable/apps/outrank.svg',
  '/usr/share/mime/packages/outrank.xml',
];

/** That a program shows the demo in its window, as an app that is packed. */
async function showsTrace(executablePath: string, name: string) {
  const launch = () =>
    _electron.launch({
      executablePath,
      args: ['--no-sandbox', `--user-data-dir=${scratch.path('settings')}`, demo.trace],
      env: Object.fromEntries(Object.entries(env).map(([variable, value]) => [variable, value ?? ''])),
    });
  // The first start of a freshly unpacked runtime has been seen to hang before the app's code ran.
  const started = await launch().catch(launch);
  expect(await started.evaluate(({ app }) => ({ isPackaged: app.isPackaged, name: app.name }))).toEqual({
    isPackaged: true,
    name: 'Outrank',
  });
  const page = await started.firstWindow();
  await untilShown(page);
  await page.screenshot({ path: picture(name) });
  await started.close();
}

test.skipIf(deb === null)(
  'the .deb is installed into an empty root, shows a trace, and leaves nothing',
  async () => {
    const rootFolder = scratch.path('root');
    const database = join(rootFolder, 'var', 'lib', 'dpkg');
    for (const name of ['updates', 'info', 'triggers']) mkdirSync(join(database, name), { recursive: true });
    const dpkg = (...args: string[]) =>
      printed('dpkg', [`--root=${rootFolder}`, '--force-depends', '--force-script-chrootless', ...args]);
    dpkg('--install', String(deb));
    const app = join(rootFolder, 'opt', 'outrank');
    for (const file of SYSTEM_FILES) expect(existsSync(join(rootFolder, file)), file).toBe(true);
    // Root's bit, without which Chromium's sandbox does not start where users may not make namespaces.
    expect(statSync(join(app, 'chrome-sandbox')).mode & 0o7777).toBe(0o4755);
    const licences = readFileSync(join(app, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const each of ['ring', 'rayon', 'preact', 'd3'])
      expect(licences).toMatch(new RegExp(`^${each} [\\d.]+ \\(`, 'm'));
    expect(printed(join(app, 'outrank'), ['info', demo.trace], env)).toContain('8 CPUs');

    await showsTrace(join(app, 'outrank-window'), 'package-deb');

    dpkg('--purge', 'outrank');
    const left = readdirSync(rootFolder, { recursive: true, encoding: 'utf8' });
    expect(
      left.filter((path) => !'var/lib/dpkg'.startsWith(path) && !path.startsWith('var/lib/dpkg/')),
    ).toEqual([]);
  },
);

const makesRoots =
  process.getuid?.() === 0 &&
  ['debootstrap', 'unshare'].every(
    (name) => existsSync(`/usr/sbin/${name}`) || existsSync(`/usr/bin/${name}`),
  );
if (!makesRoots) console.warn('SKIPPED: the .deb in a fresh Debian, which wants root and debootstrap');

test.skipIf(deb === null || !makesRoots)(
  'the .deb is installed into a fresh Debian with what it depends on, shows a trace, and leaves nothing',
  () => {
    const fresh = scratch.path('debian');
    printed('debootstrap', ['--variant=minbase', 'bookworm', fresh]);
    for (const path of [String(deb), demo.trace, join(import.meta.dirname, 'clean-debian.sh')])
      copyFileSync(path, join(fresh, 'root', basename(path)));
    const [name, trace] = [String(deb), demo.trace].map((path) => `/root/${basename(path)}`);
    // What is mounted in it is gone with the process.
    const inside = ['--mount', '--pid', '--fork', '--kill-child', 'chroot', fresh];
    const told = printed('unshare', [
      ...inside,
      'bash',
      '/root/clean-debian.sh',
      String(name),
      String(trace),
    ]);
    expect(told).toBe('"lock-screen.etl – Outrank"\n');
  },
  // Debian is fetched; six minutes on a busy machine.
  1_200_000,
);

test.skipIf(deb === null || rpm === null)('the .rpm holds what the .deb holds', () => {
  const listed = printed('rpm', ['-qp', '--nosignature', '--qf', '[%{FILENAMES}\\n]', String(rpm)]);
  const inRpm = new Set(listed.trim().split('\n'));
  const inDeb = printed('dpkg-deb', ['-c', String(deb)])
    .trim()
    .split('\n')
    .map((line) =>
      (line.split(/\s+/).slice(5).join(' ').split(' -> ')[0] ?? '').replace(/^\./, '').replace(/\/$/, ''),
    );
  const files = inDeb.filter((path) => path.startsWith('/opt/outrank') || SYSTEM_FILES.includes(path));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => !inRpm.has(path))).toEqual([]);
  expect(printed('rpm', ['-qp', '--nosignature', '--requires', String(rpm)])).toContain('gtk3');
});

test.skipIf(tar === null)('the .tar.gz runs where it is unpacked, and shows a trace', async () => {
  const folder = scratch.path('unpacked');
  mkdirSync(folder);
  printed('tar', ['-xzf', String(tar), '-C', folder]);
  const view = printed(
    join(folder, 'outrank', 'outrank'),
    ['view', 'ready-latency', demo.trace, '--format', 'json'],
    env,
  );
  expect(JSON.parse(view)).toMatchObject({ total: { max_ns: 19_493_000_000 } });
  await showsTrace(join(folder, 'outrank', 'outrank-window'), 'package-tar');
});

test.skipIf(image === null)('the AppImage runs as a command, and shows a trace', async () => {
  chmodSync(String(image), 0o755);
  const told = printed(String(image), ['info', demo.trace], { ...env, APPIMAGE_EXTRACT_AND_RUN: '1' });
  expect(told).toContain('8 CPUs');
  // Unpacked by its own runtime, since a test may not mount it where FUSE is missing.
  const folder = scratch.path('appimage');
  mkdirSync(folder);
  printed(String(image), ['--appimage-extract'], env, folder);
  const unpacked = join(folder, 'squashfs-root');
  expect(printed(join(unpacked, 'AppRun'), ['info', demo.trace], env)).toContain('8 CPUs');
  await showsTrace(join(unpacked, 'outrank-window'), 'package-appimage');
});
