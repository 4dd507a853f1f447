import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root, Scratch } from '../support/places.ts';

const scratch = new Scratch();
afterAll(() => scratch.remove());

const empty = scratch.path('empty');
mkdirSync(empty);

/** Runs a script where a folder holds all tools that are installed. */
function withTools(folder: string, script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts', script), ...args], {
    env: { ...process.env, PATH: folder },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

// Other systems make other packages.
const elsewhere = process.platform !== 'linux';

const LINUX =
  'package: linux: dpkg-deb, rpmbuild, mksquashfs and 7zz are missing: on Debian: apt-get install dpkg rpm squashfs-tools 7zip\n';
const WINDOWS =
  'package: windows: makensis and x86_64-w64-mingw32-gcc are missing: on Debian: apt-get install nsis gcc-mingw-w64-x86-64-win32\n';
const MAC = 'package: macos-arm64: xorrisofs is missing: on Debian: apt-get install xorriso\n';

test.skipIf(elsewhere)('packing stops at once where tools are missing, and tells what installs them', () => {
  const out = scratch.path('out');
  expect(withTools(empty, 'package.mjs', out, '--for-tests', 'linux', 'windows', 'macos-arm64')).toEqual({
    status: 1,
    stdout: '',
    stderr: LINUX + WINDOWS + MAC,
  });
  expect(existsSync(out)).toBe(false);
});

test.skipIf(elsewhere)('a release asks for them before it builds', () => {
  expect(withTools(empty, 'packaging/tools.mjs', '--for-tests', 'macos-arm64')).toEqual({
    status: 1,
    stdout: '',
    stderr: MAC,
  });
});

test.skipIf(elsewhere)('nothing is told where all are there', () => {
  const tools = scratch.path('tools');
  mkdirSync(tools);
  for (const tool of ['dpkg-deb', 'rpmbuild', 'mksquashfs', '7zz'])
    writeFileSync(join(tools, tool), '#!/bin/sh\n', { mode: 0o755 });
  expect(withTools(tools, 'packaging/tools.mjs', 'linux')).toEqual({ status: 0, stdout: '', stderr: '' });
});
