import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockScreenTrace } from '../engine/testing/lock-screen.ts';
import { rowsOf, startProcessor } from '../engine/testing/start.ts';

/** The package as `trace_processor_shell --add-sql-package shared/sql/etw` reads it: a module a file, in no order. */
function fromDisk() {
  const folder = join(import.meta.dirname, 'etw');
  return readdirSync(folder).map((file) => ({
    name: `etw.${file.replace('.sql', '')}`,
    sql: readFileSync(join(folder, file), 'utf8'),
  }));
}

test.each(fromDisk().map(({ name }) => name))(
  'a stock engine includes %s from the folder by itself, with all that it needs',
  async (module) => {
    const processor = await startProcessor();
    processor.append(lockScreenTrace());
    processor.finalize();
    processor.register('etw', fromDisk());
    expect(rowsOf(processor, `INCLUDE PERFETTO MODULE ${module}; SELECT 1 AS included`)).toEqual([
      { included: 1 },
    ]);
  },
);

test('a stock engine answers from it', async () => {
  const processor = await startProcessor();
  processor.append(lockScreenTrace());
  processor.finalize();
  processor.register('etw', fromDisk());
  const sql = `INCLUDE PERFETTO MODULE etw.sched;
    SELECT dur, rank, priority FROM etw_ready_wait ORDER BY dur DESC LIMIT 1`;
  expect(rowsOf(processor, sql)).toEqual([{ dur: 600, rank: 2, priority: 14 }]);
});
