import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root, Scratch } from '../support/places.ts';
import { fileIn, made, namesIn, printed } from './made.ts';

const windows = made('-windows-x64.zip');
const hasTools = ['osslsigncode', 'openssl'].every((tool) => spawnSync(tool).error === undefined);
if (!hasTools) console.warn('SKIPPED: signed packages, which want osslsigncode and openssl');

/** Programs of the package for Windows: Electron, one of its libraries, the converter, and the command. */
const PROGRAMS = [
  'Outrank/Outrank.exe',
  'Outrank/ffmpeg.dll',
  'Outrank/resources/app/bin/outrank-convert.exe',
  'Outrank/bin/outrank.exe',
];

/** Before the lengths of an NSIS setup's header and data. */
const NSIS = Buffer.from('\xef\xbe\xad\xdeNullsoftInst', 'latin1');

/**
 * What a signed setup writes as `uninstall.exe`. Not by 7-Zip: it takes 0x80 as the fourth byte for another compression, and finds no file
 * in such a setup.
 */
function uninstallerIn(setup: Buffer): Buffer {
  const data = inflateRawSync(setup.subarray(setup.indexOf(NSIS) + NSIS.length + 8));
  // Its script, then its files, each after its length.
  let last = data.subarray(0, 0);
  for (let at = 0; at < data.length; at += 4 + last.length)
    last = data.subarray(at + 4, at + 4 + data.readUInt32LE(at));
  return last;
}

describe.skipIf(windows === null || !hasTools)('with the variables of @electron/windows-sign', () => {
  const scratch = new Scratch();
  const certificate = scratch.path('certificate.pem');
  const env = {
    ...process.env,
    WINDOWS_CERTIFICATE_FILE: scratch.path('certificate.p12'),
    WINDOWS_CERTIFICATE_PASSWORD: 'not a secret',
    // No server is asked for the time.
    WINDOWS_TIMESTAMP_SERVER: '',
  };
  beforeAll(() => {
    const key = scratch.path('key.pem');
    const self = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=Outrank test'];
    const uses = ['-addext', 'extendedKeyUsage=codeSigning'];
    const quiet = { stdio: 'ignore' } as const;
    execFileSync('openssl', ['req', ...self, ...uses, '-keyout', key, '-out', certificate], quiet);
    const pair = ['-inkey', key, '-in', certificate, '-out', env.WINDOWS_CERTIFICATE_FILE];
    execFileSync('openssl', [
      'pkcs12',
      '-export',
      ...pair,
      '-passout',
      `pass:${env.WINDOWS_CERTIFICATE_PASSWORD}`,
    ]);
  });
  afterAll(() => scratch.remove());

  /** 0: a file carries a signature by the certificate, over just what is in it. */
  const verified = (file: string) =>
    spawnSync('osslsigncode', ['verify', '-CAfile', certificate, file]).status;

  test('every program is signed, in the .zip, the setup, and what takes it away again', () => {
    const out = scratch.path('signed');
    printed(process.execPath, [join(root, 'scripts', 'package.mjs'), out, '--for-tests', 'windows'], env);
    const [zip = ''] = readdirSync(out).filter((name) => name.endsWith('.zip'));
    const program = scratch.path('program.exe');
    for (const name of PROGRAMS.filter((each) => namesIn(join(out, zip)).includes(each))) {
      writeFileSync(program, fileIn(String(windows), name));
      expect(verified(program), name).not.toBe(0);
      writeFileSync(program, fileIn(join(out, zip), name));
      expect(verified(program), name).toBe(0);
    }
    const [setup = ''] = readdirSync(out).filter((name) => name.endsWith('-setup.exe'));
    expect(verified(join(out, setup))).toBe(0);
    writeFileSync(program, uninstallerIn(readFileSync(join(out, setup))));
    expect(verified(program)).toBe(0);
  });

  test('a wrong password stops the packing', () => {
    const program = scratch.path('unsigned.exe');
    writeFileSync(program, fileIn(String(windows), 'Outrank/ffmpeg.dll'));
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(root, 'scripts', 'packaging', 'signing.mjs'), program],
      { env: { ...env, WINDOWS_CERTIFICATE_PASSWORD: 'wrong' }, encoding: 'utf8' },
    );
    expect(status).toBe(1);
    expect(stderr).toContain(`not signed: ${program}`);
  });
});
