import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCheckout } from '../locate.ts';
import { places, temporaryFolder, writeTrace } from '../testing/real.ts';

const dist = join(findCheckout(import.meta.dirname), 'dist');
const isThere = existsSync(places.symbolizer) && existsSync(join(dist, 'outrank-symbols.wasm'));
if (!isThere)
  console.warn('SKIPPED, run scripts/setup.sh --for-tests first: there is no outrank-symbols.wasm');

const REQUESTS = [
  {
    module: 0,
    pdb: 'browser.pdb',
    guid: '0A1B2C3D4E5F60718293A4B5C6D7E8F9',
    age: 2,
    rvas: [4096, 4100, 8192],
    returns: [4300],
  },
  { module: 1, pdb: 'browser.pdb', guid: '00000000000000000000000000000001', age: 1, rvas: [1], returns: [] },
  { module: 2, pdb: 'none.pdb', guid: '00000000000000000000000000000001', age: 1, rvas: [1], returns: [] },
];

describe.skipIf(!isThere)('the reader of symbols in WebAssembly', () => {
  const folder = temporaryFolder();
  const store = join(folder, 'store');
  writeTrace(join(folder, 'trace.etl'), 'symbols', '--pdbs', store);

  function answers(program: string, first: readonly string[], path: string) {
    const { status, stdout, stderr } = spawnSync(
      program,
      [...first, '--path', path, '--cache', join(folder, 'cache')],
      {
        cwd: folder,
        encoding: 'utf8',
        input: REQUESTS.map((request) => `${JSON.stringify(request)}\n`).join(''),
      },
    );
    // The native one reads several PDBs at once.
    return { status, lines: stdout.split('\n').sort(), stderr };
  }
  const native = (path: string) => answers(places.symbolizer, [], path);
  const wasm = (path: string) => answers(process.execPath, [join(dist, 'outrank-symbols.mjs')], path);

  test('answers what the native one does', () => {
    const told = wasm(store);
    expect(told).toEqual(native(store));
    expect(told.status).toBe(0);
    expect(told.lines.join('\n')).toContain('"found"');
  });

  test('takes a path from the folder that it is in', () => {
    const told = wasm('store');
    expect(told).toEqual(native('store'));
    expect(told.lines.join('\n')).toContain('"found"');
  });

  test('tells of servers that it asks none', () => {
    expect(wasm('srv*https://symbols.example.com').lines.join('\n')).toContain('asks no server');
  });

  test('reads on after a damaged PDB', () => {
    const damaged = join(folder, 'damaged');
    cpSync(store, damaged, { recursive: true });
    const path = join(damaged, 'browser.pdb', '0A1B2C3D4E5F60718293A4B5C6D7E8F92', 'browser.pdb');
    const bytes = readFileSync(path);
    for (let at = 4096; at < bytes.length; at += 7) bytes[at] = 255;
    writeFileSync(path, bytes);
    const { status, lines } = wasm(damaged);
    expect(status).toBe(0);
    // Each request has its answer.
    expect(lines.filter((line) => line.includes('"missing"')).length).toBe(3);
  });
});
