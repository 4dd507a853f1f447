import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeQueryResult } from './decode.ts';
import { startProcessEngine } from './process-engine.ts';
import type { ProcessEngine } from './process-engine.ts';
import { lockScreenTrace } from './testing/lock-screen.ts';
import { EngineBench, wasmPath } from './testing/start.ts';

let bench: EngineBench;
let trace: string;
const engines: ProcessEngine[] = [];
beforeAll(async () => {
  bench = await EngineBench.make();
  trace = await bench.file('lock.pftrace', lockScreenTrace());
});
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.end()));
  await bench.end();
});

async function load(memoryBytesMax?: number): Promise<ProcessEngine> {
  const engine = startProcessEngine({ workerPath: bench.workerPath, wasmPath, memoryBytesMax });
  engines.push(engine);
  await engine.load(trace, () => undefined);
  return engine;
}

const FOREVER = 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r';

test('a trace is loaded and asked in a process of its own', async () => {
  const engine = await load();
  const bytes = await engine.query('SELECT dur, rank FROM etw_ready_wait WHERE dur >= 600');
  expect([...decodeQueryResult(bytes).rows()]).toEqual([{ dur: 600, rank: 2 }]);
});

test('a process that is killed in the middle of a query is reported, and takes no more', async () => {
  const engine = await load();
  const asked = engine.query(FOREVER);
  process.kill(engine.pid ?? 0, 'SIGKILL');
  const message = 'the engine is gone: its process ended (SIGKILL)';
  const inQuery = { kind: 'crashed', message: `in the query \`${FOREVER}\`: ${message}` };
  const later = expect(engine.query('SELECT 2')).rejects.toMatchObject({ kind: 'not_asked', message });
  await expect(asked).rejects.toMatchObject(inQuery);
  await later;
  await expect(engine.query('SELECT 1')).rejects.toMatchObject({ kind: 'not_asked', message });
});

test('a query that wants more memory than the engine may have fails, in words', async () => {
  const engine = await load(64 << 20);
  const series = 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 3000000)';
  const sql = `CREATE PERFETTO TABLE much AS ${series} SELECT n, n * 7 AS m FROM r`;
  await expect(engine.query(sql)).rejects.toMatchObject({
    kind: 'crashed',
    message: `in the query \`${sql}\`: the trace needs more memory than trace_processor can have (it holds 0.1 GiB)`,
  });
});

test('an engine is ended whatever it does', async () => {
  const engine = await load();
  const asked = engine.query(FOREVER);
  await Promise.all([
    expect(asked).rejects.toMatchObject({ kind: 'ended', message: 'the engine was ended' }),
    engine.end(),
  ]);
});
