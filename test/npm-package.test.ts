import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from './support/browser.ts';
import { untilShown } from './support/page.ts';
import { demo, root, synth } from './support/places.ts';

/** The most that the package may have, in bytes. */
const PACKAGE_BYTES_MAX = 30e6;

const folder = mkdtempSync(join(tmpdir(), 'outrank-npm-'));
const programs = join(folder, 'bin');
const launcher = join(folder, 'node_modules', '.bin', 'outrank');
/** No Rust, and nothing of the checkout. */
const env = { HOME: folder, PATH: programs, OUTRANK_CACHE: join(folder, 'cache') };

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  const packed = execFileSync('node', ['scripts/pack-npm.mjs', folder], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  expect(statSync(packed).size).toBeLessThan(PACKAGE_BYTES_MAX);
  writeFileSync(join(folder, 'package.json'), '{}');
  install(packed);
  mkdirSync(programs);
  symlinkSync(process.execPath, join(programs, 'node'));
});

/** Installs packed files as a user does, without what runs at installing. */
function install(...packed: readonly string[]): void {
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', ...packed], {
    cwd: folder,
  });
}

function outrank(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
    env,
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

test('the package answers with Node alone', () => {
  expect(outrank('info', 'demo').stdout).toContain('8 CPUs');
  const view = outrank('view', 'ready-latency', 'demo', '--format', 'json');
  expect(view.status).toBe(0);
  expect(JSON.parse(view.stdout)).toMatchObject({ total: { max_ns: 19_493_000_000 } });
  expect(outrank('findings', demo.trace).stdout).toContain('Rank starvation');
  const count = outrank(
    'query',
    demo.trace,
    '--sql',
    'SELECT count(*) AS n FROM etw_process',
    '--format',
    'json',
  );
  expect((JSON.parse(count.stdout) as [{ n: number }])[0].n).toBeGreaterThan(10);
  expect(outrank('convert', demo.trace, '-o', 'out.pftrace').status).toBe(0);
  expect(statSync(join(folder, 'out.pftrace')).size).toBeGreaterThan(1e6);
});

test('the package names functions by PDBs in a folder, and of a server', async () => {
  const [trace, store] = [join(folder, 'symbols.etl'), join(folder, 'store')];
  execFileSync(synth, ['symbols', '-o', trace, '--pdbs', store]);
  expect(outrank('symbols', trace, '--path', 'store').stdout).toContain('75.0 % of 400 samples');
  const server = createServer(({ url = '' }, response) => {
    createReadStream(join(store, url))
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const path = `srv*kept*http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [launcher, 'symbols', trace, '--path', path],
    { env, cwd: folder },
  );
  server.close();
  expect(stdout).toContain('75.0 % of 400 samples');
  expect(outrank('symbols', trace, '--path', 'kept').stdout).toContain('75.0 % of 400 samples');
});

test('what is not there is told', () => {
  expect(outrank('none.etl')).toMatchObject({
    status: 2,
    stderr: `outrank: ${folder}/none.etl: no such file\n`,
  });
  expect(outrank('nonsense').stderr).toBe('outrank: no command "nonsense": outrank help lists them\n');
});

test('a trace without a command is shown in the browser', async () => {
  const server = spawn(process.execPath, [launcher, demo.trace], { env, cwd: folder });
  try {
    const [url] = await new Promise<RegExpExecArray>((resolve) =>
      createInterface({ input: server.stdout }).on('line', (line) => {
        const found = /http:\S+/.exec(line);
        if (found !== null) resolve(found);
      }),
    );
    const browser = await startBrowser();
    const page = await browser.newPage();
    await page.goto(url);
    await untilShown(page);
    await browser.close();
  } finally {
    server.kill('SIGINT');
  }
});

test('the package of the platform is preferred where it is installed, and converts to the same bytes', () => {
  const modules = join(folder, 'node_modules', 'outrank', 'dist');
  const convert = (to: string) => {
    expect(outrank('convert', demo.trace, '-o', to)).toMatchObject({ status: 0 });
    return readFileSync(join(folder, to));
  };
  const byWasm = convert('by-wasm.pftrace');
  const native = execFileSync('node', ['scripts/pack-npm-native.mjs', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  install(native.trim());
  // Whatever still works then works by the native one.
  for (const name of ['outrank-convert.wasm', 'outrank-symbols.wasm']) rmSync(join(modules, name));
  expect(convert('by-native.pftrace').equals(byWasm)).toBe(true);
  expect(outrank('symbols', 'symbols.etl', '--path', 'store').stdout).toContain('75.0 % of 400 samples');

  // One of another version may write something else.
  const manifest = join(folder, 'node_modules', '@outrank', `native-${process.platform}-${process.arch}`);
  const file = join(manifest, 'package.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"version": "[^"]+"/, '"version": "0.0.1"'));
  expect(outrank('convert', demo.trace, '-o', 'none.pftrace').status).not.toBe(0);
});
