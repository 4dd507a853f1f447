import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { findCheckout } from '../locate.ts';
import { cabinetOf } from '../testing/cabinet.ts';
import { freePort } from '../testing/free-port.ts';

import { atEnd, places, temporaryFolder, writeTrace } from '../testing/real.ts';

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

/** Where the PDB of the first request lies in a store. */
const BROWSER = 'browser.pdb/0A1B2C3D4E5F60718293A4B5C6D7E8F92/browser.pdb';

/** A PDB that begins as one and is none further on. */
function damage(pdb: Buffer): Buffer {
  const damaged = Buffer.from(pdb);
  for (let at = 4096; at < damaged.length; at += 7) damaged[at] = 255;
  return damaged;
}

describe.skipIf(!isThere)('the reader of symbols in WebAssembly', () => {
  const folder = temporaryFolder();
  const store = join(folder, 'store');
  writeTrace(join(folder, 'trace.etl'), 'symbols', '--pdbs', store);

  const cache = join(folder, 'cache');

  async function answers(program: string, first: readonly string[], path: string, requests = REQUESTS) {
    const child = spawn(program, [...first, '--path', path, '--cache', cache], {
      cwd: folder,
      stdio: 'pipe',
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    // One that fails at once does not read.
    child.stdin.on('error', () => undefined);
    child.stdin.end(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    // Several PDBs are read at once.
    return { status: await ended, lines: stdout.split('\n').sort(), stderr };
  }
  type Ask = (path: string, requests?: typeof REQUESTS) => ReturnType<typeof answers>;
  const native: Ask = (path, requests) => answers(places.symbolizer, [], path, requests);
  const wasm: Ask = (path, requests) =>
    answers(process.execPath, [join(dist, 'outrank-symbols.mjs')], path, requests);

  test('answers what the native one does', async () => {
    const told = await wasm(store);
    expect(told).toEqual(await native(store));
    expect(told.status).toBe(0);
    expect(told.lines.join('\n')).toContain('"found"');
  });

  test('takes a path from the folder that it is in', async () => {
    const told = await wasm('store');
    expect(told).toEqual(await native('store'));
    expect(told.lines.join('\n')).toContain('"found"');
  });

  test('finds a PDB whatever the case of the letters in a store', async () => {
    const lower = join(folder, 'lower', BROWSER.toLowerCase().replace('browser.pdb', 'Browser.PDB'));
    cpSync(join(store, BROWSER), lower, { recursive: true });
    // More than are listed at once.
    for (let count = 0; count < 300; count += 1) mkdirSync(join(folder, 'lower', `other-${count}.pdb`));
    const told = await wasm('lower');
    expect(told).toEqual(await native('lower'));
    expect(told.lines.join('\n')).toContain('"found"');
  });

  test('reads on after a damaged PDB', async () => {
    const damaged = join(folder, 'damaged');
    cpSync(store, damaged, { recursive: true });
    const path = join(damaged, BROWSER);
    writeFileSync(path, damage(readFileSync(path)));
    const { status, lines } = await wasm(damaged);
    expect(status).toBe(0);
    // Each request has its answer.
    expect(lines.filter((line) => line.includes('"missing"')).length).toBe(3);
  });

  describe('asks servers as the native one does', () => {
    const pdb = readFileSync(join(store, BROWSER));
    const path = `/${BROWSER}`;
    const packedPath = path.replace(/b$/, '_');
    const of =
      (at: string, bytes: Buffer): RequestListener =>
      ({ url }, response) =>
        url === at ? response.end(bytes) : response.writeHead(404).end();

    /** What both told and left in the cache, and what servers heard of each. */
    async function both(symbolPath: string, asked: unknown[], requests?: typeof REQUESTS) {
      const results = [];
      for (const ask of [native, wasm]) {
        rmSync(cache, { recursive: true, force: true });
        mkdirSync(cache);
        const first = await ask(symbolPath, requests);
        const kept = readdirSync(cache, { recursive: true }).sort();
        const heard = asked.splice(0).sort();
        const second = await ask(symbolPath, requests);
        results.push({ first, kept, heard, second, heardAgain: asked.splice(0).sort() });
      }
      const [byNative, byWasm] = results;
      expect(byWasm).toEqual(byNative);
      return { ...byWasm, told: byWasm?.first.lines.join('\n') };
    }

    async function asking(reply: RequestListener, requests?: typeof REQUESTS) {
      const asked: unknown[] = [];
      const server = createServer((request, response) => {
        asked.push(`${request.url} ${request.headers['user-agent']}`);
        reply(request, response);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      atEnd(() => server.close());
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      return both(`srv*${url}`, asked, requests);
    }

    test('and keeps what they send', async () => {
      const { told, kept, heard, heardAgain } = await asking(of(path, pdb));
      expect(told).toContain(`{"module":0,"found":"${join(cache, BROWSER)}"}`);
      expect(told).toContain(`"bytes":0,"total_bytes":${pdb.length}}`);
      expect(kept).toEqual(['browser.pdb', ...[join(BROWSER, '..'), BROWSER]]);
      expect(heard?.length).toBe(5);
      // What there was not is asked for again.
      expect(heardAgain?.length).toBe(4);
      expect(readFileSync(join(cache, BROWSER))).toEqual(pdb);
    });

    test('which may send it packed', async () => {
      const { told, heard } = await asking(
        of(packedPath, cabinetOf('browser.pdb', pdb)),
        REQUESTS.slice(0, 1),
      );
      expect(told).toContain('"found"');
      expect(heard?.map((line) => String(line).split(' ')[0])).toEqual([packedPath, path].sort());
      expect(readFileSync(join(cache, BROWSER))).toEqual(pdb);
    });

    test.each<readonly [string, RequestListener, string]>([
      ['have none', (_request, response) => response.writeHead(404).end(), 'not there (HTTP 404)'],
      ['refuse', (_request, response) => response.writeHead(403).end(), 'HTTP 403'],
      [
        'send too much',
        (_request, response) => response.writeHead(200, { 'content-length': 99_999_999_999 }).write('x'),
        'too large for a PDB',
      ],
      [
        'break off',
        (_request, response) => {
          response.writeHead(200, { 'content-length': 1000 }).write('x');
          setTimeout(() => response.destroy(), 100);
        },
        'the connection broke off',
      ],
      [
        'send elsewhere for ever',
        ({ url }, response) => response.writeHead(302, { location: `${url}x` }).end(),
        'too many redirects',
      ],
      [
        'send something else',
        (_request, response) => response.end('<html>Sign in</html>'),
        'not readable as a PDB: it begins as none',
      ],
      [
        'send a cabinet that is none',
        ({ url }, response) =>
          url?.endsWith('_') === true ? response.end('<html>') : response.writeHead(404).end(),
        'browser.pdb: ',
      ],
    ])('which may %s', async (_what, reply, reason) => {
      const { told, kept } = await asking(reply, REQUESTS.slice(0, 1));
      expect(told).toContain('"missing"');
      expect(told).toContain(reason);
      expect(kept).toEqual([]);
    });

    test('are asked one after another until one has the file', async () => {
      const none = await freePort();
      const asked: unknown[] = [];
      const server = createServer((request, response) => {
        asked.push(request.url);
        of(path, pdb)(request, response);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      atEnd(() => server.close());
      const there = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { told, heard } = await both(
        `srv*http://127.0.0.1:${none}*${there}`,
        asked,
        REQUESTS.slice(0, 1),
      );
      expect(told).toContain('"found"');
      expect(heard).toEqual([path]);
    });

    test('each once that is not reached', async () => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const many = Array.from({ length: 8 }, (_, module) => ({ ...REQUESTS[0], module })) as typeof REQUESTS;
      rmSync(cache, { recursive: true, force: true });
      for (const ask of [native, wasm]) {
        const { lines } = await ask(`srv*${url}`, many);
        const refused = lines.filter((line) => line.includes(': connection refused')).length;
        const later = lines.filter((line) => line.includes(': the server was not reached before')).length;
        expect(refused + later).toBe(8);
        // Four are looked for at a time.
        expect(later).toBeGreaterThanOrEqual(4);
      }
    });
  });

  test('leaves nothing of a damaged PDB that a server sent', async () => {
    const bytes = damage(readFileSync(join(store, BROWSER)));
    const server = createServer((_request, response) => response.end(bytes));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => server.close());
    rmSync(cache, { recursive: true, force: true });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status, lines } = await wasm(`srv*${url}`, REQUESTS.slice(0, 1));
    expect(status).toBe(0);
    expect(lines.join('\n')).toContain('"missing"');
    const names = readdirSync(cache, { recursive: true }).map(String);
    expect(names.filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  test('tells once what it cannot mean', async () => {
    const { status, stderr } = await wasm('ftp*x');
    expect({ status, stderr }).toEqual(
      await native('ftp*x').then((told) => ({ status: told.status, stderr: told.stderr })),
    );
  });
});
