import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeQuery } from './bind.ts';
import { decodeQueryResult } from './decode.ts';
import { EngineError } from './engine.ts';
import { EngineBench } from './testing/start.ts';
import { lockScreenTrace } from './testing/lock-screen.ts';

let bench: EngineBench;
beforeAll(async () => (bench = await EngineBench.make()));
afterAll(() => bench.end());

const ignore = () => undefined;

test('a trace is loaded with true progress, then answers queries in their order, and builds tables when named', async () => {
  const engine = bench.start();
  const progress: number[] = [];
  const path = await bench.file('lock.pftrace', lockScreenTrace());
  const report = await engine.load(path, (step) => progress.push(step));

  expect(report).toEqual({ issues: [], complete: true });
  expect(progress).toEqual([1]);

  const answers = await Promise.all([1, 2, 3].map((n) => engine.query(`SELECT ${n} AS n`)));
  expect(answers.map((bytes) => decodeQueryResult(bytes).cell(0, 0))).toEqual([1, 2, 3]);

  const query = makeQuery((sql) => engine.query(sql));
  const waits = await query('SELECT dur, rank FROM etw_ready_wait WHERE dur >= :at_least_ns', {
    at_least_ns: 600,
  });
  expect([...waits.rows()]).toEqual([{ dur: 600, rank: 2 }]);
});

test('an error in SQL says where and what, and the engine goes on', async () => {
  const engine = bench.start();
  await expect(engine.query('SELECT 1;\nSELECT nope')).rejects.toThrow(
    new EngineError('sql', 'no such column: nope', { line: 2, column: 8 }),
  );
  await expect(engine.query('SELECT 1 AS one')).resolves.toBeInstanceOf(Uint8Array);
});

test.each([
  ['empty.pftrace', '', 'the file is empty'],
  [
    'text.pftrace',
    'Dear reader, this is a letter.\n'.repeat(100),
    'no Perfetto trace: its first bytes (offset 0) are of no known kind',
  ],
])('%s is refused with its path and why, and the engine takes the next file', async (name, bytes, why) => {
  const engine = bench.start();
  const path = await bench.file(name, bytes);
  await expect(engine.load(path, ignore)).rejects.toThrow(new EngineError('load', `${path}: ${why}`));
  const good = await bench.file('good.pftrace', lockScreenTrace());
  await expect(engine.load(good, ignore)).resolves.toEqual({ issues: [], complete: true });
});

test('a file that is not there is named', async () => {
  const path = `${bench.folder}/nowhere.pftrace`;
  await expect(bench.start().load(path, ignore)).rejects.toThrow(
    new EngineError('load', `${path}: ENOENT: no such file or directory`),
  );
});

test('an ended engine rejects what it was asked and what it is asked', async () => {
  const engine = bench.start();
  const loading = engine.load(await bench.file('big.pftrace', new Uint8Array(50_000_000)), ignore);
  const asked = engine.query('SELECT 1');
  const ended = new EngineError('ended', 'the engine was ended');
  const rejections = Promise.all([loading, asked].map((call) => expect(call).rejects.toThrow(ended)));
  await engine.end();
  await rejections;
  await expect(engine.query('SELECT 1')).rejects.toThrow(ended);
});

test('an engine without its WebAssembly says so on the first call', async () => {
  const engine = bench.start(`${bench.folder}/no.wasm`);
  await expect(engine.query('SELECT 1')).rejects.toThrow(
    `cannot start trace_processor from ${bench.folder}/no.wasm: ENOENT: no such file or directory`,
  );
});
