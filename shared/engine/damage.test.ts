import { expect, test } from 'vitest';
import { EngineError, type LoadReport } from './engine.ts';
import { EtwTables } from './etw-tables.ts';
import { loadTrace } from './load.ts';
import { openTraceFile } from './trace-file.ts';
import type { TraceProcessor } from './processor.ts';
import { lockScreenTrace } from './testing/lock-screen.ts';
import { randomNumbers } from './testing/reference-codec.ts';
import { EngineBench, rowsOf, startProcessor } from './testing/start.ts';

async function load(processor: TraceProcessor, path: string): Promise<LoadReport> {
  const source = await openTraceFile(path);
  return loadTrace(processor, source, () => undefined).finally(() => source.close());
}

test('a trace cut anywhere loads as far as it goes, and is not called complete', async () => {
  const bench = await EngineBench.make();
  const processor = await startProcessor();
  const whole = lockScreenTrace();
  const runs: unknown[] = [];
  for (let part = 1; part <= 12; part++) {
    const path = await bench.file('cut.pftrace', whole.subarray(0, Math.floor((whole.length * part) / 12)));
    const { complete } = await load(processor, path);
    expect(complete, `${part} twelfths`).toBe(part === 12);
    runs.push(rowsOf(new EtwTables(processor), 'SELECT count(*) AS runs FROM etw_run')[0]?.runs);
  }
  expect(runs.at(-1)).toBe(8);
  expect(runs).toEqual([...runs].sort((a, b) => Number(a) - Number(b)));
  await bench.end();
});

test('changed and random bytes load or are refused; the engine takes the next trace either way', async () => {
  const bench = await EngineBench.make();
  const processor = await startProcessor();
  const random = randomNumbers(3);
  for (let round = 0; round < 24; round++) {
    const bytes = round % 2 === 0 ? lockScreenTrace() : new Uint8Array(3000);
    const changes = round % 2 === 0 ? 20 : bytes.length;
    for (let i = 0; i < changes; i++) {
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    }
    const path = await bench.file('damaged.pftrace', bytes);
    await load(processor, path).catch((error: unknown) => {
      expect(error).toBeInstanceOf(EngineError);
      expect(error).toMatchObject({ kind: 'load' });
      expect(String(error)).toContain(`${path}: `);
    });
  }
  const good = await bench.file('good.pftrace', lockScreenTrace());
  await expect(load(processor, good)).resolves.toEqual({ issues: [], complete: true });
  await bench.end();
});
