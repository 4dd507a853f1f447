import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { OpenError } from './api.ts';
import { convert } from './converter.ts';
import { WHOLE } from './part.ts';
import { converterCommand } from './run-converter.ts';
import { describeReal, places, root, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

const wasm = join(places.dist, 'outrank-convert.wasm');
const electron = join(root, 'vendor', 'electron', 'electron');
const native = join(root, 'converter', 'target', 'release', 'outrank-convert');
const realFiles = process.env.OUTRANK_REAL_ETL ?? join(root, '..', 'shared', 'etl');
if (!existsSync(wasm)) console.warn(`SKIPPED, run scripts/build-wasm.sh first: there is no ${wasm}`);
if (!existsSync(realFiles)) console.warn(`SKIPPED: there are no real traces in ${realFiles}`);

/** What a run of a converter did. */
function run(converter: string, args: readonly string[], cwd?: string) {
  const { program, first, env } = converterCommand(converter);
  const { status, stdout, stderr } = spawnSync(program, [...first, ...args], { env, cwd, encoding: 'utf8' });
  // The numbers of the system's errors differ.
  return { status, stdout, stderr: stderr.replaceAll(/ \(os error \d+\)/g, '') };
}

/** All files in a folder, by their paths in it. */
function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'base64')]));
}

/** That both converters print, write and answer the same. */
function expectEqual(args: (into: string) => readonly string[]): { status: number | null; stderr: string } {
  const [ofNative, ofWasm] = [native, wasm].map((converter) => {
    const into = temporaryFolder();
    const ended = run(converter, args('.'), into);
    return { ...ended, files: contents(into) };
  });
  const { files, ...told } = ofWasm ?? {};
  expect(told).toEqual({ ...ofNative, files: undefined });
  // Compared as a whole first: a difference of megabytes is nothing to print.
  expect(JSON.stringify(files) === JSON.stringify(ofNative?.files)).toBe(true);
  return { status: ofNative?.status ?? null, stderr: ofNative?.stderr ?? '' };
}

const convertTo = (into: string) => ['-o', join(into, 'out.pftrace'), '--progress', 'none'];

const describeBoth = existsSync(wasm) && existsSync(native) ? describeReal : describe.skip;

describeBoth('the converter in WebAssembly', () => {
  const folder = temporaryFolder();

  test.each([
    ['lock-screen'],
    ['random', '--seed', '7'],
    ['dotnet'],
    ['many-processors'],
    ['counters'],
    ['io', '--count', '20000'],
    ['stacks', '--count', '20000'],
  ])('writes what the native one writes of the scenario %s', (...scenario) => {
    const trace = writeTrace(join(folder, `${scenario[0]}.etl`), ...scenario);
    expect([0, 3]).toContain(expectEqual((into) => [trace, ...convertTo(into)]).status);
  });

  test('tells, redacts, selects and exports as the native one does', () => {
    const trace = writeTrace(join(folder, 'a.etl'), 'attention');
    expectEqual(() => ['info', trace, '--json']);
    expectEqual((into) => [trace, ...convertTo(into), '--from', '1s', '--to', '2s', '--skip', 'generic']);
    // Pseudonyms differ from run to run.
    expectEqual((into) => [
      'redact',
      trace,
      '-o',
      join(into, 'out.pftrace'),
      '--redact',
      'names=remove',
      '--json',
    ]);
    expectEqual((into) => ['columns', trace, '-o', join(into, 'new', 'tables')]);
    expectEqual((into) => ['columns', trace, '-o', into, '--format', 'parquet']);
    expectEqual(() => ['--help']);
  });

  test('ends as the native one does on what is damaged, packed, missing or no trace', () => {
    const trace = writeTrace(join(folder, 'cut.etl'), 'io', '--count', '2000');
    truncateSync(trace, statSync(trace).size - 100_000);
    expect(expectEqual((into) => [trace, ...convertTo(into)]).status).toBe(3);
    expectEqual((into) => [trace, ...convertTo(into), '--strict']);
    writeFileSync(`${trace}.gz`, gzipSync(readFileSync(trace)));
    expectEqual((into) => [`${trace}.gz`, ...convertTo(into)]);
    writeFileSync(join(folder, 'text.etl'), 'no trace');
    expect(expectEqual((into) => [join(folder, 'text.etl'), ...convertTo(into)]).status).toBe(2);
    expect(expectEqual((into) => [join(folder, 'none.etl'), ...convertTo(into)]).stderr).toContain(
      'none.etl',
    );
    expectEqual((into) => [folder, ...convertTo(into)]);
    expectEqual(() => [trace, '-o', join(folder, 'no', 'folder.pftrace')]);
    const own = join(folder, 'own.etl');
    copyFileSync(trace, own);
    expect(expectEqual(() => [own, '-o', own]).stderr).toContain('expected another file than the input');
  });

  test('opens a trace for a host, and its cache is its own', async () => {
    const trace = writeTrace(join(folder, 'open.etl'), 'minimal');
    const host = startHost(join(folder, 'cache'), { converterPath: wasm });
    await expect(host.open(trace, {})).resolves.toMatchObject({ name: 'open.etl', warnings: [] });
  });

  test.skipIf(!existsSync(electron))('runs in Electron as in Node', () => {
    const trace = writeTrace(join(folder, 'electron.etl'), 'minimal');
    const { first, env } = converterCommand(wasm);
    const output = join(folder, 'electron.pftrace');
    const { status } = spawnSync(electron, [...first, trace, '-o', output], { env });
    expect(status).toBe(0);
    expect(statSync(output).size).toBeGreaterThan(1000);
  });

  test('is stopped by its caller, and leaves nothing when a terminal interrupts it', async () => {
    const trace = writeTrace(join(folder, 'long.etl'), 'switches', '--count', '1000000');
    const controller = new AbortController();
    const [converter, inputs, engineBytes, output] = [
      wasm,
      [trace],
      2 ** 32,
      join(folder, 'stopped.pftrace'),
    ];
    const onProgress = () => controller.abort();
    const { signal } = controller;
    await expect(
      convert({ converter, inputs, engineBytes, output, part: WHOLE, signal, onProgress }),
    ).rejects.toThrow('aborted');

    const into = temporaryFolder();
    const { program, first, env } = converterCommand(wasm);
    const child = spawn(program, [...first, trace, '-o', join(into, 'out.pftrace'), '--progress', 'json'], {
      env,
    });
    await new Promise((resolve) => child.stderr.once('data', resolve));
    child.kill('SIGINT');
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2);
    expect(readdirSync(into)).toEqual([]);
  });

  test('is held to the memory and the room that it may take', async () => {
    const trace = writeTrace(join(folder, 'large.etl'), 'stacks', '--count', '200000');
    const [inputs, engineBytes, output] = [[trace], 2 ** 32, join(folder, 'limited.pftrace')];
    const within = (memoryBytes: number, fileBytes: number) =>
      convert({
        converter: wasm,
        inputs,
        engineBytes,
        output,
        part: WHOLE,
        limits: { memoryBytes, fileBytes },
      });
    await expect(within(2 ** 30, 2 ** 20)).rejects.toThrow(OpenError);
    await expect(within(2 ** 30, 2 ** 20)).rejects.toThrow(`${trace}: takes more room when it is converted`);
    await expect(within(2 ** 30, 2 ** 30)).resolves.toEqual([]);
  });
});

describeBoth('of real files', () => {
  const names = existsSync(realFiles) ? readdirSync(realFiles, { recursive: true, encoding: 'utf8' }) : [];
  const traces = names.filter((name) => /\.(etl|gz|zip)$/.test(name)).map((name) => join(realFiles, name));

  test.each(traces.map((path) => [basename(path), path]))('%s becomes the same', (_name, path) => {
    expectEqual((into) => [path, ...convertTo(into)]);
  });
});
