// Signs packages where the variables of the packager's own signers are set. `signing.mjs FILE…` signs programs for Windows.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sign } from '@electron/windows-sign';

/** By any of these @electron/windows-sign knows by what to sign. */
const ASKS_FOR_WINDOWS = [
  'WINDOWS_CERTIFICATE_FILE',
  'WINDOWS_SIGN_WITH_PARAMS',
  'WINDOWS_SIGN_HOOK_MODULE_PATH',
];
const TIMESTAMPS = 'http://timestamp.digicert.com';
const PROGRAM = /\.(exe|dll|node)$/i;

/**
 * What @electron/packager and @electron/windows-sign take to sign programs for Windows; undefined: no certificate is named. Microsoft's
 * signtool runs on Windows alone; elsewhere osslsigncode signs, by the same variables.
 * @returns {{ continueOnError: false, hookFunction?: (file: string) => void } | undefined}
 */
export function windowsSigning() {
  if (!ASKS_FOR_WINDOWS.some(isSet)) return undefined;
  const own = process.platform === 'win32' || isSet('WINDOWS_SIGN_HOOK_MODULE_PATH');
  if (!own && !isSet('WINDOWS_CERTIFICATE_FILE'))
    throw new Error('WINDOWS_CERTIFICATE_FILE is missing: outside of Windows osslsigncode signs by a file');
  return { continueOnError: false, ...(own ? {} : { hookFunction: signByOsslsigncode }) };
}

/**
 * What @electron/packager takes to sign and notarize an app for macOS, which only macOS can; undefined: nothing is named.
 */
export function macSigning() {
  const { APPLE_SIGN_IDENTITY: identity, APPLE_ID: appleId } = process.env;
  const { APPLE_PASSWORD: appleIdPassword = '', APPLE_TEAM_ID: teamId = '' } = process.env;
  if (identity === undefined) return undefined;
  if (process.platform !== 'darwin')
    throw new Error('APPLE_SIGN_IDENTITY is set, but apps for macOS are signed on macOS alone');
  const osxSign = { identity, continueOnError: false };
  return appleId === undefined ? { osxSign } : { osxSign, osxNotarize: { appleId, appleIdPassword, teamId } };
}

/**
 * Signs programs for Windows, where a certificate is named.
 * @param {string[]} files
 */
export async function signWindows(files) {
  const signing = windowsSigning();
  if (signing === undefined) return;
  await sign({ ...signing, files });
  expectSigned(files);
}

/**
 * Fails unless all programs of a folder are signed, if they should be: the packager passes over errors of a hook.
 * @param {string} folder
 */
export function expectAllSigned(folder) {
  if (windowsSigning() === undefined) return;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expectSigned(names.filter((name) => PROGRAM.test(name)).map((name) => join(folder, name)));
}

/** @param {string[]} files */
function expectSigned(files) {
  const unsigned = files.filter((file) => !isSigned(readFileSync(file)));
  if (unsigned.length > 0) throw new Error(`not signed: ${unsigned.join(', ')}`);
}

/**
 * Whether a program for Windows holds a signature: the table of certificates is the fifth of its directories.
 * @param {Buffer} program
 */
function isSigned(program) {
  const optional = program.readUInt32LE(0x3c) + 24;
  const is64 = program.readUInt16LE(optional) === 0x20b;
  return program.readUInt32LE(optional + (is64 ? 112 : 96) + 4 * 8 + 4) > 0;
}

/** @param {string} file */
function signByOsslsigncode(file) {
  const told = process.env;
  const stamp = told.WINDOWS_TIMESTAMP_SERVER ?? TIMESTAMPS;
  const signed = `${file}.signed`;
  const options = [
    ...['-pkcs12', told.WINDOWS_CERTIFICATE_FILE ?? '', '-h', 'sha256'],
    // By itself, since whoever lists processes reads their arguments.
    ...(told.WINDOWS_CERTIFICATE_PASSWORD === undefined ? [] : ['-readpass', '-']),
    ...(stamp === '' ? [] : ['-ts', stamp]),
    ...['-n', told.WINDOWS_SIGN_DESCRIPTION ?? 'Outrank'],
    ...(told.WINDOWS_SIGN_WEBSITE === undefined ? [] : ['-i', told.WINDOWS_SIGN_WEBSITE]),
  ];
  rmSync(signed, { force: true });
  execFileSync('osslsigncode', ['sign', ...options, '-in', file, '-out', signed], {
    input: told.WINDOWS_CERTIFICATE_PASSWORD ?? '',
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  renameSync(signed, file);
}

/** @param {string} name */
function isSet(name) {
  return (process.env[name] ?? '') !== '';
}

if (process.argv[1] === import.meta.filename) await signWindows(process.argv.slice(2));
